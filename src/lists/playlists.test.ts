/** Playlists of a household: who sees and changes which, and that a hidden item changes nothing for others. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { ListDoor } from './index.ts';
import { ADA, KIM, openListHousehold, reasonOf } from './testing/household.ts';

const titles = async ({ playlists }: ListDoor, by: typeof ADA | typeof KIM, id: string) =>
  (await playlists.entries.page(by, id, { limit: 100 })).items.map(({ item }) => item.title);
/** Everything that a Profile can read of its lists. */
const allOf = async ({ playlists }: ListDoor, by: typeof ADA | typeof KIM, id: string) =>
  JSON.stringify([
    await playlists.list(by, { limit: 100 }),
    await playlists.read(by, id),
    await playlists.entries.page(by, id, { limit: 1 }),
    await playlists.entries.page(by, id, { limit: 100 }),
    await playlists.entries.queue(by, id, undefined),
  ]);

test('a playlist holds items twice, shows as their episodes, and pages through a removal', async (t) => {
  const { lists, id } = await openListHousehold(t);
  const { playlists } = lists;
  const kind = await id('Kind');
  const list = await playlists.create(ADA, { name: '  Sunday ', ids: [kind, await id('Open'), kind] });
  assert.deepEqual([list.name, list.items, list.own, list.shared, list.covers.length], ['Sunday', 4, true, false, 3]);
  assert.ok(list.duration > 7 && list.duration < 10, String(list.duration));
  const first = await playlists.entries.page(ADA, list.id, { limit: 2 });
  assert.deepEqual([first.items.map(({ item }) => item.title).length, first.total], [2, 4]);
  const last = first.items[1]?.entry ?? '';
  await playlists.entries.remove(ADA, list.id, last);
  const rest = await playlists.entries.page(ADA, list.id, { limit: 2, cursor: first.nextCursor ?? '' });
  assert.deepEqual(
    rest.items.map(({ item }) => item.title),
    ['Two', 'Kind'],
    'the page after a removal neither repeats nor leaves out',
  );
  await playlists.entries.restore(ADA, list.id, last);
  assert.equal((await playlists.entries.page(ADA, list.id, { limit: 9 })).items[1]?.entry, last);
  const queue = await playlists.entries.queue(ADA, list.id, last);
  assert.deepEqual([queue.items[0]?.entry, queue.total], [last, 3]);
  assert.equal(await reasonOf(playlists.create(ADA, { name: 'x', ids: ['0123456789abcdef'] })), 'no-such-item');
  assert.deepEqual((await playlists.list(ADA, { limit: 9 })).total, 1, 'nothing is left of a refused one');
});

test('another Profile reads a shared playlist, and changes none', async (t) => {
  const { lists, id } = await openListHousehold(t);
  const { playlists } = lists;
  const list = await playlists.create(ADA, { name: 'Family', ids: [await id('Kind'), await id('Quiet')] });
  assert.equal(await reasonOf(playlists.read(KIM, list.id)), 'no-such-playlist');
  assert.deepEqual(await playlists.list(KIM, { limit: 9 }), { items: [], total: 0 });
  await playlists.update(ADA, list.id, { shared: true });
  const { own, owner, items } = await playlists.read(KIM, list.id);
  assert.deepEqual([own, owner, items], [false, 'Ada', 2]);
  const entry = (await playlists.entries.queue(KIM, list.id, undefined)).items[0]?.entry ?? '';
  for (const change of [
    () => playlists.update(KIM, list.id, { name: 'Mine' }),
    () => playlists.remove(KIM, list.id),
    async () => playlists.entries.add(KIM, list.id, [await id('Kind')]),
    () => playlists.entries.remove(KIM, list.id, entry),
    () => playlists.entries.restore(KIM, list.id, entry),
    () => playlists.entries.move(KIM, list.id, { entry, before: null }),
  ])
    assert.equal(await reasonOf(change()), 'playlist-read-only');
  assert.equal((await playlists.read(ADA, list.id)).name, 'Family');
});

