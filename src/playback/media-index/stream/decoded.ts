/** Describes video of a container that only says when pictures are decoded. */
import type { FoundMarks } from './assemble.ts';
import { CLOCK } from './payload.ts';
import { notCopied, type WalkedStream } from './stream-walk.ts';
import type { VideoWalk } from './video-walk.ts';

export interface DecodedClock {
  /** How many pictures there are. */
  pictures: number;
  /** Ticks at which a picture is decoded; those of pictures behind the last one continue. */
  timeOf(picture: number): number;
  /** Count of the container before a picture, if it counts. */
  countOf?(picture: number): number;
  /** Ticks that a picture lasts. */
  frameDuration: number;
}

/** `walk` was shown pictures with their numbers as times, all keyframes among them. */
export function decodedVideo(
  walk: VideoWalk,
  { pictures, timeOf, countOf, frameDuration }: DecodedClock,
): WalkedStream & { marks: FoundMarks } {
  const result = walk.result(0);
  const { delay } = result.packets;
  const numbers = walk.marks.times;
  const end = timeOf(pictures - 1 + (delay ?? 0)) + frameDuration;
  // Pictures decoded or shown before the first keyframe need pictures that are missing.
  if (delay === undefined || walk.isIdr[0] !== 1) {
    const [obstacle = 'codec'] = result.data.obstacles;
    return { ...notCopied({ ...walk.facts, last: end }, obstacle), marks: { times: [], places: [], isIdr: [] } };
  }
  return {
    data: { ...result.data, frameRate: CLOCK / frameDuration },
    packets: { ...result.packets, frameDuration: Math.round(frameDuration) },
    end,
    marks: {
      times: numbers.map((picture, n) => Math.round(timeOf(picture + (walk.leading[n] ?? 0) + delay))),
      places: walk.marks.places,
      isIdr: walk.isIdr,
      ...(countOf && { counts: numbers.map(countOf) }),
    },
  };
}
