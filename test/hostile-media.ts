/**
 * Two hundred media files that want to do harm: sizes and offsets that lie, loops, billions of samples, lacing without
 * end, boxes in boxes, times below zero, and texts that lead elsewhere under the name of a film. The same every time.
 */
import { chance } from './chance.ts';

export interface HostileFile {
  /** With the extension that the catalogue goes by. */
  name: string;
  bytes: Buffer;
  /** Size of the file on the disk, where it is larger than its bytes: the rest is a hole. */
  size?: number;
}

/** Ordinary clips that are changed. */
export interface Clips {
  mkv: Buffer;
  mp4: Buffer;
  ts: Buffer;
  avi: Buffer;
  wmv: Buffer;
}

/** Targets that must not be reached: a file outside the library, and an address. */
export interface Canary {
  path: string;
  url: string;
}

const SEED = 8;
const COUNT = 200;
const GIB = 1024 ** 3;

export function makeHostileMedia(clips: Clips, canary: Canary): HostileFile[] {
  const made = [
    ...disguises(canary),
    ...boxes(clips.mp4),
    ...elements(clips.mkv),
    ...packets(clips.ts),
    ...chunks(clips.avi),
    ...objects(clips.wmv),
  ];
  return [...made, ...changed(clips, COUNT - made.length)].map((file, n) => ({
    ...file,
    name: `${String(n).padStart(3, '0')}-${file.name}`,
  }));
}

/** Texts that ffmpeg would follow. */
function disguises({ path, url }: Canary): HostileFile[] {
  const texts: Readonly<Record<string, string>> = {
    playlist:
      `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${path}\n#EXTINF:10,\n` +
      `${url}/segment.ts\n#EXT-X-ENDLIST\n`,
    key:
      `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"\n` +
      `#EXT-X-MAP:URI="file://${path}"\n#EXTINF:10,\nconcat:${path}|${path}\n#EXT-X-ENDLIST\n`,
    concat: `ffconcat version 1.0\nfile '${path}'\nduration 10\nfile '${url}/film.mkv'\n`,
    concatPlain: `file '${path}'\nfile 'subfile,,start,0,end,0,,:${path}'\n`,
    sdp:
      'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n' +
      'a=rtpmap:96 H264/90000\n',
    dash:
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY c SYSTEM "file://${path}">]><MPD ` +
      'xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ' +
      'mediaPresentationDuration="PT10S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" ' +
      `bandwidth="1"><BaseURL>${url}/film.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    reference: `[Reference]\nRef1=${url}/film.asf\nRef2=file://${path}\n`,
    asx: `<ASX version="3.0"><ENTRY><REF HREF="file://${path}"/></ENTRY></ASX>`,
    page: `<html><video src="file://${path}"></html>`,
    link: `[InternetShortcut]\nURL=file://${path}\n`,
  };
  return Object.entries(texts).flatMap(([name, text]) =>
    ['mkv', 'mp4', 'ts', 'avi'].map((extension) => ({ name: `${name}.${extension}`, bytes: Buffer.from(text) })),
  );
}

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32BE(value >>> 0, i * 4));
  return bytes;
};
const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};

/**
 * Replaces the body of the first box of a type by another of its size or of none, in a file whose movie box is last or
 * first.
 */
function withBody(file: Buffer, type: string, change: (body: Buffer) => void): Buffer {
  const bytes = Buffer.from(file);
  const at = bytes.indexOf(type, 0, 'latin1');
  if (at >= 4) change(bytes.subarray(at + 4, Math.min(bytes.length, at - 4 + bytes.readUInt32BE(at - 4))));
  return bytes;
}

const nested = (type: string, depth: number, inner: Buffer): Buffer => {
  let bytes = inner;
  for (let i = 0; i < depth; i += 1) bytes = box(type, bytes);
  return bytes;
};

