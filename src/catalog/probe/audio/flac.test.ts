/** FLAC files: the quick reader against the tag library, and binary cue sheets, also hostile ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBuffer } from 'music-metadata';
import { chance } from '../../../../test/chance.ts';
import { parseCueSheet, windowsOf } from '../../naming/cue-sheet.ts';
import { cueSheetBlock, flac, type FlacTags, type SheetTrackToMake } from '../../testing/sound.ts';
import { createBlocks } from './blocks.ts';
import { cueSheetOfFlac } from './flac-blocks.ts';
import { readFlac } from './flac.ts';
import { audioTagsOf } from './tags.ts';

const reader = (bytes: Uint8Array) => (into: Uint8Array, offset: number) => {
  const part = bytes.subarray(offset, offset + into.length);
  into.set(part);
  return part.length;
};
const quick = (bytes: Buffer) => readFlac(createBlocks(bytes.length, reader(bytes)), reader(bytes));
const sheetIn = (bytes: Buffer) => cueSheetOfFlac(createBlocks(bytes.length, reader(bytes)));

const TAGS: Readonly<Record<string, FlacTags>> = {
  none: {},
  usual: { TITLE: 'Ölüm', ARTIST: 'AC/DC', ALBUM: 'Album', TRACKNUMBER: '3', DATE: '2001-05-06', GENRE: 'Rock' },
  'values that repeat': { artist: ['A', 'B', 'A'], GENRE: ['Rock', 'Pop'], STYLE: 'Folk', TITLE: ['One', 'Two'] },
  'several artists': { ARTIST: 'A feat. B', ARTISTS: ['A', 'B'], ALBUMARTIST: 'C', 'ALBUM ARTIST': 'D' },
  totals: { TRACKNUMBER: '3/9', TRACKTOTAL: '12', DISCNUMBER: '1', TOTALDISCS: '2' },
  'totals first': { TRACKTOTAL: '12', TRACKNUMBER: '3/9', DISCTOTAL: 'x', DISCNUMBER: '2/4' },
  'no numbers': { TRACKNUMBER: 'x', DISCNUMBER: '0', DATE: 'soon', COMPILATION: '1' },
  ids: {
    MUSICBRAINZ_TRACKID: '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a11',
    MUSICBRAINZ_ALBUMID: '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a12',
    MUSICBRAINZ_RELEASEGROUPID: '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a13',
  },
  gains: { REPLAYGAIN_TRACK_GAIN: '-6.5 dB', REPLAYGAIN_TRACK_PEAK: '0.9', REPLAYGAIN_ALBUM_GAIN: '1.25 dB' },
  words: { LYRICS: '[00:01.00]One', DESCRIPTION: 'Text', LANGUAGE: 'eng', DISCSUBTITLE: 'Side A', COMPOSER: 'X; Y' },
  labels: { ORGANIZATION: 'First', LABEL: 'Second', PUBLISHER: 'Third', RELEASEDATE: '1999', YEAR: '1998' },
  'a book': { SERIES: 'Discworld', 'SERIES-PART': '1.5', NARRATOR: 'N', CUESHEET: 'TRACK 01 AUDIO' },
  odd: { 'A=B': 'C', '': 'no name', EMPTY: '', TITLE: '=', ENCODER: 'Lavf' },
};

test('the quick reader returns what the library returns', async () => {
  for (const [name, tags] of Object.entries(TAGS)) {
    const bytes = flac(tags);
    const own = quick(bytes)?.metadata;
    assert.ok(own, name);
    const library = await parseBuffer(bytes, undefined, { skipCovers: true });
    assert.deepEqual(audioTagsOf(own), audioTagsOf(library), name);
    for (const key of ['codec', 'sampleRate', 'numberOfChannels', 'bitsPerSample', 'duration', 'bitrate'] as const)
      assert.equal(own.format[key], library.format[key], `${name}: ${key}`);
  }
});

test('files out of the ordinary are left to the library', () => {
  const plain = flac({ TITLE: 'One' });
  const others: Readonly<Record<string, Buffer>> = {
    'ID3v2 first': Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), plain]),
    'ID3v1 last': Buffer.concat([plain, Buffer.from('TAG'), Buffer.alloc(125)]),
    'APE last': Buffer.concat([plain, Buffer.from('APETAGEX'), Buffer.alloc(24)]),
    Discogs: flac({ DISCOGS_ARTISTS: 'A' }),
    'cut off': plain.subarray(0, 60),
    'not FLAC': Buffer.from('OggS'.padEnd(200)),
  };
  for (const [name, bytes] of Object.entries(others)) assert.equal(quick(bytes), undefined, name);
});

const TRACKS: readonly SheetTrackToMake[] = [
  { number: 1, at: 0, isrc: 'USABC1234567', indexes: [[1, 0]] },
  { number: 2, at: 3_000, indexes: [0, 1, 2].map((index) => [index, index * 201] as const) },
  { number: 3, at: 6_000, isData: true, indexes: [[1, 0]] },
];

test('a binary sheet is the text of a sheet, with its samples as decimals of a frame', () => {
  const text = sheetIn(flac({}, undefined, cueSheetBlock(TRACKS, 8_000)));
  assert.equal(text, 'TRACK 01 AUDIO\nISRC USABC1234567\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nINDEX 01 0:0:30.009375\n');
  const sheet = parseCueSheet(text ?? '');
  assert.ok(sheet);
  // 3,201 samples of 8,000 a second.
  assert.deepEqual(
    windowsOf(sheet, 1).map(({ start, end }) => [Math.round(start * 8_000), Math.round(end * 8_000)]),
    [
      [0, 3_201],
      [3_201, 8_000],
    ],
  );
  assert.equal(sheetIn(flac({ TITLE: 'One' })), undefined);
});

test('damaged and hostile sheets end in none or in windows within the file', () => {
  const whole = flac({}, undefined, cueSheetBlock(TRACKS, 8_000));
  let state = 20_261_123;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  let read = 0;
  for (let i = 0; i < 600; i++) {
    const bytes = Buffer.from(whole);
    // From the header of the stream to the end of the sheet.
    for (let n = 0; n < 1 + next() * 6; n++) bytes[8 + Math.floor(next() * 560)] = Math.floor(next() * 256);
    const text = sheetIn(next() < 0.3 ? bytes.subarray(0, Math.floor(next() * 600)) : bytes);
    if (text === undefined) continue;
    read++;
    assert.ok(text.length < 256 * 1024);
    const sheet = parseCueSheet(text);
    for (const { start, end } of sheet ? windowsOf(sheet, 1) : []) assert.ok(start >= 0 && end > start && end <= 1);
  }
  assert.ok(read > 100, `${read} sheets were read`);
  const many = Array.from({ length: 100 }, (_, n) => ({ number: n + 1, at: n * 80, indexes: [[1, 0]] as const }));
  assert.equal(sheetIn(flac({}, undefined, cueSheetBlock(many, 8_000)))?.split('TRACK').length, 101);
  const large = Buffer.concat([cueSheetBlock(TRACKS, 8_000), Buffer.alloc(200 * 1024)]);
  assert.equal(sheetIn(flac({}, undefined, large)), undefined, 'a block larger than a sheet can be');
});

test('of a damaged file it returns what the library returns, or nothing', async () => {
  const whole = flac({ ...TAGS['usual'], ...TAGS['totals'], ...TAGS['ids'], ...TAGS['words'] });
  const random = chance(20_261_127);
  const below = (limit: number): number => Math.floor(random() * limit);
  let own = 0;
  for (let round = 0; round < 800; round++) {
    const bytes = Buffer.from(whole);
    for (let n = 1 + below(4); n > 0; n--) bytes[below(TAGS_WITHIN)] = random() < 0.5 ? below(256) : 32 + below(96);
    const found = quick(bytes)?.metadata;
    if (!found) continue;
    own++;
    const library = await parseBuffer(bytes, undefined, { skipCovers: true });
    assert.deepEqual(audioTagsOf(found), audioTagsOf(library), `round ${round}`);
    for (const key of ['codec', 'sampleRate', 'numberOfChannels', 'bitsPerSample', 'duration', 'bitrate'] as const)
      assert.equal(found.format[key], library.format[key], `round ${round}: ${key}`);
  }
  assert.ok(own > 200, `${own} were read`);
});
/** The headers and comments of the made file are within these bytes. */
const TAGS_WITHIN = 700;
