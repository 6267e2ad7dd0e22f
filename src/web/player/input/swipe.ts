/**
 * A finger that moves over the picture: sideways seeks, up and down on the right half changes the volume. Pure; a short
 * way is still a tap.
 */
export interface Swipe {
  /** Position where the finger went down, and size of the picture. */
  x: number;
  y: number;
  width: number;
  height: number;
}
export type Move = { is: 'seek'; by: number } | { is: 'volume'; by: number };
/** Pixels that a tap may wander. */
const SLACK = 14;
/** The whole width is so many seconds, and never more than a third of the film. */
const WIDTH_S = 180;
/** Starts this close to an edge belong to the system. */
const EDGE = 24;

/**
 * Returns the meaning of a finger that has moved by `dx`, `dy` since it went down; once it has a meaning, `before`, it
 * keeps it.
 */
export function moveOf(
  { x, width, height }: Swipe,
  { dx, dy }: { dx: number; dy: number },
  duration: number,
  before?: Move['is'],
): Move | undefined {
  if (width <= 0 || height <= 0 || x < EDGE || x > width - EDGE) return undefined;
  const kind =
    before ??
    (Math.max(Math.abs(dx), Math.abs(dy)) < SLACK
      ? undefined
      : Math.abs(dx) >= Math.abs(dy)
        ? 'seek'
        : x > width / 2
          ? 'volume'
          : undefined);
  if (kind === 'seek')
    return { is: 'seek', by: Math.round((dx / width) * Math.min(WIDTH_S, duration > 0 ? duration / 3 : WIDTH_S)) };
  if (kind === 'volume') return { is: 'volume', by: Math.round((-dy / height) * 100) / 100 };
  return undefined;
}
