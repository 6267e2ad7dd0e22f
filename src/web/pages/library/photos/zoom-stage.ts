/** The stage of the viewer, for photos and clips: zooming by wheel, fingers and keys, moving and swiping. */
import { focusControls, type PointerActions, sideKeys, useStagePointers, useZoom } from './touch.ts';
import { NO_ZOOM, type Size, zoomedAt } from './zoom.ts';

/** Factor of one step of a key or button. */
export const ZOOM_STEP = 1.5;
/** Pixels by which an arrow key moves a zoomed picture. */
const MOVE_PX = 120;

export type StageKeys = Record<string, (() => void) | undefined>;

/** Acts on a key that is pressed on the stage itself. */
export function actOnStageKey(event: KeyboardEvent, keys: StageKeys): void {
  if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  keys[event.key]?.();
}

export function useZoomStage(picture: Size, acts: PointerActions) {
  const zoomed = useZoom(picture);
  const { box, zoom, change } = zoomed;
  const { drag, handlers } = useStagePointers(zoomed, acts);
  const isZoomed = zoom.scale > 1;
  const zoomBy = (factor: number) => {
    acts.onTouch();
    change((before) => zoomedAt(before, { x: 0, y: 0 }, factor));
  };
  const moveBy = (x: number, y: number) => () =>
    change((before) => ({ ...before, x: before.x + x * MOVE_PX, y: before.y + y * MOVE_PX }));
  const keys: StageKeys = {
    ...(isZoomed
      ? { ArrowRight: moveBy(-1, 0), ArrowLeft: moveBy(1, 0), ArrowDown: moveBy(0, -1), ArrowUp: moveBy(0, 1) }
      : { ...sideKeys(acts), ArrowDown: () => focusControls(box.current) }),
    '+': () => zoomBy(ZOOM_STEP),
    '=': () => zoomBy(ZOOM_STEP),
    '-': () => zoomBy(1 / ZOOM_STEP),
    '0': () => change(() => NO_ZOOM),
  };
  const moved = isZoomed ? zoom : { scale: 1, x: drag?.x ?? 0, y: Math.max(0, drag?.y ?? 0) };
  return {
    ...zoomed,
    isZoomed,
    isDragged: drag !== undefined,
    zoomBy,
    keys,
    handlers,
    transform: `translate(${moved.x}px, ${moved.y}px) scale(${moved.scale})`,
  };
}
