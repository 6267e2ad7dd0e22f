/**
 * H.264 from its `avcC` record (ISO/IEC 14496-15, 5.3.3.1) and first sequence parameter set
 * (ISO/IEC 14496-10, 7.3.2.1).
 *
 * Promise: gives what ffmpeg's decoder would report, or throws `Uncertain`: interlaced coding,
 * multi-view profiles, RGB and several unlike parameter sets are left to ffprobe.
 */

import type { Bits } from '../../../lib/media/bits.ts';
import { createBits, unescaped } from '../../../lib/media/bits.ts';
import type { Frame, Picture } from './picture.ts';
import { aspectTable, planar } from './picture.ts';
import { uncertain } from '../../../lib/media/source.ts';

export const h264 = (record: Buffer, frame: Frame): Picture => {
  if (record.length < 8 || record[0] !== 1) uncertain('H.264 without avcC');
  const count = (record[5] ?? 0) & 0x1f;
  if (count !== 1) uncertain('H.264 with other than one parameter set');
  const length = record.readUInt16BE(6);
  const nal = record.subarray(8, 8 + length);
  if (nal.length !== length || length < 4 || ((nal[0] ?? 0) & 0x1f) !== 7) uncertain('H.264 parameter set');
  return sequence(createBits(unescaped(nal.subarray(1))), frame);
};

const highProfiles: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 144]);

const profileName = (profile: number, constraints: number): string => {
  const isIntra = (constraints & 0x10) !== 0;
  if (profile === 66) return (constraints & 0x40) !== 0 ? 'Constrained Baseline' : 'Baseline';
  if (profile === 77) return 'Main';
  if (profile === 88) return 'Extended';
  if (profile === 100) return 'High';
  if (profile === 110) return isIntra ? 'High 10 Intra' : 'High 10';
  if (profile === 122) return isIntra ? 'High 4:2:2 Intra' : 'High 4:2:2';
  if (profile === 244) return isIntra ? 'High 4:4:4 Intra' : 'High 4:4:4 Predictive';
  return uncertain('H.264 profile');
};

const sequence = (bits: Bits, frame: Frame): Picture => {
  const profile = bits.take(8);
  const constraints = bits.take(8);
  const level = bits.take(8);
  bits.unsigned();
  const { chroma, depth } = sampling(bits, profile);
  bits.unsigned();
  pictureOrder(bits);
  bits.unsigned();
  bits.skip(1);
  const across = (bits.unsigned() + 1) * 16;
  const down = (bits.unsigned() + 1) * 16;
  if (!bits.flag()) uncertain('H.264 that may be interlaced');
  bits.skip(1);
  const crop = bits.flag() ? [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()] : [0, 0, 0, 0];
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const stepX = chroma === 1 || chroma === 2 ? 2 : 1;
  const stepY = chroma === 1 ? 2 : 1;
  let width = across - (left + right) * stepX;
  let height = down - (top + bottom) * stepY;
  if (width <= 0 || height <= 0) uncertain('H.264 cropping');
  // A container may crop within the last macroblock; ffmpeg then takes the container's size.
  const align = (value: number): number => (value + 15) & ~15;
  if (left === 0 && top === 0 && frame.width > 0 && frame.height > 0 && align(frame.width) === align(width)
    && align(frame.height) === align(height) && frame.width <= across && frame.height <= down) {
    width = frame.width;
    height = frame.height;
  }
  const usability = bits.flag() ? vui(bits) : {};
  const pixelFormat = planar(chroma, depth, usability.isFullRange ?? frame.isFullRange);
  if (pixelFormat === undefined || (chroma === 0 && depth !== 8)) return uncertain('H.264 pixel format');
  if (chroma === 3 && usability.matrix === 0) uncertain('H.264 as RGB');
  return {
    profile: profileName(profile, constraints), level, width, height, pixelFormat,
    ...(usability.aspect === undefined ? {} : { aspect: usability.aspect }),
    ...(usability.transfer === undefined ? {} : { transfer: usability.transfer }),
  };
};

const sampling = (bits: Bits, profile: number): { chroma: number; depth: number } => {
  if (!highProfiles.has(profile)) return { chroma: 1, depth: 8 };
  const chroma = bits.unsigned();
  if (chroma > 3 || (chroma === 3 && bits.flag())) uncertain('H.264 with separate planes');
  const depth = bits.unsigned() + 8;
  if (bits.unsigned() + 8 !== depth) uncertain('H.264 with unlike bit depths');
  bits.skip(1);
  if (bits.flag()) {
    const lists = chroma === 3 ? 12 : 8;
    for (let i = 0; i < lists; i += 1) if (bits.flag()) scalingList(bits, i < 6 ? 16 : 64);
  }
  return { chroma, depth };
};

const scalingList = (bits: Bits, size: number): void => {
  let last = 8;
  let next = 8;
  for (let i = 0; i < size; i += 1) {
    if (next !== 0) next = (last + bits.signed() + 256) & 255;
    if (next !== 0) last = next;
  }
};

const pictureOrder = (bits: Bits): void => {
  const type = bits.unsigned();
  if (type === 0) bits.unsigned();
  else if (type === 1) {
    bits.skip(1);
    bits.signed();
    bits.signed();
    const cycle = bits.unsigned();
    if (cycle > 255) uncertain('H.264 picture order');
    for (let i = 0; i < cycle; i += 1) bits.signed();
  } else if (type > 2) uncertain('H.264 picture order');
};

export interface Usability {
  aspect?: readonly [number, number];
  isFullRange?: boolean;
  transfer?: number;
  matrix?: number;
}

/** The start of the usability information, alike in H.264 (E.1.1) and HEVC (E.2.1). */
export const vui = (bits: Bits): Usability => {
  const found: Usability = {};
  if (bits.flag()) {
    const code = bits.take(8);
    const aspect = code === 255 ? ([bits.take(16), bits.take(16)] as const) : aspectTable[code];
    if (aspect !== undefined && aspect[0] > 0 && aspect[1] > 0) found.aspect = aspect;
  }
  if (bits.flag()) bits.skip(1);
  if (bits.flag()) {
    bits.skip(3);
    found.isFullRange = bits.flag();
    if (bits.flag()) {
      bits.skip(8);
      found.transfer = bits.take(8);
      found.matrix = bits.take(8);
    }
  }
  return found;
};
