/** An entry of a list as a row: its picture and title are a link, with room for buttons before and after it. */
import type { ComponentChildren } from 'preact';
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import type { Query, To } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { Artwork } from '../../kit/art/artwork.tsx';
import { cx } from '../../lib/cx.ts';
import { episodeCode, facts, formatDuration } from '../../lib/format.ts';
import { type Card, pageOf, wideArt } from './cards.tsx';
import css from './entry-row.module.css';

/** The title of an item in a list of different works: that of an episode has its show. */
export const entryTitle = ({ title, show }: Pick<Card, 'title' | 'show'>): string =>
  show ? `${show.title}: ${title}` : title;

/** Whether an item of a list is played: films and clips by the player, tracks and audiobooks by the audio player. */
export const isPlayedInList = ({ kind, available }: Pick<Card, 'kind' | 'available'>): boolean =>
  available && (itemFacts(kind).medium === 'video' || itemFacts(kind).medium === 'audio');

/** Returns the player of an entry with what follows it, or the page of an item that cannot be played there. */
export const entryTarget = (item: Card, queue: Query): To =>
  isPlayedInList(item) ? { page: 'player', params: { id: item.id }, query: queue } : pageOf(item);

export interface EntryRowProps {
  item: Card;
  /** Target of a click on the row. */
  to: To;
  /** Words that the link has for screen readers, after the title. */
  label: string;
  before?: ComponentChildren;
  after?: ComponentChildren;
  isLifted?: boolean;
}
export const EntryRow = ({ item, to, label, before, after, isLifted = false }: EntryRowProps) => {
  const { kind, version } = wideArt(item);
  return (
    <div className={cx(css.entry, isLifted && css.lifted)}>
      {before}
      <Link to={to} className={css.row}>
        <span className={css.picture}>
          <Artwork id={item.id} kind={kind} version={version} title={item.title} sizes="160px" isFilling />
        </span>
        <span className={css.words}>
          <strong>{item.show?.title ?? item.title}</strong>
          <span className="muted small">
            {facts(
              item.show && episodeCode(item),
              item.show ? item.title : item.year,
              item.duration !== undefined && formatDuration(item.duration),
            ).join(' · ')}
          </span>
        </span>
        <span className="unseen">, {label}</span>
      </Link>
      {after}
    </div>
  );
};
