/** The first thing on home: one item, large, with its picture behind it. */
import info from 'lucide/dist/esm/icons/info.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import { pageOf, type Card } from '../../parts/catalog/cards.tsx';
import { left, seen, wayToPlay } from '../../parts/catalog/play.ts';
import { Artwork } from '../../kit/art/artwork.tsx';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { ProgressBar } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDuration, episodeCode, facts, resolution } from '../../lib/format.ts';
import css from './home.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

export const Hero = ({ card }: { card: Card }) => {
  const share = seen(card);
  const isEpisode = card.kind === 'episode';
  const way = wayToPlay(card);
  // A tall picture is not stretched over the screen: if there is no wide one, it is shown next to the text.
  const wide = card.images.backdrop !== undefined ? 'backdrop' : card.images.thumb !== undefined ? 'thumb' : undefined;
  const line = facts(
    isEpisode && episodeCode(card),
    isEpisode && card.title,
    !isEpisode && card.year,
    !isEpisode && card.duration !== undefined && formatDuration(card.duration),
    card.resolution && resolution(card.resolution),
    card.rating,
  );
  return (
    <section className={cx(css.hero, wide === undefined && css.plain)} aria-label={m.featured}>
      {wide === undefined ? (
        <div className={css.poster}>
          <Artwork id={card.id} kind="poster" version={card.images.poster} title={card.title} sizes="220px" isEager />
        </div>
      ) : (
        <div className={css.backdrop}>
          <Artwork id={card.id} kind={wide} version={card.images[wide]} title="" sizes="100vw" isEager isFilling />
        </div>
      )}
      <div className={css.words}>
        <p className={css.over}>
          {share === undefined ? (isEpisode ? m.nextUp : m.recentlyAdded) : m.continueWatching}
        </p>
        <h2 className={css.name}>{isEpisode && card.show ? card.show.title : card.title}</h2>
        <p className={css.line}>{line.join('  ·  ')}</p>
        {share !== undefined && (
          <div className={css.progress}>
            <ProgressBar value={share} label={m.watchedSoFar} isThin />
            <span className="muted small">{left(card)}</span>
          </div>
        )}
        <div className={css.buttons}>
          {way && (
            <ButtonLink look="primary" isLarge icon={play} isFilled to={{ page: 'player', params: { id: way.id } }}>
              {way.label}
            </ButtonLink>
          )}
          <ButtonLink isLarge icon={info} look={way ? 'plain' : 'primary'} to={pageOf(card)}>
            {m.details}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
};
