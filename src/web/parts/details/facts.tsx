/** Genres, studios, dates and where else the item is known. */
import type { ComponentChildren } from 'preact';
import { Link } from '../../lib/navigation/link.tsx';
import { day } from '../../lib/format.ts';
import { PersonLinks, withJob } from '../people/people.tsx';
import type { DetailedItem } from './types.ts';
import css from './details.module.css';
import { certificationWords } from '../catalog/ages.tsx';
import { agesWords } from '../../messages/ages.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

type Of = Pick<
  DetailedItem,
  'title' | 'originalTitle' | 'genres' | 'studios' | 'released' | 'added' | 'people' | 'certification'
>;

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div className={css.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
export const ItemFacts = ({ item }: { item: Of }) => {
  const crew = [
    [m.director, withJob(item.people, 'director')],
    [m.creator, withJob(item.people, 'creator')],
    [m.writer, withJob(item.people, 'writer')],
    [m.music, withJob(item.people, 'composer')],
  ] as const;
  return (
    <dl className={css.facts}>
      {item.originalTitle !== undefined && item.originalTitle !== item.title && (
        <Fact name={m.originalTitle}>{item.originalTitle}</Fact>
      )}
      {item.genres.length > 0 && (
        <Fact name={item.genres.length === 1 ? m.genre : m.genres}>
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
              <PersonLinks people={people} />
            </Fact>
          ),
      )}
      {item.studios.length > 0 && (
        <Fact name={item.studios.length === 1 ? m.studio : m.studios}>{item.studios.join(', ')}</Fact>
      )}
      {item.certification && <Fact name={agesWords.ageRating}>{certificationWords(item.certification)}</Fact>}
      {item.released !== undefined && <Fact name={m.released}>{day(item.released)}</Fact>}
      <Fact name={m.addedLabel}>{day(item.added)}</Fact>
    </dl>
  );
};
