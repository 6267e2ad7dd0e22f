/**
 * Memory of pages that stopped the process which reads books: they are refused for a while, without another try. After
 * two of them the whole book is.
 */
import type { Clock } from '../clock.ts';

export const HUNG_MS = 10 * 60_000;
const MAX_HUNG_PAGES = 2;
/** Places that are remembered; the oldest are forgotten first. */
export const MAX_HUNG = 500;

export interface HungPages {
  /** Whether this page of a book, or the book, is refused at present. */
  has(book: string, page: string): boolean;
  add(book: string, page: string): void;
}

export function createHungPages({ clock }: { clock: Pick<Clock, 'monotonic'> }): HungPages {
  const pages = new Map<string, { book: string; page: string; until: number }>();
  const keyOf = (book: string, page: string): string => `${book}\n${page}`;
  const recent = (): { book: string; page: string }[] => {
    const now = clock.monotonic();
    for (const [key, { until }] of pages) if (until <= now) pages.delete(key);
    return [...pages.values()];
  };
  return {
    has: (book, page) => {
      const own = recent().filter((one) => one.book === book);
      return own.length >= MAX_HUNG_PAGES || own.some((one) => one.page === page);
    },
    add: (book, page) => {
      pages.delete(keyOf(book, page));
      pages.set(keyOf(book, page), { book, page, until: clock.monotonic() + HUNG_MS });
      for (const oldest of pages.keys()) {
        if (pages.size <= MAX_HUNG) break;
        pages.delete(oldest);
      }
    },
  };
}
