/**
 * Arrow keys move the focus, for a remote control and for a keyboard. On a television from the start;
 * elsewhere once the keyboard is being used to move the focus, so that arrows still scroll for a mouse.
 */
import { useEffect } from 'preact/hooks';
import { isTelevision } from './theme.ts';
import { nearest, type Direction } from './spatial.ts';

const DIRECTIONS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const FOCUSABLE = [
  'a[href]',
  'button:not([disabled])',
  'input:not([disabled]):not([type=hidden])',
  'select:not([disabled])',
  'textarea:not([disabled])',
  'summary',
  '[tabindex="0"]',
].join();

/** Whether an arrow means something inside this element already. */
function keepsArrow(element: Element, direction: Direction): boolean {
  const isSideways = direction === 'left' || direction === 'right';
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  if (element instanceof HTMLInputElement) {
    if (['range', 'radio', 'number', 'date', 'time'].includes(element.type)) return true;
    if (['checkbox', 'button', 'submit'].includes(element.type)) return false;
    return isSideways && element.value !== '';
  }
  return (element as HTMLElement).isContentEditable || element.closest('[data-arrows="own"]') !== null;
}
const isShown = (element: HTMLElement, { width, height }: DOMRect): boolean =>
  width > 0 && height > 0 && element.tabIndex >= 0 && element.closest('[hidden], [inert], .unseen') === null;

const ringIsOn = (element: Element): boolean => {
  try {
    return element.matches(':focus-visible');
  } catch {
    return true;
  }
};

function move(direction: Direction): boolean {
  const focused = document.activeElement as HTMLElement | null;
  // The page itself, and what merely holds it, is no place to start from.
  const active = focused && focused !== document.body && focused.tagName !== 'MAIN' ? focused : undefined;
  const layer = document.querySelector<HTMLElement>('dialog[open]') ?? document.body;
  const all = [...layer.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => !active?.contains(one));
  const boxes = all.map((one) => one.getBoundingClientRect());
  const isIn = all.map((one, at) => isShown(one, boxes[at] as DOMRect));
  const choices = all.filter((_, at) => isIn[at]);
  const start = active?.getBoundingClientRect();
  const main = document.querySelector('main');
  const target = start
    ? choices[
        nearest(
          start,
          boxes.filter((_, at) => isIn[at]),
          direction,
        )
      ]
    : (choices.find((one) => main?.contains(one) && one.getBoundingClientRect().top >= 0) ?? choices[0]);
  if (!target) return false;
  target.focus({ preventScroll: true });
  target.scrollIntoView({
    block: 'nearest',
    inline: 'nearest',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  });
  return true;
}

/** The back key of a remote control: its name, and the codes of the two systems that have none. */
const isBack = (event: KeyboardEvent): boolean =>
  event.key === 'GoBack' || event.key === 'BrowserBack' || event.keyCode === 461 || event.keyCode === 10_009;
function stepBack(): void {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  // A dialog listens to cancel, as Escape would have it.
  if (dialog) dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  else history.back();
}

export function useSpatialNavigation(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isBack(event) && !event.defaultPrevented) {
        event.preventDefault();
        stepBack();
        return;
      }
      const direction = DIRECTIONS[event.key];
      if (
        direction === undefined ||
        event.defaultPrevented ||
        event.altKey ||
        event.ctrlKey ||
        event.metaKey ||
        event.shiftKey
      )
        return;
      const active = document.activeElement;
      const isAnywhere = !active || active === document.body || active.tagName === 'MAIN';
      if (isAnywhere ? !isTelevision() : !ringIsOn(active) || keepsArrow(active, direction)) return;
      if (move(direction)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
