/** MP4 files of sound: the quick reader against the tag library, and the files that it leaves to it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseBuffer } from 'music-metadata';
import { chance } from '../../../../test/chance.ts';
import { madeOnce } from '../../testing/sound.ts';
import { createBlocks } from './blocks.ts';
import { readMp4 } from './mp4.ts';
import { audioTagsOf } from './tags.ts';

const made = readFileSync(
  madeOnce('plain-1s.m4a', ['-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=1', '-map_metadata', '-1', '-b:a', '64k']),
);

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};
/** Returns the boxes of these bytes, whole. */
function boxesIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at);
    found.push(bytes.subarray(at, at + size));
    at += size;
  }
  return found;
}
const typeOf = (bytes: Buffer): string => bytes.toString('latin1', 4, 8);
const BEFORE = boxesIn(made).filter((one) => typeOf(one) !== 'moov');
const MOOV = boxesIn(
  boxesIn(made)
    .find((one) => typeOf(one) === 'moov')
    ?.subarray(8) ?? Buffer.alloc(0),
).filter((one) => typeOf(one) !== 'udta');

const data = (kind: number, value: Buffer): Buffer => box('data', u32(kind), u32(0), value);
const text = (id: string, ...values: readonly string[]): Buffer =>
  box(id, ...values.map((value) => data(1, Buffer.from(value))));
const numbers = (id: string, no: number, of: number): Buffer => box(id, data(0, Buffer.from([0, 0, 0, no, 0, of])));
const integer = (id: string, value: number): Buffer => box(id, data(21, Buffer.from([value])));
const free = (name: string, ...values: readonly string[]): Buffer =>
  box(
    '----',
    box('mean', u32(0), Buffer.from('com.apple.iTunes')),
    box('name', u32(0), Buffer.from(name)),
    ...values.map((value) => data(1, Buffer.from(value))),
  );
const HANDLER = box('hdlr', u32(0), u32(0), Buffer.from('mdirappl'), Buffer.alloc(9));
const meta = (items: readonly Buffer[]): Buffer => box('meta', u32(0), HANDLER, box('ilst', ...items));

/** Returns an MP4 file whose movie ends with these boxes. */
const withBoxes = (...boxes: readonly Buffer[]): Buffer => Buffer.concat([...BEFORE, box('moov', ...MOOV, ...boxes)]);
const mp4 = (...items: readonly Buffer[]): Buffer => withBoxes(box('udta', meta(items)));

const quick = (bytes: Buffer) => {
  const readAt = (into: Uint8Array, offset: number): number => {
    const part = bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  };
  return readMp4(createBlocks(bytes.length, readAt))?.metadata;
};
const library = (bytes: Buffer) =>
  parseBuffer(bytes, 'audio/mp4', { skipCovers: true, duration: false, includeChapters: true });

const usual: readonly Buffer[] = [
  text('\xa9nam', 'Ölüm'),
  text('\xa9ART', 'AC/DC'),
  text('aART', 'Band'),
  text('\xa9alb', 'Album'),
  text('\xa9day', '2001-05-06T07:00:00Z'),
  text('\xa9gen', 'Rock'),
  text('\xa9wrt', 'X; Y'),
  text('\xa9too', 'Encoder'),
  text('\xa9cmt', 'A comment'),
  numbers('trkn', 3, 12),
  numbers('disk', 1, 2),
  integer('cpil', 1),
  integer('pgap', 0),
  box('covr', data(13, Buffer.alloc(40_000, 7)), data(14, Buffer.alloc(100, 7))),
];
const CASES: Readonly<Record<string, Buffer>> = {
  'no tags': withBoxes(),
  'an empty list': mp4(),
  usual: mp4(...usual),
  'made by ffmpeg': made,
  Picard: mp4(
    ...usual,
    free('MusicBrainz Track Id', '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a11'),
    free('MusicBrainz Album Id', '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a12'),
    free('MusicBrainz Release Group Id', '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a13'),
    free('ARTISTS', 'A', 'B', 'A'),
    free('LABEL', 'First', 'Second'),
    free('DISCSUBTITLE', 'Side A'),
    free('LANGUAGE', 'eng'),
    free('RELEASEDATE', '1999'),
  ),
  gains: mp4(
    free('replaygain_track_gain', '-6.5 dB'),
    free('REPLAYGAIN_ALBUM_PEAK', '0.9'),
    free('iTunSMPB', ' 00000000 00000840 000001C0 000000000000AC44 00000000'),
  ),
  'values that repeat': mp4(
    text('\xa9ART', 'A', 'B', 'A'),
    text('\xa9ART', 'C'),
    text('aART', 'D'),
    free('Band', 'E'),
    text('\xa9gen', 'Rock', 'Pop'),
    text('\xa9gen', 'Rock'),
    text('\xa9nam', 'One', 'Two'),
    numbers('trkn', 3, 9),
    numbers('trkn', 4, 0),
  ),
  'odd values': mp4(
    text('\xa9nam', ''),
    text('\xa9alb', ' spaced '),
    text('\xa9day', 'soon'),
    numbers('trkn', 0, 0),
    integer('cpil', 0),
    text('cpil', '1'),
    text('\xa9lyr', '[00:01.00]One'),
    free('SERIES', 'Discworld'),
    free('SERIES-PART', '1.5'),
    text('desc', 'Short'),
    text('ldes', 'Long'),
    text('\xa9nrt', 'Narrator'),
    box('free', data(1, Buffer.from('ignored'))),
  ),
};

