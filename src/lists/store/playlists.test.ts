/** Entries of playlists keep their order through moves, removals, restorals and crashes, on both engines. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from '../../../test/faults/run-program.ts';
import { openDatabase } from '../../lib/db/index.ts';
import { MAX_SHARED_PLAYLISTS } from '../../contract/lists/playlists.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { listMigrations, listStore, type ListStore } from './playlists.ts';

const MOST = 10_000;
const rows = (...ids: string[]) => ids.map((id) => ({ id, item: `item-${id}`, added: 1 }));
const order = async (store: ListStore) => (await store.entries('list')).map(({ id }) => id).join('');
const made = async (store: ListStore, ...ids: string[]) =>
  assert.ok(await store.create({ id: 'list', profile: 'ada', name: 'List', shared: 0 }, rows(...ids), 2));

eachEngine('entries are moved before another one, or to the end', listMigrations, async (_t, db) => {
  const store = listStore(db);
  await made(store, 'a', 'b', 'c', 'd');
  const move = async (entry: string, before: string | null) => {
    assert.ok(await store.move('list', { entry, before }));
    return order(store);
  };
  assert.equal(await move('d', 'a'), 'dabc');
  assert.equal(await move('a', 'c'), 'dbac');
  assert.equal(await move('d', null), 'bacd');
  assert.equal(await move('b', 'b'), 'bacd');
  assert.equal(await move('d', null), 'bacd');
  for (const wrong of [
    { entry: 'x', before: 'a' },
    { entry: 'a', before: 'x' },
  ])
    assert.equal(await store.move('list', wrong), false);
  assert.equal(await order(store), 'bacd');
});

eachEngine('an entry can be moved to the same place any number of times', listMigrations, async (_t, db) => {
  const store = listStore(db);
  await made(store, 'a', 'b', 'c');
  // There is room for about 20 halvings.
  for (let n = 0; n < 60; n++) {
    const expected = n % 2 === 0 ? 'abc' : 'acb';
    assert.equal(await order(store), expected, `move ${n}`);
    const [second = '', third = ''] = [expected[1], expected[2]];
    assert.ok(await store.move('list', { entry: third, before: second }));
  }
});

eachEngine('a removed entry comes back at its place, for as long as it is kept', listMigrations, async (_t, db) => {
  const store = listStore(db);
  await made(store, 'a', 'b', 'c', 'd');
  const remove = (entry: string, at: number) => store.remove('list', { entry, at, since: 100, most: 2 });
  assert.ok(await remove('b', 200));
  assert.equal(await remove('b', 201), false);
  assert.equal(await order(store), 'acd');
  // An entry moved next to a removed one does not take its place.
  assert.ok(await store.move('list', { entry: 'd', before: 'c' }));
  assert.equal(await store.restore('list', { entry: 'b', since: 100, most: 3 }), 'full');
  assert.equal(await store.restore('list', { entry: 'b', since: 100, most: MOST }), 'restored');
  assert.equal(await order(store), 'abdc');
  assert.equal(await store.restore('list', { entry: 'b', since: 100, most: MOST }), 'restored');
  assert.equal(await store.restore('list', { entry: 'x', since: 100, most: MOST }), 'missing');
  for (const [n, id] of ['a', 'b', 'c'].entries()) assert.ok(await remove(id, 300 + n));
  assert.equal(await store.restore('list', { entry: 'a', since: 100, most: MOST }), 'missing', 'two are kept');
  assert.equal(await store.restore('list', { entry: 'b', since: 301, most: MOST }), 'missing', 'too old');
  assert.equal(await store.restore('list', { entry: 'c', since: 301, most: MOST }), 'restored');
});

eachEngine('limits hold, and a Profile is forgotten with its entries', listMigrations, async (_t, db) => {
  const store = listStore(db);
  await made(store, 'a');
  const list = { id: 'list', profile: 'ada' };
  assert.equal(await store.add(list, rows('b', 'c'), 2), 'full');
  assert.equal(await order(store), 'a');
  const many = Array.from({ length: 1_201 }, (_, n) => ({ id: `n${n}`, item: 'same', added: 1 }));
  assert.equal(await store.create({ id: 'long', profile: 'ada', name: 'Long', shared: 1 }, many, 2), 'created');
  assert.deepEqual(
    (await store.entries('long')).map(({ id }) => id),
    many.map(({ id }) => id),
  );
  assert.equal(await store.create({ id: 'third', profile: 'ada', name: 'x', shared: 0 }, [], 2), 'too-many-playlists');
  assert.equal(await store.create({ id: 'bens', profile: 'ben', name: 'x', shared: 0 }, rows('z'), 2), 'created');
  assert.deepEqual((await store.playlists('ben')).map(({ id }) => id).sort(), ['bens', 'long']);
  let isCommitted = false;
  await store.forgetProfile('ada', async () => void (isCommitted = true));
  assert.ok(isCommitted);
  assert.deepEqual(await store.entries('long'), []);
  assert.deepEqual(
    (await store.playlists('ben')).map(({ id }) => id),
    ['bens'],
  );
  assert.equal((await store.entries('bens')).length, 1);
});

test('killed while a list is ordered, a playlist has the old order or the new one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-lists-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'lists.db');
  const withStore = async <R>(work: (store: ListStore) => Promise<R>): Promise<R> => {
    const db = await openDatabase({ file, migrations: listMigrations });
    try {
      return await work(listStore(db));
    } finally {
      await db.close();
    }
  };
  // After these moves there is no number left between the first two entries.
  await withStore(async (store) => {
    await made(store, 'a', 'b', 'c', 'd');
    for (let n = 0; n < 20; n++)
      await store.move('list', { entry: n % 2 === 0 ? 'c' : 'b', before: n % 2 === 0 ? 'b' : 'c' });
    assert.equal(await order(store), 'abcd');
  });
  const program = new URL('../testing/reorder.ts', import.meta.url);
  const run = (point = '', fault?: string) => runProgram(program, [file, 'd', 'b', point], fault);
  for (const point of ['lists.order.renumbering', 'lists.order.moved']) {
    assert.equal(run(point), 'SIGKILL', point);
    assert.equal(await withStore(order), 'abcd', point);
  }
  assert.equal(run(), 0);
  assert.equal(await withStore(order), 'adbc');
  // Moved in two transactions, the entry is found where it never was.
  assert.equal(run('lists.order.moved', 'reorder-in-parts'), 'SIGKILL');
  assert.equal(await withStore(order), 'dabc');
});

eachEngine('all entries of a Profile have a limit, for which deleted ones go first', listMigrations, async (_t, db) => {
  const store = listStore(db, 20);
  const many = (from: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `${from}${n}`, item: 'same', added: 1 }));
  const create = (id: string, count: number, shared = 0) =>
    store.create({ id, profile: 'ada', name: id, shared }, many(id, count), 500);
  const half = 10;
  assert.deepEqual([await create('a', half), await create('b', half)], ['created', 'created']);
  assert.equal(await create('c', 1), 'too-many-entries');
  assert.equal(await store.add({ id: 'a', profile: 'ada' }, rows('x'), half + 1), 'too-many-entries');
  assert.equal(await store.create({ id: 'bens', profile: 'ben', name: 'x', shared: 0 }, rows('y'), 1), 'created');
  assert.ok(await store.remove('a', { entry: 'a0', at: 2, since: 1, most: 9 }));
  assert.ok(await store.deletion.remove({ profile: 'ada', id: 'b', at: 2, since: 1, most: 9 }));
  assert.equal((await store.deletion.deleted('ada', 1)).length, 1, 'it can be brought back');
  assert.equal(await create('c', half + 1), 'created');
  assert.deepEqual(await store.deletion.deleted('ada', 1), []);
  assert.equal((await store.entries('a')).length, half - 1);
  assert.equal((await store.entries('b')).length, 0);
});

eachEngine('a Profile shares a limited number of playlists', listMigrations, async (_t, db) => {
  const store = listStore(db);
  const row = (id: string, shared = 1) => ({ id, profile: 'ada', name: id, shared });
  for (let n = 0; n < MAX_SHARED_PLAYLISTS; n++) await store.create(row(`s${n}`), [], 500);
  assert.equal(await store.create(row('one'), [], 500), 'too-many-shared');
  assert.equal(await store.create(row('one', 0), [], 500), 'created');
  assert.equal(await store.update(row('one', 0), { shared: 1, name: 'Renamed' }), false);
  assert.equal(await store.update(row('s0'), { shared: 1, name: 'Renamed' }), true, 'shared already');
  assert.equal((await store.playlist('one'))?.name, 'one', 'nothing is changed');
  assert.ok(await store.deletion.remove({ profile: 'ada', id: 's1', at: 2, since: 1, most: 9 }));
  assert.equal(await store.update(row('one', 0), { shared: 1 }), true);
  const restored = await store.deletion.restore({ profile: 'ada', id: 's1', since: 1, mostLists: 500 });
  assert.equal(restored, 'too-many-shared');
});
