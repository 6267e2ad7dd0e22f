/**
 * A restart within the process: the built server is back with what was saved, leaves nothing behind, survives a
 * setting that cannot work, and stops on a signal.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { ask, type Child, startServerProcess } from './faults/child.ts';
import { openPort } from './ports.ts';
import { childrenOf } from './processes.ts';
import { type PlannedStream, isWhole, makeLongFilm, openStream } from './streaming.ts';
import { passes, until } from './until.ts';

const OWNER = { name: 'Ada', password: 'four warm brown bread rolls' };
const KEY = 'integrations.subtitles_a.api_key';
const RETENTION = 'logging.playback_retention';

interface State {
  run: string;
  ready: boolean;
  pending: string[];
  failure?: { error: string; putBack: string[] };
}
interface Row {
  key: string;
  value?: string;
  pending: boolean;
}
interface Provider {
  name: string;
  title: string;
  state: string;
  configured: boolean;
  restartPending?: true;
}

const TITLE = 'The Lighthouse (2001)';
/** A PNG of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const home = mkdtempSync(join(tmpdir(), 'matinee-restart-'));
const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
const yaml = join(folders.data, 'service.yaml');
const env = { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s' };
let server: Child;
let token: string;
let port: number;

before(async () => {
  for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 });
  // Folders that are watched, a file for the helpers that read media, and a film with subtitles to play.
  await makeLongFilm(folders.media, '', TITLE);
  const path = (ending: string) => join(folders.media, TITLE, `${TITLE}${ending}`);
  writeFileSync(path('.en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nWhere is the key?\n');
  writeFileSync(join(folders.media, TITLE, 'poster.png'), Buffer.from(PICTURE, 'base64'));
  writeFileSync(path('.de.srt'), 'Der Untertitel ist umgezogen.');
  writeFileSync(join(folders.media, 'No Video (2002).mkv'), 'no video');
  ({ port } = await openPort());
  const first = await startServerProcess({ ...folders, port, env });
  assert.ok(await first.ready, first.output());
  token = (await ask<{ token: string }>(first, 'POST', '/api/v1/setup', { body: OWNER })).body.token;
  await first.stop();
  // An Owner has chosen the address, so that it can be changed while the server runs.
  const db = new DatabaseSync(join(folders.data, 'matinee.db'));
  db.prepare('insert into config_setting (key, text, sealed, saved_at) values (?, ?, 0, 0)').run(
    'listen',
    `127.0.0.1:${port}`,
  );
  db.close();
  server = await startServerProcess({ ...folders, port, env: { ...env, SERVICE_LISTEN: '' } });
  assert.ok(await server.ready, server.output());
});
after(async () => {
  await server.kill();
  rmSync(home, { recursive: true, force: true });
});

const state = async (): Promise<State> => (await ask<State>(server, 'GET', '/api/v1/restart', { token })).body;
const save = async (key: string, value: string): Promise<void> =>
  assert.equal((await ask(server, 'PUT', `/api/v1/configuration/${key}`, { token, body: { value } })).status, 202);
const rowOf = async (key: string): Promise<Row | undefined> =>
  (await ask<{ settings: Row[] }>(server, 'GET', '/api/v1/configuration', { token })).body.settings.find(
    (row) => row.key === key,
  );
const subdl = async (): Promise<Provider | undefined> =>
  (await ask<{ providers: Provider[] }>(server, 'GET', '/api/v1/subtitle-library?view=summary', { token })).body
    .providers[0];
/** Waits for another run at the same address, and returns what it says about itself. */
const isBack = (run: string): Promise<State> => {
  const { ended, output } = server;
  let isGone = false;
  void ended.then(() => (isGone = true));
  return until('the server after its restart', async () => {
    assert.ok(!isGone, `the server ended:\n${output().slice(-4_000)}`);
    const now = await state().catch(() => undefined);
    return now !== undefined && now.run !== run && now.ready ? now : undefined;
  });
};
const restart = async (): Promise<State> => {
  const begun = await ask<{ run: string }>(server, 'POST', '/api/v1/restart', { token });
  assert.equal(begun.status, 202, JSON.stringify(begun.body));
  return isBack(begun.body.run);
};

