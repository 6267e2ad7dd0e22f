/** The fourth step: the language of subtitles. It can be skipped; set from outside, it is shown and not asked. */
import { useState } from 'preact/hooks';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { call, sentence } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import type { SettingRow } from '../../../contract/config/configuration.ts';
import { languageLabel } from '../../lib/format.ts';
import { LANGUAGES } from '../../lib/language-list.ts';
import { proposedLanguage } from './language.ts';
import css from './welcome.module.css';
import { accountWords as m } from '../../messages/account.ts';
import { rich } from '../../messages/rich.ts';

const KEY = 'subtitles.language';

export const SubtitleLanguages = ({ step, onDone }: { step: string; onDone: () => void }) => {
  const { data, error, refetch } = useAsk('configuration', 'list', {});
  const row = data?.settings.find(({ key }) => key === KEY);
  return (
    <CardPage step={step} title={m.whichSubtitleLanguage} lead={m.matineeShowsWhichFilmsAnd}>
      {row ? (
        row.managed ? (
          <Shown row={row} onDone={onDone} />
        ) : (
          <Ask row={row} onDone={onDone} />
        )
      ) : error ? (
        <ErrorState title={m.theSettingCouldNotBe} error={error} retry={() => void refetch()} />
      ) : (
        <Pending />
      )}
    </CardPage>
  );
};

const Shown = ({ row: { value, env, source }, onDone }: { row: SettingRow; onDone: () => void }) => (
  <>
    <Notice>
      {value && rich(m.subtitlesAreKeptIn, { language: <strong>{languageLabel(value)}</strong> })}
      {!value && m.noLanguageIsSet}{' '}
      {source === 'yaml'
        ? rich(m.setInFile, { key: <code>{KEY}</code> })
        : rich(m.setByVariable, { variable: <code>{env}</code> })}
    </Notice>
    <Button look="primary" isLarge onClick={onDone}>
      {m.continue}
    </Button>
  </>
);

const Ask = ({ row, onDone }: { row: SettingRow; onDone: () => void }) => {
  const offered = row.value && !LANGUAGES.includes(row.value) ? [row.value, ...LANGUAGES] : LANGUAGES;
  const [code, setCode] = useState(row.value || proposedLanguage(navigator.languages, offered));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const choices = [...offered]
    .sort((a, b) => languageLabel(a).localeCompare(languageLabel(b)))
    .map((value) => ({ value, label: languageLabel(value) }));
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      if (code !== row.value) await call.configuration.save({ key: KEY, value: code });
      readAgain('configuration');
      readAgain('subtitles');
      onDone();
    } catch (failure) {
      setProblem(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={save}>
      <Select
        label={m.language}
        value={code}
        choices={choices}
        onValue={setCode}
        error={problem}
        hint={m.nothingIsFetchedBeforeYou}
      />
      <div className={css.row}>
        <Button look="primary" isLarge type="submit" isBusy={isBusy}>
          {m.continue}
        </Button>
        <Button look="quiet" isLarge onClick={onDone}>
          {m.skip}
        </Button>
      </div>
      <p className={css.later}>{m.youCanChangeThisAt}</p>
    </form>
  );
};
