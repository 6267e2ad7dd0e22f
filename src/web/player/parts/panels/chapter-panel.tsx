/** The chapters, the one that plays marked. */
import { position } from '../../../lib/format.ts';
import type { PlanReply } from '../../../parts/playback/plan.ts';
import { chapterAt } from '../../engine/times.ts';
import { PlayerPanel } from './panel.tsx';
import css from '../parts.module.css';
import { playerWords as m } from '../../../messages/player.ts';

export const ChapterPanel = ({
  chapters,
  time,
  onSeek,
  onClose,
}: {
  chapters: PlanReply['chapters'];
  time: number;
  onSeek: (time: number) => void;
  onClose: () => void;
}) => {
  const now = chapterAt(chapters, time)?.at;
  return (
    <PlayerPanel title={m.chapters} onClose={onClose}>
      <ol className={css.chapters}>
        {chapters.map(({ start, title, image }, at) => (
          <li key={start}>
            <button
              type="button"
              className={css.chapter}
              aria-current={at === now ? 'true' : undefined}
              onClick={() => onSeek(start)}
            >
              {image !== undefined && <img src={image} alt="" loading="lazy" decoding="async" className={css.still} />}
              <span className={css.grow}>{title || m.chapter({ number: at + 1 })}</span>
              <time>{position(start)}</time>
            </button>
          </li>
        ))}
      </ol>
    </PlayerPanel>
  );
};
