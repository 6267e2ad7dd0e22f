/** A library, or all of them: every item, sorted and filtered. The address holds the choices. */
import libraryIcon from 'lucide/dist/esm/icons/library.mjs';
import { useEffect, useRef, useState } from 'preact/hooks';
import funnel from 'lucide/dist/esm/icons/list-filter.mjs';
import { useTitle } from '../../lib/title.ts';
import { announce } from '../../lib/announce.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useQueryParams } from '../../lib/navigation/navigate.ts';
import { CardGrid, GRID_PAGE_SIZE } from '../../parts/catalog/grid.tsx';
import { useAll, useAsk } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { kindIcon } from '../../lib/kinds.ts';
import { FoldersLink } from '../../parts/libraries/folders-link.tsx';
import type { LibraryKind } from '../../../contract/catalog/kinds.ts';
import { clear } from './choices.ts';
import { LibraryFilters } from './filters.tsx';
import { LazyPhotos } from './lazy-photos.tsx';
import { Letters } from './letters.tsx';
import { isByTitle, hasLibraryFilters, libraryListingOf } from './listing.ts';
import css from './library.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

/** A list that is shorter than this is looked through faster than any letter is found. */
const LETTERS_FROM = 60;

/** The letter whose part of the list a card is in. */
const letterAt = (letters: readonly { letter: string; offset: number }[], index: number): string | undefined => {
  let found: string | undefined;
  for (const { letter, offset } of letters) if (offset <= index) found = letter;
  return found;
};

const Nothing = ({
  isFiltered: hasFilters,
  isOfOne,
  kind = 'movies',
  isEmpty,
}: {
  isFiltered: boolean;
  /** Whether it is about one library. */
  isOfOne: boolean;
  /** Kind of that library. */
  kind: LibraryKind | undefined;
  /** Whether there is no library at all. */
  isEmpty: boolean;
}) => {
  const isOwner = useIsOwner();
  if (hasFilters)
    return (
      <EmptyState
        isAlone
        icon={funnel}
        title={m.nothingMatchesTheseFilters}
        action={<Button onClick={clear}>{m.clearFilters}</Button>}
      >
        {m.removeAFilterToSee}
      </EmptyState>
    );
  return (
    <EmptyState
      isAlone
      icon={kindIcon(kind)}
      title={isOfOne ? m.thisLibraryIsEmpty : isEmpty ? m.thereIsNoLibraryYet : m.librariesAreEmpty}
      action={<FoldersLink isOfOne={isOfOne} />}
    >
      {isOwner ? m.titlesAppearHere : m.askAnOwnerOfThisServerTo}
    </EmptyState>
  );
};

/** The page of a library that was removed, or that the Profile may not see. */
const Gone = () => {
  useTitle(m.noSuchLibrary);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{m.library}</h1>
      </header>
      <EmptyState
        isAlone
        icon={libraryIcon}
        title={m.noSuchLibrary}
        action={<ButtonLink to={{ page: 'library' }}>{m.allLibraries}</ButtonLink>}
      >
        {m.noSuchLibraryHelp}
      </EmptyState>
    </div>
  );
};

/** The photos of a library have a page of their own form, which is loaded when there are some. */
export const Page = () => {
  const params = useQueryParams();
  const { data, isFetching } = useAll('libraries', 'list', {});
  const id = params.get('library');
  const library = data?.items.find((one) => one.id === id);
  const isOfAll = id === null && params.get('view') === null;
  const hasOnlyPhotos =
    data !== undefined && data.items.length > 0 && data.items.every(({ kind }) => kind === 'photos');
  const isOfPhotos = params.get('view') === 'photos' || library?.kind === 'photos' || (isOfAll && hasOnlyPhotos);
  if (id !== null && data !== undefined && library === undefined && !isFetching) return <Gone />;
  return isOfPhotos ? <LazyPhotos params={params} name={library?.name} /> : <Items params={params} />;
};

const Items = ({ params }: { params: URLSearchParams }) => {
  const listing = libraryListingOf(params);
  const libraries = useAll('libraries', 'list', {});
  const library = libraries.data?.items.find(({ id }) => id === listing.library);
  const name = listing.library === undefined ? m.allLibraries : library?.name;
  useTitle(name);
  const first = useAsk('catalog', 'library', { ...listing, offset: 0, limit: GRID_PAGE_SIZE }, { keep: true });
  const [jump, setJump] = useState<{ to: number }>();
  const [letter, setLetter] = useState<string>();
  const total = first.isPlaceholderData ? undefined : first.data?.total;
  const told = useRef<string | undefined>(undefined);
  const shown = total === undefined ? undefined : JSON.stringify([listing, total]);
  // After every choice, also when as many items are left as before.
  useEffect(() => {
    if (shown === undefined || total === undefined) return;
    if (told.current !== undefined && told.current !== shown) announce(m.itemsCount({ count: total }));
    told.current = shown;
  }, [shown]);
  if (!first.data)
    return first.error ? (
      <ErrorState isAlone title={m.thisLibraryCouldNotBe} error={first.error} retry={() => void first.refetch()} />
    ) : (
      <Pending />
    );
  const { data } = first;
  const hasLetters = isByTitle(listing) && data.letters.length > 1 && data.total >= LETTERS_FROM;
  return (
    <div className={cx(css.page, hasLetters && css.lettered)}>
      <header className={css.head}>
        <h1>{name ?? m.library}</h1>
        <p className="muted">{m.itemsCount({ count: data.total })}</p>
        {(library === undefined || library.kind === 'movies') && (
          <Link to={{ page: 'collections' }}>{m.collections}</Link>
        )}
        {library?.kind === 'music' && <Link to={{ page: 'artists' }}>{m.artists}</Link>}
      </header>
      <LibraryFilters params={params} facets={data.facets} listing={listing} isSettled={!first.isPlaceholderData} />
      {data.total === 0 ? (
        <Nothing
          isFiltered={hasLibraryFilters(listing)}
          isOfOne={listing.library !== undefined}
          kind={library?.kind}
          isEmpty={libraries.data?.items.length === 0}
        />
      ) : (
        <div className={cx(first.isPlaceholderData && css.before)}>
          <CardGrid
            key={JSON.stringify(listing)}
            listing={listing}
            first={data}
            label={name ?? m.library}
            onTop={hasLetters ? (index) => setLetter(letterAt(data.letters, index)) : undefined}
            jump={jump}
          />
        </div>
      )}
      {hasLetters && <Letters letters={data.letters} current={letter} onLetter={(offset) => setJump({ to: offset })} />}
    </div>
  );
};
