/** Options of one library: how its items are described, and which names are not scanned. */
import { useState } from 'preact/hooks';
import type { LibraryKind } from '../../../contract/catalog/kinds.ts';
import { LIBRARY_KINDS } from '../../../contract/catalog/kinds.ts';
import { type Reply, useAsk } from '../../data/query.ts';
import { LinesField, Select, Switch } from '../../kit/forms/field.tsx';
import { countryLabel, languageLabel } from '../../lib/format.ts';
import { LANGUAGES } from '../../lib/language-list.ts';
import { libraryOptionsWords as m } from '../../messages/library-options.ts';
import css from './libraries.module.css';

export interface OptionsDraft {
  language: string;
  country: string;
  nfo: boolean;
  internet: boolean;
  /** Names, one on each line. */
  ignored: string;
}

export const optionsDraftOf = (library: Reply<'libraries', 'list'>['items'][number] | undefined): OptionsDraft => {
  const { language = '', country = '', nfo = true, internet = true, ignored = [] } = library?.options ?? {};
  return { language, country, nfo, internet, ignored: ignored.join('\n') };
};

/** Returns what is sent. */
export const optionsOf = ({ ignored, ...options }: OptionsDraft) => ({
  ...options,
  ignored: ignored
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
});

/** Whether the metadata provider describes items of such a library. */
const isDescribed = (kind: LibraryKind): boolean =>
  LIBRARY_KINDS[kind].holds.some((held) => held === 'movie' || held === 'show');
/** Whether NFO files describe items of such a library, or its artists. */
const hasNfo = (kind: LibraryKind): boolean =>
  isDescribed(kind) || LIBRARY_KINDS[kind].holds.some((held) => held === 'album');

const named = (codes: readonly string[], labelOf: (code: string) => string) =>
  codes.map((value) => ({ value, label: labelOf(value) })).sort((one, other) => one.label.localeCompare(other.label));

export const LibraryOptionFields = ({
  kind,
  draft,
  onDraft,
}: {
  kind: LibraryKind;
  draft: OptionsDraft;
  onDraft: (draft: OptionsDraft) => void;
}) => {
  const { data: ratings } = useAsk('ratings', 'list', {});
  const set = (change: Partial<OptionsDraft>) => onDraft({ ...draft, ...change });
  const languages = [...new Set([...LANGUAGES, draft.language])].filter((code) => code !== '');
  const countries = [...new Set([...(ratings?.countries ?? []), draft.country])].filter((code) => code !== '');
  // Decided once: an option that is set and reset must not close the part that it lies in.
  const [hadChoices] = useState(
    draft.ignored !== '' || !draft.nfo || !draft.internet || draft.language + draft.country !== '',
  );
  return (
    <details className={css.options} open={hadChoices}>
      <summary>{m.options}</summary>
      {isDescribed(kind) && (
        <>
          <Switch
            label={m.internet}
            hint={m.internetHint}
            checked={draft.internet}
            onValue={(internet) => set({ internet })}
          />
          {draft.internet && (
            <div className={css.pair}>
              <Select
                label={m.language}
                value={draft.language}
                choices={[{ value: '', label: m.asForTheServer }, ...named(languages, languageLabel)]}
                onValue={(language) => set({ language })}
              />
              <Select
                label={m.country}
                value={draft.country}
                choices={[{ value: '', label: m.asForTheServer }, ...named(countries, countryLabel)]}
                onValue={(country) => set({ country })}
              />
            </div>
          )}
        </>
      )}
      {hasNfo(kind) && <Switch label={m.nfo} hint={m.nfoHint} checked={draft.nfo} onValue={(nfo) => set({ nfo })} />}
      <LinesField
        label={m.ignored}
        hint={m.ignoredHint}
        value={draft.ignored}
        onValue={(ignored) => set({ ignored })}
      />
    </details>
  );
};
