/**
 * Recognises a long press of one finger: it rests for half a second and does not move. The click that some browsers
 * send when the finger is lifted is swallowed.
 */
import { useEffect, useRef } from 'preact/hooks';
import { later } from './pending-work.ts';

const PRESS_MS = 500;
/** A finger may move by this many pixels and still rest. */
const SLIP_PX = 10;

/** Returns handlers for an element. */
export function useLongPress(onPress: () => void) {
  const state = useRef<{ cancel: (() => void) | undefined; x: number; y: number; isDone: boolean }>({
    cancel: undefined,
    x: 0,
    y: 0,
    isDone: false,
  });
  const stop = () => state.current.cancel?.();
  useEffect(() => stop, []);
  return {
    onPointerDown: (event: PointerEvent) => {
      stop();
      state.current.isDone = false;
      if (event.pointerType !== 'touch' || !event.isPrimary) return;
      state.current = {
        x: event.clientX,
        y: event.clientY,
        isDone: false,
        cancel: later(PRESS_MS, () => {
          state.current.isDone = true;
          onPress();
        }),
      };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - state.current.x, clientY - state.current.y) > SLIP_PX) stop();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    /** Whether the click that arrives now belongs to a long press. Asked once. */
    takesClick: (): boolean => {
      const { isDone } = state.current;
      state.current.isDone = false;
      return isDone;
    },
  };
}
