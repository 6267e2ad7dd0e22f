/**
 * Compares our pictures with those of ffmpeg's decoders, pixel by pixel, for files of our writer, ffmpeg and mkvmerge.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { draw, type ShownPicture, type Size, sup, vobSub } from '../../../test/subtitles/picture-writers.ts';
import { picturesArgs } from '../../lib/ffmpeg/args.ts';
import type { PictureCodec } from '../../lib/ffmpeg/index.ts';
import { readMatroskaTrack } from './matroska.ts';
import { readPgs } from './pgs.ts';
import { type Picture, type PictureDocument, rgbaOf } from './picture.ts';
import { atOnce } from './steps.ts';
import { readVobSubIndex } from './vobsub-index.ts';
import { readVobSub, readVobSubBlocks } from './vobsub.ts';
import { supSteps } from './write-pgs.ts';

const run = promisify(execFile);
const BYTES = { encoding: 'buffer', maxBuffer: 512 * 1024 * 1024 } as const;
/** Maximum difference between ffmpeg's fixed-point colours and rounded ones. */
const COLOR_STEP = 2;
/** The same, with the loss of a conversion to the video range and back. */
const WRITTEN_STEP = 4;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matinee-pixels-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function shownOn(size: Size): Promise<ShownPicture[]> {
  const drawn = await Promise.all(
    ['Odd rows', 'Two lines\nof text, and more', 'g|j'].map((text, n) =>
      draw(text, { size: 24 + n * 7, outline: n + 1, isBold: n === 2 }),
    ),
  );
  return drawn.map((drawing, n) => ({
    start: 1_000 + n * 2_000,
    end: 2_000 + n * 2_000,
    drawing,
    x: 13 + n,
    y: size.height - drawing.height - 5 - n,
    forced: n === 1,
  }));
}

/** Returns the pictures that ffmpeg paints, each once and in order: frames of four bytes a pixel. */
async function painted(path: string, { width, height }: Size): Promise<Buffer[]> {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      '-copyts',
      '-i',
      path,
      '-filter_complex',
      '[0:s:0]format=rgba[v]',
      '-map',
      '[v]',
      '-vsync',
      'passthrough',
      '-f',
      'rawvideo',
      'pipe:1',
    ],
    BYTES,
  );
  const frames = Array.from({ length: stdout.length / (width * height * 4) }, (_, n) =>
    stdout.subarray(n * width * height * 4, (n + 1) * width * height * 4),
  );
  return frames.filter((frame, n) => frame.some((byte) => byte !== 0) && !(n > 0 && frames[n - 1]?.equals(frame)));
}

function ours(picture: Picture): Buffer {
  const { frame, x, y, width, height } = picture;
  const out = Buffer.alloc(frame.width * frame.height * 4);
  const rgba = rgbaOf(picture.pixels());
  for (let row = 0; row < height; row++)
    out.set(rgba.subarray(row * width * 4, (row + 1) * width * 4), ((y + row) * frame.width + x) * 4);
  return out;
}

/** Returns the largest difference of any visible pixel; transparent pixels have no colour. */
function difference(a: Buffer, b: Buffer): number {
  let most = 0;
  for (let at = 0; at < a.length; at += 4) {
    most = Math.max(most, Math.abs((a[at + 3] ?? 0) - (b[at + 3] ?? 0)));
    if (!a[at + 3]) continue;
    for (let channel = 0; channel < 3; channel++)
      most = Math.max(most, Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)));
  }
  return most;
}

async function compare(document: PictureDocument, path: string, size: Size, tolerance: number): Promise<void> {
  assert.deepEqual(document.notes, []);
  const theirs = await painted(path, size);
  assert.equal(document.pictures.length, 3);
  assert.equal(theirs.length, 3);
  for (const [n, picture] of document.pictures.entries()) {
    assert.deepEqual(picture.frame, size);
    const found = difference(ours(picture), theirs[n] ?? Buffer.alloc(0));
    assert.ok(found <= tolerance, `picture ${n} differs by ${found}`);
    // Planted: one pixel of one colour is seen.
    const moved = ours({ ...picture, x: picture.x + 1 });
    assert.ok(difference(moved, theirs[n] ?? Buffer.alloc(0)) > tolerance, 'a picture that is one pixel off is told');
  }
}

