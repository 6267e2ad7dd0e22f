/**
 * Keeps the inventory abreast of the catalogue: reads what changed since its cursor, and writes rows and cursor
 * together. A crash repeats a batch and never loses one. Asked while it runs, it runs once more.
 */
import type { Catalog } from '../catalog/index.ts';
import { again } from '../lib/again.ts';
import { inventoryItem } from './inventory-item.ts';
import type { InventoryStore, NewItem } from './store/inventory.ts';

const BATCH = 200;

export interface FollowNeeds {
  catalog: Pick<Catalog, 'changedSince' | 'goneSince'>;
  store: Pick<InventoryStore, 'cursor' | 'follow'>;
  /** Told after each batch. */
  changed(): void;
  signal: AbortSignal;
}

/** Resolves once everything that the catalogue had written when it was called is in the inventory. */
export function createFollower({ catalog, store, changed, signal }: FollowNeeds): () => Promise<void> {
  return again(async () => {
    let cursor = await store.cursor();
    while (!signal.aborted) {
      const subjects = await catalog.changedSince(cursor.change, BATCH);
      const removed = await catalog.goneSince(cursor.gone, BATCH);
      if (subjects.length === 0 && removed.length === 0) return;
      const rows: NewItem[] = [];
      const gone = removed.map(({ id }) => id);
      for (const subject of subjects) {
        const row = inventoryItem(subject);
        if (row) rows.push(row);
        else gone.push(subject.id);
      }
      cursor = { change: subjects.at(-1)?.change ?? cursor.change, gone: removed.at(-1)?.change ?? cursor.gone };
      if (signal.aborted) return;
      await store.follow(rows, gone, cursor);
      changed();
    }
  });
}

/**
 * Calls `work` once it has been quiet for a second, and after ten at the latest: a scan announces many times, and
 * reading what it writes while it writes would slow it down.
 */
export function calmly(work: () => void, { quietMs = 1_000, mostMs = 10_000 } = {}): { ask(): void; stop(): void } {
  let quiet: NodeJS.Timeout | undefined;
  let most: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(quiet);
    clearTimeout(most);
    quiet = most = undefined;
  };
  const go = (): void => {
    stop();
    work();
  };
  return {
    ask: () => {
      clearTimeout(quiet);
      quiet = setTimeout(go, quietMs).unref();
      most ??= setTimeout(go, mostMs).unref();
    },
    stop,
  };
}
