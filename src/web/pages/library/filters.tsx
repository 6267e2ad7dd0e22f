/**
 * The row of choices above a library: filters by what its items have, and the order. Chosen ones can be taken away
 * again.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
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
import { chooseFilter, clear, endFocusAfterChoice, focusAfterChoice, sortBy, turnAround } from './choices.ts';
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
  artist: m.artist,
  series: m.series,
});
const viewNames = (): Record<string, string> => ({
  movies: m.films,
  shows: m.shows,
  music: m.music,
  audiobooks: m.audiobooks,
  books: m.booksAndComics,
  photos: m.photosAndClips,
  unwatched: m.notWatched,
});
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

/** Returns the name of a series, with its author if others have the same name. */
function seriesName(value: string, all: Facets['series']): string {
  const found = all.find((one) => one.value === value);
  if (!found) return m.series;
  const { name, author } = found;
  const isShared = all.some((one) => one.value !== value && one.name.toLowerCase() === name.toLowerCase());
  return isShared && author !== undefined ? m.seriesBy({ name, author }) : name;
}

const worded = (name: Filter, value: string, facets: Facets): string =>
  name === 'series'
    ? seriesName(value, facets.series)
    : name === 'view'
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
    artist: facets.artists,
    series: facets.series,
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
        {worded(name, chosen, facets)}
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
      items={values.map((value) => ({ label: worded(name, value, facets), onChoose: () => chooseFilter(name, value) }))}
    />
  );
};

/**
 * Returns the box of the filters, and keeps the focus on the filter that was changed: choosing a value replaces its
 * button, and so may the reply of the server. Until the filter has a button again, the box has the focus.
 */
function useKeptFocus(isSettled: boolean) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = focusAfterChoice();
    const active = document.activeElement;
    if (target === undefined || !box.current) return;
    const slot = target === 'first' ? box.current : box.current.querySelector(`[data-filter="${target}"]`);
    const isLost = active === null || active === document.body || active === box.current;
    if (isLost) (slot?.querySelector('button') ?? box.current).focus({ preventScroll: true });
    if (isSettled || (!isLost && !slot?.contains(active))) endFocusAfterChoice();
  });
  return box;
}

export const LibraryFilters = ({
  params,
  facets,
  listing,
  isSettled,
}: {
  params: URLSearchParams;
  facets: Facets;
  listing: LibraryListing;
  /** False while the reply to the latest choice is on its way. */
  isSettled: boolean;
}) => {
  const box = useKeptFocus(isSettled);
  const sort: Sort = listing.sort ?? 'title';
  const isDown = listing.order === 'descending';
  return (
    <div ref={box} className={css.filters} role="group" aria-label={m.filterAndSort} tabIndex={-1}>
      <div className={css.chips}>
        {FILTERS.map((name) => (
          <span key={name} className={css.slot} data-filter={name}>
            <One
              name={name}
              facets={facets}
              chosen={listing[name] === undefined ? undefined : (params.get(name) ?? undefined)}
            />
          </span>
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
