/** Arithmetic of the seek bar: position of a time, ranges that are loaded, current chapter. */
export interface ChapterMark {
  start: number;
  title: string;
}
export interface TimeRange {
  from: number;
  to: number;
}
export const limited = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));
/** A time as a part of the whole, 0 to 1. */
export const partOf = (time: number, duration: number): number => (duration > 0 ? limited(time / duration, 0, 1) : 0);

/** The chapter that a time is in, and its place in the list; undefined before the first. */
export function chapterAt<M extends ChapterMark>(
  chapters: readonly M[],
  time: number,
): { chapter: M; at: number } | undefined {
  for (let at = chapters.length - 1; at >= 0; at--) {
    const chapter = chapters[at];
    if (chapter && chapter.start <= time + 0.05) return { chapter, at };
  }
  return undefined;
}
/** Back goes to the start of this chapter first, as a second press goes to the one before. */
const SETTLED_S = 3;
/** Returns the time that a step of chapters leads to; undefined if there is no chapter on that side. */
export function chapterStep(chapters: readonly ChapterMark[], time: number, by: number): number | undefined {
  const now = chapterAt(chapters, time);
  if (by > 0) return chapters[(now?.at ?? -1) + 1]?.start;
  if (!now) return undefined;
  return time - now.chapter.start > SETTLED_S ? now.chapter.start : (chapters[now.at - 1]?.start ?? now.chapter.start);
}
/** Seconds before the end from which a film is not resumed. */
const RESUME_MARGIN_S = 10;
/**
 * Returns the start position: from the address, else where the viewer stopped. A viewer who stopped close to the end
 * begins again; an address is meant as it is, because a line of dialogue may be spoken there.
 */
export function startAt({
  asked,
  position,
  duration,
}: {
  asked: string | null;
  position: number;
  duration: number | undefined;
}): number {
  const isAsked = asked !== null && /^\d{1,7}(\.\d{1,3})?$/.test(asked);
  const wanted = isAsked ? Number(asked) : position;
  const end = (duration ?? Infinity) - (isAsked ? 0 : RESUME_MARGIN_S);
  return wanted < end ? wanted : 0;
}
