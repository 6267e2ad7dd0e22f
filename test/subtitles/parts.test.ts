/**
 * A film in two files: each file has its own subtitles, from the inventory to the history, and no work on one of them
 * touches the other.
 */
import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { subtitles as endpoints } from '../../src/contract/subtitles/library.ts';
import { workbench as bench } from '../../src/contract/subtitles/workbench.ts';
import { installingStore } from '../../src/subtitles/store/installing.ts';
import { inventoryStore } from '../../src/subtitles/store/inventory.ts';
import { runUntilKilled } from '../faults/killed-program.ts';
import type { Fixtures } from '../stand-ins/index.ts';
import { fails, night, openScene, RELEASE, type Scene, type SceneNeeds, SIGNAL } from './scene.ts';

const FOLDER = 'Night of the Living Dead (1968)';
const part = (n: number): string => `${FOLDER}/${RELEASE}.CD${n}`;
const SENTENCES = ['Where have you been all this time?', 'Nobody knows that we are here.'];
const lines = (from: number) =>
  Array.from({ length: 12 }, (_, n) => ({
    start: n * 4 + from,
    end: n * 4 + from + 1.5,
    text: `${SENTENCES[n % 2] ?? ''} ${from} ${n}`,
  }));
const srt = (name: string): string => `1\n00:00:01,000 --> 00:00:03,000\nGood evening from ${name}.\n`;
const discs = (...numbers: number[]): Fixtures => ({
  items: [
    {
      ...night,
      subtitles: numbers.map((n) => ({
        language: 'en',
        releases: [`${RELEASE}.CD${n}`],
        trusted: true,
        lines: lines(n),
      })),
    },
  ],
});

async function openFilm(t: TestContext, needs: SceneNeeds = {}): Promise<Scene & { id: string }> {
  const s = await openScene(t, { fixtures: discs(1, 2), videos: { [part(1)]: {}, [part(2)]: {} }, ...needs });
  return Object.assign(s, { id: await s.idOf('CD1') });
}
const names = async (s: Scene): Promise<string[]> =>
  (await readdir(join(s.media, FOLDER))).map((name) => name.slice(RELEASE.length + 1)).sort();
const text = (s: Scene, n: number): Promise<string> => readFile(join(s.media, `${part(n)}.en.srt`), 'utf8');

/** Returns the size, time and identity of every file next to the film. */
async function identities(s: Scene): Promise<Map<string, string>> {
  const all = await names(s);
  return new Map(
    await Promise.all(
      all.map(async (name): Promise<[string, string]> => {
        const { size, mtimeMs, ino } = await stat(join(s.media, FOLDER, `${RELEASE}.${name}`));
        return [name, `${size} ${mtimeMs} ${ino}`];
      }),
    ),
  );
}
/** Does work, and returns the names of the files that it wrote, changed or removed. */
async function touched(s: Scene, work: () => Promise<unknown>): Promise<string[]> {
  const before = await identities(s);
  await work();
  const after = await identities(s);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
}

test('a film in two files is ready in a language when each file has it', async (t) => {
  const s = await openFilm(t, { before: (media) => writeFile(join(media, `${part(2)}.en.srt`), srt('two')) });
  const half = await s.inventory();
  assert.deepEqual(endpoints.inventory.result.parse(half), half);
  assert.deepEqual([half.total, half.ready, half.wanted, half.matched, half.coverage], [1, 0, 1, 1, 0]);
  assert.deepEqual([half.present, half.byLanguage], [[], [{ language: 'en', ready: 0, wanted: 1 }]]);
  const [film] = half.items;
  assert.deepEqual(
    film?.parts?.map(({ part: n, file, ready, missing }) => [n, file, ready, missing]),
    [
      [1, `${part(1)}.mkv`, false, ['en']],
      [2, `${part(2)}.mkv`, true, []],
    ],
  );
  assert.deepEqual(
    [film?.missing, film?.languages[0]?.installed, film?.parts?.[1]?.languages[0]?.installed?.source],
    [['en'], undefined, 'sidecar'],
  );
  assert.equal((await s.inventory({ q: 'living' })).matched, 1);

  const fetched = await s.fetch(s.id);
  assert.deepEqual(endpoints.fetch.result.parse(fetched), fetched);
  assert.equal(fetched.file, `${part(1)}.en.srt`);
  assert.deepEqual(
    fetched.parts?.map(({ part: n, file, reason }) => [n, file, reason]),
    [
      [1, `${part(1)}.en.srt`, undefined],
      [2, undefined, 'not-needed'],
    ],
  );
  assert.equal(await text(s, 2), srt('two'), 'the file of the other part stays');
  const whole = await s.inventory();
  assert.deepEqual(
    [whole.total, whole.ready, whole.coverage, whole.present],
    [1, 1, 100, [{ language: 'en', items: 1 }]],
  );
  await fails(s.fetch(s.id), 'conflict', 'not-needed');

  await rm(join(s.media, `${part(2)}.mkv`));
  await rm(join(s.media, `${part(2)}.en.srt`));
  await s.scan();
  const [left] = (await s.inventory()).items;
  assert.deepEqual([left?.ready, left?.parts], [true, undefined], 'one file is no film in parts');
  assert.deepEqual(await inventoryStore(s.db).laterParts([s.id]), [], 'the row of the removed part is gone');
});