function boxes(clip: Buffer): HostileFile[] {
  const file = (name: string, bytes: Buffer, size?: number): HostileFile => ({
    name: `${name}.mp4`,
    bytes,
    ...(size !== undefined && { size }),
  });
  const head = box('ftyp', Buffer.from('isom'), u32(0), Buffer.from('isom'));
  const billion = (type: string, at: number): Buffer =>
    withBody(clip, type, (body) => void body.writeUInt32BE(1_000_000_000, at));
  const largest = (type: string, at: number): Buffer =>
    withBody(clip, type, (body) => void body.writeUInt32BE(0xffffffff, at));
  return [
    ...(['stts', 'stsc', 'stco', 'ctts', 'stss', 'elst'] as const).flatMap((type) => [
      file(`${type}-billion`, billion(type, 4)),
      file(`${type}-largest`, largest(type, 4)),
    ]),
    file('stsz-count', billion('stsz', 8)),
    file(
      'stsz-one-size',
      withBody(clip, 'stsz', (body) => void (body.writeUInt32BE(1, 4), body.writeUInt32BE(1_000_000_000, 8))),
    ),
    file(
      'stts-one-run',
      withBody(
        clip,
        'stts',
        (body) => void (body.writeUInt32BE(1, 4), body.writeUInt32BE(0xffffffff, 8), body.writeUInt32BE(0, 12)),
      ),
    ),
    file(
      'stsc-many',
      withBody(clip, 'stsc', (body) => void (body.writeUInt32BE(1, 8), body.writeUInt32BE(0xffffffff, 12))),
    ),
    file(
      'offsets-beyond',
      withBody(clip, 'stco', (body) => body.fill(0xff, 8)),
    ),
    file(
      'scale-zero',
      withBody(clip, 'mdhd', (body) => void body.writeUInt32BE(0, 12)),
    ),
    file(
      'movie-scale-zero',
      withBody(clip, 'mvhd', (body) => void body.writeUInt32BE(0, 12)),
    ),
    file(
      'duration-largest',
      withBody(clip, 'mdhd', (body) => void body.writeUInt32BE(0xffffffff, 16)),
    ),
    file(
      'offsets-before-zero',
      withBody(clip, 'ctts', (body) => body.fill(0x80, 8)),
    ),
    file('deep', Buffer.concat([head, nested('moov', 5000, box('trak'))])),
    file('deep-tracks', Buffer.concat([head, box('moov', nested('trak', 3000, box('mdia')))])),
    file(
      'many-tracks',
      Buffer.concat([head, box('moov', ...Array.from({ length: 20_000 }, () => box('trak', box('mdia'))))]),
    ),
    file('size-zero', Buffer.concat([head, u32(0), Buffer.from('moov'), u32(0, 0, 0)])),
    file('size-one', Buffer.concat([head, u32(1), Buffer.from('moov'), u32(0xffffffff, 0xffffffff)])),
    file('size-seven', Buffer.concat([head, u32(7), Buffer.from('moov'), u32(7, 7, 7)])),
    file('tiny-boxes', Buffer.concat([head, ...Array.from({ length: 100_000 }, () => box('free'))])),
    file(
      'fragments-without-end',
      Buffer.concat([
        head,
        box('moov', box('mvex')),
        ...Array.from({ length: 30_000 }, () => box('moof', box('traf'))),
      ]),
    ),
    file('far-movie', Buffer.concat([head, u32(1), Buffer.from('mdat'), u32(1, 0)]), 8 * GIB),
    file('cut', clip.subarray(0, clip.length >> 1)),
  ];
}

/** A Matroska element whose size takes eight bytes; `size` -1 is unknown. */
function element(id: string, data: Uint8Array, size = data.length): Buffer {
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE(size < 0 ? 0x01ffffffffffffffn : 0x0100000000000000n + BigInt(size));
  return Buffer.concat([Buffer.from(id, 'hex'), head, data]);
}
const number = (value: number): Buffer => u32(Math.floor(value / 2 ** 32), value);
const EBML = element('1a45dfa3', element('4282', Buffer.from('matroska')));
const VIDEO = element(
  'ae',
  Buffer.concat([
    element('d7', number(1)),
    element('73c5', number(1)),
    element('83', number(1)),
    element('86', Buffer.from('V_VP8')),
    element('e0', Buffer.concat([element('b0', number(64)), element('ba', number(48))])),
  ]),
);
const AUDIO = element(
  'ae',
  Buffer.concat([
    element('d7', number(2)),
    element('73c5', number(2)),
    element('83', number(2)),
    element('86', Buffer.from('A_AC3')),
  ]),
);
const real = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
const infoOf = (scale: number, duration: number): Buffer =>
  element('1549a966', Buffer.concat([element('2ad7b1', number(scale)), element('4489', real(duration))]));