test('what is saved waits, says so, and is in force after the restart', async () => {
  await save(RETENTION, '900h');
  await save(KEY, 'a-key-of-subdl');
  assert.deepEqual((await state()).pending.sort(), [KEY, RETENTION]);
  const { name, title, state: health, restartPending } = (await subdl()) ?? {};
  assert.deepEqual([name, title, health, restartPending], ['subtitles_a', 'SubDL', 'not-configured', true]);

  const after = await restart();
  assert.deepEqual([after.pending, after.failure], [[], undefined]);
  const back = await subdl();
  assert.deepEqual([back?.state, back?.configured, back?.restartPending], ['untested', true, undefined]);
  assert.equal((await rowOf(RETENTION))?.value, '900h');
  await until('the end of the restart in the log', () =>
    /"isAsBefore":false,"event":"restart.done"/.test(server.output()),
  );
});

test('open streams end, and a second request during a restart begins no other', async () => {
  const stream = await fetch(`${server.url}/api/v1/events`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(stream.status, 200);
  const { run } = await state();
  const asked = await Promise.all(
    [1, 2, 3].map(() => ask(server, 'POST', '/api/v1/restart', { token }).catch(() => undefined)),
  );
  // The others come while one is running, while the server closes, or while it is away.
  assert.equal(asked.filter((reply) => reply?.status === 202).length, 1);
  for (const reply of asked)
    assert.ok(!reply || reply.status === 202 || ['restart-running', 'stopping'].includes(String(reply.body['reason'])));
  // Rejects where the connection is cut, and ends where the stream was closed: either is an end.
  await stream.text().catch(() => '');
  await isBack(run);
});

interface Played {
  id: string;
  subtitles: { language?: string }[];
}
/** Returns the film once it is in the library and its files were read. */
const filmOnceRead = (): Promise<Played> =>
  passes(async () => {
    const found = await ask<{ items: { id: string }[] }>(server, 'GET', '/api/v1/library', { token });
    const id = found.body.items[0]?.id ?? '';
    const { body } = await ask<Played>(server, 'GET', `/api/v1/items/${id}`, { token });
    assert.deepEqual(
      body.subtitles?.map(({ language }) => language),
      ['en'],
      'the German file cannot be read',
    );
    return body;
  });

test('playing, a stream, a download and files continue after a restart', async () => {
  const { id } = await filmOnceRead();
  const file = readFileSync(join(folders.media, TITLE, `${TITLE}.mp4`));
  const headers = { authorization: `Bearer ${token}` };
  const get = (path: string, more: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers: { ...headers, ...more } });
  const planned = async (container: string) =>
    (
      await ask<PlannedStream & { subtitles: { language?: string }[] }>(
        server,
        'GET',
        `/api/v1/items/${id}/playback?containers=${container}&videoCodecs=h264&audioCodecs=aac`,
        { token },
      )
    ).body;
  const [played, streamed] = [await planned('mp4'), await planned('webm')];
  assert.deepEqual([played.mode, streamed.mode], ['direct', 'remux']);
  assert.deepEqual(
    played.subtitles.map(({ language }) => language),
    ['en'],
  );
  const report = (sequence: number, position: number) =>
    ask(server, 'PUT', `/api/v1/items/${id}/progress`, {
      token,
      body: { position, session: streamed.session, sequence },
    });
  assert.equal((await report(1, 1)).status, 200);
  const inventory = await ask<{ items: { id: string }[] }>(server, 'GET', '/api/v1/subtitle-library', { token });
  const steady = [
    streamed.urls.hls,
    streamed.urls.hls.replace('master.m3u8', 'v0-0.m4s'),
    `/subtitle/${id}?language=en`,
    `/api/v1/subtitle-library/${inventory.body.items[0]?.id}/export?language=en&format=srt`,
    `/api/v1/art/${id}?kind=poster&width=160`,
  ];
  const bytesOf = async (path: string) => {
    const reply = await get(path);
    assert.equal(reply.status, 200, path);
    return { etag: reply.headers.get('etag'), bytes: Buffer.from(await reply.arrayBuffer()) };
  };
  const before = await Promise.all(steady.map(bytesOf));
  const cut = await Promise.all(
    [played.urls.media, `/download/${id}`].map(async (path) => ({
      path,
      ...(await openStream(`${server.url}${path}`, token)),
    })),
  );
  await restart();

  for (const [n, path] of steady.entries()) assert.deepEqual(await bytesOf(path), before[n], path);
  for (const { path, ...stream } of cut) {
    let got = 1;
    stream.reply.on('data', (part: Buffer) => (got += part.length));
    assert.equal(await isWhole(stream), false, `${path} is cut`);
    assert.ok(got < file.length);
    const etag = stream.reply.headers.etag ?? '';
    const rest = await get(path, { range: `bytes=${got}-`, 'if-range': etag });
    assert.deepEqual([rest.status, rest.headers.get('etag')], [206, etag], path);
    assert.ok(Buffer.from(await rest.arrayBuffer()).equals(file.subarray(got)), `${path} continues where it was cut`);
  }
  assert.deepEqual([(await report(1, 1)).status, (await report(2, 1.5)).status], [409, 200]);
  const again = await planned(`webm&session=${streamed.session}`);
  assert.deepEqual([again.session, again.mode], [streamed.session, 'remux']);
});

