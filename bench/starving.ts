/**
 * Scans that a person asks for while the server works in the background for 200 films: from the request to the state
 * running. Ten times while it indexes the dialogue, ten times while it searches for the credits, ten times while it
 * makes the preview pictures, and ten times while a film is played. Also the processor time of each kind of work, with
 * all processes. Each kind has a separate server, because the server begins most of this work by itself, and
 * would have done some of the next kind.
 *
 * By hand: `node bench/starving.ts [--films=200] [--seconds=300] [--scans=10]`. The films are copies of one that ffmpeg
 * makes, each with dialogue in the video and in a file. The server is the built one.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Child, startServerProcess } from '../test/faults/child.ts';
import { openStream } from '../test/streaming.ts';
import { buildServer } from '../tools/server.ts';
import { median, report } from './report.ts';

const option = (name: string, otherwise: number): number =>
  Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const FILMS = option('films', 200);
const SECONDS = option('seconds', 300);
const SCANS = option('scans', 10);
/** Each is measured while it holds the place of heavy work. */
const MEASURED = ['dialogue-index', 'marker-analysis', 'preview-pictures'];
const BACKGROUND = [...MEASURED, 'audit', 'loudness'];
const AIM_MS = 1_000;
/** Longer than what sockets hold, so that a stream that is not read stays open. */
const PLAYED_BYTES = 256 * 1024 ** 2;
const CPU_S = 60;
/** One of two processors. */
const MAX_PROCESSORS = 1;
const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString());
const PASSWORD = 'a long and quiet evening';

interface ShownTask {
  id: string;
  name: string;
  state: string;
  progress: number;
  detail?: string;
  remarks?: { reason: string }[];
}

const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const films = join(home, 'films');
let child: Child;
let token: string | undefined;
try {
  makeFilms();
  const program = await buildServer();
  for (const name of MEASURED) await withServer(program, () => measureBeside(name));
  await withServer(program, measureWhilePlayed);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Starts a server that has scanned the films and done nothing else, and ends it after the work. */
async function withServer(program: string, work: () => Promise<void>): Promise<void> {
  // The films are outside of the folder that the server starts with, or it would have them twice for a moment.
  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'empty') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const env = { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s', UV_THREADPOOL_SIZE: '24' };
  child = await startServerProcess({ ...folders, program, env });
  token = undefined;
  try {
    assert.ok(await child.ready, child.output());
    token = String((await call('POST', '/setup', { name: 'Ada', password: PASSWORD }))['token']);
    const library = [{ name: 'Films', path: films, kind: 'movies' }];
    await call('PUT', '/configuration/libraries', { value: JSON.stringify(library) });
    while (Number((await call('GET', '/library?limit=1'))['total']) < FILMS || (await tasks()).some(isScanning))
      await pause(100);
    await work();
  } finally {
    await child.stop();
    for (const folder of [folders.data, folders.cache]) rmSync(folder, { recursive: true, force: true });
  }
}

function makeFilms(): void {
  const cues = Array.from({ length: Math.floor(SECONDS / 5) }, (_, i) => {
    const at = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',');
    return `${i + 1}\n${at(i * 5)} --> ${at(i * 5 + 3)}\nLine ${i + 1} of the evening.\n`;
  }).join('\n');
  const [srt, film] = [join(home, 'a.srt'), join(home, 'a.mkv')];
  writeFileSync(srt, cues);
  const inputs = [`testsrc2=size=1280x720:rate=24:duration=${SECONDS}`, `sine=frequency=300:duration=${SECONDS}`];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '45', '-g', '48', '-c:a', 'aac', '-c:s', 'srt'];
  execFileSync('ffmpeg', [
    ...['-v', 'error', ...inputs.flatMap((one) => ['-f', 'lavfi', '-i', one]), '-i', srt],
    ...['-map', '0', '-map', '1', '-map', '2', ...coding, film],
  ]);
  for (let i = 1; i <= FILMS; i++) {
    const name = `Evening ${i} (${1900 + (i % 120)})`;
    mkdirSync(join(films, name), { recursive: true });
    copyFileSync(film, join(films, name, `${name}.mkv`));
    writeFileSync(join(films, name, `${name}.en.srt`), cues);
    if (i === 1) truncateSync(join(films, name, `${name}.mkv`), PLAYED_BYTES);
  }
}

