/** The cast of a film, show or episode. */
import type { DetailedItem } from './types.ts';
import { PersonList } from '../people/people.tsx';
import css from './details.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const MAX_ACTORS = 18;

export const Cast = ({ people }: { people: DetailedItem['people'] }) => {
  const cast = people.filter(({ job }) => job === 'actor').slice(0, MAX_ACTORS);
  if (cast.length === 0) return null;
  return (
    <section className={css.part} aria-labelledby="cast">
      <h2 id="cast">{m.cast}</h2>
      <PersonList people={cast} label={m.cast} />
    </section>
  );
};
