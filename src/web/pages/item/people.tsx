/** Who plays in it. */
import type { Item } from './types.ts';
import css from './item.module.css';

const SHOWN = 18;

export const People = ({ people }: { people: Item['people'] }) => {
  const cast = people.filter(({ job }) => job === 'actor').slice(0, SHOWN);
  if (cast.length === 0) return null;
  return (
    <section className={css.part} aria-labelledby="cast">
      <h2 id="cast">Cast</h2>
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
