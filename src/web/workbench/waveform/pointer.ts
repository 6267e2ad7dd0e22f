/**
 * Mouse, pen and fingers on the waveform: a press goes to that time, a drag moves along, two fingers or the wheel with
 * Ctrl zoom. A proposed line is dragged to where it belongs. Callbacks receive times, not pixels.
 */
import { useEffect, useRef } from 'preact/hooks';
import type { Store } from '../../lib/store.ts';
import { panned, timeAt, zoomed, type WaveformView } from './geometry.ts';

/** A press that moves farther than this is a drag. */
const SLOP_PX = 5;
const WHEEL_ZOOM = 1.0015;

export interface PointerNeeds {
  view: Store<WaveformView>;
  duration: number;
  /** `y` is 0 at the top to 1 at the foot. */
  onPress: (time: number, press: { y: number; isAnchor: boolean }) => void;
  /** The proposed line that is taken hold of there, by a mouse or pen; a finger moves the view. */
  lineAt: (time: number, y: number) => number | undefined;
  /** It is dragged by so many seconds; undefined when it is let go of. */
  onDrag: (drag: { index: number; by: number } | undefined) => void;
  onDrop: (drag: { index: number; by: number }) => void;
}

export function usePointers(box: { readonly current: HTMLElement | null }, needs: PointerNeeds): void {
  const now = useRef(needs);
  now.current = needs;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const held = new Map<number, { x: number; start: number }>();
    let isDrag = false;
    let grabbed: { index: number; from: number } | undefined;
    const place = (event: MouseEvent) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: event.clientX - left, y: (event.clientY - top) / height, width };
    };
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (held.size === 0) isDrag = false;
      const { x, y, width } = place(event);
      const time = timeAt(now.current.view.get(), width, x);
      const index = event.pointerType === 'touch' || event.shiftKey ? undefined : now.current.lineAt(time, y);
      grabbed = index === undefined ? undefined : { index, from: time };
      held.set(event.pointerId, { x, start: x });
      element.setPointerCapture(event.pointerId);
    };
    const dragged = (event: PointerEvent) => {
      const { x, width } = place(event);
      return grabbed && { index: grabbed.index, by: timeAt(now.current.view.get(), width, x) - grabbed.from };
    };
    const onMove = (event: PointerEvent) => {
      const finger = held.get(event.pointerId);
      if (!finger) return;
      const { x, width } = place(event);
      const { view, duration } = now.current;
      const seen = view.get();
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        isDrag = true;
        const before = Math.abs(finger.x - other.x);
        const after = Math.abs(x - other.x);
        // The time between the fingers stays between them, also when both move to one side.
        const middle = timeAt(seen, width, (finger.x + other.x) / 2);
        const next = before > SLOP_PX && after > SLOP_PX ? zoomed(seen, after / before, middle, duration) : seen;
        view.set(panned(next, middle - timeAt(next, width, (x + other.x) / 2), duration));
      } else if (isDrag || Math.abs(x - finger.start) > SLOP_PX) {
        isDrag = true;
        if (grabbed) now.current.onDrag(dragged(event));
        else view.set(panned(seen, ((finger.x - x) / width) * (seen.to - seen.from), duration));
      }
      finger.x = x;
    };
    const onUp = (event: PointerEvent) => {
      const finger = held.get(event.pointerId);
      held.delete(event.pointerId);
      const drag = isDrag && event.type !== 'pointercancel' ? dragged(event) : undefined;
      if (grabbed) now.current.onDrag(undefined);
      grabbed = undefined;
      if (drag) now.current.onDrop(drag);
      if (!finger || isDrag || event.type === 'pointercancel') return;
      const { x, y, width } = place(event);
      now.current.onPress(timeAt(now.current.view.get(), width, x), { y, isAnchor: event.shiftKey });
    };
    const onWheel = (event: WheelEvent) => {
      const { view, duration } = now.current;
      const seen = view.get();
      const { x, width } = place(event);
      event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.altKey)
        return view.set(zoomed(seen, WHEEL_ZOOM ** -event.deltaY, timeAt(seen, width, x), duration));
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
      return view.set(panned(seen, (delta / width) * (seen.to - seen.from), duration));
    };
    const heard: readonly [string, (event: never) => void][] = [
      ['pointerdown', onDown],
      ['pointermove', onMove],
      ['pointerup', onUp],
      ['pointercancel', onUp],
    ];
    for (const [name, listener] of heard) element.addEventListener(name, listener as EventListener);
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      for (const [name, listener] of heard) element.removeEventListener(name, listener as EventListener);
      element.removeEventListener('wheel', onWheel);
    };
  }, []);
}
