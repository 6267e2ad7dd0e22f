/** Ogg files: the quick reader against the tag library, and the files that it leaves to it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseBuffer } from 'music-metadata';
import { chance } from '../../../../test/chance.ts';
import { madeOnce } from '../../testing/sound.ts';
import { createBlocks } from './blocks.ts';
import { readOgg } from './ogg.ts';
import { audioTagsOf } from './tags.ts';

const made = (name: string, codec: string): Buffer =>
  readFileSync(
    // More pages than the library reads when it is not asked for the length.
    madeOnce(name, [
      ...['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=20', '-map_metadata', '-1'],
      ...['-c:a', codec, '-b:a', '48k', '-page_duration', '1000000'],
    ]),
  );
const OPUS = made('plain-20s.opus', 'libopus');
const VORBIS = made('plain-20s.ogg', 'libvorbis');

interface Page {
  flags: number;
  granule: bigint;
  serial: number;
  segments: Buffer;
  body: Buffer;
}
function pagesOf(bytes: Buffer): Page[] {
  const found: Page[] = [];
  for (let at = 0; at < bytes.length;) {
    const segments = bytes.subarray(at + 27, at + 27 + (bytes[at + 26] ?? 0));
    const start = at + 27 + segments.length;
    const end = start + segments.reduce((sum, one) => sum + one, 0);
    const [flags = 0, granule, serial] = [bytes[at + 5], bytes.readBigUInt64LE(at + 6), bytes.readUInt32LE(at + 14)];
    found.push({ flags, granule, serial, segments, body: bytes.subarray(start, end) });
    at = end;
  }
  return found;
}
const ogg = (pages: readonly Page[]): Buffer =>
  Buffer.concat(
    pages.map(({ flags, granule, serial, segments, body }, number) => {
      const head = Buffer.alloc(27);
      head.write('OggS');
      head[5] = flags;
      head.writeBigUInt64LE(granule, 6);
      head.writeUInt32LE(serial, 14);
      head.writeUInt32LE(number, 18);
      head[26] = segments.length;
      return Buffer.concat([head, segments, body]);
    }),
  );

type Tags = readonly (readonly [name: string, value: string])[];
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const counted = (text: string): Buffer => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)]);
const comments = (tags: Tags): Buffer =>
  Buffer.concat([counted('vendor'), u32(tags.length), ...tags.map(([name, value]) => counted(`${name}=${value}`))]);

/** Returns the pages of a packet, which the second and later ones continue. */
function pagesFor(packet: Buffer, serial: number): Page[] {
  const pages: Page[] = [];
  const most = 255 * 255;
  for (let at = 0; at < packet.length || pages.length === 0; at += most) {
    const body = packet.subarray(at, at + most);
    const full = Math.floor(body.length / 255);
    const isWhole = body.length < most;
    const segments = Buffer.from([...Buffer.alloc(full, 255), ...(isWhole ? [body.length % 255] : [])]);
    pages.push({ flags: pages.length > 0 ? 1 : 0, granule: 0n, serial, segments, body });
  }
  return pages;
}

type Kind = 'Opus' | 'Vorbis';
/** Returns a file with these comments, and its first pages of sound and its last one. */
function tagged(kind: Kind, tags: Tags): Buffer {
  const [first, ...others] = pagesOf(kind === 'Opus' ? OPUS : VORBIS);
  assert.ok(first);
  const packet = Buffer.concat([
    Buffer.from(kind === 'Opus' ? 'OpusTags' : '\x03vorbis', 'latin1'),
    comments(tags),
    ...(kind === 'Opus' ? [] : [Buffer.from([1])]),
  ]);
  return ogg([first, ...pagesFor(packet, first.serial), ...others.filter(({ granule }) => granule > 0n)]);
}

const quick = (bytes: Buffer) => {
  const readAt = (into: Uint8Array, offset: number): number => {
    const part = bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  };
  return readOgg(createBlocks(bytes.length, readAt));
};
const library = (bytes: Buffer) => parseBuffer(bytes, 'audio/ogg', { skipCovers: true, duration: true });

const CASES: Readonly<Record<string, Tags>> = {
  none: [],
  usual: [
    ['TITLE', 'Ölüm'],
    ['artist', 'AC/DC'],
    ['ALBUM', 'Album'],
    ['TRACKNUMBER', '3/9'],
    ['DATE', '2001-05-06'],
    ['GENRE', 'Rock'],
    ['GENRE', 'Pop'],
    ['ALBUMARTIST', 'Band'],
  ],
  gains: [
    ['R128_TRACK_GAIN', '-512'],
    ['R128_ALBUM_GAIN', '256'],
    ['REPLAYGAIN_TRACK_GAIN', '-6.5 dB'],
  ],
  ids: [
    ['MUSICBRAINZ_TRACKID', '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a11'],
    ['MUSICBRAINZ_ALBUMID', '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a12'],
    ['DISCTOTAL', '2'],
    ['LYRICS', '[00:01.00]One'],
    ['COMPILATION', '1'],
  ],
  'a picture': [
    ['METADATA_BLOCK_PICTURE', Buffer.alloc(150_000, 7).toString('base64')],
    ['TITLE', 'Behind'],
  ],
};
const KEYS = ['codec', 'sampleRate', 'numberOfChannels', 'duration'] as const;

