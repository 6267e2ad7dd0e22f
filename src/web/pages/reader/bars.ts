/**
 * Which of the reader's bars has the focus, and what shows them.
 *
 * With a keyboard and a pointer, arrows turn pages wherever the focus is. A remote control has little else than arrows:
 * they turn pages until OK leads into the bars, move among the controls there, and Back leads out again.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { isBackKey } from '../../lib/spatial-dom.ts';
import { isTelevision } from '../../lib/theme.ts';

const BAR = '[data-bar]';
/** Attributes of a bar. */
export const barMarks = () => ({ 'data-bar': '', 'data-arrows': isTelevision() ? 'bar' : 'own' });
const isIn = (target: EventTarget | null, part: string): boolean =>
  target instanceof Element && target.closest(part) !== null;

/** Returns whether an arrow of a remote control moves among the controls of a bar. */
export const isForBars = (event: KeyboardEvent): boolean =>
  isTelevision() && event.key.startsWith('Arrow') && isIn(event.target, BAR);

export function useBars() {
  const [hasControls, setControls] = useState(true);
  const reader = useRef<HTMLDivElement>(null);
  const enter = () =>
    reader.current?.querySelector<HTMLElement>(`${BAR} :is(a, button)`)?.focus({ preventScroll: true });
  const isOpened = useRef(false);
  useEffect(() => {
    // A book begins with its pages on a television, and with a keyboard the controls are next.
    if (hasControls && (isOpened.current || !isTelevision())) enter();
    else if (isTelevision()) reader.current?.focus({ preventScroll: true });
    isOpened.current = true;
  }, [hasControls]);
  useEffect(() => {
    if (!isTelevision()) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return;
      const isInBar = isIn(event.target, BAR);
      const isLeaving = isInBar && (event.key === 'Escape' || isBackKey(event));
      if (!isLeaving && (isInBar || event.key !== 'Enter')) return;
      event.preventDefault();
      setControls(!isLeaving);
      if (!isLeaving) enter();
    };
    // Before those who would leave the page.
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, []);
  return { hasControls, setControls, reader };
}
