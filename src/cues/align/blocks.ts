/**
 * Converts cues into blocks: stretches of speech that do not overlap. Pure; linear except for sorting.
 *
 * Cues that are not speech (sounds in brackets, songs, signs that stay for long) are no evidence; they move with their
 * neighbours.
 */
import { plainText, type Cue } from '../cue.ts';
import { LIMITS } from '../limits.ts';
import { FULL, RATE, REACH, type SpeechSums } from './speech-sums.ts';

/** Maximum length of a cue that counts as speech; longer ones are signs and songs (ms). */
const LONGEST_CUE = 10_000;
/** Maximum length of a block that overlapping cues are joined into (ms). */
const LONGEST_BLOCK = 15_000;
/** Length of the silence that counts before a block (frames). Longer pauses say nothing: their content is unknown. */
const LONGEST_GAP = 2 * RATE;
/** Length of the silence that counts on either side of a break in the timing (frames). */
export const SEAM = RATE;

export interface Blocks {
  /** In ms and in order of time; blocks do not overlap. */
  starts: Float64Array;
  ends: Float64Array;
  /** For each block, the index of its first cue in order of time. */
  first: Int32Array;
  /** Number of cues that count as speech. */
  spoken: number;
}

/** Times of cues in order of time (ms), and which of them count as speech. */
export interface SpokenTimes {
  starts: Float64Array;
  ends: Float64Array;
  /** 1 for cues that count as speech. */
  spoken: Uint8Array;
}

/** Returns the times of cues, which are in order of time. */
export function timesOf(cues: readonly Cue[], isEvidence: (cue: Cue) => boolean = isSpoken): SpokenTimes {
  const isShort = ({ start, end }: Cue): boolean => end > start && end - start <= LONGEST_CUE;
  return {
    starts: Float64Array.from(cues, ({ start }) => timeOf(start)),
    ends: Float64Array.from(cues, ({ end }) => timeOf(end)),
    spoken: Uint8Array.from(cues, (cue) => (isShort(cue) && isEvidence(cue) ? 1 : 0)),
  };
}

export function blocksOf(times: SpokenTimes): Blocks {
  const starts: number[] = [];
  const ends: number[] = [];
  const first: number[] = [];
  let spoken = 0;
  for (let place = 0; place < times.starts.length; place++) {
    if (times.spoken[place] !== 1) continue;
    spoken++;
    const [start, end] = [times.starts[place] ?? 0, times.ends[place] ?? 0];
    const at = starts.length - 1;
    const from = starts[at] ?? 0;
    const to = ends[at] ?? -1;
    if (at >= 0 && end <= to) continue;
    if (at >= 0 && start < to && end - from <= LONGEST_BLOCK) {
      ends[at] = end;
      continue;
    }
    starts.push(Math.max(start, to));
    ends.push(end);
    first.push(place);
  }
  return { starts: Float64Array.from(starts), ends: Float64Array.from(ends), first: Int32Array.from(first), spoken };
}

const timeOf = (ms: number): number => (Number.isFinite(ms) ? Math.min(LIMITS.time, Math.max(0, ms)) : 0);

/** Returns whether a cue has words outside brackets and is no song. */
export function isSpoken(cue: Cue): boolean {
  let depth = 0;
  for (const char of plainText(cue.spans)) {
    if (char === '♪' || char === '♫') return false;
    if (OPENING.includes(char)) depth++;
    else if (CLOSING.includes(char)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && LETTER.test(char)) return true;
  }
  return false;
}
const OPENING = '[(【（［〔';
const CLOSING = '])】）］〕';
const LETTER = /[\p{L}\p{N}]/u;

/** Blocks at one ratio as indexes into the sums, so that an offset in frames is added to them. */
export interface PlacedBlocks {
  ratio: number;
  count: number;
  start: Int32Array;
  end: Int32Array;
  /** Index where the silence before each block begins. */
  gap: Int32Array;
  /** Frames between each block and the one before it. */
  pause: Int32Array;
}

export function place(blocks: Blocks, ratio: number, sums: SpeechSums): PlacedBlocks {
  const count = blocks.starts.length;
  const [start, end, gap, pause] = [0, 1, 2, 3].map(() => new Int32Array(count)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  // Blocks that begin later are outside the audio at every offset.
  const last = sums.frames + REACH;
  let before = -2 * RATE;
  for (let i = 0; i < count; i++) {
    const from = Math.min(last, Math.round(((blocks.starts[i] ?? 0) * ratio * RATE) / 1000));
    const to = Math.max(
      from,
      Math.min(from === last ? last : Infinity, Math.round(((blocks.ends[i] ?? 0) * ratio * RATE) / 1000)),
    );
    start[i] = sums.zero + from;
    end[i] = sums.zero + to;
    gap[i] = sums.zero + Math.max(Math.min(before, from), from - LONGEST_GAP);
    pause[i] = Math.max(0, from - before);
    before = to;
  }
  return { ratio, count, start, end, gap, pause };
}

/**
 * Scores a break by the end of the last cue before it and the start of the first cue after it (indexes into the sums):
 * silence on either side counts for it, overlapping cues against it.
 */
export function seam(between: Int32Array, left: number, right: number): number {
  if (right < left) return (right - left) * FULL;
  if (right - left <= 2 * SEAM) return (between[left] ?? 0) - (between[right] ?? 0);
  return (between[left] ?? 0) - (between[left + SEAM] ?? 0) + (between[right - SEAM] ?? 0) - (between[right] ?? 0);
}

/**
 * Scores blocks `from` to `to` (exclusive) at an offset: the speech in them minus the speech between them. The silence
 * before the first one is not counted.
 */
export function fit(
  { inside, between }: SpeechSums,
  placed: PlacedBlocks,
  { from, to, offset }: { from: number; to: number; offset: number },
): number {
  let total = 0;
  for (let i = from; i < to; i++) {
    const s = (placed.start[i] ?? 0) + offset;
    total += (inside[(placed.end[i] ?? 0) + offset] ?? 0) - (inside[s] ?? 0);
    if (i > from) total += (between[(placed.gap[i] ?? 0) + offset] ?? 0) - (between[s] ?? 0);
  }
  return total;
}

/** Returns the share of the time of these blocks that is speech, 0 to 1, and that time in frames. */
export function hitOf(
  { inside }: SpeechSums,
  placed: PlacedBlocks,
  { from, to, offset }: { from: number; to: number; offset: number },
): { hit: number; frames: number } {
  let total = 0;
  let frames = 0;
  for (let i = from; i < to; i++) {
    const [s, e] = [placed.start[i] ?? 0, placed.end[i] ?? 0];
    total += (inside[e + offset] ?? 0) - (inside[s + offset] ?? 0);
    frames += e - s;
  }
  return { hit: frames === 0 ? 0 : (total / FULL + frames) / 2 / frames, frames };
}
