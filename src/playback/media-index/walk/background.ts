/**
 * Makes the indexes of new recordings in the background, so that they need not be converted when they are first played:
 * of each item that changed since the last run, while the cache has room.
 */
import type { CatalogBackground, PlayableFile } from '../../../catalog/index.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Log } from '../../../lib/log.ts';
import { task, type TaskDefinition } from '../../../lib/tasks/index.ts';
import type { MarkerStore } from '../../markers/store.ts';

export interface WalkBackgroundNeeds {
  catalog: Pick<CatalogBackground, 'changedSince'>;
  store: Pick<MarkerStore, 'cursor' | 'follow'>;
  log: Pick<Log, 'warn'>;
  walk(file: PlayableFile, options: { progress?(part: number): void }, signal: AbortSignal): Promise<void>;
  hasRoom(): Promise<boolean>;
}

export const WALK_TASK = 'recording-indexes';
const READ = 50;
/** Containers whose files never have an index. Others are detected when they are played. */
const WALKED: ReadonlySet<string> = new Set(['mpegts', 'asf']);

export function createWalkBackground({ catalog, store, log, walk, hasRoom }: WalkBackgroundNeeds): {
  task: TaskDefinition<Record<string, never>>;
  isDue(): Promise<boolean>;
} {
  /** Returns false where the library is away: the item is tried again. */
  const walkOne = async (
    item: string,
    file: PlayableFile,
    progress: (part: number) => void,
    signal: AbortSignal,
  ): Promise<boolean> => {
    try {
      await walk(file, { progress }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      log.warn('playback.walk.not-done', { item, reason: error.message });
      return error.kind !== 'unavailable';
    }
    return true;
  };
  return {
    isDue: async () => (await catalog.changedSince((await store.cursor('walks')).change, 1)).length > 0,
    task: task<Record<string, never>>({
      name: WALK_TASK,
      title: 'Index recordings',
      summary: 'Look through new recordings, so that they play without being converted',
      run: async ({ progress, signal }) => {
        let { change } = await store.cursor('walks');
        let isWhole = true;
        for (let read = READ, done = 0; read === READ;) {
          signal.throwIfAborted();
          const subjects = await catalog.changedSince(change, READ);
          read = subjects.length;
          for (const { id, files, change: own } of subjects) {
            for (const file of files.filter(({ info, available }) => available && WALKED.has(info?.container ?? ''))) {
              if (!(await hasRoom())) return progress(1, { reason: 'no-room-for-recordings', values: {} });
              isWhole =
                (await walkOne(
                  id,
                  file,
                  (part) => progress(part, { reason: 'recording', values: { number: done + 1 } }),
                  signal,
                )) && isWhole;
              done += 1;
            }
            change = own;
          }
          if (isWhole && subjects.length > 0) await store.follow('walks', { change, gone: 0 }, []);
        }
      },
    }),
  };
}