test('what a Profile may not see changes no byte of what it reads of a shared playlist', async (t) => {
  const { lists, id } = await openListHousehold(t);
  const { playlists } = lists;
  const list = await playlists.create(ADA, {
    name: 'Family',
    shared: true,
    ids: [await id('Kind'), await id('Quiet')],
  });
  const before = await allOf(lists, KIM, list.id);
  const version = lists.versionOf('kim');
  await playlists.entries.add(ADA, list.id, [await id('Zealous'), await id('Open/1x2')]);
  const all = (await playlists.entries.queue(ADA, list.id, undefined)).items;
  const hidden = all[2]?.entry ?? '';
  await playlists.entries.move(ADA, list.id, { entry: hidden, before: all[0]?.entry ?? '' });
  assert.deepEqual((await titles(lists, ADA, list.id))[0], 'Zealous');
  assert.equal(await allOf(lists, KIM, list.id), before);
  assert.equal(lists.versionOf('kim'), version, 'no event either');
  assert.equal(await reasonOf(playlists.entries.queue(KIM, list.id, hidden)), 'no-such-entry');
  // A playlist of hidden items only is as absent as an empty one.
  const adult = await playlists.create(ADA, { name: 'Adult', shared: true, ids: [await id('Zealous')] });
  const empty = await playlists.create(ADA, { name: 'Empty', shared: true });
  for (const absent of [adult, empty]) assert.equal(await reasonOf(playlists.read(KIM, absent.id)), 'no-such-playlist');
  assert.equal(await allOf(lists, KIM, list.id), before);
});

test('a deleted playlist is gone for everyone, and comes back as it was', async (t) => {
  const { w, lists, id } = await openListHousehold(t);
  const { playlists } = lists;
  const list = await playlists.create(ADA, {
    name: 'Family',
    shared: true,
    ids: [await id('Quiet'), await id('Kind'), await id('Quiet')],
  });
  const before = [await allOf(lists, ADA, list.id), await allOf(lists, KIM, list.id)];
  await playlists.remove(ADA, list.id);
  for (const by of [ADA, KIM]) {
    assert.deepEqual(await playlists.list(by, { limit: 9 }), { items: [], total: 0 });
    assert.equal(await reasonOf(playlists.read(by, list.id)), 'no-such-playlist');
    assert.deepEqual([...(await playlists.entries.items(by, list.id))], []);
  }
  assert.equal(await reasonOf(playlists.entries.add(ADA, list.id, [await id('Kind')])), 'no-such-playlist');
  assert.deepEqual(await playlists.deleted(ADA), [{ id: list.id, name: 'Family' }]);
  assert.deepEqual(await playlists.deleted(KIM), []);
  assert.equal(await reasonOf(playlists.restore(KIM, list.id)), 'no-such-playlist');
  assert.deepEqual((await playlists.restore(ADA, list.id)).id, list.id);
  assert.deepEqual([await allOf(lists, ADA, list.id), await allOf(lists, KIM, list.id)], before);
  await playlists.remove(ADA, list.id);
  w.clock.ahead += 31 * 24 * 60 * 60 * 1000;
  assert.deepEqual(await playlists.deleted(ADA), []);
  assert.equal(await reasonOf(playlists.restore(ADA, list.id)), 'no-such-playlist');
});

test('an entry stays in its place when its file is moved', async (t) => {
  const { w, lists, id } = await openListHousehold(t);
  const list = await lists.playlists.create(ADA, { name: 'x', ids: [await id('Zealous'), await id('Kind')] });
  const [from, to] = [w.at('films', 'Zealous (1999)'), w.at('films', 'Elsewhere', 'Zealous (1999)')];
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
  await w.scan();
  assert.deepEqual(await titles(lists, ADA, list.id), ['Zealous', 'Kind']);
  assert.equal((await w.files()).find(({ name }) => name.startsWith('Zealous'))?.folder, 'Elsewhere/Zealous (1999)');
});
