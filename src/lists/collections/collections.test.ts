/** Collections: made by hand and from sets, kept against scans, and without a trace of hidden films. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { test, type TestContext } from 'node:test';
import { grow, makeNfo, makeTextFile } from '../../catalog/testing/world.ts';
import type { ListDoor } from '../index.ts';
import { ADA, KIM, openListHousehold, reasonOf } from '../testing/household.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
type Who = typeof ADA | typeof KIM;
const film = (title: string, year: number, more: Record<string, string> = {}) => ({
  [`${title} (${year})/${title} (${year}).mp4`]: true as const,
  [`${title} (${year})/movie.nfo`]: makeNfo('movie', { title, year, mpaa: 'G', ...more }),
});
const lakes = { set: 'The Lakes' };

/** Opens the household with a set of three films, one of them hidden from Kim, and others that TMDB may place. */
async function openSets(t: TestContext) {
  const house = await openListHousehold(t);
  grow(house.w.at('films'), {
    ...film('Third', 2013, lakes),
    ...film('First', 2011, lakes),
    ...film('Second', 2012, { set: 'the lakes', mpaa: 'R' }),
    ...film('Alone', 2000),
    ...film('Other', 2002),
  });
  await house.w.scan();
  return house;
}
const all = async ({ collections }: ListDoor, by: Who) => (await collections.list(by, { limit: 100 })).items;
const titles = async ({ collections }: ListDoor, by: Who, id: string) =>
  (await collections.entries.page(by, id, { limit: 100 })).items.map(({ item }) => item.title);
const named = async (lists: ListDoor, by: Who, name: string) => {
  const found = (await all(lists, by)).find((one) => one.name === name);
  assert.ok(found, `${name} is there`);
  return found.id;
};
/** Everything that a Profile can read of collections. */
async function everything({ collections }: ListDoor, by: Who, items: readonly string[]): Promise<string> {
  const list = await collections.list(by, { limit: 1 });
  const ids = (await collections.list(by, { limit: 100 })).items.map(({ id }) => id);
  return JSON.stringify([
    list.total,
    await collections.list(by, { limit: 100, q: 'la' }),
    await Promise.all(ids.map((id) => collections.read(by, id))),
    await Promise.all(ids.map((id) => collections.entries.page(by, id, { limit: 100 }))),
    await Promise.all(ids.map((id) => collections.entries.queue(by, id, undefined))),
    await Promise.all(items.map((item) => collections.ofItem(by, item))),
  ]);
}

test('sets of files and of TMDB are collections, joined by id and by name', async (t) => {
  const { w, lists, id } = await openSets(t);
  const lake = await named(lists, ADA, 'The Lakes');
  assert.deepEqual(await titles(lists, ADA, lake), ['First', 'Second', 'Third'], 'by release');
  const [alone, other, third] = [await id('Alone'), await id('Other'), await id('Third')];
  const set = (item: string, of: { id: string; name: string } | undefined) => ({
    item,
    source: 'tmdb' as const,
    facts: of ? { set: of } : null,
  });
  const { layers } = w.catalog.background;
  await layers.write([set(alone, { id: '7', name: 'Rivers' })]);
  assert.equal((await all(lists, ADA)).length, 1, 'one film of TMDB makes none');
  await layers.write([set(other, { id: '7', name: 'Flüsse' })]);
  const rivers = (await all(lists, ADA)).find(({ name }) => name !== 'The Lakes');
  assert.deepEqual(await titles(lists, ADA, rivers?.id ?? ''), ['Alone', 'Other'], 'one set in two languages');
  // The set of the files gets the id of TMDB, and with it a film that TMDB alone places there.
  await layers.write([set(third, { id: '9', name: 'The Lakes' }), set(alone, { id: '9', name: 'Die Seen' })]);
  assert.deepEqual(await titles(lists, ADA, lake), ['Alone', 'First', 'Second', 'Third'], 'also by the link of before');
  assert.deepEqual(
    (await all(lists, ADA)).map(({ name, source }) => [name, source]),
    [['The Lakes', 'sets']],
  );
  const [membership] = await lists.collections.ofItem(ADA, await id('First'));
  assert.deepEqual([membership?.position, membership?.items, membership?.next?.title], [2, 4, 'Second']);
  const found = async (q: string) => (await lists.collections.list(ADA, { limit: 9, q })).total;
  assert.deepEqual([await found('LAK'), await found('akes'), await found('the l')], [1, 0, 1]);
  // Two sets of one name and different ids are two.
  await layers.write([set(alone, { id: '8', name: 'Twins' }), set(other, { id: '8', name: 'Twins' })]);
  await layers.write([
    set(await id('Kind'), { id: '6', name: 'Twins' }),
    set(await id('Quiet'), { id: '6', name: 'Twins' }),
  ]);
  assert.equal((await all(lists, ADA)).filter(({ name }) => name === 'Twins').length, 2);
});

