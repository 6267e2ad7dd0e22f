/**
 * Fetches one subtitle for one item: what the house can know is refused before any provider is asked, text inside the
 * video comes first, then all providers at once, and the best three offers in turn. What cannot be trusted is not
 * installed, and the evidence for what is installed is kept and shown.
 */
import { createHash } from 'node:crypto';
import type { Catalog, PlayableFile, Subject } from '../catalog/index.ts';
import type { Evidence } from '../contract/subtitles/library.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { inside, isThere, isWritableFolder, openFolder, type Root, statFile } from '../lib/files.ts';
import { parseLanguage } from '../lib/languages.ts';
import { createKeyedLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import { choose, type Choice } from './choosing/choose.ts';
import { findCandidates, type Search } from './choosing/find.ts';
import { takeFirst, type Taken } from './choosing/take.ts';
import { heldBy, isCovered } from './coverage.ts';
import { toSrt } from './engine/index.ts';
import { askFor, textInside, untagged } from './fetch-ask.ts';
import { mainFile, tracksIn } from './inventory-item.ts';
import { folderOf, type Installation, type Installer, sidecarName } from './install.ts';
import type { About, ProviderSet } from './provider-set.ts';
import type { Ask, Provider } from './providers/provider.ts';
import type { InstallingStore } from './store/installing.ts';
import type { InventoryStore } from './store/inventory.ts';
import type { FileTable, SearchOutcome } from './store/tables.ts';

export interface FetchNeeds {
  catalog: Pick<Catalog, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  clock: Clock;
  log: Log;
  inventory: InventoryStore;
  installing: InstallingStore;
  installer: Installer;
  providers: ProviderSet;
  languages(): readonly string[];
  /** Told once a subtitle is in place and known, or a search has ended. */
  changed(id: string): Promise<void>;
}

export interface Fetched {
  language: string;
  source: string;
  score: number;
  match: FileTable['match'];
  evidence: Evidence[];
  /** Below its library. */
  file: string;
}

export interface FetchRequest {
  id: string;
  /** Left out: the first configured language. */
  language?: string | undefined;
  /** Nobody asked for this very one: it counts against the day's budget. */
  isAutomatic?: boolean;
}

/** All that is known to be right before anybody outside is asked. */
interface Ready {
  subject: Subject;
  file: PlayableFile;
  root: Root;
  about: About;
}

const EXTRACTING_MS = 10 * 60_000;

export function createFetch(needs: FetchNeeds): (request: FetchRequest, signal: AbortSignal) => Promise<Fetched> {
  const busy = createKeyedLock();
  return async ({ id, language: given, isAutomatic = false }, signal) => {
    const tag = given === undefined ? undefined : parseLanguage(given);
    if (given !== undefined && tag === undefined) throw new Failure('invalid', 'language: expected a language code');
    await subjectNow(needs, id);
    const language = tag ?? needs.languages()[0];
    if (language === undefined) throw new Failure('conflict', 'no subtitle language is configured, and none was given');
    const about: About = { item: id, language };
    return busy.tryLock(`${id} ${language}`, async () => {
      const ready = await judgeLocally(needs, about);
      const found = (await fromVideo(needs, ready, signal)) ?? (await fromProviders(needs, ready, isAutomatic, signal));
      // From here on it is a matter of a moment, and a client that left does not stop it half way.
      signal.throwIfAborted();
      return install(needs, ready, found);
    }, 'a subtitle in this language is being fetched for this item already');
  };
}

async function subjectNow({ catalog }: FetchNeeds, id: string): Promise<{ subject: Subject; file: PlayableFile }> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  if (!subject || subject.gone || !file || !catalog.libraries().some((library) => library.id === file.library)) throw new Failure('missing', 'no such film or episode');
  return { subject, file };
}

/** Everything that speaks against it and can be seen from here, without asking anybody or touching anything. */
async function judgeLocally(needs: FetchNeeds, about: About): Promise<Ready> {
  const { subject, file } = await subjectNow(needs, about.item);
  if (!subject.available) throw new Failure('conflict', 'the library of this item cannot be reached now');
  if (!file.available) throw new Failure('conflict', 'the file of this item cannot be read');
  if (!file.info) throw new Failure('conflict', 'the file of this item was not looked into yet');
  if (subject.files.some(({ id, part }) => id === file.id && part > 1)) throw new Failure('conflict', 'this item is cut in several files, and no subtitle would fit');
  await refuseCovered(needs, subject, file, about);
  const names = [sidecarName(file.relative, about.language, 'normal'), sidecarName(file.relative, about.language, 'sdh')];
  const root = await openLibrary(needs, file);
  for (const name of names) {
    if (await isThere(inside(root, name))) throw new Failure('conflict', 'a file of that name is already there');
  }
  const folder = folderOf(file.relative);
  if (!(await isWritableFolder(folder === '' ? root.path : `${root.path}/${folder}`))) throw new Failure('conflict', 'the media folder cannot be written to, so nothing was fetched');
  return { subject, file, root, about };
}

