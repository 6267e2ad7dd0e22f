/** Files that were read or not, on both engines: the mark, results of files that changed, and the migration. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { inventoryStore, type NewItem } from './inventory.ts';
import { subtitleMigrations } from './migrations.ts';
import { readabilityMigration, readabilityStore } from './readability.ts';
import type { InventoryTrack } from './rows.ts';
import type { SubtitleTx } from './tables.ts';
import { idOf, makeItem, makeSidecar, writeEarlierItem } from './testing.ts';

const sidecar = (more: Partial<InventoryTrack> = {}): InventoryTrack => makeSidecar('en', more);
const inside: InventoryTrack = { source: 'embedded', role: 'normal', format: 'subrip', stream: 2 };
const EN = [{ language: 'en', role: 'normal' as const }];
const item = (n: number, tracks: InventoryTrack[]): NewItem => makeItem(n, { tracks, held: EN });

eachEngine('items with files to read, and what was found', subtitleMigrations, async (_t, db) => {
  const inventory = inventoryStore(db);
  const store = readabilityStore(db);
  const done = sidecar({ checked: true });
  await inventory.follow(
    [
      item(1, [sidecar()]),
      item(2, [inside]),
      item(3, [done]),
      item(4, [sidecar({ hidden: true }), sidecar({ picture: true })]),
      item(5, [done, sidecar({ relative: 'Film.de.srt' })]),
    ],
    [],
    { change: 1, gone: 0 },
  );
  const unchecked = async (after = '') => (await store.unchecked(after, 10)).map(({ id }) => id);
  assert.deepEqual(await unchecked(), [idOf(1), idOf(5)]);
  assert.deepEqual(await unchecked(idOf(1)), [idOf(5)]);
  const [row] = await store.unchecked('', 1);
  assert.ok(row);
  const tracks = [sidecar({ checked: true, unreadable: 'empty' })];
  assert.equal(await store.checked(row, { tracks, held: [] }), true);
  assert.deepEqual(await unchecked(), [idOf(5)]);
  assert.deepEqual((await inventory.tracks([row.id])).get(row.id), tracks);
  const shapes = (await inventory.shapes()).map(({ held, items }) => [held.length, items]);
  assert.deepEqual(
    shapes.toSorted((a, b) => Number(a[0]) - Number(b[0])),
    [
      [0, 1],
      [1, 4],
    ],
    'the item is counted without the language',
  );
  assert.equal(await store.checked(row, { tracks, held: [] }), false, 'the tracks changed since they were read');
});

eachEngine(
  'after an update every file next to a video is read once',
  subtitleMigrations.filter(({ id }) => id !== readabilityMigration.id),
  async (_t, db) => {
    const rows = [item(1, [sidecar()]), item(2, [inside])];
    await db.write('safe', async (tx: SubtitleTx) => {
      for (const row of rows) await writeEarlierItem(tx, row);
    });
    await db.write('safe', (tx) => readabilityMigration.up(tx as never, db.engine));
    assert.deepEqual(
      (await readabilityStore(db).unchecked('', 10)).map(({ id }) => id),
      [idOf(1)],
    );
  },
);
