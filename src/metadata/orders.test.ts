/** Other orders of episodes: which seasons they make, and that a choice changes the facts of episodes, and back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_FILMS, EXAMPLE_SHOWS } from '../../test/stand-ins/metadata-fixtures.ts';
import { fakeMetadata, METADATA_TOKEN } from '../../test/stand-ins/metadata.ts';
import { startElsewhere, startStandIn } from '../../test/stand-ins/server.ts';
import { until } from '../../test/until.ts';
import { recordingLog } from '../../test/recording-log.ts';
import { fakeClock } from '../../test/world.ts';
import { grow, openWorld } from '../catalog/testing/world.ts';
import { Failure } from '../lib/failure.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { createNet } from '../lib/net.ts';
import { createMetadataClient } from './client.ts';
import { createEpisodeOrders } from './orders.ts';
import { createMetadata, metadataMigrations } from './index.ts';
import { orderedSeasons, seasonsInOrder } from './ordered-seasons.ts';

const SIGNAL = new AbortController().signal;
const DVD = '5acf93e60e0a26346d0000ce';
const BACKWARDS = '5acf93e60e0a26346d0000cf';

test('groups become seasons, with and without specials, and places become numbers', () => {
  const group = (order: number, name = `G${order}`) => ({ order, name, episodes: [] });
  const numbers = (...groups: ReturnType<typeof group>[]) => orderedSeasons({ groups }).map(({ season }) => season);
  assert.deepEqual(numbers(group(0)), [1], 'a single group is season 1');
  assert.deepEqual(numbers(group(0, 'Specials'), group(1)), [0, 1]);
  assert.deepEqual(numbers(group(0), group(1)), [1, 2], 'a list that begins at 0 without specials');
  assert.deepEqual(numbers(group(1), group(2)), [1, 2]);
  assert.deepEqual(numbers(), []);
  const [season] = orderedSeasons({
    groups: [
      {
        order: 1,
        name: 'All',
        episodes: [
          { order: 2, season_number: 9, episode_number: 1 },
          { order: 1, season_number: 2, episode_number: 4 },
          { order: 0, season_number: 1, episode_number: 7 },
        ],
      },
    ],
  });
  assert.ok(season);
  const usual = new Map([
    [1, { season_number: 1, episodes: [{ episode_number: 7, name: 'Seven', overview: 'It was 7.' }] }],
    [2, { season_number: 2, episodes: [{ episode_number: 4, name: 'Folge 4' }] }],
  ]);
  assert.deepEqual(seasonsInOrder([season], usual).get(1)?.episodes, [
    { episode_number: 1, name: 'Seven', overview: 'It was 7.' },
    { episode_number: 2, name: '' },
  ]);
});

test('a chosen order changes the facts of episodes, is kept by a refresh, and is undone', async (t) => {
  const elsewhere = await startElsewhere();
  const fixtures = { films: EXAMPLE_FILMS, shows: EXAMPLE_SHOWS };
  const standIn = await startStandIn(() => fakeMetadata(() => performance.now(), fixtures), {
    elsewhere: elsewhere.url,
  });
  const net = createNet({ version: 'test' });
  t.after(async () => {
    standIn.drop();
    await net.close();
    await elsewhere.close();
    await standIn.close();
  });
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  const [clock, log] = [fakeClock(), recordingLog([])];
  const client = createMetadataClient({
    ...{ net, clock, log, token: METADATA_TOKEN },
    url: standIn.url,
    imageUrl: standIn.url.replace('/3', '/t/p'),
  });
  const metadata = createMetadata({
    ...{ client, clock, log, catalog: w.catalog.background },
    db: await openTemporaryDatabase(t, metadataMigrations),
    preferencesOf: () => ({ language: 'en', country: 'de', isAskedFor: true }),
  });
  const at = (n: number) => `Lantern Street (2010)/Season 1/Lantern Street S01E0${n}.mkv`;
  grow(w.at('shows'), { [at(1)]: true, [at(2)]: true, [at(3)]: true });
  grow(w.at('films'), { 'The Long Pier (2001)/The Long Pier (2001).mp4': true });
  await w.scan();
  const show = await w.id('Lantern Street');
  const none = { items: [], chosen: null };
  assert.deepEqual(await metadata.orders.of(show, SIGNAL), none, 'it is not matched yet');
  const fails = (reason: string) => (error: unknown) => error instanceof Failure && error.reason === reason;
  await assert.rejects(metadata.orders.choose(show, DVD, SIGNAL), fails('no-such-work'));
  await assert.rejects(metadata.orders.of(await w.id('The Long Pier'), SIGNAL), fails('no-such-item'));
  assert.equal((await metadata.refresh(show, { mode: 'all', images: true }, SIGNAL)).outcome, 'refreshed');

  const plots = async () =>
    (await Promise.all([1, 2, 3].map(async (n) => w.seen().item(await w.id(`Lantern Street/1x${n}`))))).map(
      (one) => one?.plot,
    );
  const first = async () => w.seen().item(await w.id('Lantern Street/1x1'));
  const usual = ['Kit comes home.', 'It rains.', 'It burns.'];
  assert.deepEqual(await plots(), usual);
  const still = (await first())?.images?.thumb;
  const [dvd] = (await metadata.orders.of(show, SIGNAL)).items;
  assert.deepEqual(dvd, { order: DVD, name: 'DVD order', type: 'dvd', episodes: 2, seasons: 1 });
  await assert.rejects(metadata.orders.choose(show, 'a'.repeat(24), SIGNAL), fails('no-such-order'));
  assert.deepEqual(await plots(), usual);

  assert.equal((await metadata.orders.choose(show, DVD, SIGNAL)).outcome, 'refreshed');
  const ordered = ['It burns.', 'Kit comes home.', undefined];
  assert.deepEqual(await plots(), ordered, 'the third is not in this order');
  const other = await first();
  assert.equal(other?.title, 'Ash');
  assert.notEqual(other?.images?.thumb, still, 'not the picture of another episode');
  const second = await w.seen().item(await w.id('Lantern Street/1x2'));
  assert.equal(second?.images?.thumb, still, 'the picture went with its episode');
  assert.equal((await metadata.orders.of(show, SIGNAL)).chosen, DVD);
  await metadata.refresh(show, { mode: 'all', images: false }, SIGNAL);
  assert.deepEqual(await plots(), ordered, 'a refresh keeps it');

  const all = (await metadata.orders.of(show, SIGNAL)).items;
  assert.deepEqual(all[1], { order: BACKWARDS, name: 'Backwards', episodes: 3, seasons: 1 }, 'a type not known yet');
  await metadata.orders.choose(show, BACKWARDS, SIGNAL);
  assert.deepEqual(await plots(), usual.toReversed(), 'from one order to another');

  standIn.drop();
  await assert.rejects(metadata.orders.choose(show, null, AbortSignal.timeout(0)));
  assert.deepEqual(await plots(), usual.toReversed());

  await metadata.orders.choose(show, null, SIGNAL);
  assert.deepEqual([await plots(), (await metadata.orders.of(show, SIGNAL)).chosen], [usual, null]);
  assert.equal((await first())?.images?.thumb, still);
});

test('a choice that fails leaves one that was made meanwhile', async () => {
  const stored: string[] = [];
  const asked: PromiseWithResolvers<{ outcome: 'refreshed' }>[] = [];
  const ids = [DVD, BACKWARDS];
  const orders = createEpisodeOrders({
    client: {
      read: ((_request: unknown) =>
        Promise.resolve({
          results: ids.map((id) => ({ id, name: id, type: 3, episode_count: 1, group_count: 1 })),
        })) as never,
    },
    catalog: { layers: { read: () => Promise.resolve([{ kind: 'show', library: 'l' }]) } as never },
    store: {
      of: () => Promise.resolve({ state: 'matched', work: '1' } as never),
      orderOf: () => Promise.resolve(stored.at(-1)),
      setOrder: async (_item, _work, order) => void stored.push(order),
    },
    refresh: () => {
      const reply = Promise.withResolvers<{ outcome: 'refreshed' }>();
      asked.push(reply);
      return reply.promise;
    },
    languageOf: () => 'en',
  });
  const first = orders.choose('item', BACKWARDS, SIGNAL);
  const second = orders.choose('item', DVD, SIGNAL);
  const fails = assert.rejects(first, /away/);
  await until('the first refresh', () => asked.length > 0);
  // Long enough for the second to overtake the first.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  asked[0]?.reject(new Error('away'));
  await fails;
  await until('the second refresh', () => asked.length > 1);
  asked[1]?.resolve({ outcome: 'refreshed' });
  await second;
  assert.deepEqual(stored, [BACKWARDS, '', DVD]);
});
