/** The frame with the text of a book: loads its parts, turns their pages, and says where the reader is. */
import { partAt } from './addresses.ts';
import { LINE_PX, type Turning } from './input.ts';
import { offsetOf, pageAtOffset } from './pages.ts';
import { preferences } from './preferences.ts';
import {
  applyStyle,
  barHeight,
  countPages,
  findMatch,
  firstShown,
  movePage,
  pageOfBox,
  redrawScroller,
} from './text-layout.ts';
import type { ReaderTarget } from './types.ts';

export interface TextFrameNeeds {
  id: string;
  parts: number;
  frame(): HTMLIFrameElement | null;
  /** Called when another place is shown. `hasMoved` is false if the text was only laid out again. */
  onPlace(place: { part: number; offset: number }, hasMoved: boolean): void;
  /** Called to go to another part. */
  onTarget(target: ReaderTarget): void;
}

export interface TextFrame {
  /** Lays out the part that was loaded and goes to a place in it. Returns its document. */
  loaded(target: ReaderTarget): Document | undefined;
  /** Goes to a place. Returns false if its part has to be loaded first. */
  go(target: ReaderTarget): boolean;
  /** Lays the part out for new preferences or another size, at the same place. */
  layOutAgain(): void;
  /** Follows a link inside the book. Returns whether the event was that of a link. */
  follow(event: Event): boolean;
  place(): void;
  /** Called when a dialog over the text was closed. */
  uncovered(): void;
  turns: Pick<Turning, 'forward' | 'back' | 'first' | 'last' | 'advance' | 'scroll'>;
}

export function createTextFrame({ id, parts, frame, onPlace, onTarget }: TextFrameNeeds): TextFrame {
  const shown = { part: 0, page: 0, pages: 1, offset: 0 };
  /**
   * Text that was the first one shown before the part was laid out again. It is kept until the reader moves: each
   * layout would otherwise begin at the start of the page of the one before, and go back a little each time.
   */
  let anchor: { text: Range; scrolledTo: number } | undefined;
  const isScrolled = () => preferences.get().isScrolled;
  const documentOf = (): Document | undefined => frame()?.contentDocument ?? undefined;
  const box = () => ({ width: frame()?.clientWidth ?? 1, height: frame()?.clientHeight ?? 1 });
  const setPlace = (offset: number) => {
    shown.offset = offset;
    onPlace({ part: shown.part, offset }, anchor === undefined);
  };
  const toPage = (page: number) => {
    const doc = documentOf();
    shown.page = Math.min(shown.pages - 1, Math.max(0, page));
    if (doc) movePage(doc, shown.page, box());
    setPlace(offsetOf(shown.page, shown.pages));
  };
  const arrive = (doc: Document, { fragment, match, offset }: ReaderTarget, kept?: Range) => {
    const range = match && findMatch(doc, match.text, match.number);
    const element = fragment === undefined ? null : doc.getElementById(fragment);
    const area = (range ?? element ?? kept)?.getBoundingClientRect();
    if (range)
      doc
        .getSelection()
        ?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    if (isScrolled()) {
      const { scrollHeight, clientHeight, scrollTop } = doc.documentElement;
      const top = area ? area.top + scrollTop - barHeight() : offset * (scrollHeight - clientHeight);
      doc.defaultView?.scrollTo(0, Math.max(0, top));
      setPlace(scrolledOffset(doc));
      if (anchor) anchor.scrolledTo = doc.documentElement.scrollTop;
    } else toPage(area ? pageOfBox(doc, area, shown.page, box()) : pageAtOffset(offset, shown.pages));
  };
  const layOut = (target: ReaderTarget, kept?: Range) => {
    const doc = documentOf();
    if (!doc?.head) return;
    applyStyle(doc, preferences.get(), box());
    shown.page = 0;
    if (isScrolled()) doc.body.style.transform = 'none';
    shown.pages = isScrolled() ? 1 : countPages(doc, box());
    arrive(doc, target, kept);
  };
  const toPart = (part: number, offset: number) => {
    if (part >= 0 && part < parts) onTarget({ part, offset });
  };
  const step = (by: 1 | -1) => {
    anchor = undefined;
    const { part, page, pages } = shown;
    if (isScrolled() ? scrollOn(documentOf(), by) : page + by >= 0 && page + by < pages) {
      if (!isScrolled()) toPage(page + by);
    } else toPart(part + by, by > 0 ? 0 : 1);
  };
  return {
    loaded: (target) => {
      const [doc, address] = [documentOf(), frame()?.contentWindow?.location.href];
      if (!doc?.body || address === undefined) return undefined;
      anchor = undefined;
      // A link that was followed without us leads to another part.
      Object.assign(shown, { part: partAt(id, address)?.part ?? target.part, page: 0, pages: 1, offset: 0 });
      layOut(target);
      // Fonts of the book change the length of the text.
      void doc.fonts?.ready.then(() => documentOf() === doc && layOut({ part: shown.part, offset: shown.offset }));
      return doc;
    },
    go: (target) => {
      const doc = documentOf();
      anchor = undefined;
      if (target.part !== shown.part || !doc) return false;
      arrive(doc, target);
      return true;
    },
    layOutAgain: () => {
      const doc = documentOf();
      const text = anchor?.text ?? (doc && firstShown(doc, box()));
      anchor = text && { text, scrolledTo: doc?.documentElement.scrollTop ?? 0 };
      layOut({ part: shown.part, offset: shown.offset }, text);
    },
    follow: (event) => {
      const link = (event.target as Element | null)?.closest?.('a[href]');
      const to = link ? partAt(id, (link as HTMLAnchorElement).href) : undefined;
      if (!link) return false;
      event.preventDefault();
      if (to) onTarget({ part: to.part, offset: 0, ...(to.fragment !== undefined && { fragment: to.fragment }) });
      return true;
    },
    place: () => {
      const doc = documentOf();
      if (!doc || !isScrolled()) return;
      if (anchor && Math.abs(doc.documentElement.scrollTop - anchor.scrolledTo) > LINE_PX / 2) anchor = undefined;
      setPlace(scrolledOffset(doc));
    },
    uncovered: () => void (isScrolled() && redrawScroller(documentOf())),
    turns: {
      forward: () => step(1),
      back: () => step(-1),
      first: () => toPart(0, 0),
      last: () => toPart(parts - 1, 1),
      advance: step,
      scroll: (way) => isScrolled() && documentOf()?.defaultView?.scrollBy({ top: way * LINE_PX }),
    },
  };
}

const scrolledOffset = (doc: Document): number => {
  const { scrollTop, scrollHeight, clientHeight } = doc.documentElement;
  const room = scrollHeight - clientHeight;
  return room <= 8 ? 1 : Math.min(1, scrollTop / room);
};

/** Scrolls by most of a screen. Returns false at the end of the part. */
function scrollOn(doc: Document | undefined, by: 1 | -1): boolean {
  if (!doc) return false;
  const { scrollTop, scrollHeight, clientHeight } = doc.documentElement;
  const isAtEnd = by > 0 ? scrollTop + clientHeight >= scrollHeight - 4 : scrollTop <= 0;
  if (!isAtEnd) doc.defaultView?.scrollBy({ top: by * clientHeight * 0.9, behavior: 'smooth' });
  return !isAtEnd;
}
