/**
 * Finds the best single offset for each ratio, by correlating the cues with the speech curve through a Fourier
 * transform. Pure.
 *
 * The spectrum of the speech is computed once for all ratios. This stage is coarse: 50 ms, or more for long audio, so
 * that a transform has at most 2^20 points. The later stages are exact to 10 ms.
 */
import FFT from 'fft.js';
import type { PlacedBlocks } from './blocks.ts';
import { REACH, type SpeechSums } from './speech-sums.ts';

const FINEST = 5;
const MAX_POINTS = 2 ** 20;

export interface Whole {
  /** In frames. */
  offset: number;
  score: number;
}

/** Returns the best single offset of each ratio, in the order of `all`. */
export function correlate(sums: SpeechSums, all: readonly PlacedBlocks[]): Whole[] {
  const longest = Math.max(sums.frames, ...all.map(({ count, end }) => (end[count - 1] ?? sums.zero) - sums.zero));
  let width = FINEST;
  while (sizeFor(sums.frames, longest, width) > MAX_POINTS) width *= 2;
  const size = sizeFor(sums.frames, longest, width);
  const fft = new FFT(size);
  const speech = fft.createComplexArray();
  fft.realTransform(speech, speechAt(sums, size, width));
  fft.completeSpectrum(speech);
  const cues = fft.createComplexArray();
  const back = fft.createComplexArray();
  return all.map((placed) => {
    fft.realTransform(cues, cuesAt(placed, { zero: sums.zero, size, width }));
    fft.completeSpectrum(cues);
    for (let i = 0; i < size * 2; i += 2) {
      const [a, b, c, d] = [speech[i] ?? 0, speech[i + 1] ?? 0, cues[i] ?? 0, cues[i + 1] ?? 0];
      cues[i] = a * c + b * d;
      cues[i + 1] = b * c - a * d;
    }
    fft.inverseTransform(back, cues);
    return peak(back, size, width);
  });
}

/** Returns a power of two that holds both without wrapping around. */
function sizeFor(frames: number, longest: number, width: number): number {
  const points = Math.ceil((frames + longest + REACH) / width) + 2;
  return 2 ** Math.max(4, Math.ceil(Math.log2(points)));
}

export function speechAt({ frames, zero, between }: SpeechSums, size: number, width: number): Float64Array {
  const out = new Float64Array(size);
  for (let at = 0; at * width < frames; at++) {
    const from = zero + at * width;
    out[at] = (between[from + width] ?? 0) - (between[from] ?? 0);
  }
  return out;
}

export function cuesAt(
  { count, start, end, gap }: PlacedBlocks,
  { zero, size, width }: { zero: number; size: number; width: number },
): Float64Array {
  const out = new Float64Array(size);
  const fill = (from: number, to: number, value: number): void => {
    for (let at = Math.max(0, Math.round((from - zero) / width)); at < Math.round((to - zero) / width); at++)
      out[at] = value;
  };
  for (let i = 0; i < count; i++) {
    const s = start[i] ?? zero;
    fill(gap[i] ?? s, s, -1);
    fill(s, end[i] ?? s, 1);
  }
  return out;
}

function peak(correlation: readonly number[], size: number, width: number): Whole {
  const reach = Math.floor(REACH / width);
  let best = 0;
  let score = -Infinity;
  // From the middle outwards, so that the nearest of equal offsets wins.
  for (let n = 0; n <= 2 * reach; n++) {
    const offset = n % 2 === 0 ? n / 2 : -(n + 1) / 2;
    const value = correlation[2 * ((offset + size) % size)] ?? 0;
    if (value > score + 1e-6) [best, score] = [offset, value];
  }
  return { offset: best * width, score };
}
