/** Shows the subtitle tasks that run by themselves or on demand: the last run, its result, and the next run. */
import type { Task } from '../../../../contract/ops/operations.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { cx } from '../../../lib/cx.ts';
import { ago, moment } from '../../../lib/format.ts';
import { isUnfinished, type LiveTasks } from '../../../parts/tasks/live.ts';
import { cancelTask, TaskProgress, startTask } from '../../../parts/tasks/running.tsx';
import { every, taskStates } from '../../../parts/tasks/words.ts';
import { useTaskEnd } from '../../../parts/subtitles/task-end.ts';
import { asSentence } from '../../../parts/subtitles/words.ts';
import shared from '../subtitles.module.css';
import css from './overview.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';
import { timingWords } from '../../../messages/timing.ts';

export const FETCH_WANTED = 'fetch-wanted';
export const UPKEEP = 'subtitle-upkeep';
export const AUDIT = 'audit';
type Startable = LiveTasks['startable'][number];

/** The newest run of a task, open or ended. */
export const lastOf = (tasks: LiveTasks | undefined, name: string): Task | undefined =>
  tasks?.items.find((task) => task.name === name);

/** Returns when the task will next run by itself; undefined if it does not, or if that is not known yet. */
function nextRun({ every: seconds }: Startable, last: Task | undefined): string | undefined {
  if (seconds === undefined || seconds <= 0) return undefined;
  if (!last?.endedAt) return m.automatically({ interval: every(seconds) });
  const at = Date.parse(last.endedAt) + seconds * 1000;
  return at <= Date.now() ? m.soonWord : `${moment(new Date(at).toISOString())} (${every(seconds)})`;
}

const taskWords = (): Readonly<Record<string, { title: string; says: string; run: string }>> => ({
  [UPKEEP]: {
    title: m.upkeep,
    says: m.fetchesWhatIsMissingAnd,
    run: m.runNow,
  },
  [FETCH_WANTED]: {
    title: m.fetchMissing,
    says: m.searchesForEverythingThatIs,
    run: m.fetchNow,
  },
  [AUDIT]: {
    title: timingWords.checkTiming,
    says: timingWords.checkTimingSays,
    run: timingWords.checkNow,
  },
});

const One = ({ startable, last }: { startable: Startable; last: Task | undefined }) => {
  const { title, says, run } = taskWords()[startable.name] ?? {
    title: startable.name,
    says: startable.summary,
    run: m.runNow,
  };
  const next = nextRun(startable, last);
  const isRunning = last !== undefined && isUnfinished(last);
  return (
    <li className={css.work} aria-label={title}>
      <div>
        <strong>{title}</strong>
        {isRunning ? (
          <Button onClick={() => void cancelTask(last.id)} aria-label={m.cancelWithTitle({ title })}>
            {m.cancel}
          </Button>
        ) : (
          <Button onClick={() => void startTask(startable.name)} aria-label={`${run}: ${title}`}>
            {run}
          </Button>
        )}
      </div>
      <p className="muted small">{says}</p>
      {isRunning ? <TaskProgress task={last} /> : <Before task={last} />}
      {next !== undefined && !isRunning && <p className="muted small">{m.nextRun({ when: next })}</p>}
    </li>
  );
};

const Before = ({ task }: { task: Task | undefined }) => {
  if (!task) return <p className="small">{m.hasNotRunYet}</p>;
  const { state, endedAt, createdAt, detail, error } = task;
  return (
    <p className="small">
      {state !== 'done' && <Badge tone={taskStates()[state].tone}>{taskStates()[state].label}</Badge>}{' '}
      {(error ?? detail)
        ? m.lastRunWith({ when: ago(endedAt ?? createdAt), outcome: asSentence(error ?? detail ?? '') })
        : m.lastRun({ when: ago(endedAt ?? createdAt) })}
    </p>
  );
};

export const Background = ({ tasks }: { tasks: LiveTasks | undefined }) => {
  const ours = [UPKEEP, FETCH_WANTED, AUDIT].flatMap(
    (name) => tasks?.startable.filter((one) => one.name === name) ?? [],
  );
  useTaskEnd(lastOf(tasks, UPKEEP));
  useTaskEnd(lastOf(tasks, FETCH_WANTED));
  useTaskEnd(lastOf(tasks, AUDIT));
  if (ours.length === 0) return null;
  return (
    <section className={cx(shared.card, css.background)} aria-labelledby="background">
      <div className={shared.head}>
        <h2 id="background">{m.inTheBackground}</h2>
      </div>
      <ul>
        {ours.map((one) => (
          <One key={one.name} startable={one} last={lastOf(tasks, one.name)} />
        ))}
      </ul>
      <p className={css.more}>
        <Link to={{ page: 'subtitles', query: { sort: 'searched' } }} className="link small">
          {m.lastSearchesAndTheirResults}
        </Link>
      </p>
      <p className={css.more}>
        <Link to={{ page: 'subtitleTiming' }} className="link small">
          {timingWords.showTimingResults}
        </Link>
      </p>
    </section>
  );
};
