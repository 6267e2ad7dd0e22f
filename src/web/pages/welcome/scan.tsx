/**
 * The last step: the first scan, with what it finds appearing while it runs. It continues by itself after the viewer
 * leaves the page.
 */
import { taskDetail, taskErrorText } from '../../messages/server-tasks.ts';
import { useEffect, useState } from 'preact/hooks';
import { CardPage } from '../../kit/frames/card-page.tsx';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import { call, sentence } from '../../data/client.ts';
import { useAll, useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Notice, ProgressBar } from '../../kit/states/states.tsx';
import { goOn, keepStep } from './steps.ts';
import css from './welcome.module.css';
import { accountWords as m } from '../../messages/account.ts';

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
  if (!task || task.state === 'queued') return m.starting;
  if (task.state === 'running') return taskDetail(task) ?? m.scanningYourFolders;
  if (task.state === 'failed') return taskErrorText(task) ?? m.theScanFailed;
  if (task.state === 'cancelled') return m.theScanWasCancelled;
  return total === 0 ? m.finishedNothingPlayableWasFound : m.finished;
};

export const Scan = ({ step }: { step: string }) => {
  const { task, error } = useScan();
  const isRunning = !isOver(task);
  // Nothing is left to do here; who comes back begins at home.
  useEffect(() => {
    if (!isRunning) void keepStep(undefined).catch(() => undefined);
  }, [isRunning]);
  const every = isRunning ? 2000 : (false as const);
  const recent = useAsk('catalog', 'recent', { limit: 24 }, { every });
  const libraries = useAll('libraries', 'list', {}, { every });
  const found = libraries.data?.items.reduce((sum, { items }) => sum + items, 0) ?? 0;
  const cards = recent.data?.items ?? [];
  return (
    <CardPage
      step={step}
      title={isRunning ? m.scanningYourLibraries : m.allSet}
      lead={isRunning ? m.youDoNotHaveTo : m.itemsFound({ items: m.itemsCount({ count: found }) })}
      isWide
    >
      {error !== undefined && <Notice tone="danger">{sentence(error)}</Notice>}
      <div className={css.scan}>
        <ProgressBar value={isOver(task) ? 1 : task?.progress} label={m.scan} />
        <p className={css.detail}>
          <span>{said(task, found)}</span>
          <span className="muted">{m.itemsCount({ count: found })}</span>
        </p>
      </div>
      {cards.length > 0 && (
        <div className={css.found} aria-live="off">
          <SmallGrid cards={cards} label={m.foundSoFar} />
        </div>
      )}
      {isOver(task) && cards.length === 0 && <Notice>{m.noFilmsOrShowsWere}</Notice>}
      <div className={css.onward}>
        <Button look="primary" isLarge onClick={() => void goOn(undefined)}>
          {m.goToHome}
        </Button>
      </div>
    </CardPage>
  );
};
