/** VobSub: languages, delays, colours and odd units. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, subPicture, vobSub } from '../../../test/subtitles/picture-writers.ts';
import { rgbaOf } from './picture.ts';
import { unitsOf } from './program-stream.ts';
import { readSubPicture } from './sub-picture.ts';
import { readVobSubIndex } from './vobsub-index.ts';
import { readVobSub, readVobSubBlocks } from './vobsub.ts';

const SIZE = { width: 720, height: 576 };
const letters = await draw('Ag', { size: 30, outline: 2 });
const at = (start: number, end = start + 1_000) => ({ start, end, drawing: letters, x: 100, y: 400 });

function read(files: { idx: string; sub: Uint8Array }, number: number) {
  const index = readVobSubIndex(files.idx);
  const track = index.tracks[number];
  assert.ok(track);
  return { ...readVobSub(index, track, files.sub), index };
}

test('each language has its own pictures, and its own delay', () => {
  const files = vobSub(
    [
      { language: 'en', shown: [at(1_000), at(3_000)] },
      { language: 'pt', shown: [at(2_000)], delay: '-00:00:00:500' },
      { language: 'fr', shown: [at(4_000)] },
    ],
    SIZE,
  );
  assert.deepEqual(
    read(files, 0).pictures.map(({ start }) => start),
    [1_000, 3_000],
  );
  assert.deepEqual([read(files, 1).language, read(files, 1).pictures.map(({ start }) => start)], ['pt', [1_500]]);
  assert.deepEqual(
    read(files, 2).pictures.map(({ start }) => start),
    [4_000],
  );
  const negative = { ...files, idx: files.idx.replace('-00:00:00:500', '-00:00:05:000') };
  assert.deepEqual(
    read(negative, 1).pictures.map(({ start }) => start),
    [0],
    'never before the film',
  );
});

test('the offset of the head holds for every language, as ms or as a time', () => {
  const files = vobSub(
    [
      { language: 'en', shown: [at(1_000), at(3_000)] },
      { language: 'pt', shown: [at(2_000)], delay: '00:00:00:500' },
    ],
    SIZE,
  );
  const starts = (line: string, number: number): number[] =>
    read({ ...files, idx: `${line}\n${files.idx}` }, number).pictures.map(({ start }) => start);
  assert.deepEqual([starts('time offset: 250', 0), starts('time offset: 250', 1)], [[1_250, 3_250], [2_750]]);
  assert.deepEqual(starts('time offset: -00:00:01:500', 0), [0, 1_500]);
  assert.deepEqual(starts('time offset: 0', 0), [1_000, 3_000]);
  assert.deepEqual(readVobSubIndex('time offset: soon\n').notes, [{ defect: 'delay-unreadable', count: 1 }]);
});

test('packets of several languages and other streams may alternate', () => {
  const files = vobSub(
    [
      { language: 'en', shown: [at(1_000)] },
      { language: 'de', shown: [at(1_000)] },
    ],
    SIZE,
  );
  const half = files.sub.length / 2;
  const packs = (from: number): Buffer[] =>
    Array.from({ length: half / 2048 }, (_, n) => files.sub.subarray(from + n * 2048, from + (n + 1) * 2048));
  const mixed = Buffer.concat(packs(0).flatMap((one, n) => [one, packs(half)[n] ?? one]));
  const idx = files.idx.replace(half.toString(16).padStart(9, '0'), (2048).toString(16).padStart(9, '0'));
  for (const number of [0, 1]) {
    const { pictures, notes } = read({ idx, sub: mixed }, number);
    assert.equal(pictures.length, 1, JSON.stringify(notes));
    assert.deepEqual(pictures[0]?.pixels().indexes, read(files, 0).pictures[0]?.pixels().indexes);
  }
});

test('the older packs of MPEG-1 are read', () => {
  const unit = subPicture(at(0));
  const body = [0x21, 0, 1, 0, 1, 0x20, ...unit];
  const sub = Buffer.from([
    0,
    0,
    1,
    0xba,
    0x21,
    0,
    1,
    0,
    1,
    0x80,
    0,
    1,
    0,
    0,
    1,
    0xbd,
    body.length >> 8,
    body.length & 255,
    ...body,
    0,
    0,
    1,
    0xb9,
  ]);
  assert.deepEqual([...(unitsOf(sub, 0x20, new Set([0])).at.get(0) ?? [])], unit);
});

test('a unit that is cut short is left out, and the next one is whole', () => {
  const files = vobSub(
    [
      {
        language: 'en',
        shown: [
          {
            ...at(1_000),
            drawing: {
              width: 300,
              height: 80,
              cover: Uint8Array.from({ length: 24_000 }, (_, n) => (n % 2 ? 15 : 0)),
              fill: new Uint8Array(24_000),
            },
          },
          at(3_000),
        ],
      },
    ],
    SIZE,
  );
  const second = Number.parseInt(/filepos: (\w+)\n$/.exec(files.idx)?.[1] ?? '', 16);
  assert.ok(second > 2_048);
  const sub = Buffer.concat([files.sub.subarray(0, 2_048), files.sub.subarray(second)]);
  const idx = files.idx.replace(second.toString(16).padStart(9, '0'), '000000800');
  const { pictures, notes } = read({ idx, sub }, 0);
  assert.deepEqual(
    pictures.map(({ start }) => start),
    [3_000],
  );
  assert.deepEqual(notes, [
    { defect: 'picture-cut-short', count: 1 },
    { defect: 'picture-missing', count: 1 },
  ]);
});

test('colours: the index, custom ones, and a guess where there are none', () => {
  const files = vobSub([{ language: 'en', shown: [at(1_000)] }], SIZE, { letter: '123456', outline: 'abcdef' });
  const colors = (idx: string): string[] => {
    const picture = read({ idx, sub: files.sub }, 0).pictures[0];
    assert.ok(picture);
    const { palette } = picture.pixels();
    return [0, 1, 2, 3].map((n) => Buffer.from(palette.subarray(n * 4, n * 4 + 4)).toString('hex'));
  };
  assert.deepEqual(colors(files.idx), ['00000000', '123456ff', 'abcdefff', '808080ff']);
  assert.deepEqual(
    colors(
      files.idx.replace(/custom colors.*/, 'custom colors: ON, tridx: 1001, colors: 111111, 222222, 333333, 444444'),
    ),
    ['11111100', '222222ff', '333333ff', '44444400'],
  );
  assert.deepEqual(colors(files.idx.replace(/palette.*/, '')), ['00000000', 'ffffffff', '000000ff', '808080ff']);
});

