/** The pages of a comic or PDF: one or two at a time, or one below the other. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cx } from '../../lib/cx.ts';
import { useStore } from '../../lib/store.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { pageHref } from './addresses.ts';
import { bindSwipes, onReaderClick, type Turning } from './input.ts';
import { spreads, spreadOf } from './pages.ts';
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
  turning: Omit<Turning, 'forward' | 'back' | 'first' | 'last' | 'isScrolled'>;
  onTurning(turning: Turning): void;
}

/** Views that are loaded in advance. */
const AHEAD = 2;

export const ComicView = (props: ComicViewProps) => {
  const { id, book, target, isRightToLeft, zoom, onPlace, onTarget, turning: around, onTurning } = props;
  const { isScrolled, isDouble, theme } = useStore(preferences);
  const [wide, setWide] = useState<ReadonlySet<number>>(new Set());
  const stage = useRef<HTMLDivElement>(null);
  const starts = useMemo(
    () => spreads(book.parts, isDouble && !isScrolled, (page) => wide.has(page)),
    [book.parts, isDouble, isScrolled, wide],
  );
  const view = spreadOf(starts, target.part);
  const first = starts[view] ?? 0;
  const next = starts[view + 1] ?? book.parts;
  const shown = Array.from({ length: next - first }, (_, n) => first + n);
  const width = Math.ceil((window.innerWidth * window.devicePixelRatio * zoom) / Math.max(1, shown.length));
  const address = (page: number) => pageHref(id, page, { version: book.version, width });
  const toView = (to: number) => {
    const start = starts[Math.min(starts.length - 1, Math.max(0, to))];
    if (start !== undefined && start !== first) onTarget({ part: start, offset: 0 });
  };
  const turning: Turning = {
    ...around,
    isRightToLeft,
    isScrolled,
    forward: () =>
      isScrolled ? stage.current?.scrollBy({ top: innerHeight * 0.9, behavior: 'smooth' }) : toView(view + 1),
    back: () =>
      isScrolled ? stage.current?.scrollBy({ top: innerHeight * -0.9, behavior: 'smooth' }) : toView(view - 1),
    first: () => onTarget({ part: 0, offset: 0 }),
    last: () => onTarget({ part: book.parts - 1, offset: 0 }),
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
    const pages = [...stage.current.querySelectorAll('img')];
    pages[target.part]?.scrollIntoView();
    const seen = new IntersectionObserver(
      (entries) => {
        const last = entries.filter(({ isIntersecting }) => isIntersecting).at(-1);
        if (last) onPlace({ part: pages.indexOf(last.target as HTMLImageElement), offset: 0 });
      },
      { root: stage.current, threshold: 0.5 },
    );
    for (const page of pages) seen.observe(page);
    return () => seen.disconnect();
  }, [isScrolled, target]);
  useEffect(() => (stage.current ? bindSwipes(stage.current, () => latest.current) : undefined), []);

  const measure = (page: number) => (event: Event) => {
    const { naturalWidth, naturalHeight } = event.currentTarget as HTMLImageElement;
    if (naturalWidth > naturalHeight && !wide.has(page)) setWide((now) => new Set([...now, page]));
  };
  const image = (page: number, isLazy: boolean) => (
    <img
      key={page}
      src={address(page)}
      alt={m.page({ page: page + 1, pages: book.parts })}
      className={css.page}
      loading={isLazy ? 'lazy' : 'eager'}
      decoding="async"
      draggable={false}
      onLoad={measure(page)}
    />
  );
  return (
    <div
      ref={stage}
      className={cx(css.stage, isScrolled && css.strip, zoom > 1 && css.zoomed)}
      data-theme={book.kind === 'pdf' ? theme : undefined}
      dir={isRightToLeft ? 'rtl' : 'ltr'}
      data-first={first}
      onClick={(event) => onReaderClick(event.clientX, innerWidth, latest.current)}
    >
      {isScrolled ? (
        Array.from({ length: book.parts }, (_, page) => image(page, true))
      ) : (
        <>
          <div className={cx(css.spread, shown.length > 1 && css.two)} style={{ '--zoom': zoom }}>
            {shown.map((page) => image(page, false))}
          </div>
          <div hidden>
            {Array.from({ length: Math.min(AHEAD, book.parts - next) }, (_, n) => (
              <img key={next + n} src={address(next + n)} alt="" onLoad={measure(next + n)} />
            ))}
          </div>
        </>
      )}
    </div>
  );
};
