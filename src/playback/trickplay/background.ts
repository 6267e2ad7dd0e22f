/**
 * Makes the preview pictures of new videos in the background: of the best version of each item that changed since the
 * last run, while the cache has room.
 */
import { setImmediate } from 'node:timers/promises';
import type { CatalogBackground } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import { task, type TaskDefinition } from '../../lib/tasks/index.ts';
import type { MarkerStore } from '../markers/store.ts';
import type { Trickplay } from './index.ts';

export interface BackgroundNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'subject'>;
  store: Pick<MarkerStore, 'cursor' | 'follow'>;
  trickplay: Pick<Trickplay, 'make' | 'hasRoom'>;
  log: Pick<Log, 'warn'>;
}

export const TRICKPLAY_TASK = 'preview-pictures';
const READ = 50;
/** Cursor and list of what is left are written after so many items. */
const SAVE_EVERY = 20;

export function createTrickplayBackground({ catalog, store, trickplay, log }: BackgroundNeeds): {
  task: TaskDefinition<Record<string, never>>;
  isDue(): Promise<boolean>;
} {
  /** Items that changed, the oldest change first. Only their ids are held. */
  const changed = async (since: number, signal: AbortSignal): Promise<{ id: string; change: number }[]> => {
    const all: { id: string; change: number }[] = [];
    for (let read = READ; read === READ;) {
      signal.throwIfAborted();
      await setImmediate();
      const subjects = await catalog.changedSince(all.at(-1)?.change ?? since, READ);
      read = subjects.length;
      all.push(...subjects.map(({ id, change }) => ({ id, change })));
    }
    return all;
  };
  /** Returns false where the library is away: the item is tried again. */
  const makeOne = async (id: string, progress: (part: number) => void, signal: AbortSignal): Promise<boolean> => {
    const subject = await catalog.subject(id);
    const [best] = subject?.files ?? [];
    const files = subject?.files.filter((file) => file.id === best?.id && file.available) ?? [];
    for (const [i, file] of files.entries()) {
      try {
        await trickplay.make(file, { progress: (part) => progress((i + part) / files.length) }, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Failure) || (error instanceof ProcessFailure && error.fault === 'missing')) throw error;
        log.warn('trickplay.not-made', { item: id, reason: error.message });
        if (error.kind === 'unavailable') return false;
      }
    }
    return true;
  };

  return {
    isDue: async () => (await catalog.changedSince((await store.cursor('trickplay')).change, 1)).length > 0,
    task: task<Record<string, never>>({
      name: TRICKPLAY_TASK,
      title: 'Make preview pictures',
      summary: 'Make the preview pictures of new videos',
      run: async ({ progress, signal }) => {
        const cursor = await store.cursor('trickplay');
        const all = await changed(cursor.change, signal);
        let isWhole = true;
        for (const [i, { id, change }] of all.entries()) {
          signal.throwIfAborted();
          const told = (part: number): void =>
            progress((i + part) / all.length, { reason: 'videos-of', values: { done: i, total: all.length } });
          if (!(await trickplay.hasRoom())) {
            progress(1, { reason: 'no-room-for-previews', values: {} });
            break;
          }
          isWhole = (await makeOne(id, told, signal)) && isWhole;
          if (isWhole && i % SAVE_EVERY === SAVE_EVERY - 1) await store.follow('trickplay', { change, gone: 0 }, []);
        }
        const last = all.at(-1);
        if (isWhole && last) await store.follow('trickplay', { change: last.change, gone: 0 }, []);
      },
    }),
  };
}
