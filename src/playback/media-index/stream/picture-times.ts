/** Times of the pictures of a segment, and of some behind it that say where it ends. */
import { uncertain } from '../../../lib/media/source.ts';
import { CLOCK } from './payload.ts';
import { filledTimes, shownTimes } from './shown.ts';
import type { PacketQuestion } from './types.ts';

const MAX_PICTURES = 20_000;

export interface TimedPicture {
  /** Ticks on the timeline; undefined where it follows from other pictures. */
  time: number | undefined;
  /** It lies behind the segment: only its place in the order matters. */
  isBehind: boolean;
}

export interface PictureTimes {
  /** Adds a picture; returns false if it is to be left out. `rank` increases in display order, if it is known. */
  add(picture: TimedPicture, rank: number | undefined): boolean;
  /** Whether the pictures behind the segment say enough of its end, if the next one has this time. */
  isEnough(time: number | undefined): boolean;
  /** Times of the segment's pictures in decoding order, and of what follows. */
  shown(): { times: number[]; end: number | undefined };
}

/** `isRanked`: every picture has a rank, and pictures behind the segment are added, too. */
export function createPictureTimes(
  { track, start, next, isFirst, isSingle = false }: PacketQuestion,
  isRanked: boolean,
): PictureTimes {
  const { delay, frameDuration } = track;
  const keyTime = Math.round(start * CLOCK);
  const nextTime = next === undefined ? undefined : Math.round(next * CLOCK);
  const clock: (number | undefined)[] = [];
  const ranks: number[] = [];
  /** How many of them belong to the segment. */
  let count = 0;
  /** Earliest time of the next segment: pictures may be shown before its keyframe. */
  let end: number | undefined;

  /** The index knows the times of the keyframes with which this segment and the next one begin. */
  const keyTimeOf = (isBehind: boolean): number | undefined => {
    if (isBehind) return clock.length === count ? nextTime : undefined;
    return count === 0 && !isFirst ? keyTime : undefined;
  };
  const isBeforeFirst = (time: number | undefined, rank: number): boolean =>
    time === undefined || clock[0] === undefined ? rank < (ranks[0] ?? 0) : time < clock[0];
  return {
    add: (picture, known) => {
      const rank = known ?? ranks.at(-1) ?? 0;
      const time = picture.time ?? keyTimeOf(picture.isBehind);
      // Pictures before the first keyframe of the file need others that it does not have.
      if (isFirst && delay === undefined && count > 0 && isBeforeFirst(time, rank)) return false;
      if (clock.push(time) > MAX_PICTURES) uncertain('too many pictures in a segment');
      ranks.push(rank);
      if (!picture.isBehind) count += 1;
      return true;
    },
    isEnough: (time) => {
      if (delay !== undefined) return clock.length > count + delay;
      // The last picture that was read is shown after the keyframe of the next segment.
      if (isRanked || time === undefined) return (ranks.at(-1) ?? 0) > (ranks[count] ?? Infinity);
      const isLate = end !== undefined && nextTime !== undefined && time >= nextTime;
      end = Math.min(end ?? time, time);
      return isLate;
    },
    shown: () => {
      const known = clock.filter((time) => time !== undefined);
      if (delay !== undefined)
        return shownTimes({ clock: known, ranks, count, delay, frameDuration, isSingle, start: keyTime });
      const filled = known.length < clock.length ? filledTimes(clock, ranks, frameDuration) : known;
      const behind = filled.slice(count);
      return { times: filled.slice(0, count), end: behind.length > 0 ? Math.min(...behind) : end };
    },
  };
}
