/**
 * The row of choices above a library: filters by what its items have, and the order. Chosen ones can be taken away
 * again.
 */
import arrows from 'lucide/dist/esm/icons/arrow-up-down.mjs';
import down from 'lucide/dist/esm/icons/arrow-down.mjs';
import chevron from 'lucide/dist/esm/icons/chevron-down.mjs';
import up from 'lucide/dist/esm/icons/arrow-up.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import type { LibraryListing } from '../../parts/catalog/grid.tsx';
import type { Reply } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { IconButton } from '../../kit/forms/button.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import { languageLabel, resolution } from '../../lib/format.ts';
import { chooseFilter, clear, sortBy, turnAround } from './choices.ts';
import { FILTERS, hasLibraryFilters, type Filter } from './listing.ts';
import css from './library.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

type Facets = Reply<'catalog', 'library'>['facets'];
const filterNames = (): Record<Filter, string> => ({
  view: m.type,
  genre: m.genre,
  year: m.year,
  rating: m.ageRating,
  resolution: m.resolution,
  language: m.language,
});
const viewNames = (): Record<string, string> => ({ movies: m.films, shows: m.shows, unwatched: m.notWatched });
const sortNames = () =>
  ({
    title: m.title,
    added: m.dateAdded,
    year: m.year,
    released: m.releaseDate,
    rating: m.score,
    duration: m.duration,
    random: m.random,
  }) as const;
type Sort = keyof ReturnType<typeof sortNames>;

const worded = (name: Filter, value: string): string =>
  name === 'view'
    ? (viewNames()[value] ?? value)
    : name === 'resolution'
      ? resolution(value)
      : name === 'language'
        ? languageLabel(value)
        : value;

/** The values a filter can have, from what is there; the chosen one always among them. */
function valuesOf(name: Filter, facets: Facets, chosen: string | undefined): string[] {
  const of: Record<Filter, readonly { value: string }[]> = {
    view: Object.keys(viewNames()).map((value) => ({ value })),
    genre: facets.genres,
    year: [...facets.years].sort((a, b) => Number(b.value) - Number(a.value)),
    rating: facets.ratings,
    resolution: facets.resolutions,
    language: facets.languages,
  };
  const values = of[name].map(({ value }) => value);
  return chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
}

const One = ({ name, facets, chosen }: { name: Filter; facets: Facets; chosen: string | undefined }) => {
  const values = valuesOf(name, facets, chosen);
  if (chosen !== undefined)
    return (
      <button type="button" className={css.chosen} onClick={() => chooseFilter(name, undefined)}>
        <span className="unseen">{filterNames()[name]}: </span>
        {worded(name, chosen)}
        <span className="unseen">{m.remove}</span>
        <Icon of={x} size={1} />
      </button>
    );
  if (values.length < 2) return null;
  return (
    <Menu
      label={filterNames()[name]}
      icon={chevron}
      isIconAfter
      className={css.choice ?? ''}
      items={values.map((value) => ({ label: worded(name, value), onChoose: () => chooseFilter(name, value) }))}
    />
  );
};

export const LibraryFilters = ({
  params,
  facets,
  listing,
}: {
  params: URLSearchParams;
  facets: Facets;
  listing: LibraryListing;
}) => {
  const sort: Sort = listing.sort ?? 'title';
  const isDown = listing.order === 'descending';
  return (
    <div className={css.filters} role="group" aria-label={m.filterAndSort}>
      <div className={css.chips}>
        {FILTERS.map((name) => (
          <One
            key={name}
            name={name}
            facets={facets}
            chosen={listing[name] === undefined ? undefined : (params.get(name) ?? undefined)}
          />
        ))}
        {hasLibraryFilters(listing) && (
          <button type="button" className={css.clear} onClick={clear}>
            {m.clear}
          </button>
        )}
      </div>
      <div className={css.sort}>
        <Menu
          label={sortNames()[sort]}
          icon={arrows}
          className={css.choice ?? ''}
          items={(Object.keys(sortNames()) as Sort[]).map((value) => ({
            label: sortNames()[value],
            isChosen: value === sort,
            onChoose: () => sortBy(value),
          }))}
        />
        {sort !== 'random' && (
          <IconButton
            icon={isDown ? down : up}
            label={isDown ? m.descendingReverse : m.ascendingReverse}
            onClick={turnAround}
          />
        )}
      </div>
    </div>
  );
};
