/** Deleted lists come back as they were, for as long as they are kept, on both engines. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { listMigrations, listStore } from './playlists.ts';
import { smartStore } from './smart.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id, item: `item-${id}`, added: 1 }));

eachEngine('a deleted playlist keeps its entries, and the oldest ones go', listMigrations, async (_t, db) => {
  const store = listStore(db);
  const make = (id: string, profile = 'ada') =>
    store.create({ id, profile, name: id.toUpperCase(), shared: 1 }, rows(`${id}1`, `${id}2`), 3);
  for (const id of ['a', 'b', 'c']) assert.ok(await make(id));
  assert.ok(await make('k', 'kim'));
  const remove = (id: string, at: number, profile = 'ada') =>
    store.deletion.remove({ profile, id, at, since: 100, most: 2 });
  const restore = (id: string, since = 100, profile = 'ada') =>
    store.deletion.restore({ profile, id, since, mostLists: 3 });
  const own = async () =>
    (await store.playlists('ada'))
      .map(({ id }) => id)
      .sort()
      .join('');
  const deleted = async (since = 100) => (await store.deletion.deleted('ada', since)).map(({ id }) => id).join('');
  const entries = async (id: string) => (await store.entries(id)).map((one) => one.id).join();

  assert.equal(await remove('k', 200), false, 'that of another Profile');
  assert.ok(await remove('a', 200));
  assert.equal(await remove('a', 201), false);
  assert.equal(await store.playlist('a'), undefined);
  assert.deepEqual([await own(), await deleted()], ['bck', 'a']);
  assert.equal(await restore('a', 100, 'kim'), 'missing');
  assert.ok(await make('d'), 'a deleted one does not count');
  assert.equal(await restore('a'), 'full');
  assert.ok(await remove('d', 210));
  assert.equal(await restore('a'), 'restored');
  assert.equal(await restore('a'), 'restored');
  assert.deepEqual([await own(), await deleted(), await entries('a')], ['abck', 'd', 'a1,a2']);
  assert.ok(await remove('b', 220));
  assert.equal(await deleted(), 'bd');
  assert.ok(await remove('c', 230));
  assert.equal(await deleted(), 'cb', 'two are kept');
  assert.deepEqual([await restore('d'), await entries('d')], ['missing', '']);
  assert.equal(await entries('k'), 'k1,k2', 'those of others stay');
  assert.equal(await restore('b', 225), 'missing', 'too old');
  assert.equal(await deleted(225), 'c');
});

eachEngine('a deleted smart playlist is changed by nothing, and comes back', listMigrations, async (_t, db) => {
  const store = smartStore(db, 100);
  const row = { id: 's', profile: 'ada', name: 'S', query: { rules: { match: 'all' as const, rules: [] } } };
  assert.equal(await store.create(row, 1), 'created');
  assert.ok(await store.deletion.remove({ profile: 'ada', id: 's', at: 200, since: 100, most: 2 }));
  assert.deepEqual([await store.one('ada', 's'), await store.names('ada')], [undefined, []]);
  assert.equal(await store.update('ada', 's', (now) => ({ ...now, name: 'Other' })), 'missing');
  assert.equal(await store.deletion.restore({ profile: 'ada', id: 's', since: 100, mostLists: 1 }), 'restored');
  assert.deepEqual(await store.one('ada', 's'), row);
});

eachEngine('rules that are too large together are not stored, and only get smaller', listMigrations, async (_t, db) => {
  const rowOf = (id: string, letters: number) => ({
    id,
    profile: 'ada',
    name: id,
    query: { rules: { match: 'all' as const, rules: [{ field: 'title', is: 'is', value: 'é'.repeat(letters) }] } },
  });
  const large = smartStore(db, 1_000_000);
  const row = rowOf('old', 500) as never;
  assert.equal(await large.create(row, 9), 'created', 'stored when there was no limit');
  const store = smartStore(db, 1_000);
  const change = (id: string, letters: number) =>
    store.update('ada', id, (now) => ({ ...now, query: rowOf(id, letters).query }) as never);
  assert.equal(await store.create(rowOf('new', 1) as never, 9), 'too-large');
  assert.deepEqual(await store.one('ada', 'old'), row, 'it is still there to be read');
  assert.equal(await store.update('ada', 'old', (now) => ({ ...now, name: 'Renamed' })), 'changed');
  assert.equal(await change('old', 501), 'too-large');
  assert.equal(await change('old', 480), 'changed');
  assert.equal(await change('old', 100), 'changed');
  assert.equal(await store.create(rowOf('new', 200) as never, 9), 'created');
  assert.equal(await store.create(rowOf('third', 200) as never, 9), 'too-large');
  assert.equal(await store.create({ ...(rowOf('bens', 200) as object), profile: 'ben' } as never, 9), 'created');
  assert.ok(await store.deletion.remove({ profile: 'ada', id: 'new', at: 200, since: 100, most: 2 }));
  assert.equal(await store.create(rowOf('third', 200) as never, 9), 'created');
  const restore = () => store.deletion.restore({ profile: 'ada', id: 'new', since: 100, mostLists: 9 });
  assert.equal(await restore(), 'too-many-rules');
  assert.equal(await change('third', 1), 'changed');
  assert.equal(await restore(), 'restored');
});
