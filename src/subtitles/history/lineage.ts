/** Records what a subtitle replaced, and finds it again. Pure. */
import { covers } from '../../lib/languages.ts';
import type { InstalledFile, InventoryTrack, PreservedFile, RestorableFiles, RelativeLocation } from '../store/rows.ts';

const UNKNOWN_LANGUAGE = 'und';

const folderOf = (relative: string): string => relative.slice(0, relative.lastIndexOf('/') + 1);

const stemOf = (video: string): string => {
  const dot = video.lastIndexOf('.');
  return dot > video.lastIndexOf('/') + 1 ? video.slice(0, dot) : video;
};

/** Returns the location of a file relative to its video. */
export function locationOf(relative: string, video: string): RelativeLocation {
  const stem = stemOf(video);
  if (relative.startsWith(stem)) return { from: 'stem', rest: relative.slice(stem.length) };
  const folder = folderOf(video);
  return relative.startsWith(folder)
    ? { from: 'folder', rest: relative.slice(folder.length) }
    : { from: 'library', rest: relative };
}

/** Returns the path below the library that a location means for this video. */
export const pathAt = ({ from, rest }: RelativeLocation, video: string): string =>
  (from === 'stem' ? stemOf(video) : from === 'folder' ? folderOf(video) : '') + rest;

interface ReplacedSubtitle {
  relative: string;
  content: string;
  language: string;
  role: InstalledFile['role'];
}

/** Returns how a file is preserved when another one replaces it. `known` is its row, if there is one. */
export function preservedFileOf(
  { relative, content, language, role }: ReplacedSubtitle,
  video: string,
  known: InstalledFile | undefined,
): PreservedFile {
  const { original } = known?.preserved ?? {};
  const { original: _before, ...first } = original ?? {};
  return {
    content,
    language,
    role,
    location: locationOf(relative, video),
    format: relative.slice(relative.lastIndexOf('.') + 1),
    ...(known && known.origin !== 'own' && { known: knownOf(known) }),
    ...(original && { original: first as PreservedFile }),
  };
}

const knownOf = ({
  source,
  score,
  match,
  evidence,
  origin,
  delivered,
  candidate,
}: InstalledFile): NonNullable<PreservedFile['known']> => ({
  source,
  score,
  match,
  evidence,
  origin,
  delivered,
  candidate,
});

/** Returns the files that can be restored after a new file was installed: the replaced one and the first of all. */
export const restorableAfterReplacing = (kept: PreservedFile | undefined): RestorableFiles =>
  kept ? { original: kept.original ?? bare(kept), before: kept } : {};

const bare = ({ original: _original, ...kept }: PreservedFile): PreservedFile => kept;

/**
 * Returns the files that can be restored after `target` was restored in place of `current`. The user can restore either
 * again.
 */
export function restorableAfterRestoring(target: PreservedFile, current: PreservedFile | undefined): RestorableFiles {
  const { original } = target;
  return { ...(original && original.content !== target.content && { original }), ...(current && { before: current }) };
}

/** Returns a written file as it is restored after it was deleted; undefined if its bytes are not preserved. */
export function writtenFileOf(row: InstalledFile): PreservedFile | undefined {
  const { self, original } = row.preserved;
  const { content, language, role, format, origin } = row;
  return (
    self && {
      content,
      language,
      role,
      format,
      location: self,
      ...(origin !== 'own' && { known: knownOf(row) }),
      ...(original && { original: bare(original) }),
    }
  );
}

/**
 * Returns the files that can be restored after `content` was written where the file of this row had been deleted.
 * Identical bytes replace nothing.
 */
export function restorableAfterDeletion(row: InstalledFile, content: string): RestorableFiles {
  const gone = writtenFileOf(row);
  if (!gone) return {};
  const { self: _self, ...before } = row.preserved;
  return gone.content === content ? before : restorableAfterReplacing(gone);
}

/**
 * Returns the files that a row can restore. `isGone`: the file was deleted or changed by hand, which counts as the last
 * step. Then the previous file is the one as written, and the original is its source or itself.
 */
export function restorableFilesOf(row: InstalledFile, isGone: boolean): RestorableFiles {
  const all = row.preserved;
  const self = isGone ? writtenFileOf(row) : undefined;
  return self ? { original: all.original ?? all.before ?? self, before: self } : all;
}

/**
 * Returns the text track inside the video that was shown before this server wrote a file over it: the video has text in
 * the language of the file, and no step replaced a file of the user. The track is then the original.
 */
export function videoTextUnder(
  { origin, language, role, preserved }: Pick<InstalledFile, 'origin' | 'language' | 'role' | 'preserved'>,
  tracks: readonly InventoryTrack[],
): InventoryTrack | undefined {
  const hasReplacedOwn = [preserved.original, preserved.before].some((kept) => kept && !kept.known);
  if (origin === 'own' || hasReplacedOwn) return undefined;
  const fitting = tracks.filter(
    (track) =>
      track.source === 'embedded' &&
      !track.picture &&
      !track.commentary &&
      (track.role === 'forced') === (role === 'forced') &&
      (track.language === undefined ? language === UNKNOWN_LANGUAGE : covers(track.language, language)),
  );
  return fitting.find((track) => track.role === role) ?? fitting[0];
}

/** Returns the file that `restore` writes: for `original` the first file, else the previous one. */
export const fileToRestore = (
  { original, before }: RestorableFiles,
  to: 'original' | 'previous' = 'original',
): PreservedFile | undefined => (to === 'original' ? (original ?? before) : before);
