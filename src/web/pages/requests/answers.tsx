/** The page of an Owner: open requests with what answers them, and those of the last 30 days. */
import { useState } from 'preact/hooks';
import type { Request } from '../../../contract/requests/requests.ts';
import hand from 'lucide/dist/esm/icons/hand.mjs';
import { useAsk } from '../../data/query.ts';
import { ProfileFace } from '../../kit/art/face.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago } from '../../lib/format.ts';
import { householdWords as m } from '../../messages/household.ts';
import { AnswerDialog } from './answer-dialog.tsx';
import css from './requests.module.css';
import { allowedWords, requestWords } from './words.ts';

const Asked = ({ request, onAnswer }: { request: Request; onAnswer?: () => void }) => {
  const { profile, createdAt, state, answer } = request;
  const what = requestWords(request);
  return (
    <li className={css.request}>
      <ProfileFace {...profile} />
      <div className={css.text}>
        <p className={css.what}>
          <strong>{what}</strong>
          {state !== 'open' && (
            <Badge tone={state === 'approved' ? 'good' : 'plain'}>
              {state === 'approved' ? m.approved : m.declined}
            </Badge>
          )}
        </p>
        <p className="muted small">
          {[answer?.item?.title, ...allowedWords(request), answer?.word, ago(answer?.at ?? createdAt)]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </p>
      </div>
      {onAnswer && (
        <Button look="primary" aria-label={m.answerTo({ what })} onClick={onAnswer}>
          {m.answerIt}
        </Button>
      )}
    </li>
  );
};

export const Answers = () => {
  const { data, error, refetch } = useAsk('requests', 'list', {});
  const [answering, setAnswering] = useState<string>();
  if (!data)
    return error ? <ErrorState title={m.requestsCouldNotBe} error={error} retry={() => void refetch()} /> : <Pending />;
  const open = data.items.filter(({ state }) => state === 'open');
  const closed = data.items.filter(({ state }) => state !== 'open');
  const chosen = open.find(({ id }) => id === answering);
  return (
    <>
      <p className={css.lead}>{m.ownersSay}</p>
      <section className={css.part} aria-labelledby="open-requests">
        <h2 id="open-requests">{m.openRequests}</h2>
        {open.length === 0 && (
          <EmptyState icon={hand} title={m.noOpenRequests}>
            {m.noOpenRequestsSays}
          </EmptyState>
        )}
        <ul className={css.requests}>
          {open.map((request) => (
            <Asked key={request.id} request={request} onAnswer={() => setAnswering(request.id)} />
          ))}
        </ul>
      </section>
      {closed.length > 0 && (
        <section className={css.part} aria-labelledby="answered-requests">
          <h2 id="answered-requests">{m.answeredRequests}</h2>
          <ul className={css.requests}>
            {closed.map((request) => (
              <Asked key={request.id} request={request} />
            ))}
          </ul>
        </section>
      )}
      {chosen && <AnswerDialog request={chosen} onClose={() => setAnswering(undefined)} />}
    </>
  );
};
