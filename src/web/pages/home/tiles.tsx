/** The libraries, each with its kind and how much is in it. */
import { Link } from '../../lib/navigation/link.tsx';
import type { Reply } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Badge } from '../../kit/states/states.tsx';
import { kindName, kindIcon } from '../../lib/kinds.ts';
import css from './home.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

export const Tiles = ({ libraries }: { libraries: Reply<'libraries', 'list'>['items'] }) => {
  // The count is of everything in it, which is not what a Profile with limits sees.
  const isOwner = useIsOwner();
  return (
    <section className={css.libraries} aria-labelledby="home-libraries">
      <h2 id="home-libraries">{m.libraries}</h2>
      <ul className={css.tiles}>
        {libraries.map(({ id, name, kind, items, online }) => (
          <li key={id}>
            <Link to={{ page: 'library', query: { library: id } }} className={css.tile}>
              <span className={css.icon}>
                <Icon of={kindIcon(kind)} size={1.5} />
              </span>
              <span className={css.about}>
                <strong>{name}</strong>
                <span className="muted small">{isOwner ? m.itemsCount({ count: items }) : kindName(kind)}</span>
              </span>
              {!online && <Badge tone="warn">{m.offline}</Badge>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
