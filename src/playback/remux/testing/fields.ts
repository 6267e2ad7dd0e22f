/**
 * Writes H.264 whose pictures are pairs of fields, which no encoder here makes, into a transport stream. Macroblocks
 * are raw samples or repeat those of the field before, so that nothing has to be coded.
 */
import { writeFileSync } from 'node:fs';

const FRAMES = 225;
const RATE = 25;
const GROUP = 50;
const CLOCK = 90_000;
const RAW_MACROBLOCK = 384;

interface BitWriter {
  bits(value: number, count: number): void;
  /** Exp-Golomb. */
  code(value: number): void;
  raw(bytes: Uint8Array): void;
  /** With the stop bit, as a unit with its start code. */
  unit(head: number): Buffer;
}

function bitWriter(): BitWriter {
  const out: number[] = [];
  let [open, filled] = [0, 0];
  const bits = (value: number, count: number): void => {
    for (let i = count - 1; i >= 0; i -= 1) {
      open = open * 2 + (Math.floor(value / 2 ** i) & 1);
      filled += 1;
      if (filled === 8) {
        out.push(open);
        [open, filled] = [0, 0];
      }
    }
  };
  return {
    bits,
    code: (value) => {
      const length = Math.floor(Math.log2(value + 1));
      bits(0, length);
      bits(value + 1, length + 1);
    },
    raw: (bytes) => {
      while (filled > 0) bits(0, 1);
      out.push(...bytes);
    },
    unit: (head) => {
      bits(1, 1);
      while (filled > 0) bits(0, 1);
      const escaped: number[] = [];
      let zeros = 0;
      for (const byte of out) {
        if (zeros >= 2 && byte <= 3) {
          escaped.push(3);
          zeros = 0;
        }
        zeros = byte === 0 ? zeros + 1 : 0;
        escaped.push(byte);
      }
      return Buffer.from([0, 0, 0, 1, head, ...escaped]);
    },
  };
}

/** Pictures of 32 by 32, whose fields are two macroblocks each. */
function parameterSets(): Buffer {
  const sequence = bitWriter();
  for (const byte of [77, 0, 30]) sequence.bits(byte, 8);
  for (const value of [0, 0, 0, 4, 2]) sequence.code(value);
  sequence.bits(0, 1);
  sequence.code(1);
  sequence.code(0);
  // Fields, none in single macroblocks; direct inference; no cropping, no usability information.
  for (const flag of [0, 0, 1, 0, 0]) sequence.bits(flag, 1);
  const picture = bitWriter();
  picture.code(0);
  picture.code(0);
  picture.bits(0, 2);
  for (const value of [0, 0, 0]) picture.code(value);
  picture.bits(0, 3);
  for (const value of [0, 0, 0]) picture.code(value);
  picture.bits(0b100, 3);
  return Buffer.concat([sequence.unit(0x67), picture.unit(0x68)]);
}

const shade = (frame: number, isBottom: boolean): Buffer =>
  Buffer.concat([
    Buffer.alloc(256, 16 + ((frame * 7 + (isBottom ? 3 : 0)) % 200)),
    Buffer.alloc(128, 64 + (frame % 128)),
  ]).subarray(0, RAW_MACROBLOCK);

function field(frame: number, isBottom: boolean): Buffer {
  const place = frame % GROUP;
  const isIdr = place === 0 && !isBottom;
  const isIntra = place === 0;
  const slice = bitWriter();
  slice.code(0);
  slice.code(isIntra ? 7 : 5);
  slice.code(0);
  slice.bits(place % 16, 4);
  slice.bits(1, 1);
  slice.bits(Number(isBottom), 1);
  if (isIdr) slice.code(Math.floor(frame / GROUP) % 2);
  slice.bits((place * 2 + Number(isBottom)) % 256, 8);
  if (!isIntra) slice.bits(0, 2);
  slice.bits(0, isIdr ? 2 : 1);
  slice.code(0);
  slice.code(1);
  if (isIntra) {
    for (const n of [0, 1]) {
      slice.code(25);
      slice.raw(shade(frame + n * 50, isBottom));
    }
  } else {
    slice.code(0);
    slice.code(30);
    slice.raw(shade(frame, isBottom));
    slice.code(1);
  }
  return slice.unit(isIdr ? 0x65 : 0x61);
}

const PACKET = 188;
const [VIDEO, TABLE] = [0x100, 0x1000];

function checksum(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000_0000) === 0 ? crc << 1 : (crc << 1) ^ 0x04c1_1db7;
  }
  return crc >>> 0;
}

/**
 * Packets of one payload; the last one is filled up by an adaptation field. `pcr` is the time of the clock in ticks,
 * which the first one has.
 */
