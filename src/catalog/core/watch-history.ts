/** Entries of the watch history: their ids, removing one, and bringing it back within a day. */
import { createHash } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';
import type { WatchHistoryTable } from '../store/tables.ts';
import type { WatchingStore } from '../store/watching.ts';

/** Maximum number of removed entries that a Profile can bring back, and how long they are kept. */
const MAX_REMOVED = 100;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Returns the id of an entry: item and session name it within the history of a Profile. */
export const historyId = ({ item, session }: Pick<WatchHistoryTable, 'item' | 'session'>): string =>
  createHash('sha256').update(`${item} ${session}`).digest('hex').slice(0, 16);

export interface HistoryEntries {
  /** Removes an entry of a Profile. Throws `Failure('missing')` if there is none of this id that it may see. */
  remove(profile: string, id: string, isVisible: (item: string) => boolean): Promise<void>;
  /** Brings back an entry that was removed. Throws `Failure('missing')` if it is not kept any more. */
  restore(profile: string, id: string, isVisible: (item: string) => boolean): Promise<void>;
  /** Removes every entry of an item. Throws `Failure('missing')` if there is none. */
  removeItem(profile: string, item: string): Promise<void>;
  /** Brings back the entries of an item that were removed together last. */
  restoreItem(profile: string, item: string): Promise<void>;
  /** Deletes removed entries that cannot be brought back any more. */
  purge(): Promise<void>;
}

/** `changed` is called after a change was written. */
export function createHistoryEntries({
  store,
  stamp,
  changed,
}: {
  store: WatchingStore;
  /** Returns a time that is later than every report before it. */
  stamp(): number;
  changed(profile: string): void;
}): HistoryEntries {
  const missing = () => new Failure('missing', 'no such history entry', { reason: 'no-such-history-entry' });
  return {
    remove: async (profile, id, isVisible) => {
      const row = (await store.history(profile)).find((one) => historyId(one) === id && isVisible(one.item));
      if (!row || !(await store.removeHistory(profile, row, { at: stamp(), most: MAX_REMOVED }))) throw missing();
      changed(profile);
    },
    restore: async (profile, id, isVisible) => {
      const removed = await store.removedHistory(profile, stamp() - KEPT_MS);
      const row = removed.find((one) => historyId(one) === id && isVisible(one.item));
      if (!row) throw missing();
      await store.restoreHistory(profile, row);
      changed(profile);
    },
    removeItem: async (profile, item) => {
      if (!(await store.removeHistory(profile, { item }, { at: stamp(), most: MAX_REMOVED }))) throw missing();
      changed(profile);
    },
    restoreItem: async (profile, item) => {
      const own = (await store.removedHistory(profile, stamp() - KEPT_MS)).filter((one) => one.item === item);
      const last = Math.max(...own.map(({ removed }) => removed ?? 0));
      const rows = own.filter(({ removed }) => removed === last);
      if (rows.length === 0) throw missing();
      for (const row of rows) await store.restoreHistory(profile, row);
      changed(profile);
    },
    purge: async () => void (await store.forgetRemoved(stamp() - KEPT_MS)),
  };
}
