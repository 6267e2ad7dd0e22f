/**
 * Fetches one subtitle for one item: what the house can know is refused before any provider is asked, text inside the
 * video comes first, then all providers at once, and the best three offers in turn. What cannot be trusted is not
 * installed, and the evidence for what is installed is kept and shown.
 *
 * Looking for better takes the same road with a higher bar, and ends at what stands there unless all of it is passed.
 */
import type { CatalogBackground } from '../../catalog/index.ts';
import type { Actor, Evidence } from '../../contract/subtitles/library.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { parseLanguage } from '../../lib/languages.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import { textInside, untagged } from './ask.ts';
import {
  judgeMissing,
  type JudgeNeeds,
  type Ready,
  reachable,
  refuseChanged,
  refuseCovered,
  refuseFrozen,
  subjectNow,
} from './judge.ts';
import { type Found, fromProviders, isSameKind, type SearchNeeds } from './search.ts';
import { standingOf } from './standing.ts';
import type { Installer, Over } from '../install/install.ts';
import { tracksIn } from '../inventory/item.ts';
import type { About } from '../providers/provider-set.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';
import type { InstalledFile } from '../store/rows.ts';

export interface FetchNeeds extends SearchNeeds, JudgeNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  inventory: InventoryStore;
  installing: InstallingStore;
  installer: Installer;
}

export interface Fetched {
  language: string;
  source: string;
  score: number;
  match: InstalledFile['match'];
  evidence: Evidence[];
  /** Below its library. */
  file: string;
}

export interface FetchRequest {
  id: string;
  /** Left out: the first configured language. */
  language?: string | undefined;
  /** Who asked; left out of what the server does by itself. */
  by?: Actor | undefined;
  /** Nobody asked for this very one: it counts against the day's budget. */
  isAutomatic?: boolean;
}

export interface Fetching {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Fetched>;
  /**
   * Replaces what stands there by what is clearly better, or fails: as `conflict` when it is not to be replaced, as
   * `unavailable` when there is nothing better.
   */
  upgrade(about: About, signal: AbortSignal): Promise<Fetched>;
}

const EXTRACTING_MS = 10 * 60_000;
const BUSY = 'a subtitle in this language is being fetched for this item already';

export function createFetch(needs: FetchNeeds): Fetching {
  const busy = createKeyedLock();
  return {
    fetch: async ({ id, language: given, isAutomatic = false, by }, signal) => {
      const tag = given === undefined ? undefined : parseLanguage(given);
      if (given !== undefined && tag === undefined)
        throw new Failure('invalid', 'language: expected a language code', { reason: 'field-invalid' });
      await subjectNow(needs, id);
      const language = tag ?? needs.languages()[0];
      if (language === undefined)
        throw new Failure('conflict', 'no subtitle language is configured, and none was given', {
          reason: 'no-language-configured',
        });
      const about: About = { item: id, language };
      return busy.tryLock(
        `${id} ${language}`,
        async () => {
          const ready = await judgeMissing(needs, about);
          const found =
            (await fromVideo(needs, ready, signal)) ?? (await fromProviders(needs, { ready, isAutomatic }, signal));
          // From here on it is a matter of a moment, and a client that left does not stop it half way.
          signal.throwIfAborted();
          return install(needs, ready, { found, by });
        },
        BUSY,
      );
    },
    upgrade: (about, signal) =>
      busy.tryLock(
        `${about.item} ${about.language}`,
        async () => {
          const ready = await reachable(needs, about);
          const { standing, over } = await standingOf(needs, ready);
          const found = await fromProviders(needs, { ready, isAutomatic: true, standing }, signal);
          signal.throwIfAborted();
          return install(needs, ready, { found, over, isInPlace: isSameKind(standing, found) });
        },
        BUSY,
      ),
  };
}

async function fromVideo(
  { ffmpeg, reader, log }: FetchNeeds,
  { subject, file, root, about }: Ready,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const tracks = untagged(tracksIn(subject, file));
  if (tracks.length === 0) return undefined;
  try {
    const inner = await textInside(
      { file, root, tracks, language: about.language, ffmpeg, reader },
      AbortSignal.any([signal, AbortSignal.timeout(EXTRACTING_MS)]),
    );
    if (!inner) return undefined;
    const evidence: Evidence[] = [
      { kind: 'embedded', detail: 'a text track of this video', points: 100 },
      { kind: 'language', detail: 'the track names no language, and its text is in the one asked for', points: 0 },
    ];
    return {
      role: inner.track.role,
      format: 'srt',
      bytes: Buffer.from(inner.srt),
      source: 'embedded',
      score: 100,
      match: 'embedded',
      evidence,
    };
  } catch (error) {
    signal.throwIfAborted();
    // A track that cannot be read is no reason not to ask elsewhere.
    log.fault('subtitles.track-unread', error, { item: about.item });
    return undefined;
  }
}

/** Of another sort or format than what it replaces, it gets the name of what it is, and the old one goes. */
async function install(
  needs: FetchNeeds,
  ready: Ready,
  { found, over, isInPlace = false, by }: { found: Found; over?: Over; isInPlace?: boolean; by?: Actor | undefined },
): Promise<Fetched> {
  const { file, root, about } = ready;
  const { item, language } = about;
  const relative = await needs.installer.install({
    ...found,
    item,
    language,
    file,
    root,
    by,
    act: over ? 'upgraded' : 'fetched',
    ...(over && { over, ...(isInPlace && { relative: over.relative }) }),
    check: async () => {
      const now = await refuseChanged(needs, ready);
      await (over ? refuseFrozen(needs, about) : refuseCovered(needs, { ...now, about }));
    },
  });
  // Of a look for better, too: searched for in vain once and without a wait, it would never be due again when the file
  // goes.
  await needs.inventory.searched(item, language, { at: needs.clock.now(), outcome: 'found', reason: null });
  await needs.providers.ended(about, 'found');
  // The file is in place and known to be ours; that the shelves do not show it yet must not turn this into a failure.
  await needs.catalog
    .sidecarsChanged(item)
    .catch((error: unknown) => needs.log.fault('subtitles.not-announced', error, { item }));
  await needs.changed(item);
  const { source, score, match, evidence } = found;
  needs.log.info(over ? 'subtitles.upgraded' : 'subtitles.fetched', { item, language, source, score, match });
  return { language, source, score, match, evidence: [...evidence], file: relative };
}
