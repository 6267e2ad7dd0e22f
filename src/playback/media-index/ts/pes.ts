/** Heads of PES packets (ISO/IEC 13818-1, 2.4.3.7) and their clock of 33 bits. */
import type { Packet } from './packets.ts';

const WRAP = 2 ** 33;

export interface PesHead {
  /** Place of the first byte of the elementary stream in the packet's buffer. */
  from: number;
  /** 33 bits; undefined where the packet has no time. */
  pts: number | undefined;
  /** 33 bits; undefined where it is not told apart from the presentation time. */
  dts: number | undefined;
}

/** Reads the head at the start of a packet; undefined when there is none in it. */
export function pesHead({ bytes, from, to }: Packet): PesHead | undefined {
  if (
    to - from < 9 ||
    bytes[from] !== 0 ||
    bytes[from + 1] !== 0 ||
    bytes[from + 2] !== 1 ||
    ((bytes[from + 6] ?? 0) & 0xc0) !== 0x80
  )
    return undefined;
  const start = from + 9 + (bytes[from + 8] ?? 0);
  const flags = bytes[from + 7] ?? 0;
  const hasTime = (flags & 0x80) !== 0 && start >= from + 14;
  if (start > to) return undefined;
  return {
    from: start,
    pts: hasTime ? timeAt(bytes, from + 9) : undefined,
    dts: hasTime && (flags & 0x40) !== 0 && start >= from + 19 ? timeAt(bytes, from + 14) : undefined,
  };
}

function timeAt(bytes: Buffer, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = bytes.subarray(at, at + 5);
  return ((a >> 1) & 7) * 2 ** 30 + b * 2 ** 22 + (c >> 1) * 2 ** 15 + d * 2 ** 7 + (e >> 1);
}

/** Returns the time nearest to `near` that has the 33 bits of `pts`. */
export function unwrapped(pts: number, near: number): number {
  const turns = Math.round((near - pts) / WRAP);
  return pts + turns * WRAP;
}
