/** MP3 files: the quick reader against the tag library, and the files that it leaves to it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseBuffer } from 'music-metadata';
import { chance } from '../../../../test/chance.ts';
import { madeOnce } from '../../testing/sound.ts';
import { createBlocks } from './blocks.ts';
import { id3End } from './flac-blocks.ts';
import { readMp3 } from './mp3.ts';
import { readAudio, readLyrics } from './read.ts';
import { audioTagsOf } from './tags.ts';

const made = readFileSync(
  madeOnce('plain-1s.mp3', ['-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=1', '-map_metadata', '-1', '-b:a', '64k']),
);
const SOUND = made.subarray(id3End(made));
const ID3V1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);

type Frame = readonly [id: string, body: Buffer | string, flags?: number];
const latin1 = (text: string): Buffer => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')]);
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const utf8 = (text: string): Buffer => Buffer.concat([Buffer.from([3]), Buffer.from(text)]);

const number = (value: number, isSyncSafe: boolean): Buffer => {
  const bytes = Buffer.alloc(4);
  if (isSyncSafe) for (let at = 3, left = value; at >= 0; at--, left >>= 7) bytes[at] = left & 0x7f;
  else bytes.writeUInt32BE(value);
  return bytes;
};

/** Returns an MP3 file with a tag of these frames. A text is written in UTF-8. */
function mp3(version: 3 | 4, frames: readonly Frame[], { flags = 0, padding = 200 } = {}): Buffer {
  const body = Buffer.concat([
    ...frames.map(([id, given, own = 0]) => {
      const bytes = typeof given === 'string' ? utf8(given) : given;
      return Buffer.concat([Buffer.from(id), number(bytes.length, version === 4), Buffer.from([0, own]), bytes]);
    }),
    Buffer.alloc(padding),
  ]);
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, flags]), number(body.length, true), body, SOUND]);
}

const readerOf =
  (bytes: Buffer) =>
  (into: Uint8Array, offset: number): number => {
    const part = bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  };
const quick = (bytes: Buffer) => readMp3(createBlocks(bytes.length, readerOf(bytes)), readerOf(bytes));

const picard: readonly Frame[] = [
  ['TIT2', utf16('Ölüm\0')],
  ['TPE1', utf16('AC/DC')],
  ['TPE2', utf16('Band')],
  ['TALB', latin1('Caf\xe9')],
  ['TRCK', latin1('3/12')],
  ['TPOS', latin1('1/2')],
  ['TCON', latin1('Rock')],
  ['TPUB', utf16('Label')],
  ['TMED', latin1('CD')],
  ['TSST', latin1('Side A')],
  ['TLAN', latin1('eng')],
  ['TXXX', utf16('MusicBrainz Album Id\0\uFEFF8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a12')],
  ['TXXX', latin1('MusicBrainz Release Group Id\x008a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a13')],
  ['TXXX', latin1('replaygain_track_gain\0-6.5 dB')],
  ['UFID', Buffer.from('http://musicbrainz.org\x008a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a11')],
  ['COMM', Buffer.from('\0eng\0A comment', 'latin1')],
  ['USLT', Buffer.from('\0eng\0Words', 'latin1')],
  ['PRIV', Buffer.from('owner\0data')],
];
const CASES: Readonly<Record<string, Buffer>> = {
  'nothing but padding': mp3(4, []),
  'Picard, 2.3': mp3(3, [...picard, ['TYER', latin1('2001')]]),
  'Picard, 2.4': mp3(4, [...picard, ['TDRC', '2001-05-06']]),
  'several artists, 2.4': mp3(4, [
    ['TPE1', 'A\0B\0A'],
    ['TCON', 'Rock\0Pop'],
    ['TCOM', 'X\0Y'],
  ]),
  'several artists, 2.3': mp3(3, [
    ['TPE1', latin1('A/B')],
    ['TCOM', latin1('X/Y')],
    ['TPE2', latin1('AC/DC')],
    ['TXXX', latin1('Artists\0A/B')],
  ]),
  'frames that repeat': mp3(4, [
    ['TIT2', 'One'],
    ['TIT2', 'Two'],
    ['TPE1', 'A'],
    ['TPE1', 'B'],
    ['TRCK', '1/9'],
    ['TRCK', '2'],
  ]),
  'odd values': mp3(4, [
    ['TIT2', ''],
    ['TALB', ' spaced '],
    ['TRCK', 'x'],
    ['TDRC', 'soon'],
    ['TCMP', '1'],
    ['TXXX', '\0no name'],
    ['TXXX', 'SERIES\0Discworld'],
  ]),
  'a picture': mp3(3, [
    ['TIT2', latin1('Behind')],
    ['APIC', Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), Buffer.alloc(100_000, 7)])],
    ['TALB', latin1('Large')],
  ]),
};

