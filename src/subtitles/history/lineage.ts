/** What a subtitle replaced, and how it is found again. Pure. */
import type { PreservedFile, Preserved, RelativeLocation } from '../store/rows.ts';
import type { InstalledFile } from '../store/rows.ts';

const folderOf = (relative: string): string => relative.slice(0, relative.lastIndexOf('/') + 1);

const stemOf = (video: string): string => {
  const dot = video.lastIndexOf('.');
  return dot > video.lastIndexOf('/') + 1 ? video.slice(0, dot) : video;
};

/** Where a file stands as its video sees it. */
export function spotOf(relative: string, video: string): RelativeLocation {
  const stem = stemOf(video);
  if (relative.startsWith(stem)) return { from: 'stem', rest: relative.slice(stem.length) };
  const folder = folderOf(video);
  return relative.startsWith(folder)
    ? { from: 'folder', rest: relative.slice(folder.length) }
    : { from: 'library', rest: relative };
}

/** Where that is now, below the library. */
export const placeOf = ({ from, rest }: RelativeLocation, video: string): string =>
  (from === 'stem' ? stemOf(video) : from === 'folder' ? folderOf(video) : '') + rest;

interface Standing {
  relative: string;
  content: string;
  language: string;
  role: InstalledFile['role'];
}

/** A file that stands there, as it is kept when another takes its place. `known` is its row, when there is one. */
export function keptOf(
  { relative, content, language, role }: Standing,
  video: string,
  known: InstalledFile | undefined,
): PreservedFile {
  const { original } = known?.preserved ?? {};
  const { original: _before, ...first } = original ?? {};
  return {
    content,
    language,
    role,
    spot: spotOf(relative, video),
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

/** What can be brought back once something new stands there: the one before it, and the first of all. */
export const preservedBy = (kept: PreservedFile | undefined): Preserved =>
  kept ? { original: kept.original ?? bare(kept), before: kept } : {};

const bare = ({ original: _original, ...kept }: PreservedFile): PreservedFile => kept;

/** What can be brought back once `target` stands there again instead of `current`. Both ways lead back. */
export function preservedBack(target: PreservedFile, current: PreservedFile | undefined): Preserved {
  const { original } = target;
  return { ...(original && original.content !== target.content && { original }), ...(current && { before: current }) };
}

/**
 * A file that was written here, as it is brought back when it is not there any more; undefined where its bytes are not
 * preserved.
 */
export function selfOf(row: InstalledFile): PreservedFile | undefined {
  const { self, original } = row.preserved;
  const { content, language, role, format, origin } = row;
  return (
    self && {
      content,
      language,
      role,
      format,
      spot: self,
      ...(origin !== 'own' && { known: knownOf(row) }),
      ...(original && { original: bare(original) }),
    }
  );
}

/**
 * What can be brought back once `content` stands where somebody deleted the file of this row; the very same bytes
 * replace nothing.
 */
export function preservedAfter(row: InstalledFile, content: string): Preserved {
  const gone = selfOf(row);
  if (!gone) return {};
  const { self: _self, ...before } = row.preserved;
  return gone.content === content ? before : preservedBy(gone);
}

/**
 * What can be brought back by a row. `isGone`: somebody deleted or changed its file since, which counts as the last
 * step: the one before it is the file as it was, and the first one is what it was made from, or else itself.
 */
export function waysOf(row: InstalledFile, isGone: boolean): Preserved {
  const all = row.preserved;
  const self = isGone ? selfOf(row) : undefined;
  return self ? { original: all.original ?? all.before ?? self, before: self } : all;
}

/** What `restore` brings back: the first one, or when that stands there already the one that took its place. */
export const backOf = (
  { original, before }: Preserved,
  to: 'original' | 'previous' = 'original',
): PreservedFile | undefined => (to === 'original' ? (original ?? before) : before);
