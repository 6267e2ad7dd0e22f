/**
 * Fetches one subtitle for one item. First it refuses everything that can be decided without a provider; then it tries
 * text inside the video; then it asks all providers at once and tries the best three candidates in turn. A subtitle
 * that cannot be trusted is not installed, and the evidence for an installed one is stored and shown.
 *
 * An upgrade takes the same steps with stricter conditions, and keeps the current subtitle unless all of them hold.
 */
import { evidenceOf } from '../../contract/subtitles/evidence-reasons.ts';
import type { CatalogBackground } from '../../catalog/index.ts';
import type { Actor, Evidence, WantedSubtitle } from '../../contract/subtitles/states.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import { findMatchingTrack, untaggedTracks } from './query.ts';
import {
  requireMissing,
  languageFor,
  currentItem,
  type FetchTarget,
  requireFetchable,
  refuseChanged,
  refuseCovered,
  refuseFrozen,
} from './preconditions.ts';
import { checkChosen, type ChooseRequest, type ChoosingNeeds, openCandidate } from './choose-candidate.ts';
import { type FoundSubtitle, searchProviders, hasSameName } from './search.ts';
import { replaceableSubtitle } from './replaceable.ts';
import type { Installer, ReplacedFile } from '../install/install.ts';
import { sidecarName } from '../install/sidecar-name.ts';
import { isSameSubtitle } from '../inventory/coverage.ts';
import { tracksIn } from '../inventory/item.ts';
import type { SearchTarget } from '../providers/provider-set.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { SubtitleRole } from '../store/tables.ts';

export interface FetchNeeds extends ChoosingNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  inventory: InventoryStore;
  installing: InstallingStore;
  installer: Installer;
}

export interface FetchedSubtitle {
  language: string;
  role: SubtitleRole;
  source: string;
  score: number;
  match: InstalledFile['match'];
  evidence: Evidence[];
  /** Path below its library. */
  file: string;
}

export interface OpenedCandidate extends Omit<FetchedSubtitle, 'file'> {
  draftId: string;
}

export interface FetchRequest {
  id: string;
  /** Default: the first wanted language. */
  language?: string | undefined;
  /** Default: a regular subtitle, for which one for the hard of hearing will do. */
  role?: SubtitleRole | undefined;
  /** Id of the listed candidate that a person chose. */
  candidate?: string | undefined;
  /** Fingerprint of the subtitle that the candidate may replace. */
  fingerprint?: string | undefined;
  /** The user who asked. Default: the server. */
  by?: Actor | undefined;
  /** Whether the server started this fetch by itself, so that downloads count against the day's budget. */
  isAutomatic?: boolean | undefined;
}

export interface Fetching {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchedSubtitle>;
  /** Makes a draft of a listed candidate, to be reviewed in the workbench. Installs nothing. */
  open(
    request: Pick<FetchRequest, 'id' | 'language' | 'role'> & { candidate: string },
    signal: AbortSignal,
  ): Promise<OpenedCandidate>;
  /**
   * Replaces the current subtitle of a language and role by a clearly better one. Throws `Failure('conflict')` if it is
   * not to be replaced, `Failure('unavailable')` if there is nothing better.
   */
  upgrade(current: SearchTarget, signal: AbortSignal): Promise<FetchedSubtitle>;
}

const EXTRACTION_TIMEOUT_MS = 10 * 60_000;
const BUSY = 'a subtitle in this language is being fetched for this item already';

export function createFetch(needs: FetchNeeds): Fetching {
  const busy = createKeyedLock();
  return {
    fetch: async ({ id, language: given, role = 'normal', candidate, fingerprint, isAutomatic, by }, signal) => {
      const language = await languageFor(needs, id, given);
      const about: SearchTarget = { item: id, language, role };
      return busy.tryLock(
        `${id} ${language}`,
        async () => {
          if (candidate !== undefined) return fetchChosen(needs, { about, candidate, fingerprint, by }, signal);
          const ready = await requireMissing(needs, about);
          const found =
            (await fromVideo(needs, ready, signal)) ??
            (await searchProviders(needs, { ready, isAutomatic: isAutomatic === true }, signal));
          // The rest takes a moment, and is finished even if the client disconnects.
          signal.throwIfAborted();
          return install(needs, ready, { found, by });
        },
        BUSY,
      );
    },
    open: async ({ id, language: given, role = 'normal', candidate }, signal) => {
      const about: SearchTarget = { item: id, language: await languageFor(needs, id, given), role };
      const opened = await busy.tryLock(
        `${id} ${about.language}`,
        () => openCandidate(needs, { about, candidate }, signal),
        BUSY,
      );
      return { language: about.language, ...opened };
    },
    upgrade: (current, signal) =>
      busy.tryLock(
        `${current.item} ${current.language}`,
        async () => {
          const { file } = await currentItem(needs, current.item);
          const about = neededInstead(current, needs.wanted.in(file.library));
          const ready = await requireFetchable(needs, about);
          const { replaceable, over } = await replaceableSubtitle(needs, ready);
          const found = await searchProviders(needs, { ready, isAutomatic: true, replaceable }, signal);
          signal.throwIfAborted();
          return install(needs, ready, { found, over, isInPlace: hasSameName(replaceable, found) });
        },
        BUSY,
      ),
  };
}

