/**
 * When the controls are on show: while paused, while something is open, and for some seconds after a hand or key has
 * moved.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

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
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const poke = useCallback(() => {
    setPoked(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPoked(false), STAY_MS);
  }, []);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setPoked(false);
  }, []);
  useEffect(() => {
    poke();
    return () => clearTimeout(timer.current);
  }, [isKept]);
  return { isShown: isPoked || isKept, poke, hide };
}