const cluster = (ticks: number, ...blocks: readonly Buffer[]): Buffer =>
  element('1f43b675', Buffer.concat([element('e7', number(ticks)), ...blocks]));
const block = (track: number, ticks: number, data: Uint8Array, flags = 0x80): Buffer => {
  const head = Buffer.from([0x80 | track, 0, 0, flags]);
  head.writeInt16BE(ticks, 1);
  return element('a3', Buffer.concat([head, data]));
};
const cue = (ticks: number, at: number): Buffer =>
  element(
    'bb',
    Buffer.concat([
      element('b3', number(ticks)),
      element('b7', Buffer.concat([element('f7', number(1)), element('f1', number(at))])),
    ]),
  );
const matroska = (...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([EBML, element('18538067', Buffer.concat(parts), -1)]);
const many = (count: number, make: (n: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));

function elements(clip: Buffer): HostileFile[] {
  const file = (name: string, bytes: Buffer, size?: number): HostileFile => ({
    name: `${name}.mkv`,
    bytes,
    ...(size !== undefined && { size }),
  });
  const info = infoOf(1_000_000, 60_000);
  const tracks = element('1654ae6b', Buffer.concat([VIDEO, AUDIO]));
  const picture = block(1, 0, Buffer.alloc(64, 0x10));
  const seek = (id: string, at: number): Buffer =>
    element('4dbb', Buffer.concat([element('53ab', Buffer.from(id, 'hex')), element('53ac', number(at))]));
  let deep: Buffer = Buffer.alloc(0);
  for (let i = 0; i < 3000; i += 1) deep = element('1654ae6b', deep);
  return [
    file(
      'seek-loop',
      matroska(
        element(
          '114d9b74',
          many(100, () => seek('114d9b74', 0)),
        ),
        info,
        tracks,
        cluster(0, picture),
      ),
    ),
    file('seek-beyond', matroska(element('114d9b74', seek('1c53bb6b', 2 ** 52)), info, tracks, cluster(0, picture))),
    file(
      'cues-back',
      matroska(
        info,
        tracks,
        element(
          '1c53bb6b',
          many(20_000, (n) => cue(n, 0)),
        ),
        cluster(0, picture),
      ),
    ),
    file(
      'cues-backwards',
      matroska(
        info,
        tracks,
        element(
          '1c53bb6b',
          many(20_000, (n) => cue(20_000 - n, 20_000 - n)),
        ),
        cluster(0, picture),
      ),
    ),
    file(
      'cues-beyond',
      matroska(
        info,
        tracks,
        element(
          '1c53bb6b',
          many(1000, (n) => cue(n * 5000, 2 ** 50)),
        ),
        cluster(0, picture),
      ),
    ),
    file(
      'cues-many',
      matroska(
        info,
        tracks,
        element(
          '1c53bb6b',
          many(100_000, (n) => cue(n, n)),
        ),
        cluster(0, picture),
      ),
    ),
    file(
      'lacing-xiph',
      matroska(
        info,
        tracks,
        cluster(0, picture, ...Array.from({ length: 200 }, () => block(2, 0, Buffer.alloc(60_000, 0xff), 0x82))),
      ),
    ),
    file(
      'lacing-ebml',
      matroska(
        info,
        tracks,
        cluster(
          0,
          picture,
          ...Array.from({ length: 200 }, () =>
            block(2, 0, Buffer.concat([Buffer.from([255]), Buffer.alloc(4000, 0x81)]), 0x86),
          ),
        ),
      ),
    ),
    file(
      'lacing-fixed',
      matroska(
        info,
        tracks,
        cluster(
          0,
          picture,
          ...Array.from({ length: 6000 }, () =>
            block(2, 0, Buffer.concat([Buffer.from([255]), Buffer.alloc(256)]), 0x84),
          ),
        ),
      ),
    ),
    file(
      'tiny-clusters',
      matroska(
        info,
        tracks,
        many(60_000, (n) => cluster(n)),
      ),
    ),
    file(
      'tiny-blocks',
      matroska(
        info,
        tracks,
        cluster(
          0,
          picture,
          many(60_000, () => block(1, 0, Buffer.alloc(0))),
        ),
      ),
    ),
    file(
      'all-keyframes',
      matroska(
        info,
        tracks,
        many(60_000, (n) => cluster(n, picture)),
      ),
    ),
    file(
      'empty-elements',
      matroska(info, tracks, cluster(0, picture), Buffer.alloc(12_000_000, Buffer.from([0xec, 0x80]))),
    ),
    file(
      'before-zero',
      matroska(info, tracks, cluster(0, ...Array.from({ length: 500 }, (_, n) => block(1, -n * 60, Buffer.alloc(64))))),
    ),
    file('times-enormous', matroska(info, tracks, cluster(2 ** 52, picture), cluster(2 ** 53, picture))),
    file('scale-zero', matroska(infoOf(0, 60_000), tracks, cluster(0, picture))),
    file('scale-enormous', matroska(infoOf(2 ** 52, 60_000), tracks, cluster(0, picture), cluster(9, picture))),
    file(
      'duration-endless',
      matroska(infoOf(1_000_000, Infinity), tracks, cluster(0, picture), cluster(5000, picture)),
    ),
    file('duration-none', matroska(infoOf(1_000_000, NaN), tracks, cluster(0, picture), cluster(5000, picture))),
    file('duration-below-zero', matroska(infoOf(1_000_000, -5), tracks, cluster(0, picture), cluster(5000, picture))),
    file(
      'many-tracks',
      matroska(
        info,
        element(
          '1654ae6b',
          many(5000, () => AUDIO),
        ),
        cluster(0, picture),
      ),
    ),
    file('deep', matroska(info, deep, cluster(0, picture))),
    file(
      'size-lies',
      Buffer.concat([
        EBML,
        element('18538067', Buffer.concat([info, tracks]), 2 ** 40),
        element('1f43b675', picture, 2 ** 48),
      ]),
    ),
    file('far-cluster', matroska(info, tracks, element('ec', Buffer.alloc(0), 8 * GIB - 4096)), 8 * GIB),
    file('cut', clip.subarray(0, clip.length >> 1)),
  ];
}

const PACKET = 188;
const packet = (pid: number, isStart: boolean, payload: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(PACKET, 0xff);
  bytes.set([0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10]);
  bytes.set(payload.subarray(0, PACKET - 4), 4);
  return bytes;
};
const section = (table: number, body: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0, table, 0xb0 | ((body.length + 9) >> 8), (body.length + 9) & 0xff, 0, 1, 0xc1, 0, 0]),
    body,
    Buffer.alloc(4),
  ]);
