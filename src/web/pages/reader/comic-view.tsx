/** The pages of a comic or PDF: one or two at a time, whole or as wide as the window, or one below the other. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cx } from '../../lib/cx.ts';
import { useStore } from '../../lib/store.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { pageHref } from './addresses.ts';
import { type ComicLayout, type ComicTurns, createComicTurns } from './comic-turns.ts';
import { bindSwipes, onReaderClick, type Turning } from './input.ts';
import { createPageScroller, type PageScroller } from './page-scroller.ts';
import { spreads, spreadOf } from './pages.ts';
import { PageTextLayer } from './page-text.tsx';
import { preferences } from './preferences.ts';
import type { ReaderPlace } from './reports.ts';
import type { OpenBook, ReaderTarget } from './types.ts';
import css from './reader.module.css';

export interface ComicViewProps {
  id: string;
  book: OpenBook;
  target: ReaderTarget;
  isRightToLeft: boolean;
  zoom: number;
  onPlace(place: { part: number; offset: number }): void;
  onTarget(target: ReaderTarget): void;
  turning: Omit<Turning, keyof ComicTurns>;
  onTurning(turning: Turning): void;
}

/** Pages before and after the one on show that have their text, while pages are scrolled. */
const NEAR = 2;
/** Views that are loaded in advance. */
const AHEAD = 2;

const whenWide = (act: () => void) => (event: Event) => {
  const { naturalWidth, naturalHeight } = event.currentTarget as HTMLImageElement;
  if (naturalWidth > naturalHeight) act();
};

interface PageSheetProps {
  src: string;
  alt: string;
  isLazy: boolean;
  /** Called when the picture turns out to be wider than high. */
  onWide: () => void;
  children: ComponentChildren;
}
/** The picture of a page, and what lies over it. */
const PageSheet = ({ src, alt, isLazy, onWide, children }: PageSheetProps) => (
  <div className={css.sheet}>
    <img
      src={src}
      alt={alt}
      className={css.page}
      loading={isLazy ? 'lazy' : 'eager'}
      decoding="async"
      draggable={false}
      onLoad={whenWide(onWide)}
    />
    {children}
  </div>
);

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

interface AheadProps {
  pages: readonly number[];
  address: (page: number) => string;
  noteWide: (page: number) => void;
}
/** Loads pages that are shown next. */
const Ahead = ({ pages, address, noteWide }: AheadProps) => (
  <div hidden>
    {pages.map((page) => (
      <img key={page} src={address(page)} alt="" onLoad={whenWide(() => noteWide(page))} />
    ))}
  </div>
);

/** Returns the place to show: where the reader went to or, once the layout changes, what was read there last. */
function usePlaceShown(target: ReaderTarget, layout: string): { at: ReaderTarget; note(place: ReaderPlace): void } {
  const last = useRef<{ target: ReaderTarget; place: ReaderPlace } | undefined>(undefined);
  const at = useMemo(
    () => (last.current?.target === target ? { ...target, ...last.current.place } : target),
    [target, layout],
  );
  return { at, note: (place) => void (last.current = { target, place }) };
}

interface ScrollingNeeds {
  stage: { readonly current: HTMLElement | null };
  layout: ComicLayout;
  at: ReaderTarget;
  /** The pages on show: from this one to the one before `next`. */
  first: number;
  next: number;
  /** `kept`: the place to return to in another layout, if it says more. */
  onRead: (place: ReaderPlace, kept?: ReaderPlace) => void;
}
/** Shows a place, and says what is read. Returns what scrolls, if something does. */
function useScrolling({ stage, layout, at, first, next, onRead }: ScrollingNeeds) {
  const scroller = useRef<PageScroller | undefined>(undefined);
  const latest = useRef(onRead);
  latest.current = onRead;
  useLayoutEffect(() => {
    const box = stage.current;
    const content = box?.firstElementChild;
    if (!box || !(content instanceof HTMLElement)) return undefined;
    box.scrollTo(0, 0);
    // Two pages are read when the second one is shown. The place in a page is kept for a layout that has one.
    if (layout === 'whole') return latest.current({ part: next - 1, offset: 0 }, at.offset > 0 ? at : undefined);
    const isStrip = layout === 'scrolled';
    const made = createPageScroller({
      ...{ box, content },
      pages: isStrip ? [...content.children] : [content],
      onPlace: ({ page, offset }) => latest.current({ part: isStrip ? page : next - 1, offset }),
    });
    scroller.current = made;
    made.go({ page: isStrip ? at.part : 0, offset: at.offset });
    return () => {
      made.stop();
      scroller.current = undefined;
    };
  }, [at, first, next, layout]);
  return () => scroller.current;
}