async function refuseCovered(needs: FetchNeeds, subject: Subject, file: PlayableFile, { item, language }: About): Promise<void> {
  if (isCovered(heldBy(tracksIn(subject, file)), language, needs.languages()[0])) throw new Failure('conflict', 'there is a subtitle in this language already');
  const frozen = await needs.installing.frozen([item]);
  if (frozen.some((one) => one.language === language)) throw new Failure('conflict', 'the subtitle in this language is frozen');
}

async function openLibrary({ catalog }: FetchNeeds, file: PlayableFile): Promise<Root> {
  try {
    const root = await catalog.root(file.root);
    // No part of the way may be a link, and the video must still be the one that was looked into.
    await (await openFolder(inside(root, folderOf(file.relative)))).close();
    const { kind, size } = await statFile(inside(root, file.relative));
    if (kind === 'file' && size === file.size) return root;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure('conflict', 'the file of this item cannot be reached now', {}, { cause: error });
  }
  throw new Failure('conflict', 'the file of this item has changed and was not looked into again yet');
}

type Found = Pick<Installation, 'role' | 'format' | 'bytes' | 'source' | 'match' | 'evidence'> & { score: number };

async function fromVideo({ ffmpeg, log }: FetchNeeds, { subject, file, root, about }: Ready, signal: AbortSignal): Promise<Found | undefined> {
  const tracks = untagged(tracksIn(subject, file));
  if (tracks.length === 0) return undefined;
  try {
    const inner = await textInside({ file, root, tracks, language: about.language, ffmpeg }, AbortSignal.any([signal, AbortSignal.timeout(EXTRACTING_MS)]));
    if (!inner) return undefined;
    const evidence: Evidence[] = [
      { kind: 'embedded', detail: 'a text track of this very video', points: 100 },
      { kind: 'language', detail: 'the track names no language, and its text is in the one asked for', points: 0 },
    ];
    return { role: inner.track.role, format: 'srt', bytes: Buffer.from(inner.text), source: 'embedded', score: 100, match: 'embedded', evidence };
  } catch (error) {
    signal.throwIfAborted();
    // A track that cannot be read is no reason not to ask elsewhere.
    log.fault('subtitles.track-unread', error, { item: about.item });
    return undefined;
  }
}

async function fromProviders(needs: FetchNeeds, ready: Ready, isAutomatic: boolean, signal: AbortSignal): Promise<Found> {
  const { about } = ready;
  if (needs.providers.configured().length === 0) throw new Failure('unavailable', 'no subtitle provider is configured', { reason: 'none-configured' });
  const { providers, nextRetry } = await needs.providers.usable(about);
  if (providers.length === 0) {
    const seconds = Math.max(1, Math.ceil(((nextRetry ?? 0) - needs.clock.now()) / 1000));
    throw new Failure('unavailable', 'the subtitle providers are not to be asked again yet', { reason: 'providers-failing', retryAfterSeconds: seconds });
  }
  const ask = await askFor({ ...ready, language: about.language });
  const search = await findCandidates(providers, ask, signal);
  const refusals = await needs.installing.refusals(about.item, about.language);
  const choice = choose(search.candidates, ask, ({ provider, id }) => refusals.some((one) => one.provider === provider && one.candidate === id));
  const taken = await take(needs, { ready, ask, providers, choice, isAutomatic, contents: new Set(refusals.flatMap(({ content }) => content ?? [])) }, signal);
  await learn(needs, { about, search, taken });
  const isPartial = providers.length < needs.providers.configured().length;
  if (!taken.accepted) return giveUp(needs, { about, search, choice, taken, isPartial });

  const { scored, downloaded, checked } = taken.accepted;
  const isAsDelivered = providers.find(({ name }) => name === scored.candidate.provider)?.asDelivered === true;
  const { format } = checked.read.document;
  return {
    role: checked.hearingImpaired ? 'sdh' : 'normal',
    format: isAsDelivered ? ENDING[format] : 'srt',
    bytes: isAsDelivered ? downloaded.bytes : Buffer.from(toSrt(checked.read.document)),
    source: scored.candidate.provider,
    score: Math.round(checked.score),
    match: checked.isVerified ? 'verified' : 'unverified',
    evidence: checked.evidence.map(({ kind, detail, points }) => ({ kind, detail, points })),
  };
}

const ENDING = { srt: 'srt', vtt: 'vtt', ass: 'ass', ssa: 'ssa', microdvd: 'sub', ttml: 'ttml', sami: 'smi' } as const;

