/**
 * Copied streams next to `ffmpeg -c copy`, inside this process: from an unopened file to the first segment
 * of video, processor time for a segment of video and sound, and memory for each stream that is being sent.
 *
 * Processor time is that of this process and of the helper that reads indexes; ffmpeg's is what the shell's `time`
 * says.
 */
import { execFileSync } from 'node:child_process';
import { openForReading } from '../../src/lib/files.ts';
import type { Processes } from '../../src/lib/process.ts';
import { quietLog } from '../../src/lib/process/testing.ts';
import { createRemux, type Remux } from '../../src/playback/remux/index.ts';
import type { RenditionBytes, Rendition, MediaSource } from '../../src/playback/rendition.ts';
import { childrenOf } from '../../test/processes.ts';
import { median, report } from '../report.ts';
import { film, SECONDS } from './films.ts';
import { cpuOf } from './house.ts';

const RUNS = 9;
const SEGMENTS = 24;
const STREAMS = 20;
const never = new AbortController().signal;

let opened = 0;
/** A file that no index is kept of. */
const sourceOf = (path: string): MediaSource => ({
  identity: `${path} ${opened++}`,
  media: path,
  info: { container: '', size: 0, streams: [], chapters: [], tags: {} },
  open: () => openForReading(path),
});

async function readAll({ bytes }: RenditionBytes): Promise<number> {
  if (bytes instanceof Uint8Array) return bytes.length;
  let size = 0;
  for await (const piece of bytes) size += piece.length;
  return size;
}

/** Processor milliseconds of this process and its children so far. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenOf(process.pid).reduce((sum, { pid }) => sum + cpuOf(pid), 0);
}

async function first(remux: Remux, path: string): Promise<{ index: number; segment: number }> {
  const source = sourceOf(path);
  const began = performance.now();
  await remux.facts(source, never);
  const known = performance.now();
  const video = await remux.rendition(source, 0, {}, never);
  await video.init(never);
  await readAll(await video.segment(0, 'bench', never));
  return { index: known - began, segment: performance.now() - began };
}

/** Processor milliseconds that ffmpeg takes to copy four seconds of video and sound from the middle. */
function copied(path: string, at: number): number {
  const command =
    `TIMEFORMAT='%U %S'; { time ffmpeg -nostdin -v quiet -y -ss ${at} -i '${path}' -t 4 -c copy -f mp4 -movflags ` +
    'frag_keyframe+empty_moov+default_base_moof pipe:1 >/dev/null; } 2>&1';
  const said = execFileSync('bash', ['-c', command]).toString();
  return said
    .trim()
    .split(/\s+/)
    .reduce((sum, each) => sum + Number(each) * 1000, 0);
}

export async function benchCopied(processes: Processes): Promise<void> {
  const remux = createRemux({ processes, log: quietLog });
  for (const extension of ['mp4', 'mkv'] as const) await bench(remux, film(extension));
  await remux.close();
}

async function bench(remux: Remux, path: string): Promise<void> {
  const kind = path.split('.').at(-1) ?? '';
  const cold = await first(remux, path);
  const times = [];
  for (let i = 0; i < RUNS; i += 1) times.push(await first(remux, path));
  const toFirst = median(times.map(({ segment }) => segment));
  report({
    what: `${kind}: cold index to the first segment`,
    figure: `${toFirst.toFixed(0)} ms`,
    aim: '60 ms',
    met: toFirst <= 60,
    note:
      `index ${median(times.map(({ index }) => index)).toFixed(0)} ms; the first of all, with the helper's start, ` +
      `${cold.segment.toFixed(0)} ms`,
  });

  const source = sourceOf(path);
  const streams = [await remux.rendition(source, 0, {}, never), await remux.rendition(source, 1, {}, never)];
  const count = streams[0]?.segments.length ?? 1;
  const before = used();
  let bytes = 0;
  for (let i = 0; i < SEGMENTS; i += 1)
    for (const stream of streams) bytes += await readAll(await stream.segment((i * 7) % count, 'bench', never));
  const own = (used() - before) / SEGMENTS;
  const theirs = median(Array.from({ length: RUNS }, (_, i) => copied(path, (i + 1) * Math.min(20, SECONDS / 10))));
  report({
    what: `${kind}: processor time for 4 s of video and sound`,
    figure: `${own.toFixed(1)} ms, ${(own / theirs).toFixed(2)} × ffmpeg -c copy`,
    aim: '15 ms, 0.2 ×',
    met: own <= 15 && own / theirs <= 0.2,
    note: `ffmpeg ${theirs.toFixed(0)} ms; ${(bytes / SEGMENTS / 2 ** 20).toFixed(1)} MiB each`,
  });
  await memory(streams[0], kind);
}

/** Twenty clients that take their pieces in turn. */
async function memory(video: Rendition | undefined, kind: string): Promise<void> {
  if (video === undefined) return;
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, async (_, i) => {
      const { bytes } = await video.segment(i % video.segments.length, 'bench', never);
      return (bytes as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    }),
  );
  for (let open = streams; open.length > 0;) {
    const steps = await Promise.all(open.map((stream) => stream.next()));
    most = Math.max(most, process.memoryUsage.rss());
    open = open.filter((_, i) => steps[i]?.done !== true);
  }
  const each = (most - before) / STREAMS / 2 ** 20;
  report({
    what: `${kind}: memory a stream`,
    figure: `${each.toFixed(1)} MiB`,
    aim: '4 MiB',
    met: each <= 4,
    note: `${STREAMS} streams at once`,
  });
}
