/** The page of a Viewer: asks for a title or more time, and lists its requests with their answers. */
import { useEffect } from 'preact/hooks';
import type { Request } from '../../../contract/requests/requests.ts';
import hand from 'lucide/dist/esm/icons/hand.mjs';
import { call } from '../../data/client.ts';
import { useOwnTime } from '../../data/day-time.ts';
import { secondsLeft } from '../../lib/day-time.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, formatDuration } from '../../lib/format.ts';
import { householdWords as m } from '../../messages/household.ts';
import { pageOf } from '../../parts/catalog/cards.tsx';
import { AskForTime } from '../../parts/profiles/ask-for-time.tsx';
import { AskForTitle } from '../../parts/profiles/ask-for-title.tsx';
import css from './requests.module.css';
import { allowedWords, askedWords } from './words.ts';

const StateBadge = ({ state }: Pick<Request, 'state'>) => {
  if (state === 'open') return <Badge>{m.waiting}</Badge>;
  return <Badge tone={state === 'approved' ? 'good' : 'warn'}>{state === 'approved' ? m.approved : m.declined}</Badge>;
};

const Own = ({ request }: { request: Request }) => {
  const { id, state, createdAt, answer } = request;
  const what = askedWords(request);
  const takeBack = () =>
    runWithToast(() => call.requests.withdraw({ id }), m.takenBack).then(() => readAgain('requests'));
  return (
    <li className={css.request}>
      <div className={css.text}>
        <p className={css.what}>
          <strong>
            <bdi>{what}</bdi>
          </strong>
          <StateBadge state={state} />
        </p>
        {answer?.word !== undefined && (
          <p>
            <bdi>{answer.word}</bdi>
          </p>
        )}
        <p className="muted small">{[...allowedWords(request), ago(answer?.at ?? createdAt)].join(' · ')}</p>
      </div>
      {state === 'open' && (
        <Button look="quiet" aria-label={m.takeBackOf({ what })} onClick={() => void takeBack()}>
          {m.takeBack}
        </Button>
      )}
      {answer?.item && <ButtonLink to={pageOf(answer.item)}>{m.watchIt({ title: answer.item.title })}</ButtonLink>}
    </li>
  );
};

const Time = () => {
  const time = useOwnTime();
  if (!time?.limit && !time?.hours) return null;
  const left = secondsLeft(time);
  return (
    <section className={css.part} aria-labelledby="more-time">
      <h2 id="more-time">{m.moreTime}</h2>
      {left !== undefined && (
        <p className={css.left}>{left === 0 ? m.timeIsOver : m.leftToday({ time: formatDuration(left) })}</p>
      )}
      <AskForTime />
    </section>
  );
};

export const OwnRequests = () => {
  const { data, error, refetch } = useAsk('requests', 'list', {});
  const unseen = data?.unseen ?? 0;
  useEffect(() => {
    if (unseen > 0) void call.requests.seen({}).catch(() => undefined);
  }, [unseen]);
  return (
    <>
      <p className={css.lead}>{m.askSays}</p>
      <section className={css.part} aria-labelledby="a-title">
        <h2 id="a-title">{m.askForATitle}</h2>
        <AskForTitle />
      </section>
      <Time />
      <section className={css.part} aria-labelledby="own-requests">
        <h2 id="own-requests">{m.yourRequests}</h2>
        {!data &&
          (error ? (
            <ErrorState title={m.requestsCouldNotBe} error={error} retry={() => void refetch()} />
          ) : (
            <Pending />
          ))}
        {data?.items.length === 0 && (
          <EmptyState icon={hand} title={m.noRequests}>
            {m.noRequestsSays}
          </EmptyState>
        )}
        <ul className={css.requests}>
          {data?.items.map((request) => (
            <Own key={request.id} request={request} />
          ))}
        </ul>
      </section>
    </>
  );
};
