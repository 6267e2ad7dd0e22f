/** The batch of fetches that is under way, or what came of it. */
import check from 'lucide/dist/esm/icons/check.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { Link } from '../../../lib/navigation/link.tsx';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { ProgressBar } from '../../../kit/states/states.tsx';
import { facts } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import type { FetchBatch, FetchOutcome } from './batch.ts';
import { batch, batchState } from './fetching.ts';
import shared from '../subtitles.module.css';
import css from './batch.module.css';
import { candidatesWords } from '../../../messages/candidates.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

function heading({ wishes, outcomes, isRunning }: FetchBatch): string {
  if (isRunning)
    return wishes.length === 0
      ? m.lookingForMatches
      : m.fetchingOf({ at: Math.min(outcomes.length + 1, wishes.length), total: wishes.length });
  if (wishes.length === 0) return m.nothingToFetch;
  const done = outcomes.filter(({ isDone }) => isDone).length;
  return facts(
    m.fetched({ done }),
    outcomes.length > done && m.withoutResult({ amount: outcomes.length - done }),
    outcomes.length < wishes.length && m.notTried({ amount: wishes.length - outcomes.length }),
  ).join(', ');
}

const Row = ({ outcome: { id, title, language, role, isDone, says, isChoice } }: { outcome: FetchOutcome }) => (
  <li>
    <span className={isDone ? css.good : css.bad}>
      <Icon of={isDone ? check : x} size={1.125} />
      <span className="unseen">{isDone ? `${m.fetchedLabel}: ` : `${m.notFetchedLabel}: `}</span>
    </span>
    <span>
      <Link to={{ page: 'subtitleItem', params: { id } }}>{title}</Link>
      <span className="muted small">{says}</span>
      {isChoice === true && (
        <Link
          className="link small"
          to={{ page: 'subtitleItem', params: { id }, query: { choose: language, kind: role } }}
        >
          {candidatesWords.chooseASubtitle}
        </Link>
      )}
    </span>
  </li>
);

export const RunningBatch = () => {
  const now = useStore(batchState);
  const { wishes, outcomes, isRunning, ended } = now;
  if (wishes.length === 0 && !isRunning && ended === undefined) return null;
  return (
    <section className={shared.card} aria-label={m.fetchingSubtitles}>
      <div className={shared.head}>
        <div role="status">
          <h2>{heading(now)}</h2>
        </div>
        {isRunning ? (
          <Button onClick={batch.cancel}>{m.cancel}</Button>
        ) : (
          <Button onClick={batch.dismiss}>{m.done}</Button>
        )}
      </div>
      {isRunning && (
        <>
          <ProgressBar
            value={wishes.length === 0 ? undefined : outcomes.length / wishes.length}
            label={m.fetchingSubtitles}
          />
          <p className="muted small">{wishes[outcomes.length]?.title ?? ' '}</p>
          <p className="muted small">{m.itContinuesWhileYouLook}</p>
        </>
      )}
      {ended !== undefined && (
        <p className="small">
          {outcomes.length < wishes.length
            ? m.itEndedEarlyAndCan({ items: m.itemsCount({ count: wishes.length - outcomes.length }), why: ended })
            : ended}
        </p>
      )}
      {outcomes.length > 0 && (
        <ul className={css.outcomes} tabIndex={0} aria-label={m.results}>
          {[...outcomes].reverse().map((outcome) => (
            <Row key={`${outcome.id}${outcome.language}`} outcome={outcome} />
          ))}
        </ul>
      )}
    </section>
  );
};
