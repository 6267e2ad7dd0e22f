/** VP9: the header of a keyframe (VP9 bitstream, 6.2) and the record vpcC (VP codecs in ISOBMFF). */
import { createBits } from '../bits.ts';
import { uncertain } from '../source.ts';
import type { Colour } from './vui.ts';

export interface Vp9Frame {
  profile: number;
  depth: number;
  /** 1 is 4:2:0, 2 is 4:2:2, 3 is 4:4:4; undefined for 4:4:0. */
  chroma: 1 | 2 | 3 | undefined;
  /** The number of the colour space in the header; 7 is RGB. */
  space: number;
  isFullRange: boolean;
  width: number;
  height: number;
}

export const VP9_RGB = 7;
const SYNC_CODE = 0x498342;
const MAX_HEADER = 32;

/** `first` are the first bytes of a keyframe. Throws `Uncertain` for anything else. */
export function readVp9Frame(first: Buffer): Vp9Frame {
  const bits = createBits(first.subarray(0, MAX_HEADER));
  if (bits.take(2) !== 2) uncertain('VP9 frame');
  const profile = bits.take(1) + 2 * bits.take(1);
  if (profile === 3) bits.skip(1);
  if (bits.flag() || bits.flag()) uncertain('VP9 that starts without a keyframe');
  bits.skip(2);
  if (bits.take(24) !== SYNC_CODE) uncertain('VP9 frame');
  const depth = profile < 2 ? 8 : bits.flag() ? 12 : 10;
  const space = bits.take(3);
  const isRgb = space === VP9_RGB;
  const isFullRange = isRgb || bits.flag();
  const isOdd = profile % 2 === 1;
  // Bits of the sampling: halved in width, halved in height.
  const sampling = !isOdd ? 3 : isRgb ? 0 : bits.take(2);
  if (isOdd) bits.skip(1);
  const chroma = ([3, undefined, 2, 1] as const)[sampling];
  return { profile, depth, chroma, space, isFullRange, width: bits.take(16) + 1, height: bits.take(16) + 1 };
}

export interface Vp9Config extends Colour {
  profile: number;
  level: number;
  depth: number;
  /** 0 and 1 are 4:2:0, 2 is 4:2:2, 3 is 4:4:4. */
  sampling: number;
}

/** `record` is vpcC without its version and flags. */
export function readVp9Config(record: Buffer): Vp9Config {
  if (record.length < 6) uncertain('vpcC cut short');
  const [profile = 0, level = 0, coded = 0, primaries = 2, transfer = 2, matrix = 2] = record;
  return {
    profile,
    level,
    depth: coded >> 4,
    sampling: (coded >> 1) & 7,
    primaries,
    transfer,
    matrix,
    isFullRange: (coded & 1) === 1,
  };
}
