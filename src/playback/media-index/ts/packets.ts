/**
 * Packets of an MPEG transport stream (ISO/IEC 13818-1, 2.4.3), read in large pieces: of 188 bytes, of 192 with an
 * arrival time in front (M2TS), of 204 with error correction behind.
 */
import { type ReadAt, uncertain } from '../../../lib/media/source.ts';
import type { Payload } from '../stream/payload.ts';

export const PACKET = 188;
const SYNC = 0x47;
const STRIDES = [188, 192, 204];
/** Packets in a row that must begin with the sync byte. */
const CHECKED = 6;
const HEAD = 64 * 1024;
const PIECE = 512 * 1024;
const MIN_PIECE = 64 * 1024;
/** Bytes in which the next packet must be found after damage, and how often that may happen. */
const MAX_LOST = 64 * 1024;
const MAX_RESYNCS = 10_000;

export interface TsPacketLayout {
  /** Bytes from one packet to the next. */
  stride: number;
  /** Position of the first sync byte. */
  first: number;
}

/** Returns how packets lie in a file that is a transport stream, and undefined for others. */
export function shapeOf(readAt: ReadAt): TsPacketLayout | undefined {
  const head = Buffer.alloc(HEAD);
  const bytes = head.subarray(0, readAt(head, 0));
  for (const stride of STRIDES) {
    for (let first = 0; first < stride * 2 && first + stride * CHECKED <= bytes.length; first += 1) {
      if (isAligned(bytes, first, stride)) return { stride, first };
    }
  }
  return undefined;
}

function isAligned(bytes: Buffer, first: number, stride: number): boolean {
  for (let n = 0; n < CHECKED; n += 1) if (bytes[first + n * stride] !== SYNC) return false;
  return true;
}

/** A packet in a buffer that is used again for the next piece. */
export interface Packet {
  bytes: Buffer;
  /** Start and end of its payload in `bytes`; equal if it has none. */
  from: number;
  to: number;
  /** Position in the file of the packet's first byte. */
  at: number;
  /** Added to a place in `bytes` it is the position in the file. */
  base: number;
  pid: number;
  isStart: boolean;
  isScrambled: boolean;
}

export interface Scanner {
  /**
   * Calls `visit` for each packet of the wanted PIDs until it returns false, `limit` bytes were read or the file ends.
   * Returns where to go on.
   */
  scan(readAt: ReadAt, from: number, limit: number, visit: (packet: Packet) => boolean | void): number;
}

export interface PacketScanOptions extends Pick<TsPacketLayout, 'stride'> {
  /** End of the file. */
  end: number;
  pids: readonly number[];
}

/** Reads with one buffer and one packet object: millions of packets pass through here. */
export function createScanner({ stride, end, pids }: PacketScanOptions): Scanner {
  const wanted = new Uint8Array(8192);
  for (const pid of pids) wanted[pid] = 1;
  const buffer = Buffer.allocUnsafeSlow(Math.max(PACKET, Math.min(PIECE, end)));
  const packet: Packet = { bytes: buffer, from: 0, to: 0, at: 0, base: 0, pid: 0, isStart: false, isScrambled: false };
  let resyncs = 0;

  /** Looks for the next three packets in a row; returns where in the buffer they begin, or its length. */
  const resync = (from: number, length: number): number => {
    if ((resyncs += 1) > MAX_RESYNCS) uncertain('a transport stream with too much damage');
    const stop = Math.min(length - 2 * stride, from + MAX_LOST);
    for (let place = from; place < stop; place += 1) {
      if (buffer[place] === SYNC && buffer[place + stride] === SYNC && buffer[place + 2 * stride] === SYNC)
        return place;
    }
    return stop < length - 2 * stride ? uncertain('a transport stream with a hole') : length;
  };
  return {
    scan(readAt, from, limit, visit) {
      let at = from;
      const until = from + limit;
      while (at + PACKET <= end && at < until) {
        const length = readAt(buffer.subarray(0, Math.min(PIECE, end - at, Math.max(until - at, MIN_PIECE))), at);
        if (length < PACKET) return end;
        let place = 0;
        while (place + PACKET <= length) {
          if (buffer[place] !== SYNC) {
            const found = resync(place + 1, length);
            // If the rest of the buffer has no packet, the search for the next one starts from its last bytes.
            if (found >= length) {
              place = Math.max(place + 1, length - 2 * stride);
              if (at + length >= end) return end;
              break;
            }
            place = found;
          }
          const pid = ((buffer[place + 1] ?? 0) & 0x1f) * 256 + (buffer[place + 2] ?? 0);
          if (wanted[pid] === 1) {
            fill(packet, place, at);
            if (visit(packet) === false) return at + place;
          }
          place += stride;
        }
        at += place;
      }
      return at;
    },
  };
}

/** The payload of a packet, with the position of its first byte instead of that of the packet. */
export function placedPayload({ bytes, from, to, at, base }: Packet): Payload {
  return { bytes, from, to, base, at: base + from, count: base + from - at };
}

function fill(packet: Packet, place: number, base: number): void {
  const { bytes } = packet;
  const [second = 0, third = 0, fourth = 0] = [bytes[place + 1], bytes[place + 2], bytes[place + 3]];
  const control = (fourth >> 4) & 3;
  packet.at = base + place;
  packet.base = base;
  packet.pid = (second & 0x1f) * 256 + third;
  packet.isScrambled = fourth >> 6 !== 0;
  // A packet with an error is none.
  packet.isStart = (second & 0xc0) === 0x40;
  packet.to = place + PACKET;
  packet.from =
    (control & 1) === 0 || (second & 0x80) !== 0
      ? packet.to
      : Math.min(packet.to, place + 4 + (control === 3 ? 1 + (bytes[place + 4] ?? 0) : 0));
}
