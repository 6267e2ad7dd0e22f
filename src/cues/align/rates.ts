/**
 * Finds the rates at which cues fit speech, in steps so fine that no part of a film of two hours is off by more than
 * half a second. Pure.
 *
 * For each rate, cues and speech are correlated through a Fourier transform, two rates at a time. Coarser than
 * `correlate`, so that some hundred rates take as long as the search for breaks.
 */
import FFT from 'fft.js';
import { type Blocks, place } from './blocks.ts';
import { cuesAt, speechAt } from './correlate.ts';
import { RATE, REACH, type SpeechSums } from './speech-sums.ts';

/** Largest change of the rate in either direction: a little more than between PAL and film. */
export const MAX_RATE_CHANGE = 0.055;
const FINEST = 10;
const MAX_POINTS = 2 ** 16;
const MAX_RATES = 400;
/** Distance between two rates, as the time by which they differ over the whole film (seconds). */
const STEP = 2;

export interface LikelyRate {
  ratio: number;
  /** In frames. */
  offset: number;
  /** Distance of the score from the scores of the other offsets, in standard deviations. */
  z: number;
}

/** Returns up to `most` rates that fit best, the best first, none next to another. */
export function likelyRates(sums: SpeechSums, blocks: Blocks, most: number): LikelyRate[] {
  const end = blocks.ends.at(-1) ?? 0;
  const half = Math.min(
    MAX_RATES / 2,
    Math.max(1, Math.ceil((MAX_RATE_CHANGE * Math.min(sums.frames / RATE, end / 1000)) / STEP)),
  );
  const step = MAX_RATE_CHANGE / half;
  const ratios = Array.from({ length: 2 * half + 1 }, (_, n) => 1 + step * (n - half));
  const all = peaksOf(sums, blocks, ratios).toSorted((a, b) => b.z - a.z);
  const out: LikelyRate[] = [];
  for (const one of all)
    if (out.length < most && out.every(({ ratio }) => Math.abs(ratio - one.ratio) > 2.5 * step)) out.push(one);
  return out;
}

function peaksOf(sums: SpeechSums, blocks: Blocks, ratios: readonly number[]): LikelyRate[] {
  // Blocks beyond this are outside the audio at every offset.
  const last = Math.min(sums.frames + REACH, ((blocks.ends.at(-1) ?? 0) * (1 + MAX_RATE_CHANGE) * RATE) / 1000);
  const longest = Math.max(sums.frames, last) + REACH;
  let width = FINEST;
  while (longest / width + 2 > MAX_POINTS) width *= 2;
  const size = 2 ** Math.max(4, Math.ceil(Math.log2(longest / width + 2)));
  const fft = new FFT(size);
  const speech = fft.createComplexArray();
  fft.realTransform(speech, speechAt(sums, size, width));
  fft.completeSpectrum(speech);
  const pair = new Float64Array(2 * size);
  const spectrum = fft.createComplexArray();
  const back = fft.createComplexArray();
  return pairsOf(ratios).flatMap((two) => {
    const [one, other] = two.map((ratio) => cuesAt(place(blocks, ratio, sums), { zero: sums.zero, size, width }));
    // The conjugated spectrum of a − bi is that of a plus i times that of b, each conjugated. So one inverse transform
    // returns the correlation with a as the real part and the one with b as the imaginary part.
    for (let at = 0; at < size; at++) {
      pair[2 * at] = one?.[at] ?? 0;
      pair[2 * at + 1] = -(other?.[at] ?? 0);
    }
    fft.transform(spectrum, pair);
    for (let at = 0; at < 2 * size; at += 2) {
      const [a, b, c, d] = [speech[at] ?? 0, speech[at + 1] ?? 0, spectrum[at] ?? 0, spectrum[at + 1] ?? 0];
      spectrum[at] = a * c + b * d;
      spectrum[at + 1] = b * c - a * d;
    }
    fft.inverseTransform(back, spectrum);
    return two.map((ratio, part) => ({ ratio, ...peakOf(back, { part, size, width }) }));
  });
}

const pairsOf = (ratios: readonly number[]): number[][] =>
  ratios.flatMap((_, n) => (n % 2 === 0 ? [ratios.slice(n, n + 2)] : []));

/** Returns the best offset within reach in the real (0) or imaginary (1) part of a correlation. */
function peakOf(
  correlation: readonly number[],
  { part, size, width }: { part: number; size: number; width: number },
): { offset: number; z: number } {
  const reach = Math.floor(REACH / width);
  let [best, top, total, squares] = [0, -Infinity, 0, 0];
  for (let offset = -reach; offset <= reach; offset++) {
    const value = correlation[2 * ((offset + size) % size) + part] ?? 0;
    if (value > top) [best, top] = [offset, value];
    total += value;
    squares += value * value;
  }
  const mean = total / (2 * reach + 1);
  const deviation = Math.sqrt(Math.max(0, squares / (2 * reach + 1) - mean * mean));
  return { offset: best * width, z: deviation === 0 ? 0 : (top - mean) / deviation };
}
