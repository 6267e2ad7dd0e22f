/** The chapters of a book. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { position } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import { chapterAt } from '../../engine/times.ts';
import { jump } from '../engine/controls.ts';
import { listenClock } from '../engine/state.ts';
import { useChapters } from './use-chapters.ts';
import css from './listening.module.css';

export const ChaptersPanel = () => {
  const { time } = useStore(listenClock);
  const list = useRef<HTMLOListElement>(null);
  const chapters = useChapters();
  const now = chapterAt(chapters, time)?.at;
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [now]);
  if (chapters.length === 0) return <p className="muted">{m.noChapters}</p>;
  return (
    <ol ref={list} className={css.rows}>
      {chapters.map(({ title, start }, at) => (
        <li key={start} className={css.row} aria-current={at === now ? 'true' : undefined}>
          <button type="button" className={css.entry} onClick={() => jump(start)}>
            <span className={css.entryTitle}>{title}</span>
          </button>
          <span className={css.length}>{position(start)}</span>
        </li>
      ))}
    </ol>
  );
};