const association = (...programs: readonly (readonly [number, number])[]): Buffer =>
  packet(
    0,
    true,
    section(
      0,
      Buffer.concat(
        programs.map(([program, pid]) => Buffer.from([program >> 8, program & 0xff, 0xe0 | (pid >> 8), pid & 0xff])),
      ),
    ),
  );
const program = (pid: number, ...streams: readonly (readonly [number, number])[]): Buffer =>
  packet(
    pid,
    true,
    section(
      2,
      Buffer.concat([
        Buffer.from([0xe1, 0, 0xf0, 0]),
        ...streams.map(([type, own]) => Buffer.from([type, 0xe0 | (own >> 8), own & 0xff, 0xf0, 0])),
      ]),
    ),
  );
const pes = (pid: number, pts: number, data: Uint8Array): Buffer =>
  packet(
    pid,
    true,
    Buffer.concat([
      Buffer.from([
        0,
        0,
        1,
        0xe0,
        0,
        0,
        0x80,
        0x80,
        5,
        0x21 | ((Math.floor(pts / 2 ** 30) & 7) << 1),
        Math.floor(pts / 2 ** 22) & 0xff,
        ((Math.floor(pts / 2 ** 15) & 0x7f) << 1) | 1,
        Math.floor(pts / 2 ** 7) & 0xff,
        ((pts & 0x7f) << 1) | 1,
      ]),
      data,
    ]),
  );

