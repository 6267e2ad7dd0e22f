/**
 * A speech curve as running sums, so that the speech in any stretch of time is two look-ups. Pure.
 *
 * A frame is 10 ms. Each counts from -100 (surely nobody speaks) to 100 (surely somebody does).
 */

/** Frames a second. */
export const RATE = 100;
/** What a frame of certain speech counts. */
export const FULL = 100;
/** How far cues are looked for either way, in frames: five minutes. */
export const REACH = 300 * RATE;

/** Room before and after the audio, so that no look-up of a moved cue has to be checked. */
const ROOM = 3 * REACH + 60 * RATE;

export interface SpeechSums {
  /** Frames of the audio. */
  frames: number;
  /** Index of the frame 0 in the sums. */
  zero: number;
  /** Sum of all frames before an index, where what lies outside the audio counts as silence: for the time of cues. */
  inside: Int32Array;
  /** The same, where what lies outside the audio does not count: for the time between cues. */
  between: Int32Array;
  /** Part of the audio in which somebody speaks, 0 to 1. */
  mean: number;
}

/** `curve` has 100 values a second from 0 (silence) to 255 (speech). */
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
