/** Hands on the stage of the viewer: zooming, moving, swiping and tapping. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { forward } from '../../../lib/direction.ts';
import type { PhotoCard } from './cards.ts';
import type { PhotoItem } from './viewer-bar.tsx';
import { bounded, NO_ZOOM, pinched, type Point, type Size, swipeOf, type Zoom, zoomedAt } from './zoom.ts';

/** A pointer that moves less has not been dragged. */
const TAP_PX = 8;

export interface PointerActions {
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  onClose: () => void;
  /** Called when the picture is moved or zoomed. */
  onTouch: () => void;
  onTap?: (isFinger: boolean) => void;
}

export interface StageProps extends Omit<PointerActions, 'onTap'> {
  item: PhotoItem;
  /** The photos after and before, whose pictures are loaded in advance. */
  near: readonly (PhotoCard | undefined)[];
}

/** Keys that lead to the photos on both sides. */
export const sideKeys = ({
  onNext,
  onPrevious,
}: Pick<StageProps, 'onNext' | 'onPrevious'>): Record<string, (() => void) | undefined> =>
  forward() === 1 ? { ArrowRight: onNext, ArrowLeft: onPrevious } : { ArrowRight: onPrevious, ArrowLeft: onNext };

/**
 * Focuses a stage in the task that draws it. Otherwise nothing would have the focus until the next frame, and a key
 * pressed meanwhile would be lost. While the dialog is being opened the stage cannot take the focus; `autoFocus` does.
 */
export const useStageFocus = (stage: { readonly current: HTMLElement | null }): void =>
  useLayoutEffect(() => stage.current?.focus({ preventScroll: true }), []);

/** The controls lie over the picture, where arrows alone find nothing below it. */
export const focusControls = (stage: HTMLElement | null): void =>
  stage?.querySelector<HTMLElement>('[data-controls] button:not([disabled])')?.focus();

/** The element that is touched, its size, and points of it as seen from its middle. */
function useStageBox() {
  const box = useRef<HTMLDivElement>(null);
  const stage = (): Size => ({ width: box.current?.clientWidth ?? 1, height: box.current?.clientHeight ?? 1 });
  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const at = box.current?.getBoundingClientRect();
    return at ? { x: clientX - at.left - at.width / 2, y: clientY - at.top - at.height / 2 } : { x: 0, y: 0 };
  };
  return { box, stage, fromMiddle };
}

export function useZoom(picture: Size) {
  const { box, stage, fromMiddle } = useStageBox();
  const [zoom, setZoom] = useState<Zoom>(NO_ZOOM);
  const change = (how: (before: Zoom) => Zoom) => setZoom((before) => bounded(how(before), picture, stage()));
  // Preact listens to the wheel passively, and the page behind must not scroll.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      change((before) => zoomedAt(before, fromMiddle(event), Math.exp(-event.deltaY / (event.ctrlKey ? 120 : 400))));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [picture.width, picture.height]);
  return { box, zoom, change, fromMiddle, stage };
}

/** Pointers on the stage: one drags or taps, two pinch. */
export function useStagePointers(
  { zoom, change, fromMiddle, stage }: Omit<ReturnType<typeof useZoom>, 'box'>,
  { onNext, onPrevious, onClose, onTouch, onTap }: PointerActions,
) {
  const pointers = useRef(new Map<number, Point>());
  const began = useRef<Point | undefined>(undefined);
  /** How far the pointer has been from where it began. */
  const farthest = useRef(0);
  const [drag, setDrag] = useState<Point>();
  const end = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    const way = drag && swipeOf(drag, stage().width);
    const isTap = began.current !== undefined && event.button === 0 && farthest.current < TAP_PX;
    setDrag(undefined);
    began.current = undefined;
    if (isTap) onTap?.(event.pointerType === 'touch');
    if (!way) return;
    const isForward = way === 'next' ? forward() === 1 : forward() === -1;
    if (way === 'close') onClose();
    else (isForward ? onNext : onPrevious)?.();
  };
  return {
    drag,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if ((event.target as HTMLElement).closest('button, a')) return;
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, fromMiddle(event));
        began.current = pointers.current.size === 1 ? fromMiddle(event) : undefined;
        farthest.current = 0;
        setDrag(undefined);
      },
      onPointerMove: (event: PointerEvent) => {
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        const at = fromMiddle(event);
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
        pointers.current.set(event.pointerId, at);
        const from = began.current;
        if (from) farthest.current = Math.max(farthest.current, Math.hypot(at.x - from.x, at.y - from.y));
        if (other) {
          onTouch();
          change((zoomed) => pinched(zoomed, [before, other], [at, other]));
        } else if (zoom.scale > 1)
          change((zoomed) => ({ ...zoomed, x: zoomed.x + at.x - before.x, y: zoomed.y + at.y - before.y }));
        else if (from) setDrag({ x: at.x - from.x, y: at.y - from.y });
      },
      onPointerUp: end,
      onPointerCancel: (event: PointerEvent) => {
        pointers.current.delete(event.pointerId);
        setDrag(undefined);
      },
    },
  };
}
