/**
 * Going from page to page. Every entry of the history remembers how far it was scrolled and what had the
 * focus, so that going back returns to the very card that was left. The browser's own restoring is off: it
 * runs before the page has its height.
 */
import { useSyncExternalStore } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { beginPending, later } from '../pending-work.ts';

interface Place {
  scroll: number;
  focus: string | undefined;
}
interface Entry {
  entry: string;
  /** Path of the page from which this one was opened. */
  from?: string;
}
const places = new Map<string, Place>();
let count = 0;
const fresh = (): Entry => ({ entry: `${Date.now().toString(36)}-${count++}` });
const entryNow = (): string => (history.state as Entry | null)?.entry ?? 'first';
let current = 'first';
let scrolled = 0;

const focusKey = (): string | undefined => {
  const active = document.activeElement;
  if (!active?.closest('main')) return undefined;
  // A button over a card is hidden until the card has the focus.
  const link = active.closest('[data-spot]')?.querySelector('a[href]') ?? active;
  return link.getAttribute('href') ?? undefined;
};
const remember = () => places.set(current, { scroll: scrolled, focus: focusKey() });

interface Guard {
  mayLeave: () => Promise<boolean>;
  path: string;
  href: string;
  state: unknown;
}
let guard: Guard | undefined;
/** Has every way from this page to another wait for an answer; the returned function ends that. */
export function setGuard(mayLeave: () => Promise<boolean>): () => void {
  const own = {
    mayLeave,
    path: location.pathname,
    href: location.pathname + location.search,
    state: history.state as unknown,
  };
  guard = own;
  return () => {
    if (guard === own) guard = undefined;
  };
}
/** The browser changes the address before the event, so a guarded address is restored while the guard decides. */
function onPop(event: PopStateEvent): void {
  if (!guard || location.pathname === guard.path) return void remember();
  const { mayLeave, href, state } = guard;
  event.stopImmediatePropagation();
  history.pushState(state, '', href);
  void mayLeave().then((may) => {
    if (!may) return;
    guard = undefined;
    goBack();
  });
}
// Added before listeners that render: the window calls its listeners in the order in which they were added.
globalThis.addEventListener?.('popstate', onPop);

const readers = new Set<() => void>();
const notifyReaders = () => {
  for (const reader of [...readers]) reader();
};
globalThis.addEventListener?.('popstate', notifyReaders);
const subscribe = (reader: () => void) => {
  readers.add(reader);
  return () => void readers.delete(reader);
};
function push(href: string, state: unknown, { replace }: { replace: boolean }): void {
  if (replace) history.replaceState(state, '', href);
  else history.pushState(state, '', href);
  notifyReaders();
}

/** Goes to an address of the dashboard. `replace` changes the address without a step in the history. */
export function go(href: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) {
    push(href, history.state ?? fresh(), { replace });
    return;
  }
  const leave = () => {
    remember();
    push(href, { ...fresh(), from: location.pathname }, { replace });
  };
  if (guard && href.split('?')[0] !== guard.path) void guard.mayLeave().then((may) => may && leave());
  else leave();
}

/** Bound for a step that leads nowhere, because the history has no earlier entry. */
const STEP_MS = 1000;

/** Goes a step back in the history. The browser does so in a later task, and it counts until then. */
export function goBack(): void {
  const end = beginPending('leave');
  const over = () => {
    removeEventListener('popstate', over);
    cancel();
    end();
  };
  const cancel = later(STEP_MS, over);
  addEventListener('popstate', over);
  history.back();
}

/** Ends the count of a document that was to be left; it is back when the browser has kept it. */
let endLeaving: (() => void) | undefined;
globalThis.addEventListener?.('pageshow', () => {
  endLeaving?.();
  endLeaving = undefined;
});
/** Leaves the dashboard for another document. */
export function leaveTo(address: string): void {
  endLeaving ??= beginPending('leave');
  location.assign(address);
}
export function reload(): void {
  endLeaving ??= beginPending('leave');
  location.reload();
}

/**
 * Closes a page that lies over another one. Goes a step back if it was opened there, so that the step before that page
 * follows next; otherwise the other page takes its place.
 */
export function closeTo(href: string): void {
  if ((history.state as Entry | null)?.from === href.split('?')[0]) goBack();
  else go(href, { replace: true });
}

const follow = (event: MouseEvent, to: (href: string) => void): void => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.currentTarget as HTMLAnchorElement;
  if (link.target || link.origin !== location.origin) return;
  event.preventDefault();
  to(link.pathname + link.search + link.hash);
};
/** Follows a click on a link unless it asks for a new tab or a download. */
export const followClick = (event: MouseEvent): void => follow(event, (href) => go(href));
/** Closes a page by a click on the link to the one that it lies over. */
export const followClosing = (event: MouseEvent): void => follow(event, closeTo);

/**
 * Keeps trying until the page is tall enough and the card is there, the person takes over, or three seconds have
 * passed.
 */
function restore({ scroll, focus }: Place): () => void {
  let isOver = false;
  const attempt = () => {
    if (isOver) return;
    window.scrollTo(0, scroll);
    const link =
      focus === undefined
        ? undefined
        : [...document.querySelectorAll<HTMLElement>('main a[href]')].find((one) => one.getAttribute('href') === focus);
    if (link && document.activeElement !== link) link.focus({ preventScroll: true });
    if (Math.abs(window.scrollY - scroll) < 2 && (focus === undefined || link)) stop();
  };
  let cancel = () => {};
  const again = () => {
    attempt();
    if (!isOver) cancel = later(50, again);
  };
  const stop = () => {
    isOver = true;
    cancel();
    cancelLast();
    for (const name of ['wheel', 'touchstart', 'keydown']) removeEventListener(name, stop);
  };
  const cancelLast = later(3000, stop);
  for (const name of ['wheel', 'touchstart', 'keydown']) addEventListener(name, stop, { passive: true });
  again();
  return stop;
}

/**
 * Call once, near the root: puts scroll and focus where they belong whenever the page changes. `shown` is the page on
 * show.
 */
export function usePlaces(shown: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    current = entryNow();
    const onScroll = () => {
      scrolled = window.scrollY;
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    current = entryNow();
    const place = places.get(current);
    if (place) return restore(place);
    scrolled = 0;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    return;
  }, [shown]);
}

/** The path of the address, and its query. */
export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname);
export const useQueryParams = (): URLSearchParams =>
  new URLSearchParams(useSyncExternalStore(subscribe, () => location.search));
