/** Arithmetic of pages: which are shown together, and which part of a text a page is. Pure. */

/**
 * Returns the first page of each view of a comic. Two pages are shown side by side except for the cover, for pages that
 * are wider than high, and for one that would otherwise be next to such a page.
 */
export function spreads(pages: number, isDouble: boolean, isWide: (page: number) => boolean): number[] {
  if (!isDouble) return Array.from({ length: pages }, (_, page) => page);
  const starts: number[] = [];
  for (let page = 0; page < pages;) {
    starts.push(page);
    const isAlone = page === 0 || isWide(page) || page + 1 >= pages || isWide(page + 1);
    page += isAlone ? 1 : 2;
  }
  return starts;
}

/** Returns the index of the view that shows a page. */
export function spreadOf(starts: readonly number[], page: number): number {
  const after = starts.findIndex((start) => start > page);
  return after < 0 ? starts.length - 1 : Math.max(0, after - 1);
}

/** Returns the page on which a line across the window lies. The lower edges of the pages are in their order. */
export function pageAtLine(bottoms: readonly number[], line: number): number {
  const at = bottoms.findIndex((bottom) => bottom > line);
  return at < 0 ? Math.max(0, bottoms.length - 1) : at;
}

/** Share of what is visible down to which pages that scroll are read. */
export const READING_LINE = 0.3;
/** Offset at the top of a page of which only a part is shown. 0 is that of a page that is shown as a whole. */
export const TOP_OFFSET = 0.001;

/** Upper and lower edge of a page, from the top of what is visible. */
export interface PageEdges {
  top: number;
  bottom: number;
}
/** A page, and the share of its height that is above the reading line. */
export interface LinePlace {
  page: number;
  offset: number;
}

/** Returns the place in pages, which are in their order, that lies on a line across the window. */
export function placeAtLine(pages: readonly PageEdges[], line: number): LinePlace {
  const page = pageAtLine(
    pages.map(({ bottom }) => bottom),
    line,
  );
  const { top, bottom } = pages[page] ?? { top: 0, bottom: 0 };
  return { page, offset: Math.min(1, Math.max(TOP_OFFSET, (line - top) / Math.max(1, bottom - top))) };
}

/** Returns how far to scroll so that a place in a page lies on the line. A page without one begins at the top. */
export const distanceTo = ({ top, bottom }: PageEdges, offset: number, line: number): number =>
  offset <= TOP_OFFSET ? top : top + offset * (bottom - top) - line;

/** Returns how many pages of the screen's width a text fills. */
export const pageCount = (length: number, width: number): number =>
  Math.max(1, Math.round(length / Math.max(1, width)));

/** Returns the place of a page in its part, from 0 to 1. The last page is the end. */
export const offsetOf = (page: number, pages: number): number => (page + 1 >= pages ? 1 : page / pages);

/** Returns the page at a place of a part. */
export const pageAtOffset = (offset: number, pages: number): number =>
  Math.min(pages - 1, Math.max(0, Math.floor(offset * pages + 1e-6)));

/**
 * Returns where a text occurs on lines, whatever its case, as the characters of each line that it covers. A match may
 * begin on one line and end on the next.
 */
export function matchesOnLines(lines: readonly string[], text: string): { line: number; from: number; to: number }[][] {
  const wanted = text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  // Lower case may be longer: such a line is compared as it is.
  const folded = lines.map((line) => (line.toLowerCase().length === line.length ? line.toLowerCase() : line));
  const starts: number[] = [];
  let length = 0;
  for (const line of folded) {
    starts.push(length);
    length += line.length + 1;
  }
  const all = folded.join(' ').replaceAll(/\s/g, ' ');
  const matches: { line: number; from: number; to: number }[][] = [];
  for (let at = all.indexOf(wanted); at >= 0 && wanted !== ''; at = all.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    matches.push(
      folded.flatMap((line, number) => {
        const start = starts[number] ?? 0;
        const [from, to] = [Math.max(0, at - start), Math.min(line.length, end - start)];
        return from < to ? [{ line: number, from, to }] : [];
      }),
    );
  }
  return matches;
}
