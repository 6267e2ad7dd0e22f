/** Ways through the pages of a comic or PDF, by how they are laid out. */
import { LINE_PX, type Turning } from './input.ts';
import type { PageScroller } from './page-scroller.ts';
import type { ReaderPlace } from './reports.ts';

/** Whole pages, pages as wide as the window, or all of them one below the other. */
export type ComicLayout = 'whole' | 'width' | 'scrolled';
export type ComicTurns = Pick<Turning, 'forward' | 'back' | 'first' | 'last' | 'advance' | 'scroll'>;

export interface ComicTurnNeeds {
  layout: ComicLayout;
  pages: number;
  /** Shows the pages after or before those on show, from a place in them. */
  turn(way: 1 | -1, offset: number): void;
  go(place: ReaderPlace): void;
  stage(): HTMLElement | null;
  scroller(): PageScroller | undefined;
}

export function createComicTurns({ layout, pages, turn, go, stage, scroller }: ComicTurnNeeds): ComicTurns {
  const first = () => go({ part: 0, offset: 0 });
  const forward = () => turn(1, 0);
  const back = () => turn(-1, 0);
  const last = () => go({ part: pages - 1, offset: 0 });
  if (layout === 'whole')
    return {
      ...{ forward, back, first, last },
      advance: (way) => turn(way, 0),
      scroll: (way) => stage()?.scrollBy({ top: way * LINE_PX }),
    };
  const step = (way: 1 | -1) => scroller()?.step(way);
  const scroll = (way: 1 | -1) => scroller()?.scroll(way * LINE_PX);
  if (layout === 'scrolled')
    return {
      ...{ forward: () => step(1), back: () => step(-1), first, advance: step, scroll },
      last: () => go({ part: pages - 1, offset: 1 }),
    };
  // Backwards, a page is read from its end.
  const turnAtEnd = (way: 1 | -1) => turn(way, way > 0 ? 0 : 1);
  return {
    ...{ forward, back, first, last },
    advance: (way) => step(way) === false && turnAtEnd(way),
    scroll: (way) => scroll(way) === false && turnAtEnd(way),
  };
}
