/** A list as a tile: its picture, name and facts. */
import type { Cover } from '../../../contract/lists/playlists.ts';
import { facts, formatDuration } from '../../lib/format.ts';
import type { To } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { Covers, type CoversProps } from '../catalog/covers.tsx';
import { pictureOfCollection } from './collection-picture.ts';
import css from './lists.module.css';
import { listWords as m } from '../../messages/lists.ts';

export interface ListTileProps {
  to: To;
  name: string;
  covers: readonly Cover[];
  picture?: CoversProps['picture'];
  items: number;
  duration: number;
  /** A further fact. */
  says?: string | false;
}
export const ListTileLink = ({ to, name, covers, picture, items, duration, says = false }: ListTileProps) => (
  <Link to={to} className={css.tile}>
    <Covers covers={covers} title={name} picture={picture} />
    <span className={css.name}>{name}</span>
    <span className="muted small">
      {facts(m.itemsCount({ count: items }), duration > 0 && formatDuration(duration), says).join(' · ')}
    </span>
  </Link>
);
export const ListTile = (tile: ListTileProps) => (
  <li>
    <ListTileLink {...tile} />
  </li>
);

interface CollectionTileProps {
  collection: Pick<ListTileProps, 'name' | 'covers' | 'items' | 'duration'> & {
    id: string;
    picture?: string | undefined;
    poster?: string | undefined;
  };
}
const tileOf = ({
  id,
  picture,
  poster,
  name,
  covers,
  items,
  duration,
}: CollectionTileProps['collection']): ListTileProps => ({
  to: { page: 'collection', params: { id } },
  picture: pictureOfCollection({ id, picture, poster }),
  ...{ name, covers, items, duration },
});
export const CollectionTileLink = ({ collection }: CollectionTileProps) => <ListTileLink {...tileOf(collection)} />;
export const CollectionTile = ({ collection }: CollectionTileProps) => <ListTile {...tileOf(collection)} />;
