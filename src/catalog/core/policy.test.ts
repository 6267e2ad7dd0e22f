/** Hidden items appear nowhere: not in a count, a facet, a letter, a neighbour, a picture or a list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_POLICY, type Policy } from '../../contract/identity/profiles.ts';
import { found, grow, makeNfo, openWorld, type World } from '../testing/world.ts';
import type { VisibleCatalog } from '../types.ts';

const never = { kids: { rating: 7, unrated: false }, other: { libraries: [] as string[] } } as const;

async function household(t: Parameters<typeof openWorld>[0]): Promise<World> {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  const rated = (title: string, mpaa: string, genre: string) => makeNfo('movie', { title, mpaa, genre });
  grow(w.at('films'), {
    'Kind (2001)/Kind (2001).mp4': true,
    'Kind (2001)/movie.nfo': rated('Kind', 'G', 'Family'),
    'Zealous (1999)/Zealous (1999).mp4': 301,
    'Zealous (1999)/movie.nfo': rated('Zealous', 'R', 'Secret'),
    'Zealous (1999)/poster.jpg': 'x',
    'Unrated (2003)/Unrated (2003).mp4': true,
  });
  const episode = (n: number, mpaa: string) =>
    makeNfo('episodedetails', { title: `Part ${n}`, season: 1, episode: n, mpaa });
  grow(w.at('shows'), {
    'Open/tvshow.nfo': makeNfo('tvshow', { title: 'Open', mpaa: 'TV-Y' }),
    'Open/Season 1/Open S01E01.mkv': true,
    'Open/Season 1/Open S01E02.mkv': true,
    'Open/Season 1/Open S01E02.nfo': episode(2, 'TV-MA'),
    'Open/Season 1/Open S01E03.mkv': true,
    'Open/Season 2/Open S02E01.mkv': true,
    'Open/Season 2/Open S02E01.nfo': makeNfo('episodedetails', { title: 'Late', season: 2, episode: 1, mpaa: 'TV-MA' }),
    'Shut/tvshow.nfo': makeNfo('tvshow', { title: 'Shut', mpaa: 'TV-MA' }),
    'Shut/Season 1/Shut S01E01.mkv': true,
    'Shut/Season 1/Shut S01E01.nfo': episode(1, 'TV-Y'),
    'Hollow/tvshow.nfo': makeNfo('tvshow', { title: 'Hollow', mpaa: 'TV-Y' }),
    'Hollow/Season 1/Hollow S01E01.mkv': true,
    'Hollow/Season 1/Hollow S01E01.nfo': episode(1, 'TV-MA'),
  });
  await w.scan();
  return w;
}
const all = { view: 'all', offset: 0, limit: 100 } as const;

test('a ceiling: listings, facets, letters, recent, shows and neighbours', async (t) => {
  const w = await household(t);
  const kids = w.seen(never.kids, 'viewer', 'kid');
  const page = await kids.library(all);
  assert.deepEqual(
    page.items.map(({ title }) => title),
    ['Kind', 'Open'],
  );
  assert.equal(page.total, 2);
  assert.deepEqual(page.facets.genres, [{ value: 'Family', count: 1 }]);
  assert.deepEqual(page.facets.years, [{ value: '2001', count: 1 }]);
  assert.ok(!JSON.stringify(page).includes('Zealous') && !JSON.stringify(page.facets).includes('R'));
  assert.deepEqual(
    page.letters.map(({ letter }) => letter),
    ['k', 'o'],
  );
  assert.deepEqual((await kids.recent({ limit: 10 })).items.map(({ title }) => title).toSorted(), ['Kind', 'Open']);
  assert.equal((await kids.library({ ...all, q: 'zealous' })).total, 0);
  assert.equal((await kids.library({ ...all, genre: 'Secret' })).total, 0);
  const show = found(await kids.page('shows', await w.id('Open')));
  assert.deepEqual(
    show.seasons.map(({ number, episodes }) => [number, episodes.map(({ episode }) => episode)]),
    [[1, [1, 3]]],
  );
  assert.deepEqual([show.episodes, show.unwatched], [2, 2]);
  const first = found(await kids.item(await w.id('Open/1x1')));
  assert.deepEqual([first.next, first.previous], [await w.id('Open/1x3'), undefined]);
});

test('a ceiling: hidden items cannot be read by id, nor their pictures', async (t) => {
  const w = await household(t);
  const kids = w.seen(never.kids, 'viewer', 'kid');
  const owner = w.seen();
  const seasons = async (title: string) =>
    (await owner.page('shows', await w.id(title)))?.seasons.map(({ id }) => id) ?? [];
  const hidden = [
    await w.id('Zealous'),
    await w.id('Unrated'),
    await w.id('Open/1x2'),
    await w.id('Shut'),
    await w.id('Shut/1x1'),
    await w.id('Hollow'),
    await w.id('Hollow/1x1'),
    ...(await seasons('Shut')),
    ...(await seasons('Hollow')),
    (await seasons('Open'))[1] ?? '',
  ];
  for (const id of hidden) {
    assert.ok(!kids.isSeen(id));
    for (const found of [
      await kids.item(id),
      await kids.page('shows', id),
      await kids.file(id),
      await kids.subject(id),
      await kids.picture(id, 'poster'),
      await kids.picture(id, 'thumb'),
    ])
      assert.equal(found, undefined);
  }
  assert.deepEqual(await kids.cards(hidden), []);
  assert.ok(await owner.picture(hidden[0] ?? '', 'poster'));
});

test('items that were watched and listed before the ceiling was lowered are hidden', async (t) => {
  const w = await household(t);
  const id = await w.id('Zealous');
  await w.catalog.watching.progress('kid', id, { position: 100, session: 's', sequence: 1 }, 1000);
  await w.catalog.watching.list('kid', id, true);
  for (const view of ['continue', 'list', 'history']) {
    assert.equal((await w.seen({}, 'viewer', 'kid').library({ ...all, view })).total, 1, view);
    const page = await w.seen(never.kids, 'viewer', 'kid').library({ ...all, view });
    assert.deepEqual([page.total, page.items, page.facets.genres], [0, [], []], view);
  }
});

test('libraries that are not allowed appear empty', async (t) => {
  const w = await household(t);
  const films = found(w.catalog.background.libraries().find(({ name }) => name === 'films')).id;
  const some = w.seen({ libraries: [films] }, 'viewer');
  const page = await some.library(all);
  assert.deepEqual(
    page.items.map(({ title }) => title),
    ['Kind', 'Unrated', 'Zealous'],
  );
  assert.deepEqual(page.facets.libraries, [{ value: films, count: 3 }]);
  assert.equal((await w.seen(never.other, 'viewer').library(all)).total, 0);
  assert.equal(await some.page('shows', await w.id('Open')), undefined);
});

test('an Owner sees paths and the confidence of guesses, a Viewer does not', async (t) => {
  const w = await household(t);
  const id = await w.id('Kind');
  const [owner, viewer] = [found(await w.seen().item(id)), found(await w.seen({ download: false }, 'viewer').item(id))];
  assert.equal(owner.versions[0]?.file, 'Kind (2001)/Kind (2001).mp4');
  assert.ok(owner.guess && owner.guess.evidence.length > 0 && owner.links.download !== undefined);
  assert.deepEqual([viewer.versions[0]?.file, viewer.guess, viewer.links.download], [undefined, undefined, undefined]);
  assert.ok(viewer.links.media !== undefined);
  assert.ok(!JSON.stringify(viewer).includes(w.folder));
  assert.ok(!JSON.stringify(viewer).includes('.mp4'));
});

test('a library counts the items that the caller may see', async (t) => {
  const w = await household(t);
  const counts = (policy: Partial<Policy>, role: 'owner' | 'viewer' = 'owner') =>
    Object.fromEntries(
      w.catalog.libraries({ role, policy: { ...OWNER_POLICY, ...policy } }).map(({ name, items }) => [name, items]),
    );
  assert.deepEqual(counts({}), { films: 3, shows: 3 });
  assert.deepEqual(counts({ rating: 7, unrated: false }, 'viewer'), { films: 1, shows: 1 });
  assert.deepEqual(counts({ libraries: [] }, 'viewer'), {});
  // The interface for background work has no policy and counts everything.
  assert.deepEqual(
    w.catalog.background.libraries().map(({ items }) => items),
    [3, 3],
  );
});

/** Everything that a Profile could notice of an item: each entry is empty if the item does not exist for it. */
async function traces(w: World, seen: VisibleCatalog, title: string): Promise<string[]> {
  const id = await w.id(title);
  const isIn = (items: readonly { id: string }[]) => items.some((one) => one.id === id);
  const lists = ['all', 'movies', 'shows', 'unwatched', 'continue', 'list', 'history'];
  const found: [string, boolean][] = [
    ['seen', seen.isSeen(id)],
    ['item', (await seen.item(id)) !== undefined],
    ['show', (await seen.page('shows', id)) !== undefined],
    ['file', (await seen.file(id)) !== undefined],
    ['subject', (await seen.subject(id)) !== undefined],
    ['poster', (await seen.picture(id, 'poster')) !== undefined],
    ['thumb', (await seen.picture(id, 'thumb')) !== undefined],
    ['duration', seen.watched.duration(id) !== undefined],
    ['cards', isIn(await seen.cards([id]))],
    ['recent', isIn((await seen.recent({ limit: 50 })).items)],
    ['next up', isIn((await seen.watched.nextUp(50)).items)],
    ['played', (await seen.watched.history({ limit: 50 })).items.some(({ item }) => item.id === id)],
    ['search', isIn((await seen.library({ ...all, q: title })).items)],
    ['json', (await seen.libraryJson({ ...all })).includes(id)],
  ];
  for (const view of lists) found.push([view, isIn((await seen.library({ ...all, view })).items)]);
  return found.filter(([, is]) => is).map(([name]) => name);
}
const titlesOf = async (seen: VisibleCatalog): Promise<string[]> =>
  (await seen.library(all)).items.map(({ title }) => title);
