/**
 * Arrow keys move the focus, for a remote control and for a keyboard. On a television from the start;
 * elsewhere once the keyboard is being used to move the focus, so that arrows still scroll for a mouse.
 */
import { useEffect } from 'preact/hooks';
import { isTelevision } from './theme.ts';
import { nearest, type Direction } from './spatial.ts';
import { goBack } from './navigation/navigate.ts';

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

/** Whether a part of the page has arrows for itself. What lies in it may not: a dialog, or `data-arrows="bar"`. */
const isOwn = (element: Element): boolean =>
  element.closest('[data-arrows], dialog')?.getAttribute('data-arrows') === 'own';

/** Whether an arrow means something inside this element already. */
function keepsArrow(element: Element, direction: Direction): boolean {
  const isSideways = direction === 'left' || direction === 'right';
  // A remote control has only arrows to leave a field with; its OK key opens the choices.
  if (element instanceof HTMLTextAreaElement) return !isTelevision() || (isSideways && element.value !== '');
  if (element instanceof HTMLSelectElement) return !isTelevision();
  if (element instanceof HTMLInputElement) {
    if (['range', 'radio', 'number', 'date', 'time'].includes(element.type)) return isSideways || !isTelevision();
    if (['checkbox', 'button', 'submit'].includes(element.type)) return false;
    return isSideways && element.value !== '';
  }
  return (element as HTMLElement).isContentEditable || isOwn(element);
}
/** A part with several controls that arrows reach as one, by its first control: a card with its buttons. */
const SPOT = '[data-spot]';
/** Returns the label that is drawn in place of a choice among several. */
const drawnLabel = (element: HTMLElement): HTMLElement | null =>
  element instanceof HTMLInputElement && element.type === 'radio' && element.matches('.unseen')
    ? element.closest('label')
    : null;
const boxOf = (element: HTMLElement): DOMRect => (drawnLabel(element) ?? element).getBoundingClientRect();
const isShown = (element: HTMLElement, { width, height }: DOMRect): boolean => {
  const label = drawnLabel(element);
  // Arrows lead to the choice that is made; from there, those to the sides choose another.
  if (label && !(element as HTMLInputElement).checked) return false;
  if (width === 0 || height === 0 || element.tabIndex < 0 || (label ?? element).closest('[hidden], [inert], .unseen'))
    return false;
  const spot = element.closest(SPOT);
  return spot === null || spot === element || spot.querySelector(FOCUSABLE) === element;
};

const ringIsOn = (element: Element): boolean => {
  try {
    return element.matches(':focus-visible');
  } catch {
    return true;
  }
};

/** The part of the page that an element is in. */
const partOf = (element: Element | undefined): Element | null | undefined => element?.closest('nav, main, dialog');
/** The column in which moves up and down began, and the element that the latest of them led to. */
let column: { x: number; at: Element } | undefined;

function move(direction: Direction): boolean {
  const focused = document.activeElement as HTMLElement | null;
  // The page itself, and what merely holds it, is no place to start from.
  const active = focused && focused !== document.body && focused.tagName !== 'MAIN' ? focused : undefined;
  const layer = document.querySelector<HTMLElement>('dialog[open]') ?? document.body;
  const from = active?.closest<HTMLElement>(SPOT) ?? active;
  const all = [...layer.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => !from?.contains(one));
  const boxes = all.map(boxOf);
  const isIn = all.map((one, at) => isShown(one, boxes[at] as DOMRect));
  const choices = all.filter((_, at) => isIn[at]);
  const begin = from?.matches(SPOT) ? from.querySelector<HTMLElement>(FOCUSABLE) : from;
  const start = begin ? boxOf(begin) : undefined;
  const main = document.querySelector('main');
  const isVertical = direction === 'up' || direction === 'down';
  const goal = !start || !isVertical ? undefined : column?.at === active ? column?.x : (start.left + start.right) / 2;
  const target = start
    ? choices[
        nearest(
          start,
          boxes
            .filter((_, at) => isIn[at])
            .map(({ left, top, right, bottom }, at) => ({
              left,
              top,
              right,
              bottom,
              isElsewhere: partOf(choices[at]) !== partOf(active),
            })),
          direction,
          goal,
        )
      ]
    : (choices.find((one) => main?.contains(one) && one.getBoundingClientRect().top >= 0) ?? choices[0]);
  if (!target) return false;
  column = goal === undefined ? undefined : { x: goal, at: target };
  target.focus({ preventScroll: true });
  target.scrollIntoView({
    block: 'nearest',
    inline: 'nearest',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  });
  return true;
}

/** The back key of a remote control: its name, and the codes of the two systems that have none. */
export const isBackKey = (event: KeyboardEvent): boolean =>
  event.key === 'GoBack' || event.key === 'BrowserBack' || event.keyCode === 461 || event.keyCode === 10_009;
/** Closes what Escape closes, such as a menu or a selection; without one, closes the dialog or goes a page back. */
function stepBack(target: EventTarget): void {
  const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
  if (!target.dispatchEvent(escape)) return;
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  // A dialog listens to cancel, as Escape would have it.
  if (dialog) dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  else goBack();
}

export function useSpatialNavigation(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isBackKey(event) && !event.defaultPrevented) {
        event.preventDefault();
        stepBack(event.target ?? document.body);
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