test('a port that is taken: the address is put back, and what else was saved is in force', async (t) => {
  const taken = createServer();
  t.after(() => taken.close());
  await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
  const { port: other } = taken.address() as { port: number };
  await save('listen', `127.0.0.1:${other}`);
  await save(RETENTION, '800h');
  const begun = await ask<{ run: string; moves: unknown }>(server, 'POST', '/api/v1/restart', { token });
  assert.deepEqual(begun.body.moves, { scheme: 'http', port: other });
  const { failure, pending } = await isBack(begun.body.run);
  assert.equal(failure?.error, `listen (SERVICE_LISTEN): 127.0.0.1:${other} is taken by another program`);
  assert.deepEqual([failure?.putBack, pending], [['listen'], []]);
  assert.equal((await rowOf('listen'))?.value, `127.0.0.1:${port}`);
  assert.equal((await rowOf(RETENTION))?.value, '800h');
});

test('an address that can be used: the server moves there', async () => {
  const { port: other } = await openPort();
  await save('listen', `127.0.0.1:${other}`);
  const { run } = await state();
  assert.equal((await ask(server, 'POST', '/api/v1/restart', { token })).status, 202);
  const old = server.url;
  server = { ...server, url: `http://127.0.0.1:${other}` };
  await isBack(run);
  await assert.rejects(fetch(`${old}/healthz`), 'nothing listens at the old address');
});

test('a YAML file with a fault is refused before anything is closed, and one without is read', async () => {
  writeFileSync(yaml, 'version: 1\nplayback: { mode: sideways }\n');
  const { run } = await state();
  const refused = await ask(server, 'POST', '/api/v1/restart', { token });
  assert.deepEqual([refused.status, refused.body['reason']], [409, 'restart-refused']);
  assert.match(String(refused.body['error']), /^the server could not start: playback\.mode \(SERVICE_PLAYBACK_MODE\):/);
  assert.equal((await state()).run, run);
  writeFileSync(yaml, 'version: 1\nserver: { name: Attic }\n');
  await restart();
  assert.equal((await rowOf('server.name'))?.value, 'Attic');
});

/** Returns the numbers of handles, threads and helpers of the process, and its private memory in MiB. */
function holdings() {
  const { pid } = server;
  const handles = readdirSync(`/proc/${pid}/fd`).length;
  const threads = readdirSync(`/proc/${pid}/task`).length;
  const rss = Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
  return { handles, threads, helpers: childrenOf(pid).length, rss };
}

test('forty restarts leave no handle, thread, helper or memory behind', async (t) => {
  const rested = async () => {
    let last = holdings();
    // Helpers and connections of the restart end in their own time.
    await until(
      'the same number of handles and helpers twice',
      () => {
        const now = holdings();
        const isSame = now.handles === last.handles && now.helpers === last.helpers;
        last = now;
        return isSame;
      },
      { everyMs: 200 },
    );
    return last;
  };
  for (let round = 0; round < 10; round++) await restart();
  const early = await rested();
  for (let round = 0; round < 30; round++) await restart();
  const late = await rested();
  t.diagnostic(JSON.stringify({ early, late }));
  assert.ok(late.handles <= early.handles + 3, `handles: ${early.handles}, then ${late.handles}`);
  assert.ok(late.threads <= early.threads + 2, `threads: ${early.threads}, then ${late.threads}`);
  // Helpers end when idle, and begin again when needed: a leak would be one for each restart.
  assert.ok(late.helpers <= early.helpers + 2, `helpers: ${early.helpers}, then ${late.helpers}`);
  assert.ok(late.rss <= early.rss + 24, `MiB in memory: ${early.rss}, then ${late.rss}`);
});

test('a signal during a restart stops the server, with every lock released', async () => {
  assert.equal((await ask(server, 'POST', '/api/v1/restart', { token })).status, 202);
  assert.equal(await server.stop(), 0, server.output());
  assert.match(server.output(), /stop\.done/);
  assert.doesNotMatch(server.output(), /"level":"error","event":"(?!restart\.failed)/);
  const again = await startServerProcess({ ...folders, port, env });
  assert.ok(await again.ready, again.output());
  server = again;
});
