/** Items as cards: a poster with its name, and a wide picture for what is under way. */
import { memo } from 'preact/compat';
import check from 'lucide/dist/esm/icons/check.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import type { Card } from '../../../contract/catalog/cards.ts';
import type { To } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { cx } from '../../lib/cx.ts';
import { day, formatDuration, episodeCode, facts } from '../../lib/format.ts';
import { CardFrame } from './card-frame.tsx';
import { doneWords } from './done-words.ts';
import { left, seen, wayToPlay } from './play.ts';
import css from './cards.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

export type { Card };
/** Whether a card is a photo or a clip of the household. */
const isTaken = ({ kind }: Pick<Card, 'kind'>): boolean => kind === 'photo' || kind === 'video';

/** Returns the page of an item. A season is shown on its show's page. */
export const pageOf = (
  card: Pick<Card, 'id' | 'kind'> & Partial<Pick<Card, 'show' | 'season' | 'album' | 'library'>>,
): To =>
  isTaken(card)
    ? { page: 'library', query: { view: 'photos', library: card.library, photo: card.id } }
    : card.kind === 'audiobook'
      ? { page: 'audiobook', params: { id: card.id } }
      : card.kind === 'album'
        ? { page: 'album', params: { id: card.id } }
        : card.kind === 'track' && card.album
          ? { page: 'album', params: { id: card.album.id } }
          : card.kind === 'show' || card.kind === 'book' || card.kind === 'series'
            ? { page: card.kind, params: { id: card.id } }
            : card.kind === 'season' && card.show
              ? { page: 'show', params: { id: card.show.id }, query: { season: card.season } }
              : { page: 'item', params: { id: card.id } };

/** Volume and chapter of a book: `Vol. 2 #10`. */
export const placeIn = ({ volume, chapter }: Pick<Card, 'volume' | 'chapter'>): string =>
  facts(volume && m.volumeShort({ text: volume.text }), chapter && `#${chapter.text}`).join(' ');

/** The picture of a card: a group without a poster shows that of its first item. */
const posterOf = ({ id, images, cover }: Card): { id: string; version: string | undefined } =>
  images.poster === undefined && cover !== undefined
    ? { id: cover, version: `c${cover}` }
    : { id, version: images.poster };

/** The first line of a card: for a photo the day it was taken, because its title is the name of a file. */
const nameOf = (card: Card): string =>
  card.kind === 'episode' && card.show
    ? card.show.title
    : isTaken(card) && card.released !== undefined
      ? day(card.released)
      : card.title;

/** The second line of a card. */
const under = (card: Card): string => {
  if (card.kind === 'episode') return facts(episodeCode(card), card.title).join(' · ');
  if (card.kind === 'show')
    return facts(card.year, card.episodes !== undefined && m.episodesCount({ count: card.episodes })).join(' · ');
  if (card.artists)
    return facts(placeIn(card), card.artists.join(', '), card.kind === 'album' && card.year).join(' · ');
  if (card.kind === 'series') return card.books === undefined ? '' : m.booksCount({ count: card.books });
  if (card.kind === 'book') return facts(placeIn(card), card.authors?.[0]).join(' · ');
  return facts(!isTaken(card) && card.year, card.duration !== undefined && formatDuration(card.duration)).join(' · ');
};

const Marks = ({ card }: { card: Card }) => {
  const share = seen(card);
  const todo = card.unwatched ?? card.unread ?? 0;
  return (
    <>
      {card.userData.watched && (
        <span className={css.tick}>
          <Icon of={check} size={0.875} />
        </span>
      )}
      {!card.userData.watched && todo > 0 && <span className={css.count}>{todo > 99 ? '99+' : todo}</span>}
      {!card.available && <span className={css.away}>{m.unavailable}</span>}
      {share !== undefined && (
        <span className={css.track}>
          <span className={css.share} style={{ width: `${Math.max(3, share * 100)}%` }} />
        </span>
      )}
    </>
  );
};
/** Describes the marks on the artwork to screen readers. */
const said = (card: Card): string =>
  facts(
    card.userData.watched && doneWords(card.kind).done,
    card.unwatched ? m.notWatchedWithEpisodes({ episodes: m.episodesCount({ count: card.unwatched }) }) : undefined,
    !card.available && m.unavailableWord,
    seen(card) !== undefined && left(card),
  ).join(', ');

/** Whether the picture of a card is a square: that of music, and the middle of a photo. */
export const isSquare = (card: Pick<Card, 'kind'>): boolean =>
  card.kind === 'album' || card.kind === 'track' || card.kind === 'audiobook' || isTaken(card);