for (const size of [
  { width: 1280, height: 720 },
  { width: 720, height: 480 },
]) {
  test(`PGS of ${size.height} lines, whole and in pieces`, async () => {
    for (const piece of [65_000, 700]) {
      const bytes = sup(await shownOn(size), size, { letter: [250, 200, 40], outline: [10, 20, 90], piece });
      const path = join(folder, `${size.height}-${piece}.sup`);
      await writeFile(path, bytes);
      const document = readPgs(bytes);
      assert.deepEqual(
        document.pictures.map(({ start, end, forced }) => [start, end, forced]),
        [
          [1_000, 2_000, false],
          [3_000, 4_000, true],
          [5_000, 6_000, false],
        ],
      );
      await compare(document, path, size, COLOR_STEP);
    }
  });
}

test('VobSub: the pair, the file of mkvmerge, and the drawing of ffmpeg', async () => {
  const size = { width: 720, height: 576 };
  const shown = await shownOn(size);
  const { idx, sub } = vobSub([{ language: 'en', shown }], size, { letter: 'fae020', outline: '102040' });
  const base = join(folder, 'pair');
  await writeFile(`${base}.idx`, idx);
  await writeFile(`${base}.sub`, sub);
  const index = readVobSubIndex(idx);
  assert.ok(index.tracks[0]);
  const pair = readVobSub(index, index.tracks[0], sub);
  assert.deepEqual(
    pair.pictures.map(({ start, forced }) => [start, forced]),
    [
      [1_000, false],
      [3_000, true],
      [5_000, false],
    ],
  );
  await compare(pair, `${base}.idx`, size, 0);

  await writeFile(`${base}-written.sup`, atOnce(supSteps(pair)));
  await compare(pair, `${base}-written.sup`, size, WRITTEN_STEP);

  await run('mkvmerge', ['-q', '-o', `${base}.mkv`, `${base}.idx`]);
  const merged = await taken(`${base}.mkv`);
  assert.deepEqual(
    merged.pictures.map(({ start, end }) => [start, end]),
    pair.pictures.map(({ start, end }) => [start, end]),
  );
  await compare(merged, `${base}.mkv`, size, 0);

  await writeFile(`${base}.sup`, sup(shown, size));
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-copyts',
    '-fix_sub_duration',
    '-i',
    `${base}.sup`,
    '-c:s',
    'dvdsub',
    `${base}-anew.mkv`,
  ]);
  await compare(await taken(`${base}-anew.mkv`), `${base}-anew.mkv`, size, 0);
});

/** The server's own arguments, with a file that is opened by its name. */
const argsFor = (path: string, codec: PictureCodec): string[] =>
  picturesArgs({ stream: 0, codec }).map((arg) => (arg === 'file:/dev/fd/0' ? path : arg));

/** Returns the track as the server extracts it from a container. */
async function taken(path: string): Promise<PictureDocument> {
  const args = argsFor(path, 'dvd_subtitle');
  const at = args.indexOf('-progress');
  const { stdout } = await run('ffmpeg', args.toSpliced(at, 4), BYTES);
  const { header, blocks } = readMatroskaTrack(stdout);
  return readVobSubBlocks(new TextDecoder().decode(header), blocks);
}

test('a PGS file that mkvmerge copied is the same', async () => {
  const size = { width: 1280, height: 720 };
  const bytes = sup(await shownOn(size), size);
  const path = join(folder, 'merged');
  await writeFile(`${path}.sup`, bytes);
  await run('mkvmerge', ['-q', '-o', `${path}.mkv`, `${path}.sup`]);
  const args = argsFor(`${path}.mkv`, 'hdmv_pgs_subtitle');
  const { stdout } = await run('ffmpeg', args.toSpliced(args.indexOf('-progress'), 4), BYTES);
  const [direct, merged] = [readPgs(await readFile(`${path}.sup`)), readPgs(stdout)];
  assert.equal(merged.pictures.length, 3);
  for (const [n, picture] of merged.pictures.entries()) {
    const other = direct.pictures[n];
    assert.ok(other);
    assert.deepEqual([picture.start, picture.end, picture.x, picture.y], [other.start, other.end, other.x, other.y]);
    assert.ok(ours(picture).equals(ours(other)));
  }
});
