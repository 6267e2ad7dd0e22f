/**
 * Makes the preview pictures of new videos in the background: of the best version of each item that changed since the
 * last run, while the cache has room.
 */
import {
  type CatalogBackground,
  changesSince,
  type FollowedItem,
  type FollowedPosition,
  hasChanges,
  withPutOff,
} from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import { task, type TaskDefinition, waitsWhile } from '../../lib/tasks/index.ts';
import type { MarkerStore } from '../markers/store.ts';
import type { Trickplay } from './index.ts';

export interface BackgroundNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'isOnline' | 'subject'>;
  store: Pick<MarkerStore, 'cursor' | 'follow'>;
  trickplay: Pick<Trickplay, 'make' | 'hasRoom'>;
  /** Whether video is being converted in software: nothing is made in the meantime. */
  isConverting(): boolean;
  log: Pick<Log, 'warn'>;
}

export const TRICKPLAY_TASK = 'preview-pictures';

type ChangedItem = Pick<FollowedItem, 'id' | 'library' | 'change'>;
interface ChangedBatch {
  items: ChangedItem[];
  position: FollowedPosition;
}

export function createTrickplayBackground({ catalog, store, trickplay, isConverting, log }: BackgroundNeeds): {
  task: TaskDefinition<Record<string, never>>;
  isDue(): Promise<boolean>;
} {
  /** Items that changed, in batches with the position after each. Only ids are held: there may be very many. */
  const changed = async (signal: AbortSignal): Promise<ChangedBatch[]> => {
    const all: ChangedBatch[] = [];
    for await (const { items, position } of changesSince(catalog, await store.cursor('trickplay'), signal))
      all.push({ items: items.map(({ id, library, change }) => ({ id, library, change })), position });
    return all;
  };
  /** Returns false where the library is away: the item is tried again. */
  const makeOne = async (id: string, progress: (part: number) => void, signal: AbortSignal): Promise<boolean> => {
    const subject = await catalog.subject(id);
    if (subject && !subject.gone && !subject.available) return false;
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
    isDue: async () => (await hasChanges(catalog, await store.cursor('trickplay'))) && trickplay.hasRoom(),
    task: task<Record<string, never>>({
      name: TRICKPLAY_TASK,
      title: 'Make preview pictures',
      summary: 'Make the preview pictures of new videos',
      heavy: { waitsFor: waitsWhile(isConverting, 'waiting-for-conversion') },
      run: async ({ progress, signal, piece }) => {
        const isFull = async (): Promise<boolean> => {
          if (await trickplay.hasRoom()) return false;
          progress(1, { reason: 'no-room-for-previews', values: {} });
          return true;
        };
        // Before the changes are read, which takes long in a large library.
        if (await isFull()) return;
        const all = await changed(signal);
        const total = all.reduce((sum, { items }) => sum + items.length, 0);
        const away: ChangedItem[] = [];
        let done = 0;
        for (const { items, position } of all) {
          for (const item of items) {
            signal.throwIfAborted();
            const told = (part: number): void =>
              progress((done + part) / total, { reason: 'videos-of', values: { done, total } });
            if (await isFull()) return;
            if (!(await piece((until) => makeOne(item.id, told, until)))) away.push(item);
            done += 1;
          }
          await store.follow('trickplay', withPutOff(position, away));
        }
      },
    }),
  };
}
