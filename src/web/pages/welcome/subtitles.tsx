/** The fourth step: the language of subtitles. It can be skipped; set from outside, it is shown and not asked. */
import { useState } from 'preact/hooks';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { call, sentence } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import type { SettingRow } from '../../../contract/config/configuration.ts';
import { language } from '../../lib/format.ts';
import { LANGUAGES } from '../../lib/language-list.ts';
import { proposed } from './language.ts';
import css from './welcome.module.css';

const KEY = 'subtitles.language';

export const Subtitles = ({ onDone }: { onDone: () => void }) => {
  const { data, error, refetch } = useAsk('configuration', 'list', {});
  const row = data?.settings.find(({ key }) => key === KEY);
  return (
    <CardPage
      step="Step 4 of 5"
      title="Which language for subtitles?"
      lead="Matinee shows which films and episodes lack subtitles in this language, and looks for them once you set up a provider."
    >
      {row ? (
        row.managed ? (
          <Shown row={row} onDone={onDone} />
        ) : (
          <Ask row={row} onDone={onDone} />
        )
      ) : error ? (
        <ErrorState title="The setting could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <Pending />
      )}
    </CardPage>
  );
};

const Shown = ({ row: { value, env, source }, onDone }: { row: SettingRow; onDone: () => void }) => (
  <>
    <Notice>
      {value ? (
        <>
          Subtitles are kept in <strong>{language(value)}</strong>.
        </>
      ) : (
        'No language is set.'
      )}{' '}
      This is set{' '}
      {source === 'yaml' ? (
        <>
          in the configuration file under <code>{KEY}</code>
        </>
      ) : (
        <>
          by the environment variable <code>{env}</code>
        </>
      )}
      , and changed there.
    </Notice>
    <Button look="primary" isLarge onClick={onDone}>
      Continue
    </Button>
  </>
);

const Ask = ({ row, onDone }: { row: SettingRow; onDone: () => void }) => {
  const offered = row.value && !LANGUAGES.includes(row.value) ? [row.value, ...LANGUAGES] : LANGUAGES;
  const [code, setCode] = useState(row.value || proposed(navigator.languages, offered));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const choices = [...offered]
    .sort((a, b) => language(a).localeCompare(language(b)))
    .map((value) => ({ value, label: language(value) }));
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
        label="Language"
        value={code}
        choices={choices}
        onValue={setCode}
        error={problem}
        hint="Nothing is fetched before you say where from. Each person chooses on their own account page what they watch with."
      />
      <div className={css.row}>
        <Button look="primary" isLarge type="submit" isBusy={isBusy}>
          Continue
        </Button>
        <Button look="quiet" isLarge onClick={onDone}>
          Skip
        </Button>
      </div>
      <p className={css.later}>You can change it at any time under Settings.</p>
    </form>
  );
};
