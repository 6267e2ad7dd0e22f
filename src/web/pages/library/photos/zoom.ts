/** The arithmetic of a picture that is zoomed and moved. Pure. Points are measured from the middle of the stage. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}
export interface Point {
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}

export const MAX_ZOOM = 8;
export const DOUBLE_ZOOM = 2.5;
export const NO_ZOOM: Zoom = { scale: 1, x: 0, y: 0 };

/** Returns the size of a picture that fits the stage. */
export function fitted(picture: Size, stage: Size): Size {
  if (picture.width <= 0 || picture.height <= 0) return stage;
  const scale = Math.min(stage.width / picture.width, stage.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** Keeps the picture on the stage: no further than its edge at the edge of the stage, and in the middle if it fits. */
export function bounded({ scale, x, y }: Zoom, picture: Size, stage: Size): Zoom {
  const kept = Math.min(MAX_ZOOM, Math.max(1, scale));
  const shown = fitted(picture, stage);
  const within = (value: number, size: number, room: number): number => {
    const most = Math.max(0, (size * kept - room) / 2);
    return Math.min(most, Math.max(-most, value));
  };
  return { scale: kept, x: within(x, shown.width, stage.width), y: within(y, shown.height, stage.height) };
}

/** Zooms by a factor so that the point of the picture under `at` stays there. */
export function zoomedAt(zoom: Zoom, at: Point, factor: number): Zoom {
  const scale = Math.min(MAX_ZOOM, Math.max(1, zoom.scale * factor));
  const by = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by };
}

/** Moves and zooms as two fingers do: from where they were to where they are. */
export function pinched(zoom: Zoom, before: readonly [Point, Point], after: readonly [Point, Point]): Zoom {
  const distance = ([a, b]: readonly [Point, Point]) => Math.hypot(a.x - b.x, a.y - b.y);
  const middle = ([a, b]: readonly [Point, Point]): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const [from, to] = [middle(before), middle(after)];
  const moved = { ...zoom, x: zoom.x + to.x - from.x, y: zoom.y + to.y - from.y };
  return zoomedAt(moved, to, distance(after) / Math.max(1, distance(before)));
}

/** Returns the meaning of a drag across a picture that is not zoomed. */
export function swipeOf({ x, y }: Point, width: number): 'next' | 'previous' | 'close' | undefined {
  if (Math.abs(x) > Math.abs(y) * 1.5 && Math.abs(x) > Math.min(120, width * 0.15)) return x < 0 ? 'next' : 'previous';
  return y > 120 && y > Math.abs(x) * 1.5 ? 'close' : undefined;
}
