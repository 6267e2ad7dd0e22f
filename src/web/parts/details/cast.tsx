/** The cast of a film, show or episode. */
import type { DetailedItem } from './types.ts';
import css from './details.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const MAX_ACTORS = 18;

export const Cast = ({ people }: { people: DetailedItem['people'] }) => {
  const cast = people.filter(({ job }) => job === 'actor').slice(0, MAX_ACTORS);
  if (cast.length === 0) return null;
  return (
    <section className={css.part} aria-labelledby="cast">
      <h2 id="cast">{m.cast}</h2>
      <ul className={css.people}>
        {cast.map(({ name, role }) => (
          <li key={`${name}${role ?? ''}`}>
            <strong>{name}</strong>
            {role !== undefined && <span className="muted small">{role}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
};
