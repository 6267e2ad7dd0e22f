/**
 * The built server is the program that the sources are: it starts from its few files, runs its helpers, hands out the
 * dashboard, loads late packages late, and stops; and it ends when it cannot begin its work.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { buildServer } from '../tools/server.ts';
import { moviehash } from '../src/lib/media/moviehash.ts';
import { runGuide } from './api-guide.ts';
import { ask, type Child, startServerProcess } from './faults/child.ts';
import { Fixtures } from './stand-ins/fixtures.ts';
import { startStandIns } from './stand-ins/index.ts';
import { makeVideo } from './subtitles/world.ts';
import { passes, until } from './until.ts';

const PASSWORD = 'four warm brown bread rolls';

/** The commands of docs/api.md work as they are, and show what the guide says. */
async function followGuide(folder: string, url: string): Promise<void> {
  const output = await runGuide(folder, { SERVER: url, NAME: 'Owner', PASSWORD });
  assert.match(output.get('List') ?? '', /^[0-9a-f]{16} The Lighthouse \(2001\)$/m);
  assert.match(output.get('Play') ?? '', /"mode": "(direct|remux)"[^]*"position": 21.5/);
  assert.match(output.get('Fetch a subtitle') ?? '', /"language": "de"[^]*"match": "verified"/);
  assert.equal(
    (await readFile(join(folder, 'part.bin'))).subarray(0, 4).toString('hex'),
    '1a45dfa3',
    'a part of the file',
  );
  assert.match(await readFile(join(folder, 'film.de.vtt'), 'utf8'), /^WEBVTT\n[^]*-->/);
}

async function endOfTask(child: Child, token: string, task: string): Promise<string> {
  const started = await ask<{ id: string }>(child, 'POST', `/api/v1/tasks/${task}`, { token, body: {} });
  assert.equal(started.status, 202);
  return until(`the end of ${task}`, async () => {
    const { body } = await ask<{ state: string }>(child, 'GET', `/api/v1/tasks/${started.body.id}`, { token });
    return ['done', 'failed'].includes(body.state) ? body.state : undefined;
  });
}

async function findsDialogue(child: Child, token: string): Promise<void> {
  assert.equal(await endOfTask(child, token, 'dialogue-index'), 'done', 'the thread that indexes dialogue');
  const spoken = await ask<{ items: { item: { title: string } }[] }>(
    child,
    'GET',
    '/api/v1/search/dialogue?q=lamp%20is%20lit',
    { token },
  );
  assert.deepEqual(
    spoken.body.items.map(({ item }) => item.title),
    ['The Lighthouse'],
    'the thread that searches dialogue',
  );
}

/** The only password hash in the database of a stopped server. */
function keptPassword(data: string): string {
  const db = new DatabaseSync(join(data, 'matinee.db'), { readOnly: true });
  try {
    const [row, ...more] = db.prepare('select password from identity_profile').all();
    assert.deepEqual(more, []);
    return String(row?.['password']);
  } finally {
    db.close();
  }
}

