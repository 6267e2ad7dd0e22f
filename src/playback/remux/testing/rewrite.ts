/**
 * Writes files again in ways that ffmpeg and mkvmerge do not: Matroska with each kind of lacing, with stripped headers,
 * clusters of unknown size, sound far from its pictures, wrong cues; and both containers with positions over 4 GiB.
 */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { ebmlChildren, elementIn } from '../../../lib/media/ebml.ts';
import { createSource, type ByteSource } from '../../../lib/media/source.ts';
import { box } from '../../cmaf/boxes.ts';
import { type MatroskaBlock, blocks } from '../../media-index/matroska/blocks.ts';
import { readMatroskaHeader } from '../../media-index/matroska/header.ts';
import { trackEntries } from '../../media-index/matroska/tracks.ts';

const sourceOf = (file: Buffer): ByteSource =>
  createSource(file.length, (into, at) => file.copy(into, 0, at, at + into.length), Buffer.alloc(0), {
    bytes: 1 << 30,
    reads: 1 << 20,
  });

/** Returns an element. Its size takes eight bytes; `size` -1 is unknown. */
function element(id: string, data: Uint8Array, size = data.length): Buffer {
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE(size < 0 ? 0x01ffffffffffffffn : 0x0100000000000000n + BigInt(size));
  return Buffer.concat([Buffer.from(id, 'hex'), head, data]);
}

function number(value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeBigUInt64BE(BigInt(value));
  return data;
}

export interface RewriteOptions {
  /** 1 Xiph, 2 fixed, 3 EBML: four frames of sound in a block. */
  lacing?: 1 | 2 | 3;
  /** Header stripping: the bytes that all frames of video begin with are left out. */
  isStripped?: boolean;
  hasUnknownSizes?: boolean;
  /** Bytes of nothing before the clusters. */
  hole?: number;
  /** Sound lies so many seconds later in the file than its time says. */
  skew?: number;
  /** Changes what a cue says: its time in ticks, or the position of its cluster. */
  cue?: (cue: { ticks: number; at: number }, n: number) => { ticks: number; at: number };
  /**
   * H.264 with start codes instead of lengths of four bytes: with the record that says otherwise, without a record, or
   * with parameter sets that have start codes, too.
   */
  annexB?: 'record' | 'nothing' | 'sets';
  /** Nanoseconds between frames of sound, which laced ones need. */
  frameDuration?: number;
}

/**
 * Damages the second keyframe's cluster behind its first blocks. `noise` has the head of a cluster and of a keyframe of
 * another time in it; `lies` only changes the size of one block.
 */
