/** Filters and sort order of the list. The address holds every choice. */
import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../../../lib/navigation/addresses.ts';
import { go } from '../../../lib/navigation/navigate.ts';
import { Field, Select } from '../../../kit/forms/field.tsx';
import { language } from '../../../lib/format.ts';
import type { Inventory } from '../../../parts/subtitles/words.ts';
import { kindChoices, queryOf, sortChoices, statusNames, type Listing } from './listing.ts';
import css from './list.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

const choicesOf = <T extends string>(words: Readonly<Record<T, string>>) =>
  (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));

/** Changes filters in the address; any change but of the page begins at the first page again. */
export const change = (listing: Listing, by: Partial<{ [K in keyof Listing]: Listing[K] | undefined }>): void =>
  go(hrefOf({ page: 'subtitles', query: queryOf({ ...listing, page: 1, ...by } as Listing) }), {
    replace: by.page === undefined,
  });

export const Filters = ({
  listing,
  inventory: { languages, byLibrary },
}: {
  listing: Listing;
  inventory: Inventory;
}) => {
  const [text, setText] = useState(listing.q ?? '');
  useEffect(() => setText(listing.q ?? ''), [listing.q]);
  useEffect(() => {
    const timer = setTimeout(
      () => text.trim() !== (listing.q ?? '') && change(listing, { q: text.trim() || undefined }),
      300,
    );
    return () => clearTimeout(timer);
  }, [text]);
  const all = [...new Set([...languages, ...(listing.language ? [listing.language] : [])])];
  return (
    <form className={css.filters} role="search" aria-label={m.filter} onSubmit={(event) => event.preventDefault()}>
      <Field label={m.search} type="search" value={text} onValue={setText} maxLength={128} placeholder={m.title} />
      <Select
        label={m.status}
        value={listing.status}
        choices={choicesOf(statusNames())}
        onValue={(status) => change(listing, { status })}
      />
      <Select
        label={m.type}
        value={listing.kind}
        choices={choicesOf(kindChoices())}
        onValue={(kind) => change(listing, { kind })}
      />
      {all.length > 1 && (
        <Select
          label={m.language}
          value={listing.language ?? ''}
          choices={[
            { value: '', label: m.allLanguages },
            ...all.map((code) => ({ value: code, label: language(code) })),
          ]}
          onValue={(code) => change(listing, { language: code || undefined })}
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
          onValue={(library) => change(listing, { library: library || undefined })}
        />
      )}
      <Select
        label={m.sort}
        value={listing.sort}
        choices={choicesOf(sortChoices())}
        onValue={(sort) => change(listing, { sort })}
      />
    </form>
  );
};
