/**
 * Places in an item of several files: the file and the seconds in it. Positions are seconds of the whole item. When a
 * file becomes longer, is added or removed, positions mean other moments; the file and the offset still mean the same.
 * Pure.
 */

export interface LayoutFile {
  id: string;
  /** Path without its extension, by which a file that was converted to another format is recognised. */
  stem: string;
  /** Seconds; 0 if they are unknown. */
  duration: number;
}
/** The files of an item in order. */
export type FileLayout = readonly LayoutFile[];
export interface FilePlace {
  file: string;
  offset: number;
}

const startOf = (layout: FileLayout, at: number): number =>
  layout.slice(0, at).reduce((sum, { duration }) => sum + duration, 0);
const lengthOf = (layout: FileLayout): number => startOf(layout, layout.length);

/** Returns the file and offset of a position; undefined at the start, and where lengths of files are unknown. */
export function placeAt(layout: FileLayout, position: number): FilePlace | undefined {
  if (position <= 0 || layout.some(({ duration }) => duration <= 0)) return undefined;
  let start = 0;
  for (const [at, { id, duration }] of layout.entries()) {
    if (position < start + duration || at === layout.length - 1) return { file: id, offset: position - start };
    start += duration;
  }
  return undefined;
}

/**
 * Returns the position of a place after the files changed. A file that is gone continues as the one that has its name
 * in another format, or as the one at its number if there are as many files as before. If it was removed, the place is
 * the start of the file that followed it. If no file is left of those before, the seconds since the start are kept.
 */
export function movedPosition({ file, offset }: FilePlace, now: FileLayout, before: FileLayout): number | undefined {
  if (now.length === 0 || now.some(({ duration }) => duration <= 0)) return undefined;
  const inFile = (at: number): number => startOf(now, at) + Math.min(offset, now[at]?.duration ?? 0);
  const same = now.findIndex(({ id }) => id === file);
  if (same >= 0) return inFile(same);
  const old = before.findIndex(({ id }) => id === file);
  if (old < 0) return undefined;
  const converted = now.findIndex(({ stem }) => stem === before[old]?.stem);
  if (converted >= 0) return inFile(converted);
  const present = new Set(now.map(({ id }) => id));
  if (!before.some(({ id }) => present.has(id)))
    return now.length === before.length ? inFile(old) : Math.min(startOf(before, old) + offset, lengthOf(now));
  const following = before.slice(old + 1).find(({ id }) => present.has(id));
  return following
    ? startOf(
        now,
        now.findIndex(({ id }) => id === following.id),
      )
    : lengthOf(now);
}
