/** A list of wanted subtitles to edit: each a language with its kind, in order of preference. */
import plus from 'lucide/dist/esm/icons/plus.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import type { Reply } from '../../../data/query.ts';
import { Button, IconButton } from '../../../kit/forms/button.tsx';
import { Select } from '../../../kit/forms/field.tsx';
import { languageLabel } from '../../../lib/format.ts';
import { LANGUAGES } from '../../../lib/language-list.ts';
import { subtitleKinds, subtitleName } from '../words.ts';
import css from './wanted.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export type WantedLists = Reply<'wantedSubtitles', 'list'>;
type Wants = WantedLists['wants'];

const languageChoices = (wants: Wants) =>
  [...new Set([...LANGUAGES, ...wants.map(({ language }) => language)])]
    .map((value) => ({ value, label: languageLabel(value) }))
    .sort((a, b) => a.label.localeCompare(b.label));

/** Returns the language that a new row begins with: the first of the browser that is not in the list yet. */
const nextLanguage = (wants: Wants, taken: string | undefined): string => {
  const known = new Set([...wants.map(({ language }) => language), taken]);
  const own = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0] ?? tag);
  return [...own, ...LANGUAGES].find((tag) => LANGUAGES.includes(tag) && !known.has(tag)) ?? 'en';
};

export const WantedRows = ({
  wants,
  onWants,
  taken,
}: {
  wants: Wants;
  onWants: (wants: Wants) => void;
  /** Language that is wanted in any case. */
  taken?: string | undefined;
}) => {
  const change = (at: number, to: Partial<Wants[number]>) =>
    onWants(wants.map((one, n) => (n === at ? { ...one, ...to } : one)));
  return (
    <>
      {wants.length > 0 && (
        <ul className={css.rows} aria-label={m.wantedSubtitles}>
          {wants.map((one, at) => (
            <li key={at} className={css.row}>
              <Select
                label={m.language}
                value={one.language}
                choices={languageChoices(wants)}
                onValue={(language) => change(at, { language })}
              />
              <Select
                label={m.kindOfSubtitle}
                value={one.role}
                choices={subtitleKinds()}
                onValue={(role) => change(at, { role })}
              />
              <IconButton
                icon={trash}
                label={m.removeFromTheList({ name: subtitleName(one) })}
                onClick={() => onWants(wants.filter((_, n) => n !== at))}
              />
            </li>
          ))}
        </ul>
      )}
      <p className={css.add}>
        <Button
          icon={plus}
          onClick={() => onWants([...wants, { language: nextLanguage(wants, taken), role: 'normal' }])}
        >
          {m.addALanguage}
        </Button>
      </p>
    </>
  );
};
