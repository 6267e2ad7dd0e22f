/** Batches with the whole server: the order of items, skipped ones, and the calls to providers. */
import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { type Scene, type SceneNeeds, fails, filesNextTo, openScene, SIGNAL } from '../../../test/subtitles/scene.ts';
import { makeVideo } from '../../../test/subtitles/world.ts';
import { until } from '../../../test/until.ts';
import { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { createBus } from '../../lib/bus.ts';
import { spendDownload } from '../choosing/budget.ts';
import { wantedEverywhere } from '../inventory/testing.ts';
import { providerStore } from '../store/providers.ts';
import { inventoryStore } from '../store/inventory.ts';
import { createBatches, type BatchesNeeds } from './batches.ts';

const TITLES = ['Amber Road', 'Birch House', 'Cobalt Winter', 'Dune Garden'];
const releaseOf = (title: string) => `${title.replaceAll(' ', '.')}.1999.1080p.BluRay.x264-GHOUL`;
const pathOf = (title: string) => `${title} (1999)/${releaseOf(title)}`;
/** Films of those titles, and subtitles for those that are named. */
const films = (titles: readonly string[], having: readonly string[] = titles): SceneNeeds => ({
  videos: Object.fromEntries(titles.map((title) => [pathOf(title), {}])),
  fixtures: {
    items: titles.map((title) => ({
      kind: 'movie',
      title,
      year: 1999,
      duration: 60,
      subtitles: having.includes(title) ? [{ language: 'en', releases: [releaseOf(title)], trusted: true }] : [],
    })),
  },
});
const wanted = async (s: Scene, limit?: number) => {
  const reply = await s.subtitles.batches.fetchWanted({ ...(limit !== undefined && { limit }) }, SIGNAL);
  return endpoints.fetchWanted.result.parse(reply);
};
const outcomes = (reply: { results: { outcome: string }[] }) => reply.results.map(({ outcome }) => outcome);
const HOUR = 3_600_000;

test('missing subtitles are fetched up to a limit, and unsuccessful searches are paused', async (t) => {
  const s = await openScene(t, films(TITLES, ['Amber Road', 'Birch House']));
  const first = await wanted(s, 3);
  assert.deepEqual(
    [
      first.attempted,
      first.written + first.results.filter(({ outcome }) => outcome === 'nothing').length,
      first.failed,
    ],
    [3, 3, 0],
  );
  assert.equal((await wanted(s)).attempted, 1, 'only the one that was not tried yet');
  const { ready, unavailable } = await s.inventory();
  assert.deepEqual([ready, unavailable], [2, 2]);
  const asked = s.calls().length;
  assert.deepEqual(await wanted(s), { attempted: 0, written: 0, failed: 0, results: [] });
  assert.equal(s.calls().length, asked, 'nobody was asked');
  await s.restart();
  assert.equal((await wanted(s)).attempted, 0, 'over a restart too');
  s.clock.at += 16 * HOUR;
  assert.deepEqual(outcomes(await wanted(s)), ['nothing', 'nothing']);
  s.clock.at += 16 * HOUR;
  assert.equal((await wanted(s)).attempted, 0, 'it waits longer each time');
  s.clock.at += 16 * HOUR;
  assert.equal((await wanted(s)).attempted, 2);
});

test('nothing was found at the providers that could be asked', async (t) => {
  const s = await openScene(t, films(['Amber Road'], []));
  s.standIns.subtitles_c.fault({ fault: '503', on: 'search', times: 9 });
  const { results } = await wanted(s);
  assert.deepEqual(
    results.map(({ outcome, reason }) => [outcome, reason]),
    [['nothing', 'no provider that could be asked has a subtitle for this video in this language']],
  );
});

test('with another provider all searches are due again', async (t) => {
  const s = await openScene(t, {
    ...films(['Amber Road']),
    providers: ['subtitles_a'],
    fixtures: {
      items: [
        {
          kind: 'movie',
          title: 'Amber Road',
          year: 1999,
          duration: 60,
          subtitles: [{ language: 'en', releases: [releaseOf('Amber Road')], providers: ['subtitles_b'] }],
        },
      ],
    },
  });
  assert.deepEqual(outcomes(await wanted(s)), ['nothing']);
  await s.restart();
  assert.equal((await wanted(s)).attempted, 0);
  await s.restart(
    Object.fromEntries(Object.entries(s.standIns.environment).filter(([name]) => name.includes('SUBTITLES_B'))),
  );
  assert.deepEqual(outcomes(await wanted(s)), ['written']);
});

test('the oldest search comes first, and what was never searched for before it', async (t) => {
  const s = await openScene(t, films(TITLES, []));
  const ids = await Promise.all(TITLES.map((title) => s.idOf(title)));
  const store = inventoryStore(s.db);
  for (const [n, at] of [
    [0, 300],
    [1, 100],
    [3, 200],
  ] as const)
    await store.searched(ids[n] ?? '', { language: 'en', role: 'normal' }, { at, outcome: 'failed', why: null });
  const { results } = await wanted(s);
  assert.deepEqual(
    results.map(({ id }) => TITLES[ids.indexOf(id)]),
    ['Cobalt Winter', 'Birch House', 'Dune Garden', 'Amber Road'],
  );
});

test('a batch right after a scan includes what the scan found', async (t) => {
  const s = await openScene(t, films(['Amber Road', 'Birch House'], ['Amber Road']));
  assert.equal((await wanted(s)).attempted, 2);
  const scan = async (): Promise<void> => {
    await makeVideo(join(s.media, `${pathOf(`Elm Street ${(n += 1)}`)}.mkv`), {});
    // Unlike `scan` of the scene, which waits until the inventory has followed.
    await s.tasks.ended((await s.tasks.start('scan', {})).id);
  };
  let n = 0;
  await scan();
  assert.equal((await wanted(s)).attempted, 1, 'on request');
  await scan();
  assert.equal((await ended(s, 'fetch-wanted')).detail, '1 not found');
});

test('another language than the configured one', async (t) => {
  const s = await openScene(t, films(['Amber Road']));
  assert.deepEqual(
    (await s.subtitles.batches.fetchWanted({ language: 'de' }, SIGNAL)).results.map(({ language, outcome }) => [
      language,
      outcome,
    ]),
    [['de', 'nothing']],
  );
  assert.deepEqual(outcomes(await wanted(s)), ['written']);
});

test('two wanted languages, one of them also for the hard of hearing', async (t) => {
  const releases = [releaseOf('Amber Road')];
  const offer = { releases, trusted: true };
  const item = { kind: 'movie' as const, title: 'Amber Road', year: 1999, duration: 60 };
  const sdh = { ...offer, language: 'en', hearingImpaired: true };
  const s = await openScene(t, {
    ...films(['Amber Road', 'Birch House'], []),
    fixtures: { items: [{ ...item, subtitles: [{ ...offer, language: 'en' }, sdh, { ...offer, language: 'de' }] }] },
    env: { SERVICE_SUBTITLES_WANTED: '[{"language":"de"},{"language":"en","kind":"sdh"}]' },
  });
  const before = await s.inventory({ view: 'wanted', sort: 'title' });
  assert.deepEqual(before.languages, ['en', 'de']);
  assert.deepEqual(
    before.wants.map(({ language, role }) => `${language} ${role}`),
    ['en normal', 'de normal', 'en sdh'],
  );
  assert.deepEqual(before.items[0]?.missing, ['en', 'de']);
  const { results } = await wanted(s);
  assert.deepEqual(
    results.map(({ language, role, outcome }) => `${language} ${role} ${outcome}`).sort(),
    ['de normal nothing', 'de normal written', 'en normal nothing', 'en sdh nothing', 'en sdh written'],
    'the one for the hard of hearing has every line of a regular one, which is not fetched too',
  );
  assert.deepEqual(
    (await filesNextTo(s, pathOf('Amber Road'))).filter((name) => name.endsWith('.srt')),
    [`${releaseOf('Amber Road')}.de.srt`, `${releaseOf('Amber Road')}.en.sdh.srt`],
  );
  const after = await s.inventory();
  assert.deepEqual([after.ready, after.unavailable], [1, 1]);
  assert.deepEqual(
    after.byWanted.map(({ language, role, ready }) => `${language} ${role} ${ready}`),
    ['en normal 1', 'de normal 1', 'en sdh 1'],
  );
  const search = s.standIns.subtitles_c.requests.filter(({ step }) => step === 'search');
  assert.ok(
    search.some(({ query }) => query.get('hearing_impaired') === 'only'),
    'asked for the kind',
  );
});

test('a regular subtitle never covers a wanted one for the hard of hearing', async (t) => {
  const s = await openScene(t, {
    ...films(['Amber Road']),
    env: { SERVICE_SUBTITLES_WANTED: '[{"language":"en","kind":"sdh"}]' },
  });
  const { results } = await wanted(s);
  assert.deepEqual(
    results.map(({ role, outcome }) => `${role} ${outcome}`),
    ['sdh refused', 'normal written'],
  );
  const [item] = (await s.inventory()).items;
  assert.deepEqual([item?.ready, item?.lacks], [false, [{ language: 'en', role: 'sdh' }]]);
  assert.deepEqual(
    item?.languages.map(({ language, role, installed, reason }) => [language, role, installed?.source, reason]),
    [
      ['en', 'normal', 'subtitles_c', undefined],
      ['en', 'sdh', undefined, 'what the providers offer does not match this video well enough'],
    ],
  );
});

test('without a language nothing is done, without a provider the batch fails', async (t) => {
  const mute = await openScene(t, { ...films(['Amber Road']), env: { SERVICE_SUBTITLE_LANGUAGE: '' } });
  await fails(mute.subtitles.batches.fetchWanted({}, SIGNAL), 'conflict', undefined, /no subtitle language/);
  await fails(mute.subtitles.batches.maintain({}, SIGNAL), 'conflict', undefined, /no subtitle language/);
  assert.deepEqual(mute.calls(), []);
  const alone = await openScene(t, { ...films(['Amber Road']), providers: [] });
  await fails(alone.subtitles.batches.fetchWanted({}, SIGNAL), 'unavailable', 'none-configured');
});

test('a batch is unavailable only if nothing succeeded and something failed', async (t) => {
  const s = await openScene(t, { ...films(['Amber Road', 'Birch House']), providers: ['subtitles_a'] });
  s.standIns.subtitles_a.fault({ fault: '503', on: 'search', times: 1 });
  const failure = await fails(s.subtitles.batches.fetchWanted({}, SIGNAL), 'unavailable', 'providers-failing');
  assert.ok((failure.members.retryAfterSeconds ?? 0) > 0);
  assert.equal(s.calls().length, 1, 'the second was not asked for: nobody may be asked now');
  await fails(s.subtitles.batches.fetchWanted({}, SIGNAL), 'unavailable', 'providers-failing', /yet/);
  assert.equal(s.calls().length, 1);
  s.clock.at += 61_000;
  s.standIns.subtitles_a.fault({ fault: 'zip-slip', on: 'file' });
  const mixed = await wanted(s);
  assert.deepEqual([mixed.attempted, mixed.written, mixed.failed], [2, 1, 1]);
  const failed = mixed.results.find(({ outcome }) => outcome === 'failed');
  assert.ok(failed?.reason && failed.failure, JSON.stringify(failed));
});

test('a batch stops when all providers are paused, and reports what it did', async (t) => {
  const s = await openScene(t, { ...films(TITLES), providers: ['subtitles_a'] });
  const ids = await Promise.all(TITLES.map((title) => s.idOf(title)));
  await s.fetch(ids[3] ?? '');
  const before = s.calls().length;
  s.standIns.subtitles_a.fault({ fault: 'quota', on: 'search', times: 9 });
  await fails(s.subtitles.batches.fetchWanted({}, SIGNAL), 'unavailable', 'providers-failing');
  assert.equal(s.calls().length, before + 1);
});

test('one batch at a time: a second fails at once, without asking a provider', async (t) => {
  const s = await openScene(t, { ...films(['Amber Road']), providers: ['subtitles_a'] });
  s.standIns.subtitles_a.fault({ fault: 'hang', on: 'search' });
  const leave = new AbortController();
  const first = s.subtitles.batches.fetchWanted({}, leave.signal);
  await until('a provider to be asked', () => s.calls().length >= 1);
  await fails(
    s.subtitles.batches.fetchWanted({}, SIGNAL),
    'conflict',
    undefined,
    /another batch of subtitles is running/,
  );
  await fails(s.subtitles.batches.maintain({}, SIGNAL), 'conflict', undefined, /another batch of subtitles is running/);
  leave.abort(new Error('left'));
  await assert.rejects(first, /left/);
  assert.equal(s.calls().length, 1);
  assert.deepEqual(outcomes(await wanted(s)), ['written'], "the client that left is nobody's fault");
});

test('an item with a local obstacle fails alone, and others come first', async (t) => {
  const s = await openScene(t, films(['Amber Road', 'Birch House']));
  await rename(dirname(join(s.media, pathOf('Amber Road'))), join(s.folder, 'elsewhere'));
  const reply = await wanted(s);
  assert.deepEqual([reply.attempted, reply.written, reply.failed], [2, 1, 1]);
  assert.deepEqual(outcomes(await wanted(s)), [], 'it waits an hour');
  s.clock.at += 2 * HOUR;
  await fails(s.subtitles.batches.fetchWanted({}, SIGNAL), 'unavailable', undefined, /cannot be reached/);
  s.clock.at += 30 * HOUR;
  const { state, detail } = await ended(s, 'subtitle-upkeep');
  assert.deepEqual([state, detail], ['done', '1 kept, 1 failed'], 'the run itself did what it could');
});

test('forty automatic downloads a day from subtitles_a, and no search after them', async (t) => {
  const s = await openScene(t, { ...films(['Amber Road', 'Birch House']), providers: ['subtitles_a'] });
  const store = providerStore(s.db);
  const today = s.clock.at;
  for (let n = 0; n < 39; n++)
    assert.ok(await store.spend('subtitles_a', (before) => spendDownload(before, 'subtitles_a', today)));
  assert.deepEqual(outcomes(await wanted(s)), ['written']);
  const asked = s.calls().length;
  const failure = await fails(s.subtitles.batches.fetchWanted({}, SIGNAL), 'unavailable', 'providers-failing');
  assert.ok((failure.members.retryAfterSeconds ?? 0) > 0);
  assert.equal(s.calls().length, asked);
  const left = (await s.inventory({ view: 'wanted' })).items[0]?.id ?? '';
  assert.equal((await s.fetch(left)).source, 'subtitles_a', 'what a person asks for is not counted');
});

const ended = async (s: Scene, name: string, input: object = {}) =>
  s.tasks.ended((await s.tasks.start(name, input)).id);

test('the task for all missing subtitles, of one library or all', async (t) => {
  const s = await openScene(t, films(TITLES));
  assert.equal((await ended(s, 'fetch-wanted', { library: '0123456789abcdef' })).detail, 'nothing is due');
  const seen: number[] = [];
  const stop = s.tasks.watch((task) => void (task.name === 'fetch-wanted' && seen.push(task.progress)));
  const done = await ended(s, 'fetch-wanted');
  stop();
  assert.deepEqual([done.state, done.detail], ['done', '4 fetched']);
  assert.ok(seen.includes(1));
  assert.equal((await s.inventory()).ready, 4);
  await assert.rejects(s.tasks.start('fetch-wanted', { limit: 3 }), /does not take/);
});

test('a cancelled task leaves the rest missing', async (t) => {
  const s = await openScene(t, { ...films(TITLES), providers: ['subtitles_a'] });
  s.standIns.subtitles_a.fault({ fault: 'hang', on: 'search' });
  const { id } = await s.tasks.start('fetch-wanted');
  await until('a provider to be asked', () => s.calls().length >= 1);
  await s.tasks.cancel(id);
  assert.equal((await s.tasks.ended(id)).state, 'cancelled');
  assert.equal((await s.inventory()).wanted, 4);
});

test('upkeep does not start without a language or a provider', async (t) => {
  const every = (s: Scene) => s.tasks.declarations.find(({ name }) => name === 'subtitle-upkeep')?.every?.();
  const mute = await openScene(t, { ...films(['Amber Road']), env: { SERVICE_SUBTITLE_LANGUAGE: '' } });
  const alone = await openScene(t, { ...films(['Amber Road']), providers: [] });
  const ready = await openScene(t, films(['Amber Road']));
  assert.deepEqual([every(mute), every(alone), every(ready)], [undefined, undefined, 24 * HOUR]);
  assert.match((await ended(mute, 'subtitle-upkeep')).detail ?? '', /no subtitle language/);
  assert.match((await ended(alone, 'subtitle-upkeep')).detail ?? '', /no subtitle provider/);
  assert.deepEqual([mute.calls(), alone.calls()], [[], []]);
  assert.equal((await ended(ready, 'subtitle-upkeep')).detail, '1 fetched');
});

test('upkeep starts when the catalogue is quiet and something is due, and not otherwise', async (t) => {
  const follow = (
    t2: TestContext,
    { due, isConfigured = true, isAny = true }: { due: number; isConfigured?: boolean; isAny?: boolean },
  ): { begun: string[]; change(): void } => {
    const bus = createBus(() => assert.fail());
    const begun: string[] = [];
    const needs = {
      bus,
      now: () => 0,
      wanted: wantedEverywhere(isConfigured ? ['en'] : []),
      catalog: { libraries: () => [{ id: 'a', isOnline: true }] },
      log: { fault: () => assert.fail() },
      inventory: { shapes: async () => [] },
      upkeep: { countMissing: async () => due },
      providers: { configured: () => [{}], available: async () => ({ isAny, nextRetry: undefined }) },
      calm: { quietMs: 1, mostMs: 50 },
    } as unknown as BatchesNeeds;
    const stop = createBatches(needs).follow((name) => void begun.push(name));
    t2.after(stop);
    return { begun, change: () => bus.announce('catalog.changed') };
  };
  const cases = [
    follow(t, { due: 0 }),
    follow(t, { due: 2, isConfigured: false }),
    follow(t, { due: 2, isAny: false }),
    follow(t, { due: 2 }),
  ];
  for (const one of cases) for (let n = 0; n < 3; n++) one.change();
  await until('upkeep to begin', () => cases.at(-1)?.begun.length !== 0);
  assert.deepEqual(
    cases.map(({ begun }) => begun),
    [[], [], [], ['subtitle-upkeep']],
  );
});