test('the built server is the same program', { timeout: 120_000 }, async (t) => {
  // Within the repository, at the depth of the real one: packages and helpers are found from there.
  const built = join(import.meta.dirname, '..', 'dist', `trial-${process.pid}`);
  const home = await mkdtemp(join(tmpdir(), 'matinee-built-'));
  t.after(() => Promise.all([built, home].map((folder) => rm(folder, { recursive: true, force: true }))));
  const program = await buildServer(built);
  const code = (await Promise.all((await readdir(built)).map((name) => readFile(join(built, name), 'utf8')))).join(
    '\n',
  );
  for (const late of ['sharp', 'undici', 'onnxruntime-node', 'pg'])
    assert.ok(!code.includes(`node_modules/${late}/`), `${late} is loaded late`);
  assert.doesNotMatch(code, /[^\0-\x7f]/, 'kept at one byte a character');
  assert.doesNotMatch(
    code,
    /^import[^;]*["']node:/m,
    'an import reads every property of a module of Node, and makes what is made late',
  );

  // A thread has no command line, so only the code says which file it runs.
  assert.match(code, /import\.meta\.resolve\(['"]\.\/dialogue-index-helper\.js['"]\)/, 'the built dialogue threads');

  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
  for (const folder of Object.values(folders)) await mkdir(folder, { mode: 0o700 });
  const release = 'The.Lighthouse.2001.1080p.BluRay.x264-WAVES';
  const film = join(folders.media, 'The Lighthouse (2001) {imdb-tt9000099}', `${release}.mkv`);
  await makeVideo(film, {
    texts: [{ srt: '1\n00:00:01,000 --> 00:00:02,000\nThe lamp is lit.\n\n', language: 'eng' }],
  });
  const video = await readFile(film);
  const hash = await moviehash(video.length, async (position, length) => video.subarray(position, position + length));
  const subtitles = [{ language: 'de', releases: [release], hash: true }];
  const standIns = await startStandIns({
    fixtures: Fixtures.parse({
      items: [{ kind: 'movie', title: 'The Lighthouse', year: 2001, imdb: 'tt9000099', hash, duration: 60, subtitles }],
    }),
  });
  t.after(() => standIns.close());
  // Some programs hash cheaply with this NODE_ENV.
  const env = { SERVICE_REQUIRE_MFA: 'false', NODE_ENV: 'test', ...standIns.environment };
  const child = await startServerProcess({ ...folders, program, env });
  t.after(() => child.kill());
  assert.ok(await child.ready, child.output());
  const address = await until('the address', () => /^Matinee is at .*$/m.exec(child.output())?.[0]);
  assert.equal(address, `Matinee is at ${child.url}`, 'one plain line among those of the log');
  const token = (
    await ask<{ token: string }>(child, 'POST', '/api/v1/setup', { body: { name: 'Owner', password: PASSWORD } })
  ).body.token;
  const page = async () =>
    (await ask<{ items: { id: string; title: string }[] }>(child, 'GET', '/api/v1/library', { token })).body.items[0];
  const listed = await until('the film', page);
  assert.equal(listed.title, 'The Lighthouse');
  await passes(async () => {
    const item = await ask<{ subtitles: { language?: string }[] }>(child, 'GET', `/api/v1/items/${listed.id}`, {
      token,
    });
    assert.equal(item.body.subtitles[0]?.language, 'en', 'the header was read by the helper');
  });
  // Again if one of them ends during this.
  const programs = await passes(async () => {
    const helpers = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1')).trim().split(' ');
    return Promise.all(
      helpers.map(async (pid) => (await readFile(`/proc/${pid}/cmdline`, 'latin1')).split('\0').at(-2) ?? ''),
    );
  });
  assert.ok(
    programs.includes(join(built, 'directory-reader-helper.js')),
    `the built helper reads directories: ${programs.join(', ')}`,
  );
  assert.deepEqual(
    programs.filter((one) => one.endsWith('.ts')),
    [],
    'no helper runs from its source',
  );
  // Before the guide plays something: indexing waits while something is played.
  await findsDialogue(child, token);
  await followGuide(home, child.url);
  const frame = await ask(child, 'GET', `/api/v1/art/${listed.id}?kind=thumb`, { token });
  assert.deepEqual(
    [frame.status, frame.bytes.subarray(8, 12).toString()],
    [200, 'WEBP'],
    'a late package with native parts',
  );
  assert.equal((await ask(child, 'GET', '/api/v1/openapi.json', { token })).status, 200);
  assert.equal(await endOfTask(child, token, 'check-database'), 'done', "the database's thread");
  assert.match(code, /import\.meta\.resolve\("\.\/worker\.js"\)/, 'its thread is built, too');
  assert.equal(await child.stop(), 0);
  assert.doesNotMatch(child.output(), /"level":"error"|helper\.replaced/);
  assert.match(keptPassword(folders.data), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'a server hashes at full cost');

  // Planted: it listens, and then cannot begin its work. It ends, and is not taken for one that is still starting.
  let planted = 0;
  for (const name of await readdir(built)) {
    const text = await readFile(join(built, name), 'utf8');
    planted += text.split('index.warm();').length - 1;
    await writeFile(join(built, name), text.replace('index.warm();', "throw new Error('planted');"));
  }
  assert.equal(planted, 1);
  const stuck = await startServerProcess({ ...folders, program, env: { SERVICE_REQUIRE_MFA: 'false' } });
  t.after(() => stuck.kill());
  assert.equal((await stuck.ended).code, 2, stuck.output());
});
