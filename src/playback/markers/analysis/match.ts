/**
 * Finds passages that two audio fingerprints have in common. Pure.
 *
 * A fingerprint has one item of 32 bits for each eighth of a second, each of which describes the two and a half seconds
 * that follow. Two items belong together when few of their bits differ. For each distance between the two fingerprints
 * every eighth pair is looked at, and only where several of those fit all pairs are.
 */

/** Seconds between two items: a third of 4,096 samples at 11,025 a second. */
export const ITEM_S = 4096 / 3 / 11_025;
/**
 * Items at the edges of a passage describe sound outside of it as well, and the first of them that fit begin before it.
 * Measured with passages at known places.
 */
const LEAD_S = 0.6;
const TAIL_S = 1.5;

export interface MatchLimits {
  /** Shortest and longest passage, in seconds. */
  shortest: number;
  longest: number;
}
export const PASSAGE_LIMITS: MatchLimits = { shortest: 15, longest: 120 };
/** Bits of 32 that two items may differ in. */
const MAX_BITS = 6;
/** Items in a row that may not fit inside a passage: 1.5 seconds. */
const MAX_GAP = 12;
/** Part of the items of a passage that fit. */
const MIN_FIT = 0.6;
/** A passage with fewer different items is silence or a steady tone, which fits anything like it. */
const MIN_DIFFERENT = 0.2;
/** Every so many pairs are looked at first, and so many of the last ones have to fit. */
const SAMPLE = 8;
const WINDOW = 12;
const MIN_SAMPLES = 4;
/** Passages of two fingerprints, the longest first. */
const MAX_PASSAGES = 4;

/** A passage of the first fingerprint, and where the second has the same, in seconds after the beginning of each. */
export interface Passage {
  start: number;
  end: number;
  otherStart: number;
  otherEnd: number;
}

function differing(a: number, b: number): number {
  let bits = a ^ b;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

interface Run {
  /** First and last item in the first fingerprint. */
  from: number;
  to: number;
  distance: number;
}

/** Returns the passages that two fingerprints share. Those of one fingerprint do not overlap. */
export function match(a: Int32Array, b: Int32Array, { shortest, longest }: MatchLimits = PASSAGE_LIMITS): Passage[] {
  const least = Math.max(SAMPLE * 2, Math.floor((shortest - TAIL_S + LEAD_S) / ITEM_S));
  const runs: Run[] = [];
  for (let distance = least - a.length; distance <= b.length - least; distance++) {
    if (isWorthALook(a, b, distance, least))
      runs.push(...runsAt(a, b, distance).filter(({ from, to }) => to - from + 1 >= least));
  }
  const chosen: Run[] = [];
  for (const run of runs.toSorted((x, y) => y.to - y.from - (x.to - x.from))) {
    if (chosen.length === MAX_PASSAGES) break;
    const overlaps = chosen.some(
      (one) =>
        (run.from <= one.to && one.from <= run.to) ||
        (run.from + run.distance <= one.to + one.distance && one.from + one.distance <= run.to + run.distance),
    );
    if (!overlaps) chosen.push(run);
  }
  return chosen.map(passageOf).filter(({ start, end }) => end - start >= shortest && end - start <= longest);
}

function isWorthALook(a: Int32Array, b: Int32Array, distance: number, least: number): boolean {
  const [from, to] = [Math.max(0, -distance), Math.min(a.length, b.length - distance)];
  const window = Math.min(WINDOW, Math.floor(least / SAMPLE));
  let [recent, fitting] = [0, 0];
  for (let i = from; i < to; i += SAMPLE) {
    const fits = differing(a[i] as number, b[i + distance] as number) <= MAX_BITS ? 1 : 0;
    fitting += fits - ((recent >>> (window - 1)) & 1);
    recent = ((recent << 1) | fits) & 0xffff;
    if (fitting >= Math.min(MIN_SAMPLES, window)) return true;
  }
  return false;
}

/** Items that fit, with small gaps between them. */
function runsAt(a: Int32Array, b: Int32Array, distance: number): Run[] {
  const [from, to] = [Math.max(0, -distance), Math.min(a.length, b.length - distance)];
  const runs: Run[] = [];
  let [first, last, fitting] = [-1, -1, 0];
  const close = (): void => {
    if (first >= 0 && fitting >= (last - first + 1) * MIN_FIT && isVaried(a, first, last))
      runs.push({ from: first, to: last, distance });
  };
  for (let i = from; i < to; i++) {
    if (differing(a[i] as number, b[i + distance] as number) > MAX_BITS) continue;
    if (first >= 0 && i - last - 1 > MAX_GAP) {
      close();
      first = -1;
    }
    if (first < 0) [first, fitting] = [i, 0];
    last = i;
    fitting++;
  }
  close();
  return runs;
}

function isVaried(items: Int32Array, from: number, to: number): boolean {
  return new Set(items.subarray(from, to + 1)).size >= (to - from + 1) * MIN_DIFFERENT;
}

function passageOf({ from, to, distance }: Run): Passage {
  const [start, end] = [from * ITEM_S + LEAD_S, to * ITEM_S + TAIL_S];
  return { start, end, otherStart: start + distance * ITEM_S, otherEnd: end + distance * ITEM_S };
}
