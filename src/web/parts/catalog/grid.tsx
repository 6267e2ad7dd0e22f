/**
 * A grid of a listing of any length. Only the cards in view are rendered. Their pages are fetched by offset when
 * scrolling stops, and cancelled when it continues. Cards that are not loaded yet keep their place. Arrow keys move
 * from card to card, Home and End to either end.
 */
import { useQueries } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ask, queries, type RequestOf, type Reply } from '../../data/query.ts';
import { forward } from '../../lib/direction.ts';
import {
  gridLayoutOf,
  pagesOf,
  cellPositionOf,
  rangeOf,
  gridStepOf,
  type GridLayout,
  type IndexRange,
} from '../../lib/window.ts';
import { isSquare, Poster, type Card } from './cards.tsx';
import { type ListOrder, SelectableList } from './select.tsx';
import { MAX_SELECTED } from './selection.ts';
import css from './grid.module.css';
import { later, onNextFrame } from '../../lib/pending-work.ts';

export const GRID_PAGE_SIZE = 100;
const SPARE_ROWS = 3;
/** Keys of right-to-left languages, whose cards run in the same direction. */
const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };
/** Scrolling is at rest after this long without a new range. */
const REST_MS = 90;

export type LibraryListing = Omit<RequestOf<'catalog', 'library'>, 'offset' | 'limit' | 'cursor'>;
export interface GridProps {
  listing: LibraryListing;
  first: Reply<'catalog', 'library'>;
  /** Name of the list for screen readers. */
  label: string;
  /** Told which card is at the top of the view, for the letter rail. */
  onTop?: ((index: number) => void) | undefined;
  /** Position to scroll to. A new object scrolls again. */
  jump?: { to: number } | undefined;
  /** Whether it is My List, from which items are removed. */
  isMyList?: boolean;
}
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** The layout for the width there is, and which cards are in view. */
function useWindow(total: number, ratio: number, onTop: ((index: number) => void) | undefined) {
  const box = useRef<HTMLUListElement>(null);
  const [width, setWidth] = useState(0);
  const [range, setRange] = useState<IndexRange>({ first: 0, end: 0 });
  const unit = rem();
  const isNarrow = innerWidth < 700;
  const layout = gridLayoutOf({
    width,
    total,
    leastColumn: (isNarrow ? 6.25 : 9.25) * unit,
    gap: (isNarrow ? 0.875 : 1.375) * unit,
    ratio,
    words: 3.5 * unit,
  });
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const measure = () => setWidth(list.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(list);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    let stop: (() => void) | undefined;
    const look = () => {
      stop = undefined;
      const list = box.current;
      if (!list || width === 0) return;
      const top = -list.getBoundingClientRect().top;
      const next = rangeOf(layout, total, { top, view: innerHeight, spare: SPARE_ROWS });
      setRange((before) => (before.first === next.first && before.end === next.end ? before : next));
      onTop?.(Math.min(total - 1, Math.max(0, Math.round(top / layout.rowStep)) * layout.columns));
    };
    const soon = () => {
      stop ??= onNextFrame(look);
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      stop?.();
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [width, total, layout.columns, layout.rowStep]);
  return { box, layout, range, isMeasured: width > 0 };
}

/** The cards of the pages that a range at rest needs, by index, and the order of the list for selecting. */
function useCards(
  listing: LibraryListing,
  first: Reply<'catalog', 'library'>,
  range: IndexRange,
): { cardAt: (index: number) => Card | undefined; order: ListOrder } {
  const [rested, setRested] = useState(range);
  useEffect(() => later(REST_MS, () => setRested(range)), [range]);
  const pageQuery = (page: number) =>
    ask('catalog', 'library', { ...listing, offset: page * GRID_PAGE_SIZE, limit: GRID_PAGE_SIZE });
  const pages = pagesOf(rested, GRID_PAGE_SIZE).filter((page) => page > 0);
  const replies = useQueries({ queries: pages.map(pageQuery) });
  const known = new Map([[0, first], ...pages.map((page, at) => [page, replies[at]?.data] as const)]);
  const positions = useRef(new Map<string, number>());
  const order: ListOrder = {
    indexOf: (id) => {
      // Pages that are on show now come last, because they may be newer.
      for (const [page, reply] of known)
        reply?.items.forEach((card, at) => positions.current.set(card.id, page * GRID_PAGE_SIZE + at));
      return positions.current.get(id);
    },
    idsAt: async (wanted) => {
      const needed = [...new Set(wanted.map((at) => Math.floor(at / GRID_PAGE_SIZE)))];
      const loaded = new Map(
        await Promise.all(
          needed.map(async (page) => [page, known.get(page) ?? (await queries.fetchQuery(pageQuery(page)))] as const),
        ),
      );
      return wanted.flatMap((at) => loaded.get(Math.floor(at / GRID_PAGE_SIZE))?.items[at % GRID_PAGE_SIZE]?.id ?? []);
    },
    loaded: () =>
      first.total <= MAX_SELECTED
        ? Array.from({ length: first.total }, (_, at) => at)
        : [...known].flatMap(([page, reply]) => (reply?.items ?? []).map((_, at) => page * GRID_PAGE_SIZE + at)),
  };
  return {
    order,
    cardAt: (index) => known.get(Math.floor(index / GRID_PAGE_SIZE))?.items[index % GRID_PAGE_SIZE],
  };
}

const Cell = ({
  index,
  card,
  layout,
  total,
  ratio,
}: {
  index: number;
  card: Card | undefined;
  layout: GridLayout;
  total: number;
  ratio: number;
}) => {
  const { x, y } = cellPositionOf(layout, index);
  return (
    <li
      className={css.cell}
      style={{
        transform: `translate(${forward() * x}px, ${y}px)`,
        width: `${layout.cellWidth}px`,
        height: `${layout.cellHeight}px`,
      }}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      {card ? (
        <Poster card={card} index={index} sizes={`${Math.ceil(layout.cellWidth)}px`} />
      ) : (
        <span className={css.place} style={{ height: `${layout.cellWidth * ratio}px` }} />
      )}
    </li>
  );
};

export const CardGrid = ({ listing, first, label, onTop, jump, isMyList = false }: GridProps) => {
  const { total } = first;
  const ratio = first.items.length > 0 && first.items.every(isSquare) ? 1 : 1.5;
  const { box, layout, range, isMeasured } = useWindow(total, ratio, onTop);
  const { cardAt, order } = useCards(listing, first, range);
  const [focused, setFocused] = useState<number>();
  const wanted = useRef<number | undefined>(undefined);
  const linkOf = (index: number) => box.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const show = (index: number, behavior: ScrollBehavior) => {
    const list = box.current;
    if (!list) return;
    window.scrollTo({
      top: list.getBoundingClientRect().top + scrollY + cellPositionOf(layout, index).y - innerHeight * 0.12,
      behavior,
    });
  };
  useEffect(() => {
    if (jump) show(jump.to, 'auto');
  }, [jump]);
  // A card that is wanted takes the focus as soon as it exists.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const link = linkOf(wanted.current);
    if (!link) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });
  const onKey = (event: KeyboardEvent) => {
    const spot = (event.target as HTMLElement).closest('[data-spot]');
    const own = Number(spot?.querySelector<HTMLElement>('[data-index]')?.dataset['index'] ?? Number.NaN);
    if (Number.isNaN(own) || event.altKey || event.ctrlKey || event.metaKey) return;
    // A held key continues from the card that is still being loaded.
    const at = wanted.current ?? own;
    const next = gridStepOf(layout, total, at, forward() === 1 ? event.key : (MIRRORED[event.key] ?? event.key));
    if (next === undefined) return;
    event.preventDefault();
    const y = cellPositionOf(layout, next).y + (box.current?.getBoundingClientRect().top ?? 0);
    const isFar = Math.abs(next - at) > layout.columns;
    if (y < innerHeight * 0.08 || y + layout.cellHeight > innerHeight * 0.94)
      show(next, isFar || event.repeat || isStill() ? 'auto' : 'smooth');
    const link = linkOf(next);
    wanted.current = link ? undefined : next;
    if (link) link.focus({ preventScroll: true });
    else setFocused(next);
  };
  const indexes = Array.from({ length: range.end - range.first }, (_, at) => range.first + at);
  // The card with the focus stays, however far the page is scrolled.
  if (focused !== undefined && focused < total && (focused < range.first || focused >= range.end))
    indexes.push(focused);
  return (
    <SelectableList order={order} isMyList={isMyList}>
      <ul
        ref={box}
        className={css.grid}
        style={{ height: `${isMeasured ? layout.height : 0}px` }}
        aria-label={label}
        onKeyDown={onKey}
        onFocusCapture={(event) => {
          const spot = (event.target as HTMLElement).closest('[data-spot]');
          const at = spot?.querySelector<HTMLElement>('[data-index]')?.dataset['index'];
          if (at !== undefined) setFocused(Number(at));
        }}
        onBlurCapture={() => wanted.current === undefined && setFocused(undefined)}
      >
        {isMeasured &&
          indexes.map((index) => (
            <Cell key={index} index={index} card={cardAt(index)} layout={layout} total={total} ratio={ratio} />
          ))}
      </ul>
    </SelectableList>
  );
};