export function packets(pid: number, payload: Uint8Array, count: { value: number }, pcr?: number): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < payload.length;) {
    const clock = at === 0 && pcr !== undefined ? [0x10, ...clockBytes(pcr)] : [];
    const field = clock.length > 0 ? clock.length + 1 : 0;
    const length = Math.min(PACKET - 4 - field, payload.length - at);
    const spare = PACKET - 4 - length;
    const packet = Buffer.alloc(PACKET, 0xff);
    packet.set([
      0x47,
      (at === 0 ? 0x40 : 0) | (pid >> 8),
      pid & 0xff,
      (spare > 0 ? 0x30 : 0x10) | (count.value++ & 15),
    ]);
    if (spare > 0) packet[4] = spare - 1;
    if (spare > 1) packet.set(clock.length > 0 ? clock : [0], 5);
    packet.set(payload.subarray(at, at + length), 4 + spare);
    out.push(packet);
    at += length;
  }
  return Buffer.concat(out);
}

/** 33 bits of 90 kHz, six reserved bits, and no part of the clock of 27 MHz. */
const clockBytes = (ticks: number): number[] => [
  Math.floor(ticks / 2 ** 25) & 0xff,
  Math.floor(ticks / 2 ** 17) & 0xff,
  Math.floor(ticks / 2 ** 9) & 0xff,
  Math.floor(ticks / 2) & 0xff,
  ((ticks & 1) << 7) | 0x7e,
  0,
];

function section(table: number, body: readonly number[]): Buffer {
  const bytes = Buffer.from([table, 0xb0, body.length + 9, 0, 1, 0xc1, 0, 0, ...body]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(checksum(bytes));
  const filled = Buffer.concat([Buffer.from([0]), bytes, crc]);
  return Buffer.concat([filled, Buffer.alloc(PACKET - 4 - filled.length, 0xff)]);
}

const stamp = (head: number, time: number): number[] => [
  (head << 4) | ((Math.floor(time / 2 ** 30) & 7) << 1) | 1,
  Math.floor(time / 2 ** 22) & 0xff,
  ((Math.floor(time / 2 ** 15) & 0x7f) << 1) | 1,
  Math.floor(time / 2 ** 7) & 0xff,
  ((time & 0x7f) << 1) | 1,
];

export interface PesTimes {
  pts: number;
  dts?: number | undefined;
}

/** A packet of an elementary stream: video where `stream` is not said. */
export function pes(data: Uint8Array, times: PesTimes | undefined, stream = 0xe0): Buffer {
  const stamps =
    times === undefined
      ? []
      : times.dts === undefined
        ? stamp(2, times.pts)
        : [...stamp(3, times.pts), ...stamp(1, times.dts)];
  const flags = times === undefined ? 0 : times.dts === undefined ? 0x80 : 0xc0;
  const length = data.length + stamps.length + 3;
  const known = length <= 0xffff ? length : 0;
  return Buffer.concat([
    Buffer.from([0, 0, 1, stream, known >> 8, known & 0xff, 0x80, flags, stamps.length, ...stamps]),
    data,
  ]);
}

/** `together`: both fields lie in one packet with a time. `apart`: each has its own. */
export function writeFields(path: string, way: 'together' | 'apart'): void {
  const count = { value: 0 };
  const tables = { value: 0 };
  const sets = parameterSets();
  const delimiter = Buffer.from([0, 0, 0, 1, 9, 0xf0]);
  const parts: Buffer[] = [];
  for (let frame = 0; frame < FRAMES; frame += 1) {
    if (frame % GROUP === 0) {
      parts.push(
        packets(0, section(0, [0, 1, 0xe0 | (TABLE >> 8), TABLE & 0xff]), tables),
        packets(
          TABLE,
          section(2, [0xe0 | (VIDEO >> 8), VIDEO & 0xff, 0xf0, 0, 0x1b, 0xe0 | (VIDEO >> 8), VIDEO & 0xff, 0xf0, 0]),
          tables,
        ),
      );
    }
    const time = CLOCK + Math.round((frame * CLOCK) / RATE);
    const first = Buffer.concat([delimiter, ...(frame % GROUP === 0 ? [sets] : []), field(frame, false)]);
    const second = Buffer.concat([delimiter, field(frame, true)]);
    if (way === 'together') parts.push(packets(VIDEO, pes(Buffer.concat([first, second]), { pts: time }), count));
    else
      parts.push(
        packets(VIDEO, pes(first, { pts: time }), count),
        packets(VIDEO, pes(second, { pts: time + CLOCK / RATE / 2 }), count),
      );
  }
  writeFileSync(path, Buffer.concat(parts));
}
