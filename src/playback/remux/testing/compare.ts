/**
 * For the truth test: writes every segment of every rendition of a file, decodes them with ffmpeg, and compares them
 * with the file itself, picture by picture and sample by sample.
 */
import { execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MediaInfo } from '../../../catalog/index.ts';
import { openForReading } from '../../../lib/files.ts';
import { createFragmentReader } from '../../cmaf/reader.ts';
import type { Rendition, MediaSource } from '../../rendition.ts';
import type { Remux } from '../index.ts';

const run = promisify(execFile);
const INFO: MediaInfo = { container: '', size: 0, streams: [], chapters: [], tags: {} };
const never = new AbortController().signal;

export const sourceOf = (path: string): MediaSource => ({
  identity: path,
  info: INFO,
  media: path,
  open: () => openForReading(path),
});

export async function ffmpeg(...args: string[]): Promise<void> {
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { maxBuffer: 1 << 26 });
}

/** Returns the seconds at which a file begins, as ffmpeg says. */
export async function beginOf(path: string): Promise<number> {
  const { stderr } = await run('ffmpeg', ['-nostdin', '-hide_banner', '-i', path, '-t', '0', '-f', 'null', '-']);
  return Number(/start: (-?[\d.]+)/.exec(stderr)?.[1]);
}

/** A written rendition. */
export interface WrittenSegment {
  source: string;
  stream: number;
  kind: 'video' | 'audio';
  codecs: string;
  path: string;
  /** Lists faults of the times in the segments. */
  problems: string[];
  /** Seconds at which ffmpeg says that the source begins, where that is not 0. */
  begin?: number;
}

/** Writes the initialization segment and all segments of each stream that can be copied. */
export async function writeAll(
  remux: Remux,
  path: string,
  folder: string,
  options: { isOpenGopAllowed?: boolean } = {},
): Promise<WrittenSegment[]> {
  const source = sourceOf(path);
  const index = await remux.facts(source, never);
  const written: WrittenSegment[] = [];
  for (const { stream, obstacles } of index.tracks) {
    if (obstacles.length > 0) continue;
    const rendition = await remux.rendition(source, stream, options, never);
    const target = join(
      folder,
      `${path.split('/').at(-1) ?? ''}.${stream}${options.isOpenGopAllowed === true ? '.open' : ''}.mp4`,
    );
    const problems = await writeRendition(rendition, target);
    written.push({ source: path, stream, kind: rendition.kind, codecs: rendition.codecs, path: target, problems });
  }
  return written;
}

/**
 * Writes a rendition and checks that each segment begins where the last one ended, and that nothing is shown before it
 * is decoded.
 */
async function writeRendition(rendition: Rendition, target: string): Promise<string[]> {
  const out = openSync(target, 'w');
  const reader = createFragmentReader();
  const problems: string[] = [];
  let [end, joints] = [0, 0];
  const take = (bytes: Uint8Array): void => {
    writeSync(out, bytes);
    // Bytes are used again by the stream, and the reader keeps them.
    for (const event of reader.push(Buffer.from(bytes))) {
      if (event.type !== 'fragment') continue;
      const [first] = event.samples;
      const last = event.samples.at(-1);
      if (first === undefined || last === undefined) continue;
      if (end > 0 && first.dts !== end) problems.push(`a segment begins at ${first.dts} and not at ${end}`);
      if (event.samples.some(({ cts }) => cts < 0)) problems.push('a picture is shown before it is decoded');
      if (rendition.kind === 'audio')
        joints += event.samples.filter(
          ({ duration }, i) => i + 1 < event.samples.length && duration !== event.samples[1]?.duration,
        ).length;
      end = last.dts + last.duration;
    }
  };
  try {
    take(await rendition.init(never));
    for (let n = 0; n < rendition.segments.length; n += 1) {
      const { bytes, size } = await rendition.segment(n, 'test', never);
      let got = 0;
      for await (const piece of bytes as AsyncIterable<Uint8Array>) {
        take(piece);
        got += piece.length;
      }
      if (got !== size) problems.push(`segment ${n} has ${got} bytes instead of ${size}`);
    }
    reader.end();
  } finally {
    closeSync(out);
  }
  // Times of Matroska are rounded, and go back to where they were; those of MP4 are taken as they are. One file has a
  // gap in its sound.
  if (/\.(?:mkv|webm|avi|wmv|asf)\./.test(target) && joints > (target.includes('gap.') ? 1 : 0))
    problems.push(`${joints} frames of sound do not follow the one before them`);
  return problems;
}