export const ComicView = (props: ComicViewProps) => {
  const { id, book, target, isRightToLeft, zoom, onPlace, onTarget, turning: around, onTurning } = props;
  const { isScrolled, isDouble, fit, theme } = useStore(preferences);
  const layout = isScrolled ? 'scrolled' : fit === 'width' ? 'width' : 'whole';
  const { at, note } = usePlaceShown(target, `${layout} ${isDouble}`);
  const [wide, setWide] = useState<ReadonlySet<number>>(new Set());
  const [near, setNear] = useState(at.part);
  const stage = useRef<HTMLDivElement>(null);
  const starts = useMemo(
    () => spreads(book.parts, isDouble && !isScrolled, (page) => wide.has(page)),
    [book.parts, isDouble, isScrolled, wide],
  );
  const view = spreadOf(starts, at.part);
  const first = starts[view] ?? 0;
  const next = starts[view + 1] ?? book.parts;
  const shown = range(first, next);
  const width = Math.ceil((window.innerWidth * window.devicePixelRatio * zoom) / Math.max(1, shown.length));
  const address = (page: number) => pageHref(id, page, { version: book.version, width });
  const onRead = (place: ReaderPlace, { part, offset } = place) => {
    note({ part, offset });
    setNear(place.part);
    onPlace(place);
  };
  const scroller = useScrolling({ stage, layout, at, first, next, onRead });
  const turns = createComicTurns({
    ...{ layout, pages: book.parts, go: onTarget, scroller, stage: () => stage.current },
    turn: (way, offset) => {
      const start = starts[Math.min(starts.length - 1, Math.max(0, view + way))];
      if (start !== undefined && start !== first) onTarget({ part: start, offset });
    },
  });
  const turning: Turning = { ...around, ...turns, isRightToLeft };
  onTurning(turning);
  const latest = useRef(turning);
  latest.current = turning;
  useEffect(() => (stage.current ? bindSwipes(stage.current, () => latest.current) : undefined), []);

  const noteWide = (page: number): void => void (wide.has(page) || setWide((now) => new Set([...now, page])));
  const sheet = (page: number) => (
    <PageSheet
      key={page}
      src={address(page)}
      alt={m.page({ page: page + 1, pages: book.parts })}
      isLazy={isScrolled}
      onWide={() => noteWide(page)}
    >
      {book.kind === 'pdf' && (!isScrolled || Math.abs(page - near) <= NEAR) && (
        <PageTextLayer
          id={id}
          page={page}
          side={shown.length < 2 || isScrolled ? 'middle' : (page === first) === isRightToLeft ? 'start' : 'end'}
          found={page === target.part ? target.match : undefined}
        />
      )}
    </PageSheet>
  );
  return (
    <div
      ref={stage}
      className={cx(css.stage, css[layout], zoom > 1 && css.zoomed)}
      data-theme={book.kind === 'pdf' ? theme : undefined}
      dir={isRightToLeft ? 'rtl' : 'ltr'}
      data-first={first}
      onClick={(event) => {
        // The click that ends a selection turns no page.
        if (getSelection()?.isCollapsed !== false) onReaderClick(event.clientX, innerWidth, latest.current);
      }}
    >
      {isScrolled ? (
        <div>{range(0, book.parts).map(sheet)}</div>
      ) : (
        <>
          <div className={cx(css.spread, shown.length > 1 && css.two)} style={{ '--zoom': zoom }}>
            {shown.map(sheet)}
          </div>
          <Ahead pages={range(next, Math.min(book.parts, next + AHEAD))} {...{ address, noteWide }} />
        </>
      )}
    </div>
  );
};
