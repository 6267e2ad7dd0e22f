/** Which languages, and what becomes of the files that hold only the lines of foreign speech. */
import { useState } from 'preact/hooks';
import { Select, Segments } from '../../../kit/forms/field.tsx';
import { Notice } from '../../../kit/states/states.tsx';
import { languageLabel } from '../../../lib/format.ts';
import { LANGUAGES } from '../../../lib/language-list.ts';
import type { Inventory } from '../../../parts/subtitles/words.ts';
import { toggled, type CleanupPolicy } from './policy.ts';
import css from './cleanup.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export interface ChooseProps {
  present: Inventory['present'];
  configured: readonly string[];
  policy: CleanupPolicy;
  onPolicy: (policy: CleanupPolicy) => void;
}
export const Choose = ({ present, configured, policy, onPolicy }: ChooseProps) => {
  // A language of which there are only forced or picture files is not counted, but can be asked for.
  const [others, setOthers] = useState<readonly string[]>([]);
  const listed = [
    ...present,
    ...others
      .filter((code) => !present.some((one) => one.language === code))
      .map((code) => ({ language: code, items: 0 })),
  ];
  const rest = LANGUAGES.filter((code) => !listed.some((one) => one.language === code)).sort((a, b) =>
    languageLabel(a).localeCompare(languageLabel(b)),
  );
  const isOwn = policy.languages.some((code) => configured.some((own) => own === code || own.startsWith(`${code}-`)));
  const choose = (code: string, is: boolean) => onPolicy({ ...policy, languages: toggled(policy.languages, code, is) });
  const add = (code: string) => {
    if (code === '') return;
    setOthers([...others, code]);
    choose(code, true);
  };
  return (
    <div className={css.choose}>
      <fieldset className={css.languages}>
        <legend>{m.hideFilesIn}</legend>
        {listed.length === 0 && <p className="muted">{m.noFilmOrEpisodeHas}</p>}
        {listed.map(({ language: code, items }) => (
          <label key={code} className={css.language}>
            <input
              type="checkbox"
              checked={policy.languages.includes(code)}
              onChange={(event) => choose(code, event.currentTarget.checked)}
            />
            <span>
              {languageLabel(code)}{' '}
              <span className="muted small">
                {items > 0 ? m.inWord({ items: m.filmsAndEpisodesCount({ count: items }) }) : m.chosenByYou}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <Select
        label={m.anotherLanguage}
        value=""
        choices={[{ value: '', label: m.choose }, ...rest.map((code) => ({ value: code, label: languageLabel(code) }))]}
        onValue={add}
      />
      <Segments
        label={m.forcedSubtitlesWhichHaveForeign}
        value={policy.forced}
        choices={[
          { value: 'keep', label: m.keepThem },
          { value: 'hide', label: m.hideThemToo },
        ]}
        onValue={(forced) => onPolicy({ ...policy, forced })}
      />
      {isOwn && <Notice tone="warn">{m.youChoseTheLanguageThat}</Notice>}
    </div>
  );
};
