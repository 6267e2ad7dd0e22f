/** The episodes of a season, each with what happens in it and whether it has been seen. */
import check from 'lucide/dist/esm/icons/check.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import { Link } from '../../lib/navigation/link.tsx';
import { setWatched } from '../../parts/catalog/actions.ts';
import { wideArt } from '../../parts/catalog/cards.tsx';
import { CardFrame } from '../../parts/catalog/card-frame.tsx';
import { left, seen, wayToPlay } from '../../parts/catalog/play.ts';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { IconButton } from '../../kit/forms/button.tsx';
import { Badge, ProgressBar } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { day, formatDuration, facts } from '../../lib/format.ts';
import type { DetailedShow } from './types.ts';
import css from './show.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

type Episode = DetailedShow['seasons'][number]['episodes'][number];

const One = ({ episode, isNext }: { episode: Episode; isNext: boolean }) => {
  const { kind, version } = wideArt(episode);
  const share = seen(episode);
  const { watched } = episode.userData;
  const way = wayToPlay(episode);
  return (
    <CardFrame card={episode} over={{ className: css.over }} canPlay={false} hasMenu={false} className={css.episode}>
      <Link
        to={{ page: way ? 'player' : 'item', params: { id: episode.id } }}
        className={css.picture}
        aria-label={(way ? m.playWithTitle : m.detailsOf)({ title: episode.title })}
      >
        <Artwork
          id={episode.id}
          kind={kind}
          version={version}
          title={episode.title}
          sizes="(min-width: 700px) 260px, 130px"
          isFilling
        />
        {way && (
          <span className={css.play}>
            <Icon of={play} isFilled />
          </span>
        )}
        {share !== undefined && (
          <span className={css.share}>
            <ProgressBar value={share} label={m.watchedSoFar} isThin />
          </span>
        )}
      </Link>
      <div className={css.words}>
        <h3>
          <Link to={{ page: 'item', params: { id: episode.id } }}>
            {episode.episode !== undefined &&
              `${episode.episode}${(episode.episodeEnd ?? 0) > episode.episode ? `–${episode.episodeEnd}` : ''}. `}
            {episode.title}
          </Link>
        </h3>
        <p className="muted small">
          {facts(
            episode.released && day(episode.released),
            episode.duration !== undefined && formatDuration(episode.duration),
            share !== undefined && left(episode),
          ).join(' · ')}{' '}
          {isNext && <Badge tone="accent">{m.nextUp}</Badge>}{' '}
          {!episode.available && <Badge tone="warn">{m.unavailable}</Badge>}
        </p>
        {episode.plot && <p className={css.plot}>{episode.plot}</p>}
      </div>
      <IconButton
        icon={check}
        label={
          watched
            ? m.watchedMarkAsNotWatched({ title: episode.title })
            : m.markAsWatchedWithTitle({ title: episode.title })
        }
        aria-pressed={watched}
        className={cx(css.mark, watched && css.on)}
        onClick={() => void setWatched(episode, !watched)}
      />
    </CardFrame>
  );
};

export const Episodes = ({ episodes, nextUp }: { episodes: readonly Episode[]; nextUp: string | undefined }) => (
  <SelectableList order={orderOf(episodes.map(({ id }) => id))}>
    <ol className={css.episodes}>
      {episodes.map((episode) => (
        <li key={episode.id}>
          <One episode={episode} isNext={episode.id === nextUp} />
        </li>
      ))}
    </ol>
  </SelectableList>
);
