/**
 * The part of a fetch that asks outside: all providers at once, the best three offers in turn, each checked before it
 * is taken. What the calls taught about the providers and what was found wrong is written down, whichever way it ends.
 */
import { subtitleFormat } from '../../cues/index.ts';
import type { Evidence } from '../../contract/subtitles/library.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { choose, type Choice, isExact } from '../choosing/choose.ts';
import type { Scored } from '../choosing/evidence.ts';
import { findCandidates, type Search } from '../choosing/find.ts';
import { takeFirst, type Taken } from '../choosing/take.ts';
import type { Installation } from '../install/install.ts';
import type { About, ProviderSet } from '../providers/provider-set.ts';
import { contentOf } from '../history/preserved.ts';
import type { Candidate, Provider } from '../providers/provider.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';
import { askFor } from './ask.ts';
import type { Ready } from './judge.ts';
import { createEar, type ListenNeeds } from './listen.ts';

export interface SearchNeeds extends ListenNeeds {
  clock: Clock;
  inventory: Pick<InventoryStore, 'searched'>;
  installing: InstallingStore;
  providers: ProviderSet;
  /** Told once a search has ended. */
  changed(id: string): Promise<void>;
}

export type Found = Pick<
  Installation,
  'role' | 'format' | 'bytes' | 'source' | 'match' | 'evidence' | 'candidate' | 'delivered' | 'detail'
> & { score: number };

/** What stands there now and would be replaced. */
export interface Standing {
  /** Only an exact match may take its place: it is somebody's own. */
  isOwn: boolean;
  role: Installation['role'];
  format: string;
  /** What the new one must have at least. */
  least: number;
  isVerified: boolean;
  /** What the provider called it, and any that was there before. */
  candidates: readonly { provider: string; id: string }[];
  /** SHA-256 of everything that ever stood there, as delivered and as written. */
  contents: ReadonlySet<string>;
}

export interface Searching {
  ready: Ready;
  isAutomatic: boolean;
  standing?: Standing;
}

/**
 * Of a search without a result, from its Failure: whether there was no offer at all, and not only none to be trusted.
 */
export const isEmptyHanded = (error: unknown): boolean => error instanceof Failure && error.cause === NO_OFFER;
const NO_OFFER = 'no offer';

/** Fails as `unavailable`, with the reason of CONTRACT: none configured, none trusted, or providers failing. */
export async function fromProviders(
  needs: SearchNeeds,
  { ready, isAutomatic, standing }: Searching,
  signal: AbortSignal,
): Promise<Found> {
  const { about } = ready;
  if (needs.providers.configured().length === 0)
    throw new Failure('unavailable', 'no subtitle provider is configured', { reason: 'none-configured' });
  const { providers, nextRetry } = await needs.providers.usable(about, isAutomatic);
  if (providers.length === 0)
    throw failing('the subtitle providers are not to be asked again yet', waitOf(needs, nextRetry));
  const ask = await askFor({ ...ready, language: about.language });
  const search = await findCandidates(providers, ask, signal);
  const refusals = await needs.installing.refusals(about.item, about.language);
  const isRejected = ({ provider, id }: Candidate) =>
    [...refusals.map((one) => ({ provider: one.provider, id: one.candidate })), ...(standing?.candidates ?? [])].some(
      (one) => one.provider === provider && one.id === id,
    );
  const choice = narrowed(choose(search.candidates, ask, isRejected), standing);
  const contents = new Set(refusals.flatMap(({ content }) => content ?? []));
  const taken = await takeFirst(
    choice.best,
    {
      providers,
      ask,
      ear: createEar(needs, ready, isAutomatic),
      reader: needs.reader,
      mayDownload: ({ candidate }) => needs.providers.mayDownload(candidate.provider, isAutomatic),
      isRefusedContent: async (content) => contents.has(content),
      ...(standing && { unwanted: (accepted, content) => notBetter(standing, foundOf(accepted, providers), content) }),
    },
    signal,
  );
  for (const { scored, reason, content } of taken.refused) {
    const { provider, id: candidate } = scored.candidate;
    if (content !== undefined)
      await needs.installing.refuse({ ...about, provider, candidate, content, reason, at: needs.clock.now() });
  }
  await learn(needs, { about, search, taken });
  const isPartial = providers.length < needs.providers.configured().length;
  if (!taken.accepted)
    return giveUp(needs, { about, search, choice, taken, isPartial, isLooking: standing !== undefined });
  return foundOf(taken.accepted, providers);
}

const waitOf = ({ clock }: SearchNeeds, until: number | undefined): number | undefined =>
  until === undefined ? undefined : Math.max(1, Math.ceil((until - clock.now()) / 1000));
const failing = (sentence: string, seconds: number | undefined): Failure =>
  new Failure('unavailable', sentence, {
    reason: 'providers-failing',
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  });

