/**
 * The comparison as a list of any length: only the rows in view are rendered. One row is chosen and has the focus,
 * arrow keys move from row to row, and the list can follow the film.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isTelevision } from '../../lib/theme.ts';
import { cx } from '../../lib/cx.ts';
import { indexIn, type LineComparison as View } from '../model/rows.ts';
import { useWorkbench } from '../state/context.ts';
import type { Selection } from '../state/selection.ts';
import { createHeights, type Heights } from './heights.ts';
import { LineRow } from './row.tsx';
import css from './list.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';

const SPARE_PX = 400;
const USUAL_PX = 58;
const LINE_PX = 21;
const HEAD_PX = 36;

/** Estimates the height of a row from its line breaks. */
function guessOf(row: View | undefined): number {
  let most = 1;
  for (const side of [row?.current, row?.proposed]) {
    let lines = 0;
    for (const { text } of side ?? []) lines += text.split('\n').length;
    most = Math.max(most, lines);
  }
  return USUAL_PX + (most - 1) * LINE_PX;
}

interface RangeNeeds {
  box: { readonly current: HTMLDivElement | null };
  shown: readonly number[];
  heights: Heights;
  /** The elements of the rendered rows by their places. */
  elements: ReadonlyMap<number, HTMLElement>;
  /** Called after each measurement. */
  bring: () => void;
}
/** Returns which rows to render, and measures the rendered ones. */
function useRange({ box, shown, heights, elements, bring }: RangeNeeds) {
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
    // Another width breaks lines elsewhere, so all rendered rows are measured again.
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
  // After each render: the real height of a row moves the rows below it, and the rows in view keep their position.
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const anchor = heights.at(list.scrollTop);
    const before = heights.top(anchor);
    let isNews = false;
    for (const [place, row] of elements)
      if (heights.measured(indexIn(shown, place), row.getBoundingClientRect().height)) isNews = true;
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

/** Returns a function that scrolls to the row that was asked for. */
function useReveal(
  box: { readonly current: HTMLDivElement | null },
  { reveal, shown, heights }: { reveal: Selection['reveal']; shown: readonly number[]; heights: Heights },
) {
  const seen = useRef(reveal);
  /** Place of the row that takes the focus as soon as it is rendered. */
  const wanted = useRef<number | undefined>(undefined);
  // Scrolled to again after the next renders, until the row's own height is known.
  const target = useRef<{ place: number; tries: number } | undefined>(undefined);
  if (reveal && reveal !== seen.current) {
    seen.current = reveal;
    target.current = { place: reveal.place, tries: 3 };
    if (reveal.isFocus) wanted.current = reveal.place;
  }
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
  return { bring, wanted };
}

const Head = () => (
  <div role="row" aria-rowindex={1} className={css.head}>
    <span role="columnheader" className={css.number}>
      #
    </span>
    <span role="columnheader" className={css.side}>
      {m.installed}
    </span>
    <span role="columnheader" className={css.side}>
      {m.proposed}
    </span>
    <span role="columnheader" className={css.says}>
      {m.difference}
    </span>
  </div>
);

export const LineList = () => {
  const { session, selection, commands, film, focus } = useWorkbench();
  const { rows, current } = session.lines;
  const { shown, place: selected, reveal } = selection;
  const playing = film.isPlaying ? selection.playing : undefined;
  const isFresh = current.length === 0;
  const box = useRef<HTMLDivElement>(null);
  const elements = useRef(new Map<number, HTMLElement>()).current;
  // Measured heights are kept over a change, so that the list does not move.
  const kept = useRef<Heights | undefined>(undefined);
  const heights = useMemo(
    () => (kept.current = createHeights(shown.length, (at) => guessOf(rows[shown[at] ?? -1]), kept.current)),
    [shown],
  );
  const { bring, wanted } = useReveal(box, { reveal, shown, heights });
  const range = useRange({ box, shown, heights, elements, bring });
  const at = selected === undefined ? -1 : indexIn(shown, selected);
  const tabStop = at >= 0 ? selected : shown[range.first];
  useEffect(() => {
    focus.list.current = () => {
      if (tabStop !== undefined) elements.get(tabStop)?.focus({ preventScroll: true });
      box.current?.scrollIntoView({ block: 'end' });
    };
    const row = wanted.current === undefined ? undefined : elements.get(wanted.current);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  useEffect(
    () => () => {
      focus.list.current = null;
    },
    [],
  );
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || ![...elements.values()].includes(event.target as HTMLElement))
      return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown[at + step] !== undefined) {
      event.preventDefault();
      wanted.current = shown[at + step];
      commands.choose(shown[at + step] as number);
    } else if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && !isTelevision()) {
      event.preventDefault();
      film.seek(film.time.get() + (event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 5 : 1));
    }
  };
  const places = Array.from(
    { length: Math.max(0, Math.min(range.end, shown.length) - range.first) },
    (_, n) => range.first + n,
  );
  // The chosen row stays rendered when it is scrolled out of view, so that it keeps the focus.
  if (at >= 0 && (at < range.first || at >= range.end)) places.push(at);
  return (
    <div
      ref={box}
      className={cx(css.list, isFresh && css.fresh)}
      role="grid"
      aria-label={m.lines}
      aria-rowcount={shown.length + 1}
      onKeyDown={onKey}
    >
      <Head />
      <div role="rowgroup" className={css.rows} style={{ height: `${heights.top(shown.length)}px` }}>
        {places.map((n) => {
          const place = shown[n] as number;
          const row = rows[place];
          return (
            row && (
              <LineRow
                key={place}
                {...{ row, place, elements, isFresh }}
                number={n + 1}
                language={session.language}
                top={heights.top(n)}
                isSelected={place === selected}
                isPlaying={place === playing}
                isTabStop={place === tabStop}
                onSelect={commands.choose}
                onOpen={commands.openText}
              />
            )
          );
        })}
      </div>
    </div>
  );
};
