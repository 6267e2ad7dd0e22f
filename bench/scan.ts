/**
 * Scanning: cold, compared with minidlna on the same folder and with ffprobe alone, and again without changes,
 * compared with `find`.
 *
 * By hand: `node bench/scan.ts [--files=10000] [--large=100000] [--data=FOLDER] [--without-minidlna]`. The clips are
 * real ones made by ffmpeg, each followed by a unique box, so that no two are alike; the larger library holds
 * each of them ten times as a hard link. They are made once and kept in the data folder.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { openCatalog, worldMigrations } from '../src/catalog/testing/world.ts';
import { openDatabase } from '../src/lib/db/index.ts';
import { linkScanClips, makeScanClips, placeOfClip } from './clips.ts';
import { secondsOfMinidlna } from './minidlna.ts';
import { quantile, report } from './report.ts';

const flag = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}`))?.split('=')[1];
const FILES = Number(flag('files') ?? 10_000);
const LARGE = Number(flag('large') ?? 100_000);
const DATA = flag('data') ?? join(import.meta.dirname, 'data');
const SAMPLE = 100;
const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const seconds = (since: number): number => (performance.now() - since) / 1000;

/** A catalogue of the folder, on a separate database. */
async function open(name: string, media: string) {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  const db = await openDatabase({ file: join(folder, 'test.db'), migrations: worldMigrations });
  const listed = [{ name: 'all', path: media, kind: 'mixed' }] as const;
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), ahead: 0 };
  const { catalog, close } = await openCatalog({
    folder,
    db,
    listed,
    clock,
    disk: { looks: (looked) => looked },
    probeModule: undefined,
  });
  const scan = async (task: 'scan' | 'scan-changes'): Promise<number> => {
    const since = performance.now();
    await catalog.tasks
      .find((one) => one.name === task)
      ?.run({
        id: 't',
        input: {},
        signal: new AbortController().signal,
        resumed: false,
        saved: undefined,
        progress: () => {},
        save: () => Promise.resolve(),
      } as never);
    return seconds(since);
  };
  return { catalog, scan, close: () => close().then(() => db.close()) };
}

/** How long the main thread did not answer, in milliseconds, looked at every five. */
function stalls(): { stop(): number[] } {
  const waits: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    waits.push(Math.max(0, now - last - 5));
    last = now;
  }, 5);
  return { stop: () => (clearInterval(timer), waits) };
}

async function ffprobes(media: string): Promise<number> {
  const since = performance.now();
  const next = Array.from({ length: SAMPLE }, (_, n) => join(media, placeOfClip(n)));
  const one = async (): Promise<void> => {
    for (let path = next.pop(); path !== undefined; path = next.pop())
      await promisify(execFile)('ffprobe', [
        '-v',
        'error',
        '-show_format',
        '-show_streams',
        '-show_chapters',
        '-of',
        'json',
        path,
      ]);
  };
  await Promise.all([one(), one()]);
  return SAMPLE / seconds(since);
}

function find(media: string): number {
  const since = performance.now();
  execFileSync('find', [media, '-type', 'f', '-printf', '%s %T@\n'], { maxBuffer: 1 << 30 });
  return seconds(since);
}

async function again(
  name: string,
  files: number,
  media: string,
  world: Awaited<ReturnType<typeof open>>,
  aim: number,
): Promise<void> {
  await world.scan('scan-changes');
  const beside = Math.min(find(media), find(media), find(media));
  for (const task of ['scan-changes', 'scan'] as const) {
    const took = Math.min(await world.scan(task), await world.scan(task), await world.scan(task));
    report({
      what:
        `unchanged rescan of ${files.toLocaleString('en')} files, ` +
        `${task === 'scan' ? 'every file looked at' : 'by the times of folders'}`,
      figure: `${took.toFixed(2)} s, find takes ${beside.toFixed(2)} s`,
      aim: `${aim} s`,
      met: took <= aim,
      note: `${(took / beside).toFixed(1)} × find${name}`,
    });
  }
}

async function bench(): Promise<void> {
  const small = join(DATA, `clips-${FILES}`);
  makeScanClips(small, FILES);
  const media = join(small, 'media');
  const world = await open('small', media);
  const watch = stalls();
  const took = await world.scan('scan');
  const waits = watch.stop();
  const rate = FILES / took;
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  const probed = await ffprobes(media);
  const without = process.argv.includes('--without-minidlna');
  const seconds = without ? undefined : await secondsOfMinidlna(home, media, 'V');
  const theirs = seconds && FILES / seconds;
  report({
    what: `cold scan of ${FILES.toLocaleString('en')} clips`,
    figure: `${Math.round(rate)} files/s`,
    aim: '1,500 files/s',
    met: rate >= 1_500,
    note: `${world.catalog.background.libraries()[0]?.items} items, ${memory} MiB`,
  });
  report({
    what: 'beside minidlna on the same folder',
    figure: theirs === undefined ? 'not measured' : `${Math.round(theirs)} files/s, ${(rate / theirs).toFixed(1)} ×`,
    ...(theirs !== undefined && { aim: '10 ×', met: rate >= 10 * theirs }),
  });
  report({
    what: `beside ffprobe alone, two at a time, ${SAMPLE} files`,
    figure: `${Math.round(probed)} files/s, ${(rate / probed).toFixed(1)} ×`,
  });
  report({
    what: 'main thread held up during the cold scan',
    figure: `p99 ${quantile(waits, 0.99).toFixed(0)} ms, longest ${Math.max(...waits).toFixed(0)} ms`,
    aim: 'p99 under 20 ms',
    met: quantile(waits, 0.99) < 20,
  });
  await again('', FILES, media, world, 0.3);
  await world.close();
  if (LARGE === 0) return;
  const large = join(DATA, `links-${LARGE}`);
  linkScanClips(small, large, { files: FILES, large: LARGE });
  const larger = await open('large', join(large, 'media'));
  await larger.scan('scan');
  await again('', LARGE, join(large, 'media'), larger, 3);
  await larger.close();
}

try {
  await bench();
} finally {
  rmSync(home, { recursive: true, force: true });
}
