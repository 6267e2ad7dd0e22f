/** Which keyframes are chosen, how they are packed, and the index of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaInfo } from '../../catalog/index.ts';
import { makeStream } from '../testing.ts';
import { createChooser } from './choose.ts';
import { geometryOf, secondsBetweenPictures } from './geometry.ts';
import { headerLength, PACK_PREFIX, type PackHeader, packPictures, readPackHeader } from './pack.ts';
import { indexOf } from './vtt.ts';

const info = (more: Partial<MediaInfo['streams'][number]>): MediaInfo => ({
  container: 'mp4',
  size: 1,
  chapters: [],
  tags: {},
  streams: [makeStream(0, 'video', 'h264', { width: 1920, height: 1080, ...more })],
});

test('pictures are 320 pixels on their longer side, upright, with square pixels', () => {
  for (const [more, width, height] of [
    [{}, 320, 180],
    [{ width: 3840, height: 1600 }, 320, 134],
    [{ width: 720, height: 576, sampleAspect: 1.422 }, 320, 180],
    [{ rotation: 90 }, 180, 320],
    [{ width: 1080, height: 1920 }, 180, 320],
    [{ width: 10, height: 10 }, 320, 320],
    [{ width: 60_000, height: 2 }, 320, 40],
    [{ width: 1, height: 60_000 }, 40, 320],
  ] as const) {
    const found = geometryOf(info(more));
    assert.deepEqual([found?.width, found?.height], [width, height], JSON.stringify(more));
  }
  assert.equal(
    geometryOf({
      ...info({}),
      streams: [makeStream(0, 'audio', 'aac'), makeStream(1, 'video', 'mjpeg', { cover: true })],
    }),
    undefined,
  );
  assert.equal(geometryOf(undefined), undefined);
});

test('there is a picture each ten seconds, and never more than 720', () => {
  assert.deepEqual([60, 7_200, 7_201, 36_000].map(secondsBetweenPictures), [10, 10, 11, 50]);
});

test('one keyframe is chosen for each step, however they lie', () => {
  const tiles = (times: readonly number[], step = 10) => {
    const chooser = createChooser({ step, chapters: [] });
    return times.filter((time) => chooser.take(time, 100).isTile);
  };
  assert.deepEqual(tiles(Array.from({ length: 30 }, (_, n) => n * 2)), [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(tiles([0, 4.8, 9.6, 14.4, 19.2, 24, 28.8, 33.6]), [0, 9.6, 24, 33.6]);
  assert.deepEqual(tiles([0.04, 25, 31, 90]), [0.04, 25, 31, 90]);
  assert.deepEqual(tiles([0, 10, 20, 20, 10, 20.2, 30]), [0, 10, 20, 30], 'a time that comes twice');
});

test('a chapter takes its first keyframe, or the next that is not black', () => {
  const chosen = (keyframes: readonly (readonly [number, number])[], chapters: readonly number[]) => {
    const chooser = createChooser({ step: 1_000, chapters });
    const pictures = new Map<number, number>();
    for (const [time, luma] of keyframes)
      for (const number of chooser.take(time, luma).chapters) pictures.set(number, time);
    return chapters.map((_, number) => pictures.get(number));
  };
  assert.deepEqual(
    chosen(
      [
        [0, 100],
        [9.9, 100],
        [20, 100],
      ],
      [0, 10, 15],
    ),
    [0, 9.9, 20],
  );
  assert.deepEqual(
    chosen(
      [
        [0, 16],
        [5, 100],
      ],
      [0],
    ),
    [5],
  );
  assert.deepEqual(
    chosen(
      [
        [0, 16],
        [5, 16],
        [10, 16],
        [15, 100],
      ],
      [0],
    ),
    [15],
  );
  assert.deepEqual(
    chosen(
      [
        [0, 16],
        [2, 16],
        [4, 16],
        [6, 16],
        [8, 100],
      ],
      [0],
    ),
    [0],
    'black for too many keyframes',
  );
  assert.deepEqual(
    chosen(
      [
        [0, 16],
        [0, 16],
        [0, 16],
        [0, 16],
        [0, 16],
        [5, 100],
      ],
      [0],
    ),
    [5],
    'a picture that comes again, where two pieces of a file overlap',
  );
  assert.deepEqual(
    chosen(
      [
        [0, 16],
        [30, 100],
      ],
      [0],
    ),
    [0],
    'a picture that is far away is not of the chapter',
  );
  assert.deepEqual(chosen([[0, 100]], [5]), [undefined]);
});

test('a pack holds what was put in, and nothing is read of one that is cut or damaged', () => {
  const pictures = {
    width: 320,
    height: 180,
    columns: 10,
    times: [0, 10.01],
    duration: 20,
    sheets: [Buffer.from('first sheet'), Buffer.from('second')],
    chapters: [Buffer.from('one'), undefined, Buffer.from('three')],
  };
  const pack = packPictures(pictures);
  const open = (bytes: Buffer): PackHeader | undefined => {
    const length = headerLength(bytes.subarray(0, PACK_PREFIX));
    return length === undefined
      ? undefined
      : readPackHeader(bytes.subarray(0, PACK_PREFIX), bytes.subarray(PACK_PREFIX, PACK_PREFIX + length), bytes.length);
  };
  const header = open(pack);
  assert.ok(header);
  const read = (slice: { at: number; length: number } | null | undefined) =>
    slice && pack.toString('latin1', slice.at, slice.at + slice.length);
  assert.deepEqual([...header.sheets, ...header.chapters].map(read), ['first sheet', 'second', 'one', null, 'three']);
  assert.deepEqual([header.times, header.duration, header.width], [[0, 10.01], 20, 320]);
  for (let length = 0; length < pack.length; length++)
    assert.equal(open(pack.subarray(0, length)), undefined, `cut to ${length}`);
  for (let at = 0; at < pack.length - 25; at++) {
    const damaged = Buffer.from(pack);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    assert.equal(open(damaged), undefined, `byte ${at}`);
  }
});

test('the index names sheet and place of each picture', () => {
  const times = Array.from({ length: 102 }, (_, n) => n * 10 + 0.5);
  const lines = indexOf(
    { width: 320, height: 180, columns: 10, times, duration: 1_030, sheets: [], chapters: [] },
    '?part=2',
  ).split('\n\n');
  assert.equal(lines[0], 'WEBVTT');
  assert.equal(lines[1], '00:00:00.000 --> 00:00:10.500\n0.jpg?part=2#xywh=0,0,320,180');
  assert.equal(lines[13], '00:02:00.500 --> 00:02:10.500\n0.jpg?part=2#xywh=640,180,320,180');
  assert.equal(lines[102]?.trim(), '00:16:50.500 --> 00:17:10.000\n1.jpg?part=2#xywh=320,0,320,180');
});
