/** The batch of fetches that is under way, or what came of it. */
import check from 'lucide/dist/esm/icons/check.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Progress } from '../../kit/states/states.tsx';
import { Link } from '../../app/link.tsx';
import { useStore } from '../../lib/store.ts';
import { batch, batchState } from './fetching.ts';
import css from './subtitles.module.css';

export const Running = () => {
  const { wishes, outcomes, isRunning } = useStore(batchState);
  if (wishes.length === 0) return null;
  const done = outcomes.filter(({ isDone }) => isDone).length;
  const failed = outcomes.length - done;
  const now = wishes[outcomes.length];
  return (
    <section className={css.card} aria-label="Fetching subtitles">
      <div className={css.head}>
        <h2>{isRunning ? `Fetching ${outcomes.length + 1} of ${wishes.length}` : `${done} fetched${failed > 0 ? `, ${failed} without result` : ''}${outcomes.length < wishes.length ? `, ${wishes.length - outcomes.length} not tried` : ''}`}</h2>
        {isRunning ? <Button onClick={batch.cancel}>Cancel</Button> : <Button onClick={batch.dismiss}>Done</Button>}
      </div>
      {isRunning && (
        <>
          <Progress value={outcomes.length / wishes.length} label="Fetching subtitles" />
          <p className="muted small" role="status">
            {now?.title}
          </p>
        </>
      )}
      <ul className={css.outcomes}>
        {[...outcomes].reverse().map(({ id, title, language, isDone, says }) => (
          <li key={`${id}${language}`}>
            <span className={isDone ? css.good : css.bad}>
              <Icon of={isDone ? check : x} size={1.125} />
              <span className="unseen">{isDone ? 'Fetched: ' : 'Not fetched: '}</span>
            </span>
            <span>
              <Link to={{ page: 'subtitleItem', params: { id } }}>{title}</Link>
              <span className="muted small">{says}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
