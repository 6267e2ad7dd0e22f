/** Online metadata against a stand-in of TMDB: the client in bad times, matching with refusal, and what is written. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startElsewhere, startStandIn } from '../../test/stand-ins/server.ts';
import { fakeMetadata, METADATA_KEY, METADATA_TOKEN } from '../../test/stand-ins/metadata.ts';
import { EXAMPLE_FILMS, EXAMPLE_SHOWS, type MetadataFixtures } from '../../test/stand-ins/metadata-fixtures.ts';
import { until } from '../../test/until.ts';
import { recordingLog } from '../../test/recording-log.ts';
import { fakeClock } from '../../test/world.ts';
import { grow, openWorld } from '../catalog/testing/world.ts';
import { Failure } from '../lib/failure.ts';
import { createLog } from '../lib/log.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { quietLog } from '../lib/process/testing.ts';
import { createNet, type NetReply } from '../lib/net.ts';
import { createMetadataClient } from './client.ts';
import { confidenceOf, isCertain } from './confidence.ts';
import { layerFactsOf, ratingOf } from './facts.ts';
import { createMetadata, metadataMigrations } from './index.ts';
import { FilmPage, ShowPage } from './replies.ts';
import { createWorks } from './works.ts';

const SIGNAL = new AbortController().signal;
const MINUTE_MS = 60_000;
const fails =
  (reason: string, words = '') =>
  (error: unknown) =>
    error instanceof Failure &&
    error.reason === reason &&
    error.message.includes(words) &&
    ![METADATA_TOKEN, METADATA_KEY].some((secret) => error.message.includes(secret));

async function open(
  t: TestContext,
  {
    token = METADATA_TOKEN,
    timeoutMs = 30_000,
    fixtures,
  }: { token?: string; timeoutMs?: number; fixtures?: MetadataFixtures } = {},
) {
  const elsewhere = await startElsewhere();
  const standIn = await startStandIn(() => fakeMetadata(() => performance.now(), fixtures), {
    elsewhere: elsewhere.url,
  });
  const clock = fakeClock();
  const lines: string[] = [];
  const net = createNet({ version: 'test' });
  const log = recordingLog(lines);
  const client = createMetadataClient({
    net,
    clock,
    log,
    url: standIn.url,
    imageUrl: standIn.url.replace('/3', '/t/p'),
    token,
    timeoutMs,
  });
  t.after(async () => {
    standIn.drop();
    await net.close();
    await elsewhere.close();
    await standIn.close();
    assert.ok(![...lines, ...standIn.leaks].some((line) => line.includes(token)), 'no credential in the log');
  });
  const film = (id = '101') =>
    client.read({ path: `/movie/${id}`, query: { language: 'en' }, shape: FilmPage }, SIGNAL);
  return { standIn, clock, client, film, lines };
}

test('a reply to a request from before a pause does not end the pause', async () => {
  const answers: ((status: number) => void)[] = [];
  const request = () =>
    new Promise<NetReply>((resolve) =>
      answers.push((status) =>
        resolve({
          status,
          headers: { 'retry-after': '60' },
          bytes: Buffer.from('{"id":101,"title":"Pier"}'),
        } as NetReply),
      ),
    );
  const client = createMetadataClient({
    net: { request },
    clock: fakeClock(),
    log: createLog({ level: 'error', write: () => {} }),
    url: 'https://metadata.test/3',
    imageUrl: undefined,
    token: METADATA_TOKEN,
  });
  const film = () => client.read({ path: '/movie/101', shape: FilmPage }, SIGNAL);
  const [slow, refused] = [film(), film()];
  await until('both requests to be sent', () => answers.length === 2);
  answers[1]?.(429);
  await assert.rejects(refused, fails('metadata-limited'));
  answers[0]?.(200);
  await slow;
  await assert.rejects(film(), fails('metadata-limited'));
  assert.equal(answers.length, 2, 'nothing was sent in the pause');
});

test('a token is sent as Bearer and a key in the address, and neither for pictures', async (t) => {
  const one = await open(t);
  await one.client.test(SIGNAL);
  assert.equal((await one.film())?.title, 'The Long Pier');
  assert.ok((await one.client.picture('w780', '/pier.png', SIGNAL))?.length);
  assert.equal(await one.client.picture('w780', '/gone.png', SIGNAL), undefined, 'a picture that is gone');
  assert.equal(await one.client.picture('w780', '/../3/movie/101.png', SIGNAL), undefined, 'a path that is none');
  assert.equal(await one.film('999'), undefined, 'an id that has moved');
  const two = await open(t, { token: METADATA_KEY });
  await two.client.test(SIGNAL);
  two.standIn.fault({ fault: 'reset' });
  await assert.rejects(two.film(), fails('metadata-unreachable'));
  assert.deepEqual(
    two.standIn.requests.map(({ query, headers }) => [query.has('api_key'), 'authorization' in headers]),
    [
      [true, false],
      [true, false],
    ],
  );
});

test('bad times pause all requests, and a valid reply ends the pause', async (t) => {
  // The reply of `slow` never ends; all others have time enough on a busy machine.
  const { standIn, clock, client, film, lines } = await open(t, { timeoutMs: 4000 });
  const asked = () => standIn.requests.length;
  // More often than a minute each time, and never longer than an hour.
  for (const [index, [fault, reason]] of (
    [
      ['503', 'metadata-down'],
      ['html', 'metadata-reply-invalid'],
      ['truncated', 'metadata-reply-invalid'],
      ['reset', 'metadata-unreachable'],
      ['slow', 'metadata-late'],
      ['too-large', 'metadata-unreachable'],
      ['502', 'metadata-down'],
      ['500', 'metadata-down'],
    ] as const
  ).entries()) {
    standIn.fault({ fault });
    await assert.rejects(film(), fails(reason), fault);
    const before = asked();
    clock.pass(Math.min(60, 2 ** index) * MINUTE_MS - 1);
    await assert.rejects(film(), fails(reason), `${fault}: paused`);
    assert.equal(asked(), before, `${fault}: nothing is sent in the pause`);
    clock.pass(1);
  }
  assert.ok(await film());
  standIn.fault({ fault: 'rate-limited', retryAfter: 7 });
  await assert.rejects(film(), fails('metadata-limited', 'no more requests'));
  clock.pass(6999);
  await assert.rejects(film(), fails('metadata-limited', 'no more requests'));
  clock.pass(1);
  assert.ok(await film());
  standIn.fault({ fault: 'unauthorized' });
  await assert.rejects(film(), fails('metadata-token-refused', 'access token'));
  clock.pass(24 * 60 * MINUTE_MS - 1);
  await assert.rejects(film(), fails('metadata-token-refused', 'access token'));
  await client.test(SIGNAL);
  assert.ok(await film(), 'a test ends the pause');
  assert.ok(lines.some((line) => line.includes('metadata.paused')));
});

test('no more than 20 requests arrive in a second', async (t) => {
  const { film, standIn } = await open(t);
  await Promise.all(Array.from({ length: 45 }, () => film()));
  assert.deepEqual(standIn.leaks, []);
  assert.equal(standIn.requests.length, 45);
});

test('confidence: the points of each fact, and when it is certain', () => {
  const wanted = { kind: 'movie', titles: ['Die Brücke & ich'], year: 2001, duration: 6000 } as const;
  const offered = { id: '1', titles: ['x', 'die brucke and ich!'], year: 2001, durations: [6300] };
  assert.equal(confidenceOf(wanted, offered).confidence, 100);
  assert.equal(confidenceOf(wanted, { ...offered, durations: [6320] }).confidence, 80);
  assert.equal(confidenceOf(wanted, { ...offered, year: 2002 }).confidence, 90);
  assert.equal(confidenceOf(wanted, { ...offered, year: 2003 }).confidence, 70);
  assert.equal(confidenceOf(wanted, { ...offered, titles: ['x'] }).confidence, 55);
  assert.equal(confidenceOf({ ...wanted, kind: 'show', seasons: 3 }, { ...offered, seasons: 2 }).confidence, 50);
  assert.equal(confidenceOf(wanted, { ...offered, durations: [600] }).confidence, 40);
  const undated = { ...wanted, year: undefined };
  assert.equal(confidenceOf(undated, offered).confidence, 70);
  assert.equal(confidenceOf(undated, offered, { isOnlyTitle: true }).confidence, 90);
  assert.equal(confidenceOf(undated, { ...offered, durations: [] }, { isOnlyTitle: true }).confidence, 55);
  assert.deepEqual(confidenceOf({ ...wanted, id: '1' }, { id: '1', titles: [] }).evidence, ['id']);
  assert.deepEqual(
    [isCertain([75]), isCertain([74]), isCertain([90, 83]), isCertain([90, 82])],
    [true, false, false, true],
  );
  assert.equal(isCertain([]), false);
});

test('certifications: the country, then that of origin, then the USA, by the type of release', () => {
  const film = FilmPage.parse(EXAMPLE_FILMS[0]);
  assert.equal(ratingOf(film, 'us'), 'US:PG-13');
  assert.equal(ratingOf(film, 'gb'), 'DE:12');
  assert.equal(ratingOf(ShowPage.parse(EXAMPLE_SHOWS[0]), 'de'), 'US:TV-14');
  assert.deepEqual(layerFactsOf(film, 'de'), {
    title: 'The Long Pier',
    originalTitle: 'Der lange Steg',
    year: 2001,
    released: '2001-05-04',
    rating: 'DE:12',
    communityRating: 7.3,
    plot: 'Two sisters rebuild a pier.',
    tagline: 'Plank by plank.',
    genres: ['Drama'],
    studios: ['Harbour Films'],
    people: [
      { name: 'Cy Third', job: 'director', ids: { tmdb: '3' } },
      { name: 'Ann First', job: 'actor', role: 'Mia', ids: { tmdb: '1' }, picture: '/ann.png' },
      { name: 'Bo Second', job: 'actor', role: 'Ida', ids: { tmdb: '2' } },
    ],
    set: { id: '901', name: 'Harbour Collection' },
    ids: { tmdb: '101', imdb: 'tt0000101' },
  });
  assert.equal(FilmPage.safeParse({ ...EXAMPLE_FILMS[0], genres: 'Drama' }).success, false, 'a wrong shape is refused');
});

test('an unsure match is refused, one by hand is written, and a failure changes nothing', async (t) => {
  const { client, standIn, clock } = await open(t);
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true, 'Twins (1999)/Twins (1999).mp4': true });
  grow(w.at('shows'), { 'Lantern Street (2010)/Season 1/Lantern Street S01E01.mkv': true });
  await w.scan();
  const metadata = createMetadata({
    client,
    db: await openTemporaryDatabase(t, metadataMigrations),
    clock,
    log: quietLog,
    catalog: w.catalog.background,
    preferencesOf: () => ({ language: 'de-DE', country: 'de', isAskedFor: true }),
  });
  const [pier, twins, street] = [await w.id('The Long Pier'), await w.id('Twins'), await w.id('Lantern Street')];
  const all = { mode: 'all', images: false } as const;
  const shown = async (id: string) => w.seen().item(id);

  const { items, certain } = await metadata.candidates(twins, undefined, SIGNAL);
  assert.deepEqual([items.map(({ id }) => id), certain], [['102', '103'], false]);
  assert.deepEqual(await metadata.refresh(twins, all, SIGNAL), { outcome: 'unsure' });
  assert.equal((await shown(twins))?.ids['tmdb'], undefined, 'nothing was written');
  await metadata.match(twins, '103', SIGNAL);
  assert.equal((await shown(twins))?.ids['tmdb'], '103');
  await assert.rejects(metadata.match(twins, '999', SIGNAL), fails('no-such-work'));
  assert.equal((await shown(twins))?.ids['tmdb'], '103', 'a match that fails changes nothing');
  await metadata.unmatch(twins);
  assert.equal((await shown(twins))?.ids['tmdb'], undefined);

  assert.deepEqual(await metadata.refresh(pier, all, SIGNAL), { outcome: 'refreshed' });
  const before = await shown(pier);
  assert.equal(before?.plot, 'Two sisters rebuild a pier.');
  assert.equal(before.rating, 'DE:12');
  assert.deepEqual(await metadata.refresh(pier, { mode: 'missing', images: false }, SIGNAL), { outcome: 'unchanged' });
  standIn.fault({ fault: '503' });
  await assert.rejects(metadata.refresh(pier, all, SIGNAL), fails('metadata-down'));
  assert.deepEqual(await shown(pier), before, 'a refresh that fails changes nothing');
  clock.pass(MINUTE_MS);

  assert.deepEqual(await metadata.refresh(street, all, SIGNAL), { outcome: 'refreshed' });
  const [layers] = await w.catalog.background.layers.read([street]);
  assert.equal(layers?.layers.tmdb?.rating, 'US:TV-14');
});

test('a common title is searched for in its year, too', async (t) => {
  const named = (kind: 'title' | 'name', day: string) =>
    Array.from({ length: 25 }, (_, n) => ({ id: n + 1, [kind]: 'Home', [day]: `${1990 + n}-05-01` }));
  const fixtures = { films: named('title', 'release_date'), shows: named('name', 'first_air_date') };
  const { client, standIn } = await open(t, { fixtures });
  const works = createWorks({
    client,
    picture: () => Promise.resolve(undefined),
    preferences: { language: 'en', country: undefined, isAskedFor: true },
  });
  for (const [kind, path] of [
    ['movie', '/3/search/movie'],
    ['show', '/3/search/tv'],
  ] as const) {
    const question = { kind, titles: ['Home'], year: 2014, seasons: 0 };
    const { compared } = await works.compare(question, undefined, SIGNAL);
    assert.equal(compared[0]?.page.id, 25, 'the one of the year is not on the first page');
    assert.ok(isCertain(compared.map(({ confidence }) => confidence)));
    assert.equal(standIn.requests.filter((one) => one.path === path).length, 2);
  }
});
