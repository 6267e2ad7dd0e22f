/**
 * Chooses keyframes: one for each step of the timeline, and one for the beginning of each chapter. Pure.
 *
 * Keyframes come in the order of their times. A chapter that begins with a black picture takes the next keyframe that
 * is not black, where one follows soon.
 */
import { STEP_TOLERANCE } from './geometry.ts';

/** A picture before a chapter by no more than this belongs to it: its time is rounded by the container. */
const CHAPTER_TOLERANCE = 0.25;
/** Keyframes that are looked at for a chapter, and how long after its beginning the last of them may be. */
const MAX_TRIES = 4;
const MAX_LATE = 20;
/** Average luma (0 to 255) up to which a picture is black. Video black is 16. */
export const BLACK_LUMA = 24;

export interface ChosenPicture {
  isTile: boolean;
  /** Numbers of the chapters whose picture this is. A later picture for a chapter takes the place of an earlier one. */
  chapters: number[];
}
export interface Chooser {
  /** Decides about the next keyframe. */
  take(time: number, luma: number): ChosenPicture;
}

export function createChooser({ step, chapters }: { step: number; chapters: readonly number[] }): Chooser {
  let next = 0;
  let last = -Infinity;
  const waiting = chapters.map((start, number) => ({ start, number, tries: 0, isDone: false }));
  return {
    take: (time, luma) => {
      // Pieces of a file are decoded one after the other and may overlap.
      if (time <= last) return { isTile: false, chapters: [] };
      last = time;
      const isTile = time >= next - STEP_TOLERANCE;
      if (isTile) next = Math.max(next + step, time - (time % step) + step);
      const isBlack = luma <= BLACK_LUMA;
      const own = waiting.filter((one) => {
        if (one.isDone || time < one.start - CHAPTER_TOLERANCE) return false;
        const isLate = one.tries > 0 && (one.tries >= MAX_TRIES || time > one.start + MAX_LATE);
        one.tries += 1;
        one.isDone = isLate || !isBlack;
        // The first black one stays unless a better one comes.
        return !isLate && (one.tries === 1 || !isBlack);
      });
      return { isTile, chapters: own.map(({ number }) => number) };
    },
  };
}
/** Returns which of some keyframe times have to be decoded: those that can be chosen, whatever their pictures show. */
export function neededTimes(
  times: readonly number[],
  { step, chapters }: { step: number; chapters: readonly number[] },
): boolean[] {
  const tiles = createChooser({ step, chapters: [] });
  const needed = times.map((time) => tiles.take(time, 255).isTile);
  for (const start of chapters) {
    const first = times.findIndex((time) => time >= start - CHAPTER_TOLERANCE);
    for (let at = first; at >= 0 && at < Math.min(times.length, first + MAX_TRIES); at++)
      if (at === first || (times[at] ?? 0) <= start + MAX_LATE) needed[at] = true;
  }
  return needed;
}
