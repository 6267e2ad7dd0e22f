/** Keys, clicks and fingers of the reader. The frame with the text has them too, so each is bound to both documents. */

export interface Turning {
  forward(): void;
  back(): void;
  first(): void;
  last(): void;
  /** Shows or hides the controls. */
  toggle(): void;
  larger(): void;
  smaller(): void;
  close(): void;
  isRightToLeft: boolean;
  /** Whether the arrows scroll the text, as in a scrolled book. */
  isScrolled: boolean;
}

const SWIPE_PX = 45;

/** Acts on a key. Returns whether it meant something. */
export function onReaderKey(event: KeyboardEvent, turning: Turning): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { forward, back, isRightToLeft } = turning;
  const onward: Record<string, () => void> = {
    ArrowRight: isRightToLeft ? back : forward,
    ArrowLeft: isRightToLeft ? forward : back,
    PageDown: forward,
    PageUp: back,
    Home: turning.first,
    End: turning.last,
    '+': turning.larger,
    '=': turning.larger,
    '-': turning.smaller,
    Escape: turning.close,
    Enter: turning.toggle,
    m: turning.toggle,
    ...(!turning.isScrolled && { ' ': event.shiftKey ? back : forward }),
  };
  const act = onward[event.key];
  if (!act) return false;
  event.preventDefault();
  act();
  return true;
}

/** Turns the page for a click in the outer thirds of a width, and shows the controls for one in the middle. */
export function onReaderClick(x: number, width: number, { forward, back, toggle, isRightToLeft }: Turning): void {
  if (x < width / 3) (isRightToLeft ? forward : back)();
  else if (x > (width * 2) / 3) (isRightToLeft ? back : forward)();
  else toggle();
}

/** Binds swipes to a document or element. Returns what unbinds them. */
export function bindSwipes(target: Document | HTMLElement, turning: () => Turning): () => void {
  let from: { x: number; y: number } | undefined;
  const start = (event: Event) => {
    const [touch, second] = (event as TouchEvent).touches;
    from = touch && !second ? { x: touch.clientX, y: touch.clientY } : undefined;
  };
  const end = (event: Event) => {
    const [touch] = (event as TouchEvent).changedTouches;
    const began = from;
    from = undefined;
    if (!began || !touch) return;
    const [x, y] = [touch.clientX - began.x, touch.clientY - began.y];
    if (Math.abs(x) < SWIPE_PX || Math.abs(x) < Math.abs(y) * 1.5) return;
    const { forward, back, isRightToLeft } = turning();
    (x < 0 === isRightToLeft ? back : forward)();
  };
  target.addEventListener('touchstart', start, { passive: true });
  target.addEventListener('touchend', end, { passive: true });
  return () => {
    target.removeEventListener('touchstart', start);
    target.removeEventListener('touchend', end);
  };
}
