/**
 * Cuts the silence that encoders add before the first and behind the last sample of a track. Most browsers remove it
 * while decoding, some do not, and Chromium rounds the end of MP4 files to a millisecond. Pure.
 */

/** Samples to leave out, at the rate of the decoded sound. */
export interface EncoderPadding {
  start: number;
  end: number;
}
export interface DecodedLength {
  /** Length of the decoded sound in frames, and its rate. */
  frames: number;
  rate: number;
  /** Length of the music in seconds, as the server has it. */
  duration: number | undefined;
  /** Samples that the encoder added, at the rate of the file. */
  trim: EncoderPadding | undefined;
  fileRate: number | undefined;
}
/** A difference beyond this belongs to neither case: nothing is cut. Two frames of MP3. */
const MAX_DIFFERENCE_S = 0.06;

/** Returns what is left to cut. The length shows which ends the browser has cut already. */
export function remainingCut({ frames, rate, duration, trim, fileRate }: DecodedLength): EncoderPadding {
  const none = { start: 0, end: 0 };
  if (!trim || duration === undefined || duration <= 0) return none;
  const scale = rate / (fileRate ?? rate);
  const [start, end] = [Math.round(trim.start * scale), Math.round(trim.end * scale)];
  const extra = frames - Math.round(duration * rate);
  let best: EncoderPadding = none;
  let difference = Math.abs(extra);
  for (const cut of [
    { start, end: 0 },
    { start: 0, end },
    { start, end },
  ]) {
    const own = Math.abs(extra - cut.start - cut.end);
    if (own < difference) [best, difference] = [cut, own];
  }
  return difference <= MAX_DIFFERENCE_S * rate && best.start + best.end < frames ? best : none;
}

/** Boxes of MP4 that contain the edit list of a track. */
const CONTAINERS = new Set(['moov', 'trak']);
const MAX_BOXES = 1000;

/**
 * Makes decoders ignore the edit lists of an MP4 file, so that all samples are decoded and can be cut exactly. Changes
 * the bytes in place. Returns whether there was one.
 */
export function disableEditLists(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isFound = false;
  let boxes = 0;
  const walk = (from: number, to: number, depth: number): void => {
    let at = from;
    while (at + 8 <= to && boxes++ < MAX_BOXES) {
      const size = view.getUint32(at);
      const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
      // 0: to the end. 1: a length of 64 bits, which only media data has.
      const length = size === 0 ? to - at : size === 1 && at + 16 <= to ? Number(view.getBigUint64(at + 8)) : size;
      if (length < 8 || at + length > to) return;
      if (type === 'edts') {
        bytes.set([0x66, 0x72, 0x65, 0x65], at + 4);
        isFound = true;
      } else if (CONTAINERS.has(type) && depth < 2) walk(at + 8, at + length, depth + 1);
      at += length;
    }
  };
  walk(0, bytes.byteLength, 0);
  return isFound;
}
