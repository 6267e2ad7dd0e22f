/**
 * Scrolls through pages, and says which place in them is read. A place that was gone to stays on the reading line while
 * pictures load and the window changes its width, until the reader moves.
 */
import { distanceTo, type LinePlace, type PageEdges, placeAtLine, READING_LINE, TOP_OFFSET } from './pages.ts';
import { onNextFrame } from '../../lib/pending-work.ts';

/** Pixels from an end at which it is reached: browsers round. */
const END_PX = 4;
/** Pixels by which a place differs when only the layout has changed. */
const STILL_PX = 2;
/** Share of what is visible that one step scrolls. */
const STEP = 0.9;

export interface PageScrollerNeeds {
  /** Element that scrolls. */
  box: HTMLElement;
  /** Its only child with pages. */
  content: HTMLElement;
  pages: readonly Element[];
  onPlace(place: LinePlace): void;
}

export interface PageScroller {
  go(place: LinePlace): void;
  /** Scrolls by most of the window. Returns false at the end in that direction. */
  step(way: 1 | -1): boolean;
  /** Scrolls by pixels. Returns false at the end in that direction. */
  scroll(pixels: number): boolean;
  stop(): void;
}

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
const isLoaded = (page: Element): boolean => [...page.querySelectorAll('img')].every((image) => image.complete);

export function createPageScroller({ box, content, pages, onPlace }: PageScrollerNeeds): PageScroller {
  /** Place that was gone to. Once the reader moves there is none. */
  let goal: LinePlace | undefined;
  let latest: LinePlace | undefined;
  let reported: LinePlace | undefined;
  let [width, size, scrolledTo] = [0, '', 0];
  let stopDrawing: (() => void) | undefined;
  /** Returns the visible part of the box: the bars lie over its padding. */
  const visible = () => {
    const { paddingTop, paddingBottom } = getComputedStyle(box);
    const bars = { above: Number.parseFloat(paddingTop), below: Number.parseFloat(paddingBottom) };
    return { top: box.getBoundingClientRect().top + bars.above, height: box.clientHeight - bars.above - bars.below };
  };
  const edgesOf = (page: Element, from: number): PageEdges => {
    const { top, bottom } = page.getBoundingClientRect();
    return { top: top - from, bottom: bottom - from };
  };
  const isAtEnd = (way: number): boolean =>
    way > 0 ? box.scrollTop + box.clientHeight >= box.scrollHeight - END_PX : box.scrollTop <= 0;
  const placeNow = (): LinePlace => {
    // The height of a picture that is not loaded yet is a guess.
    if (goal && !isLoaded(pages[goal.page] ?? content)) return { ...goal, offset: Math.max(TOP_OFFSET, goal.offset) };
    if (isAtEnd(1)) return { page: pages.length - 1, offset: isAtEnd(-1) ? 0 : 1 };
    const { top, height } = visible();
    return placeAtLine(
      pages.map((page) => edgesOf(page, top)),
      height * READING_LINE,
    );
  };
  const isAtReported = ({ page, offset }: LinePlace): boolean => {
    const height = pages[page]?.getBoundingClientRect().height ?? 0;
    return reported?.page === page && Math.abs(offset - reported.offset) * height < STILL_PX;
  };
  const sizeNow = () => `${content.offsetWidth} ${content.offsetHeight} ${box.clientHeight}`;
  const measure = () => {
    stopDrawing = undefined;
    // Laid out again: what is on the line now is not what was read.
    if (sizeNow() !== size) return;
    if (Math.abs(box.scrollTop - scrolledTo) > 1) goal = undefined;
    latest = placeNow();
    // Another device may have read on: only the reader moves the place, not a window that changes its size.
    if (isAtReported(latest)) return;
    reported = latest;
    onPlace(latest);
  };
  const measureLater = () => void (stopDrawing ??= onNextFrame(measure));
  const hold = () => {
    const page = goal && pages[goal.page];
    const { top, height } = visible();
    if (goal && page) box.scrollTop += distanceTo(edgesOf(page, top), goal.offset, height * READING_LINE);
    scrolledTo = box.scrollTop;
  };
  const layouts = new ResizeObserver(() => {
    if (size !== '' && width !== content.offsetWidth) goal ??= latest;
    [width, size] = [content.offsetWidth, sizeNow()];
    hold();
    measureLater();
  });
  const release = () => void (goal = undefined);
  const scroll = (pixels: number, behavior: ScrollBehavior = 'auto'): boolean => {
    release();
    if (isAtEnd(pixels)) return false;
    box.scrollBy({ top: pixels, behavior });
    return true;
  };
  box.addEventListener('scroll', measureLater, { passive: true });
  for (const type of ['wheel', 'touchmove']) box.addEventListener(type, release, { passive: true });
  for (const one of [box, content]) layouts.observe(one);
  return {
    go: (place) => {
      goal = place;
      hold();
      measureLater();
    },
    step: (way) => scroll(way * visible().height * STEP, isStill() ? 'auto' : 'smooth'),
    scroll,
    stop: () => {
      // Smooth scrolling would go on in the pages that follow.
      box.scrollTo({ top: box.scrollTop, behavior: 'instant' });
      stopDrawing?.();
      layouts.disconnect();
      box.removeEventListener('scroll', measureLater);
      for (const type of ['wheel', 'touchmove']) box.removeEventListener(type, release);
    },
  };
}
