/**
 * Compares playback with ffmpeg on media of unknown programs: each file of a folder is analysed, planned for a browser,
 * and every segment of its streams is made and decoded. A table says what differs: pictures, seconds of sound, and the
 * time at which film and playlists end.
 *
 * By hand: `node bench/foreign-media.ts FOLDER [--seconds=120]`. Longer files are passed over. Exits with 1 if a
 * file differs.
 */
import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { createProbe, type MediaInfo } from '../src/catalog/probe/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createEncoder } from '../src/lib/ffmpeg/encode/index.ts';
import { createFfmpeg } from '../src/lib/ffmpeg/index.ts';
import { openForReading } from '../src/lib/files.ts';
import { createProcesses } from '../src/lib/process.ts';
import { quietLog } from '../src/lib/process/testing.ts';
import { createWalks } from '../src/playback/media-index/walk/walks.ts';
import { decide } from '../src/playback/plan/decide.ts';
import { usualAudio } from '../src/playback/plan/support.ts';
import { CLIENTS, MACHINES, POLICY, SETTINGS } from '../src/playback/plan/testing/clients.ts';
import type { FileRecipe } from '../src/playback/plan/types.ts';
import { indexFacts } from '../src/playback/planning.ts';
import { createRemux } from '../src/playback/remux/index.ts';
import type { MediaSource, Rendition } from '../src/playback/rendition.ts';
import { createTranscode } from '../src/playback/transcode/index.ts';

const [folder = '.'] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const LONGEST = Number(process.argv.find((one) => one.startsWith('--seconds='))?.split('=')[1] ?? 120);
const ENDINGS =
  'mkv webm mka mp4 m4v m4a mov avi ts m2ts mts mpg mpeg vob flv wmv asf wma ogv ogg oga opus mp3 flac wav aac 3gp mxf';
const MEDIA: ReadonlySet<string> = new Set(ENDINGS.split(' '));
/** A browser that opens no container, so that everything becomes a stream. */
const CLIENT = { ...CLIENTS.chromium, containers: new Set<string>() };
/** Pictures and seconds by which a converted stream may differ: it holds its last picture, and fills its last frame. */
const MAX_PICTURES = 1;
const MAX_SECONDS = 0.25;

const run = promisify(execFile);
const never = new AbortController().signal;
const home = mkdtempSync(join(tmpdir(), 'matinee-foreign-'));
const processes = await createProcesses({ log: quietLog, temporary: join(home, 'tmp') });
const ffmpeg = createFfmpeg({ processes });
const probe = createProbe({ processes, ffprobe: (path, signal) => ffmpeg.probe(path, signal), log: quietLog });
const walks = createWalks({ processes, log: quietLog, clock: systemClock, cache: home, isPlaying: () => false });
const remux = createRemux({ processes, log: quietLog, stored: walks.stored });
const encoders = createEncoder({ processes });

interface Measured {
  pictures: number;
  /** Seconds of sound. */
  sound: number;
  /** Seconds at which the last picture or sample ends. */
  end: number;
}
interface Row {
  file: string;
  plan: string;
  theirs: Measured;
  ours: Measured;
  listed: number;
  problem: string;
}

/** Decodes a stream with ffmpeg, whatever faults it has. */
async function decoded(path: string, stream: string): Promise<Measured> {
  const { stdout } = await run(
    'ffmpeg',
    ['-nostdin', '-v', 'quiet', '-i', path, '-map', `0:${stream}`, '-fps_mode', 'passthrough', '-f', 'framecrc', '-'],
    { maxBuffer: 1 << 28 },
  ).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  const unit = /#tb 0: (\d+)\/(\d+)/.exec(stdout);
  const seconds = Number(unit?.[1] ?? 1) / Number(unit?.[2] ?? 1);
  const lines = stdout.split('\n').filter((line) => /^\d/.test(line));
  const isSound = /#media_type 0: audio/.test(stdout);
  let [first, end, length] = [Infinity, 0, 0];
  for (const line of lines) {
    const [, , pts = 0, duration = 0] = line.split(',').map(Number);
    first = Math.min(first, pts * seconds);
    end = Math.max(end, (pts + duration) * seconds);
    length += duration * seconds;
  }
  return { pictures: isSound ? 0 : lines.length, sound: isSound ? length : 0, end: lines.length === 0 ? 0 : end };
}

async function written(rendition: Rendition, path: string): Promise<void> {
  const out = openSync(path, 'w');
  try {
    writeSync(out, await rendition.init(never));
    for (let n = 0; n < rendition.segments.length; n += 1) {
      const { bytes } = await rendition.segment(n, 'bench', never);
      if (bytes instanceof Uint8Array) writeSync(out, bytes);
      else for await (const part of bytes) writeSync(out, part);
    }
  } finally {
    closeSync(out);
  }
}

function sourceOf(path: string, info: MediaInfo): MediaSource {
  const { size, mtimeMs, ino } = statSync(path);
  return { identity: `${size}-${mtimeMs}-${ino}`, info, media: path, open: () => openForReading(path) };
}

