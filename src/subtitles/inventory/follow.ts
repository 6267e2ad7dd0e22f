/**
 * Updates the inventory from the catalogue: reads the changes since its cursor, and writes rows and cursor together. A
 * crash repeats a batch and never loses one. A call during a run causes one more run.
 */
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type { CatalogBackground } from '../../catalog/index.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { textsIn } from './coverage.ts';
import { inventoryRowsOf, withChecks } from './item.ts';
import type { InventoryStore, NewItem } from '../store/inventory.ts';

/** Number of rows written at once. Writing 60 blocked the main thread for 4 ms, which delayed every tenth request. */
const ROWS_PER_BATCH = 20;
/** Number of subjects read at once. A subject is a hundred times as large as its row, so few are held in memory. */
const SUBJECTS_PER_READ = 10;
/**
 * Pause after each batch, as a multiple of the batch's duration, so that other work gets a turn. Without it, reading an
 * item took twice as long while a new library of 100,000 items was added.
 */
const PAUSE_FACTOR = 1;
const MAX_PAUSE_MS = 100;

export interface FollowNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'goneSince'>;
  store: Pick<InventoryStore, 'cursor' | 'follow' | 'tracks'>;
  /** Called after each batch. */
  changed(): void;
  signal: AbortSignal;
}

/**
 * Returns a function that resolves when the inventory contains everything that the catalogue had at the time of the
 * call.
 */
export function createFollower({ catalog, store, changed, signal }: FollowNeeds): () => Promise<void> {
  return coalesce(async () => {
    let cursor = await store.cursor();
    while (!signal.aborted) {
      const startedAt = performance.now();
      const { rows, withoutRow, change } = await rowsSince(catalog, cursor.change);
      const removed = await catalog.goneSince(cursor.gone, ROWS_PER_BATCH);
      const gone = removed.map(({ id }) => id);
      if (rows.length === 0 && gone.length === 0 && withoutRow.length === 0) return;
      cursor = { change, gone: removed.at(-1)?.change ?? cursor.gone };
      if (signal.aborted) return;
      const known = await store.tracks(rows.map(({ id }) => id));
      const checked = rows.map((row): NewItem => {
        const tracks = withChecks(row.tracks, known.get(row.id));
        return { ...row, tracks, held: textsIn(tracks) };
      });
      await store.follow(checked, gone, cursor, withoutRow);
      changed();
      await pause(Math.min(MAX_PAUSE_MS, (performance.now() - startedAt) * PAUSE_FACTOR));
    }
  });
}

/** Returns the rows of the next batch, the ids without a row, and the change number that they reach. */
async function rowsSince(
  catalog: FollowNeeds['catalog'],
  startedAt: number,
): Promise<{ rows: NewItem[]; withoutRow: string[]; change: number }> {
  const rows: NewItem[] = [];
  const withoutRow: string[] = [];
  let change = startedAt;
  for (let read = 0; read < ROWS_PER_BATCH; read += SUBJECTS_PER_READ) {
    // SQLite calls block the thread, so waiting requests go first.
    await setImmediate();
    const subjects = await catalog.changedSince(change, SUBJECTS_PER_READ);
    for (const subject of subjects) {
      const own = inventoryRowsOf(subject);
      rows.push(...own);
      if (own.length === 0) withoutRow.push(subject.id);
    }
    change = subjects.at(-1)?.change ?? change;
    if (subjects.length < SUBJECTS_PER_READ) break;
  }
  return { rows, withoutRow, change };
}