/** Writes every keyframe of the video of a file, each as a separate segment. */
export async function writeKeyframes(remux: Remux, path: string, folder: string): Promise<WrittenSegment> {
  const video = await remux.rendition(sourceOf(path), 0, {}, never);
  const target = join(folder, `${path.split('/').at(-1) ?? ''}.keyframes.mp4`);
  const parts: Uint8Array[] = [await video.init(never)];
  for (const [n] of (video.keyframes ?? []).entries()) {
    const one = await video.keyframe?.(n, never);
    for await (const piece of (one?.bytes ?? []) as AsyncIterable<Uint8Array>) parts.push(Buffer.from(piece));
  }
  writeFileSync(target, Buffer.concat(parts));
  return {
    source: path,
    stream: 0,
    kind: 'video',
    codecs: video.codecs,
    path: target,
    problems: (video.keyframes?.length ?? 0) < 5 ? ['keyframes are missing'] : [],
  };
}

/** Times of decoded pictures that the source does not show at that time. */
export function missingPictures(one: WrittenSegment): (number | string)[] {
  const source = shownIn(`${one.path}.source${TIMES}`);
  const ours = shownIn(`${one.path}${TIMES}`);
  const wrong = ours.filter(
    ({ time, hash }) => !source.some((picture) => picture.hash === hash && Math.abs(picture.time - time) < 0.001),
  );
  return [...one.problems, ...wrong.map(({ time }) => time), ...(ours.length < 5 ? [`${ours.length} pictures`] : [])];
}

const RAW = '.raw';
const TIMES = '.times';

/** Decodes what was written and its sources in a few runs of ffmpeg. */
export async function decodeAll(all: readonly WrittenSegment[]): Promise<void> {
  const args: string[][] = [[], []];
  const outputs: string[][] = [[], []];
  let inputs = [0, 0];
  all.forEach(({ source, stream, kind, path }, i) => {
    const run = i % 2;
    for (const [input, map, to] of [
      [path, '0', path],
      [source, String(stream), `${path}.source`],
    ] as const) {
      args[run]?.push('-i', input);
      const mapped = `${inputs[run] ?? 0}:${map}`;
      inputs = inputs.map((count, n) => (n === run ? count + 1 : count));
      const times = ['-enc_time_base', '-1', '-f', 'framemd5', `${to}${TIMES}`];
      if (kind === 'video') outputs[run]?.push('-map', mapped, '-fps_mode', 'passthrough', ...times);
      else
        outputs[run]?.push('-map', mapped, '-f', 's32le', `${to}${RAW}`, '-map', mapped, '-c:a', 'pcm_s32le', ...times);
    }
  });
  await Promise.all(
    args.map((inputArgs, i) =>
      inputArgs.length === 0
        ? undefined
        : ffmpeg('-threads', '1', '-copyts', ...inputArgs, '-threads', '1', ...(outputs[i] ?? [])),
    ),
  );
}

export interface DecodedPicture {
  /** Seconds. */
  time: number;
  duration: number;
  hash: string;
}

/** Parses the output of the framemd5 muxer: times in seconds, and a hash of each picture. */
export function shownIn(path: string, begin = 0): DecodedPicture[] {
  const lines = readFileSync(path, 'latin1').trim().split('\n');
  const [, one = '1', of = '1'] = /#tb 0: (\d+)\/(\d+)/.exec(lines.join('\n')) ?? [];
  const unit = Number(one) / Number(of);
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [, , pts = '0', duration = '0', , hash = ''] = line.split(',').map((each) => each.trim());
      return { time: Number(pts) * unit - begin, duration: Number(duration) * unit, hash };
    });
}

export interface Difference {
  what: string;
  /** Compared pictures or samples. */
  count: number;
  /** Seconds that a picture or the sound is shown or heard too early or too late at most. */
  worst: number;
  problem: string | undefined;
}

