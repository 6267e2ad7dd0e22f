/** The refresh of all items: what is new, unsure, changed, on air or too old, in bad times and after a crash. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { EXAMPLE_FILMS, EXAMPLE_SHOWS, type MetadataFixtures } from '../../test/stand-ins/metadata-fixtures.ts';
import { fakeMetadata, METADATA_TOKEN } from '../../test/stand-ins/metadata.ts';
import { startElsewhere, startStandIn } from '../../test/stand-ins/server.ts';
import { recordingLog } from '../../test/recording-log.ts';
import { fakeClock } from '../../test/world.ts';
import { grow, makeNfo, openWorld } from '../catalog/testing/world.ts';
import type { LibraryOptions } from '../config/index.ts';
import { Failure } from '../lib/failure.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { createNet } from '../lib/net.ts';
import { createMetadataClient } from './client.ts';
import { createMetadata, metadataMigrations } from './index.ts';
import { isDue } from './refresh.ts';
import { episodeFactsOf, seasonFactsOf } from './seasons.ts';
import { sizeFor } from './sizes.ts';
import { type MatchRow, matchStore } from './store.ts';

const SIGNAL = new AbortController().signal;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DUE = { mode: 'due', images: false, since: Infinity } as const;

async function open(t: TestContext, { isConfigured = true } = {}) {
  const elsewhere = await startElsewhere();
  const fixtures: MetadataFixtures = { films: structuredClone(EXAMPLE_FILMS), shows: structuredClone(EXAMPLE_SHOWS) };
  const standIn = await startStandIn(() => fakeMetadata(() => performance.now(), fixtures), {
    elsewhere: elsewhere.url,
  });
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  const clock = fakeClock();
  const lines: string[] = [];
  const net = createNet({ version: 'test' });
  const log = recordingLog(lines);
  const db = await openTemporaryDatabase(t, metadataMigrations);
  const make = () => {
    const client = createMetadataClient({
      net,
      clock,
      log,
      url: isConfigured ? standIn.url : undefined,
      imageUrl: standIn.url.replace('/3', '/t/p'),
      token: METADATA_TOKEN,
    });
    const { background } = w.catalog;
    const preferencesOf = (library: string) => {
      const { language = 'en', country = 'de', internet = true } = background.optionsOf(library);
      return { language, country, isAskedFor: internet };
    };
    return createMetadata({ client, db, clock, log, catalog: background, preferencesOf });
  };
  const metadata = make();
  w.catalog.useRefusedItems(metadata.refused);
  t.after(async () => {
    standIn.drop();
    await net.close();
    await elsewhere.close();
    await standIn.close();
    assert.ok(![...lines, ...standIn.leaks].some((line) => line.includes(METADATA_TOKEN)), 'no credential in the log');
  });
  const run = (how: Partial<Parameters<typeof metadata.upkeep.run>[0]> = {}) => {
    // A run begins later than the last one ended.
    clock.pass(1);
    return metadata.upkeep.run({ ...DUE, since: clock.now(), ...how }, () => {}, SIGNAL);
  };
  const asked = (part: string) => standIn.requests.filter(({ path }) => path.includes(part)).length;
  return { standIn, clock, w, metadata, make, run, asked, db, fixtures, shown: (id: string) => w.seen().item(id) };
}
const FILES = {
  'The Long Pier (2001)/The Long Pier (2001).mp4': true,
  'Twins (1999)/Twins (1999).mp4': true,
  'Unheard Of (1950)/Unheard Of (1950).mp4': true,
} as const;
const EPISODES = {
  'Lantern Street (2010)/Season 1/Lantern Street S01E01.mkv': true,
  'Lantern Street (2010)/Season 1/Lantern Street S01E02E03.mkv': true,
} as const;

test('new items are matched, unsure ones are listed with candidates, and a removed match stays removed', async (t) => {
  const { w, run, asked, standIn, clock, metadata, shown, make } = await open(t);
  grow(w.at('films'), FILES);
  await w.scan();
  assert.equal(await metadata.upkeep.hasDue(), true);
  assert.deepEqual(await run(), { refreshed: 1, unsure: 1, notFound: 1, left: 0 });
  const trailers = async (seen = w.seen()) => seen.extras.trailers(await w.id('The Long Pier'));
  assert.deepEqual(
    (await trailers()).map(({ url }) => url),
    ['https://www.youtube.com/watch?v=longpier-01', 'https://vimeo.com/123456'],
  );
  assert.deepEqual(await trailers(w.seen({ libraries: [] }, 'viewer', 'guest')), [], 'a hidden film has none');
  assert.equal(await metadata.upkeep.hasDue(), false, 'nothing is due a second time');
  const before = standIn.requests.length;
  await run();
  assert.equal(standIn.requests.length, before, 'nothing is asked a second time');

  const page = await w.catalog.admin.unplaced({ limit: 1 });
  assert.deepEqual([page.total, page.items.length, page.nextCursor], [1, 1, undefined]);
  const [twins] = page.items;
  assert.equal(twins?.file, 'Twins (1999)/Twins (1999).mp4');
  assert.deepEqual(
    twins.candidates?.map(({ id, confidence }) => [id, confidence]),
    [
      ['102', 85],
      ['103', 85],
    ],
  );
  assert.equal((await w.catalog.admin.unplaced({ limit: 10, library: '0'.repeat(16) })).total, 0);

  // A choice takes it off the list, and `none` is remembered by later runs and by another process.
  await metadata.match(twins.item ?? '', '103', SIGNAL);
  assert.equal((await w.catalog.admin.unplaced({ limit: 10 })).total, 0);
  const pier = await w.id('The Long Pier');
  await metadata.unmatch(pier);
  clock.pass(200 * DAY_MS);
  const requests = asked('/movie/101');
  await make().upkeep.run({ ...DUE, mode: 'all', since: clock.now() }, () => {}, SIGNAL);
  assert.equal(asked('/movie/101'), requests);
  assert.equal((await shown(pier))?.plot, undefined);
  assert.deepEqual(await metadata.refresh(pier, { mode: 'all', images: false }, SIGNAL), { outcome: 'unchanged' });

  // A file with a better name is looked for again at once.
  grow(w.at('films'), { 'Unheard Of (1950)/movie.nfo': makeNfo('movie', { title: 'The Long Pier', year: 2001 }) });
  await w.scan();
  assert.equal((await run()).refreshed, 1);
});

test('a show has titles, plots, stills and dates of its seasons and episodes', async (t) => {
  const { w, run, asked, shown, metadata } = await open(t);
  grow(w.at('shows'), EPISODES);
  await w.scan();
  assert.deepEqual(await run(), { refreshed: 1, unsure: 0, notFound: 0, left: 0 });
  const show = await w.id('Lantern Street');
  const page = await w.seen().page('shows', show);
  const [first, second] = page?.seasons[0]?.episodes ?? [];
  assert.ok(first && second);
  assert.deepEqual([first.title, second.title], ['First Light', 'Episode 2']);
  const [one, two] = [await shown(first.id), await shown(second.id)];
  assert.deepEqual(
    [one?.plot, one?.people.map(({ name }) => name), one?.rating, two?.plot, two?.rating],
    ['Kit comes home.', ['Cy Third', 'Gus Seventh'], 'US:TV-14', 'It rains.\n\nIt burns.', 'US:TV-14'],
  );
  assert.ok(one?.images?.thumb, 'the still is the picture of the episode');
  assert.equal(asked('/t/p/original/street-1-1.png'), 1, 'the largest still that is wide enough');

  // A new episode is asked for at once, and pictures that are there are not fetched again.
  const pictures = asked('/t/p/');
  grow(w.at('shows'), { 'Lantern Street (2010)/Season 1/Lantern Street S01E04.mkv': true });
  await w.scan();
  assert.equal((await run()).refreshed, 1);
  assert.equal(asked('/t/p/'), pictures);
  await metadata.unmatch(show);
  const bare = await shown(first.id);
  assert.deepEqual([bare?.plot, bare?.title], [undefined, 'Episode 1'], 'its episodes are as their files say');
});

test('an id of another database is looked up before the title, and a work that moved is found by it', async (t) => {
  const { w, run, asked, shown } = await open(t);
  grow(w.at('films'), {
    'Some Name (1999)/Some Name (1999).mp4': true,
    'Some Name (1999)/movie.nfo': makeNfo('movie', { title: 'Some Name', imdbid: 'tt0000101', tmdbid: 999 }),
  });
  await w.scan();
  assert.equal((await run()).refreshed, 1);
  assert.deepEqual([asked('/movie/999'), asked('/find/tt0000101'), asked('/search/')], [1, 1, 0]);
  assert.equal((await shown(await w.id('Some Name')))?.plot, 'Two sisters rebuild a pier.');
});

test('what is due: shows on air after a day, changed works at once, the rest after 150 days', async (t) => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const work = { id: 'a', kind: 'show', library: 'l', described: 'x', parts: '1/1', isPresent: true } as const;
  const row: MatchRow = {
    ...{ item: 'a', library: 'l', state: 'matched', work: '1', asked: now, tried: now },
    ...{ described: 'y', parts: '1/1', isAiring: false, isChanged: false },
  };
  const cases: [Partial<MatchRow> | undefined, Partial<typeof work> | object, boolean][] = [
    [undefined, {}, true],
    [undefined, { isPresent: false }, false],
    [{}, {}, false],
    [{ asked: now - 149 * DAY_MS }, {}, false],
    [{ asked: now - 151 * DAY_MS }, {}, true],
    [{ asked: now - 2 * DAY_MS }, {}, false],
    [{ asked: now - 2 * DAY_MS, isAiring: true }, {}, true],
    [{ isChanged: true }, {}, true],
    [{ parts: '0/0' }, {}, true],
    [{ state: 'none', isChanged: true, asked: 0 }, {}, false],
    [{ state: 'unsure' }, {}, true],
    [{ state: 'unsure', described: 'x' }, {}, false],
    [{ state: 'not-found', described: 'x', asked: now - 31 * DAY_MS }, {}, true],
    [{ asked: now + DAY_MS }, {}, true],
  ];
  for (const [own, other, due] of cases)
    assert.equal(isDue({ ...work, ...other }, own && { ...row, ...own }, now), due, JSON.stringify([own, other]));

  const { w, run, asked, clock, fixtures } = await open(t);
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true });
  await w.scan();
  await run();
  clock.pass(2 * DAY_MS);
  await run();
  assert.deepEqual([asked('/movie/changes'), asked('/movie/101')], [1, 1], 'the list is read once a day');
  fixtures.changed = { movie: [101, 7], tv: [] };
  clock.pass(DAY_MS + 1);
  await run();
  assert.deepEqual([asked('/movie/changes'), asked('/movie/101')], [2, 2], 'a changed work is read again');
  clock.pass(DAY_MS + 1);
  fixtures.changed = { movie: [7], tv: [] };
  await run();
  assert.equal(asked('/movie/101'), 2);
});

test('bad times end a run without a change, facts stay for six months, and the work is known afterwards', async (t) => {
  const { w, run, standIn, clock, shown, metadata, asked } = await open(t);
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true, 'Beta (2002)/Beta (2002).mp4': true });
  await w.scan();
  await run();
  const pier = await w.id('The Long Pier');
  const before = await shown(pier);
  assert.equal(before?.plot, 'Two sisters rebuild a pier.');
  for (const fault of ['503', 'html', 'truncated', 'rate-limited', 'unauthorized', 'reset'] as const) {
    standIn.fault({ fault, on: 'other' });
    const { left, refreshed } = await run({ mode: 'all' });
    assert.ok(left > 0 && refreshed === 0, fault);
    assert.deepEqual(await shown(pier), before, fault);
    assert.equal(await metadata.upkeep.hasDue(), false, `${fault}: paused`);
    const sent = standIn.requests.length;
    assert.ok((await run({ mode: 'all' })).left > 0);
    assert.equal(standIn.requests.length, sent, `${fault}: nothing is sent in the pause`);
    clock.pass(fault === 'unauthorized' ? DAY_MS : 60 * MINUTE_MS);
  }
  // A picture that is gone changes neither words nor the picture that is there.
  standIn.fault({ fault: 'expired-link', on: 'file' });
  await run({ mode: 'all', images: true });
  assert.deepEqual((await shown(pier))?.images, before.images);

  clock.pass(179 * DAY_MS);
  standIn.fault({ fault: '503', times: 50 });
  await run();
  assert.equal((await shown(pier))?.plot, before.plot, 'kept for six months');
  clock.pass(3 * DAY_MS);
  await run();
  assert.equal((await shown(pier))?.plot, undefined, 'and not longer');
  standIn.reset();
  clock.pass(60 * MINUTE_MS);
  const searched = asked('/search/movie');
  await run();
  assert.equal((await shown(pier))?.plot, before.plot);
  // Beta, which was not found, is searched for; the film is read by the id that is still known.
  assert.equal(standIn.requests.filter(({ query }) => query.get('query') === 'The Long Pier').length, 0);
  assert.ok(asked('/search/movie') >= searched);
});

test('without a provider nothing is asked, nothing is due, and a run ends', async (t) => {
  const { w, run, standIn, metadata } = await open(t, { isConfigured: false });
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true });
  await w.scan();
  assert.equal(await metadata.upkeep.hasDue(), false);
  assert.deepEqual(await run({ mode: 'all' }), { refreshed: 0, unsure: 0, notFound: 0, left: 0 });
  assert.deepEqual(await metadata.offered.of(await w.id('The Long Pier')), []);
  assert.equal(standIn.requests.length, 0);
});

test('each library has its own language and country, and one that is not looked up is not asked for', async (t) => {
  const { w, make, clock, standIn, asked } = await open(t);
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true });
  const run = async (options: LibraryOptions) => {
    await w.again([{ name: 'films', path: w.at('films'), kind: 'movies', ...options }]);
    await w.scan();
    clock.pass(1);
    await make().upkeep.run({ ...DUE, mode: 'all', since: clock.now() }, () => {}, SIGNAL);
  };
  await run({ internet: false });
  assert.equal(standIn.requests.length, 0);
  await run({ language: 'fr', country: 'us' });
  assert.equal(asked('/movie/101'), 1);
  assert.ok(
    standIn.requests
      .filter(({ path }) => path.includes('/movie/'))
      .every(({ query }) => query.get('language') === 'fr'),
  );
  assert.match((await w.seen().item(await w.id('The Long Pier')))?.rating ?? '', /^US:/);
});

test('a run that is stopped in the middle leaves whole items, and the next one does the rest', async (t) => {
  const { w, metadata, clock } = await open(t);
  grow(w.at('films'), FILES);
  await w.scan();
  const stop = new AbortController();
  const cut = metadata.upkeep.run({ ...DUE, since: clock.now() }, () => stop.abort(), stop.signal);
  await assert.rejects(cut, (error: Error) => error.name === 'AbortError' || error instanceof Failure);
  const report = await metadata.upkeep.run({ ...DUE, since: clock.now() }, () => {}, SIGNAL);
  assert.equal(report.left, 0);
  const [pier] = await w.catalog.background.layers.read([await w.id('The Long Pier')]);
  assert.ok(pier?.layers.tmdb?.plot && pier.layers.tmdb.images?.poster, 'words and pictures together');
});

test('a removal that a crash cut off is finished by the next run', async (t) => {
  const { w, run, db, shown, clock } = await open(t);
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true });
  await w.scan();
  await run();
  const pier = await w.id('The Long Pier');
  const row = await matchStore(db).of(pier);
  assert.ok(row);
  const { isChanged: _isChanged, ...record } = row;
  await matchStore(db).put({ ...record, state: 'none', candidates: [] });
  clock.pass(MINUTE_MS);
  await run();
  assert.equal((await shown(pier))?.plot, undefined);
});

test('pictures that the provider offers can be chosen, before the folder and before its own', async (t) => {
  const { w, run, metadata, fixtures, asked } = await open(t);
  Object.assign(fixtures.films[0] as object, {
    images: {
      posters: [
        { file_path: '/pier.png', iso_639_1: 'fr', width: 500, height: 750 },
        { file_path: '/other.png', iso_639_1: 'en', width: 1000, height: 1500 },
      ],
      backdrops: [{ file_path: '/../secret.png', iso_639_1: null }],
    },
  });
  w.catalog.useOfferedPictures(metadata.offered);
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true });
  await w.scan();
  await run();
  const pier = await w.id('The Long Pier');
  const { edits } = w.catalog.admin;
  const { items } = await edits.images.list(w.seen(), pier);
  const posters = items.find(({ kind }) => kind === 'poster')?.candidates ?? [];
  assert.deepEqual(
    posters.map(({ source, shown: isShown, language, width }) => [source, isShown, language, width]),
    [
      ['tmdb', true, undefined, undefined],
      ['tmdb', false, 'en', 1000],
      ['tmdb', false, 'fr', 500],
    ],
  );
  const candidate = posters[1]?.id ?? '';
  const chosen = await edits.images.choose(w.seen(), { id: pier, kind: 'poster', candidate }, SIGNAL);
  assert.equal(chosen.items.find(({ kind }) => kind === 'poster')?.chosen, true);
  assert.equal(asked('/t/p/w780/other.png'), 1);
  assert.equal(asked('/movie/101/images'), 1, 'the list is kept for a while');
  await assert.rejects(metadata.offered.fetch(pier, 'tmdb-none', SIGNAL), { reason: 'no-such-picture' });
  const backdrop = (await metadata.offered.of(pier)).find(({ kind }) => kind === 'backdrop')?.id ?? '';
  await assert.rejects(metadata.offered.fetch(pier, backdrop, SIGNAL), { reason: 'no-such-picture' });
});

test('facts of episodes and seasons, and the sizes of pictures', () => {
  const episode = { episode_number: 4, name: 'Folge 4', overview: ' ', air_date: null };
  assert.deepEqual(episodeFactsOf([]), {});
  assert.deepEqual(episodeFactsOf([episode]), {});
  assert.equal(episodeFactsOf([{ ...episode, name: 'The 4' }]).title, undefined);
  assert.equal(episodeFactsOf([{ ...episode, name: '4 Days Later' }]).title, '4 Days Later');
  assert.equal(
    episodeFactsOf([
      { ...episode, name: 'A' },
      { ...episode, name: 'B', episode_number: 5 },
    ]).title,
    'A / B',
  );
  assert.deepEqual(seasonFactsOf({ season_number: 2, name: 'Season 2' }), {});
  assert.deepEqual(seasonFactsOf({ season_number: 0, name: 'Extras' }), {});
  assert.equal(seasonFactsOf({ season_number: 2, name: 'The Return' }).title, 'The Return');
  assert.deepEqual(
    [sizeFor(['w92', 'w780', 'w500', 'original'], 500), sizeFor(['w92', 'original'], 500), sizeFor([], 500)],
    ['w500', 'original', 'original'],
  );
});
