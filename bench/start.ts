/**
 * Start and memory with 100,000 items: from starting the program to the first `readyz` that says ok, the median of
 * five starts after one that fills the caches, and the memory of the server thirty seconds after a start.
 *
 * By hand: `node bench/start.ts [--idle=30]`. The program is the built one with its compile cache, as it is
 * for a household; the library's folder is empty, so the server takes it for a disk that is away and keeps every item.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/lib/db/index.ts';
import { MIGRATIONS } from '../src/migrations.ts';
import { type Child, startServerProcess } from '../test/faults/child.ts';
import { buildServer } from '../tools/server.ts';
import { populate } from './library.ts';
import { median, report } from './report.ts';

const IDLE_S = Number(process.argv.find((one) => one.startsWith('--idle'))?.split('=')[1] ?? 30);
const STARTS = 5;
const SIZES = { films: 60_000, shows: 800, episodes: 40_000 };
const program = await buildServer();
const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };

const isReady = (child: Child): Promise<boolean> =>
  new Promise((resolve) => {
    get(`${child.url}/readyz`, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    }).on('error', () => resolve(false));
  });

/** Starts the server. Returns the milliseconds until it is ready. */
async function timed(): Promise<{ child: Child; ms: number }> {
  const began = performance.now();
  const child = await startServerProcess({
    ...folders,
    program,
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s', UV_THREADPOOL_SIZE: '24' },
  });
  while (!(await isReady(child))) {
    assert.ok(performance.now() - began < 60_000, child.output());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { child, ms: performance.now() - began };
}

const MIB = /^VmRSS:\s+(\d+)/m;
const memory = (pid: number): number =>
  Math.round(Number(MIB.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024);
/** Its helpers too: a household pays for all of them. */
const helpers = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);

async function bench(): Promise<void> {
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = await openDatabase({ file: join(folders.data, 'matinee.db'), migrations: MIGRATIONS });
  await populate(db, SIZES, { name: 'media', path: folders.media });
  await db.close();
  await (await timed()).child.stop();
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const { child, ms } = await timed();
    times.push(ms);
    await child.stop();
  }
  const middle = median(times) / 1000;
  report({
    what: 'start to ready with 100,800 items',
    figure: `${middle.toFixed(2)} s`,
    aim: '0.5 s',
    met: middle <= 0.5,
    note: `from ${(Math.min(...times) / 1000).toFixed(2)} to ${(Math.max(...times) / 1000).toFixed(2)} s`,
  });
  const { child } = await timed();
  await new Promise((resolve) => setTimeout(resolve, IDLE_S * 1000));
  const own = memory(child.pid);
  const beside = helpers(child.pid).map(memory);
  report({
    what: `memory idle, ${IDLE_S} s after the start, 100,800 items`,
    figure: `${own} MiB`,
    aim: '90 MiB',
    met: own <= 90,
    note: beside.length === 0 ? 'no helper process' : `helper processes beside it: ${beside.join(', ')} MiB`,
  });
  await child.stop();
}

try {
  await bench();
} finally {
  rmSync(home, { recursive: true, force: true });
}
