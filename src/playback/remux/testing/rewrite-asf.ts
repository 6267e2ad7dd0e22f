/**
 * Writes ASF files again in ways that ffmpeg does not: sound in groups, one part in each packet, sizes in other codes,
 * streams described within extended properties, and packets that are damaged.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createSource } from '../../../lib/media/source.ts';
import { readAsfHeader } from '../../media-index/asf/header.ts';
import { newObjectState, readObjects } from '../../media-index/asf/packets.ts';

export interface AsfOptions {
  /** Frames of sound in a group. */
  group?: number;
  /** Each packet has one part, without error correction, and says its own length. */
  isSingle?: boolean;
  /** The header describes streams within their extended properties, and the data say no size. */
  isExtended?: boolean;
  /** Packets that are overwritten. */
  damaged?: readonly number[];
}

interface AsfPart {
  stream: number;
  time: number;
  number: number;
  offset: number;
  size: number;
  data: Buffer;
}

const STRIDE = 1400;
const DATA_HEAD = 50;
const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const u64 = (value: number): Buffer => Buffer.concat([u32(value % 2 ** 32), u32(Math.floor(value / 2 ** 32))]);

export function rewriteAsf(from: string, to: string, options: AsfOptions): void {
  const file = readFileSync(from);
  const readAt = (into: Buffer, at: number): number => file.copy(into, 0, at, at + into.length);
  const header = readAsfHeader(createSource(file.length, readAt, Buffer.alloc(0)));
  const parts = partsOf(objectsOf(file, header), options);
  const packets = packed(parts, options);
  for (const n of options.damaged ?? []) packets[n]?.fill(0xff, 0, 60);
  const head = Buffer.from(file.subarray(0, header.origin - DATA_HEAD));
  const properties = head.indexOf('a1dcab8c47a9cf118ee400c00c205365', 0, 'hex');
  head.writeUInt32LE(STRIDE, properties + 24 + 68);
  head.writeUInt32LE(STRIDE, properties + 24 + 72);
  const data = Buffer.from(file.subarray(header.origin - DATA_HEAD, header.origin));
  const length = packets.length * STRIDE + DATA_HEAD;
  u64(options.isExtended === true ? 0 : length).copy(data, 16);
  writeFileSync(to, Buffer.concat([options.isExtended === true ? extended(head) : head, data, ...packets]));
}

interface AsfWhole {
  stream: number;
  time: number;
  data: Buffer;
}

/** Objects of all streams in the order in which they begin. */
function objectsOf(file: Buffer, header: ReturnType<typeof readAsfHeader>): AsfWhole[] {
  const found: { at: number; stream: number; time: number; pieces: Buffer[] }[] = [];
  const takers = new Map(
    header.streams.map(({ number: stream }) => {
      let open: Buffer[] = [];
      const copy = (bytes: Buffer, begin: number, end: number): Buffer => Buffer.from(bytes.subarray(begin, end));
      return [
        stream,
        {
          start: (payload: { bytes: Buffer; from: number; to: number; at: number }, time: number | undefined) => {
            open = [copy(payload.bytes, payload.from, payload.to)];
            found.push({ at: payload.at, stream, time: time ?? 0, pieces: open });
            return true;
          },
          more: ({ bytes, from, to }: { bytes: Buffer; from: number; to: number }) =>
            void open.push(copy(bytes, from, to)),
        },
      ] as const;
    }),
  );
  readObjects((into, at) => file.copy(into, 0, at, at + into.length), header, {
    from: header.origin,
    limit: Infinity,
    takers,
    state: newObjectState(),
  });
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ stream, time, pieces }) => ({ stream, time, data: Buffer.concat(pieces) }));
}

/** Divides objects into parts that fit into packets; with `group`, frames of the second stream are joined. */
function partsOf(
  objects: readonly AsfWhole[],
  { group = 0 }: AsfOptions,
): (AsfPart | { stream: number; time: number; number: number; delta: number; frames: Buffer[] })[] {
  const out: ReturnType<typeof partsOf> = [];
  const numbers = new Map<number, number>();
  let open: { stream: number; time: number; number: number; delta: number; frames: Buffer[] } | undefined;
  for (const { stream, time, data } of objects) {
    const number = numbers.get(stream) ?? 0;
    numbers.set(stream, number + 1);
    if (stream === 2 && group > 0) {
      if (open === undefined || open.frames.length >= group) {
        open = { stream, time, number: number & 255, delta: 0, frames: [] };
        out.push(open);
      } else open.delta = Math.round((time - open.time) / open.frames.length);
      open.frames.push(data);
      continue;
    }
    const most = STRIDE - 64;
    for (let offset = 0; offset < data.length; offset += most)
      out.push({
        stream,
        time,
        number: number & 255,
        offset,
        size: data.length,
        data: data.subarray(offset, offset + most),
      });
  }
  return out;
}