test('the quick reader returns what the library returns', async () => {
  for (const [name, bytes] of Object.entries(CASES)) {
    const own = quick(bytes);
    assert.ok(own, name);
    const others = await library(bytes);
    assert.deepEqual(audioTagsOf(own), audioTagsOf(others), name);
    for (const key of ['hasVideo', 'sampleRate', 'duration'] as const)
      assert.equal(own.format[key], others.format[key], `${name}: ${key}`);
  }
});

test('files out of the ordinary are left to the library', () => {
  const title = text('\xa9nam', 'One');
  const beyond = mp4(title);
  beyond.writeUInt32BE(200, beyond.lastIndexOf('data') - 4);
  const others: Readonly<Record<string, Buffer>> = {
    'Nero chapters': withBoxes(box('udta', box('chpl', Buffer.alloc(9)), meta([title]))),
    'two tracks': withBoxes(MOOV.find((one) => typeOf(one) === 'trak') ?? Buffer.alloc(0)),
    'two lists': withBoxes(box('udta', meta([title]), meta([title]))),
    fragments: Buffer.concat([mp4(title), box('moof', Buffer.alloc(8))]),
    'a genre by its number': mp4(box('gnre', data(0, Buffer.from([0, 17])))),
    'a movement of a work': mp4(text('\xa9mvn', 'First')),
    'a track as text': mp4(text('trkn', '3/12')),
    'a number for a title': mp4(integer('\xa9nam', 3)),
    'a number of eight bytes': mp4(box('tmpo', data(21, Buffer.alloc(8)))),
    'a set of types': mp4(box('\xa9nam', data(0x0100_0001, Buffer.from('One')))),
    'a byte order mark': mp4(text('\xa9nam', '\uFEFFOne')),
    'a picture as text': mp4(text('covr', 'One')),
    'an item without values that fits badly': mp4(box('\xa9nam', Buffer.alloc(5))),
    'a size beyond the list': beyond,
    'cut off': mp4(title).subarray(0, -3),
    'not MP4': Buffer.from('OggS'.padEnd(200)),
  };
  for (const [name, bytes] of Object.entries(others)) assert.equal(quick(bytes), undefined, name);
});

test('of a damaged file it returns what the library returns, or nothing', async () => {
  const random = chance(20_261_128);
  const below = (limit: number): number => Math.floor(random() * limit);
  const wholes = ['Picard', 'values that repeat', 'odd values', 'gains'].map((name) => CASES[name] ?? made);
  const sound = BEFORE.reduce((sum, { length }) => sum + length, 0);
  let own = 0;
  for (let round = 0; round < 600; round++) {
    const bytes = Buffer.from(wholes[round % wholes.length] ?? made);
    const [ilst, end] = [bytes.lastIndexOf('ilst'), bytes.length];
    // Half of the rounds change the tags, the others anything but the sound and the picture.
    const from = round % 2 === 0 ? ilst - 4 : sound;
    for (let n = 1 + below(3); n > 0; n--)
      bytes[from + below(end - from)] = random() < 0.5 ? below(256) : 32 + below(96);
    const found = quick(bytes);
    if (!found) continue;
    own++;
    const others = await library(bytes);
    assert.deepEqual(audioTagsOf(found), audioTagsOf(others), `round ${round}`);
    for (const key of ['hasVideo', 'sampleRate', 'duration'] as const)
      assert.equal(found.format[key], others.format[key], `round ${round}: ${key}`);
  }
  assert.ok(own > 200, `${own} were read`);
});
