/** Asks for a title in words. The reply is the same whether there is such a title or not. */
import { useState } from 'preact/hooks';
import { MAX_REQUEST_WORDS } from '../../../contract/requests/limits.ts';
import { call, sentence } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { useMe } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { householdWords as m } from '../../messages/household.ts';
import css from './ask.module.css';

const ask = (words: string) =>
  call.requests
    .ask({ kind: 'item', words: words.trim().slice(0, MAX_REQUEST_WORDS) })
    .then(() => readAgain('requests'));

export const AskForTitle = () => {
  const [words, setWords] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || words.trim() === '') return;
    setBusy(true);
    setError(undefined);
    try {
      await ask(words);
      setWords('');
      toast({ message: m.asked });
    } catch (failure) {
      setError(sentence(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={css.title} onSubmit={(event) => void submit(event)}>
      <Field
        label={m.whichTitle}
        hint={m.whichTitleHint}
        value={words}
        onValue={setWords}
        maxLength={MAX_REQUEST_WORDS}
        autoComplete="off"
        error={error}
        required
      />
      <Button look="primary" type="submit" isBusy={isBusy}>
        {m.ask}
      </Button>
    </form>
  );
};

/**
 * Offers to ask for what was searched for. Shown below every search of a Viewer, whatever was found, so that it reveals
 * nothing.
 */
export const AskForWords = ({ words }: { words: string }) => {
  const isViewer = useMe()?.profile.role === 'viewer';
  const [sent, setSent] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (!isViewer || words.trim() === '') return null;
  const send = async () => {
    setBusy(true);
    if (await runWithToast(() => ask(words), m.asked)) setSent(words);
    setBusy(false);
  };
  return (
    <p className={css.words}>
      <span className="muted">{m.askForWordsSays}</span>
      <Button isBusy={isBusy} disabled={sent === words} onClick={() => void send()}>
        {m.askForWords({ words: words.trim() })}
      </Button>
    </p>
  );
};
