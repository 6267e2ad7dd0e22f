/** The last step: the first scan, with what it finds appearing while it runs. It goes on by itself after leaving. */
import { useEffect, useState } from 'preact/hooks';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import { call, sentence } from '../../data/client.ts';
import { useAsk, type Reply } from '../../data/query.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { Notice, Progress } from '../../kit/states/states.tsx';
import { many } from '../../lib/format.ts';
import css from './welcome.module.css';

type Task = Reply<'tasks', 'read'>;
const isOver = (task: Task | undefined): boolean =>
  task !== undefined && task.state !== 'running' && task.state !== 'queued';
/** Events bring the progress at once; asking every second carries on where they cannot. */
const ASK_MS = 1000;

/** Starts the scan, or joins the one that adding a library has started. */
function useScan(): { task: Task | undefined; error: unknown } {
  const [id, setId] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    call.tasks.start({ task: 'scan' }).then((task) => setId(task.id), setError);
  }, []);
  const [isDone, setDone] = useState(false);
  const { data } = useAsk(
    'tasks',
    'read',
    { task: id ?? '' },
    { enabled: id !== undefined, every: isDone ? false : ASK_MS },
  );
  useEffect(() => setDone(isOver(data)), [data]);
  return { task: data, error };
}

const said = (task: Task | undefined, total: number): string => {
  if (!task || task.state === 'queued') return 'About to begin';
  if (task.state === 'running') return task.detail ?? 'Reading your folders';
  if (task.state === 'failed') return task.error ?? 'The scan stopped early';
  if (task.state === 'cancelled') return 'The scan was cancelled';
  return total === 0 ? 'Finished: nothing that can be played was found' : 'Finished';
};

export const Scan = () => {
  const { task, error } = useScan();
  const isRunning = !isOver(task);
  const every = isRunning ? 2000 : (false as const);
  const recent = useAsk('catalog', 'recent', { limit: 24 }, { every });
  const libraries = useAsk('libraries', 'list', {}, { every });
  const found = libraries.data?.items.reduce((sum, { items }) => sum + items, 0) ?? 0;
  const cards = recent.data?.items ?? [];
  return (
    <CardPage
      step="Step 5 of 5"
      title={isRunning ? 'Reading your libraries' : 'All set'}
      lead={
        isRunning
          ? 'You need not wait: it goes on by itself, and what it finds can be watched at once.'
          : `${many(found, 'item')} can be watched now.`
      }
      isWide
    >
      {error !== undefined && <Notice tone="danger">{sentence(error)}</Notice>}
      <div className={css.scan}>
        <Progress value={isOver(task) ? 1 : task?.progress} label="Scan" />
        <p className={css.detail}>
          <span>{said(task, found)}</span>
          <span className="muted">{many(found, 'item')}</span>
        </p>
      </div>
      {cards.length > 0 && (
        <div className={css.found} aria-live="off">
          <SmallGrid cards={cards} label="Found so far" />
        </div>
      )}
      {isOver(task) && cards.length === 0 && (
        <Notice>
          No films or shows were found. Check that the folder is the right one and that the server may read it; you can
          change it under Settings.
        </Notice>
      )}
      <div className={css.onward}>
        <ButtonLink look="primary" isLarge to={{ page: 'home' }}>
          Go home
        </ButtonLink>
      </div>
    </CardPage>
  );
};