function packed(parts: ReturnType<typeof partsOf>, { isSingle = false }: AsfOptions): Buffer[] {
  const packets: Buffer[] = [];
  let open: Buffer[] = [];
  let [filled, time] = [0, 0];
  const room = STRIDE - 24;
  const close = (): void => {
    if (open.length > 0)
      packets.push(isSingle ? singlePacket(open[0] ?? Buffer.alloc(0), time) : severalPacket(open, time));
    open = [];
    filled = 0;
  };
  for (const part of parts) {
    const bytes = partBytes(part, isSingle);
    if (isSingle || filled + bytes.length > room || open.length >= 60) close();
    if (open.length === 0) ({ time } = part);
    open.push(bytes);
    filled += bytes.length;
  }
  close();
  return packets;
}

/**
 * Object numbers take one byte, offsets four, replicated lengths one; lengths of parts two bytes where there are
 * several.
 */
function partBytes(part: ReturnType<typeof partsOf>[number], isSingle: boolean): Buffer {
  const head = [part.stream | 0x80, part.number];
  if ('frames' in part) {
    const body = Buffer.concat(part.frames.flatMap((frame) => [Buffer.from([frame.length]), frame]));
    return Buffer.concat([
      Buffer.from(head),
      u32(part.time),
      Buffer.from([1, part.delta]),
      ...(isSingle ? [] : [u16(body.length)]),
      body,
    ]);
  }
  return Buffer.concat([
    Buffer.from(head),
    u32(part.offset),
    Buffer.from([8]),
    u32(part.size),
    u32(part.time),
    ...(isSingle ? [] : [u16(part.data.length)]),
    part.data,
  ]);
}

const PROPERTY = 0x5d;

function severalPacket(parts: readonly Buffer[], time: number): Buffer {
  const body = Buffer.concat(parts);
  const head = 3 + 2 + 2 + 6 + 1;
  const padding = STRIDE - head - body.length;
  return Buffer.concat([
    Buffer.from([0x82, 0, 0, 0x11, PROPERTY]),
    u16(padding),
    u32(time),
    u16(0),
    Buffer.from([0x80 | parts.length]),
    body,
    Buffer.alloc(padding),
  ]);
}

/** Packet without error correction; its length takes four bytes, and its sequence number one. */
function singlePacket(part: Buffer, time: number): Buffer {
  const length = 2 + 4 + 1 + 6 + part.length;
  return Buffer.concat([
    Buffer.from([0x62, PROPERTY]),
    u32(length),
    Buffer.from([0]),
    u32(time),
    u16(0),
    part,
    Buffer.alloc(STRIDE - length),
  ]);
}

const STREAM = '9107dcb7b7a9cf118ee600c00c205365';
const EXTENDED = 'cba5e61472c632438399a96952065b5a';
const EXTENSION = 'b503bf5f2ea9cf118ee300c00c205365';
const HEADER_HEAD = 30;

/** Moves the stream properties into extended ones, each behind a name and an extension that mean nothing. */
function extended(head: Buffer): Buffer {
  const kept: Buffer[] = [];
  const moved: Buffer[] = [];
  for (let at = HEADER_HEAD; at < head.length; at += Number(head.readBigUInt64LE(at + 16))) {
    const object = head.subarray(at, at + Number(head.readBigUInt64LE(at + 16)));
    const id = object.toString('hex', 0, 16);
    if (id === STREAM) moved.push(object);
    else if (id !== EXTENSION) kept.push(object);
  }
  const object = (id: string, body: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(id, 'hex'), u64(24 + body.length), body]);
  const inner = moved.map((stream) => {
    const fixed = Buffer.alloc(64);
    fixed.writeUInt16LE(1, 60);
    fixed.writeUInt16LE(1, 62);
    return object(
      EXTENDED,
      Buffer.concat([
        fixed,
        u16(0),
        u16(4),
        Buffer.from('a\0b\0'),
        Buffer.alloc(16),
        u16(2),
        u32(3),
        Buffer.alloc(3),
        stream,
      ]),
    );
  });
  const body = Buffer.concat(inner);
  const all = Buffer.concat([...kept, object(EXTENSION, Buffer.concat([Buffer.alloc(18), u32(body.length), body]))]);
  return Buffer.concat([
    head.subarray(0, 16),
    u64(HEADER_HEAD + all.length),
    u32(kept.length + 1),
    head.subarray(28, 30),
    all,
  ]);
}
