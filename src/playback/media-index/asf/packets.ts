/** Packets of an ASF file (5.2): parts of pictures and sound, each with a time. */
import { uncertain, type ReadAt } from '../../../lib/media/source.ts';
import type { Taker } from '../stream/payload.ts';

interface Part {
  stream: number;
  /** Number of the picture or piece of sound that it belongs to, and place in that. */
  object: number;
  offset: number;
  /** Milliseconds. */
  time: number;
  from: number;
  to: number;
}

/** Returns the number at a place whose size has a code of two bits. */
function numberAt(bytes: Buffer, at: number, code: number): number {
  return code === 0
    ? 0
    : code === 1
      ? bytes.readUInt8(at)
      : code === 2
        ? bytes.readUInt16LE(at)
        : bytes.readUInt32LE(at);
}
const sizeOf = (code: number): number => (code === 3 ? 4 : code);
const codeAt = (flags: number, bit: number): number => (flags >> bit) & 3;

/** Yields the parts of one packet. A range error means that the packet is damaged. */
function* partsIn(bytes: Buffer): Generator<Part> {
  let at = 0;
  if ((bytes.readUInt8(0) & 0x80) !== 0) at = 1 + (bytes.readUInt8(0) & 15);
  const [flags, property] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
  at += 2;
  const lengthCode = codeAt(flags, 5);
  const length = lengthCode === 0 ? bytes.length : numberAt(bytes, at, lengthCode);
  at += sizeOf(lengthCode) + sizeOf(codeAt(flags, 1));
  const padding = numberAt(bytes, at, codeAt(flags, 3));
  at += sizeOf(codeAt(flags, 3)) + 6;
  const end = Math.min(bytes.length, length) - padding;
  const isSeveral = (flags & 1) !== 0;
  const several = isSeveral ? bytes.readUInt8(at++) : 0;
  for (let left = isSeveral ? several & 63 : 1; left > 0; left -= 1) {
    const stream = bytes.readUInt8(at++) & 127;
    const object = numberAt(bytes, at, codeAt(property, 4));
    at += sizeOf(codeAt(property, 4));
    const offset = numberAt(bytes, at, codeAt(property, 2));
    at += sizeOf(codeAt(property, 2));
    const replicated = numberAt(bytes, at, codeAt(property, 0));
    at += sizeOf(codeAt(property, 0));
    const isGroup = replicated === 1;
    const time = isGroup ? offset : replicated >= 8 ? bytes.readUInt32LE(at + 4) : -1;
    const delta = isGroup ? bytes.readUInt8(at) : 0;
    at += replicated;
    const size = isSeveral ? numberAt(bytes, at, codeAt(several, 6)) : end - at;
    if (isSeveral) at += sizeOf(codeAt(several, 6));
    const to = at + size;
    if (to > end || size < 0) return;
    if (isGroup) yield* groupIn(bytes, { stream, object, offset: 0, time, from: at, to }, delta);
    else if (time >= 0) yield { stream, object, offset, time, from: at, to };
    at = to;
  }
}

/** A group: whole objects, each with its size in front. */
function* groupIn(bytes: Buffer, { from, to, ...whole }: Part, delta: number): Generator<Part> {
  let n = 0;
  for (let at = from; at < to; n += 1) {
    const size = bytes.readUInt8(at);
    if (at + 1 + size > to) return;
    yield { ...whole, object: whole.object + n, time: whole.time + n * delta, from: at + 1, to: at + 1 + size };
    at += 1 + size;
  }
}

export interface PacketReading {
  origin: number;
  stride: number;
  /** End of the packets. */
  end: number;
}

/** Takes the objects of one stream, with the milliseconds of each. */
export type ObjectTaker = Taker;

const PIECE = 512 * 1024;
const MAX_DAMAGED = 1000;
/** Bytes of packets in a row without any part. */
const MAX_EMPTY = 32 * 1024 * 1024;

/**
 * Reads packets from the one that a position lies in until `limit` bytes were read, a taker has enough or the file
 * ends. Returns the position to continue. Skips parts before `from` and damaged packets.
 */
export function readObjects(
  readAt: ReadAt,
  { origin, stride, end }: PacketReading,
  {
    from,
    limit,
    takers,
    state,
  }: { from: number; limit: number; takers: ReadonlyMap<number, ObjectTaker>; state: ObjectState },
): number {
  const buffer = Buffer.allocUnsafe(Math.max(stride, Math.floor(Math.min(PIECE, end - origin) / stride) * stride));
  const begin = origin + Math.max(0, Math.floor((from - origin) / stride)) * stride;
  for (let at = begin; at + stride <= end && at - begin < limit;) {
    const length = readAt(buffer.subarray(0, Math.min(buffer.length, Math.floor((end - at) / stride) * stride)), at);
    if (length < stride) return end;
    for (let place = 0; place + stride <= length; place += stride) {
      if (!takePacket(buffer.subarray(place, place + stride), at + place, { from, takers, state })) return end;
    }
    at += Math.floor(length / stride) * stride;
    if (at - begin >= limit) return at;
  }
  return end;
}

/** For each stream, the object that is being read and the bytes of it so far. */
export interface ObjectState {
  open: Map<number, { object: number; filled: number }>;
  damaged: number;
  /** Bytes of packets without a part. */
  empty: number;
}
export const newObjectState = (): ObjectState => ({ open: new Map(), damaged: 0, empty: 0 });

function takePacket(
  bytes: Buffer,
  base: number,
  { from, takers, state }: { from: number; takers: ReadonlyMap<number, ObjectTaker>; state: ObjectState },
): boolean {
  try {
    if ((state.empty += bytes.length) > MAX_EMPTY) uncertain('ASF with a hole');
    for (const part of partsIn(bytes)) {
      state.empty = 0;
      const { stream, object, offset, time } = part;
      const taker = takers.get(stream);
      const at = base + part.from;
      if (taker === undefined || at < from || part.to <= part.from) continue;
      const payload = { bytes, from: part.from, to: part.to, at, base };
      if (offset === 0) {
        state.open.set(stream, { object, filled: part.to - part.from });
        if (!taker.start(payload, time)) return false;
        continue;
      }
      const open = state.open.get(stream);
      // A part without its beginning is dropped.
      if (open?.object !== object || open.filled !== offset) continue;
      open.filled += part.to - part.from;
      taker.more(payload);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if ((state.damaged += 1) > MAX_DAMAGED) uncertain('ASF with too much damage');
  }
  return true;
}