test('each part is searched for by itself, and receives the text of its disc', async (t) => {
  const s = await openFilm(t);
  const fetched = await s.fetch(s.id);
  assert.deepEqual(
    fetched.parts?.map(({ part: n, file }) => [n, file]),
    [1, 2].map((n) => [n, `${part(n)}.en.srt`]),
  );
  for (const n of [1, 2]) assert.match(await text(s, n), new RegExp(`this time\\? ${n} 0`));
  assert.deepEqual(await names(s), ['CD1.en.srt', 'CD1.mkv', 'CD2.en.srt', 'CD2.mkv']);

  const { history, parts } = endpoints.item.result.parse(await s.subtitles.item(s.id));
  assert.deepEqual(
    history.map(({ part: n, act }) => [n, act]),
    [
      [2, 'fetched'],
      [1, 'fetched'],
    ],
  );
  assert.deepEqual(
    parts?.map(({ languages: [state] }) => state?.installed?.managed),
    [true, true],
  );
});

test('a text of another disc is not taken, and the reply says which part lacks one', async (t) => {
  const s = await openFilm(t, { fixtures: discs(2) });
  const fetched = await s.fetch(s.id);
  assert.deepEqual(
    fetched.parts?.map(({ part: n, file, reason }) => [n, file, reason]),
    [
      [1, undefined, 'none-trusted'],
      [2, `${part(2)}.en.srt`, undefined],
    ],
  );
  assert.deepEqual(await names(s), ['CD1.mkv', 'CD2.en.srt', 'CD2.mkv']);
  const { items, ready } = await s.inventory();
  assert.deepEqual([ready, items[0]?.parts?.map((one) => one.ready)], [0, [false, true]]);
  await fails(s.subtitles.fetch({ id: s.id, part: 3 }, SIGNAL), 'missing', 'no-such-part');
});

test('a batch counts and fetches parts, and names them', async (t) => {
  const s = await openFilm(t);
  const batch = await s.subtitles.batches.fetchWanted({}, SIGNAL);
  assert.deepEqual(endpoints.fetchWanted.result.parse(batch), batch);
  assert.deepEqual(
    batch.results.map(({ id, part: n, outcome }) => [id, n, outcome]).sort(),
    [1, 2].map((n) => [s.id, n, 'written']),
  );
  assert.equal((await s.inventory()).ready, 1);
});