export interface PosterProps {
  card: Card;
  sizes?: string;
  isEager?: boolean;
  index?: number;
}
export const Poster = memo(
  ({ card, sizes = '(min-width: 1800px) 220px, 180px', isEager = false, index }: PosterProps) => {
    const name = nameOf(card);
    const art = isTaken(card) ? { id: card.id, ...wideArt(card) } : { kind: 'poster' as const, ...posterOf(card) };
    return (
      <CardFrame card={card} over="poster">
        <Link to={pageOf(card)} className={css.card} data-index={index}>
          <span className={cx(css.picture, !card.available && css.dim)}>
            <Artwork {...art} title={name} sizes={sizes} isEager={isEager} isSquare={isSquare(card)} />
            <Marks card={card} />
          </span>
          <span className={css.title}>{name}</span>
          <span className={css.under}>{under(card)}</span>
          <span className="unseen">{said(card)}</span>
        </Link>
      </CardFrame>
    );
  },
);

/** The widest picture an item has. */
export const wideArt = ({
  images,
}: Pick<Card, 'images'>): { kind: 'thumb' | 'backdrop' | 'poster'; version: string | undefined } =>
  images.thumb !== undefined
    ? { kind: 'thumb', version: images.thumb }
    : images.backdrop !== undefined
      ? { kind: 'backdrop', version: images.backdrop }
      : { kind: 'poster', version: images.poster };

interface WideFaceProps {
  id: string;
  title: string;
  kind: 'thumb' | 'backdrop' | 'poster';
  version: string | undefined;
  isAvailable: boolean;
  says: readonly string[];
}
const WideFace = ({ id, title, kind, version, isAvailable, says }: WideFaceProps) => (
  <>
    <span className={cx(css.picture, !isAvailable && css.dim)}>
      <span className={css.wide}>
        <Artwork id={id} kind={kind} version={version} title={title} sizes="320px" isFilling />
      </span>
      <span className={css.play}>
        <Icon of={play} isFilled size={1.375} />
      </span>
      {!isAvailable && <span className={css.away}>{m.unavailable}</span>}
    </span>
    <span className={css.title}>{title}</span>
    <span className={css.under}>{says.join(' · ')}</span>
  </>
);
/** A wide card of something that is only played, such as a trailer. */
export const WideCard = (face: WideFaceProps) => (
  <Link
    to={{ page: 'player', params: { id: face.id } }}
    className={css.card}
    aria-label={m.playWithTitle({ title: face.title })}
  >
    <WideFace {...face} />
  </Link>
);
/** A wide card that opens a page of another site in a new tab. Its picture is that of an item here. */
export const OutsideCard = ({ href, label, ...face }: WideFaceProps & { href: string; label: string }) => (
  <a href={href} target="_blank" rel="noreferrer" className={css.card} aria-label={label}>
    <WideFace {...face} />
  </a>
);

/** A book under way is opened where it was closed. */
const openedAt = (card: Card): To =>
  card.kind === 'book' && card.available ? { page: 'reader', params: { id: card.id } } : pageOf(card);

/** A wide card that plays at once; one that cannot be played opens its page. */
export const Wide = ({ card, sizes = '(min-width: 1800px) 400px, 320px' }: { card: Card; sizes?: string }) => {
  const { kind, version } = wideArt(card);
  const isEpisode = card.kind === 'episode';
  const way = wayToPlay(card);
  return (
    <CardFrame card={card} over="wide" canPlay={false} isMenuAlways>
      <Link to={way ? { page: 'player', params: { id: way.id } } : openedAt(card)} className={css.card}>
        <span className={cx(css.picture, !card.available && css.dim)}>
          <span className={css.wide}>
            <Artwork id={card.id} kind={kind} version={version} title={card.title} sizes={sizes} isFilling />
          </span>
          {way && (
            <span className={css.play}>
              <Icon of={play} isFilled size={1.375} />
            </span>
          )}
          <Marks card={card} />
        </span>
        <span className={css.title}>{nameOf(card)}</span>
        <span className={css.under}>
          {facts(
            isEpisode && episodeCode(card),
            isEpisode ? card.title : card.kind === 'book' ? card.authors?.[0] : card.year,
            seen(card) !== undefined && left(card),
          ).join(' · ')}
        </span>
        <span className="unseen">{way ? m.playLabel : `, ${m.unavailableWord}`}</span>
      </Link>
    </CardFrame>
  );
};