test('the quick reader returns what the library returns', async () => {
  for (const kind of ['Opus', 'Vorbis'] as const)
    for (const [name, tags] of Object.entries(CASES)) {
      const bytes = tagged(kind, tags);
      const own = quick(bytes);
      assert.ok(own, `${kind}: ${name}`);
      const others = await library(bytes);
      assert.deepEqual(audioTagsOf(own.metadata), audioTagsOf(others), `${kind}: ${name}`);
      for (const key of KEYS) assert.equal(own.metadata.format[key], others.format[key], `${kind}, ${name}: ${key}`);
      if (kind === 'Vorbis') assert.equal(own.metadata.format.bitrate, others.format.bitrate);
      assert.equal(own.hasPicture, name === 'a picture', `${kind}: ${name}`);
    }
});

test('the length of a long file is that of its last page, and the bit rate of Opus that of its sound', () => {
  for (const [bytes, most] of [
    [OPUS, 20.02],
    [VORBIS, 20.02],
  ] as const) {
    assert.ok(pagesOf(bytes).length > 15, `${pagesOf(bytes).length} pages`);
    const { duration = 0, bitrate = 0 } = quick(bytes)?.metadata.format ?? {};
    assert.ok(duration >= 20 && duration < most, `${duration} s`);
    assert.ok(bitrate > 30_000 && bitrate < 70_000, `${bitrate} bits a second`);
  }
});

test('files out of the ordinary are left to the library', () => {
  const [first, second, ...rest] = pagesOf(OPUS);
  assert.ok(first && second);
  const last = rest.at(-1);
  assert.ok(last);
  const others: Readonly<Record<string, Buffer>> = {
    'a second stream': ogg([first, { ...first, serial: first.serial + 1 }, second, ...rest]),
    'a second stream at the end': ogg([first, second, ...rest, { ...last, serial: first.serial + 1 }]),
    'cut off between pages': ogg([first, second, ...rest.slice(0, -1)]),
    'cut off within a page': OPUS.subarray(0, -3),
    'bytes behind it': Buffer.concat([OPUS, Buffer.alloc(128, 'TAG')]),
    'no position at the end': ogg([first, second, ...rest.slice(0, -1), { ...last, granule: 0xffff_ffff_ffff_ffffn }]),
    'a length of years': ogg([first, second, ...rest.slice(0, -1), { ...last, granule: 2n ** 50n }]),
    Discogs: tagged('Opus', [['DISCOGS_ARTISTS', 'A']]),
    'a picture too large': tagged('Opus', [['METADATA_BLOCK_PICTURE', 'A'.repeat(1_200_000)]]),
    'another codec': ogg([{ ...first, body: Buffer.from('Speex   '.padEnd(first.body.length)) }, second, ...rest]),
    'comments first': ogg([{ ...second, flags: 2 }, first, ...rest]),
    'not Ogg': Buffer.from('fLaC'.padEnd(200)),
  };
  for (const [name, bytes] of Object.entries(others)) assert.equal(quick(bytes), undefined, name);
});

test('of a damaged file it returns what the library returns, or nothing', async () => {
  const random = chance(20_261_128);
  const below = (limit: number): number => Math.floor(random() * limit);
  const wholes = (['Opus', 'Vorbis'] as const).flatMap((kind) =>
    ['usual', 'gains', 'ids'].map((name) => tagged(kind, CASES[name] ?? [])),
  );
  let own = 0;
  for (let round = 0; round < 800; round++) {
    const whole = wholes[round % wholes.length] ?? OPUS;
    const bytes = Buffer.from(whole);
    // The third page is sound.
    const within = bytes.indexOf('OggS', bytes.indexOf('OggS', 1) + 1);
    for (let n = 1 + below(3); n > 0; n--) bytes[below(within)] = random() < 0.5 ? below(256) : 32 + below(96);
    const found = quick(bytes);
    if (!found) continue;
    own++;
    const others = await library(bytes);
    assert.deepEqual(audioTagsOf(found.metadata), audioTagsOf(others), `round ${round}`);
    for (const key of KEYS) assert.equal(found.metadata.format[key], others.format[key], `round ${round}: ${key}`);
  }
  assert.ok(own > 200, `${own} were read`);
});