test('the workbench changes the subtitle of one part, and touches no other file', async (t) => {
  const s = await openFilm(t);
  await s.fetch(s.id);
  const { workbench } = s.subtitles;
  const about = { id: s.id, part: 2, language: 'en' } as const;
  const original = await text(s, 2);
  const shown = bench.inspect.result.parse(await workbench.inspect(about, SIGNAL));
  assert.equal(shown.id, s.id);
  assert.match(JSON.stringify(shown), /this time\? 2 0/);
  assert.match(JSON.stringify(await workbench.inspect({ id: s.id, language: 'en' }, SIGNAL)), /this time\? 1 0/);

  const change = { ...about, fingerprint: shown.fingerprint, offsetMilliseconds: 500 };
  assert.deepEqual(await touched(s, () => workbench.preview(change, SIGNAL)), []);
  assert.deepEqual(await touched(s, () => workbench.apply(change, SIGNAL)), ['CD2.en.srt']);
  await fails(workbench.apply({ ...change, part: 1 }, SIGNAL), 'conflict', 'subtitle-changed');
  assert.match(await text(s, 2), /00:00:02,500/);
  const exported = await workbench.export({ ...about, format: 'srt' }, SIGNAL);
  assert.match(Buffer.from(exported.bytes).toString(), /00:00:02,500/);
  assert.match(exported.filename, /CD2/);

  assert.deepEqual(await touched(s, () => workbench.restore({ ...about, to: 'previous' }, SIGNAL)), ['CD2.en.srt']);
  assert.equal(await text(s, 2), original);
  assert.equal((await workbench.installed(about)).file, `${part(2)}.en.srt`);
  assert.deepEqual(await touched(s, () => workbench.deleteInstalled(about, SIGNAL)), ['CD2.en.srt']);
  await fails(workbench.inspect({ ...about, part: 7 }, SIGNAL), 'missing', 'no-such-part');

  const states = async () =>
    (await s.subtitles.item(s.id)).parts?.map(({ ready, languages: [one] }) => [ready, one?.replaceable]);
  assert.deepEqual(
    await states(),
    [
      [true, true],
      [false, false],
    ],
    'a restore froze the language of its part',
  );
  await workbench.setReplaceable({ id: s.id, language: 'en', replaceable: false });
  assert.deepEqual((await states())?.[0], [true, false], 'without a part all parts are frozen');
});

test('a clean-up hides the files of all parts, and records each with its part', async (t) => {
  const s = await openFilm(t);
  await s.fetch(s.id);
  const policy = { enabled: true, languages: ['en'], forced: 'keep' as const };
  const { digest, count } = await s.subtitles.cleanup.plan(policy, SIGNAL);
  assert.equal(count, 2);
  assert.deepEqual(await s.subtitles.cleanup.apply({ ...policy, digest }, SIGNAL), { hidden: 2 });
  assert.deepEqual(await names(s), ['CD1.en.srt.hidden', 'CD1.mkv', 'CD2.en.srt.hidden', 'CD2.mkv']);
  const { history } = await s.subtitles.item(s.id);
  assert.deepEqual(
    history
      .filter(({ act }) => act === 'hidden')
      .map(({ part: n }) => n)
      .sort(),
    [1, 2],
  );
});

for (const [point, written] of [
  ['subtitles.write.preserved', []],
  ['subtitles.fetch.intent', []],
  ['subtitles.fetch.written', ['CD1.en.srt']],
  ['subtitles.fetch.recorded', ['CD1.en.srt']],
] as const)
  test(`killed at ${point} of the first part: that part whole or not at all, and the other untouched`, async (t) => {
    const s = await openFilm(t);
    const environment = { SERVICE_SUBTITLE_LANGUAGE: 'en', ...s.standIns.environment };
    await s.close();
    const before = await identities(s);
    const { signal } = await runUntilKilled('fetcher', [s.folder, s.id, JSON.stringify(environment)], {
      moment: { point },
    });
    assert.equal(signal, 'SIGKILL');
    await s.restart();
    await s.scan();
    const after = await identities(s);
    assert.deepEqual(
      [...after.keys()].filter((name) => before.get(name) !== after.get(name)),
      written,
    );
    assert.deepEqual(await installingStore(s.db).intents(), [], 'nothing is left open');
    assert.equal((await s.fetch(s.id)).parts?.filter(({ file }) => file !== undefined).length, 2 - written.length);
    assert.deepEqual(await names(s), ['CD1.en.srt', 'CD1.mkv', 'CD2.en.srt', 'CD2.mkv']);
    for (const n of [1, 2]) assert.match(await text(s, n), new RegExp(`this time\\? ${n} 0`));
    const rows = await installingStore(s.db).filesOf([s.id, `${s.id}~2`]);
    assert.deepEqual(rows.map(({ item, relative }) => [item, relative]).sort(), [
      [s.id, `${part(1)}.en.srt`],
      [`${s.id}~2`, `${part(2)}.en.srt`],
    ]);
  });

test('everything about the parts of a film goes with it', async (t) => {
  const s = await openFilm(t);
  await s.fetch(s.id);
  const store = inventoryStore(s.db);
  const keys = [s.id, `${s.id}~2`];
  assert.equal((await store.laterParts([s.id])).length, 1);
  await store.follow([], [s.id], await store.cursor());
  assert.deepEqual(await store.laterParts([s.id]), []);
  assert.deepEqual([(await store.tracks(keys)).size, await installingStore(s.db).filesOf(keys)], [0, []]);
  assert.deepEqual((await s.inventory()).total, 0);
});