test('the quick reader returns what the library returns', async () => {
  for (const [name, bytes] of Object.entries(CASES)) {
    const own = quick(bytes);
    assert.ok(own, name);
    const library = await parseBuffer(bytes, 'audio/mpeg', { skipCovers: true });
    assert.deepEqual(audioTagsOf(own.metadata), audioTagsOf(library), name);
    for (const key of ['codec', 'sampleRate', 'numberOfChannels', 'duration', 'bitrate'] as const)
      assert.equal(own.metadata.format[key], library.format[key], `${name}: ${key}`);
    assert.equal(own.hasPicture, name === 'a picture', name);
  }
});

test('lyrics are found in their frame, and as a free text', async () => {
  const words = 'First line\n\nThird line';
  const lyricsOf = async (...frames: Frame[]) => {
    const bytes = mp3(3, [['TIT2', latin1('Song')], ...frames]);
    const read = await readAudio(bytes.length, readerOf(bytes));
    return [read?.tags.hasLyrics, await readLyrics(bytes.length, readerOf(bytes))];
  };
  assert.deepEqual(await lyricsOf(['USLT', Buffer.from(`\0eng\0${words}`, 'latin1')]), [
    true,
    { lines: [], text: words, language: 'eng' },
  ]);
  // ffmpeg writes the first of these when it converts a FLAC file, and the second for a tag with a language.
  for (const name of ['LYRICS', 'lyrics-eng', 'UNSYNCEDLYRICS'])
    assert.deepEqual(await lyricsOf(['TXXX', latin1(`${name}\0${words}`)]), [true, { lines: [], text: words }], name);
  assert.deepEqual(await lyricsOf(['TXXX', latin1('LYRICIST\0Someone')]), [false, undefined]);
});

test('files out of the ordinary are left to the library', () => {
  const title: Frame = ['TIT2', 'One'];
  const others: Readonly<Record<string, Buffer>> = {
    'no tag': SOUND,
    'version 2.2': Buffer.concat([Buffer.from('ID3\x02\0\0\0\0\0\0', 'latin1'), SOUND]),
    unsynchronised: mp3(4, [title], { flags: 0x80 }),
    'ID3v1 as well': Buffer.concat([mp3(4, [title]), ID3V1]),
    'a frame with flags': mp3(4, [['TIT2', 'One', 1]]),
    chapters: mp3(4, [title, ['CHAP', Buffer.alloc(30)]]),
    'a genre by its number': mp3(3, [['TCON', latin1('(17)')]]),
    'Windows characters': mp3(3, [['TIT2', latin1('\x93One\x94')]]),
    'big-endian text': mp3(4, [['TIT2', Buffer.from([2, 0, 65])]]),
    'a length beyond the tag': mp3(3, [['TIT2', latin1('One')]]).fill(0x7f, 15, 17),
    'no header of the sound': Buffer.concat([mp3(4, [title]).subarray(0, 240), SOUND.subarray(500)]),
    'cut off': mp3(4, [title]).subarray(0, 60),
  };
  for (const [name, bytes] of Object.entries(others)) assert.equal(quick(bytes), undefined, name);
});

test('of a damaged tag it returns what the library returns, or nothing', async () => {
  const random = chance(20_261_127);
  const below = (limit: number): number => Math.floor(random() * limit);
  const wholes = ['Picard, 2.3', 'Picard, 2.4', 'frames that repeat', 'odd values'].map((name) => CASES[name] ?? made);
  let own = 0;
  for (let round = 0; round < 800; round++) {
    const bytes = Buffer.from(wholes[round % wholes.length] ?? made);
    // The first frame stays whole: the library would look for the next one.
    const within = bytes.length - SOUND.length;
    for (let n = 1 + below(3); n > 0; n--) bytes[below(within)] = random() < 0.5 ? below(256) : 32 + below(96);
    const found = quick(bytes);
    if (!found) continue;
    own++;
    const library = await parseBuffer(bytes, 'audio/mpeg', { skipCovers: true });
    assert.deepEqual(audioTagsOf(found.metadata), audioTagsOf(library), `round ${round}`);
    for (const key of ['codec', 'sampleRate', 'numberOfChannels', 'duration'] as const)
      assert.equal(found.metadata.format[key], library.format[key], `round ${round}: ${key}`);
  }
  assert.ok(own > 200, `${own} were read`);
});
