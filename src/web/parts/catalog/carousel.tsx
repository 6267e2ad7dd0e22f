/** A row of cards that scrolls sideways, with buttons for a mouse. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import back from 'lucide/dist/esm/icons/chevron-left.mjs';
import on from 'lucide/dist/esm/icons/chevron-right.mjs';
import type { To } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { IconButton } from '../../kit/forms/button.tsx';
import { cx } from '../../lib/cx.ts';
import { forward } from '../../lib/direction.ts';
import css from './carousel.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

export interface CarouselProps {
  title: string;
  /** Page that shows all of the cards. */
  all?: To;
  /** Wide cards instead of posters. */
  isWide?: boolean;
  /** One element with a key for each card. */
  children: ComponentChildren[];
}

export const Carousel = ({ title, all, isWide = false, children }: CarouselProps) => {
  const row = useRef<HTMLUListElement>(null);
  const id = useId();
  const [ends, setEnds] = useState({ start: true, end: true });
  useEffect(() => {
    const list = row.current;
    if (!list) return;
    const look = () => {
      // Counts down from 0 where text runs from right to left.
      const scrolled = Math.abs(list.scrollLeft);
      const start = scrolled < 8;
      const end = scrolled + list.clientWidth > list.scrollWidth - 8;
      setEnds((before) => (before.start === start && before.end === end ? before : { start, end }));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(list);
    list.addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      list.removeEventListener('scroll', look);
    };
  }, [children.length]);
  const turn = (way: 1 | -1) => () =>
    row.current?.scrollBy({
      left: forward() * way * row.current.clientWidth * 0.85,
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    });
  return (
    <section className={css.section} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        {all && (
          <Link to={all} className={css.all} aria-label={m.seeAllOf({ title })}>
            {m.seeAll}
          </Link>
        )}
        {/* Arrows and touch do the same; these are for a mouse and stay out of the tab order. */}
        <span className={cx(css.turns, ends.start && ends.end && css.none)} aria-hidden="true">
          <IconButton
            icon={back}
            label={m.earlierIn({ title })}
            tabIndex={-1}
            disabled={ends.start}
            onClick={turn(-1)}
          />
          <IconButton icon={on} label={m.laterIn({ title })} tabIndex={-1} disabled={ends.end} onClick={turn(1)} />
        </span>
      </header>
      <ul ref={row} className={cx(css.row, isWide && css.isWide)}>
        {children.map((child, at) => (
          <li key={(child as { key?: string }).key ?? at}>{child}</li>
        ))}
      </ul>
    </section>
  );
};