/**
 * Returns what may replace a subtitle. One for the hard of hearing that is not wanted as such was fetched because there
 * was no regular one, which may replace it.
 */
const neededInstead = (current: SearchTarget, wanted: readonly WantedSubtitle[]): SearchTarget =>
  current.role === 'sdh' && !wanted.some((one) => isSameSubtitle(one, current))
    ? { ...current, role: 'normal' }
    : current;

/** Installs the candidate that a person chose. */
async function fetchChosen(needs: FetchNeeds, request: ChooseRequest, signal: AbortSignal): Promise<FetchedSubtitle> {
  const { ready, found, over, check } = await checkChosen(needs, request, signal);
  signal.throwIfAborted();
  const relative = await needs.installer.install({
    ...found,
    item: ready.about.item,
    language: ready.about.language,
    file: ready.file,
    root: ready.root,
    by: request.by,
    act: 'fetched',
    freeze: true,
    notes: [{ reason: 'chosen', values: {} }, ...(found.notes ?? [])],
    ...(over && { over, rejects: true as const }),
    check,
  });
  return recordFetched(needs, ready.about, { found, relative, event: 'subtitles.chosen' });
}

async function fromVideo(
  { ffmpeg, reader, log }: FetchNeeds,
  { subject, file, root, about }: FetchTarget,
  signal: AbortSignal,
): Promise<FoundSubtitle | undefined> {
  const tracks = untaggedTracks(tracksIn(subject, file), about.role);
  if (tracks.length === 0) return undefined;
  try {
    const inner = await findMatchingTrack(
      { file, root, tracks, wanted: about, ffmpeg, reader },
      AbortSignal.any([signal, AbortSignal.timeout(EXTRACTION_TIMEOUT_MS)]),
    );
    if (!inner) return undefined;
    const evidence: Evidence[] = [
      evidenceOf('embedded', 100, { reason: 'video-text', values: {} }),
      evidenceOf('language', 0, { reason: 'track-language-found', values: {} }),
    ];
    return {
      role: inner.role,
      format: 'srt',
      bytes: Buffer.from(inner.srt),
      source: 'embedded',
      score: 100,
      match: 'embedded',
      evidence,
    };
  } catch (error) {
    signal.throwIfAborted();
    // An unreadable track is no reason not to ask providers.
    log.fault('subtitles.track-unread', error, { item: about.item });
    return undefined;
  }
}

/**
 * Installs a found subtitle. If its role or format differs from those of the replaced file, it gets its own name and
 * the old file is removed.
 */
async function install(
  needs: FetchNeeds,
  ready: FetchTarget,
  {
    found,
    over,
    isInPlace = false,
    by,
  }: { found: FoundSubtitle; over?: ReplacedFile; isInPlace?: boolean; by?: Actor | undefined },
): Promise<FetchedSubtitle> {
  const { file, root, about } = ready;
  const { item, language } = about;
  const name = sidecarName(file.relative, language, found.role, found.format);
  const replaced = over ?? ready.unreadable?.find((one) => one.relative === name);
  const relative = await needs.installer.install({
    ...found,
    item,
    language,
    file,
    root,
    by,
    act: over ? 'upgraded' : 'fetched',
    ...(replaced && { over: replaced, ...(isInPlace && { relative: replaced.relative }) }),
    check: async () => {
      const now = await refuseChanged(needs, ready);
      await (over ? refuseFrozen(needs, about) : refuseCovered(needs, { ...now, about }));
    },
  });
  return recordFetched(needs, about, { found, relative, event: over ? 'subtitles.upgraded' : 'subtitles.fetched' });
}

/** Records and announces an installed subtitle. */
async function recordFetched(
  needs: FetchNeeds,
  about: SearchTarget,
  { found, relative, event }: { found: FoundSubtitle; relative: string; event: string },
): Promise<FetchedSubtitle> {
  const { item, language } = about;
  // Recorded for upgrades too: an item with an unsuccessful search and no pause would never be due again after its file
  // is deleted.
  await needs.inventory.searched(item, about, { at: needs.clock.now(), outcome: 'found', why: null });
  await needs.providers.ended(about, 'found');
  // The file is installed and recorded, so a failed rescan of the catalogue is only logged.
  await needs.catalog
    .sidecarsChanged(item)
    .catch((error: unknown) => needs.log.fault('subtitles.not-announced', error, { item }));
  await needs.changed(item);
  const { source, role, score, match, evidence } = found;
  needs.log.info(event, { item, language, role, source, score, match });
  return { language, role, source, score, match, evidence: [...evidence], file: relative };
}
