/**
 * Listing, search, items and shows on 100,000 synthetic items, over HTTP with a Profile's policy, one request at a
 * time on a kept connection: the time from asking to the last byte.
 *
 * By hand: `node bench/list.ts [--rounds=300]`. The library's folder is empty, so the server takes it for a disk
 * that is away and keeps every item.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/lib/db/index.ts';
import { MIGRATIONS } from '../src/migrations.ts';
import { ask, type Child, startServerProcess } from '../test/faults/child.ts';
import { buildServer } from '../tools/server.ts';
import { populate } from './library.ts';
import { quantile, report } from './report.ts';

const ROUNDS = Number(process.argv.find((one) => one.startsWith('--rounds'))?.split('=')[1] ?? 300);
const PASSWORD = 'four warm brown bread rolls';
const SIZES = { films: 60_000, shows: 800, episodes: 40_000 };
const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let child: Child | undefined;

/** Milliseconds that one request took, and its reply. */
function timed(path: string, token: string): Promise<{ took: number; body: Record<string, unknown> }> {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    request(`${child?.url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const took = performance.now() - since;
        assert.equal(reply.statusCode, 200, path);
        resolve({ took, body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown> });
      });
    })
      .on('error', reject)
      .end();
  });
}

async function measure(what: string, paths: readonly string[], token: string, aim: number): Promise<void> {
  const times: number[] = [];
  for (const path of paths.slice(0, 40)) await timed(path, token);
  for (let i = 0; i < ROUNDS; i++) times.push((await timed(paths[i % paths.length] ?? '', token)).took);
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)];
  report({
    what,
    figure: `p50 ${half.toFixed(1)} ms, p99 ${most.toFixed(1)} ms`,
    aim: `p99 under ${aim} ms`,
    met: most < aim,
  });
}

const memory = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024);

async function bench(): Promise<void> {
  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = await openDatabase({ file: join(folders.data, 'matinee.db'), migrations: MIGRATIONS });
  const library = await populate(db, SIZES, { name: 'media', path: folders.media });
  await db.close();
  child = await startServerProcess({
    ...folders,
    program: await buildServer(),
    env: { SERVICE_REQUIRE_MFA: 'false', UV_THREADPOOL_SIZE: '24' },
  });
  assert.ok(await child.ready, child.output());
  const owner = (
    await ask<{ token: string }>(child, 'POST', '/api/v1/setup', { body: { name: 'Owner', password: PASSWORD } })
  ).body.token;
  const policy = {
    libraries: [library],
    rating: 13,
    unrated: false,
    windows: [],
    remote: true,
    transcode: true,
    download: false,
  };
  const made = await ask(child, 'POST', '/api/v1/profiles', {
    token: owner,
    body: { name: 'Viewer', role: 'viewer', password: PASSWORD, policy },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const viewer = (
    await ask<{ token: string }>(child, 'POST', '/api/v1/session', { body: { name: 'Viewer', password: PASSWORD } })
  ).body.token;
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  report({
    what: 'memory of the server, idle with 100,800 items',
    figure: `${memory(child.pid)} MiB`,
    aim: '90 MiB',
    met: memory(child.pid) <= 90,
  });
  for (const [who, token] of [
    ['an Owner', owner],
    ['a Viewer with a ceiling', viewer],
  ] as const)
    await listing(who, token);
  report({
    what: 'memory of the server after that',
    figure: `${memory(child.pid)} MiB`,
    aim: '150 MiB',
    met: memory(child.pid) <= 150,
  });
}

async function listing(who: string, token: string): Promise<void> {
  const { body } = await timed('/api/v1/library?limit=1', token);
  const total = Number(body['total']);
  const depths = (limit: number) =>
    Array.from(
      { length: 60 },
      (_, i) => `/api/v1/library?limit=${limit}&offset=${Math.floor((total - limit) * (i / 59))}`,
    );
  await measure(`${who}: a page of 100 at any depth`, depths(100), token, 5);
  await measure(`${who}: a page of 200 at any depth`, depths(200), token, 5);
  const sorts = ['added', 'year', 'rating', 'duration', 'random'].flatMap((sort) =>
    [0, 0.5, 0.95].map(
      (part) =>
        `/api/v1/library?limit=100&sort=${sort}&offset=${Math.floor(total * part)}` +
        `${sort === 'random' ? '&seed=1' : ''}`,
    ),
  );
  const filters = [
    'genre=Drama',
    'year=1999',
    'view=movies',
    'view=shows',
    'resolution=1080p',
    'view=unwatched',
    'view=continue',
  ].map((one) => `/api/v1/library?limit=100&${one}`);
  await measure(`${who}: other orders and filters`, [...sorts, ...filters], token, 5);
  const some = (await timed('/api/v1/library?limit=60&sort=random&seed=3&view=movies', token)).body['items'] as {
    id: string;
    title: string;
  }[];
  const words = some
    .flatMap(({ title }) => title.split(' '))
    .filter((one) => one.length > 3)
    .slice(0, 40);
  const typed = words.slice(0, 10).flatMap((one) => Array.from({ length: one.length }, (_, i) => one.slice(0, i + 1)));
  const wrong = words.map((one) => `${one.slice(0, 2)}${one[3]}${one[2]}${one.slice(4)}`);
  const asked = [
    ...typed,
    ...wrong,
    ...words.slice(0, 20).map((one, i) => `${one} ${words[i + 1] ?? ''}`),
    'a',
    'the',
    'ka',
  ];
  await measure(
    `${who}: search, typing, with mistakes, and broad`,
    asked.map((q) => `/api/v1/library?limit=50&q=${encodeURIComponent(q)}`),
    token,
    8,
  );
  await measure(
    `${who}: an item`,
    some.map(({ id }) => `/api/v1/items/${id}`),
    token,
    3,
  );
  const shows = (await timed('/api/v1/shows?limit=60', token)).body['items'] as { id: string }[];
  await measure(
    `${who}: a show of fifty episodes`,
    shows.map(({ id }) => `/api/v1/shows/${id}`),
    token,
    3,
  );
}

try {
  await bench();
} finally {
  await child?.stop();
  rmSync(home, { recursive: true, force: true });
}
