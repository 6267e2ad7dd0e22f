/**
 * Finds the current subtitle of an item in a language, and reads its bytes.
 *
 * If there are several, text comes before pictures and unreadable files, files before tracks inside the video, the
 * exact language before its variants, and a stated language before none. Hidden files are ignored.
 */
import { evidenceOf } from '../../contract/subtitles/evidence-reasons.ts';
import type { CatalogBackground, PlayableFile, Subject } from '../../catalog/index.ts';
import type { Evidence } from '../../contract/subtitles/states.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot, readBounded, type Root } from '../../lib/files.ts';
import { covers } from '../../lib/languages.ts';
import { countsAsText, languageOfTrack, UNDETERMINED } from '../inventory/coverage.ts';
import { type InventoryTrack, trackKeyOf } from '../store/rows.ts';
import { checkedTracks, mainFile } from '../inventory/item.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { SubtitleRole } from '../store/tables.ts';
import { writtenFileOf } from '../history/lineage.ts';
import { contentHash, MAX_PRESERVED_BYTES } from '../history/preserved.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';

export interface CurrentSubtitleNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  installing: Pick<InstallingStore, 'filesOf'>;
  inventory: Pick<InventoryStore, 'tracks'>;
  /** The configured languages, in order of preference. */
  languages(): readonly string[];
}

export interface CurrentSubtitle {
  subject: Subject;
  file: PlayableFile;
  root: Root;
  /** The requested language. */
  language: string;
  /** Language tag of the current subtitle, or the requested language if there is none. */
  tag: string;
  role: SubtitleRole;
  /** The requested role, if any. */
  asked?: SubtitleRole;
  /** Key of the requested text, if the request names one. */
  only?: string;
  /** The text track or file; missing if there is none. */
  track?: InventoryTrack;
  /** The picture track, if there is no text. */
  pictures?: InventoryTrack;
  /** The file next to the video, if the subtitle is a file. */
  installed?: { relative: string; bytes: Buffer; content: string };
  /** The row of these bytes, if this server wrote or restored them. */
  row?: InstalledFile;
  /** All files that were written or restored for this item, the newest first. */
  rows: readonly InstalledFile[];
  fingerprint: string;
  source: string;
  evidence: Evidence[];
}

/** The part of a current subtitle that calculating a change needs: plain data without the bytes. */
export interface CurrentSubtitleData extends Pick<
  CurrentSubtitle,
  'file' | 'language' | 'tag' | 'role' | 'track' | 'pictures'
> {
  installed?: Pick<NonNullable<CurrentSubtitle['installed']>, 'relative' | 'content'>;
  /** Whether a file that this server wrote was deleted or changed by hand and can be restored. */
  isGone?: boolean;
}

/** Returns the part of a current subtitle that is sent to another process. */
export function dataOf(current: CurrentSubtitle): CurrentSubtitleData {
  const { file, language, tag, role, track, pictures, installed } = current;
  const back = restorableRow(current);
  const isGone = back !== undefined && back.isGone && writtenFileOf(back.row) !== undefined;
  return {
    file,
    language,
    tag,
    role,
    isGone,
    ...(track && { track }),
    ...(pictures && { pictures }),
    ...(installed && { installed: { relative: installed.relative, content: installed.content } }),
  };
}

/** Selects a subtitle of an item. */
export interface SubtitleSelector {
  language: string;
  /** Default: the regular subtitle before the one for the hard of hearing, and a forced one last. */
  role?: SubtitleRole | undefined;
  /** Key of the text that is meant, as `trackKeyOf` returns it. Default: the one that counts. */
  only?: string | undefined;
}

export async function readCurrentSubtitle(
  needs: CurrentSubtitleNeeds,
  id: string,
  { language, role: asked, only }: SubtitleSelector,
): Promise<CurrentSubtitle> {
  const { subject, file } = await subjectOf(needs, id);
  const root = await needs.catalog.root(file.root);
  const tracks = await checkedTracks(needs, subject, file);
  const chosen = pickTrack(tracks, { language, role: asked, only }, needs.languages()[0]);
  const rows = await needs.installing.filesOf([id]);
  const withoutSubtitle = {
    subject,
    file,
    root,
    language,
    tag: language,
    role: asked ?? ('normal' as const),
    ...(asked && { asked }),
    ...(only !== undefined && { only }),
    rows,
    fingerprint: 'missing',
    source: 'none',
    evidence: [],
  };
  if (!chosen) return withoutSubtitle;
  const { role } = chosen;
  const tag = (chosen.language === UNDETERMINED ? undefined : chosen.language) ?? language;
  if (chosen.picture) return { ...withoutSubtitle, pictures: chosen };
  if (chosen.source === 'embedded') {
    return {
      ...withoutSubtitle,
      tag,
      role,
      track: chosen,
      source: 'embedded',
      evidence: [evidenceOf('embedded', 100, { reason: 'video-text', values: {} })],
    };
  }
  const relative = chosen.relative ?? '';
  const bytes = await readBounded(inRoot(root, relative), MAX_PRESERVED_BYTES);
  const content = contentHash(bytes);
  const row =
    rows.find((one) => one.content === content && one.relative === relative) ??
    rows.find((one) => one.content === content);
  const ours = row?.origin === 'own' ? undefined : row;
  return {
    ...withoutSubtitle,
    tag,
    role,
    track: chosen,
    installed: { relative, bytes, content },
    fingerprint: content,
    ...(row && { row }),
    source: ours?.source ?? 'sidecar',
    evidence: [...(ours?.evidence ?? [])],
  };
}