function packets(clip: Buffer): HostileFile[] {
  const file = (name: string, bytes: Buffer, size?: number): HostileFile => ({
    name: `${name}.ts`,
    bytes,
    ...(size !== undefined && { size }),
  });
  const tables = Buffer.concat([association([1, 0x100]), program(0x100, [0x1b, 0x101], [0x0f, 0x102])]);
  const picture = Buffer.from([0, 0, 0, 1, 0x65, 0x88, 0x84, 0, 0x10]);
  const filled = packet(0x101, false, Buffer.alloc(184, 0x55));
  const scrambled = Buffer.from(clip);
  for (let at = 3; at < scrambled.length; at += PACKET) scrambled[at] = (scrambled[at] ?? 0) | 0xc0;
  const adaptive = Buffer.from(clip);
  for (let at = 0; at + 4 < adaptive.length; at += PACKET * 3) {
    adaptive[at + 3] = 0x30;
    adaptive[at + 4] = 255;
  }
  const starts = many(8000, () => pes(0x101, 90_000, picture));
  return [
    file('pes-without-end', Buffer.concat([tables, pes(0x101, 90_000, picture), many(30_000, () => filled)])),
    file('pes-only-starts', Buffer.concat([tables, starts])),
    file(
      'pes-codes',
      Buffer.concat([
        tables,
        pes(0x101, 90_000, picture),
        many(4000, () => packet(0x101, false, Buffer.alloc(184, Buffer.from([0, 0, 1, 0x61])))),
      ]),
    ),
    file('clock-jumps', Buffer.concat([tables, many(4000, (n) => pes(0x101, (n * 7_919_000_003) % 2 ** 33, picture))])),
    file('clock-back', Buffer.concat([tables, many(4000, (n) => pes(0x101, 2 ** 33 - 1 - n * 3600, picture))])),
    file('tables-loop', Buffer.concat([association([1, 0]), association([1, 0]), program(0, [0x1b, 0]), starts])),
    file(
      'tables-many',
      Buffer.concat([
        association(...Array.from({ length: 40 }, (_, n) => [n + 1, 0x100 + n] as const)),
        many(40, (n) => program(0x100 + n, [0x1b, 0x200])),
        starts,
      ]),
    ),
    file(
      'tables-same-pid',
      Buffer.concat([
        association([1, 0x100]),
        program(0x100, ...Array.from({ length: 30 }, () => [0x1b, 0x101] as const)),
        starts,
      ]),
    ),
    file(
      'tables-none',
      many(10_000, () => filled),
    ),
    file(
      'tables-cut',
      Buffer.concat([
        packet(0, true, Buffer.from([255, 0, 0xbf, 0xff])),
        many(20_000, () => packet(0, false, Buffer.alloc(184))),
      ]),
    ),
    file('scrambled', scrambled),
    file('adaptation-lies', adaptive),
    file(
      'holes',
      Buffer.concat(
        Array.from({ length: 60 }, (_, n) =>
          Buffer.concat([clip.subarray(0, PACKET * 40), Buffer.alloc(1000 + n, 0x46)]),
        ),
      ),
    ),
    file('far', Buffer.concat([tables, starts]), 8 * GIB),
    file('sync-only', Buffer.alloc(4_000_000, 0x47)),
    file('cut', clip.subarray(0, (clip.length >> 1) + 11)),
  ];
}

