/**
 * Indexes of files that lie: whatever is changed in a real header, there is an index within the file or a refusal,
 * within the limits of reading, and its segments can be asked for.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { createSource, type ReadAt, Uncertain } from '../../lib/media/source.ts';
import { createWalker, FEEDS, readIndex } from './answer.ts';
import { createMediaIndex, type Walk } from './live.ts';
import { keyframeOf, segmentOf } from './matroska/segment.ts';
import type { MediaAnswer } from './messages.ts';
import { packetSegment } from './stream/segment.ts';
import type { IndexData, SegmentSamples } from './types.ts';
import { rewriteAvi } from '../remux/testing/rewrite-avi.ts';
import { writeUnaligned } from '../remux/testing/unaligned.ts';

const folder = mkdtempSync(join(tmpdir(), 'index-fuzz-'));
/** Files that are walked from start to end take longer than a header. */
const slownessOf = (file: number): number => (file < 6 ? 1 : 7);
const NAMES = [
  'film.mkv',
  'film.mp4',
  'film.mov',
  'fragments.mp4',
  'hevc.mp4',
  'vp9.webm',
  'film.avi',
  'large.avi',
  'film.ts',
  'unaligned.ts',
  'film.wmv',
] as const;
let files: Buffer[] = [];

before(() => {
  const at = (name: string): string => join(folder, name);
  const video = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=10:d=9'];
  const sound = ['-f', 'lavfi', '-i', 'sine=d=9'];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20', '-bf', '2', '-threads', '1'];
  const all = [...video, ...sound, '-map', '0', '-map', '1'];
  execFileSync('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    ...all,
    ...x264,
    '-c:a',
    'aac',
    '-b:a',
    '32k',
    at('film.mkv'),
    '-map',
    '0',
    '-map',
    '1',
    ...x264,
    '-c:a',
    'aac',
    '-b:a',
    '32k',
    '-movflags',
    'faststart',
    at('film.mp4'),
    '-map',
    '0',
    '-map',
    '1',
    ...x264,
    '-c:a',
    'alac',
    at('film.mov'),
    '-map',
    '0',
    '-map',
    '1',
    ...x264,
    '-c:a',
    'aac',
    '-b:a',
    '32k',
    '-movflags',
    'frag_keyframe+empty_moov',
    at('fragments.mp4'),
    '-map',
    '0',
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=none:pools=none',
    '-g',
    '20',
    '-movflags',
    'faststart',
    at('hevc.mp4'),
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'libvpx-vp9',
    '-cpu-used',
    '8',
    '-deadline',
    'realtime',
    '-g',
    '20',
    '-c:a',
    'libopus',
    '-b:a',
    '32k',
    at('vp9.webm'),
    ...['film.avi', 'film.ts', 'film.wmv'].flatMap((name) => [
      '-map',
      '0',
      '-map',
      '1',
      ...x264,
      '-c:a',
      'libmp3lame',
      '-b:a',
      '32k',
      at(name),
    ]),
  ]);
  rewriteAvi(at('film.avi'), at('large.avi'), { index: 'large', part: 90 });
  writeUnaligned(at('film.ts'), at('unaligned.ts'), { size: () => 700 });
  files = NAMES.map((name) => readFileSync(at(name)));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Reads `bytes` as a file of `size`; what lies beyond them is zeros. */
const readerOf =
  (bytes: Buffer, size: number): ReadAt =>
  (into, offset) => {
    const length = Math.max(0, Math.min(into.length, size - offset));
    into.fill(0, 0, length);
    if (offset < bytes.length) bytes.copy(into, 0, offset, Math.min(bytes.length, offset + length));
    return length;
  };

const refusing = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Uncertain || error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Walks the bytes in this process, as the helper does. */
function walkOf(bytes: Buffer, size: number): Walk {
  const source = createSource(size, readerOf(bytes, size), Buffer.alloc(0), { bytes: 1 << 26, reads: 20_000 });
  const refused = new Uncertain('refused');
  return {
    segment: async (question) => refusing(() => segmentOf(source, question)) ?? Promise.reject(refused),
    packets: async (question) =>
      refusing(() => packetSegment({ size, readAt: readerOf(bytes, size) }, question, FEEDS[question.container])) ??
      Promise.reject(refused),
    keyframe: async (question, key) => refusing(() => keyframeOf(source, question, key)) ?? Promise.reject(refused),
  };
}

function isWithin({ times, sizes, isKey, pieces, end }: SegmentSamples, size: number): void {
  assert.equal(times.length, sizes.length);
  assert.equal(times.length, isKey.length);
  assert.ok(Number.isFinite(end) && times.every((time) => Number.isFinite(time)), 'times are numbers');
  assert.equal(
    pieces.lengths.reduce((sum, length) => sum + length, 0),
    sizes.reduce((sum, each) => sum + each, 0),
  );
  const { positions, lengths, literals } = pieces;
  positions.forEach((position, i) => {
    const isWithinFile = position >= 0 && position + (lengths[i] ?? 0) <= size;
    assert.ok(
      isWithinFile || (position < 0 && -1 - position + (lengths[i] ?? 0) <= (literals?.length ?? 0)),
      `bytes at ${position} of ${size}`,
    );
  });
}

async function isUsable(data: IndexData, bytes: Buffer, size: number): Promise<void> {
  const index = createMediaIndex(data, walkOf(bytes, size));
  for (const isOpen of [false, true]) {
    const plan = index.plan(isOpen);
    for (const { start, duration } of plan.segments)
      assert.ok(start >= 0 && duration > 0 && Number.isFinite(duration), 'a segment lasts');
    for (const n of [0, 1, plan.segments.length - 1].filter((each) => each >= 0 && each < plan.segments.length)) {
      for (const track of data.tracks.keys()) {
        const samples = await index.samples(track, plan, n).catch((error: unknown) => {
          assert.ok(error instanceof Uncertain || (error instanceof Error && error.name === 'Failure'), String(error));
        });
        if (samples) isWithin(samples, size);
      }
    }
  }
}

/** Walked files have no index; a hole after the bytes is not walked to its end. */
function indexOf(bytes: Buffer, size: number): MediaAnswer {
  const readAt = readerOf(bytes, size);
  const found = readIndex(size, readAt);
  if ('index' in found || size > MAX_WALKED) return found;
  const walked = refusing(() => {
    const walker = createWalker(size, readAt);
    for (let step = 0; step < MAX_STEPS && !walker.isDone(); step += 1) walker.step(readAt, 1 << 20);
    return walker.result();
  });
  return walked ? { index: walked } : found;
}
const MAX_WALKED = 1 << 24;
const MAX_STEPS = 100;

/** Returns whether there was an index. */
async function check(bytes: Buffer, size = bytes.length): Promise<boolean> {
  const found = indexOf(bytes, size);
  if (!('index' in found)) {
    assert.ok('refused' in found);
    return false;
  }
  await isUsable(found.index, bytes, size);
  return true;
}

test('the files themselves have an index', async () => {
  for (const [i, file] of files.entries()) assert.ok(await check(file), NAMES[i] ?? '');
});

test('a file cut anywhere has an index or is refused', async () => {
  for (const [i, file] of files.entries()) {
    const slower = slownessOf(i);
    for (let length = 0; length < file.length; length += length < 1500 ? 13 * slower : 1009 * slower) {
      await check(file.subarray(0, length));
      await check(file.subarray(0, length), file.length);
    }
  }
});

test('bytes changed at random', async () => {
  const change = fc.record({
    at: fc.nat({ max: 9000 }),
    isFromEnd: fc.boolean(),
    to: fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xff, 0x40, 8, 200),
  });
  // The first files come more often: they are quicker.
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        { weight: 3, arbitrary: fc.nat({ max: 5 }) },
        { weight: 1, arbitrary: fc.nat({ max: NAMES.length - 1 }) },
      ),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      async (which, changes) => {
        const bytes = Buffer.from(files[which] ?? Buffer.alloc(1));
        for (const { at, isFromEnd, to } of changes)
          bytes[isFromEnd ? bytes.length - 1 - (at % bytes.length) : at % bytes.length] = to;
        await check(bytes);
      },
    ),
    { numRuns: 2500 },
  );
});

test('every field of four bytes made enormous', async () => {
  for (const [i, file] of files.entries()) {
    const bytes = Buffer.from(file);
    for (let at = 0; at < Math.min(bytes.length - 8, 6000); at += 5 * slownessOf(i)) {
      const kept = Buffer.from(bytes.subarray(at, at + 4));
      bytes.fill(0xff, at, at + 4);
      await check(bytes);
      if (at % 20 === 0) await check(bytes, 2 ** 50);
      kept.copy(bytes, at);
    }
  }
});
