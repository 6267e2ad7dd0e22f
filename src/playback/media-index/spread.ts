/** Order in which a few of many are looked at, when there is not always time for all. Pure. */
import type { PictureKind } from './codec/annexb.ts';

/** Yields the numbers from 0 to `count` - 1, each once, so that those yielded at any moment are spread evenly. */
export function* spreadIndexes(count: number): Generator<number> {
  if (count > 0) yield 0;
  let step = 1;
  while (step < count) step *= 2;
  for (; step > 1; step /= 2) for (let at = step / 2; at < count; at += step) yield at;
}

/** Keyframes are all looked at when that takes no longer; on a disk that seeks slowly only so many. */
const BUDGET_MS = 250;
const MIN_CHECKED = 64;

export interface KeyframeCheck {
  /** 0 for recovery points. Those that were not looked at are taken to be as the others are. */
  isIdr: Uint8Array;
  /** Numbers of those where there was no such keyframe. */
  missing: number[];
  /** Numbers of those at which decoding cannot begin, and if there are any, of those that were not looked at. */
  unfit: number[];
}

/** `check` returns how decoding begins at a keyframe; undefined when it is not where it should be. */
export function checkKeyframes(
  count: number,
  isEachAsked: boolean,
  check: (key: number) => PictureKind | undefined,
): KeyframeCheck {
  const began = performance.now();
  const isIdr = new Uint8Array(count).fill(2);
  const [missing, unfit]: [number[], number[]] = [[], []];
  let checked = 0;
  for (const key of spreadIndexes(count)) {
    // A file with one wrong place may have more of them.
    const isEnough =
      checked >= MIN_CHECKED && missing.length === 0 && (!isEachAsked || performance.now() - began > BUDGET_MS);
    if (isEnough) break;
    const found = check(key);
    if (found === undefined) missing.push(key);
    if (found === 'other') unfit.push(key);
    isIdr[key] = found === 'recovery' ? 0 : 1;
    checked += 1;
  }
  const others = isIdr.includes(0) ? 0 : 1;
  // A segment that begins at none is worse than a longer one.
  if (unfit.length > 0) isIdr.forEach((value, key) => void (value === 2 && unfit.push(key)));
  return { isIdr: isIdr.map((value) => (value === 2 ? others : value)), missing, unfit };
}