test('what an Owner changes stays: films, names, order, picture and deletion, each with its way back', async (t) => {
  const { w, lists, id } = await openSets(t);
  const { collections } = lists;
  const lake = await named(lists, ADA, 'The Lakes');
  const [first, second, third, kind] = [await id('First'), await id('Second'), await id('Third'), await id('Kind')];
  await collections.entries.remove(ADA, lake, second);
  await collections.entries.add(ADA, lake, [kind, first]);
  await collections.update(ADA, lake, { name: 'Our lakes', description: 'Wet.', cover: third });
  await collections.entries.move(ADA, lake, { entry: third, before: kind });
  const wanted = ['Third', 'Kind', 'First'];
  assert.deepEqual(await titles(lists, ADA, lake), wanted);
  makeTextFile(
    w.at('films', 'Second (2012)/movie.nfo'),
    makeNfo('movie', { title: 'Second', year: 2012, mpaa: 'R', set: 'The Lakes', plot: 'New.' }),
  );
  grow(w.at('films'), film('Fourth', 2014, lakes));
  await w.scan();
  assert.deepEqual(await titles(lists, ADA, lake), [...wanted, 'Fourth'], 'new ones come last');
  const read = await collections.read(ADA, lake);
  assert.deepEqual(
    [read.name, read.description, read.order, read.items, read.cover, read.covers.map(({ title }) => title)],
    ['Our lakes', 'Wet.', 'given', 4, third, ['Third']],
  );
  await collections.entries.restore(ADA, lake, second);
  assert.deepEqual((await titles(lists, ADA, lake)).toSorted(), [...wanted, 'Fourth', 'Second'].toSorted());
  await collections.update(ADA, lake, { order: 'released', cover: null });
  assert.deepEqual(await titles(lists, ADA, lake), ['Kind', 'First', 'Second', 'Third', 'Fourth']);
  // A removed item comes back at its place in an order by hand.
  await collections.entries.move(ADA, lake, { entry: third, before: first });
  await collections.entries.remove(ADA, lake, third);
  await collections.entries.move(ADA, lake, { entry: second, before: first });
  await collections.entries.restore(ADA, lake, third);
  assert.deepEqual(await titles(lists, ADA, lake), ['Kind', 'Third', 'Second', 'First', 'Fourth']);
  assert.equal(await reasonOf(collections.entries.restore(ADA, lake, await id('Quiet'))), 'no-such-entry');

  await collections.remove(ADA, lake);
  await w.scan();
  assert.deepEqual(await all(lists, ADA), []);
  assert.deepEqual(await collections.ofItem(ADA, first), []);
  assert.equal(await reasonOf(collections.read(ADA, lake)), 'no-such-collection');
  assert.deepEqual(await collections.deleted(ADA), [{ id: lake, name: 'Our lakes' }]);
  const back = await collections.restore(ADA, lake);
  assert.deepEqual([back.id, back.name, back.items], [lake, 'Our lakes', 5]);
  assert.equal(await reasonOf(collections.restore(ADA, lake)), 'no-such-collection');
});

