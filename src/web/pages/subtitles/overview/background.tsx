/** What the server does about subtitles by itself or on demand: when it last ran, what came of it, when it runs again. */
import { useEffect } from 'preact/hooks';
import type { Task } from '../../../../contract/ops/operations.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { readAgain } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { cx } from '../../../lib/cx.ts';
import { ago, moment } from '../../../lib/format.ts';
import { isOpen, type LiveTasks } from '../../../parts/tasks/live.ts';
import { cancelTask, Running, startTask } from '../../../parts/tasks/running.tsx';
import { every, STATES } from '../../../parts/tasks/words.ts';
import { asSentence } from '../../../parts/subtitles/words.ts';
import shared from '../subtitles.module.css';
import css from './overview.module.css';

export const FETCH_WANTED = 'fetch-wanted';
export const UPKEEP = 'subtitle-upkeep';
type Startable = LiveTasks['startable'][number];

/** The newest run of a task, open or ended. */
export const lastOf = (tasks: LiveTasks | undefined, name: string): Task | undefined =>
  tasks?.items.find((task) => task.name === name);

/** When it will run by itself; undefined when it does not, or nobody can tell yet. */
function nextRun({ every: seconds }: Startable, last: Task | undefined): string | undefined {
  if (seconds === undefined || seconds <= 0) return undefined;
  if (!last?.endedAt) return `by itself ${every(seconds)}`;
  const at = Date.parse(last.endedAt) + seconds * 1000;
  return at <= Date.now() ? 'soon' : `${moment(new Date(at).toISOString())} (${every(seconds)})`;
}

const WORDS: Readonly<Record<string, { title: string; says: string; run: string }>> = {
  [UPKEEP]: {
    title: 'Upkeep',
    says: 'Fills what is missing and replaces a subtitle only by a clearly better one.',
    run: 'Run now',
  },
  [FETCH_WANTED]: {
    title: 'Fetch what is wanted',
    says: 'Looks for everything that is wanted and may be asked for again.',
    run: 'Fetch now',
  },
};

const One = ({ startable, last }: { startable: Startable; last: Task | undefined }) => {
  const { title, says, run } = WORDS[startable.name] ?? {
    title: startable.name,
    says: startable.summary,
    run: 'Run now',
  };
  const next = nextRun(startable, last);
  const isRunning = last !== undefined && isOpen(last);
  return (
    <li className={css.work} aria-label={title}>
      <div>
        <strong>{title}</strong>
        {isRunning ? (
          <Button onClick={() => void cancelTask(last.id)} aria-label={`Cancel: ${title}`}>
            Cancel
          </Button>
        ) : (
          <Button onClick={() => void startTask(startable.name)} aria-label={`${run}: ${title}`}>
            {run}
          </Button>
        )}
      </div>
      <p className="muted small">{says}</p>
      {isRunning ? <Running task={last} /> : <Before task={last} />}
      {next !== undefined && !isRunning && <p className="muted small">Next run: {next}</p>}
    </li>
  );
};

const Before = ({ task }: { task: Task | undefined }) => {
  if (!task) return <p className="small">Has not run yet.</p>;
  const { state, endedAt, createdAt, detail, error } = task;
  return (
    <p className="small">
      {state !== 'done' && <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>} Last run{' '}
      {ago(endedAt ?? createdAt)}
      {(error ?? detail) ? `: ${asSentence(error ?? detail ?? '')}` : '.'}
    </p>
  );
};

/** Reads the inventory again when a task of ours has ended: its last rows may have come after the last event. */
export function useEnd(task: Task | undefined): void {
  const state = task?.state;
  useEffect(() => {
    if (state !== undefined && state !== 'running' && state !== 'queued') readAgain('subtitles');
  }, [task?.id, state]);
}

export const Background = ({ tasks }: { tasks: LiveTasks | undefined }) => {
  const ours = [UPKEEP, FETCH_WANTED].flatMap((name) => tasks?.startable.filter((one) => one.name === name) ?? []);
  useEnd(lastOf(tasks, UPKEEP));
  useEnd(lastOf(tasks, FETCH_WANTED));
  if (ours.length === 0) return null;
  return (
    <section className={cx(shared.card, css.background)} aria-labelledby="background">
      <div className={shared.head}>
        <h2 id="background">In the background</h2>
      </div>
      <ul>
        {ours.map((one) => (
          <One key={one.name} startable={one} last={lastOf(tasks, one.name)} />
        ))}
      </ul>
      <p className={css.more}>
        <Link to={{ page: 'subtitles', query: { sort: 'searched' } }} className="link small">
          What was looked for last, and what came of it
        </Link>
      </p>
    </section>
  );
};
