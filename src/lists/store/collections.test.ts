/** Items of collections keep their order and state through changes and crashes, on both engines. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from '../../../test/faults/run-program.ts';
import { openDatabase } from '../../lib/db/index.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { type CollectionRow, type CollectionStore, collectionStore } from './collections.ts';
import { listMigrations } from './playlists.ts';

const ROW: CollectionRow = {
  id: 'c',
  name: null,
  description: null,
  by_hand: 0,
  order_by: 'released',
  cover: null,
  picture: null,
  keys: ['name:lakes'],
  made: 1,
  deleted: null,
};
const order = async (store: CollectionStore) =>
  (await store.entries())
    .filter(({ state }) => state !== 'removed')
    .sort((a, b) => (a.place ?? 99) - (b.place ?? 99))
    .map(({ item }) => item)
    .join('');

eachEngine(
  'a derived collection is stored with its first change, and keeps its sets',
  listMigrations,
  async (_t, db) => {
    const store = collectionStore(db);
    await store.move(ROW, ['a', 'b', 'c'], { item: 'c', before: 'a' });
    assert.equal(await order(store), 'cab');
    const [moved] = await store.all();
    assert.deepEqual(moved, { ...ROW, order_by: 'given' });
    await store.change({ ...ROW, keys: ['tmdb:9'] }, { name: 'Seen', cover: 'a' });
    assert.deepEqual(await store.all(), [
      { ...ROW, order_by: 'given', name: 'Seen', cover: 'a', keys: ['name:lakes', 'tmdb:9'] },
    ]);
    await store.remove(ROW, 'a');
    assert.equal(await order(store), 'cb');
    await store.add(ROW, ['d'], new Set());
    await store.move(ROW, ['c', 'b', 'd'], { item: 'd', before: 'b' });
    await store.add(ROW, ['a'], new Set(['a']));
    assert.equal(await order(store), 'cadb', 'it is where it was');
    assert.deepEqual(
      new Map((await store.entries()).map(({ item, state }) => [item, state])),
      new Map([
        ['a', 'member'],
        ['b', 'member'],
        ['c', 'member'],
        ['d', 'added'],
      ]),
    );
  },
);

test('killed while it is ordered, a collection has the old order or the new one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-collections-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'lists.db');
  const withStore = async <R>(work: (store: CollectionStore) => Promise<R>): Promise<R> => {
    const db = await openDatabase({ file, migrations: listMigrations });
    try {
      return await work(collectionStore(db));
    } finally {
      await db.close();
    }
  };
  await withStore((store) => store.move(ROW, ['a', 'b', 'c', 'd'], { item: 'd', before: null }));
  const program = new URL('../testing/recollect.ts', import.meta.url);
  const run = (point = '', fault?: string) => runProgram(program, [file, 'd', 'b', point], fault);
  for (const point of ['lists.collection.ordering', 'lists.collection.ordered']) {
    assert.equal(run(point), 'SIGKILL', point);
    assert.equal(await withStore(order), 'abcd', point);
  }
  assert.equal(run(), 0);
  assert.equal(await withStore(order), 'adbc');
  // Moved in two transactions, the entry is found where it never was.
  assert.equal(run('lists.collection.ordered', 'reorder-in-parts'), 'SIGKILL');
  assert.equal(await withStore(order), 'dabc');
});