const kidWith = (w: World, policy: Partial<Policy>): VisibleCatalog =>
  w.seen({ rating: 7, unrated: false, ...policy }, 'viewer', 'kid');
const rules = (allowed: string[], hidden: string[] = []): Partial<Policy> => ({ items: { allowed, hidden } });

test('an age shows what is rated for it or below, and unrated items have their own switch', async (t) => {
  const w = await household(t);
  for (const [policy, titles] of [
    [{ rating: 0, unrated: false }, ['Kind', 'Open']],
    [{ rating: 0, unrated: true }, ['Kind', 'Open', 'Unrated']],
    [{ rating: 16, unrated: false }, ['Kind', 'Open']],
    [{ rating: 17, unrated: false }, ['Hollow', 'Kind', 'Open', 'Shut']],
    [{ rating: 18, unrated: false }, ['Hollow', 'Kind', 'Open', 'Shut', 'Zealous']],
    [{ rating: 'all', unrated: false }, ['Hollow', 'Kind', 'Open', 'Shut', 'Zealous']],
    [{ rating: 'all', unrated: true }, ['Hollow', 'Kind', 'Open', 'Shut', 'Unrated', 'Zealous']],
  ] as const) {
    const seen = w.seen(policy, 'viewer', 'kid');
    assert.deepEqual(await titlesOf(seen), titles, JSON.stringify(policy));
    const { shown, total } = w.catalog.admin.ratings.preview({ ...OWNER_POLICY, ...policy });
    assert.deepEqual([shown, total], [titles.length, 6]);
    const counted = w.catalog.libraries({ role: 'viewer', policy: { ...OWNER_POLICY, ...policy } });
    assert.equal(
      counted.reduce((sum, { items }) => sum + items, 0),
      titles.length,
    );
  }
  const { hidden } = w.catalog.admin.ratings.preview({
    ...OWNER_POLICY,
    rating: 7,
    unrated: false,
    items: { allowed: [], hidden: [await w.id('Kind')] },
  });
  assert.deepEqual(hidden, { libraries: 0, rating: 3, unrated: 1, items: 1 });
});

