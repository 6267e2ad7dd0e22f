/** Headers that lie, end early or nest without end: always an answer, within the limits of reading. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import type { HeaderReading } from './read.ts';
import { createHead, readHeader } from './read.ts';
import type { CorpusFile } from './testing/corpus.ts';
import { makeCorpus } from './testing/corpus.ts';

const head = createHead();
const limit = 4 * 1024 * 1024 + 64 * 1024;
const samples = [
  'film-ass.mkv',
  'film.mp4',
  'fonts.mkv',
  'vp9-opus.webm',
  'hevc-hdr10.mp4',
  'hevc-10.mkv',
  'av1-10.mkv',
  'cover.m4a',
  'film.mov',
  'two-audio.mkv',
  'ac3-6.mp4',
  'opus-6.mkv',
  'flac-6.mkv',
  'vorbis-2.mkv',
  'dts.mkv',
  'h264-444.mp4',
];

/**
 * Reads `bytes` as a file of `size`, and counts the bytes that are read. If the file is longer than `bytes`, the rest
 * reads as zeros.
 */
const read = (bytes: Buffer, size = bytes.length): { reading: HeaderReading; spent: number; reads: number } => {
  let spent = 0;
  let reads = 0;
  const reading = readHeader(
    size,
    (into, offset) => {
      reads += 1;
      const length = Math.max(0, Math.min(into.length, size - offset));
      spent += length;
      into.fill(0, 0, length);
      bytes.copy(into, 0, Math.min(offset, bytes.length), Math.min(offset + length, bytes.length));
      return length;
    },
    head,
  );
  return { reading, spent, reads };
};

const isBounded = ({ reading, spent, reads }: ReturnType<typeof read>): void => {
  assert.ok(spent <= limit, `read ${spent} bytes`);
  assert.ok(reads <= 513, `read ${reads} times`);
  const size = JSON.stringify(reading).length;
  assert.ok(size < 4 * 1024 * 1024, `answered ${size} bytes`);
};

let made: CorpusFile[] | undefined;
const files = async (): Promise<{ name: string; bytes: Buffer }[]> => {
  made ??= (await makeCorpus()).made;
  return samples.map((name) => {
    const found = made?.find((one) => one.name === name);
    assert.ok(found !== undefined, name);
    return { name, bytes: readFileSync(found.path) };
  });
};

test('a file cut anywhere is read or left to ffprobe', async () => {
  for (const { bytes } of await files()) {
    for (let length = 0; length < Math.min(bytes.length, 128 * 1024); length += length < 2048 ? 7 : 512) {
      isBounded(read(bytes.subarray(0, length)));
      isBounded(read(bytes.subarray(0, length), bytes.length));
    }
  }
});

