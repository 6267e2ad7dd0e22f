/** Filters and sort order of the list. The address holds every choice. */
import { hrefOf } from '../../../lib/navigation/addresses.ts';
import { go } from '../../../lib/navigation/navigate.ts';
import { useSearchText } from '../../../lib/search-text.ts';
import { Field, Select } from '../../../kit/forms/field.tsx';
import { languageLabel } from '../../../lib/format.ts';
import type { Inventory } from '../../../parts/subtitles/words.ts';
import { kindChoices, inventoryQueryOf, sortChoices, statusNames, type InventoryListing } from './listing.ts';
import css from './list.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

const choicesOf = <T extends string>(words: Readonly<Record<T, string>>) =>
  (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));

/** Typing rests for this long before the list is searched. */
const REST_MS = 300;

/** Changes filters in the address; any change but of the page begins at the first page again. */
export const changeFilters = (
  listing: InventoryListing,
  by: Partial<{ [K in keyof InventoryListing]: InventoryListing[K] | undefined }>,
): void =>
  go(hrefOf({ page: 'subtitles', query: inventoryQueryOf({ ...listing, page: 1, ...by } as InventoryListing) }), {
    replace: by.page === undefined,
  });

export const InventoryFilters = ({
  listing,
  inventory: { languages, byLibrary },
}: {
  listing: InventoryListing;
  inventory: Inventory;
}) => {
  const search = (q: string) => changeFilters(listing, { q: q || undefined });
  const [text, setText] = useSearchText(listing.q ?? '', search, REST_MS);
  const all = [...new Set([...languages, ...(listing.language ? [listing.language] : [])])];
  return (
    <form className={css.filters} role="search" aria-label={m.filter} onSubmit={(event) => event.preventDefault()}>
      <Field label={m.search} type="search" value={text} onValue={setText} maxLength={128} placeholder={m.title} />
      <Select
        label={m.status}
        value={listing.status}
        choices={choicesOf(statusNames())}
        onValue={(status) => changeFilters(listing, { status })}
      />
      <Select
        label={m.type}
        value={listing.kind}
        choices={choicesOf(kindChoices())}
        onValue={(kind) => changeFilters(listing, { kind })}
      />
      {all.length > 1 && (
        <Select
          label={m.language}
          value={listing.language ?? ''}
          choices={[
            { value: '', label: m.allLanguages },
            ...all.map((code) => ({ value: code, label: languageLabel(code) })),
          ]}
          onValue={(code) => changeFilters(listing, { language: code || undefined })}
        />
      )}
      {byLibrary.length > 1 && (
        <Select
          label={m.library}
          value={listing.library ?? ''}
          choices={[
            { value: '', label: m.allLibraries },
            ...byLibrary.map(({ library, name }) => ({ value: library, label: name })),
          ]}
          onValue={(library) => changeFilters(listing, { library: library || undefined })}
        />
      )}
      <Select
        label={m.sort}
        value={listing.sort}
        choices={choicesOf(sortChoices())}
        onValue={(sort) => changeFilters(listing, { sort })}
      />
    </form>
  );
};
