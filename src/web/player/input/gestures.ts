/**
 * Taps on the picture: one tap shows or hides the controls, two on a side skip, two in the middle play or
 * pause. More taps on the same side go on skipping. Pure; the caller keeps the state and the timer.
 */
export type Side = 'left' | 'middle' | 'right';
export interface Tap {
  at: number;
  side: Side;
  /** How many taps of this row came before and with this one. */
  count: number;
}
/** Milliseconds between taps of one row. */
export const ROW_MS = 320;

export const sideOf = (x: number, width: number): Side =>
  x < width * 0.36 ? 'left' : x > width * 0.64 ? 'right' : 'middle';

/** The row of taps with a new one in it. */
export const tapped = (before: Tap | undefined, side: Side, at: number): Tap => ({
  at,
  side,
  count: before && before.side === side && at - before.at < ROW_MS ? before.count + 1 : 1,
});

export type Meaning = { is: 'reveal' } | { is: 'toggle' } | { is: 'seek'; by: number };
/**
 * Returns the meaning of a series of taps at its newest one. The first is `reveal`: the caller waits for the end of the
 * series before it acts on it.
 */
export function meaningOf({ side, count }: Tap): Meaning | undefined {
  if (count === 1) return { is: 'reveal' };
  if (side === 'middle') return count === 2 ? { is: 'toggle' } : undefined;
  return { is: 'seek', by: side === 'left' ? -10 : 10 };
}