test('an allowed item is seen whatever its rating, a hidden one nowhere; libraries come first', async (t) => {
  const w = await household(t);
  for (const title of ['Zealous', 'Unrated', 'Shut/1x1', 'Kind', 'Open', 'Open/1x1']) {
    const id = await w.id(title);
    await w.catalog.watching.list('kid', id, true);
    if (title !== 'Open') await w.catalog.watching.progress('kid', id, { position: 1, session: `s-${id}` }, 1000);
  }
  const shut = await w.id('Shut');
  assert.deepEqual(await titlesOf(kidWith(w, rules([await w.id('Zealous')]))), ['Kind', 'Open', 'Zealous']);
  assert.deepEqual(await titlesOf(kidWith(w, rules([await w.id('Unrated')]))), ['Kind', 'Open', 'Unrated']);
  assert.deepEqual(await titlesOf(kidWith(w, rules([shut]))), ['Kind', 'Open', 'Shut'], 'with its episode');
  assert.deepEqual(await titlesOf(kidWith(w, rules([await w.id('Shut/1x1')]))), ['Kind', 'Open', 'Shut']);
  const films = found(w.catalog.background.libraries().find(({ name }) => name === 'films')).id;
  const withoutShows = kidWith(w, { ...rules([shut]), libraries: [films] });
  assert.deepEqual(await titlesOf(withoutShows), ['Kind'], 'a library that is not allowed stays so');
  assert.deepEqual(await traces(w, withoutShows, 'Shut'), []);

  // An item that is hidden by hand leaves no trace, like what is above the age.
  assert.deepEqual(await traces(w, kidWith(w, {}), 'Zealous'), []);
  assert.ok((await traces(w, kidWith(w, {}), 'Kind')).length > 10);
  for (const title of ['Kind', 'Zealous', 'Unrated'])
    assert.deepEqual(
      await traces(w, w.seen({ ...rules([], [await w.id(title)]) }, 'viewer', 'kid'), title),
      [],
      `${title} is hidden from one who may see everything`,
    );
  const hidden = w.seen(rules([], [await w.id('Open')]), 'viewer', 'kid');
  assert.deepEqual([await traces(w, hidden, 'Open'), await traces(w, hidden, 'Open/1x1')], [[], []]);
  const page = await kidWith(w, rules([], [await w.id('Kind')])).library(all);
  assert.deepEqual([page.total, page.facets.genres, page.letters.map(({ letter }) => letter)], [1, [], ['o']]);

  // The closer decision counts: that of an episode before that of its show.
  const one = w.seen(rules([await w.id('Open/1x3')], [await w.id('Open')]), 'viewer', 'kid');
  const show = found(await one.page('shows', await w.id('Open')));
  assert.deepEqual(
    show.seasons.flatMap(({ episodes }) => episodes.map(({ episode }) => episode)),
    [3],
  );
  assert.equal(one.isSeen(await w.id('Open/1x1')), false);
  assert.deepEqual(found(await kidWith(w, rules([await w.id('Open')])).page('shows', await w.id('Open'))).episodes, 4);
});