interface Taking {
  ready: Ready;
  ask: Ask;
  providers: readonly Provider[];
  choice: Choice;
  isAutomatic: boolean;
  /** SHA-256 of what was found wrong for this item before. */
  contents: ReadonlySet<string>;
}

/** Downloads in turn, and remembers what was found wrong, so that it is never paid for again. */
async function take(needs: FetchNeeds, { ready: { about }, ask, providers, choice, isAutomatic, contents }: Taking, signal: AbortSignal): Promise<Taken> {
  const seen = new Map<string, string>();
  let current = '';
  const taken = await takeFirst(choice.best, {
    providers,
    ask,
    mayDownload: async ({ candidate }) => {
      current = `${candidate.provider} ${candidate.id}`;
      return needs.providers.mayDownload(candidate.provider, isAutomatic);
    },
    isRefusedContent: async ({ bytes }) => {
      const content = createHash('sha256').update(bytes).digest('hex');
      seen.set(current, content);
      return contents.has(content);
    },
  }, signal);
  for (const { scored, reason, fault } of taken.refused) {
    const { provider, id: candidate } = scored.candidate;
    const content = seen.get(`${provider} ${candidate}`);
    if (content !== undefined && !fault) await needs.installing.refuse({ ...about, provider, candidate, content, reason, at: needs.clock.now() });
  }
  return taken;
}

/** What the calls said about the providers. One that answered and then could not deliver has failed, and waits longer each time. */
async function learn({ providers }: FetchNeeds, { about, search, taken }: { about: About; search: Search; taken: Taken }): Promise<void> {
  const faults = new Map(taken.refused.flatMap(({ scored, fault }) => (fault ? [[scored.candidate.provider, fault] as const] : [])));
  if (taken.accepted) faults.delete(taken.accepted.scored.candidate.provider);
  for (const { provider, fault: silent, stopped } of search.answers) {
    const fault = silent ?? faults.get(provider);
    if (fault) await providers.failed(provider, fault, about);
    else if (!stopped) await providers.worked(provider, about);
  }
}

interface GivingUp {
  about: About;
  search: Search;
  choice: Choice;
  taken: Taken;
  /** Not every configured provider was asked. */
  isPartial: boolean;
}

async function giveUp(needs: FetchNeeds, { about, search, choice, taken, isPartial }: GivingUp): Promise<never> {
  const faults = [...search.answers, ...taken.refused].flatMap(({ fault }) => fault ?? []);
  const isSilent = search.answers.every(({ fault }) => fault !== undefined) || (taken.refused.length > 0 && taken.refused.every(({ fault }) => fault !== undefined));
  const why = isSilent ? (faults[0]?.message ?? 'no provider answered') : reasonOf(choice, taken);
  // While one provider could not be heard, that nothing was found says nothing yet.
  const outcome: SearchOutcome = faults.length > 0 || isPartial ? 'failed' : choice.offered === 0 ? 'nothing' : 'refused';
  await needs.inventory.searched(about.item, about.language, { at: needs.clock.now(), outcome, reason: why });
  await needs.changed(about.item);
  if (!isSilent) throw new Failure('unavailable', why, { reason: 'none-trusted' });
  const { nextRetry } = await needs.providers.usable(about);
  const seconds = nextRetry === undefined ? undefined : Math.max(1, Math.ceil((nextRetry - needs.clock.now()) / 1000));
  throw new Failure('unavailable', why, { reason: 'providers-failing', ...(seconds !== undefined && { retryAfterSeconds: seconds }) });
}

function reasonOf(choice: Choice, taken: Taken): string {
  if (choice.offered === 0) return 'no provider has a subtitle for this video in this language';
  const first = taken.refused.find(({ fault }) => !fault);
  return first?.reason ?? 'what the providers offer does not match this video well enough';
}

async function install(needs: FetchNeeds, { file, root, about }: Ready, found: Found): Promise<Fetched> {
  const { item, language } = about;
  const relative = await needs.installer.install({
    ...found, item, language, file, root,
    check: async () => {
      const now = await subjectNow(needs, item);
      const isSame = now.file.id === file.id && now.file.relative === file.relative && now.file.size === file.size && now.file.modifiedMs === file.modifiedMs;
      if (!isSame) throw new Failure('conflict', 'the item changed while its subtitle was fetched');
      await refuseCovered(needs, now.subject, now.file, about);
    },
  });
  await needs.inventory.searched(item, language, { at: needs.clock.now(), outcome: 'found', reason: null });
  // The file is in place and known to be ours; that the shelves do not show it yet must not turn this into a failure.
  await needs.catalog.sidecarsChanged(item).catch((error: unknown) => needs.log.fault('subtitles.not-announced', error, { item }));
  await needs.changed(item);
  const { source, score, match, evidence } = found;
  needs.log.info('subtitles.fetched', { item, language, source, score, match });
  return { language, source, score, match, evidence: [...evidence], file: relative };
}
