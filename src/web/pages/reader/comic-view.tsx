/** The pages of a comic or PDF: one or two at a time, or one below the other. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cx } from '../../lib/cx.ts';
import { useStore } from '../../lib/store.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { pageHref } from './addresses.ts';
import { bindSwipes, LINE_PX, onReaderClick, type Turning } from './input.ts';
import { pageAtLine, spreads, spreadOf } from './pages.ts';
import { PageTextLayer } from './page-text.tsx';
import { preferences } from './preferences.ts';
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
  turning: Omit<Turning, 'forward' | 'back' | 'first' | 'last' | 'scroll'>;
  onTurning(turning: Turning): void;
}

/** Pages before and after the one on show that have their text, while pages are scrolled. */
const NEAR = 2;
/** Share of the height of the window down to which a scrolled page is read. */
const READING_LINE = 0.3;
/** Pixels from the end at which a scrolled book is at its end: browsers round. */
const END_PX = 4;
/** Views that are loaded in advance. */
const AHEAD = 2;

const whenWide = (act: () => void) => (event: Event) => {
  const { naturalWidth, naturalHeight } = event.currentTarget as HTMLImageElement;
  if (naturalWidth > naturalHeight) act();
};

/** Calls `onPage` with the page that is read now, and again when the strip of pages scrolls. Returns what ends that. */
function followScroll(box: HTMLElement, pages: readonly Element[], onPage: (page: number) => void): () => void {
  let drawing = 0;
  const measure = () => {
    drawing = 0;
    const top = box.getBoundingClientRect().top;
    const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - END_PX;
    const bottoms = pages.map((page) => page.getBoundingClientRect().bottom - top);
    onPage(isAtEnd ? pages.length - 1 : pageAtLine(bottoms, box.clientHeight * READING_LINE));
  };
  const later = () => void (drawing ||= requestAnimationFrame(measure));
  later();
  box.addEventListener('scroll', later, { passive: true });
  return () => {
    cancelAnimationFrame(drawing);
    box.removeEventListener('scroll', later);
  };
}

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

export const ComicView = (props: ComicViewProps) => {
  const { id, book, target, isRightToLeft, zoom, onPlace, onTarget, turning: around, onTurning } = props;
  const { isScrolled, isDouble, theme } = useStore(preferences);
  const [wide, setWide] = useState<ReadonlySet<number>>(new Set());
  const [near, setNear] = useState(target.part);
  const stage = useRef<HTMLDivElement>(null);
  const starts = useMemo(
    () => spreads(book.parts, isDouble && !isScrolled, (page) => wide.has(page)),
    [book.parts, isDouble, isScrolled, wide],
  );
  const view = spreadOf(starts, target.part);
  const first = starts[view] ?? 0;
  const next = starts[view + 1] ?? book.parts;
  const shown = range(first, next);
  const width = Math.ceil((window.innerWidth * window.devicePixelRatio * zoom) / Math.max(1, shown.length));
  const address = (page: number) => pageHref(id, page, { version: book.version, width });
  const toView = (to: number) => {
    const start = starts[Math.min(starts.length - 1, Math.max(0, to))];
    if (start !== undefined && start !== first) onTarget({ part: start, offset: 0 });
  };
  const turning: Turning = {
    ...around,
    isRightToLeft,
    forward: () =>
      isScrolled ? stage.current?.scrollBy({ top: innerHeight * 0.9, behavior: 'smooth' }) : toView(view + 1),
    back: () =>
      isScrolled ? stage.current?.scrollBy({ top: innerHeight * -0.9, behavior: 'smooth' }) : toView(view - 1),
    first: () => onTarget({ part: 0, offset: 0 }),
    last: () => onTarget({ part: book.parts - 1, offset: 0 }),
    scroll: (way) => stage.current?.scrollBy({ top: way * LINE_PX }),
  };
  onTurning(turning);
  const latest = useRef(turning);
  latest.current = turning;

  useEffect(() => {
    // Two pages are read when the second one is shown.
    if (!isScrolled) onPlace({ part: next - 1, offset: 0 });
    stage.current?.scrollTo(0, 0);
  }, [first, next, isScrolled]);
  useEffect(() => {
    if (!isScrolled || !stage.current) return undefined;
    const box = stage.current;
    const pages = [...box.querySelectorAll('img')];
    pages[target.part]?.scrollIntoView();
    return followScroll(box, pages, (part) => {
      setNear(part);
      onPlace({ part, offset: 0 });
    });
  }, [isScrolled, target]);
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
      className={cx(css.stage, isScrolled && css.strip, zoom > 1 && css.zoomed)}
      data-theme={book.kind === 'pdf' ? theme : undefined}
      dir={isRightToLeft ? 'rtl' : 'ltr'}
      data-first={first}
      onClick={(event) => {
        // The click that ends a selection turns no page.
        if (getSelection()?.isCollapsed !== false) onReaderClick(event.clientX, innerWidth, latest.current);
      }}
    >
      {isScrolled ? (
        range(0, book.parts).map(sheet)
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