test('a collection made by hand takes films and shows, keeps moved files, and joins a set of its name', async (t) => {
  const { w, lists, id } = await openSets(t);
  const { collections } = lists;
  const [zealous, open, episode] = [await id('Zealous'), await id('Open'), await id('Open/1x2')];
  const made = await collections.create(ADA, { name: ' Rainy days ', ids: [zealous, open] });
  assert.deepEqual([made.name, made.source, made.items], ['Rainy days', 'owner', 2]);
  assert.equal(await reasonOf(collections.entries.add(ADA, made.id, [episode])), 'not-collectable');
  assert.equal(await reasonOf(collections.entries.add(ADA, made.id, ['0123456789abcdef'])), 'no-such-item');
  const queue = await collections.entries.queue(ADA, made.id, open);
  assert.deepEqual([queue.items.length, queue.items[0]?.entry], [2, open], 'a show is its episodes');
  await collections.entries.move(ADA, made.id, { entry: open, before: zealous });
  const [from, to] = [w.at('films', 'Zealous (1999)'), w.at('films', 'Elsewhere', 'Zealous (1999)')];
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
  await w.scan();
  assert.deepEqual(await titles(lists, ADA, made.id), ['Open', 'Zealous']);
  const joined = await collections.create(ADA, { name: 'THE LAKES', ids: [zealous] });
  assert.deepEqual(
    [joined.name, joined.items, (await all(lists, ADA)).length],
    ['THE LAKES', 4, 2],
    'the set of this name joined it',
  );
  const empty = await collections.create(ADA, { name: 'Empty' });
  assert.equal((await collections.read(ADA, empty.id)).items, 0);
  assert.equal(await reasonOf(collections.read(KIM, empty.id)), 'no-such-collection');
});

test('a hidden film changes no byte of the collections of a child, and raises no event', async (t) => {
  const { w, lists, id } = await openSets(t);
  const { collections } = lists;
  const seen = [await id('First'), await id('Third'), await id('Kind')];
  const before = await everything(lists, KIM, seen);
  assert.match(before, /The Lakes/u);
  assert.doesNotMatch(before, /Second/u);
  const hidden = [await id('Second'), await id('Zealous')] as const;
  const { layers } = w.catalog.background;
  const tmdb = (item: string, set: { id: string; name: string }) =>
    layers.write([{ item, source: 'tmdb', facts: { set } }]);
  // A hidden film with another name of the same set, and one that would make a pair with a visible film.
  await tmdb(hidden[0], { id: '9', name: 'The Lakes' });
  await tmdb(hidden[1], { id: '4', name: 'Pair' });
  grow(w.at('films'), film('Fifth', 2005, { set: 'THE LAKES', mpaa: 'R' }));
  await w.scan();
  assert.equal(await everything(lists, KIM, seen), before);
  const alone = await id('Alone');
  await tmdb(alone, { id: '4', name: 'Pair' });
  assert.equal((await all(lists, ADA)).length, 2, 'the Owner sees the pair');
  assert.equal(await everything(lists, KIM, seen), before, 'a visible film of a hidden pair is in no collection');

  const pair = await named(lists, ADA, 'Pair');
  const version = lists.versionOf('kim');
  const versionOfAda = lists.versionOf('ada');
  const adult = await collections.create(ADA, { name: 'Adult', ids: [...hidden] });
  await collections.update(ADA, adult.id, { name: 'Grown-up' });
  await collections.remove(ADA, pair);
  for (const absent of [adult.id, pair])
    assert.equal(await reasonOf(collections.read(KIM, absent)), 'no-such-collection');
  assert.equal(await everything(lists, KIM, seen), before);
  assert.equal(lists.versionOf('kim'), version, 'no event');
  assert.equal(lists.versionOf('ada'), versionOfAda + 3);
  assert.equal(await reasonOf(collections.ofItem(KIM, hidden[0])), 'no-such-item');
  await collections.update(ADA, await named(lists, ADA, 'The Lakes'), { name: 'Seen' });
  assert.equal(lists.versionOf('kim'), version + 1, 'a change that is seen is one event');
});

test('changes at the same time are made one after the other, and none is lost', async (t) => {
  const { lists, id } = await openSets(t);
  const { collections } = lists;
  const lake = await named(lists, ADA, 'The Lakes');
  const items = [await id('Kind'), await id('Alone'), await id('Other'), await id('Quiet')];
  const first = await id('First');
  await Promise.all([
    ...items.map((item) => collections.entries.add(ADA, lake, [item])),
    collections.entries.move(ADA, lake, { entry: first, before: null }),
    collections.update(ADA, lake, { description: 'Both.' }),
    collections.update(ADA, lake, { name: 'Both names' }),
  ]);
  const { name, description, items: count } = await collections.read(ADA, lake);
  assert.deepEqual([name, description, count], ['Both names', 'Both.', 7]);
  const [removed, again] = await Promise.all([
    reasonOf(Promise.all([collections.remove(ADA, lake), collections.entries.add(ADA, lake, [first])])),
    collections.list(ADA, { limit: 1 }),
  ]);
  assert.equal(removed, 'no-such-collection', 'nothing is added to a deleted one');
  assert.ok(again.total <= 1);
});

