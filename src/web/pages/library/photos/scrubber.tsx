/** The scrubber along the edge of the photos: the years, and the month under the finger. */
import { useEffect, useRef, useState } from 'preact/hooks';
import grip from 'lucide/dist/esm/icons/chevrons-up-down.mjs';
import { Icon } from '../../../kit/art/icon.tsx';
import { cx } from '../../../lib/cx.ts';
import { perLocale } from '../../../messages/plural.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import { type DaysLayout, monthAt, monthsOf, type MonthStop, yearMarks } from './layout.ts';
import css from './photos.module.css';
import { later } from '../../../lib/pending-work.ts';

const names = perLocale((locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }));
const middleOf = (month: string): Date => new Date(`${month}-15T12:00:00`);
const namesWithoutYear = perLocale((locale) => new Intl.DateTimeFormat(locale, { month: 'long' }));
/** Returns `July 2024` or `May – July 2024`: months of one row are of one year. */
const stopName = ({ month, until }: MonthStop): string => {
  const latest = names().format(middleOf(month));
  return until === month ? latest : `${namesWithoutYear().format(middleOf(until))} – ${latest}`;
};
/** Share of the rail that a year takes. */
const LEAST = 0.06;
/** How long the grip stays after the page has scrolled, where it covers photos. */
const STAY_MS = 1800;
/** Fewer months are scrolled through faster than they are found. */
const MIN_MONTHS = 3;

/** Whether the page has scrolled lately. */
function useScrolledLately(): boolean {
  const [isLately, setLately] = useState(false);
  useEffect(() => {
    let stop: (() => void) | undefined;
    const onScroll = () => {
      setLately(true);
      stop?.();
      stop = later(STAY_MS, () => setLately(false), { isBackground: true });
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      stop?.();
      removeEventListener('scroll', onScroll);
    };
  }, []);
  return isLately;
}

export const Scrubber = ({
  layout,
  now,
  onTop,
}: {
  layout: DaysLayout;
  /** Height at the top of the view. */
  now: number;
  onTop: (top: number) => void;
}) => {
  const rail = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<number>();
  const isAwake = useScrolledLately();
  const months = monthsOf(layout);
  if (months.length < MIN_MONTHS) return null;
  const at = held ?? monthAt(months, now);
  const show = (index: number) => {
    const month = months[Math.min(months.length - 1, Math.max(0, index))];
    if (month) onTop(month.top);
  };
  const draw = (event: PointerEvent) => {
    const box = rail.current?.getBoundingClientRect();
    if (!box) return;
    const share = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
    const index = monthAt(months, share * layout.height);
    setHeld(index);
    show(index);
  };
  const onKey = (event: KeyboardEvent) => {
    const year = months[at]?.month.slice(0, 4);
    const steps: Record<string, number | undefined> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: months.length - 1,
      PageUp: months.findLastIndex(({ month }, index) => index < at && month.slice(0, 4) !== year),
      PageDown: months.findIndex(({ month }, index) => index > at && month.slice(0, 4) !== year),
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to >= 0) show(to);
  };
  const month = months[at];
  return (
    <div
      ref={rail}
      className={cx(css.scrubber, isAwake && css.awake, held !== undefined && css.held)}
      role="slider"
      tabIndex={0}
      data-arrows="own"
      aria-orientation="vertical"
      aria-label={m.jumpToMonth}
      aria-valuemin={1}
      aria-valuemax={months.length}
      aria-valuenow={at + 1}
      aria-valuetext={month && stopName(month)}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        draw(event);
      }}
      onPointerMove={(event) => held !== undefined && draw(event)}
      onPointerUp={() => setHeld(undefined)}
      onPointerCancel={() => setHeld(undefined)}
    >
      {yearMarks(months, layout.height, LEAST).map(({ year, at: share }) => (
        <span key={year} className={css.year} style={{ top: `${share * 100}%` }} aria-hidden="true">
          {year}
        </span>
      ))}
      {month && (
        <span
          className={css.here}
          style={{ top: `${(month.top / Math.max(1, layout.height)) * 100}%` }}
          aria-hidden="true"
        >
          <span className={css.grip}>
            <Icon of={grip} size={1.125} />
          </span>
          {held !== undefined && <span className={css.bubble}>{stopName(month)}</span>}
        </span>
      )}
    </div>
  );
};
