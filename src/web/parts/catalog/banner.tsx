/** The head of an item's or show's page: its backdrop, its poster, its name and what can be done with it. */
import type { ComponentChildren } from 'preact';
import type { Card } from '../../../contract/catalog/cards.ts';
import { Artwork } from '../../kit/art/artwork.tsx';
import { isSquare } from './cards.tsx';
import css from './banner.module.css';

export interface BannerProps {
  card: Pick<Card, 'id' | 'title' | 'images' | 'kind'>;
  /** An artist, whose own pictures take the place of those of the card. The poster is round, as those of people. */
  artist?: { id: string; images: Card['images'] } | undefined;
  /** Above the name: a link to the show. */
  over?: ComponentChildren;
  title: string;
  /** Pieces of the line of facts. */
  facts: readonly ComponentChildren[];
  tagline?: string | undefined;
  plot?: string | undefined;
  actions: ComponentChildren;
  children?: ComponentChildren;
}

/** The last actions, which stay on one line: a menu is never alone on a line of its page. */
export const LastActions = ({ children }: { children: ComponentChildren }) => (
  <div className={css.last}>{children}</div>
);

export const Banner = ({ card, artist, over, title, facts, tagline, plot, actions, children }: BannerProps) => {
  const images: Card['images'] = { ...card.images, ...artist?.images };
  /** Returns whose picture of a kind is shown. */
  const ownerOf = (kind: 'poster' | 'backdrop' | 'thumb') =>
    artist?.images[kind] === undefined ? { id: card.id } : { id: artist.id, of: 'artist' as const };
  const behind = images.backdrop !== undefined ? 'backdrop' : images.thumb !== undefined ? 'thumb' : undefined;
  // An episode is known by its still; so is a film that came without a poster.
  const front =
    images.thumb !== undefined && (card.kind === 'episode' || images.poster === undefined) ? 'thumb' : 'poster';
  return (
    <div className={css.banner}>
      {behind && (
        <div className={css.behind}>
          <Artwork
            {...ownerOf(behind)}
            kind={behind}
            version={images[behind]}
            title=""
            sizes="100vw"
            isEager
            isFilling
          />
        </div>
      )}
      <div className={css.inside}>
        <div className={front === 'thumb' ? css.still : artist ? `${css.poster} ${css.round}` : css.poster}>
          <Artwork
            {...ownerOf(front)}
            kind={front}
            version={images[front]}
            title={card.title}
            sizes="(min-width: 1800px) 420px, 340px"
            isEager
            isSquare={isSquare(card)}
          />
        </div>
        <div className={css.words}>
          {over !== undefined && <p className={css.over}>{over}</p>}
          <h1 className={css.title}>{title}</h1>
          <ul className={css.facts}>
            {facts.map((piece, at) => (
              <li key={at}>{piece}</li>
            ))}
          </ul>
          {children}
          <div className={css.actions}>{actions}</div>
          {tagline && <p className={css.tagline}>{tagline}</p>}
          {plot && <p className={css.plot}>{plot}</p>}
        </div>
      </div>
    </div>
  );
};
