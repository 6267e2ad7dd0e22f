/**
 * Makes the indexes of new recordings in the background, so that they need not be converted when they are first played:
 * of each item that changed since the last run, while the cache has room.
 */
import {
  type CatalogBackground,
  changesSince,
  hasChanges,
  type PlayableFile,
  type Subject,
  withPutOff,
} from '../../../catalog/index.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Log } from '../../../lib/log.ts';
import { task, type TaskDefinition } from '../../../lib/tasks/index.ts';
import type { MarkerStore } from '../../markers/store.ts';

export interface WalkBackgroundNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'isOnline'>;
  store: Pick<MarkerStore, 'cursor' | 'follow'>;
  log: Pick<Log, 'warn'>;
  walk(file: PlayableFile, options: { progress?(part: number): void }, signal: AbortSignal): Promise<void>;
  hasRoom(): Promise<boolean>;
}

export const WALK_TASK = 'recording-indexes';
/** Containers whose files never have an index. Others are detected when they are played. */
const WALKED: ReadonlySet<string> = new Set(['mpegts', 'asf', 'flv']);

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
    isDue: async () => hasChanges(catalog, await store.cursor('walks')),
    task: task<Record<string, never>>({
      name: WALK_TASK,
      title: 'Index recordings',
      summary: 'Look through new recordings, so that they play without being converted',
      heavy: {},
      run: async ({ progress, signal, turn }) => {
        const away: Subject[] = [];
        let done = 0;
        for await (const { items, position } of changesSince(catalog, await store.cursor('walks'), signal)) {
          for (const subject of items) {
            const files = subject.files.filter(({ info, available }) => available && WALKED.has(info?.container ?? ''));
            for (const file of files) {
              await turn();
              if (!(await hasRoom())) return progress(1, { reason: 'no-room-for-recordings', values: {} });
              const told = (part: number): void =>
                progress(part, { reason: 'recording', values: { number: done + 1 } });
              if (!(await walkOne(subject.id, file, told, signal))) away.push(subject);
              done += 1;
            }
          }
          await store.follow('walks', withPutOff(position, away));
        }
      },
    }),
  };
}