test('a rating by hand counts at once, covers episodes, stays, and can be taken back', async (t) => {
  const w = await household(t);
  const { ratings } = w.catalog.admin;
  const [kind, open, shut] = [await w.id('Kind'), await w.id('Open'), await w.id('Shut')];
  const kid = () => w.seen({ rating: 7, unrated: false }, 'viewer', 'kid');
  const certificationOf = async (id: string) =>
    ((await w.seen().item(id)) ?? (await w.seen().page('shows', id)))?.certification;

  assert.deepEqual(await ratings.set(kind, 'FSK 16'), { rating: 'FSK 16', age: 16, set: 'FSK 16', stated: 'G' });
  assert.deepEqual(await traces(w, kid(), 'Kind'), []);
  assert.deepEqual(await ratings.set(shut, '6'), { rating: '6', age: 6, set: '6', stated: 'TV-MA' });
  assert.deepEqual(await titlesOf(kid()), ['Open', 'Shut']);
  assert.deepEqual(
    (await w.seen().library({ ...all })).facets.ratings.map(({ value }) => value).toSorted(),
    ['6', 'FSK 16', 'R', 'TV-Y'],
    'filters know it',
  );
  // Episodes 1 and 3 of the first season of Open state nothing; the others differ from their show.
  await ratings.set(open, '12');
  const twelve = w.seen({ rating: 12, unrated: false }, 'viewer', 'kid');
  assert.deepEqual(
    found(await twelve.page('shows', open)).seasons.map(({ number, episodes }) => [
      number,
      episodes.map(({ episode, rating }) => [episode, rating]),
    ]),
    [
      [
        1,
        [
          [1, '12'],
          [3, '12'],
        ],
      ],
    ],
  );
  const second = await w.id('Open/1x2');
  assert.equal((await certificationOf(second))?.age, 17);
  assert.deepEqual(await ratings.set(second, '0'), { rating: '0', age: 0, set: '0', stated: 'TV-MA' });
  assert.equal(found(await twelve.page('shows', open)).episodes, 3);
  assert.equal((await kid().item(kind))?.certification, undefined);
  assert.equal((await w.seen({}, 'viewer').item(kind))?.certification, undefined, 'for Owners only');

  // A rescan with other tags, and a new start.
  grow(w.at('films'), { 'Kind (2001)/movie.nfo': makeNfo('movie', { title: 'Kind', mpaa: 'PG', genre: 'Family' }) });
  await w.scan();
  assert.deepEqual(await certificationOf(kind), { rating: 'FSK 16', age: 16, set: 'FSK 16', stated: 'PG' });
  await w.again();
  assert.deepEqual(await titlesOf(kid()), ['Shut']);
  const after = w.catalog.admin.ratings;
  assert.deepEqual(await after.set(kind, null), { rating: 'PG', age: 10, stated: 'PG' });
  assert.deepEqual(await after.set(open, null), { rating: 'TV-Y', age: 0, stated: 'TV-Y' });
  assert.equal((await certificationOf(second))?.set, '0', 'each is taken back for itself');
  await w.again();
  assert.deepEqual(await certificationOf(kind), { rating: 'PG', age: 10, stated: 'PG' });
  await assert.rejects(w.catalog.admin.ratings.set(kind, 'banana'), { kind: 'invalid', reason: 'rating-unknown' });
  await assert.rejects(w.catalog.admin.ratings.set('f'.repeat(16), '12'), { kind: 'missing', reason: 'no-such-item' });
});

