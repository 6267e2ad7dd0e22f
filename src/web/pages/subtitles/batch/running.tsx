/** The batch of fetches that is under way, or what came of it. */
import check from 'lucide/dist/esm/icons/check.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { Link } from '../../../lib/navigation/link.tsx';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { Progress } from '../../../kit/states/states.tsx';
import { facts, many } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import type { Batch, Outcome } from './batch.ts';
import { batch, batchState } from './fetching.ts';
import shared from '../subtitles.module.css';
import css from './batch.module.css';

function heading({ wishes, outcomes, isRunning }: Batch): string {
  if (isRunning)
    return wishes.length === 0
      ? 'Looking up what fits'
      : `Fetching ${Math.min(outcomes.length + 1, wishes.length)} of ${wishes.length}`;
  if (wishes.length === 0) return 'Nothing to fetch';
  const done = outcomes.filter(({ isDone }) => isDone).length;
  return facts(
    `${done} fetched`,
    outcomes.length > done && `${outcomes.length - done} without result`,
    outcomes.length < wishes.length && `${wishes.length - outcomes.length} not tried`,
  ).join(', ');
}

const Row = ({ outcome: { id, title, isDone, says } }: { outcome: Outcome }) => (
  <li>
    <span className={isDone ? css.good : css.bad}>
      <Icon of={isDone ? check : x} size={1.125} />
      <span className="unseen">{isDone ? 'Fetched: ' : 'Not fetched: '}</span>
    </span>
    <span>
      <Link to={{ page: 'subtitleItem', params: { id } }}>{title}</Link>
      <span className="muted small">{says}</span>
    </span>
  </li>
);

export const Running = () => {
  const now = useStore(batchState);
  const { wishes, outcomes, isRunning, ended } = now;
  if (wishes.length === 0 && !isRunning && ended === undefined) return null;
  return (
    <section className={shared.card} aria-label="Fetching subtitles">
      <div className={shared.head}>
        <div role="status">
          <h2>{heading(now)}</h2>
        </div>
        {isRunning ? <Button onClick={batch.cancel}>Cancel</Button> : <Button onClick={batch.dismiss}>Done</Button>}
      </div>
      {isRunning && (
        <>
          <Progress
            value={wishes.length === 0 ? undefined : outcomes.length / wishes.length}
            label="Fetching subtitles"
          />
          <p className="muted small">{wishes[outcomes.length]?.title ?? ' '}</p>
          <p className="muted small">
            It goes on while you look at other pages. Closing this tab ends it after the one under way.
          </p>
        </>
      )}
      {ended !== undefined && (
        <p className="small">
          {outcomes.length < wishes.length
            ? `It ended early, and ${many(wishes.length - outcomes.length, 'item')} can be tried later: ${ended}`
            : ended}
        </p>
      )}
      {outcomes.length > 0 && (
        <ul className={css.outcomes} tabIndex={0} aria-label="Results">
          {[...outcomes].reverse().map((outcome) => (
            <Row key={`${outcome.id}${outcome.language}`} outcome={outcome} />
          ))}
        </ul>
      )}
    </section>
  );
};
