/**
 * Lays out the text of a part in its frame: in columns of the width of the screen, of which one page is shown, or as
 * one column that scrolls. The part has its own document, in which nothing runs; this page sets its style.
 */
import type { ReadingPreferences } from './preferences.ts';

/** Colours of the text and its ground. */
const COLOURS: Readonly<Record<ReadingPreferences['theme'], { ground: string; text: string; link: string }>> = {
  light: { ground: '#ffffff', text: '#1d1b19', link: '#7e3206' },
  sepia: { ground: '#f4ecd8', text: '#3f3226', link: '#7e3206' },
  dark: { ground: '#16181f', text: '#dedbd5', link: '#ffb38a' },
};
export const groundOf = ({ theme }: Pick<ReadingPreferences, 'theme'>): string => COLOURS[theme].ground;

const XHTML = 'http://www.w3.org/1999/xhtml';
const STYLE_ID = 'matinee-reader';
const GAP = 48;
const EDGE = 24;
/** Room for the bars above and below, which must not cover lines, in sizes of the dashboard's text. */
const BAR_EM = 4;
/** Width from which two columns are shown side by side. */
const WIDE = 1100;

export interface Box {
  width: number;
  height: number;
}

/** Returns the text size of the dashboard in pixels: larger on a television, where the bars grow with it. */
const textSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Returns the height of the bars in pixels. */
export const barHeight = (): number => BAR_EM * textSize();

/** Colours of the book do not fit a ground of another colour. */
const PLAIN_TEXT =
  'body *:not(img):not(svg):not(svg *) { color: inherit !important; background-color: transparent !important; }';
const COMMON = ({ theme, size }: ReadingPreferences, em: number): string => {
  const { ground, text, link } = COLOURS[theme];
  return `
html { margin: 0 !important; padding: 0 !important; background: ${ground} !important; color: ${text} !important;
  font-size: ${(size / 100) * em}px !important; line-height: 1.55; color-scheme: ${theme === 'dark' ? 'dark' : 'light'};
  -webkit-text-size-adjust: 100%; }
body { background: transparent !important; color: inherit !important; overflow-wrap: break-word; }
${theme === 'light' ? '' : PLAIN_TEXT}
a[href], a[href] * { color: ${link} !important; }
img, svg, video { max-width: 100% !important; object-fit: contain; break-inside: avoid; }
pre { white-space: pre-wrap !important; overflow-wrap: anywhere !important; }
`;
};

const styleOf = (preferences: ReadingPreferences, { width, height }: Box): string => {
  const em = textSize();
  const bar = barHeight();
  if (preferences.isScrolled)
    return `${COMMON(preferences, em)}
html { overflow-x: hidden !important; overflow-y: auto !important; }
body { box-sizing: border-box !important; max-width: 44rem !important; margin: 0 auto !important;
  padding: ${bar}px ${EDGE}px 30vh !important; }`;
  const columns = width >= WIDE ? 2 : 1;
  const inside = height - 2 * bar;
  return `${COMMON(preferences, em)}
html { overflow: hidden !important; height: 100% !important; }
body { box-sizing: border-box !important; width: ${width}px !important; height: ${height}px !important;
  max-width: none !important; margin: 0 !important; padding: ${bar}px ${GAP / 2}px !important;
  column-width: ${width / columns - GAP}px !important; column-count: auto !important; column-gap: ${GAP}px !important;
  column-fill: auto !important; }
img, svg, video { max-height: ${inside}px !important; }`;
};

/** Sets the style of a part, in place of the one that was set before. */
export function applyStyle(document: Document, preferences: ReadingPreferences, box: Box): void {
  const style =
    document.getElementById(STYLE_ID) ??
    document.head.appendChild(
      Object.assign(document.createElementNS(XHTML, 'style') as HTMLStyleElement, { id: STYLE_ID }),
    );
  style.textContent = styleOf(preferences, box);
}

const isBackwards = (document: Document): boolean =>
  document.defaultView?.getComputedStyle(document.documentElement).direction === 'rtl';

/** Returns how many pages a part has in columns. */
export function countPages(document: Document, { width }: Box): number {
  document.body.style.transform = 'none';
  document.defaultView?.scrollTo(0, 0);
  return Math.max(1, Math.ceil((document.documentElement.scrollWidth + GAP / 2) / Math.max(1, width) - 0.25));
}

