/**
 * Bits of a codec header, first bit first, with the Exp-Golomb codes of H.264 and HEVC
 * (ISO/IEC 14496-10, 9.1).
 *
 * Promise: reading past the end throws `Uncertain`; nothing loops longer than the input.
 */

import { uncertain } from './source.ts';

export interface Bits {
  /** The next `count` bits (at most 32) as a number. */
  take(count: number): number;
  flag(): boolean;
  skip(count: number): void;
  /** Unsigned and signed Exp-Golomb. */
  unsigned(): number;
  signed(): number;
  /** Bits read so far. */
  readonly place: number;
}

export const createBits = (bytes: Uint8Array): Bits => {
  let place = 0;
  const end = bytes.length * 8;
  const bit = (): number => {
    if (place >= end) uncertain('a codec header ends early');
    const found = ((bytes[place >> 3] ?? 0) >> (7 - (place & 7))) & 1;
    place += 1;
    return found;
  };
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i += 1) value = value * 2 + bit();
    return value;
  };
  const unsigned = (): number => {
    let zeros = 0;
    while (bit() === 0) if ((zeros += 1) > 31) uncertain('a number of a codec header is too large');
    return 2 ** zeros - 1 + take(zeros);
  };
  return {
    take,
    flag: () => bit() === 1,
    skip(count) {
      place += count;
      if (place > end) uncertain('a codec header ends early');
    },
    unsigned,
    signed() {
      const value = unsigned();
      return value % 2 === 1 ? (value + 1) / 2 : -value / 2;
    },
    get place() {
      return place;
    },
  };
};

/** A NAL unit's payload without its emulation prevention bytes (00 00 03), at most 4 KiB of it. */
export const unescaped = (nal: Uint8Array): Uint8Array => {
  const most = Math.min(nal.length, 4096);
  const out = new Uint8Array(most);
  let length = 0;
  let zeros = 0;
  for (let i = 0; i < most; i += 1) {
    const byte = nal[i] ?? 0;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out[length++] = byte;
  }
  return out.subarray(0, length);
};