export function damageMatroska(from: string, to: string, kind: 'noise' | 'zeros' | 'lies'): void {
  const file = readFileSync(from);
  const source = sourceOf(file);
  const { firstCluster, end } = readMatroskaHeader(source);
  const all = [...blocks(source, firstCluster, end)];
  const clusters = [...new Set(all.map(({ cluster }) => cluster))];
  const own = all.filter(({ cluster }) => cluster === clusters[1]);
  const { at = 0 } = own[6] ?? {};
  if (kind === 'zeros') file.fill(0, at, at + 3000);
  if (kind === 'lies') file.set([0xa3, 0x1f, 0xff, 0xff, 0xf0], at);
  if (kind === 'noise') {
    let state = 1;
    for (let i = at; i < at + 3000; i += 1) file[i] = (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >> 16;
    // A block of the first track, and behind it a cluster with one, both at times that are not theirs.
    file.set([0xa3, 0x45, 0x00, 0x81, 0x7f, 0x00, 0x80], at);
    file.set([...Buffer.from('1f43b67501ffffffffffffffe78217a0a340c0810000', 'hex'), 0x80], at + 1600);
  }
  writeFileSync(to, file);
}

interface Unit {
  block: MatroskaBlock;
  frames: Buffer[];
  order: number;
}

/** Writes a Matroska file again; its clusters begin at keyframes of video. */
export function rewriteMatroska(from: string, to: string, options: RewriteOptions): void {
  const file = readFileSync(from);
  const source = sourceOf(file);
  const header = readMatroskaHeader(source);
  const tracks = trackEntries(header.tracks);
  const video = tracks.find(({ type }) => type === 1)?.number ?? 0;
  const units: Unit[] = [...blocks(source, header.firstCluster, header.end)].map((block, i) => ({
    block,
    frames: block.frames.map(({ at, size }) => file.subarray(at, at + size)),
    order: i,
  }));
  const stripped =
    options.isStripped === true
      ? commonStart(units.filter(({ block }) => block.track === video).flatMap(({ frames }) => frames))
      : Buffer.alloc(0);
  const record = tracks.find((track) => track.number === video)?.private ?? Buffer.alloc(0);
  const sets = options.annexB === undefined ? Buffer.alloc(0) : setsOf(record);
  for (const unit of units) {
    if (unit.block.track !== video) continue;
    unit.frames = unit.frames.map((frame) => {
      if (options.annexB === undefined) return frame.subarray(stripped.length);
      return Buffer.concat([unit.block.isKey ? sets : Buffer.alloc(0), withStartCodes(frame)]);
    });
  }
  const recordNow = { record, nothing: Buffer.alloc(0), sets }[options.annexB ?? 'record'];
  const ordered = skewed(units, video, options.skew ?? 0);
  const groups = clustersOf(options.lacing === undefined ? ordered : laced(ordered, video), video);
  const clusters = groups.map((group) => clusterOf(group, options));
  const head = Buffer.concat([file.subarray(0, header.base - 12), element('18538067', Buffer.alloc(0), -1)]);
  const front = Buffer.concat([
    element('1549a966', infoOf(source, header.base)),
    element(
      '1654ae6b',
      withEncoding(header.tracks, {
        stripped,
        video,
        record: recordNow,
        frameDuration: options.frameDuration ?? 0,
      }),
    ),
  ]);
  const cueSize = element('bb', cuePoint(0, 0, video)).length * groups.length;
  const first =
    head.length + front.length + element('1c53bb6b', Buffer.alloc(cueSize)).length + 9 + (options.hole ?? 0);
  let at = first;
  const points = groups.map((group, n) => {
    const cue = { ticks: group[0]?.block.ticks ?? 0, at: at - head.length };
    at += clusters[n]?.length ?? 0;
    const { ticks, at: place } = options.cue?.(cue, n) ?? cue;
    return element('bb', cuePoint(ticks, place, video));
  });
  const hole = element('ec', Buffer.alloc(0), options.hole ?? 0);
  const start = Buffer.concat([head, front, element('1c53bb6b', Buffer.concat(points)), hole]);
  const out = openSync(to, 'w');
  writeSync(out, start);
  writeSync(out, Buffer.concat(clusters), 0, undefined, first);
  closeSync(out);
}

/** Body of the segment information. */
function infoOf(source: ByteSource, base: number): Buffer {
  for (let at = base; ;) {
    const found = elementIn(source, at);
    at = found.at + found.size;
    if (found.id === 0x1549a966) return source.at(found.at, found.size);
  }
}

function commonStart(frames: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = frames;
  let length = 0;
  while (length < 2 && frames.every((frame) => frame.length > length && frame[length] === first[length])) length += 1;
  return first.subarray(0, length);
}

function skewed(units: readonly Unit[], video: number, skew: number): Unit[] {
  const key = ({ block, order }: Unit): number =>
    (block.track === video ? block.ticks : block.ticks + skew * 1000) * 1000 + order / 1e6;
  // Video keeps its decoding order: each block counts as late as the latest before it.
  let latest = -Infinity;
  const keys = new Map(
    units.map((unit) => {
      const own = unit.block.track === video ? Math.max(latest, key(unit)) : key(unit);
      if (unit.block.track === video) latest = own;
      return [unit, own] as const;
    }),
  );
  return skew === 0 ? [...units] : units.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

function clustersOf(units: readonly Unit[], video: number): Unit[][] {
  const groups: Unit[][] = [];
  for (const unit of units) {
    if (groups.length === 0 || (unit.block.track === video && unit.block.isKey)) groups.push([]);
    groups.at(-1)?.push(unit);
  }
  // Blocks before the first keyframe belong to its cluster.
  const [first, second] = groups;
  if (first && second && !first.some(({ block }) => block.track === video))
    groups.splice(0, 2, [...second.slice(0, 1), ...first, ...second.slice(1)]);
  return groups;
}

/** Joins four blocks of sound of one track, where a keyframe of video is not between them. */
function laced(units: readonly Unit[], video: number): Unit[] {
  const out: Unit[] = [];
  const open = new Map<number, Unit>();
  for (const unit of units) {
    const { track, isKey } = unit.block;
    if (track === video) {
      if (isKey) open.clear();
      out.push(unit);
      continue;
    }
    const had = open.get(track);
    if (had && had.frames.length < 4) had.frames.push(...unit.frames);
    else {
      const copy = { ...unit, frames: [...unit.frames] };
      open.set(track, copy);
      out.push(copy);
    }
  }
  return out;
}

function clusterOf(group: readonly Unit[], { lacing, hasUnknownSizes }: RewriteOptions): Buffer {
  const ticks = group[0]?.block.ticks ?? 0;
  const data = Buffer.concat([
    element('e7', number(ticks)),
    ...group.map(({ block, frames }) =>
      element('a3', blockOf(block, frames, { ticks, lacing: frames.length > 1 ? (lacing ?? 0) : 0 })),
    ),
  ]);
  return element('1f43b675', data, hasUnknownSizes === true ? -1 : data.length);
}

function blockOf(
  { track, ticks: time, isKey }: MatroskaBlock,
  frames: readonly Buffer[],
  { ticks, lacing }: { ticks: number; lacing: number },
): Buffer {
  const sameSize = frames.every(({ length }) => length === frames[0]?.length);
  const kind = lacing === 2 && !sameSize ? 3 : lacing;
  const head = Buffer.from([0x80 | track, 0, 0, (isKey ? 0x80 : 0) | (kind << 1)]);
  head.writeInt16BE(time - ticks, 1);
  return Buffer.concat([
    head,
    ...(kind === 0
      ? []
      : [
          lacedHead(
            kind,
            frames.map(({ length }) => length),
          ),
        ]),
    ...frames,
  ]);
}

function lacedHead(kind: number, sizes: readonly number[]): Buffer {
  const count = Buffer.from([sizes.length - 1]);
  if (kind === 2) return count;
  if (kind === 1)
    return Buffer.concat([
      count,
      ...sizes
        .slice(0, -1)
        .map((size) => Buffer.from([...Array.from({ length: Math.floor(size / 255) }, () => 255), size % 255])),
    ]);
  const [first = 0] = sizes;
  const four = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(0x10000000 + value);
    return bytes;
  };
  return Buffer.concat([
    count,
    four(first),
    ...sizes.slice(1, -1).map((size, i) => four(size - (sizes[i] ?? 0) + 2 ** 27 - 1)),
  ]);
}

const cuePoint = (ticks: number, at: number, track: number): Buffer =>
  Buffer.concat([
    element('b3', number(ticks)),
    element('b7', Buffer.concat([element('f7', number(track)), element('f1', number(at))])),
  ]);

/** The tracks again, with a content encoding for video and a duration for frames of sound. */
function withEncoding(
  data: Buffer,
  {
    stripped,
    video,
    record,
    frameDuration,
  }: { stripped: Buffer; video: number; record: Buffer; frameDuration: number },
): Buffer {
  const encoding = element(
    '6d80',
    element(
      '6240',
      Buffer.concat([
        element('5033', number(0)),
        element('5034', Buffer.concat([element('4254', number(3)), element('4255', stripped)])),
      ]),
    ),
  );
  return Buffer.concat(
    [...ebmlChildren(data)].map(({ id, data: entry }) => {
      if (id !== 0xae) return Buffer.alloc(0);
      const isVideo = [...ebmlChildren(entry)].some((field) => field.id === 0xd7 && field.data.at(-1) === video);
      const added = isVideo
        ? stripped.length > 0
          ? [encoding]
          : []
        : frameDuration > 0
          ? [element('23e383', number(frameDuration))]
          : [];
      const fields = [...ebmlChildren(entry)].map((field) =>
        element(field.id.toString(16), isVideo && field.id === PRIVATE ? record : field.data),
      );
      return element(id.toString(16), Buffer.concat([...fields, ...added]));
    }),
  );
}

const PRIVATE = 0x63a2;
const START_CODE = Buffer.from([0, 0, 0, 1]);

/** The units of a picture of H.264 with start codes, which are as long as their lengths. */
function withStartCodes(frame: Buffer): Buffer {
  const out = Buffer.from(frame);
  for (let at = 0; at + 4 < frame.length; at += 4 + frame.readUInt32BE(at)) out.set(START_CODE, at);
  return out;
}

/** The parameter sets of avcC with start codes, of which there is one of each kind. */
function setsOf(record: Buffer): Buffer {
  const sequence = record.subarray(8, 8 + record.readUInt16BE(6));
  const at = 8 + sequence.length + 1;
  return Buffer.concat([START_CODE, sequence, START_CODE, record.subarray(at + 2, at + 2 + record.readUInt16BE(at))]);
}

const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/** Writes an MP4 file again with `hole` bytes of nothing before its data, which needs 64-bit positions. */
export function rewriteMp4(from: string, to: string, hole: number): void {
  const file = readFileSync(from);
  const parts = new Map<string, Buffer>();
  for (let at = 0; at < file.length; at += file.readUInt32BE(at))
    parts.set(file.toString('latin1', at + 4, at + 8), file.subarray(at, at + file.readUInt32BE(at)));
  const part = (type: string): Buffer => parts.get(type) ?? Buffer.alloc(0);
  const before = file.indexOf('mdat') - 4;
  const size = withLongOffsets(part('moov'), 0).length;
  const free = Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from('free'), number(hole + 16)]);
  const begin = part('ftyp').length + size + free.length + hole;
  const out = openSync(to, 'w');
  writeSync(out, Buffer.concat([part('ftyp'), withLongOffsets(part('moov'), begin - before), free]));
  writeSync(out, part('mdat'), 0, undefined, begin);
  closeSync(out);
}

function withLongOffsets(bytes: Buffer, by: number): Buffer {
  const out: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const inner = bytes.subarray(at, at + bytes.readUInt32BE(at));
    if (CONTAINERS.has(type)) out.push(withLongOffsets(inner, by));
    else if (type === 'stco') {
      const offsets = Array.from({ length: inner.readUInt32BE(12) }, (_, i) =>
        number(inner.readUInt32BE(16 + 4 * i) + by),
      );
      out.push(box('co64', inner.subarray(8, 16), ...offsets));
    } else out.push(inner);
  }
  return box(bytes.toString('latin1', 4, 8), ...out);
}
