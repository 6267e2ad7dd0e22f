/** Markers over the whole server: who may see and set them, and what becomes of them when files change. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { until } from './until.ts';
import { PASSWORD, type Reply, type Who, type World, startWorld } from './world.ts';

const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;
const FREE = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true } as const;

let house: World;
let owner: Who;
let viewer: Who;
let film: string;
let library: string;

/** Two minutes with an intro and credits named by chapters. */
function filmWithChapters(path: string): void {
  const chapters = [
    [0, 20, 'Intro'],
    [20, 100, 'Chapter 2'],
    [100, 120, 'Abspann'],
  ] as const;
  const metadata = [
    ';FFMETADATA1',
    ...chapters.map(([start, end, title]) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${end}\ntitle=${title}`),
  ].join('\n');
  writeFileSync(`${path}.meta`, metadata);
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'color=s=64x36:r=1:d=120',
    '-i',
    `${path}.meta`,
    '-map_metadata',
    '1',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    path,
  ]);
  renameSync(`${path}.meta`, join(house.folder, 'meta'));
}
const ask = async (method: string, path: string, body?: unknown): Promise<Reply['body']> => {
  const reply = await house.call(owner, method, `/api/v1${path}`, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
};
const shown = async (who: Who = owner): Promise<string[]> => {
  const { status, body, text } = await house.call(who, 'GET', `/api/v1/items/${film}/markers`);
  assert.equal(status, 200, text);
  return (body['markers'] as { kind: string; start: number; end: number; source: string; state: string }[]).map(
    ({ kind, start, end, source, state }) =>
      `${source} ${kind} ${start}-${end}${state === 'published' ? '' : ` ${state}`}`,
  );
};
const scan = async (): Promise<void> => {
  const { id } = await ask('POST', '/tasks/scan', {});
  await until('the end of the scan', async () => (await ask('GET', `/tasks/${String(id)}`))['state'] === 'done');
};

before(async () => {
  house = await startWorld(together, { env: { SERVICE_REQUIRE_MFA: 'false' } });
  owner = {
    token: String(
      (await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
    ),
  };
  mkdirSync(join(house.media, 'Films', 'Film (2020)'), { recursive: true });
  filmWithChapters(join(house.media, 'Films', 'Film (2020)', 'Film (2020).mkv'));
  writeFileSync(
    join(house.media, 'Films', 'Film (2020)', 'film (2020).EDL'),
    '00:00:30 00:00:40 3\n50 55.5 0\n#1 #2 3\n',
  );
  await house.start();
  await ask('PUT', '/configuration/libraries', {
    value: JSON.stringify([{ name: 'Films', path: join(house.media, 'Films'), kind: 'movies' }]),
  });
  film = await until(
    'the film',
    async () => ((await ask('GET', '/library')) as { items: { id: string }[] }).items[0]?.id,
  );
  library = (((await ask('GET', '/libraries'))['items'] as { id: string }[])[0] ?? { id: '' }).id;
  await ask('POST', '/profiles', { name: 'Vic', password: PASSWORD, policy: FREE });
  viewer = {
    token: String(
      (await house.call(undefined, 'POST', '/api/v1/session', { name: 'Vic', password: PASSWORD })).body['token'],
    ),
  };
});
after(async () => {
  for (const close of closing.splice(0)) await close();
});

test('chapters and an edit list are shown, and a Viewer does not see what is only suggested', async () => {
  // The credits and the intro together are more than a fifth of this film.
  assert.deepEqual(await shown(), [
    'chapter intro 0-20 suggested',
    'sidecar commercial 30-40',
    'sidecar commercial 50-55.5',
    'chapter credits 100-120 suggested',
  ]);
  assert.deepEqual(await shown(viewer), ['sidecar commercial 30-40', 'sidecar commercial 50-55.5']);
});

test('the item carries what everybody may skip', async () => {
  for (const who of [owner, viewer]) {
    const { body } = await house.call(who, 'GET', `/api/v1/items/${film}`);
    assert.deepEqual(body['markers'], [
      { kind: 'commercial', start: 30, end: 40 },
      { kind: 'commercial', start: 50, end: 55.5 },
    ]);
  }
});

test('only an Owner sets and removes markers', async () => {
  const body = { kind: 'intro', start: 1, end: 19 };
  for (const [who, status] of [
    [viewer, 403],
    [undefined, 401],
  ] as const) {
    assert.equal((await house.call(who, 'PUT', `/api/v1/items/${film}/markers`, body)).status, status);
    assert.equal((await house.call(who, 'DELETE', `/api/v1/items/${film}/markers?kind=intro`)).status, status);
  }
  assert.equal((await shown()).length, 4);
});

test('suggestions are for Owners only, whose decisions are about items that there are', async () => {
  const decision = { decision: 'confirm', suggestions: [{ item: film, kind: 'intro' }] };
  for (const [who, status] of [
    [viewer, 403],
    [undefined, 401],
  ] as const) {
    assert.equal((await house.call(who, 'GET', '/api/v1/marker-suggestions')).status, status);
    assert.equal((await house.call(who, 'POST', '/api/v1/marker-suggestions', decision)).status, status);
  }
  assert.deepEqual(await ask('GET', '/marker-suggestions'), { items: [], total: 0 });
  assert.deepEqual(await ask('POST', '/marker-suggestions', decision), { decided: 0 });
  const unknown = await house.call(owner, 'POST', '/api/v1/marker-suggestions', {
    ...decision,
    suggestions: [
      { item: film, kind: 'intro' },
      { item: 'b'.repeat(16), kind: 'intro' },
    ],
  });
  assert.deepEqual([unknown.status, unknown.body], [404, { error: 'no such item', reason: 'no-such-item' }]);
  for (const body of [
    { ...decision, decision: 'maybe' },
    { ...decision, suggestions: [] },
    { ...decision, suggestions: Array.from({ length: 201 }, () => ({ item: film, kind: 'intro' })) },
    { ...decision, suggestions: [{ item: film, kind: 'song' }] },
  ])
    assert.equal((await house.call(owner, 'POST', '/api/v1/marker-suggestions', body)).status, 400);
  assert.equal((await house.call(owner, 'GET', '/api/v1/marker-suggestions?cursor=nonsense')).status, 400);
});

test('what cannot be a marker is refused', async () => {
  const put = (body: unknown) => house.call(owner, 'PUT', `/api/v1/items/${film}/markers`, body);
  for (const body of [
    { kind: 'intro', start: 19, end: 1 },
    { kind: 'intro', start: 5, end: 5 },
    { kind: 'intro', start: -1, end: 5 },
    { kind: 'intro', start: 1, end: 500 },
    { kind: 'song', start: 1, end: 5 },
    { kind: 'intro', start: 1 },
    { kind: 'intro', start: 1, end: 2, label: '' },
    { kind: 'intro', start: 1, end: 2, source: 'user' },
  ]) {
    const { status, body: said } = await put(body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(typeof said['error'], 'string');
  }
  assert.equal((await house.call(owner, 'DELETE', `/api/v1/items/${film}/markers`)).status, 400);
  assert.equal(
    (await house.call(owner, 'PUT', `/api/v1/items/${'b'.repeat(16)}/markers`, { kind: 'intro', start: 1, end: 2 }))
      .status,
    404,
  );
});

test('a hidden item has no markers for the Profile that it is hidden from', async () => {
  const policy = { ...FREE, libraries: [] };
  await ask('POST', '/profiles', { name: 'Kim', password: PASSWORD, policy });
  const kim = {
    token: String(
      (await house.call(undefined, 'POST', '/api/v1/session', { name: 'Kim', password: PASSWORD })).body['token'],
    ),
  };
  const hidden = await house.call(kim, 'GET', `/api/v1/items/${film}/markers`);
  const unknown = await house.call(kim, 'GET', `/api/v1/items/${'b'.repeat(16)}/markers`);
  assert.deepEqual([hidden.status, hidden.body], [404, unknown.body]);
});

test('the analysis is started as a task, and says how far it is', async () => {
  assert.equal((await house.call(viewer, 'GET', '/api/v1/marker-analysis')).status, 403);
  for (const [body, error, reason] of [
    [{ item: 'b'.repeat(16) }, 'no such item', 'no-such-item'],
    [{ show: 'b'.repeat(16) }, 'no such show', 'no-such-show'],
  ] as const) {
    const reply = await house.call(owner, 'POST', '/api/v1/marker-analysis', body);
    assert.deepEqual([reply.status, reply.body], [404, { error, reason }]);
  }
  const started = await house.call(owner, 'POST', '/api/v1/marker-analysis', { item: film });
  assert.deepEqual([started.status, started.body['name']], [202, 'marker-analysis']);
  await until(
    'the end of the analysis',
    async () => (await ask('GET', `/tasks/${String(started.body['id'])}`))['state'] === 'done',
  );
  assert.deepEqual(await ask('GET', '/marker-analysis'), { state: 'idle', done: 1, total: 1, suggested: 0 });
  const names = ((await ask('GET', '/tasks'))['startable'] as { name: string }[]).map(({ name }) => name);
  assert.ok(names.includes('marker-analysis') && names.includes('preview-pictures'));
});

test("an Owner's marker edits survive a scan and a move; a removed kind returns with other bytes", async () => {
  await ask('PUT', `/items/${film}/markers`, { kind: 'intro', start: 2.5, end: 18, label: 'By hand' });
  await ask('DELETE', `/items/${film}/markers?kind=credits`);
  await ask('DELETE', `/items/${film}/markers?kind=commercial`);
  assert.deepEqual(await shown(viewer), ['user intro 2.5-18']);
  mkdirSync(join(house.media, 'Films', 'Moved'));
  renameSync(join(house.media, 'Films', 'Film (2020)'), join(house.media, 'Films', 'Moved', 'Film (2020)'));
  await scan();
  assert.deepEqual((await ask('GET', `/library?library=${library}`))['total'], 1);
  assert.deepEqual(await shown(), ['user intro 2.5-18']);
  utimesSync(
    join(house.media, 'Films', 'Moved', 'Film (2020)', 'Film (2020).mkv'),
    new Date(),
    new Date(Date.now() + 5_000),
  );
  await scan();
  assert.deepEqual(await shown(), [
    'user intro 2.5-18',
    'sidecar commercial 30-40',
    'sidecar commercial 50-55.5',
    'chapter credits 100-120',
  ]);
  await ask('DELETE', `/items/${film}/markers?kind=intro`);
  assert.deepEqual(
    await shown(),
    ['sidecar commercial 30-40', 'sidecar commercial 50-55.5', 'chapter credits 100-120'],
    'and the chapter does not take the place of the marker that was removed',
  );
});
