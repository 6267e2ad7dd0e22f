/** For tests of what a task does: a run that always has its place, so that it only waits for what its task names. */
import { setTimeout } from 'node:timers/promises';
import { runPiece } from './places.ts';
import type { TaskContext, TaskDefinition } from './types.ts';

const LOOK_MS = 1;

/** Runs a task without a queue. `changes` replaces members of its context. */
export const runTask = <I>(
  { run, heavy }: Pick<TaskDefinition<I>, 'run' | 'heavy'>,
  input: I,
  changes: Partial<Omit<TaskContext<I>, 'input' | 'turn' | 'piece'>> = {},
): Promise<void> => {
  const { signal = new AbortController().signal } = changes;
  const waitsFor = heavy?.waitsFor;
  const turn = async (): Promise<void> => {
    signal.throwIfAborted();
    while (!signal.aborted && waitsFor?.() !== undefined) await setTimeout(LOOK_MS);
    signal.throwIfAborted();
  };
  return run({
    id: 't',
    input,
    signal,
    resumed: false,
    saved: undefined,
    progress: () => {},
    save: () => Promise.resolve(),
    turn,
    piece: (work) => runPiece({ turn, waitsFor, lookMs: LOOK_MS, signal }, work),
    ...changes,
  });
};