test('changes are told to those who see them before or after', async (t) => {
  const w = await household(t);
  const { ratings } = w.catalog.admin;
  const [kind, open] = [await w.id('Kind'), await w.id('Open')];
  const hearing = (): ((policy: Partial<Policy>) => boolean) => {
    const isTold = w.catalog.takeVisibleChanges();
    return (policy) => isTold({ ...OWNER_POLICY, unrated: false, ...policy });
  };
  hearing();
  await ratings.set(kind, '12');
  let isTold = hearing();
  assert.deepEqual(
    [isTold({ rating: 0 }), isTold({ rating: 12 }), isTold({ rating: 0, ...rules([], [kind]) })],
    [true, true, false],
    'it was for everybody',
  );
  await ratings.set(kind, '18');
  isTold = hearing();
  assert.deepEqual(
    [isTold({ rating: 11 }), isTold({ rating: 12 }), isTold({ rating: 0, ...rules([kind]) })],
    [false, true, true],
  );
  await ratings.set(open, '16');
  await ratings.set(kind, null);
  hearing();
  await ratings.set(open, '18');
  isTold = hearing();
  assert.deepEqual(
    [isTold({ rating: 15 }), isTold({ rating: 16 }), isTold({ rating: 16, ...rules([], [open]) })],
    [false, true, false],
  );
  assert.deepEqual(
    [isTold({ rating: 0, ...rules([open]) }), isTold({ libraries: [], ...rules([open]) })],
    [true, false],
  );
});
