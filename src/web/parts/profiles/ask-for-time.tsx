/** Asks for more minutes. A request that waits for its answer is shown in place of the form. */
import { useState } from 'preact/hooks';
import { call, sentence } from '../../data/client.ts';
import { readAgain, type Reply, useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Segments } from '../../kit/forms/field.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Badge, Notice } from '../../kit/states/states.tsx';
import { householdWords as m } from '../../messages/household.ts';
import css from './ask.module.css';

type Request = Reply<'requests', 'list'>['items'][number];

/** Minutes to choose from. */
const CHOICES = ['15', '30', '60'] as const;
/** Age up to which a declined request is shown. */
const RECENT_MS = 2 * 3_600_000;

const Waiting = ({ request }: { request: Request }) => (
  <p className={css.waiting}>
    <span>{m.moreMinutes({ count: request.minutes ?? 0 })}</span>
    <Badge>{m.waiting}</Badge>
    <Button
      look="quiet"
      onClick={() =>
        void runWithToast(() => call.requests.withdraw({ id: request.id }), m.takenBack).then(() =>
          readAgain('requests'),
        )
      }
    >
      {m.takeBack}
    </Button>
  </p>
);

/** Shows an answer of the last hours that declined more time. */
const Refusal = ({ request }: { request: Request | undefined }) => {
  if (request?.state !== 'declined' || Date.now() - Date.parse(request.answer?.at ?? '') > RECENT_MS) return null;
  return (
    <Notice tone="plain">
      {m.declined}
      {request.answer?.word !== undefined && (
        <>
          : <bdi>{request.answer.word}</bdi>
        </>
      )}
    </Notice>
  );
};

export const AskForTime = () => {
  // The event stream announces the answer; outside the viewing hours a page may stay open for long.
  const { data } = useAsk('requests', 'list', {}, { every: 60_000 });
  const [minutes, setMinutes] = useState<(typeof CHOICES)[number]>('30');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await call.requests.ask({ kind: 'time', minutes: Number(minutes) });
      readAgain('requests');
    } catch (failure) {
      setError(sentence(failure));
    } finally {
      setBusy(false);
    }
  };
  const [last] = data?.items.filter(({ kind }) => kind === 'time') ?? [];
  if (last?.state === 'open') return <Waiting request={last} />;
  return (
    <div className={css.time}>
      <Refusal request={last} />
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      <Segments
        label={m.howMuchMore}
        value={minutes}
        choices={CHOICES.map((value) => ({ value, label: m.minutes({ count: Number(value) }) }))}
        onValue={setMinutes}
      />
      <Button look="primary" isBusy={isBusy} onClick={() => void ask()}>
        {m.askForTime}
      </Button>
    </div>
  );
};
