/** The collections that an item is in, each with the item after it. */
import { Link } from '../../lib/navigation/link.tsx';
import { useAll } from '../../data/query.ts';
import { pageOf } from '../catalog/cards.tsx';
import css from './part-of.module.css';
import { listWords as m } from '../../messages/lists.ts';

export const PartOf = ({ id: item }: { id: string }) => {
  const { data } = useAll('collections', 'ofItem', { id: item });
  if (!data || data.total === 0) return null;
  return (
    <ul className={css.list}>
      {data.items.map(({ id, name, position: at, items: of, next }) => (
        <li key={id}>
          <Link to={{ page: 'collection', params: { id } }} className={css.name}>
            {m.partOf({ name })}
          </Link>
          <span className="muted">{m.positionIn({ at, of })}</span>
          {next && <Link to={pageOf(next)}>{m.nextInCollection({ title: next.title })}</Link>}
        </li>
      ))}
    </ul>
  );
};
