/** Builds the state of every language of a file: what is installed, what is missing, and why. */
import { evidenceOf } from '../../contract/subtitles/evidence-reasons.ts';
import type { Evidence, LanguageState, WantedSubtitle } from '../../contract/subtitles/states.ts';
import { missingText, type MissingReason } from '../../contract/subtitles/missing-reasons.ts';
import { iso } from '../../lib/clock.ts';
import { covers } from '../../lib/languages.ts';
import { timingView } from '../audit/verdict.ts';
import { restorableFilesOf, videoTextUnder } from '../history/lineage.ts';
import type { Judgement } from '../store/audits.ts';
import { judgementOf } from '../store/judgements.ts';
import type { SearchRow } from '../store/inventory.ts';
import type { PauseRow } from '../store/providers.ts';
import type { InstalledFile, InventoryRow, InventoryTrack } from '../store/rows.ts';
import type { SubtitleTables } from '../store/tables.ts';
import { countsAsText, isSameSubtitle, isShownText, languageOfTrack, UNDETERMINED, servesAs } from './coverage.ts';

/** Facts from the stores about a file, in addition to its row. */
export interface KnownFacts {
  files: readonly InstalledFile[];
  searches: readonly SearchRow[];
  pauses: readonly PauseRow[];
  frozen: readonly SubtitleTables['subtitle_frozen'][];
  judgements: readonly Judgement[];
  tracks: readonly InventoryTrack[];
  /** Paths of the files next to the video, including hidden ones. */
  there: ReadonlySet<string>;
  asked: readonly WantedSubtitle[];
  first: string | undefined;
}

/** The subtitle whose state is asked for, even where there is none. */
export type AskedState = Pick<LanguageState, 'language' | 'role'>;

/** Returns a state for each installed language and role, and for each missing one. */
export function statesOf(
  row: InventoryRow,
  {
    tracks,
    missing,
    which,
  }: { tracks: readonly InventoryTrack[]; missing: readonly WantedSubtitle[]; which: AskedState | undefined },
  known: KnownFacts,
): LanguageState[] {
  const languageOf = (track: InventoryTrack): string => languageOfTrack(track, known.first);
  const groups = Map.groupBy(tracks, (track) => `${languageOf(track)} ${track.role}`);
  const present = [...groups.values()].map((group) => {
    const best = [...group].sort((a, b) => rank(b) - rank(a))[0] as InventoryTrack;
    const judgement = judgementOf(row, best, known.judgements);
    return { ...stateOf(languageOf(best), best, known), ...(judgement && { timing: timingView(judgement) }) };
  });
  const absent = missing
    .filter((one) => !present.some((state) => isSameSubtitle(state, one)))
    .map((one) => emptyState(one, known, row));
  const isShown = which && [...absent, ...present].some((state) => isSameSubtitle(state, which));
  if (which && !isShown) absent.push(emptyState(which, known, row));
  // Place in the order of preference. Everything else comes last.
  const placeOf = ({ language, role }: WantedSubtitle): number => {
    const exact = known.asked.findIndex((one) => isSameSubtitle(one, { language, role }));
    const place = exact >= 0 ? exact : known.asked.findIndex((one) => covers(language, one.language));
    return place >= 0 ? place : known.asked.length;
  };
  return [...absent, ...present].sort(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      (a.language < b.language ? -1 : a.language > b.language ? 1 : 0) ||
      (a.role < b.role ? -1 : 1),
  );
}

/** Ranks the subtitles of a language: the one that counts first, then files before tracks. */
const rank = (track: InventoryTrack): number =>
  (isShownText(track) ? 4 : 0) + (track.hidden ? 0 : 2) + (track.source === 'sidecar' ? 1 : 0);

/** Returns the row of a file that was written or restored here. A file that was edited elsewhere has none. */
export const installedRowOf = (track: InventoryTrack, files: readonly InstalledFile[]): InstalledFile | undefined =>
  // Matched by size and time instead of the name, which changes with the video's name. A file without a language in its
  // name may have one in its row.
  track.source === 'embedded'
    ? undefined
    : files.find(
        ({ language, role, size, modified }) =>
          (track.language === undefined || language === track.language) &&
          role === track.role &&
          size === track.size &&
          modified === track.modified,
      );

/**
 * Returns what an Owner can restore. `row` is of the current file, `back` is the row that can restore a file. The text
 * inside the video is the original of what was written over it, however often that was changed.
 */
export function restoreFlags(
  row: InstalledFile | undefined,
  back: { row: InstalledFile; isGone: boolean } | undefined,
  tracks: readonly InventoryTrack[],
): Pick<LanguageState, 'originalAvailable' | 'restorable' | 'restoresTo'> {
  const { original, before } = back ? restorableFilesOf(back.row, back.isGone) : {};
  const isOverVideoText = row !== undefined && videoTextUnder(row, tracks) !== undefined;
  const isRestorable = isOverVideoText || (original ?? before) !== undefined;
  return {
    originalAvailable: isOverVideoText || original !== undefined || (row?.delivered ?? null) !== null,
    restorable: isRestorable,
    ...(isRestorable && { restoresTo: isOverVideoText ? 'video' : 'file' }),
  };
}

