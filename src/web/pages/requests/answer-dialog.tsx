/** The dialog in which an Owner answers a request: chooses the title that is meant or the minutes, or declines. */
import { useEffect, useState } from 'preact/hooks';
import type { Request } from '../../../contract/requests/requests.ts';
import { MAX_ASKED_MINUTES, MAX_REQUEST_WORDS } from '../../../contract/requests/limits.ts';
import { call, sentence } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { facts } from '../../lib/format.ts';
import { useSearchText } from '../../lib/search-text.ts';
import { householdWords as m } from '../../messages/household.ts';
import css from './requests.module.css';
import { requestWords } from './words.ts';

/** Typing rests for this long before the library is searched. */
const REST_MS = 250;
const MAX_FOUND = 12;
/** Usual minutes of a day, where a Profile has none yet. */
const USUAL_DAY = 90;

type Decision = Parameters<typeof call.requests.answer>[0]['decision'];
/** Part of an answer that depends on the kind of request; undefined until it is chosen. */
type Choice = { item?: string; minutes?: number } | undefined;

/** Looks for the title that is meant, and has one of the results chosen. The only result is chosen already. */
const TitleChoice = ({
  words,
  chosen,
  onItem,
}: {
  words: string;
  chosen: string | undefined;
  onItem: (id: string | undefined) => void;
}) => {
  const [asked, setAsked] = useState(words);
  const [text, setText] = useSearchText(asked, setAsked, REST_MS);
  const { data } = useAsk('catalog', 'library', { q: asked, limit: MAX_FOUND }, { enabled: asked !== '', keep: true });
  useEffect(() => {
    const [first, ...more] = data?.items ?? [];
    if (first && more.length === 0) onItem(first.id);
  }, [data]);
  const search = (next: string) => {
    onItem(undefined);
    setText(next);
  };
  return (
    <>
      <Field
        label={m.searchTheLibrary}
        type="search"
        value={text}
        onValue={search}
        maxLength={128}
        autoComplete="off"
      />
      {data?.items.length === 0 && <p className="muted">{m.nothingLikeIt}</p>}
      {data && data.items.length > 0 && (
        <fieldset className={css.found}>
          <legend>{m.whichItem}</legend>
          {data.items.map((card) => (
            <label key={card.id} className={css.card}>
              <input type="radio" name="item" checked={chosen === card.id} onChange={() => onItem(card.id)} />
              <span className={css.art}>
                <Artwork
                  id={card.id}
                  kind="poster"
                  title={card.title}
                  version={card.images.poster}
                  sizes="40px"
                  isFilling
                />
              </span>
              <span>
                <strong>{card.title}</strong>
                <span className="muted small">{facts(card.show?.title, card.year, card.rating).join(' · ')}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
};

/** Minutes as a field has them; undefined unless they are a whole number within bounds. */
const minutesIn = (text: string, most: number): number | undefined =>
  /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined;

/** Sends an answer, and returns what went wrong. */
function useAnswer({ id, profile }: Request, word: string, onClose: () => void) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState<Decision>();
  const send = async (decision: Decision, choice: Choice) => {
    if (busy !== undefined) return;
    setBusy(decision);
    setError(undefined);
    try {
      await call.requests.answer({ id, decision, ...choice, ...(word.trim() !== '' && { word: word.trim() }) });
      readAgain('requests');
      readAgain('profiles');
      readAgain('viewing');
      toast({ message: m.answerSent({ name: profile.name }) });
      onClose();
    } catch (failure) {
      setError(sentence(failure));
      setBusy(undefined);
    }
  };
  return { error, busy, send };
}

/** Buttons that approve a title, once it is chosen. */
const TitleAnswer = ({ request, send, busy }: AnswerProps) => {
  const [item, setItem] = useState<string>();
  const choice: Choice = item === undefined ? undefined : { item };
  return (
    <>
      <TitleChoice words={request.words ?? ''} chosen={item} onItem={setItem} />
      <div className={css.approve}>
        <Button look="primary" isBusy={busy === 'once'} disabled={!choice} onClick={() => void send('once', choice)}>
          {m.allowOnce}
        </Button>
        <Button isBusy={busy === 'always'} disabled={!choice} onClick={() => void send('always', choice)}>
          {m.allowForGood}
        </Button>
      </div>
    </>
  );
};

const TimeAnswer = ({ request, send, busy }: AnswerProps) => {
  const { profile } = request;
  const { data } = useAsk('profiles', 'read', { id: profile.id });
  const [today, setToday] = useState(String(request.minutes ?? 30));
  const [daily, setDaily] = useState<string>();
  const policy = data?.policy;
  const everyDay = daily ?? String((policy?.daily?.minutes ?? USUAL_DAY) + (request.minutes ?? 0));
  const [once, always] = [minutesIn(today, MAX_ASKED_MINUTES), minutesIn(everyDay, 1440)];
  return (
    <>
      <div className={css.minutes}>
        <Field label={m.minutesToday} type="number" min={1} max={MAX_ASKED_MINUTES} value={today} onValue={setToday} />
        <Button
          look="primary"
          isBusy={busy === 'once'}
          disabled={once === undefined}
          onClick={() => void send('once', once === undefined ? undefined : { minutes: once })}
        >
          {m.giveToday}
        </Button>
      </div>
      {policy?.daily && (
        <div className={css.minutes}>
          <Field label={m.minutesEveryDay} type="number" min={1} max={1440} value={everyDay} onValue={setDaily} />
          <Button
            isBusy={busy === 'always'}
            disabled={always === undefined}
            onClick={() => void send('always', always === undefined ? undefined : { minutes: always })}
          >
            {m.giveEveryDay}
          </Button>
        </div>
      )}
      {policy && !policy.daily && (
        <p className="muted">
          {m.noDailyLimit({ name: profile.name })}{' '}
          <ButtonLink look="quiet" to={{ page: 'settingsPart', params: { part: 'profiles' } }}>
            {m.editProfiles}
          </ButtonLink>
        </p>
      )}
    </>
  );
};

interface AnswerProps {
  request: Request;
  busy: Decision | undefined;
  send: (decision: Decision, choice: Choice) => Promise<void>;
}

export const AnswerDialog = ({ request, onClose }: { request: Request; onClose: () => void }) => {
  const [word, setWord] = useState('');
  const { error, busy, send } = useAnswer(request, word, onClose);
  const actions = (
    <>
      <Button look="quiet" onClick={onClose}>
        {m.cancel}
      </Button>
      <Button isBusy={busy === 'declined'} onClick={() => void send('declined', undefined)}>
        {m.decline}
      </Button>
    </>
  );
  return (
    <Dialog title={requestWords(request)} onClose={onClose} actions={actions} isWide>
      {error !== undefined && <Notice tone="danger">{error}</Notice>}
      {request.kind === 'item' ? (
        <TitleAnswer {...{ request, busy, send }} />
      ) : (
        <TimeAnswer {...{ request, busy, send }} />
      )}
      <Field
        label={m.wordTo({ name: request.profile.name })}
        hint={m.wordHint}
        value={word}
        onValue={setWord}
        maxLength={MAX_REQUEST_WORDS}
        autoComplete="off"
      />
    </Dialog>
  );
};