/** Shows a page of a part in columns. */
export function movePage(document: Document, page: number, { width }: Box): void {
  const shift = page * width * (isBackwards(document) ? 1 : -1);
  document.body.style.transform = `translateX(${shift}px)`;
  document.defaultView?.scrollTo(0, 0);
}

/** Returns the page on which a box of the document is, if `page` is shown now. */
export function pageOfBox(
  document: Document,
  { left, right }: Pick<DOMRect, 'left' | 'right'>,
  page: number,
  { width }: Box,
) {
  const from = isBackwards(document) ? width - right : left;
  return Math.max(0, Math.floor((from + page * width) / width));
}

/** Returns the first text that is shown, as a range of one character. Pictures have none. */
export function firstShown(document: Document, { width, height }: Box): Range | undefined {
  const bar = barHeight();
  const left = isBackwards(document) ? width - GAP / 2 - 2 : GAP / 2 + 2;
  for (let y = bar + 2; y < height - bar; y += 6)
    // A column of scrolled text is not as wide as the window.
    for (const x of [left, width / 2]) {
      const range = characterAt(document, x, y);
      const area = range?.getBoundingClientRect();
      if (area && area.height > 0 && area.bottom > bar && area.left >= 0 && area.right <= width) return range;
    }
  return undefined;
}

/** Returns the character of the text at a point of the window. */
function characterAt(document: Document, x: number, y: number): Range | undefined {
  const caret = document.caretPositionFromPoint?.(x, y);
  // Safari has only the older way.
  const older = caret ? undefined : document.caretRangeFromPoint?.(x, y);
  const [node, at] = caret ? [caret.offsetNode, caret.offset] : [older?.startContainer, older?.startOffset ?? 0];
  const length = node?.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '').length : 0;
  if (!node || length === 0) return undefined;
  const range = document.createRange();
  range.setStart(node, Math.min(at, length - 1));
  range.setEnd(node, Math.min(at, length - 1) + 1);
  return range;
}

/**
 * Lets the browser find out again that the text scrolls. Chromium ignores the wheel and fingers over a frame that
 * began to scroll while a modal dialog was open.
 */
export function redrawScroller(document: Document | undefined): void {
  if (!document) return;
  const { documentElement } = document;
  documentElement.style.setProperty('overflow', 'hidden', 'important');
  documentElement.getBoundingClientRect();
  documentElement.style.removeProperty('overflow');
}

/** Selector of elements that begin a line: all but those inside one. */
const NOT_IN_LINE = `:not(${[
  ...['a', 'abbr', 'acronym', 'b', 'bdi', 'bdo', 'big', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i'],
  ...['img', 'ins', 'kbd', 'mark', 'q', 'rb', 'rp', 'rt', 'rtc', 'ruby', 's', 'samp', 'small', 'span', 'strike'],
  ...['strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr'],
].join()})`;

/** Returns the range of the match with a number among those of a text, whatever its case and white space. */
export function findMatch(document: Document, text: string, number: number): Range | undefined {
  const wanted = text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let line: Element | null | undefined;
  const places: { node: Node; at: number }[] = [];
  let all = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const value = node.nodeValue ?? '';
    // The server does not join the words of two blocks either.
    const own = node.parentElement?.closest(NOT_IN_LINE);
    const isBroken = node.previousSibling instanceof Element && node.previousSibling.matches('br');
    if ((own !== line || isBroken) && all !== '' && !all.endsWith(' ')) {
      all += ' ';
      places.push({ node, at: 0 });
    }
    line = own;
    for (let at = 0; at < value.length; at++) {
      const one = /\s/.test(value[at] ?? '') ? ' ' : (value[at] ?? '').toLowerCase().slice(0, 1);
      if (one === ' ' && all.endsWith(' ')) continue;
      all += one;
      places.push({ node, at });
    }
  }
  let from = -1;
  for (let n = 0; n <= number; n++) {
    from = all.indexOf(wanted, from < 0 ? 0 : from + wanted.length);
    if (from < 0) return undefined;
  }
  const [start, end] = [places[from], places[from + wanted.length - 1]];
  if (!start || !end) return undefined;
  const range = document.createRange();
  range.setStart(start.node, start.at);
  range.setEnd(end.node, end.at + 1);
  return range;
}