function chunks(clip: Buffer): HostileFile[] {
  const file = (name: string, bytes: Buffer, size?: number): HostileFile => ({
    name: `${name}.avi`,
    bytes,
    ...(size !== undefined && { size }),
  });
  const withAll = (id: string, value: number, offset: number): Buffer => {
    const bytes = Buffer.from(clip);
    for (let at = bytes.indexOf(id); at >= 0 && at + offset + 4 <= bytes.length; at = bytes.indexOf(id, at + 4))
      bytes.writeUInt32LE(value >>> 0, at + offset);
    return bytes;
  };
  const table = Buffer.from(clip);
  const index = table.indexOf('idx1');
  if (index > 0) table.fill(0xff, index + 8);
  return [
    file('riff-size', withAll('RIFF', 0, 4)),
    file('riff-largest', withAll('RIFF', 0xffffffff, 4)),
    file('list-largest', withAll('LIST', 0xffffffff, 4)),
    file('list-zero', withAll('LIST', 0, 4)),
    file('format-largest', withAll('strf', 0xffffffff, 4)),
    file('index-largest', withAll('idx1', 0xffffffff, 4)),
    file('rate-zero', withAll('strh', 0, 8 + 20)),
    file('scale-zero', withAll('strh', 0, 8 + 24)),
    file('length-largest', withAll('strh', 0xffffffff, 8 + 32)),
    file('index-beyond', table),
    file('far', clip, 8 * GIB),
    file('cut', clip.subarray(0, clip.length >> 1)),
    ...rows(clip).map(({ name, bytes, size }) => file(name, bytes, size)),
  ];
}

const u32le = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32LE(value >>> 0, i * 4));
  return bytes;
};
const riff = (id: string, body: Uint8Array, size = body.length): Buffer =>
  Buffer.concat([Buffer.from(id, 'latin1'), u32le(size), body]);

/** Rows of chunks and indexes without an end, behind the header of an ordinary file. */
function rows(clip: Buffer): { name: string; bytes: Buffer; size?: number }[] {
  const movi = clip.indexOf('movi');
  const head = Buffer.from(clip.subarray(0, movi + 4));
  // A list without a size, as recorders leave it.
  head.writeUInt32LE(0, movi - 4);
  const first = clip.subarray(movi + 4, movi + 4 + 8 + clip.readUInt32LE(movi + 8));
  const withIndex = (table: Buffer): Buffer => {
    const bytes = Buffer.from(clip);
    const place = bytes.indexOf('JUNK');
    bytes.write('indx', place, 'latin1');
    table.copy(bytes, place + 8, 0, Math.min(table.length, bytes.readUInt32LE(place + 4)));
    return bytes;
  };
  const parts = (count: number, at: number): Buffer =>
    Buffer.concat([
      Buffer.from([4, 0, 0, 0]),
      u32le(count, 0x63643030, 0, 0, 0),
      many(200, () => u32le(at, 0, 0xffff, 1)),
    ]);
  return [
    { name: 'chunks-empty', bytes: Buffer.concat([head, first, many(400_000, () => riff('00dc', Buffer.alloc(0)))]) },
    {
      name: 'chunks-tiny-sound',
      bytes: Buffer.concat([head, first, many(300_000, () => riff('01wb', Buffer.from([0xff, 0xfb])))]),
    },
    { name: 'chunks-junk', bytes: Buffer.concat([head, first, many(300_000, () => riff('JUNK', Buffer.alloc(0)))]) },
    {
      name: 'chunks-enormous',
      bytes: Buffer.concat([head, first, riff('00dc', Buffer.alloc(0), 0xffff_fffe)]),
      size: 8 * GIB,
    },
    { name: 'chunks-all-keyframes', bytes: Buffer.concat([head, many(2000, () => first)]) },
    {
      name: 'lists-in-lists',
      bytes: Buffer.concat([head, many(200_000, () => riff('LIST', Buffer.from('rec '), 0xffff_ffff))]),
    },
    {
      name: 'parts-in-parts',
      bytes: Buffer.concat([head, first, many(200_000, () => riff('RIFF', Buffer.from('AVIX'), 4))]),
    },
    { name: 'large-index-loop', bytes: withIndex(parts(200, 12)) },
    { name: 'large-index-count', bytes: withIndex(parts(0xffff_ffff, 2 ** 31)) },
    {
      name: 'large-index-chunks',
      bytes: withIndex(Buffer.concat([Buffer.from([2, 0, 0, 1]), u32le(0x1000_0000, 0x63643030, 0, 0, 0)])),
    },
  ];
}