test('a picture without an end lasts until the next, five seconds, or as the container states', () => {
  const files = vobSub([{ language: 'en', shown: [at(1_000), at(3_000)] }], SIZE, { isEndless: true });
  const { pictures, notes } = read(files, 0);
  assert.deepEqual(
    [pictures.map(({ start, end }) => [start, end]), notes],
    [
      [
        [1_000, 3_000],
        [3_000, 8_000],
      ],
      [{ defect: 'picture-endless', count: 2 }],
    ],
  );
  const blocks = [{ start: 500, duration: 2_000, data: Uint8Array.from(subPicture(at(0), true)) }];
  assert.deepEqual(
    readVobSubBlocks('size: 720x576\n', blocks).pictures.map(({ start, end }) => [start, end]),
    [[500, 2_500]],
  );
});

test('changes within a line are skipped, unknown commands end the chain, a fade counts at its peak', () => {
  const unit = subPicture(at(0));
  const control = (unit[2] ?? 0) * 256 + (unit[3] ?? 0);
  const withCommand = (...bytes: number[]): Uint8Array => {
    const out = [...unit.slice(0, control + 4), ...bytes, ...unit.slice(control + 4)];
    const last = (unit[control + 2] ?? 0) * 256 + (unit[control + 3] ?? 0) + bytes.length;
    for (const place of [control + 2, last + 2]) [out[place], out[place + 1]] = [last >> 8, last & 255];
    [out[0], out[1]] = [out.length >> 8, out.length & 255];
    return Uint8Array.from(out);
  };
  const plain = readSubPicture(Uint8Array.from(unit));
  const changed = readSubPicture(withCommand(7, 0, 6, 1, 2, 3, 4));
  assert.deepEqual(
    [changed?.x, changed?.y, changed?.width, changed?.end],
    [plain?.x, plain?.y, plain?.width, plain?.end],
  );
  assert.equal(readSubPicture(withCommand(0x83)), undefined);
  const faded = readSubPicture(withCommand(4, 0, 0))?.pixels({ palette: undefined });
  assert.equal(faded && rgbaOf(faded).some((value, n) => n % 4 === 3 && value === 255), true);
});

test('a malformed index is read up to the malformed part', () => {
  const { frame, palette, tracks, notes } = readVobSubIndex(
    'size: 0x0\npalette: x\ntimestamp: 00:00:01:000, filepos: 0\nid: en, index: 0\ntimestamp: 1:2\n' +
      'timestamp: 00:00:02:000, filepos: 00a\nid: de, index: 99\nnonsense\ndelay: x\n',
  );
  assert.deepEqual([frame, palette], [undefined, undefined]);
  assert.deepEqual(tracks, [{ language: 'en', index: 0, entries: [{ start: 2_000, position: 10 }] }]);
  assert.equal(notes.length, 6);
});

test('an index that names one long unit many times costs one reading of it', () => {
  // Sixty-four sequences, each of which runs through all that follow to the end of the unit: the head of the next one
  // is taken as values of its command.
  const unit = Buffer.alloc(60_000);
  unit.writeUInt16BE(unit.length, 0);
  unit.writeUInt16BE(4, 2);
  for (let n = 0; n < 64; n++) {
    unit.writeUInt16BE(4 + (n + 1) * 7, 4 + n * 7 + 2);
    unit[4 + n * 7 + 4] = 5;
  }
  const begun = process.threadCpuUsage();
  readVobSubBlocks(
    'size: 720x576\n',
    Array.from({ length: 400 }, (_, n) => ({ start: n * 1_000, duration: undefined, data: unit })),
  );
  readVobSubBlocks(
    'size: 720x576\n',
    Array.from({ length: 400 }, (_, n) => ({ start: n * 1_000, duration: undefined, data: Buffer.from(unit) })),
  );
  const { user } = process.threadCpuUsage(begun);
  assert.ok(user < 2_000_000, `${user} microseconds of processor time`);
});
