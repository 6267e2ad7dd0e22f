/**
 * The places of tasks: which of those that wait may start or continue.
 *
 * Each name has its own places, so no task waits for one of another name. Heavy tasks also need one of the few places
 * that they share. A heavy task that waits for one, before its start or between two pieces of its work, is a candidate.
 * Candidates that people asked for come first, then those that have waited longest.
 */
import { availableParallelism } from 'node:os';
import type { TaskRemark } from '../../contract/ops/task-remarks.ts';
import { untilAborted } from '../coalesce.ts';
import { canonicalJson } from './json.ts';
import { isTaskOpen, notifyTaskChanged, noteTask, type OpenTask, remarkOn, type Works } from './open-task.ts';

/** Heavy tasks use about one processor each. More than three would only wait for the same disk. */
export const heavyPlacesOf = (processors = availableParallelism()): number =>
  Math.min(3, Math.max(1, Math.floor(processors / 2)));
/** Time after which a heavy task makes room for another one that waits, in ms. */
const SLICE_MS = 5 * 60_000;

const FOR_SCAN: TaskRemark = { reason: 'waiting-for-scan', values: {} };
const FOR_PLACE: TaskRemark = { reason: 'waiting-for-place', values: {} };

/** Asked-for ones first, the oldest first among equals. */
const byTurn = (a: OpenTask, b: OpenTask): number => b.row.isAsked - a.row.isAsked || a.row.number - b.row.number;
const byWait = (a: OpenTask, b: OpenTask): number =>
  b.row.isAsked - a.row.isAsked || a.place.since - b.place.since || a.row.number - b.row.number;

/** Starts and continues as many tasks as have places. `start` sets the state of a task to running. */
export function admitTasks(at: Works, start: (task: OpenTask) => void): void {
  const all = [...at.open.values()];
  for (const task of all.filter(({ declared }) => !declared.heavy).toSorted(byTurn))
    if (task.row.state === 'queued' && hasPlaceOfName(at, task)) start(task);
  let isHeld = false;
  for (const task of candidates(at)) {
    const own = task.declared.heavy?.waitsFor?.();
    isHeld ||= own !== undefined;
    const waiting = own ?? (isScanOpen(at) ? FOR_SCAN : isAnyFree(at, task) ? undefined : FOR_PLACE);
    setWaiting(at, task, waiting);
    if (waiting) continue;
    const { wake } = task.place;
    task.place = { isHeld: true, since: at.clock.monotonic(), wake: undefined };
    if (wake) {
      void noteTask(at, task);
      wake();
    } else start(task);
  }
  clearTimeout(at.look);
  at.look = isHeld ? setTimeout(() => admitTasks(at, start), at.lookMs).unref() : undefined;
}

/**
 * Waits until a task may begin its next piece, without its place if it has to wait. `freed` is called when the place is
 * free for others. Rejects with the reason of the signal.
 */
export async function waitForTurn(at: Works, task: OpenTask, freed: () => void): Promise<void> {
  const { signal } = task.control;
  signal.throwIfAborted();
  if (!task.declared.heavy || !mustGiveBack(at, task)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  task.place = { isHeld: false, since: at.clock.monotonic(), wake: resolve };
  freed();
  try {
    await untilAborted(promise, signal);
  } finally {
    task.place.wake = undefined;
  }
}

/** Runs a piece of work in its turn. It is interrupted when the task has to wait, and run again after that. */
export async function runPiece<T>(
  {
    turn,
    waitsFor,
    lookMs,
    signal,
  }: { turn(): Promise<void>; waitsFor?: (() => unknown) | undefined; lookMs: number; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (;;) {
    await turn();
    const interrupted = new AbortController();
    const timer = waitsFor && setInterval(() => void (waitsFor() !== undefined && interrupted.abort()), lookMs);
    try {
      return await work(AbortSignal.any([signal, interrupted.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!interrupted.signal.aborted) throw error;
    } finally {
      clearInterval(timer);
    }
  }
}

/** Heavy tasks that wait, before their start or within their run. */
const candidates = (at: Works): OpenTask[] =>
  [...at.open.values()]
    .filter(
      (task) =>
        task.declared.heavy !== undefined &&
        task.row.isCancelled === 0 &&
        (task.row.state === 'queued' || task.place.wake !== undefined),
    )
    .toSorted(byWait);

const isScanOpen = (at: Works): boolean =>
  [...at.open.values()].some((task) => task.declared.isBeforeHeavy === true && isTaskOpen(task));

const isAnyFree = (at: Works, task: OpenTask): boolean =>
  [...at.open.values()].filter(({ place }) => place.isHeld).length < at.heavyPlaces &&
  (task.place.wake !== undefined || hasPlaceOfName(at, task));

/** Whether a queued task may start next to the running ones of its name. */
function hasPlaceOfName(at: Works, { row, declared }: OpenTask): boolean {
  const { atOnce = 1, ownAtOnce = atOnce } = declared;
  const running = [...at.open.values()].filter((other) => other.row.name === row.name && other.row.state === 'running');
  const input = canonicalJson(row.input);
  return (
    running.length < atOnce &&
    (row.isAsked === 1 || running.filter((other) => other.row.isAsked === 0).length < ownAtOnce) &&
    running.every((other) => canonicalJson(other.row.input) !== input)
  );
}

function mustGiveBack(at: Works, task: OpenTask): boolean {
  if (task.declared.heavy?.waitsFor?.() !== undefined || isScanOpen(at)) return true;
  const next = candidates(at).find(
    (other) =>
      other.declared.heavy?.waitsFor?.() === undefined &&
      (other.place.wake !== undefined || hasPlaceOfName(at, other)) &&
      other.row.isAsked >= task.row.isAsked,
  );
  if (!next) return false;
  return next.row.isAsked > task.row.isAsked || at.clock.monotonic() - task.place.since >= SLICE_MS;
}

function setWaiting(at: Works, task: OpenTask, waiting: TaskRemark | undefined): void {
  if (task.waiting?.reason === waiting?.reason) return;
  remarkOn(task, { waiting });
  notifyTaskChanged(at, task, false);
  // A task that could not be stored is reported to its caller.
  task.written.then(
    () => void noteTask(at, task),
    () => {},
  );
}