test('an uploaded picture has precedence, is taken back, and is an event for who sees the collection', async (t) => {
  const { lists } = await openSets(t);
  const { collections } = lists;
  const lake = await named(lists, ADA, 'The Lakes');
  const before = [lists.versionOf('ada'), lists.versionOf('kim')];
  const { picture } = await collections.setPicture(ADA, lake, PNG);
  assert.match(picture ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual(
    [lists.versionOf('ada'), lists.versionOf('kim')],
    before.map((version) => version + 1),
  );
  const source = await collections.picture(KIM, lake);
  assert.deepEqual([source.relative, source.version], [`${picture}.webp`, picture]);
  assert.equal((await collections.read(KIM, lake)).picture, picture);
  const entry = (await collections.entries.page(ADA, lake, { limit: 1 })).items[0]?.entry ?? '';
  assert.equal((await collections.update(ADA, lake, { picture: null, cover: entry })).picture, undefined);
  assert.equal(await reasonOf(collections.picture(ADA, lake)), 'no-such-picture');
  // The picture before is there for Undo; one that never was is not.
  assert.equal((await collections.update(ADA, lake, { picture })).picture, picture);
  assert.equal(await reasonOf(collections.update(ADA, lake, { picture: 'f'.repeat(32) })), 'no-such-picture');
  assert.equal(await reasonOf(collections.setPicture(ADA, lake, Buffer.from('no picture'))), 'picture-not-readable');
  assert.equal(await reasonOf(collections.setPicture(ADA, '0123456789abcdef', PNG)), 'no-such-collection');
  assert.equal((await collections.read(ADA, lake)).picture, picture, 'a refused one changes nothing');
});

test('a set has the text and poster of TMDB, until an Owner writes or chooses others', async (t) => {
  const { w, lists, id } = await openSets(t);
  const { collections } = lists;
  const asked: [string, boolean][] = [];
  const facts = { overview: 'Three lakes.', poster: '/lakes.jpg' };
  w.catalog.useSetSource({
    of: async (tmdb, { isKeptOnly = false } = {}) => {
      asked.push([tmdb, isKeptOnly]);
      return { facts: tmdb === '9' ? facts : undefined, isPending: tmdb !== '9' && !isKeptOnly };
    },
    picture: async (path) => ({ root: '/cache', relative: path.slice(1) }),
  });
  const lake = await named(lists, ADA, 'The Lakes');
  assert.deepEqual(asked, [], 'a set without a number');
  const set = (item: string, number: string, name: string) =>
    w.catalog.background.layers.write([{ item, source: 'tmdb', facts: { set: { id: number, name } } }]);
  await set(await id('First'), '9', 'The Lakes');
  const [listed] = await all(lists, ADA);
  assert.deepEqual([listed?.overview, asked.splice(0)], ['Three lakes.', [['9', true]]], 'a list fetches nothing');
  const read = await collections.read(ADA, lake);
  assert.deepEqual([read.overview, read.pending, asked.splice(0)], ['Three lakes.', undefined, [['9', false]]]);
  assert.match(read.poster ?? '', /^[0-9a-f]{32}$/);
  const picture = await collections.picture(ADA, lake);
  assert.deepEqual([picture.root, picture.relative, picture.version], ['/cache', 'lakes.jpg', read.poster]);

  const own = await collections.update(ADA, lake, { description: 'Wet.', cover: await id('Third') });
  assert.deepEqual([own.description, own.overview, own.poster], ['Wet.', undefined, undefined]);
  await collections.update(ADA, lake, { description: null, cover: null });
  assert.equal((await collections.read(KIM, lake)).overview, 'Three lakes.');
  // Another set, of which Kim sees one film only.
  await set(await id('Alone'), '4', 'Pair');
  await set(await id('Zealous'), '4', 'Pair');
  assert.equal((await collections.read(ADA, await named(lists, ADA, 'Pair'))).pending, true);
  asked.length = 0;
  await collections.list(KIM, { limit: 9 });
  assert.deepEqual(asked, [['9', true]], 'a set that Kim does not see is not asked for');
});