async function call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
  const reply = await ask<T & Record<string, unknown>>(child, method, `/api/v1${path}`, { token, body });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.bytes.toString()}`);
  return reply.body;
}
async function tasks(): Promise<ShownTask[]> {
  return (await call<{ items: ShownTask[] }>('GET', '/tasks')).items;
}
function isScanning(task: ShownTask): boolean {
  return task.name === 'scan' && isOpen(task);
}
function isOpen({ state }: Pick<ShownTask, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/** Reports scans and processor time while one kind of work has the place of heavy work. */
async function measureBeside(name: string): Promise<void> {
  // The dialogue is read from the inventory of subtitles, which follows the scan.
  while (Number((await call('GET', '/subtitle-audit'))['pending']) < FILMS) await pause(100);
  for (const other of await tasks())
    if (isOpen(other) && other.name !== name) await call('DELETE', `/tasks/${other.id}`);
  const { id } = await call<ShownTask>('POST', `/tasks/${name}`, {});
  await working(id);
  await scans(`${name} runs`, id);
  await processors(name, id);
}

/** Reports scans while a film is played, with all kinds of work queued. */
async function measureWhilePlayed(): Promise<void> {
  for (const name of BACKGROUND) await call('POST', `/tasks/${name}`, {});
  const { items } = await call<{ items: { id: string; title: string }[] }>('GET', `/library?limit=${FILMS}`);
  const film = items.find(({ title }) => title === 'Evening 1');
  assert.ok(film, `the film is not among ${items.map(({ title }) => title).join(', ')}`);
  const plan = await call<{ urls: { media: string } }>('GET', `/items/${film.id}/playback`);
  const stream = await openStream(`${child.url}${plan.urls.media}`, token);
  await pause(2_000);
  await scans('a film is played');
  stream.reply.destroy();
}

/** Waits until a task does its work, and not only waits for it. */
async function working(id: string): Promise<void> {
  for (;;) {
    const { state, progress, remarks = [] } = await call<ShownTask>('GET', `/tasks/${id}`);
    assert.ok(isOpen({ state }), `the work was over before it was measured: ${state}`);
    if (state === 'running' && progress > 0 && !remarks.some(({ reason }) => reason.startsWith('waiting-'))) return;
    await pause(20);
  }
}

/** Asks for scans, one after the other, and reports the times until each runs. `beside` is working at each of them. */
async function scans(when: string, beside?: string): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < SCANS; i++) {
    if (beside !== undefined) await working(beside);
    assert.ok(
      (await tasks()).some((one) => isOpen(one) && BACKGROUND.includes(one.name)),
      'the films were too few',
    );
    const began = performance.now();
    const { id } = await call<{ id: string }>('POST', '/tasks/scan', {});
    while ((await call<ShownTask>('GET', `/tasks/${id}`)).state === 'queued') await pause(5);
    times.push(performance.now() - began);
    while (isOpen(await call<ShownTask>('GET', `/tasks/${id}`))) await pause(20);
    // Time in which the work in the background continues.
    await pause(500);
  }
  const worst = Math.max(...times);
  report({
    what: `from asking for a scan to running, while ${when}, the longest of ${SCANS}`,
    figure: `${worst.toFixed(0)} ms`,
    aim: `${AIM_MS} ms`,
    met: worst < AIM_MS,
    note:
      `median ${median(times).toFixed(0)} ms, all ${times.map((ms) => ms.toFixed(0)).join(' ')}; ` + (await underWay()),
  });
}

async function underWay(): Promise<string> {
  return (await tasks())
    .filter((one) => BACKGROUND.includes(one.name))
    .map(({ name, state, detail = '' }) => `${name} ${state}${detail && ` (${detail})`}`)
    .join('; ');
}

/** Reports how many processors the server and its processes use on average while a task works. */
async function processors(name: string, id: string): Promise<void> {
  await working(id);
  const [before, since] = [ticksOf(child.pid), performance.now()];
  let [ticks, seconds] = [before, 0];
  while (seconds < CPU_S && isOpen(await call<ShownTask>('GET', `/tasks/${id}`))) {
    await pause(250);
    [ticks, seconds] = [ticksOf(child.pid), (performance.now() - since) / 1000];
  }
  const used = (ticks - before) / TICKS / seconds;
  report({
    what: `processors that ${name} uses for ${FILMS} films, over ${seconds.toFixed(0)} s`,
    figure: used.toFixed(2),
    aim: `${MAX_PROCESSORS} of 2`,
    met: used <= MAX_PROCESSORS,
    note: `load ${(loadavg()[0] ?? 0).toFixed(1)}; in the background: ${await underWay()}`,
  });
}

/** Processor time of a process, its children, and those of them that have ended. */
function ticksOf(root: number): number {
  const all = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
      all.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It has ended since.
    }
  }
  const isOwn = (pid: number): boolean => pid === root || (all.has(pid) && isOwn(all.get(pid)?.parent ?? 0));
  return [...all].filter(([pid]) => isOwn(pid)).reduce((sum, [, { ticks }]) => sum + ticks, 0);
}
