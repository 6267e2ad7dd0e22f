/** Shows the server's background tasks: those that can be started, those that run now, and those that ran before. */
import play from 'lucide/dist/esm/icons/play.mjs';
import { Button } from '../../kit/forms/button.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import type { Task } from '../../../contract/ops/operations.ts';
import { formatDuration, facts, moment } from '../../lib/format.ts';
import { isUnfinished, useTasks } from '../../parts/tasks/live.ts';
import { cancelTask, TaskProgress, startTask } from '../../parts/tasks/running.tsx';
import { every, taskStates } from '../../parts/tasks/words.ts';
import css from './settings.module.css';
import { settingsWords as m } from '../../messages/settings.ts';

const took = ({ startedAt, endedAt }: Task): string | undefined => {
  if (startedAt === undefined || endedAt === undefined) return undefined;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return seconds < 60 ? m.took({ duration: formatDuration(seconds) }) : m.took({ duration: formatDuration(seconds) });
};

const History = ({ task }: { task: Task }) => {
  const { label, tone } = taskStates()[task.state];
  return (
    <li className={css.row}>
      <div>
        <strong>{task.title}</strong>
        <p className="muted small">
          {facts(moment(task.startedAt ?? task.createdAt), took(task), task.detail).join(' · ')}
        </p>
        {task.error !== undefined && (
          <p className={`${css.danger} small`}>{task.error.charAt(0).toUpperCase() + task.error.slice(1)}</p>
        )}
      </div>
      <Badge tone={tone}>{label}</Badge>
    </li>
  );
};

export const TasksSection = () => {
  const { tasks, error, refetch } = useTasks();
  if (!tasks)
    return error ? <ErrorState title={m.theTasksCouldNotBe} error={error} retry={() => void refetch()} /> : <Pending />;
  const open = tasks.items.filter(isUnfinished);
  const before = tasks.items.filter((task) => !isUnfinished(task));
  return (
    <>
      {open.map((task) => (
        <section key={task.id} className={css.card} aria-label={task.title}>
          <div className={css.bar}>
            <h2>{task.title}</h2>
            <Button onClick={() => void cancelTask(task.id)}>{m.cancel}</Button>
          </div>
          <TaskProgress task={task} />
        </section>
      ))}
      <ul className={css.rows}>
        {tasks.startable.map(({ name, title, summary, every: seconds }) => (
          <li key={name} className={css.row}>
            <div>
              <strong>{title}</strong>
              <p className="muted small">
                {facts(
                  summary,
                  seconds !== undefined && seconds > 0 && m.automatically({ every: every(seconds) }),
                ).join(' · ')}
              </p>
            </div>
            <Button
              icon={play}
              disabled={open.some((task) => task.name === name)}
              onClick={() => void startTask(name)}
              aria-label={m.start({ taskName: title })}
            >
              {m.startLabel}
            </Button>
          </li>
        ))}
      </ul>
      <div className={css.section}>
        <h2>{m.history}</h2>
      </div>
      {before.length === 0 ? (
        <EmptyState title={m.noTasksHaveRunYet} />
      ) : (
        <ul className={css.rows}>
          {before.map((task) => (
            <History key={task.id} task={task} />
          ))}
        </ul>
      )}
    </>
  );
};
