/**
 * Keeps the inventory abreast of the catalogue: reads what changed since its cursor, and writes rows and cursor
 * together. A crash repeats a batch and never loses one. Asked while it runs, it runs once more.
 */
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type { CatalogBackground } from '../../catalog/index.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { inventoryItem } from './item.ts';
import type { InventoryStore, NewItem } from '../store/inventory.ts';

/** Rows that are written at once. Writing 60 held the main thread for 4 ms, and every tenth request waited for that. */
const BATCH = 20;
/** Subjects that are read at once: one is a hundred times its row, so few are held and they are let go at once. */
const READ = 10;
/**
 * After each batch others have their turn: this many times as long as it took, up to a bound. Without the pause an item
 * took twice as long while a new library of 100,000 items was taken in.
 */
const PAUSE_FACTOR = 1;
const MAX_PAUSE_MS = 100;

export interface FollowNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'goneSince'>;
  store: Pick<InventoryStore, 'cursor' | 'follow'>;
  /** Told after each batch. */
  changed(): void;
  signal: AbortSignal;
}

/** Resolves once everything that the catalogue had written when it was called is in the inventory. */
export function createFollower({ catalog, store, changed, signal }: FollowNeeds): () => Promise<void> {
  return coalesce(async () => {
    let cursor = await store.cursor();
    while (!signal.aborted) {
      const since = performance.now();
      const { rows, unkept, change } = await rowsSince(catalog, cursor.change);
      const removed = await catalog.goneSince(cursor.gone, BATCH);
      const gone = removed.map(({ id }) => id);
      if (rows.length === 0 && gone.length === 0 && unkept.length === 0) return;
      cursor = { change, gone: removed.at(-1)?.change ?? cursor.gone };
      if (signal.aborted) return;
      await store.follow(rows, gone, cursor, unkept);
      changed();
      await pause(Math.min(MAX_PAUSE_MS, (performance.now() - since) * PAUSE_FACTOR));
    }
  });
}

/** The rows of the next batch, the ids that have none, and the change up to which they go. */
async function rowsSince(
  catalog: FollowNeeds['catalog'],
  since: number,
): Promise<{ rows: NewItem[]; unkept: string[]; change: number }> {
  const rows: NewItem[] = [];
  const unkept: string[] = [];
  let change = since;
  for (let read = 0; read < BATCH; read += READ) {
    // The database answers without leaving the turn; whoever waits for a page goes first.
    await setImmediate();
    const subjects = await catalog.changedSince(change, READ);
    for (const subject of subjects) {
      const row = inventoryItem(subject);
      if (row) rows.push(row);
      else unkept.push(subject.id);
    }
    change = subjects.at(-1)?.change ?? change;
    if (subjects.length < READ) break;
  }
  return { rows, unkept, change };
}