test('a file with random changes is read or left to ffprobe', async () => {
  const sources = await files();
  const change = fc.record({
    file: fc.nat({ max: sources.length - 1 }),
    // Near the front, where the structure is, and near the end, where a movie box may be.
    changes: fc.array(
      fc.record({
        at: fc.nat({ max: 6000 }),
        isFromEnd: fc.boolean(),
        to: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0x40, 8, 200),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  });
  fc.assert(
    fc.property(change, ({ file, changes }) => {
      const bytes = Buffer.from(sources[file]?.bytes ?? Buffer.alloc(0));
      for (const { at, isFromEnd, to } of changes) {
        const place = at % bytes.length;
        bytes[isFromEnd ? bytes.length - 1 - place : place] = to;
      }
      isBounded(read(bytes));
    }),
    { numRuns: 4000 },
  );
});

test('a file with any four bytes made enormous is read or left to ffprobe', async () => {
  for (const { bytes } of await files()) {
    const front = Math.min(bytes.length - 8, 4000);
    for (let at = 0; at < front; at += 3) {
      const changed = Buffer.from(bytes);
      changed.fill(0xff, at, at + 4);
      isBounded(read(changed));
      isBounded(read(changed, 2 ** 50));
    }
  }
});

test('sizes of 2^56, empty boxes and endless nesting are refused', () => {
  const ebml = Buffer.from('1a45dfa3844282816d', 'hex');
  const segment = Buffer.from('18538067', 'hex');
  const endless = Buffer.from('01ffffffffffffff', 'hex');
  const enormous = Buffer.from('01fffffffffffffe', 'hex');
  const tracks = Buffer.from('1654ae6b', 'hex');
  const box = (size: number, type: string): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE(size, 0);
    bytes.write(type, 4, 'latin1');
    return bytes;
  };
  const large = (type: string): Buffer => Buffer.concat([box(1, type), Buffer.from('0100000000000000', 'hex')]);
  const many = (part: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => part));
  const cases = [
    Buffer.concat([ebml, segment, enormous, tracks, enormous]),
    Buffer.concat([ebml, segment, endless, tracks, endless]),
    Buffer.concat([ebml, segment, endless, many(Buffer.from('ec80', 'hex'), 100_000)]),
    Buffer.concat([ebml, segment, endless, many(Buffer.concat([tracks, Buffer.from('80', 'hex')]), 10_000)]),
    Buffer.concat([box(16, 'ftyp'), Buffer.from('isom0000'), large('moov')]),
    Buffer.concat([box(16, 'ftyp'), Buffer.from('isom0000'), many(box(8, 'free'), 100_000)]),
    Buffer.concat([box(16, 'ftyp'), Buffer.from('isom0000'), box(0, 'moov'), many(box(0, 'trak'), 10_000)]),
    Buffer.concat([box(16, 'ftyp'), Buffer.from('isom0000'), box(0, 'moov'), many(box(0, 'meta'), 10_000)]),
    Buffer.concat([box(16, 'ftyp'), Buffer.from('isom0000'), box(4, 'moov'), many(box(3, 'trak'), 10)]),
  ];
  for (const bytes of cases) {
    for (const size of [bytes.length, 2 ** 40]) {
      const found = read(bytes, size);
      isBounded(found);
      assert.ok('uncertain' in found.reading, 'nothing of this can be answered');
    }
  }
});

test('endless lists are refused: tracks, chapters, tags in tags', () => {
  const element = (id: string, ...parts: (Buffer | string)[]): Buffer => {
    const data = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(0x10000000 + data.length);
    return Buffer.concat([Buffer.from(id, 'hex'), size, data]);
  };
  const ebml = Buffer.from('1a45dfa38b4282886d6174726f736b61', 'hex');
  const info = element('1549a966', element('4489', Buffer.from('42c80000', 'hex')));
  const track = element(
    'ae',
    element('d7', '\x01'),
    element('73c5', '\x01'),
    element('83', '\x11'),
    element('86', 'S_TEXT/UTF8'),
  );
  const file = (tracks: number, ...rest: Buffer[]): Buffer =>
    Buffer.concat([
      ebml,
      element('18538067', info, element('1654ae6b', ...Array.from({ length: tracks }, () => track)), ...rest),
    ]);
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const chapter = (place: number): Buffer =>
    element('b6', element('73c4', number(place)), element('91', number(place)));
  const chapters = (count: number): Buffer =>
    element('1043a770', element('45b9', ...Array.from({ length: count }, (_, i) => chapter(i + 1))));
  let nested = element('67c8', element('45a3', 'a'), element('447a', 'eng'), element('4484', '\x01'));
  for (let depth = 0; depth < 8; depth += 1)
    nested = element('67c8', element('45a3', 'a'), element('447a', 'eng'), element('4484', '\x01'), nested, nested);
  const tags = element('1254c367', element('7373', nested));
  assert.ok('info' in read(file(3, chapters(20))).reading, 'the file itself is well formed');
  for (const bytes of [file(101), file(30_000), file(1, chapters(5001)), file(1, chapters(60_000)), file(1, tags)]) {
    const found = read(bytes);
    isBounded(found);
    assert.ok('uncertain' in found.reading);
  }
});

test('planted: endless reading is noticed', () => {
  const reading = { uncertain: '' };
  assert.throws(() => isBounded({ reading, spent: limit + 1, reads: 1 }));
  assert.throws(() => isBounded({ reading, spent: 1, reads: 514 }));
});

test('a container claimed in the first bytes is not believed', () => {
  for (const start of ['1a45dfa3', '0000001466747970', '000000086d6f6f76', '']) {
    const bytes = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(5000, 0x41)]);
    assert.ok('uncertain' in read(bytes).reading);
  }
});
