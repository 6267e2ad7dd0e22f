/**
 * For tests of conversions: clips whose pictures carry their number, sources of them, and what comes out of segments.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../test/until.ts';
import type { MediaInfo } from '../../catalog/index.ts';
import { createEncoder } from '../../lib/ffmpeg/encode/index.ts';
import { createFfmpeg, type Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { Failure } from '../../lib/failure.ts';
import { openForReading, statFile } from '../../lib/files.ts';
import { createProcesses, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { createFragmentReader } from '../cmaf/reader.ts';
import type { RenditionBytes, Rendition, MediaSource } from '../rendition.ts';
import { createTranscode, type Transcode, type TranscodeNeeds } from './index.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

export const FILM_RATE = 24_000 / 1001;

/** Draws the number of each picture as twelve black or white fields on a line. */
export const NUMBERED = Array.from(
  { length: 12 },
  (_, bit) =>
    `drawbox=x=${bit * 26}:y=70:w=26:h=40:color=white:t=fill:enable='gt(mod(floor(n/${2 ** bit}),2),0)':replace=1`,
).join(',');

export interface Clips {
  base: string;
  processes: Processes;
  ffmpeg: Ffmpeg;
  path(name: string): string;
  make(...args: string[]): Promise<void>;
  /** Runs a program and returns its output. */
  output(program: 'ffmpeg' | 'ffprobe', args: readonly string[], input?: Uint8Array): Promise<Buffer>;
  source(name: string, info?: Partial<MediaInfo>): Promise<MediaSource>;
  /** Times of a stream's packets on the clock of the file, in order. */
  times(name: string, stream: string): Promise<number[]>;
  transcode(needs?: Partial<TranscodeNeeds>): Transcode;
  close(): Promise<void>;
}

export async function makeClips(): Promise<Clips> {
  const base = mkdtempSync(join(tmpdir(), 'transcode-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp'), helperModule: builtHelper });
  const ffmpeg = createFfmpeg({ processes });
  const path = (name: string): string => join(base, name);
  const made: Transcode[] = [];
  let caches = 0;
  const output: Clips['output'] = async (program, args, input) =>
    (
      await processes.run({
        program,
        args,
        timeoutMs: 60_000,
        reads: [base],
        writes: [base],
        outputLimit: 512 * 1024 ** 2,
        ...(input && { input }),
      })
    ).stdout;
  return {
    base,
    processes,
    ffmpeg,
    path,
    output,
    make: async (...args) => void (await output('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])),
    times: async (name, stream) => {
      const text = String(
        await output('ffprobe', [
          '-v',
          'error',
          '-select_streams',
          stream,
          '-show_entries',
          'packet=pts_time',
          '-of',
          'csv=p=0',
          path(name),
        ]),
      );
      return text
        .split('\n')
        .map((line) => line.replaceAll(',', ''))
        .filter((line) => line !== '' && line !== 'N/A')
        .map(Number)
        .sort((a, b) => a - b);
    },
    source: async (name, info = {}) => {
      const identityOf = async (): Promise<string> => {
        const { size, mtimeMs, ino } = await statFile(path(name));
        return `${size}-${mtimeMs}-${ino}`;
      };
      const identity = await identityOf();
      const container =
        { mkv: 'matroska', mp4: 'mp4', mov: 'mov', ts: 'mpegts', avi: 'avi' }[name.split('.').at(-1) ?? ''] ?? 'mp4';
      return {
        identity,
        media: path(name),
        info: { container, size: 1, streams: [], chapters: [], tags: {}, ...info },
        open: async () => {
          const file = await openForReading(path(name));
          if (`${file.size}-${file.mtimeMs}-${file.ino}` === identity) return file;
          await file.close();
          throw new Failure('conflict', 'the file has changed', { reason: 'changed' });
        },
      };
    },
    transcode: (needs = {}) => {
      const one = createTranscode({
        encoders: createEncoder({ processes }),
        ffmpeg,
        log: quietLog,
        cache: path(`cache-${caches++}`),
        mostSoftware: 100,
        ...needs,
      });
      made.push(one);
      return one;
    },
    close: async () => {
      for (const one of made) one.close();
      await processes.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

export const never = new AbortController().signal;

export async function bufferOf({ bytes }: RenditionBytes): Promise<Buffer> {
  if (bytes instanceof Uint8Array) return Buffer.from(bytes);
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** Samples of a segment, which needs the header to be read: times in the timescale. */
export function samplesOf(
  init: Uint8Array,
  segment: Uint8Array,
): { dts: number; cts: number; duration: number; isKey: boolean; data: Buffer }[] {
  const reader = createFragmentReader();
  reader.push(init);
  return reader.push(segment).flatMap((event) => (event.type === 'fragment' ? event.samples : []));
}

/** Numbers of the pictures in a header and its segments, decoded. */
export async function numbersIn(clip: Clips, rendition: Rendition, segments: readonly Uint8Array[]): Promise<number[]> {
  const file = clip.path('decoded.mp4');
  writeFileSync(file, Buffer.concat([await rendition.init(never), ...segments]));
  const grey = await clip.output('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-xerror',
    '-i',
    file,
    '-vf',
    'scale=320:180',
    '-vsync',
    'passthrough',
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    'pipe:1',
  ]);
  return Array.from({ length: grey.length / (320 * 180) }, (_, picture) =>
    Array.from({ length: 12 }, (_unused, bit) =>
      brightness(grey, picture, bit * 26 + 13) > 128 ? 2 ** bit : 0,
    ).reduce((sum, one) => sum + one, 0),
  );
}

/** The mean around a point of a picture's middle line. */
function brightness(grey: Uint8Array, picture: number, x: number): number {
  let sum = 0;
  for (let row = 82; row <= 98; row++)
    for (let column = x - 5; column <= x + 5; column++) sum += grey[picture * 320 * 180 + row * 320 + column] ?? 0;
  return sum / (17 * 11);
}

/** Whether a process has not ended. */
export const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
/** Kills an encoder, unless it has just ended. */
export async function killed(pid: number): Promise<void> {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  await until('its end', () => !isRunning(pid));
}

/** Returns needs with a clock that the test moves. */
export function tuned(needs: Partial<TranscodeNeeds> = {}): {
  clock: { monotonic(): number; at: number };
  needs: Partial<TranscodeNeeds>;
} {
  const clock = { at: 1_000, monotonic: () => clock.at };
  return { clock, needs: { clock, ...needs } };
}