function stateOf(language: string, track: InventoryTrack, known: KnownFacts): LanguageState {
  const row = installedRowOf(track, known.files);
  const ours = row?.origin === 'own' ? undefined : row;
  const why = ours?.evidence ?? [];
  return {
    ...emptyState({ language, role: track.role }, known),
    installed: {
      source: ours?.source ?? track.source,
      ...(ours && { ...(ours.score !== null && { score: ours.score }), installedAt: iso(ours.at) }),
      match: ours?.match ?? (track.source === 'embedded' ? 'embedded' : 'found'),
      managed: ours !== undefined,
      format: track.format,
      hidden: track.hidden === true,
      ...(track.unreadable && { unreadable: track.unreadable }),
    },
    evidence: [...why, ...notes(track, known)],
    // A hidden file was hidden on purpose, and returns when its suffix is removed. A file that was removed from above
    // the text inside the video can be restored like a deleted one.
    ...(!track.hidden && restoreFlags(row, restorableRowOf(track, { row, language, known }), known.tracks)),
    ...(!isCounted(track, language, known) && missingFacts({ reason: reasonNotCounted(track), values: {} })),
  };
}

/** Whether a track counts: text of the whole video, or the lines of foreign speech where these are wanted. */
const isCounted = (track: InventoryTrack, language: string, { asked }: KnownFacts): boolean =>
  countsAsText(track) ||
  (isShownText(track) && asked.some((one) => one.role === track.role && covers(language, one.language)));

/** Returns the row that can restore a file: its own, or that of the file before it was changed by hand. */
function restorableRowOf(
  track: InventoryTrack,
  { row, language, known: { files, there } }: { row: InstalledFile | undefined; language: string; known: KnownFacts },
): { row: InstalledFile; isGone: boolean } | undefined {
  if (row) return { row, isGone: false };
  const found = files.find(
    (one) =>
      one.language === language && one.role === track.role && (track.source === 'sidecar' || !there.has(one.relative)),
  );
  return found && { row: found, isGone: found.relative === track.relative || !there.has(found.relative) };
}

function notes(track: InventoryTrack, { first }: KnownFacts): Evidence[] {
  if ((track.language ?? UNDETERMINED) === UNDETERMINED && track.source === 'sidecar')
    return [evidenceOf('default', 0, { reason: first === undefined ? 'no-language' : 'first-language', values: {} })];
  if (track.role === 'normal' && track.impaired)
    return [evidenceOf('hearing-impaired', 0, { reason: 'for-impaired', values: {} })];
  return track.picture ? [evidenceOf('picture', 0, { reason: 'pictures', values: {} })] : [];
}

/** Returns both forms of a reason why nothing is installed, for a reply. */
export const missingFacts = (why: MissingReason): Required<Pick<LanguageState, 'reason' | 'why'>> => ({
  reason: missingText(why),
  why,
});

function reasonNotCounted(
  track: InventoryTrack,
): NonNullable<InventoryTrack['unreadable']> | 'hidden' | 'pictures' | 'commentary' | 'foreign-lines' {
  if (track.hidden) return 'hidden';
  if (track.unreadable) return track.unreadable;
  if (track.picture) return 'pictures';
  return track.commentary ? 'commentary' : 'foreign-lines';
}

function emptyState(
  { language, role }: WantedSubtitle,
  { files, searches, pauses, frozen, tracks, there, asked }: KnownFacts,
  row?: InventoryRow,
): LanguageState {
  // A search for a regular subtitle may have found one for the hard of hearing.
  const search =
    searches.find((one) => one.language === language && one.role === role) ??
    (role === 'sdh' ? searches.find((one) => one.language === language && one.role === 'normal') : undefined);
  // Pauses that ended before the last search are outdated.
  const until = pauses
    .filter((one) => one.language === language && one.role === role && one.until > (search?.at ?? 0))
    .map((one) => one.until);
  const isFrozen = frozen.some((one) => one.language === language);
  const isAskedFor = (one: WantedSubtitle): boolean => asked.some((other) => isSameSubtitle(one, other));
  // A file that was deleted by hand or removed. One for the hard of hearing is the regular one's too, unless both are
  // wanted.
  const gone = files.find(
    (one) =>
      one.language === language &&
      (one.role === role || (servesAs(one.role, role) && !isAskedFor(one))) &&
      !there.has(one.relative),
  );
  const obstacle = row?.state === 'broken' ? 'file-unreadable' : row?.state === 'unknown' ? 'not-scanned' : undefined;
  const { reason, why } = search ?? {};
  return {
    language,
    role,
    evidence: [],
    ...restoreFlags(undefined, gone && { row: gone, isGone: true }, tracks),
    replaceable: !isFrozen,
    ...(search && { lastSearch: iso(search.at) }),
    ...(until.length > 0 && { nextRetry: iso(Math.min(...until)) }),
    ...(reason ? { reason, ...(why && { why }) } : obstacle && missingFacts({ reason: obstacle, values: {} })),
  };
}
