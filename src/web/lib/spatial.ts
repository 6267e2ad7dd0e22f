/**
 * Finds the element that an arrow key moves the focus to: the nearest in that direction, with elements in line
 * preferred over close ones. Left and right always prefer elements in line, so that they stay in their row. Pure.
 */
export interface FocusBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
export type Direction = 'left' | 'right' | 'up' | 'down';

/** Turns a box so that every direction becomes "down"; the rest of the reckoning then has one case. */
const turned = ({ left, top, right, bottom }: FocusBox, direction: Direction): FocusBox => {
  if (direction === 'down') return { left, top, right, bottom };
  if (direction === 'up') return { left, right, top: -bottom, bottom: -top };
  if (direction === 'right') return { left: top, right: bottom, top: left, bottom: right };
  return { left: top, right: bottom, top: -right, bottom: -left };
};
const gap = (fromStart: number, fromEnd: number, start: number, end: number): number =>
  Math.max(0, start - fromEnd, fromStart - end);

/** Boxes may touch or overlap by this many pixels (rings, negative margins) and still count as beyond. */
const TOLERANCE = 6;
/** How much worse it is to be off the line than to be further along it. */
const ASIDE = 3;
/** More than any page is wide. */
const OTHER_ROW = 100_000;

/** The index of the best candidate, or -1 when nothing lies that way. */
export function nearest(from: FocusBox, candidates: readonly FocusBox[], direction: Direction): number {
  const start = turned(from, direction);
  const isSideways = direction === 'left' || direction === 'right';
  const middle = (start.left + start.right) / 2;
  let best = -1;
  let least = Infinity;
  candidates.forEach((candidate, index) => {
    const box = turned(candidate, direction);
    // Beyond means: it begins after the start's end, or at least ends after it and begins past its middle.
    const isBeyond =
      box.top >= start.bottom - TOLERANCE ||
      (box.top > (start.top + start.bottom) / 2 && box.bottom > start.bottom + TOLERANCE);
    if (!isBeyond) return;
    const along = Math.max(0, box.top - start.bottom);
    const aside = gap(start.left, start.right, box.left, box.right);
    const fromMiddle = Math.abs((box.left + box.right) / 2 - middle) / 100;
    const score = along + aside * ASIDE + fromMiddle + (isSideways && aside > 0 ? OTHER_ROW : 0);
    if (score < least) {
      least = score;
      best = index;
    }
  });
  return best;
}
