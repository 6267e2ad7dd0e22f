/**
 * The comparison as a list of any length: only the rows in view exist. One row is chosen and takes the focus; the
 * arrows go from row to row, and the row that is being played can be followed.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isTelevision } from '../../lib/theme.ts';
import { cx } from '../../lib/cx.ts';
import { indexIn, type Row as View } from '../work/rows.ts';
import { createHeights, type Heights } from './heights.ts';
import { Row } from './row.tsx';
import css from './list.module.css';

const SPARE_PX = 400;
const USUAL_PX = 58;
const LINE_PX = 21;
const HEAD_PX = 36;

export interface ListProps {
  /** Nothing is installed, and so there is one side only. */
  isFresh: boolean;
  /** Of the lines. */
  language: string;
  rows: readonly View[];
  /** The places of the rows on show. */
  shown: readonly number[];
  /** The place of the chosen row. */
  selected: number | undefined;
  playing: number | undefined;
  onSelect: (place: number) => void;
  onOpen: (place: number) => void;
  /** Seconds to go on by, for the arrows to the sides. */
  onSeek: (by: number) => void;
  /** A new object brings its row into view, and the focus to it where asked. */
  reveal: { place: number; isFocus: boolean } | undefined;
}

/** A row of one line, and what each further one adds; the ends of lines are what is cheap to know. */
function guessOf(row: View | undefined): number {
  let most = 1;
  for (const side of [row?.current, row?.proposed]) {
    let lines = 0;
    for (const { text } of side ?? []) lines += text.split('\n').length;
    most = Math.max(most, lines);
  }
  return USUAL_PX + (most - 1) * LINE_PX;
}

/** Which rows there are to draw, and measuring those that are drawn. */
function useRange(box: { readonly current: HTMLDivElement | null }, heights: Heights, bring: () => void) {
  const [range, setRange] = useState({ first: 0, end: 0 });
  const [, redraw] = useState(0);
  const look = useCallback(() => {
    const list = box.current;
    if (!list) return;
    const top = list.scrollTop;
    const first = heights.at(top - SPARE_PX);
    const end = Math.min(heights.count, heights.at(top + list.clientHeight + SPARE_PX) + 1);
    setRange((before) => (before.first === first && before.end === end ? before : { first, end }));
  }, [heights]);
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    look();
    list.addEventListener('scroll', look, { passive: true });
    // Another width breaks lines elsewhere, so that all on show measure anew.
    const watch = new ResizeObserver(() => {
      look();
      redraw((n) => n + 1);
    });
    watch.observe(list);
    return () => {
      list.removeEventListener('scroll', look);
      watch.disconnect();
    };
  }, [look]);
  // After each drawing: what a row really measures moves those below it, and what is in view stays where it is.
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const anchor = heights.at(list.scrollTop);
    const before = heights.top(anchor);
    let isNews = false;
    for (const row of list.querySelectorAll<HTMLElement>('[data-at]'))
      if (heights.measured(Number(row.dataset['at']), row.getBoundingClientRect().height)) isNews = true;
    if (isNews) {
      const moved = heights.top(anchor) - before;
      if (moved !== 0 && list.scrollTop > 0) list.scrollTop += moved;
      redraw((n) => n + 1);
    }
    bring();
    look();
  });
  return range;
}

export const List = ({
  isFresh,
  language,
  rows,
  shown,
  selected,
  playing,
  onSelect,
  onOpen,
  onSeek,
  reveal,
}: ListProps) => {
  const box = useRef<HTMLDivElement>(null);
  const seen = useRef(reveal);
  // What was measured before a change stays, so that the list does not move under the eyes.
  const kept = useRef<Heights | undefined>(undefined);
  const heights = useMemo(
    () => (kept.current = createHeights(shown.length, (at) => guessOf(rows[shown[at] ?? -1]), kept.current)),
    [shown],
  );
  const wanted = useRef<number | undefined>(undefined);
  // Brought into view again after each drawing until its own height is known.
  const target = useRef<{ place: number; tries: number } | undefined>(undefined);
  const bring = () => {
    const list = box.current;
    const to = target.current ? indexIn(shown, target.current.place) : -1;
    if (!list || !target.current || to < 0) return;
    const top = heights.top(to);
    const bottom = heights.top(to + 1) + HEAD_PX;
    if (top < list.scrollTop) list.scrollTop = Math.max(0, top - USUAL_PX / 2);
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + USUAL_PX / 2;
    target.current =
      target.current.tries > 0 ? { place: target.current.place, tries: target.current.tries - 1 } : undefined;
  };
  if (reveal && reveal !== seen.current) {
    seen.current = reveal;
    target.current = { place: reveal.place, tries: 3 };
    if (reveal.isFocus) wanted.current = reveal.place;
  }
  const range = useRange(box, heights, bring);
  const at = selected === undefined ? -1 : indexIn(shown, selected);
  // A row that is wanted takes the focus as soon as it exists.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-place="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.target as HTMLElement).dataset['place']) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown[at + step] !== undefined) {
      event.preventDefault();
      wanted.current = shown[at + step];
      onSelect(shown[at + step] as number);
    } else if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && !isTelevision()) {
      event.preventDefault();
      onSeek((event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 5 : 1));
    }
  };
  const places = Array.from(
    { length: Math.max(0, Math.min(range.end, shown.length) - range.first) },
    (_, n) => range.first + n,
  );
  // The chosen row stays, however far the list is scrolled, so that the focus is not lost.
  if (at >= 0 && (at < range.first || at >= range.end)) places.push(at);
  return (
    <div
      ref={box}
      className={cx(css.list, isFresh && css.fresh)}
      role="grid"
      aria-label="Lines"
      aria-rowcount={shown.length + 1}
      onKeyDown={onKey}
    >
      <div role="row" aria-rowindex={1} className={css.head}>
        <span role="columnheader" className={css.number}>
          #
        </span>
        <span role="columnheader" className={css.side}>
          Installed
        </span>
        <span role="columnheader" className={css.side}>
          Proposed
        </span>
        <span role="columnheader" className={css.says}>
          Difference
        </span>
      </div>
      <div role="rowgroup" className={css.rows} style={{ height: `${heights.top(shown.length)}px` }}>
        {places.map((n) => {
          const place = shown[n] as number;
          const row = rows[place];
          return (
            row && (
              <Row
                key={place}
                {...{ row, place, onSelect, onOpen }}
                at={n}
                number={n + 1}
                isFresh={isFresh}
                language={language}
                top={heights.top(n)}
                isSelected={place === selected}
                isPlaying={place === playing}
                isTabStop={place === selected || (at < 0 && n === range.first)}
              />
            )
          );
        })}
      </div>
    </div>
  );
};
