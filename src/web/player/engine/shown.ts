/**
 * When the controls are on show: while paused, while something is open, and for some seconds after a hand or key has
 * moved.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { later } from '../../lib/pending-work.ts';

const STAY_MS = 3200;

export interface ControlsVisibility {
  isShown: boolean;
  /** Shows them for some seconds. */
  poke: () => void;
  hide: () => void;
}
/** `isKept` keeps them on show. */
export function useShown(isKept: boolean): ControlsVisibility {
  const [isPoked, setPoked] = useState(true);
  const stop = useRef<() => void>(undefined);
  const poke = useCallback(() => {
    setPoked(true);
    stop.current?.();
    stop.current = later(STAY_MS, () => setPoked(false), { isBackground: true });
  }, []);
  const hide = useCallback(() => {
    stop.current?.();
    setPoked(false);
  }, []);
  useEffect(() => {
    poke();
    return () => stop.current?.();
  }, [isKept]);
  return { isShown: isPoked || isKept, poke, hide };
}
