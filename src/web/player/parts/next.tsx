/** Offers the next episode, which begins by itself after some seconds unless the viewer cancels it. */
import { useEffect, useState } from 'preact/hooks';
import play from 'lucide/dist/esm/icons/play.mjs';
import { type Reply, useAsk } from '../../data/query.ts';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { episodeCode } from '../../lib/format.ts';
import { closingAt } from '../engine/markers.ts';
import type { PlanReply } from '../../parts/playback/plan.ts';
import type { Film } from '../engine/timeline.ts';
import css from './parts.module.css';
import { playerWords as m } from '../../messages/player.ts';
import { repeat } from '../../lib/pending-work.ts';

const WAIT_S = 10;

const legendOf = (isInList: boolean, seconds: number | undefined): string =>
  seconds === undefined
    ? isInList
      ? m.nextInList
      : m.nextEpisode
    : (isInList ? m.nextInListInSeconds : m.nextEpisodeInSeconds)({ seconds });

interface NextProps {
  /** Undefined if it could not be loaded; it can be played all the same. */
  item: Reply<'catalog', 'item'> | undefined;
  /** Whether it begins by itself. */
  isCounting: boolean;
  /** Whether it is the next entry of a list, and not the next episode. */
  isInList: boolean;
  onPlay: () => void;
  onCancel: () => void;
}
const Next = ({ item, isCounting, isInList, onPlay, onCancel }: NextProps) => {
  const [left, setLeft] = useState(WAIT_S);
  useEffect(() => {
    if (!isCounting) return;
    return repeat(1000, () => setLeft((n) => n - 1));
  }, [isCounting]);
  useEffect(() => {
    if (isCounting && left <= 0) onPlay();
  }, [left, isCounting]);
  return (
    <section className={css.next} aria-label={isInList ? m.nextInList : m.nextEpisode}>
      {item && (
        <div className={css.thumb}>
          <Artwork
            id={item.id}
            kind={item.images.thumb ? 'thumb' : 'backdrop'}
            version={item.images.thumb ?? item.images.backdrop}
            title={item.title}
            sizes="144px"
            isFilling
          />
        </div>
      )}
      <div className={css.nextWords}>
        <p className={css.legend}>{legendOf(isInList, isCounting ? Math.max(0, left) : undefined)}</p>
        {item && <h2>{item.title}</h2>}
        {item && <p className="muted small">{episodeCode(item)}</p>}
        <div className={css.nextActions}>
          <Button look="primary" icon={play} isFilled onClick={onPlay} autoFocus={isCounting}>
            {m.play}
          </Button>
          <Button look="quiet" onClick={onCancel}>
            {isCounting ? m.notNow : m.hide}
          </Button>
        </div>
      </div>
    </section>
  );
};

/** Seconds before the end from which the next episode is offered, if the credits are not marked. */
const CREDITS_S = 25;
export interface EndingProps {
  film: Film;
  id: string;
  isEnded: boolean;
  isAutoplay: boolean;
  isInList: boolean;
  plan: Pick<PlanReply, 'markers' | 'autoSkip'>;
  onPlay: () => void;
}
/**
 * Offers the next episode from the credits on. It begins by itself at the end, and where credits are skipped already
 * with them. The episode is loaded while the film plays, so that the offer has its title from the first moment.
 */
export const Ending = ({ film, id, isEnded, isAutoplay, isInList, plan, onPlay }: EndingProps) => {
  const { data: item, isPending } = useAsk('catalog', 'item', { id });
  const [isNear, setNear] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    const look = () => setNear(film.time() >= closingAt(plan.markers, film.duration(), CREDITS_S));
    look();
    film.video.addEventListener('timeupdate', look);
    return () => film.video.removeEventListener('timeupdate', look);
  }, [film, plan]);
  if ((!isEnded && !isNear) || isRefused || isPending) return null;
  const isSkipping =
    plan.autoSkip.some((kind) => kind === 'credits' || kind === 'outro') &&
    plan.markers.some(({ kind }) => plan.autoSkip.includes(kind) && (kind === 'credits' || kind === 'outro'));
  return (
    <Next
      key={String(isEnded)}
      item={item}
      isInList={isInList}
      isCounting={isAutoplay && (isEnded || isSkipping)}
      onPlay={onPlay}
      onCancel={() => setRefused(true)}
    />
  );
};
