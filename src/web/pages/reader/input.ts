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
  /** Shows what follows or precedes: more of a page that is higher than the window, or else another page. */
  advance(way: 1 | -1): void;
  /** Scrolls by a few lines, where something can be scrolled. */
  scroll(way: 1 | -1): void;
  isRightToLeft: boolean;
}

const SWIPE_PX = 45;
/** Pixels that an arrow key scrolls, as much as browsers do. */
export const LINE_PX = 80;
/** Scale from which fingers have zoomed the page. */
const MIN_PINCHED_SCALE = 1.05;

/** Acts on a key. Returns whether it meant something. */
export function onReaderKey(event: KeyboardEvent, turning: Turning): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { forward, back, isRightToLeft } = turning;
  const onward: Record<string, () => void> = {
    ArrowRight: isRightToLeft ? back : forward,
    ArrowLeft: isRightToLeft ? forward : back,
    PageDown: () => turning.advance(1),
    PageUp: () => turning.advance(-1),
    // The keys scroll wherever the focus is: browsers scroll only what has it.
    ArrowDown: () => turning.scroll(1),
    ArrowUp: () => turning.scroll(-1),
    ' ': () => turning.advance(event.shiftKey ? -1 : 1),
    Home: turning.first,
    End: turning.last,
    '+': turning.larger,
    '=': turning.larger,
    '-': turning.smaller,
    Escape: turning.close,
    Enter: turning.toggle,
    m: turning.toggle,
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

/** Returns whether a finger moves a zoomed page sideways, so that it does not turn it. */
const isPanned = (target: Document | HTMLElement): boolean =>
  (visualViewport?.scale ?? 1) > MIN_PINCHED_SCALE ||
  (target instanceof HTMLElement && target.scrollWidth > target.clientWidth + 1);

/** Binds swipes to a document or element. Returns what unbinds them. */
export function bindSwipes(target: Document | HTMLElement, turning: () => Turning): () => void {
  let from: { x: number; y: number } | undefined;
  const start = (event: Event) => {
    const [touch, second] = (event as TouchEvent).touches;
    from = touch && !second && !isPanned(target) ? { x: touch.clientX, y: touch.clientY } : undefined;
  };
  const end = (event: Event) => {
    const [touch] = (event as TouchEvent).changedTouches;
    const began = from;
    from = undefined;
    if (!began || !touch || isPanned(target)) return;
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
