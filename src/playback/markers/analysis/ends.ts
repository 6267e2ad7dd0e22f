/**
 * Exact ends of passages, and credits by black pictures. Pure.
 *
 * Fingerprints tell a passage to about half a second. Its ends are moved to where the sound or the picture begins or
 * ends, where that is near.
 */
import type { SilentSpan } from './silence-detection.ts';

/** How far an end is moved at most, in seconds. */
export const SNAP_S = 2;

/** A keyframe, as far as it matters here. */
export interface Brightness {
  time: number;
  /** Part of the picture that is nearly black, 0 to 1. */
  dark: number;
}

const nearest = (time: number, edges: readonly number[]): number =>
  edges.reduce(
    (best, edge) =>
      Math.abs(edge - time) <= SNAP_S &&
      (Math.abs(best - time) > SNAP_S || Math.abs(edge - time) < Math.abs(best - time))
        ? edge
        : best,
    Infinity,
  );

/** Moves the start to the end of a silence or of black pictures, and the end to the beginning of one. */
export function snapped(
  { start, end }: SilentSpan,
  { silences, blacks }: { silences: readonly SilentSpan[]; blacks: readonly SilentSpan[] },
): SilentSpan {
  const quiet = [...silences, ...blacks];
  const from = nearest(
    start,
    quiet.map((one) => one.end),
  );
  const to = nearest(
    end,
    quiet.map((one) => one.start),
  );
  return { start: Number.isFinite(from) ? Math.max(0, from) : start, end: Number.isFinite(to) ? to : end };
}

/** Part of a picture that is black behind credits: letters cover the rest. */
const CREDITS_DARK = 0.75;
/** Part of a picture that is black between two scenes. */
const BLACK = 0.98;
const MIN_CREDITS_S = 20;
const MIN_KEYFRAMES = 4;
/** Part of the keyframes from the beginning of credits on that are dark: pictures may appear between the letters. */
const MIN_DARK_PART = 0.85;
/** Maximum length of what follows the credits: a last scene, or a company logo. */
const MAX_AFTER_S = 90;
/** Credits that are seen so clearly need no second finder. */
const CLEAR_S = 30;
const CLEAR_PART = 0.92;

/** Returns spans of black keyframes: each from its first one to the next that is not black. */
export function blackSpans(keyframes: readonly Brightness[], last: number): SilentSpan[] {
  const spans: SilentSpan[] = [];
  let since: number | undefined;
  for (const { time, dark } of keyframes) {
    if (dark >= BLACK) since ??= time;
    else if (since !== undefined) {
      spans.push({ start: since, end: time });
      since = undefined;
    }
  }
  return since === undefined ? spans : [...spans, { start: since, end: last }];
}

/**
 * Returns the credits that keyframes of the last tenth of a file show: dark ones with few others between them, to the
 * end or nearly so.
 */
export function creditsOf(
  keyframes: readonly Brightness[],
  duration: number,
): (SilentSpan & { isClear: boolean }) | undefined {
  const isDark = ({ dark }: Brightness): boolean => dark >= CREDITS_DARK;
  const lastDark = keyframes.findLastIndex(isDark);
  const after = keyframes[lastDark + 1];
  const end = lastDark < 0 ? 0 : (after?.time ?? duration);
  if (lastDark < 0 || duration - end > MAX_AFTER_S) return undefined;
  let [first, dark, part] = [-1, 0, 0];
  for (let i = lastDark; i >= 0; i--) {
    const keyframe = keyframes[i];
    if (!keyframe || !isDark(keyframe)) continue;
    dark++;
    const partHere = dark / (lastDark - i + 1);
    if (partHere < MIN_DARK_PART) continue;
    [first, part] = [i, partHere];
  }
  const start = keyframes[first]?.time ?? end;
  if (end - start < MIN_CREDITS_S || lastDark - first + 1 < MIN_KEYFRAMES) return undefined;
  return { start, end, isClear: end - start >= CLEAR_S && part >= CLEAR_PART };
}
