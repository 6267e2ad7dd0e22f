/**
 * Real runs: keyframes where they were asked for, sound on its grid, headers as predicted, and no CPU use while the
 * reader pauses.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isAsleep } from '../../../../test/processes.ts';
import { until } from '../../../../test/until.ts';
import { openForReading } from '../../files.ts';
import { createProcesses, ProcessFailure } from '../../process.ts';
import type { Processes } from '../../process.ts';
import { quietLog } from '../../process/testing.ts';
import { createEncoder, FRAMES, SAMPLE_RATE, TIME_SHIFT, videoCodecs } from './index.ts';
import type { EncodedStream, MediaEncoder, VideoRequest } from './index.ts';
import { ACCELERATORS } from './types.ts';

let base = '';
let processes: Processes;
let encoder: MediaEncoder;

const ffmpeg = async (...args: string[]): Promise<void> => {
  await processes.run({
    program: 'ffmpeg',
    args: ['-nostdin', '-v', 'error', '-y', ...args],
    timeoutMs: 60_000,
    reads: [base],
    writes: [base],
  });
};
before(async () => {
  base = mkdtempSync(join(tmpdir(), 'encode-'));
  processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  encoder = createEncoder({ processes });
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=24000/1001:d=12',
    '-f',
    'lavfi',
    '-i',
    'sine=f=440:r=48000:d=12',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-bf',
    '2',
    '-g',
    '48',
    '-c:a',
    'aac',
    join(base, 'film.mkv'),
  );
});
after(async () => {
  await processes.close();
  rmSync(base, { recursive: true, force: true });
});

const FPS = 24_000 / 1001;
/** The sound begins with what its encoder put in front, the pictures 21 ms later. */
const FIRST_PICTURE = 0.021;
const boundary = (k: number): number => FIRST_PICTURE + Math.round(2 * k * FPS) / FPS - 1 / (2 * FPS);
const request = (more: Partial<VideoRequest> = {}): VideoRequest => ({
  open: () => openForReading(join(base, 'film.mkv')),
  stream: 0,
  container: 'matroska',
  containerStart: 0,
  codec: 'h264',
  width: 160,
  height: 90,
  frameRate: FPS,
  maxrate: 400_000,
  from: boundary(2),
  keyframes: [boundary(2), boundary(3), boundary(4)],
  until: boundary(5),
  preset: 'ultrafast',
  ...more,
});

async function bytesOf({ bytes, done }: EncodedStream): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  await done;
  return Buffer.concat(parts);
}
/** Times of packets, and whether each is a keyframe. */
async function packets(bytes: Buffer): Promise<{ time: number; isKey: boolean }[]> {
  writeFileSync(join(base, 'out.mp4'), bytes);
  const { stdout } = await processes.run({
    program: 'ffprobe',
    args: ['-v', 'error', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0', join(base, 'out.mp4')],
    timeoutMs: 60_000,
    reads: [base],
  });
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => ({ time: Number(line.split(',')[0]) - TIME_SHIFT, isKey: line.includes('K') }));
}
const near = (time: number, other: number): boolean => Math.abs(time - other) < 0.001;

test('keyframes come at the times of the list, and the pictures up to its end', async () => {
  const found = await packets(await bytesOf(await encoder.video(request())));
  const first = (k: number): number => FIRST_PICTURE + Math.round(2 * k * FPS) / FPS;
  const keys = found.filter(({ time, isKey }) => isKey && time >= boundary(2)).map(({ time }) => time);
  assert.ok(keys.length === 3 && keys.every((time, i) => near(time, first(2 + i))), String(keys));
  assert.ok(near(found.at(-1)?.time ?? 0, first(5) - 1 / FPS), `the last picture at ${found.at(-1)?.time}`);
});

test('sound begins at the sample that was asked for, after what the encoder puts in front', async () => {
  for (const codec of ['aac', 'eac3'] as const) {
    const { size, priming } = FRAMES[codec];
    const firstSample = 100 * size + priming;
    const stream = await encoder.audio({
      open: request().open,
      stream: 1,
      container: 'matroska',
      containerStart: 0,
      codec,
      channels: 2,
      bitrate: 128_000,
      source: { codec: 'aac', channels: 1, sampleRate: 48_000, start: 0 },
      firstSample,
      endSample: firstSample + 40 * size,
    });
    const found = await packets(await bytesOf(stream));
    assert.ok(
      Math.abs((found[0]?.time ?? 0) - (100 * size) / SAMPLE_RATE) < 1e-5,
      `${codec} begins at ${found[0]?.time}`,
    );
    assert.ok(found.length >= 40);
  }
});

test('the header of a black picture is that of every run, as CODECS says', async () => {
  const pictures = { codec: 'h264', width: 320, height: 180, frameRate: FPS, maxrate: 400_000 } as const;
  for (const preset of ['ultrafast', 'fast'] as const) {
    const bytes = Buffer.from(await encoder.blank({ ...pictures, preset }));
    const at = bytes.indexOf('avcC');
    assert.equal(`avc1.${bytes.toString('hex', at + 5, at + 8)}`, videoCodecs(pictures), preset);
    const run = await bytesOf(await encoder.video(request({ ...pictures, preset, until: boundary(2) + 0.2 })));
    const there = run.indexOf('avcC');
    assert.equal(run.toString('hex', there + 5, there + 8), bytes.toString('hex', at + 5, at + 8));
  }
});

test('a run whose output is not read needs no processor, and is not ended for its silence', async () => {
  const stream = await encoder.video(request({ width: 1280, height: 720, maxrate: 20_000_000 }));
  const reader = stream.bytes[Symbol.asyncIterator]();
  await reader.next();
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${stream.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  let last = -1;
  // Held once two looks 200 ms apart saw the same, and no thread waits for a processor.
  await until('a held encoder', () => last === (last = ticks()) && isAsleep(stream.pid), { everyMs: 200 });
  const before = ticks();
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(ticks(), before);
  stream.stop();
  await assert.rejects(stream.done);
});

test('a file that cannot be read on ends the run, which would go on with silence', async () => {
  const program = join(base, 'failing');
  writeFileSync(program, '#!/bin/sh\necho some bytes\necho "/dev/fd/0: Input/output error" >&2\nexec sleep 300\n', {
    mode: 0o755,
  });
  const stream = await createEncoder({ processes, program }).video(request());
  await assert.rejects(bytesOf(stream), (error) => error instanceof ProcessFailure && error.fault === 'aborted');
  assert.ok(stream.hasLostInput());
});

test('software takes over from a silent accelerator within 5 seconds', async () => {
  const limits: (number | undefined)[] = [];
  const watched = createEncoder({
    processes: {
      run: (command, signal) => processes.run(command, signal),
      start: (command) => {
        limits.push(command.quietMs);
        return Promise.reject(new Error('nothing is started'));
      },
    },
  });
  for (const name of ACCELERATORS) await assert.rejects(watched.video(request({ accelerator: { name } })));
  await assert.rejects(watched.video(request()));
  assert.deepEqual(limits, [...ACCELERATORS.map(() => 4_000), 20_000]);
});
