/** Photos by day. Only what is in view is rendered, and the scrubber along the edge leads to any month. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { memo } from 'preact/compat';
import aperture from 'lucide/dist/esm/icons/aperture.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import { Artwork } from '../../../kit/art/artwork.tsx';
import { Icon } from '../../../kit/art/icon.tsx';
import { cx } from '../../../lib/cx.ts';
import { forward } from '../../../lib/direction.ts';
import { position } from '../../../lib/format.ts';
import type { To } from '../../../lib/navigation/addresses.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { perLocale } from '../../../messages/plural.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import { type PhotoCard, type PhotoListing, usePhotoCards } from './cards.ts';
import {
  dayAcross,
  type DaysLayout,
  layoutOfDays,
  type PhotoDay,
  photoPosition,
  type VisibleDay,
  visibleDays,
} from './layout.ts';
import { Scrubber } from './scrubber.tsx';
import css from './photos.module.css';
import { onNextFrame } from '../../../lib/pending-work.ts';

/** Pixels beyond the view that are rendered, so that scrolling finds them there. */
const SPARE = 500;
const datesOf = (options: Intl.DateTimeFormatOptions) =>
  perLocale((locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', year: 'numeric', ...options }));
/** Forms of a date, and the width in rem that each needs in any language. */
const DATE_FORMS = [
  { least: 18, dates: datesOf({ weekday: 'long', month: 'long' }) },
  { least: 10, dates: datesOf({ weekday: 'short', month: 'short' }) },
  { least: 0, dates: datesOf({ month: 'short' }) },
] as const;
const noonOf = (date: string): Date => new Date(`${date}T12:00:00`);
export const longDay = (date: string): string => DATE_FORMS[0].dates().format(noonOf(date));
/** Returns the longest form of a date that fits a width in rem. */
const dayHeading = (date: string, width: number): string =>
  (DATE_FORMS.find(({ least }) => width >= least) ?? DATE_FORMS[2]).dates().format(noonOf(date));

const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

interface DaysProps {
  days: readonly PhotoDay[];
  listing: PhotoListing;
  label: string;
  addressOf: (id: string) => To;
}

/** The layout for the width there is, and how far the list is scrolled. */
function useScrolled(days: readonly PhotoDay[]) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    let stop: (() => void) | undefined;
    const measure = () => {
      stop = undefined;
      setWidth(list.clientWidth);
      setTop(Math.round(-list.getBoundingClientRect().top));
    };
    const soon = () => {
      stop ??= onNextFrame(measure);
    };
    measure();
    const watch = new ResizeObserver(soon);
    watch.observe(list);
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      watch.disconnect();
      stop?.();
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, []);
  const unit = rem();
  const isNarrow = innerWidth < 700;
  const needs = { width, leastCell: (isNarrow ? 6.5 : 10) * unit, gap: 4, head: 3 * unit, below: 1.25 * unit };
  const layout = useLayoutOf(days, needs);
  const scrollTo = (to: number) => {
    const list = box.current;
    if (list) window.scrollTo({ top: list.getBoundingClientRect().top + scrollY + to - 16 });
  };
  return { box, layout, top, isMeasured: width > 0, scrollTo };
}

/** Laying out thousands of days is not repeated for each frame that is scrolled. */
function useLayoutOf(days: readonly PhotoDay[], needs: Parameters<typeof layoutOfDays>[1]): DaysLayout {
  const kept = useRef<{ days: readonly PhotoDay[]; width: number; unit: number; layout: DaysLayout } | undefined>(
    undefined,
  );
  const { width, head } = needs;
  if (kept.current?.days !== days || kept.current.width !== width || kept.current.unit !== head)
    kept.current = { days, width, unit: head, layout: layoutOfDays(days, needs) };
  return kept.current.layout;
}

export const Days = ({ days, listing, label, addressOf }: DaysProps) => {
  const { box, layout, top, isMeasured, scrollTo } = useScrolled(days);
  const visible = isMeasured ? visibleDays(layout, top - SPARE, top + innerHeight + SPARE) : [];
  const range = { first: visible[0]?.from ?? 0, end: visible.at(-1)?.to ?? 0 };
  const cardAt = usePhotoCards(listing, range);
  return (
    <div className={css.timeline}>
      <div
        ref={box}
        className={css.days}
        style={{ height: `${isMeasured ? layout.height : 0}px` }}
        role="group"
        aria-label={label}
      >
        {visible.map((one) => (
          <Day key={one.day.date} shown={one} layout={layout} cardAt={cardAt} addressOf={addressOf} />
        ))}
      </div>
      {isMeasured && <Scrubber layout={layout} now={top + 80} onTop={scrollTo} />}
    </div>
  );
};

const Day = ({
  shown: { day, from, to },
  layout,
  cardAt,
  addressOf,
}: {
  shown: VisibleDay;
  layout: DaysLayout;
  cardAt: (index: number) => PhotoCard | undefined;
  addressOf: (id: string) => To;
}) => {
  const name = longDay(day.date);
  const { x: start, width } = dayAcross(layout, day);
  return (
    <section
      className={css.day}
      style={{
        transform: `translate(${forward() * start}px, ${day.top}px)`,
        width: `${width}px`,
        height: `${day.height}px`,
      }}
    >
      <h2 className={css.date} style={{ height: `${layout.head}px` }} aria-label={name}>
        <span>{dayHeading(day.date, width / rem())}</span>
      </h2>
      <ul aria-label={name}>
        {Array.from({ length: to - from }, (_, n) => {
          const index = from + n;
          const { x, y } = photoPosition(layout, day, index);
          const card = cardAt(index);
          return (
            <li
              key={index}
              className={css.cell}
              style={{
                transform: `translate(${forward() * x}px, ${y}px)`,
                width: `${layout.cell}px`,
                height: `${layout.cell}px`,
              }}
              aria-setsize={day.count}
              aria-posinset={index - day.first + 1}
            >
              {card && <Photo card={card} to={addressOf(card.id)} cell={layout.cell} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
};

const Photo = memo(
  ({ card, to, cell }: { card: PhotoCard; to: To; cell: number }) => (
    <Link to={to} className={cx(css.photo, !card.available && css.away)} aria-label={card.title} title={card.title}>
      <Artwork
        id={card.id}
        kind="thumb"
        version={card.images.thumb}
        title={card.title}
        sizes={`${Math.ceil(cell)}px`}
        isFilling
      />
      {card.kind === 'video' && (
        <span className={css.badge}>
          <Icon of={play} isFilled size={0.75} />
          {card.duration !== undefined && position(card.duration)}
          <span className="unseen">{m.clip}</span>
        </span>
      )}
      {card.kind === 'photo' && card.images.thumb === undefined && (
        <span className={css.badge}>
          <Icon of={aperture} size={0.75} />
        </span>
      )}
    </Link>
  ),
  (before, after) =>
    before.card.id === after.card.id &&
    before.card.images.thumb === after.card.images.thumb &&
    before.card.available === after.card.available &&
    before.cell === after.cell,
);