/** ASF: objects and packets whose sizes and counts lie. */
function objects(clip: Buffer): HostileFile[] {
  const file = (name: string, bytes: Buffer, size?: number): HostileFile => ({
    name: `${name}.wmv`,
    bytes,
    ...(size !== undefined && { size }),
  });
  const data = clip.indexOf('3626b2758e66cf11a6d900aa0062ce6c', 0, 'hex');
  const properties = clip.indexOf('a1dcab8c47a9cf118ee400c00c205365', 0, 'hex') + 24;
  const stride = clip.readUInt32LE(properties + 68);
  const changedAt = (...changes: readonly (readonly [number, number])[]): Buffer => {
    const bytes = Buffer.from(clip);
    for (const [at, value] of changes) bytes.writeUInt32LE(value >>> 0, at);
    return bytes;
  };
  const origin = data + 50;
  const packet = clip.subarray(origin, origin + stride);
  const withPackets = (change: (bytes: Buffer, n: number) => void): Buffer => {
    const bytes = Buffer.from(clip);
    for (let n = 0; origin + (n + 1) * stride <= bytes.length; n += 1)
      change(bytes.subarray(origin + n * stride, origin + (n + 1) * stride), n);
    return bytes;
  };
  return [
    file('header-largest', changedAt([16, 0xffffffff], [20, 0xffff])),
    file('header-none', changedAt([16, 0])),
    file('object-none', changedAt([30 + 16, 0])),
    file('packets-tiny', changedAt([properties + 68, 1], [properties + 72, 1])),
    file('packets-none', changedAt([properties + 68, 0], [properties + 72, 0])),
    file('packets-enormous', changedAt([properties + 68, 0x7fffffff], [properties + 72, 0x7fffffff])),
    file('preroll-largest', changedAt([properties + 56, 0xffffffff], [properties + 60, 0xffffffff])),
    file('data-largest', changedAt([data + 16, 0xffffffff], [data + 20, 0xfffff])),
    file('data-none', changedAt([data + 16, 0], [data + 20, 0])),
    file(
      'groups-empty',
      withPackets(
        (bytes) =>
          void (bytes.fill(0),
          bytes.set([0x82, 0, 0, 0x01, 0x5d, 0, 0, 0, 0, 0, 0, 0xbf, 0x82, 1, 0, 0, 0, 0, 1, 1, 255])),
      ),
    ),
    file(
      'parts-lie',
      withPackets((bytes) => void bytes.fill(0xff, 3, 40)),
    ),
    file(
      'parts-noise',
      withPackets((bytes, n) => void bytes.fill((n * 37) & 0xff, 4)),
    ),
    file('same-packet', Buffer.concat([clip.subarray(0, origin), many(3000, () => packet)])),
    file('far', clip, 8 * GIB),
    file('cut', clip.subarray(0, clip.length >> 1)),
  ];
}

const VALUES = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

/**
 * Ordinary files with a few bytes changed near their start or end, where headers and tables are, or doubled, or cut.
 */
function changed(clips: Clips, count: number): HostileFile[] {
  const draw = chance(SEED);
  const below = (most: number): number => Math.floor(draw() * most);
  const all = Object.entries(clips) as [string, Buffer][];
  return Array.from({ length: count }, (_, n) => {
    const [extension, clip] = all[n % all.length] ?? ['mkv', clips.mkv];
    const bytes = Buffer.from(clip);
    for (let changes = 1 + below(6); changes > 0; changes -= 1) {
      const place = below(Math.min(4000, bytes.length - 8));
      const at = draw() < 0.6 ? place : bytes.length - 8 - place;
      if (draw() < 0.4) bytes.fill(VALUES[below(VALUES.length)] ?? 0, at, at + 1 + below(8));
      else bytes[at] = VALUES[below(VALUES.length)] ?? 0;
    }
    const half = below(bytes.length);
    return {
      name: `changed.${extension}`,
      bytes: draw() < 0.15 ? Buffer.concat([bytes.subarray(0, half), bytes]) : bytes,
    };
  });
}
