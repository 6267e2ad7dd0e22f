/** Hidden items appear nowhere: not in a count, a facet, a letter, a neighbour, a picture or a list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_POLICY, type Policy } from '../../contract/identity/profiles.ts';
import { found, grow, makeNfo, openWorld, type World } from '../testing/world.ts';

const never = { kids: { rating: 'family' }, other: { libraries: [] as string[] } } as const;

async function household(t: Parameters<typeof openWorld>[0]): Promise<World> {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  const rated = (title: string, mpaa: string, genre: string) => makeNfo('movie', { title, mpaa, genre });
  grow(w.at('films'), {
    'Kind (2001)/Kind (2001).mp4': true,
    'Kind (2001)/movie.nfo': rated('Kind', 'G', 'Family'),
    'Zealous (1999)/Zealous (1999).mp4': true,
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
  assert.deepEqual(counts({ rating: 'family' }, 'viewer'), { films: 1, shows: 1 });
  assert.deepEqual(counts({ libraries: [] }, 'viewer'), {});
  // The interface for background work has no policy and counts everything.
  assert.deepEqual(
    w.catalog.background.libraries().map(({ items }) => items),
    [3, 3],
  );
});
