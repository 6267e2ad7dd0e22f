/** A list as a tile: its picture, name and facts. */
import type { Cover } from '../../../contract/lists/playlists.ts';
import { facts, formatDuration } from '../../lib/format.ts';
import type { To } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { Covers } from '../catalog/covers.tsx';
import css from './lists.module.css';
import { listWords as m } from '../../messages/lists.ts';

export interface ListTileProps {
  to: To;
  name: string;
  covers: readonly Cover[];
  items: number;
  duration: number;
  /** A further fact. */
  says?: string | false;
}
export const ListTile = ({ to, name, covers, items, duration, says = false }: ListTileProps) => (
  <li>
    <Link to={to} className={css.tile}>
      <Covers covers={covers} title={name} />
      <span className={css.name}>{name}</span>
      <span className="muted small">
        {facts(m.itemsCount({ count: items }), duration > 0 && formatDuration(duration), says).join(' · ')}
      </span>
    </Link>
  </li>
);
