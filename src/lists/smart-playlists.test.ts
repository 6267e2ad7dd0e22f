/** Smart playlists: evaluated as the Profile that reads, private, and paged without gaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { grow, makeNfo } from '../catalog/testing/world.ts';
import { ADA, KIM, openListHousehold, reasonOf } from './testing/household.ts';

const ALL = { limit: 100 };
const everything = { match: 'all' as const, rules: [] };

test('rules find what the Profile may see and has not watched, and follow what it does', async (t) => {
  const { w, lists, id } = await openListHousehold(t);
  const { smartPlaylists: smart } = lists;
  const rules = { match: 'all' as const, rules: [{ field: 'watched' as const, is: 'is' as const, value: false }] };
  const question = { rules, sort: [{ by: 'title' as const, order: 'ascending' as const }] };
  const titles = async (by: typeof ADA | typeof KIM) =>
    (await smart.preview(by, question)).items.map(({ title }) => title);
  assert.deepEqual(await titles(KIM), ['Episode 1', 'Kind', 'Quiet']);
  assert.equal((await titles(ADA)).length, 5);
  await w.catalog.watching.progress('ada', await id('Kind'), { position: 0, watched: true }, 2);
  assert.ok(!(await titles(ADA)).includes('Kind'));
  assert.ok((await titles(KIM)).includes('Kind'));
});

test('a smart playlist is kept, changed, paged and removed by its Profile only', async (t) => {
  const { lists } = await openListHousehold(t);
  const { smartPlaylists: smart } = lists;
  const made = await smart.create(ADA, { name: ' All ', rules: everything, limit: 4 });
  assert.deepEqual([made.name, made.items, made.covers.length, made.sort], ['All', 4, 4, []]);
  const { rules: _, ...listed } = made;
  assert.deepEqual(await smart.list(ADA, ALL), { items: [listed], total: 1 });
  const first = await smart.page(ADA, made.id, { limit: 3 });
  const second = await smart.page(ADA, made.id, { limit: 3, cursor: first.nextCursor ?? '' });
  assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [3, 1, undefined]);
  const order = [...first.items, ...second.items].map(({ entry }) => entry);
  const queue = await smart.queue(ADA, made.id, order[2]);
  assert.deepEqual([queue.items.map(({ item }) => item), queue.total], [order.slice(2), 2]);
  assert.equal((await smart.update(ADA, made.id, { limit: null })).items, 5);
  assert.equal((await smart.update(ADA, made.id, { name: 'Every' })).limit, undefined);
  assert.equal(await reasonOf(smart.page(ADA, made.id, { limit: 3, cursor: first.nextCursor ?? '' })), 'cursor');
  for (const refused of [
    () => smart.read(KIM, made.id),
    () => smart.update(KIM, made.id, { name: 'x' }),
    () => smart.remove(KIM, made.id),
    () => smart.restore(KIM, made.id),
    () => smart.page(KIM, made.id, { limit: 1 }),
  ])
    assert.equal(await reasonOf(refused()), 'no-such-playlist');
  assert.equal((await smart.list(KIM, ALL)).total, 0);
  const last = await smart.read(ADA, made.id);
  await smart.remove(ADA, made.id);
  assert.equal((await smart.list(ADA, ALL)).total, 0);
  assert.equal(await reasonOf(smart.update(ADA, made.id, { name: 'x' })), 'no-such-playlist');
  assert.deepEqual([await smart.deleted(ADA), await smart.deleted(KIM)], [[{ id: made.id, name: 'Every' }], []]);
  assert.deepEqual(await smart.restore(ADA, made.id), last);
});

test('people and playlists are conditions; a playlist that the Profile may not see is empty', async (t) => {
  const { lists, id } = await openListHousehold(t);
  const { smartPlaylists: smart, playlists } = lists;
  const list = await playlists.create(ADA, { name: 'x', ids: [await id('Zealous'), await id('Quiet')] });
  const found = async (by: typeof ADA | typeof KIM, field: 'playlist' | 'person', value: string) =>
    (await smart.preview(by, { rules: { match: 'all', rules: [{ field, is: 'is', value }] } })).items.map(
      ({ title }) => title,
    );
  assert.deepEqual(await found(ADA, 'playlist', list.id), ['Quiet', 'Zealous']);
  assert.deepEqual(await found(KIM, 'playlist', list.id), []);
  await playlists.update(ADA, list.id, { shared: true });
  assert.deepEqual(await found(KIM, 'playlist', list.id), ['Quiet']);
  const entry = (await playlists.entries.queue(ADA, list.id, undefined)).items[0]?.entry ?? '';
  await playlists.entries.remove(ADA, list.id, entry);
  await until('people to be indexed', async () => (await found(ADA, 'person', 'jo MARSH')).length > 0);
  assert.deepEqual(await found(ADA, 'person', 'Jo Marsh'), ['Kind']);
  assert.deepEqual(await found(ADA, 'person', 'Jo'), [], 'names are compared as a whole');
  assert.deepEqual(await found(ADA, 'playlist', list.id), ['Quiet'], 'a changed playlist counts at once');
});

test('studios and codecs are those of the files, follow a changed file, and show nothing that is hidden', async (t) => {
  const { w, lists } = await openListHousehold(t);
  const found = async (by: typeof ADA | typeof KIM, field: 'studio' | 'codec', is: 'is' | 'contains', value: string) =>
    (await lists.smartPlaylists.preview(by, { rules: { match: 'all', rules: [{ field, is, value }] } })).items.map(
      ({ title }) => title,
    );
  assert.deepEqual(await found(ADA, 'studio', 'contains', 'works'), ['Kind', 'Zealous']);
  assert.deepEqual(await found(KIM, 'studio', 'contains', 'works'), ['Kind']);
  assert.equal((await found(ADA, 'codec', 'is', 'h264')).length, 5);
  assert.equal((await found(KIM, 'codec', 'is', 'h264')).length, 3);
  assert.deepEqual(await found(ADA, 'codec', 'is', 'hevc'), []);
  const nfo = makeNfo('movie', { title: 'Quiet', mpaa: 'G', studio: 'Third Works' });
  grow(w.at('films'), { 'Quiet (2003)/movie.nfo': nfo });
  await w.scan();
  assert.deepEqual(await found(KIM, 'studio', 'is', 'third works'), ['Quiet']);
});

test('a hidden item changes no byte of what a child reads from rules', async (t) => {
  const { w, lists } = await openListHousehold(t);
  const { smartPlaylists: smart } = lists;
  const question = { rules: everything, sort: [{ by: 'added' as const, order: 'ascending' as const }] };
  const made = await smart.create(KIM, { name: 'All', ...question });
  const all = async () =>
    JSON.stringify([
      await smart.list(KIM, ALL),
      await smart.page(KIM, made.id, { limit: 2 }),
      await smart.queue(KIM, made.id, undefined),
      await smart.preview(KIM, question),
    ]);
  const before = await all();
  grow(w.at('films'), {
    'Another (2004)/Another (2004).mp4': true,
    'Another (2004)/movie.nfo': makeNfo('movie', { title: 'Another', mpaa: 'R' }),
  });
  await w.scan();
  assert.equal((await smart.preview(ADA, question)).total, 6);
  assert.equal(await all(), before);
});

test('a rule about subtitles finds what the Profile may see; those of hidden films change no byte', async (t) => {
  const { w, lists, id } = await openListHousehold(t);
  const ids = { hidden: await id('Zealous'), shown: await id('Kind') };
  let version = 0;
  const say = (...items: string[]) => {
    const set = new Set(items);
    version++;
    const facts = { version, all: set, byLanguage: new Map([['de', set]]) };
    w.catalog.useSidecarFacts({ unreadable: async () => [], subtitled: async () => facts });
  };
  const ask = (by: typeof ADA | typeof KIM, is: 'is' | 'missing', value: string | boolean) =>
    lists.smartPlaylists.preview(by, { rules: { match: 'all', rules: [{ field: 'subtitle', is, value }] } });
  const titles = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).items.map(({ title }) => title);
  const child = () => Promise.all([ask(KIM, 'is', 'de'), ask(KIM, 'missing', true), ask(KIM, 'missing', false)]);
  say(ids.shown);
  const before = JSON.stringify(await child());
  assert.deepEqual(await titles(ADA, 'is', 'de'), ['Kind']);
  say(ids.shown, ids.hidden);
  assert.deepEqual(await titles(ADA, 'is', 'de'), ['Kind', 'Zealous']);
  assert.deepEqual(await titles(KIM, 'is', 'de'), ['Kind']);
  assert.ok(!(await titles(ADA, 'missing', true)).includes('Zealous'));
  assert.equal(JSON.stringify(await child()), before);
});
