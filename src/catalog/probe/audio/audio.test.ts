/** Tags and streams of sound: common formats against ffprobe, our rules for names, and hostile bytes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { flac, madeOnce } from '../../testing/sound.ts';
import type { AudioTags, MediaInfo } from '../types.ts';
import { readAudio, readLyrics } from './read.ts';
import { smpbTrim } from './tags.ts';

const never = (): never => assert.fail('nothing may be thrown');
const reader = (bytes: Uint8Array) => (into: Uint8Array, offset: number) => {
  const part = bytes.subarray(offset, offset + into.length);
  into.set(part);
  return part.length;
};
const read = (bytes: Uint8Array) => readAudio(bytes.length, reader(bytes));

const TAGS = {
  title: 'Song',
  artist: 'AC/DC; Guest',
  album: 'Album',
  album_artist: 'Band',
  track: '3/9',
  disc: '2/2',
  date: '2001-05-06',
  genre: 'Rock',
  REPLAYGAIN_TRACK_GAIN: '-6.50 dB',
};
const metadata = Object.entries(TAGS).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
const SINE = ['-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=1', ...metadata];
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'tagged.flac': SINE,
  'tagged-v3.mp3': [...SINE, '-id3v2_version', '3'],
  'tagged-v4.mp3': [...SINE, '-id3v2_version', '4'],
  'tagged.ogg': [...SINE, '-c:a', 'libvorbis'],
  'tagged.opus': [...SINE, '-c:a', 'libopus'],
  'tagged.wv': SINE,
  'tagged.wav': SINE,
  'tagged.m4a': [...SINE, '-c:a', 'aac'],
};

interface Probed {
  streams: { codec_name: string; sample_rate: string; channels: number; bits_per_raw_sample?: string }[];
  format: { duration: string };
}
const ffprobe = (path: string): Probed =>
  JSON.parse(
    execFileSync('ffprobe', ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path], {
      encoding: 'utf8',
    }),
  ) as Probed;

test('streams of common formats are those that ffprobe reports, and tags are read', async () => {
  for (const [name, args] of Object.entries(FORMATS)) {
    // The stream of MP4 is read by the reader of boxes.
    if (name.endsWith('.m4a')) continue;
    const path = madeOnce(name, args);
    const { tags, info } = (await read(readFileSync(path))) ?? never();
    const own = ffprobe(path);
    const [stream] = own.streams;
    const found = info?.streams[0];
    assert.deepEqual(
      [found?.codec, found?.sampleRate, found?.channels],
      [stream?.codec_name, Number(stream?.sample_rate), stream?.channels],
      name,
    );
    assert.ok(Math.abs((info?.duration ?? 0) - Number(own.format.duration)) < 0.06, name);
    assert.deepEqual([tags.title, tags.album, tags.track.number], ['Song', 'Album', 3], name);
    assert.deepEqual(tags.artists, ['AC/DC', 'Guest'], name);
    if (name.endsWith('.wav')) continue;
    assert.deepEqual(
      [tags.albumArtists, tags.disc, tags.gain],
      [['Band'], { number: 2, total: 2 }, { track: -6.5 }],
      name,
    );
  }
});

test('tags behind a large picture are read, and the picture is not', async () => {
  const bytes = flac({ TITLE: 'Behind', ALBUM: 'Large', LYRICS: 'words' }, Buffer.alloc(12_000_000, 7));
  let spent = 0;
  const { tags, info } =
    (await readAudio(bytes.length, (into, offset) => {
      const length = reader(bytes)(into, offset);
      spent += length;
      return length;
    })) ?? never();
  assert.deepEqual(
    [tags.title, tags.album, tags.cover, tags.hasLyrics, info?.duration],
    ['Behind', 'Large', 1, true, 1],
  );
  assert.ok(spent < 600_000, `${spent} bytes were read`);
  assert.deepEqual(await readLyrics(bytes.length, reader(bytes)), { lines: [], text: 'words' });
});

test('gains, ids, several artists and series have one form', async () => {
  const of = async (tags: Parameters<typeof flac>[0]): Promise<AudioTags> => (await read(flac(tags)))?.tags ?? never();
  const opus = await of({ R128_TRACK_GAIN: '-2560', R128_ALBUM_GAIN: '256', REPLAYGAIN_TRACK_PEAK: '0.5' });
  assert.deepEqual(opus.gain, { track: -5, album: 6, trackPeak: 0.5 });
  assert.equal((await of({ REPLAYGAIN_TRACK_GAIN: '-999999 dB' })).gain, undefined);
  const ids = await of({
    MUSICBRAINZ_TRACKID: '8A1B5A3E-5F9D-4D1E-9D0F-2B9A5F3C1A11',
    MUSICBRAINZ_ALBUMID: 'not an id',
  });
  assert.deepEqual(ids.ids, { recording: '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a11' });
  const names = await of({
    ARTIST: 'A feat. B',
    ARTISTS: ['A', 'B'],
    ALBUMARTIST: 'Earth, Wind & Fire',
    COMPILATION: '1',
  });
  assert.deepEqual(
    [names.artists, names.albumArtists, names.isCompilation],
    [['A', 'B'], ['Earth, Wind & Fire'], true],
  );
  const book = await of({ SERIES: 'Discworld', 'SERIES-PART': '1.5', NARRATOR: 'N. One; N. Two' });
  assert.deepEqual([book.series, book.narrators], [{ name: 'Discworld', position: '1.5' }, ['N. One', 'N. Two']]);
});

test('samples that an encoder added are known', async () => {
  assert.deepEqual(smpbTrim(' 00000000 00000840 000001CA 00000000003F31F6 00000000'), { start: 2112, end: 458 });
  for (const text of ['', '0 0 0', ' 00000000 FFFFFFFF 00000000 0']) assert.equal(smpbTrim(text), undefined, text);
  const trimOf = async (name: string): Promise<AudioTags['trim']> =>
    (await read(readFileSync(madeOnce(name, FORMATS[name] ?? []))))?.tags.trim;
  assert.equal((await trimOf('tagged-v4.mp3'))?.start, 576);
  assert.deepEqual(await trimOf('tagged.opus'), { start: 312, end: 0 });
  assert.equal(await trimOf('tagged.flac'), undefined);
  // One second of 44,100 samples behind a frame of silence, in frames of 1,024.
  assert.deepEqual(await trimOf('tagged.m4a'), { start: 1024, end: 45 * 1024 - 1024 - 44_100 });
  const decoded = execFileSync('ffmpeg', [
    '-v',
    'error',
    '-ignore_editlist',
    '1',
    '-i',
    madeOnce('tagged.m4a', []),
    '-f',
    's16le',
    '-',
  ]);
  assert.equal(decoded.length / 2 - 1024 - (45 * 1024 - 1024 - 44_100), 44_100, 'what is left is the music');
});

/** Returns the same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

test('hostile bytes end in a result, within the limits', async () => {
  const next = random(20_261_123);
  const seeds = Object.entries(FORMATS).map(([name, args]) => readFileSync(madeOnce(name, args)).subarray(0, 40_000));
  let bounded = 0;
  for (let i = 0; i < 700; i++) {
    const bytes = Buffer.from(seeds[i % seeds.length] ?? Buffer.alloc(0));
    const changes = 1 + Math.floor(next() * 8);
    for (let n = 0; n < changes; n++)
      bytes[Math.floor(next() * Math.min(bytes.length, 2_000))] = Math.floor(next() * 256);
    const cut = next() < 0.3 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
    let spent = 0;
    // The size says more than there is, as that of a file with holes does.
    const size = next() < 0.5 ? cut.length : cut.length + 200_000_000;
    const found = await readAudio(size, (into, offset) => {
      const length = reader(cut)(into, offset);
      spent += into.length;
      return length === 0 ? into.length : length;
    });
    assert.ok(spent <= 34 * 1024 * 1024, `${spent} bytes of number ${i}`);
    if (found) check(found.tags, found.info);
    bounded++;
  }
  assert.equal(bounded, 700);
});

test('a file whose tags are longer than what is read at most is read no further', async () => {
  // Three blocks of comments of 16 MiB each, which are empty.
  const [block, count] = [0xff_ff_ff, 3];
  const plain = flac({ TITLE: 'One' });
  const [streamInfo, start] = [plain.subarray(0, 42), 42];
  const size = start + count * (4 + block);
  let spent = 0;
  const found = await readAudio(size, (into, offset) => {
    into.fill(0);
    spent += into.length;
    into.set(streamInfo.subarray(offset, offset + into.length));
    for (let n = 0; n < count; n++) {
      const header = [n === count - 1 ? 0x84 : 0x04, 0xff, 0xff, 0xff];
      for (const [i, byte] of header.entries()) {
        const at = start + n * (4 + block) + i - offset;
        if (at >= 0 && at < into.length) into[at] = byte;
      }
    }
    return Math.min(into.length, size - offset);
  });
  assert.equal(found, undefined);
  assert.ok(spent > 16 * 1024 * 1024 && spent <= 34 * 1024 * 1024, `${spent} bytes`);
});

function check(tags: AudioTags, info: MediaInfo | undefined): void {
  for (const list of [tags.artists, tags.albumArtists, tags.genres]) assert.ok(list.length <= 64);
  assert.ok(JSON.stringify(tags).length < 1_500_000);
  if (info?.duration !== undefined) assert.ok(Number.isFinite(info.duration) && info.duration > 0);
  for (const { start, end } of info?.chapters ?? []) assert.ok(start >= 0 && end >= start);
}

/** A list of two chapters, as ffmpeg reads it. */
const CHAPTERS = join(tmpdir(), `matinee-chapters-${process.pid}.txt`);

test('chapters are read from ID3, Nero lists and text tracks', async (t) => {
  const chapter = (start: number, end: number, title: string) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
  writeFileSync(CHAPTERS, `;FFMETADATA1\n${chapter(0, 1500, 'One')}${chapter(1500, 4000, 'Two')}`);
  t.after(() => rmSync(CHAPTERS, { force: true }));
  const made = (name: string, ...args: string[]): Buffer =>
    readFileSync(
      madeOnce(name, [
        ...['-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=4', '-i', CHAPTERS],
        ...['-map', '0:a', '-map_metadata', '1', '-map_chapters', '1', ...args],
      ]),
    );
  const both = made('chapters.m4b', '-c:a', 'aac');
  // A text track is a list of chapters only where it is referred to, and a Nero list only by the type of its box.
  const renamed = (type: string) => Buffer.from(both.toString('latin1').replace(type, 'free'), 'latin1');
  const files = { id3: made('chapters.mp3'), list: renamed('tref'), track: renamed('chpl'), both };
  for (const [source, bytes] of Object.entries(files))
    assert.deepEqual(
      (await read(bytes))?.chapters.map(({ start, title }) => `${start} ${title}`),
      ['0 One', '1.5 Two'],
      source,
    );
});