/** Compares one written rendition with its source. */
export function compare(one: WrittenSegment, rate: number): Difference {
  const difference = one.kind === 'video' ? comparePictures(one) : compareSamples(one, rate);
  return one.problems.length > 0
    ? { ...difference, problem: [difference.problem, ...one.problems].filter(Boolean).join('; ') }
    : difference;
}

const nameOf = ({ source, stream, codecs }: WrittenSegment): string =>
  `${source.split('/').at(-1) ?? ''} stream ${stream} (${codecs})`;

function comparePictures(one: WrittenSegment): Difference {
  const [ours, theirs] = [shownIn(`${one.path}${TIMES}`), shownIn(`${one.path}.source${TIMES}`, one.begin)];
  const worst = theirs.reduce((most, { time }, i) => Math.max(most, Math.abs(time - (ours[i]?.time ?? Infinity))), 0);
  const wrong = theirs.findIndex(({ hash }, i) => hash !== ours[i]?.hash);
  const problem =
    ours.length !== theirs.length
      ? `${ours.length} pictures instead of ${theirs.length}`
      : wrong >= 0
        ? `picture ${wrong} is another one`
        : worst > 0.001
          ? `times are ${worst.toFixed(4)} s off`
          : undefined;
  return {
    what: nameOf(one),
    count: theirs.length,
    worst,
    problem: theirs.length === 0 ? 'nothing was decoded' : problem,
  };
}

/** Seconds that sound may last longer at the end: encoders fill their last frame. */
const MAX_TAIL = 0.09;
const SAMPLE = 4;

/**
 * Sound is compared from time 0 on: what comes before is priming, which ffmpeg drops in ordinary files and keeps in
 * fragments.
 */
function compareSamples(one: WrittenSegment, rate: number): Difference {
  const [first, source] = [shownIn(`${one.path}${TIMES}`), shownIn(`${one.path}.source${TIMES}`, one.begin)];
  const channels = channelsOf(one);
  const frame = channels * SAMPLE;
  const [ours, theirs] = [readFileSync(`${one.path}${RAW}`), readFileSync(`${one.path}.source${RAW}`)];
  const [ourStart, theirStart] = [first[0]?.time ?? NaN, source[0]?.time ?? NaN];
  // Whole samples that one has more at the start than the other.
  const ahead = Math.round((theirStart - ourStart) * rate);
  const begin = Math.max(0, ahead);
  const skipped = Math.max(0, -ahead);
  const length = Math.min(ours.length / frame - begin, theirs.length / frame - skipped);
  const count = Math.max(0, Math.floor(length));
  const found = bestOffset(ours, theirs, { frame, begin, skipped, count, most: Math.ceil(rate / 1000) });
  const tail = ours.length / frame - begin - (theirs.length / frame - skipped);
  const problem =
    count < rate
      ? `${count} samples were decoded`
      : found === undefined
        ? 'samples differ'
        : skipped > 0 && theirStart >= 0 && ourStart > 0.001 && skipped > rate / 1000
          ? 'the start is missing'
          : tail < -1 - rate / 1000 || tail > MAX_TAIL * rate
            ? `${tail} samples more at the end`
            : undefined;
  return { what: nameOf(one), count, worst: Math.abs(found ?? 0) / rate, problem };
}

function channelsOf(one: WrittenSegment): number {
  const line = /#channel_layout_name 0: (\S+)/.exec(readFileSync(`${one.path}${TIMES}`, 'latin1'))?.[1] ?? 'stereo';
  return { mono: 1, stereo: 2, '5.1': 6, '5.1(side)': 6 }[line] ?? 2;
}

interface Aligned {
  frame: number;
  begin: number;
  skipped: number;
  count: number;
  most: number;
}

/** Samples that one must be moved by, at most a millisecond, until both are the same. Times of Matroska are rounded. */
function bestOffset(ours: Buffer, theirs: Buffer, { frame, begin, skipped, count, most }: Aligned): number | undefined {
  for (let distance = 0; distance <= most; distance += 1) {
    for (const offset of distance === 0 ? [0] : [distance, -distance]) {
      const [from, other] = [begin + Math.max(0, offset), skipped + Math.max(0, -offset)];
      const length = (count - distance) * frame;
      if (
        ours
          .subarray(from * frame, from * frame + length)
          .equals(theirs.subarray(other * frame, other * frame + length))
      )
        return offset;
    }
  }
  return undefined;
}