async function renditionsOf(
  source: MediaSource,
  recipe: FileRecipe,
): Promise<{ stream: number; rendition: Rendition }[]> {
  const transcode = createTranscode({ encoders, ffmpeg, log: quietLog, cache: home, mostSoftware: 2 });
  const { video } = recipe;
  const copied = (stream: number) => remux.rendition(source, stream, {}, never);
  const made: { stream: number; rendition: Rendition }[] = [];
  if (video?.action === 'copy') made.push({ stream: video.stream, rendition: await copied(video.stream) });
  if (video?.action === 'convert')
    made.push({
      stream: video.stream,
      rendition: await transcode.video(source, video.recipe, { preset: 'ultrafast' }, never),
    });
  const heard = recipe.audio.find(({ stream }) => stream === recipe.heard);
  if (heard?.action === 'copy') made.push({ stream: heard.stream, rendition: await copied(heard.stream) });
  if (heard?.action === 'convert')
    made.push({ stream: heard.stream, rendition: await transcode.audio(source, heard.recipe, never) });
  return made;
}

const NOTHING: Measured = { pictures: 0, sound: 0, end: 0 };
const endOf = ({ segments }: Rendition): number => {
  const last = segments.at(-1);
  return last === undefined ? 0 : last.start + last.duration;
};

async function compared(path: string): Promise<Row | undefined> {
  const file = relative(folder, path);
  const row = { file, plan: '-', theirs: NOTHING, ours: NOTHING, listed: 0, problem: '' };
  const [found] = await probe.probe([{ path, size: statSync(path).size, mtimeMs: 0 }], never);
  if (found === undefined || !found.ok) return { ...row, plan: found?.ok === false ? found.reason : '-' };
  const { info } = found;
  if ((info.duration ?? 0) > LONGEST) return undefined;
  const source = sourceOf(path, info);
  await walks.walk(source, {}, never).catch(() => undefined);
  const decision = decide({
    info,
    index: indexFacts(await remux.facts(source, never), info),
    client: CLIENT,
    settings: SETTINGS,
    policy: POLICY,
    machine: MACHINES.strong,
    trouble: { hardwareFailed: [], cannotDecode: false },
    audio: usualAudio(info),
    subtitles: [],
  });
  const { way, recipe } = decision;
  if (way === undefined || recipe === undefined) return { ...row, plan: 'refused' };
  const all = await renditionsOf(source, recipe);
  const made: Row = { ...row, plan: way, theirs: { ...NOTHING }, ours: { ...NOTHING } };
  const problems: string[] = [];
  for (const { stream, rendition } of all) {
    const target = join(home, 'stream.mp4');
    await written(rendition, target);
    const [theirs, ours] = [await decoded(path, String(stream)), await decoded(target, '0')];
    const own = recipe.video?.stream === stream ? recipe.video : recipe.audio.find((one) => one.stream === stream);
    const isConverted = own?.action === 'convert';
    for (const [sum, one] of [
      [made.theirs, theirs],
      [made.ours, ours],
    ] as const) {
      sum.pictures += one.pictures;
      sum.sound += one.sound;
      sum.end = Math.max(sum.end, one.end);
    }
    made.listed = Math.max(made.listed, endOf(rendition));
    if (Math.abs(theirs.pictures - ours.pictures) > (isConverted ? MAX_PICTURES : 0)) problems.push('pictures');
    // Silence that is filled in is no fault.
    const lacking = theirs.sound - ours.sound;
    if (lacking > MAX_SECONDS || (!isConverted && -lacking > MAX_SECONDS)) problems.push('sound');
  }
  if (Math.abs(made.listed - made.theirs.end) > MAX_SECONDS + 0.02 * made.theirs.end) problems.push('end');
  return { ...made, problem: problems.join(' ') };
}

const filesIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && MEDIA.has(one.name.split('.').at(-1)?.toLowerCase() ?? ''))
    .map((one) => join(one.parentPath, one.name))
    .toSorted();

const COLUMNS = ['file', 'plan', 'pictures', 'sound', 'end', 'listed', 'problem'];
const line = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
line(COLUMNS);
line(COLUMNS.map(() => '---'));
let [count, differ] = [0, 0];
for (const path of filesIn(folder)) {
  const row = await compared(path).catch((error: unknown): Row => ({
    file: relative(folder, path),
    plan: '-',
    theirs: NOTHING,
    ours: NOTHING,
    listed: 0,
    problem: error instanceof Error ? error.message : String(error),
  }));
  if (row === undefined) continue;
  count += 1;
  if (row.problem !== '') differ += 1;
  const pair = (which: keyof Measured, digits: number): string =>
    `${row.ours[which].toFixed(digits)} / ${row.theirs[which].toFixed(digits)}`;
  line([row.file, row.plan, pair('pictures', 0), pair('sound', 2), pair('end', 2), row.listed.toFixed(2), row.problem]);
}
process.stdout.write(`\n${count} files, ${differ} differ from ffmpeg\n`);
await probe.close();
await walks.close();
await remux.close();
await processes.close();
rmSync(home, { recursive: true, force: true });
process.exitCode = differ > 0 ? 1 : 0;
