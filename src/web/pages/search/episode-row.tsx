/** An episode as a row: its picture, which one it is, and its show. */
import { Link } from '../../lib/navigation/link.tsx';
import { CardFrame } from '../../parts/catalog/card-frame.tsx';
import { pageOf, wideArt, type Card } from '../../parts/catalog/cards.tsx';
import { Artwork } from '../../kit/art/artwork.tsx';
import { formatDuration, episodeCode, facts } from '../../lib/format.ts';
import css from './search.module.css';

export const EpisodeRow = ({ card }: { card: Card }) => {
  const { kind, version } = wideArt(card);
  return (
    <li>
      <CardFrame card={card} over={{ className: css.over }} hasMenu={false}>
        <Link to={pageOf(card)} className={css.row}>
          <span className={css.picture}>
            <Artwork id={card.id} kind={kind} version={version} title={card.title} sizes="160px" isFilling />
          </span>
          <span className={css.words}>
            <strong>{card.title}</strong>
            <span className="muted small">
              {facts(
                card.show?.title,
                episodeCode(card),
                card.duration !== undefined && formatDuration(card.duration),
              ).join(' · ')}
            </span>
          </span>
        </Link>
      </CardFrame>
    </li>
  );
};
