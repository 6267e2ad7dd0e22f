/**
 * The time after an import: how busy the main thread is once the scan has ended, until its followers (subtitles,
 * recordings, people, texts, metadata) have caught up, and how long replies take meanwhile.
 *
 * By hand: `node bench/after-import.ts [--files=10000] [--data=FOLDER] [--profile=FOLDER]`. Every third clip has two
 * subtitles next to it. The server is the built one; with `--profile` Node writes its CPU profile into that folder.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Child, startServerProcess } from '../test/faults/child.ts';
import { buildServer } from '../tools/server.ts';
import { makeScanClips, placeOfClip } from './clips.ts';
import { quantile, report } from './report.ts';

const flag = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
const FILES = Number(flag('files') ?? 10_000);
const PROFILE = flag('profile');
const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString());
/** The followers are done when the main thread needs less than this share of a processor for `QUIET_S`. */
const QUIET_SHARE = 0.1;
const QUIET_S = 8;
const MAX_S = 300;
const PASSWORD = 'four warm brown bread rolls';

const clips = join(flag('data') ?? join(import.meta.dirname, 'data'), `clips-${FILES}`);
makeScanClips(clips, FILES);
makeSubtitles();
const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'empty') };
for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 });
let child: Child | undefined;
try {
  child = await startServerProcess({
    ...folders,
    program: await buildServer(),
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s', UV_THREADPOOL_SIZE: '24' },
    ...(PROFILE !== undefined && { flags: ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`] }),
  });
  await bench(child);
} catch (error) {
  process.stderr.write(child?.output().slice(-4_000) ?? '');
  throw error;
} finally {
  await child?.stop();
  rmSync(home, { recursive: true, force: true });
}

function makeSubtitles(): void {
  const done = join(clips, 'with-subtitles');
  if (existsSync(done)) return;
  for (let n = 0; n < FILES; n += 3)
    for (const language of ['en', 'de'])
      writeFileSync(
        join(clips, 'media', placeOfClip(n).replace(/\w+$/, `${language}.srt`)),
        `1\n00:00:00,100 --> 00:00:00,900\nLine of ${n}\n`,
      );
  writeFileSync(done, '');
}

async function bench(server: Child): Promise<void> {
  assert.ok(await server.ready, server.output());
  const setup = { body: { name: 'Ada', password: PASSWORD } };
  const { token } = (await ask<{ token: string }>(server, 'POST', '/api/v1/setup', setup)).body;
  const library = [{ name: 'Everything', path: join(clips, 'media'), kind: 'mixed' }];
  const saved = { token, body: { value: JSON.stringify(library) } };
  await ask(server, 'PUT', '/api/v1/configuration/libraries', saved);
  const tasks = async () =>
    (await ask<{ items: { name: string; state: string }[] }>(server, 'GET', '/api/v1/tasks', { token })).body.items;
  while (!(await tasks()).some(({ name, state }) => name === 'scan' && state === 'running')) await pause(50);
  const began = performance.now();
  while ((await tasks()).some(({ name, state }) => name === 'scan' && ['queued', 'running'].includes(state)))
    await pause(50);
  report({ what: `scan of ${FILES} clips`, figure: `${((performance.now() - began) / 1000).toFixed(1)} s` });

  const times: number[] = [];
  const shares: number[] = [];
  let [before, since, quiet] = [mainTicks(server.pid), performance.now(), 0];
  const first = { ticks: before, at: since };
  while (quiet < QUIET_S && shares.length < MAX_S) {
    for (let i = 0; i < 4; i++) {
      const asked = performance.now();
      const page = await ask(server, 'GET', '/api/v1/library?limit=60&sort=added', { token });
      assert.equal(page.status, 200);
      times.push(performance.now() - asked);
      await pause(250);
    }
    const [ticks, now] = [mainTicks(server.pid), performance.now()];
    const share = (ticks - before) / TICKS / ((now - since) / 1000);
    shares.push(share);
    quiet = share < QUIET_SHARE ? quiet + 1 : 0;
    [before, since] = [ticks, now];
  }
  const busy = shares.slice(0, -QUIET_S);
  report({
    what: 'main thread after the scan',
    figure: `busy for ${busy.length} s, ${((before - first.ticks) / TICKS).toFixed(1)} s of processor time`,
    note: `share of each second: ${busy.map((share) => share.toFixed(2)).join(' ')}; load ${loadavg()[0]?.toFixed(1)}`,
  });
  const meanwhile = times.slice(0, -QUIET_S * 4);
  report({
    what: 'page of 60 meanwhile',
    figure: `p50 ${quantile(meanwhile, 0.5).toFixed(1)} ms, p99 ${quantile(meanwhile, 0.99).toFixed(1)} ms`,
    aim: 'p99 under 4 ms',
    met: quantile(meanwhile, 0.99) < 4,
    note: `at rest p99 ${quantile(times.slice(-QUIET_S * 4), 0.99).toFixed(1)} ms`,
  });
}

/** Processor time of the main thread, in ticks. */
function mainTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