/** Whether nothing that this offer can turn out to be would be taken, so that it is not even downloaded. */
function narrowed(choice: Choice, standing: Standing | undefined): Choice {
  if (!standing) return choice;
  const isWorthIt = (one: Scored): boolean => (standing.isOwn ? isExact(one) : one.score >= standing.least);
  return { ...choice, best: choice.best.filter(isWorthIt) };
}

/** Why this must not take the place of what stands there. */
function notBetter(standing: Standing, found: Found, content: string): string | undefined {
  if (standing.contents.has(content) || standing.contents.has(contentOf(found.bytes))) return 'this was here before';
  // Somebody's own file keeps its name; one of ours gets the name of what it is, when that is what people prefer.
  if (standing.isOwn && !isSameKind(standing, found)) return 'it is of another kind than what is there';
  if (found.role === 'sdh' && standing.role !== 'sdh') return 'it is for the hard of hearing, and what is there is not';
  if (found.score < standing.least) return 'it is not clearly better than what is there';
  if (standing.isVerified && found.match !== 'verified') return 'its timing is less certain than that of what is there';
  return undefined;
}

/** Whether it stands under the same name as what it replaces. */
export const isSameKind = (
  standing: Pick<Standing, 'role' | 'format'>,
  found: Pick<Found, 'role' | 'format'>,
): boolean => found.role === standing.role && found.format === standing.format;

function foundOf(
  { scored, downloaded, checked }: NonNullable<Taken['accepted']>,
  providers: readonly Provider[],
): Found {
  const isAsDelivered = providers.find(({ name }) => name === scored.candidate.provider)?.asDelivered === true;
  const moved = checked.evidence.find(({ kind, detail }) => kind === 'timing' && detail.includes('moved by'));
  return {
    role: checked.hearingImpaired ? 'sdh' : 'normal',
    format: isAsDelivered ? subtitleFormat(checked.format).extensions[0] : 'srt',
    bytes: isAsDelivered ? downloaded.bytes : Buffer.from(checked.srt),
    source: scored.candidate.provider,
    candidate: scored.candidate.id,
    delivered: downloaded.bytes,
    score: Math.round(checked.score),
    match: checked.isVerified ? 'verified' : 'unverified',
    evidence: checked.evidence.map(({ kind, detail, points }): Evidence => ({ kind, detail, points })),
    ...(moved && { detail: moved.detail }),
  };
}

/**
 * What the calls said about the providers. One that answered and then could not deliver has failed, and waits longer
 * each time.
 */
async function learn(
  { providers }: SearchNeeds,
  { about, search, taken }: { about: About; search: Search; taken: Taken },
): Promise<void> {
  const faults = new Map(
    taken.refused.flatMap(({ scored, fault }) => (fault ? [[scored.candidate.provider, fault] as const] : [])),
  );
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
  /** Something stands there, and this was only a look for better. */
  isLooking: boolean;
}

async function giveUp(
  needs: SearchNeeds,
  { about, search, choice, taken, isPartial, isLooking }: GivingUp,
): Promise<never> {
  const faults = [...search.answers, ...taken.refused].flatMap(({ fault }) => fault ?? []);
  // While one provider could not be heard, that nothing was found says nothing yet.
  const isUnheard = faults.length > 0 || isPartial;
  const isSilent =
    search.answers.every(({ fault }) => fault !== undefined) ||
    (taken.refused.length > 0 && taken.refused.every(({ fault }) => fault !== undefined));
  const why = isSilent
    ? (faults[0]?.message ?? 'no provider answered')
    : reasonOf(choice, { taken, isLooking, isUnheard });
  const outcome = isUnheard ? 'failed' : choice.offered === 0 ? 'nothing' : 'refused';
  if (!isLooking) {
    // Nobody answered: they are due again when one of them is. Some did: these are not asked again at once for the
    // others' sake.
    // When it is due is said before that it was in vain, so that a crash between leaves nothing that is never due.
    if (!isSilent) await needs.providers.ended(about, outcome === 'failed' ? 'blocked' : outcome);
    await needs.inventory.searched(about.item, about.language, { at: needs.clock.now(), outcome, reason: why });
    await needs.changed(about.item);
  }
  if (!isSilent)
    throw new Failure(
      'unavailable',
      why,
      { reason: 'none-trusted' },
      { ...(choice.offered === 0 && { cause: NO_OFFER }) },
    );
  const { nextRetry } = await needs.providers.usable(about);
  throw failing(why, waitOf(needs, nextRetry));
}

function reasonOf(
  choice: Choice,
  { taken, isLooking, isUnheard }: { taken: Taken; isLooking: boolean; isUnheard: boolean },
): string {
  if (choice.offered === 0)
    return `no provider ${isUnheard ? 'that could be asked ' : ''}has a subtitle for this video in this language`;
  const first = taken.refused.find(({ fault }) => !fault);
  return (
    first?.reason ??
    (isLooking
      ? 'the providers offer nothing clearly better'
      : 'what the providers offer does not match this video well enough')
  );
}
