/**
 * Running sums of a speech curve, so that the speech in any stretch of time takes two look-ups. Pure.
 *
 * A frame is 10 ms. Its value is between -100 (certainly silence) and 100 (certainly speech).
 */

/** Frames per second. */
export const RATE = 100;
/** Value of a frame that is certainly speech. */
export const FULL = 100;
/** Maximum offset that is searched in either direction, in frames: five minutes. */
export const REACH = 300 * RATE;

/** Spare frames before and after the audio, so that look-ups of moved cues need no check of bounds. */
const ROOM = 3 * REACH + 60 * RATE;

export interface SpeechSums {
  /** Number of frames of the audio. */
  frames: number;
  /** Index of frame 0 in the sums. */
  zero: number;
  /**
   * Sum of all frames before each index, with the time outside the audio counted as silence. Used for the time of cues.
   */
  inside: Int32Array;
  /** The same sums, with the time outside the audio counted as 0. Used for the time between cues. */
  between: Int32Array;
  /** Share of the audio that is speech, 0 to 1. */
  mean: number;
}

/** Builds the sums of a curve, which has 100 values a second from 0 (silence) to 255 (speech). */
export function speechSums(curve: Uint8Array): SpeechSums {
  const frames = curve.length;
  const length = frames + 2 * ROOM;
  const inside = new Int32Array(length + 1);
  const between = new Int32Array(length + 1);
  let total = 0;
  for (let at = 0; at < length; at++) {
    const frame = at - ROOM;
    const isAudio = frame >= 0 && frame < frames;
    const value = isAudio ? Math.round(((curve[frame] ?? 0) * 2 * FULL) / 255) - FULL : 0;
    if (isAudio) total += curve[frame] ?? 0;
    inside[at + 1] = (inside[at] ?? 0) + (isAudio ? value : -FULL);
    between[at + 1] = (between[at] ?? 0) + value;
  }
  return { frames, zero: ROOM, inside, between, mean: frames === 0 ? 0 : total / 255 / frames };
}
