/** Matroska: indexes that lead back, lacing without end, times below zero, and sizes that lie. */
import { FAR_BYTES, filesOf, type HostileFile, many, u32 } from './files.ts';

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

const file = filesOf('mkv');
const tracksOf = (...tracks: readonly Buffer[]): Buffer => element('1654ae6b', Buffer.concat(tracks));
const INFO = infoOf(1_000_000, 60_000);
const TRACKS = tracksOf(VIDEO, AUDIO);
const PICTURE = block(1, 0, Buffer.alloc(64, 0x10));
const START = cluster(0, PICTURE);
/** An ordinary file but for these parts. */
const film = (...parts: readonly Buffer[]): Buffer => matroska(INFO, TRACKS, ...parts);

export const hostileMatroska = (clip: Buffer): HostileFile[] => [
  ...indexes(),
  ...blocks(),
  ...times(),
  ...structures(),
  file('cut', clip.subarray(0, clip.length >> 1)),
];

/** Indexes that lead nowhere, or to themselves. */
function indexes(): HostileFile[] {
  const seek = (id: string, at: number): Buffer =>
    element('4dbb', Buffer.concat([element('53ab', Buffer.from(id, 'hex')), element('53ac', number(at))]));
  const seeks = (entries: Buffer): Buffer => matroska(element('114d9b74', entries), INFO, TRACKS, START);
  const cues = (count: number, make: (n: number) => Buffer): Buffer =>
    film(element('1c53bb6b', many(count, make)), START);
  const loop = many(100, () => seek('114d9b74', 0));
  return [
    file('seek-loop', seeks(loop)),
    file('seek-beyond', seeks(seek('1c53bb6b', 2 ** 52))),
    file(
      'cues-back',
      cues(20_000, (n) => cue(n, 0)),
    ),
    file(
      'cues-backwards',
      cues(20_000, (n) => cue(20_000 - n, 20_000 - n)),
    ),
    file(
      'cues-beyond',
      cues(1000, (n) => cue(n * 5000, 2 ** 50)),
    ),
    file(
      'cues-many',
      cues(100_000, (n) => cue(n, n)),
    ),
  ];
}

/** Frames, blocks and clusters without an end. */
function blocks(): HostileFile[] {
  const sound = (count: number, data: Uint8Array, flags: number): Buffer =>
    film(cluster(0, PICTURE, ...Array.from({ length: count }, () => block(2, 0, data, flags))));
  const frames = (data: Uint8Array): Buffer => Buffer.concat([Buffer.from([255]), data]);
  const emptyBlocks = many(60_000, () => block(1, 0, Buffer.alloc(0)));
  const clusters = many(60_000, (n) => cluster(n));
  const keyframes = many(60_000, (n) => cluster(n, PICTURE));
  return [
    file('lacing-xiph', sound(200, Buffer.alloc(60_000, 0xff), 0x82)),
    file('lacing-ebml', sound(200, frames(Buffer.alloc(4000, 0x81)), 0x86)),
    file('lacing-fixed', sound(6000, frames(Buffer.alloc(256)), 0x84)),
    file('tiny-clusters', film(clusters)),
    file('tiny-blocks', film(cluster(0, PICTURE, emptyBlocks))),
    file('all-keyframes', film(keyframes)),
    file('empty-elements', film(START, Buffer.alloc(12_000_000, Buffer.from([0xec, 0x80])))),
  ];
}

/** Times below zero, beyond any film, and no numbers at all. */
function times(): HostileFile[] {
  const early = Array.from({ length: 500 }, (_, n) => block(1, -n * 60, Buffer.alloc(64)));
  const lasting = (scale: number, duration: number, ...more: readonly Buffer[]): Buffer =>
    matroska(infoOf(scale, duration), TRACKS, START, ...more);
  const later = cluster(5000, PICTURE);
  return [
    file('before-zero', film(cluster(0, ...early))),
    file('times-enormous', film(cluster(2 ** 52, PICTURE), cluster(2 ** 53, PICTURE))),
    file('scale-zero', lasting(0, 60_000)),
    file('scale-enormous', lasting(2 ** 52, 60_000, cluster(9, PICTURE))),
    file('duration-endless', lasting(1_000_000, Infinity, later)),
    file('duration-none', lasting(1_000_000, NaN, later)),
    file('duration-below-zero', lasting(1_000_000, -5, later)),
  ];
}

/** Elements that are too many, too deep, or not where they say. */
function structures(): HostileFile[] {
  let deep: Buffer = Buffer.alloc(0);
  for (let i = 0; i < 3000; i += 1) deep = tracksOf(deep);
  const lies = [
    EBML,
    element('18538067', Buffer.concat([INFO, TRACKS]), 2 ** 40),
    element('1f43b675', PICTURE, 2 ** 48),
  ];
  return [
    file('many-tracks', matroska(INFO, tracksOf(...Array.from({ length: 5000 }, () => AUDIO)), START)),
    file('deep', matroska(INFO, deep, START)),
    file('size-lies', Buffer.concat(lies)),
    file('far-cluster', film(element('ec', Buffer.alloc(0), FAR_BYTES - 4096)), FAR_BYTES),
  ];
}
