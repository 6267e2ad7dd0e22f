/** Genres, studios, dates and where else the item is known. */
import type { ComponentChildren } from 'preact';
import { Link } from '../../lib/navigation/link.tsx';
import { day } from '../../lib/format.ts';
import type { Item } from './types.ts';
import css from './details.module.css';

type Of = Pick<Item, 'originalTitle' | 'genres' | 'studios' | 'released' | 'added' | 'people'>;

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div className={css.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
const jobs = (people: Item['people'], job: Item['people'][number]['job']) =>
  people.filter((one) => one.job === job).map(({ name }) => name);

export const Facts = ({ item }: { item: Of }) => {
  const crew = [
    ['Directed by', jobs(item.people, 'director')],
    ['Created by', jobs(item.people, 'creator')],
    ['Written by', jobs(item.people, 'writer')],
    ['Music by', jobs(item.people, 'composer')],
  ] as const;
  return (
    <dl className={css.facts}>
      {item.originalTitle !== undefined && <Fact name="Original title">{item.originalTitle}</Fact>}
      {item.genres.length > 0 && (
        <Fact name={item.genres.length === 1 ? 'Genre' : 'Genres'}>
          {item.genres.map((genre, at) => (
            <span key={genre}>
              {at > 0 && ', '}
              <Link to={{ page: 'library', query: { genre } }} className="link">
                {genre}
              </Link>
            </span>
          ))}
        </Fact>
      )}
      {crew.map(
        ([name, people]) =>
          people.length > 0 && (
            <Fact key={name} name={name}>
              {people.join(', ')}
            </Fact>
          ),
      )}
      {item.studios.length > 0 && (
        <Fact name={item.studios.length === 1 ? 'Studio' : 'Studios'}>{item.studios.join(', ')}</Fact>
      )}
      {item.released !== undefined && <Fact name="Released">{day(item.released)}</Fact>}
      <Fact name="Added">{day(item.added)}</Fact>
    </dl>
  );
};
