/**
 * Finds the element that an arrow key moves the focus to: the nearest in that direction. Left and right prefer elements
 * in line, so that they stay in their row. Pure.
 */
export interface FocusBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /**
   * Whether it is in another part of the page, such as the sidebar or a bar that covers the end of the window. Up and
   * down reach it only if it is in line and nothing of the same part lies that way.
   */
  isElsewhere?: boolean;
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
/** Pixels that up and down add to the distance of an element that is not in line with the start. */
const OUT_OF_LINE = 64;
/** More than any page is wide. */
const OTHER_ROW = 100_000;
/** Weight of the distance from the middle: decides among elements of one row, whose edges differ by some pixels. */
const FROM_MIDDLE = 0.1;

/**
 * Returns the index of the nearest candidate, or -1 when nothing lies that way. `goal` is where the middle of the start
 * is taken to be: a column that was left for an element as wide as the page is returned to.
 */
export function nearest(from: FocusBox, candidates: readonly FocusBox[], direction: Direction, goal?: number): number {
  const start = turned(from, direction);
  const isSideways = direction === 'left' || direction === 'right';
  const middle = Math.min(start.right, Math.max(start.left, goal ?? (start.left + start.right) / 2));
  const all = candidates.flatMap((candidate, index) => {
    const box = turned(candidate, direction);
    // Beyond means: it begins after the start's end, or at least ends after it and begins past its middle.
    const isBeyond =
      box.top >= start.bottom - TOLERANCE ||
      (box.top > (start.top + start.bottom) / 2 && box.bottom > start.bottom + TOLERANCE);
    const aside = gap(start.left, start.right, box.left, box.right);
    if (!isBeyond || (!isSideways && candidate.isElsewhere === true && aside > 0)) return [];
    const along = Math.max(0, box.top - start.bottom);
    const fromMiddle = gap(middle, middle, box.left, box.right) + Math.abs((box.left + box.right) / 2 - middle) / 100;
    const outOfLine = aside === 0 ? 0 : isSideways ? OTHER_ROW : OUT_OF_LINE;
    const score = Math.hypot(along, aside) + fromMiddle * FROM_MIDDLE + outOfLine;
    return [{ index, box, score, isElsewhere: candidate.isElsewhere === true }];
  });
  const ofSamePart = isSideways ? [] : all.filter(({ isElsewhere }) => !isElsewhere);
  const beyond = ofSamePart.length > 0 ? ofSamePart : all;
  if (beyond.length === 0) return -1;
  const closest = beyond.reduce((best, one) => (one.score < best.score ? one : best));
  if (isSideways) return closest.index;
  // Controls of one row begin at different heights. The one in the column is meant, wherever it begins.
  const inColumn = beyond.filter(
    ({ box }) =>
      box.left <= middle && middle < box.right && box.top < closest.box.bottom && closest.box.top < box.bottom,
  );
  return inColumn.reduce((best, one) => (one.score < best.score ? one : best), inColumn[0] ?? closest).index;
}
