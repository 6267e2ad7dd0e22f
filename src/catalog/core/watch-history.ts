/** Entries of the watch history: their ids, removing one, and bringing it back within some minutes. */
import { createHash } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';
import type { WatchHistoryTable } from '../store/tables.ts';
import type { WatchingStore } from '../store/watching.ts';

type HistoryRow = Omit<WatchHistoryTable, 'profile'>;

/** Maximum number of removed entries that a Profile can bring back, and of Profiles for which they are kept. */
const MAX_REMOVED = 100;
const MAX_PROFILES = 100;

/** Returns the id of an entry: item and session name it within the history of a Profile. */
export const historyId = ({ item, session }: Pick<HistoryRow, 'item' | 'session'>): string =>
  createHash('sha256').update(`${item} ${session}`).digest('hex').slice(0, 16);

export interface HistoryEntries {
  /** Removes an entry of a Profile. Throws `Failure('missing')` if there is none of this id that it may see. */
  remove(profile: string, id: string, isVisible: (item: string) => boolean): Promise<void>;
  /** Brings back an entry that was removed. Throws `Failure('missing')` if it is not kept any more. */
  restore(profile: string, id: string, isVisible: (item: string) => boolean): Promise<void>;
  forget(profile: string): void;
}

/** `changed` is called after a change was written. */
export function createHistoryEntries({
  store,
  changed,
}: {
  store: WatchingStore;
  changed(profile: string): void;
}): HistoryEntries {
  /** By Profile and id, the oldest first. */
  const removed = new Map<string, Map<string, HistoryRow>>();
  const missing = () => new Failure('missing', 'no such history entry', { reason: 'no-such-history-entry' });
  const keep = (profile: string, id: string, row: HistoryRow): void => {
    const own = removed.get(profile) ?? new Map<string, HistoryRow>();
    removed.delete(profile);
    removed.set(profile, own.set(id, row));
    dropOldest(own, MAX_REMOVED);
    dropOldest(removed, MAX_PROFILES);
  };
  return {
    remove: async (profile, id, isVisible) => {
      const row = (await store.history(profile)).find((one) => historyId(one) === id && isVisible(one.item));
      // The row as it is when it goes: a player may have moved it in the meantime.
      const gone = row && (await store.removeHistory(profile, row));
      if (!gone) throw missing();
      keep(profile, id, gone);
      changed(profile);
    },
    restore: async (profile, id, isVisible) => {
      const row = removed.get(profile)?.get(id);
      if (!row || !isVisible(row.item)) throw missing();
      await store.restoreHistory(profile, row);
      removed.get(profile)?.delete(id);
      changed(profile);
    },
    forget: (profile) => void removed.delete(profile),
  };
}

function dropOldest(entries: Map<string, unknown>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
