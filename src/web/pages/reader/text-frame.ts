/** The frame with the text of a book: loads its parts, turns their pages, and says where the reader is. */
import { partAt } from './addresses.ts';
import type { Turning } from './input.ts';
import { offsetOf, pageAtOffset } from './pages.ts';
import { preferences } from './preferences.ts';
import { applyStyle, countPages, findMatch, movePage, pageOfBox } from './text-layout.ts';
import type { ReaderTarget } from './types.ts';

export interface TextFrameNeeds {
  id: string;
  parts: number;
  frame(): HTMLIFrameElement | null;
  /** Called when another place is shown. */
  onPlace(place: { part: number; offset: number }): void;
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
  turns: Pick<Turning, 'forward' | 'back' | 'first' | 'last'>;
}

export function createTextFrame({ id, parts, frame, onPlace, onTarget }: TextFrameNeeds): TextFrame {
  const shown = { part: 0, page: 0, pages: 1, offset: 0 };
  const isScrolled = () => preferences.get().isScrolled;
  const documentOf = (): Document | undefined => frame()?.contentDocument ?? undefined;
  const box = () => ({ width: frame()?.clientWidth ?? 1, height: frame()?.clientHeight ?? 1 });
  const setPlace = (offset: number) => {
    shown.offset = offset;
    onPlace({ part: shown.part, offset });
  };
  const toPage = (page: number) => {
    const doc = documentOf();
    shown.page = Math.min(shown.pages - 1, Math.max(0, page));
    if (doc) movePage(doc, shown.page, box());
    setPlace(offsetOf(shown.page, shown.pages));
  };
  const arrive = (doc: Document, { fragment, match, offset }: ReaderTarget) => {
    const range = match && findMatch(doc, match.text, match.number);
    const element = fragment === undefined ? null : doc.getElementById(fragment);
    const area = (range ?? element)?.getBoundingClientRect();
    if (range)
      doc
        .getSelection()
        ?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    if (isScrolled()) {
      const { scrollHeight, clientHeight, scrollTop } = doc.documentElement;
      const top = area ? area.top + scrollTop - 64 : offset * (scrollHeight - clientHeight);
      doc.defaultView?.scrollTo(0, Math.max(0, top));
      setPlace(scrolledOffset(doc));
    } else toPage(area ? pageOfBox(doc, area, shown.page, box()) : pageAtOffset(offset, shown.pages));
  };
  const layOut = (target: ReaderTarget) => {
    const doc = documentOf();
    if (!doc?.head) return;
    applyStyle(doc, preferences.get(), box());
    shown.page = 0;
    if (isScrolled()) doc.body.style.transform = 'none';
    shown.pages = isScrolled() ? 1 : countPages(doc, box());
    arrive(doc, target);
  };
  const toPart = (part: number, offset: number) => {
    if (part >= 0 && part < parts) onTarget({ part, offset });
  };
  const step = (by: 1 | -1) => {
    const { part, page, pages } = shown;
    if (isScrolled() ? scrollOn(documentOf(), by) : page + by >= 0 && page + by < pages) {
      if (!isScrolled()) toPage(page + by);
    } else toPart(part + by, by > 0 ? 0 : 1);
  };
  return {
    loaded: (target) => {
      const [doc, address] = [documentOf(), frame()?.contentWindow?.location.href];
      if (!doc?.body || address === undefined) return undefined;
      // A link that was followed without us leads to another part.
      Object.assign(shown, { part: partAt(id, address)?.part ?? target.part, page: 0, pages: 1, offset: 0 });
      layOut(target);
      // Fonts of the book change the length of the text.
      void doc.fonts?.ready.then(() => documentOf() === doc && layOut({ part: shown.part, offset: shown.offset }));
      return doc;
    },
    go: (target) => {
      const doc = documentOf();
      if (target.part !== shown.part || !doc) return false;
      arrive(doc, target);
      return true;
    },
    layOutAgain: () => layOut({ part: shown.part, offset: shown.offset }),
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
      if (doc && isScrolled()) setPlace(scrolledOffset(doc));
    },
    turns: {
      forward: () => step(1),
      back: () => step(-1),
      first: () => toPart(0, 0),
      last: () => toPart(parts - 1, 1),
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