/**
 * Returns the row that can restore a file: the row of the current bytes, else of a file with that name and role that
 * was changed by hand, else (if no file is installed) of a file that was deleted by hand.
 */
export function restorableRow({
  row,
  rows,
  installed,
  role,
  asked,
  tag,
  language,
  subject,
}: CurrentSubtitle): { row: InstalledFile; isGone: boolean } | undefined {
  if (row) return { row, isGone: false };
  const there = new Set(subject.sidecars.map(({ relative }) => relative));
  const isMeant = (one: InstalledFile): boolean =>
    (installed || asked ? one.role === role : true) && (installed !== undefined || !there.has(one.relative));
  const found = rows
    .filter((one) => (one.language === tag || one.language === language) && isMeant(one))
    .toSorted((a, b) => ROLES_BY_PREFERENCE.indexOf(a.role) - ROLES_BY_PREFERENCE.indexOf(b.role))[0];
  return found && { row: found, isGone: found.relative === installed?.relative || !there.has(found.relative) };
}

async function subjectOf(
  { catalog }: CurrentSubtitleNeeds,
  id: string,
): Promise<{ subject: Subject; file: PlayableFile }> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  const library = file && catalog.libraries().find((one) => one.id === file.library);
  if (!subject || subject.gone || !file || !library)
    throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  if (!subject.available || !library.isOnline)
    throw new Failure('unavailable', 'the library of this item cannot be reached now', { reason: 'library-offline' });
  return { subject, file };
}

/**
 * Reads the current subtitle. If its file is missing, rescans the item's sidecars and tries once more. Throws
 * `Failure('missing')` without such an item, `Failure('unavailable')` if its library is offline, `Failure('conflict')`
 * if its file cannot be read.
 */
export async function loadCurrentSubtitle(
  needs: CurrentSubtitleNeeds,
  id: string,
  which: SubtitleSelector,
): Promise<CurrentSubtitle> {
  try {
    return await readCurrentSubtitle(needs, id, which);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'missing' || error.reason === 'no-such-item') throw error;
    await needs.catalog.sidecarsChanged(id);
    return readCurrentSubtitle(needs, id, which).catch((again: unknown) => {
      throw again instanceof Failure && again.kind === 'missing'
        ? new Failure('conflict', 'the subtitle was deleted in the meantime', { reason: 'subtitle-changed' })
        : again;
    });
  }
}

/** Roles in order of preference, when the request names none. */
export const ROLES_BY_PREFERENCE: readonly SubtitleRole[] = ['normal', 'sdh', 'forced'];

/** Returns the track or file that counts. `first` is the first configured language, that of files without one. */
export function pickTrack(
  tracks: readonly InventoryTrack[],
  { language, role, only }: SubtitleSelector,
  first: string | undefined,
): InventoryTrack | undefined {
  // A file whose name says that its language is not known counts for the first wanted language, too.
  const isDefault = (track: InventoryTrack): boolean =>
    track.source === 'sidecar' && track.language === UNDETERMINED && language === first;
  const isIn = (track: InventoryTrack): boolean => covers(languageOfTrack(track, first), language) || isDefault(track);
  const weight = (track: InventoryTrack): number =>
    (track.unreadable ? 0 : 128) +
    (track.picture ? 0 : 64) +
    (countsAsText(track) ? 32 : 0) +
    (track.commentary ? 0 : 16) +
    (track.source === 'sidecar' ? 8 : 0) +
    (track.language === language ? 4 : 0) +
    (track.language === undefined || isDefault(track) ? 0 : 2) +
    (track.role === 'normal' ? 1 : 0);
  return tracks
    .filter((track) => !track.hidden && (role === undefined || track.role === role) && isIn(track))
    .filter((track) => only === undefined || trackKeyOf(track) === only)
    .toSorted((a, b) => weight(b) - weight(a) || ((a.relative ?? '') < (b.relative ?? '') ? -1 : 1))[0];
}
