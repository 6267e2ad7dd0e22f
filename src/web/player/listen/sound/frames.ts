/** Times of Web Audio that lie exactly on a frame. Pure. */

/**
 * Returns the time in seconds of a frame. A time that is one rounding error below its frame makes Chromium interpolate
 * between samples there, which is measured as one wrong sample a joint.
 */
export function frameTime(frame: number, rate: number): number {
  let time = frame / rate;
  while (time * rate < frame) time *= 1 + 2 ** -52;
  return time;
}

/** A sound that is scheduled: its frame 0 is heard at frame `start` of the context. */
export interface SoundSpan {
  key: number;
  start: number;
  frames: number;
}
export const endFrame = ({ start, frames }: SoundSpan): number => start + frames;

/** Returns the sound that is heard at a frame: the last one that has begun; the first one before that. */
export const placedAt = <T extends SoundSpan>(placed: readonly T[], frame: number): T | undefined =>
  [...placed].reverse().find(({ start }) => start <= frame) ?? placed[0];
