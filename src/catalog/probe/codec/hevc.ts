/**
 * HEVC from its `hvcC` record (ISO/IEC 14496-15, 8.3.3.1) and first sequence parameter set
 * (ITU-T H.265, 7.3.2.2).
 *
 * Promise: gives what ffmpeg's decoder would report, or throws `Uncertain`: multi-layer sets,
 * field coding and range extensions with their own flags are left to ffprobe.
 */

import type { Bits } from '../../../lib/media/bits.ts';
import { createBits, unescaped } from '../../../lib/media/bits.ts';
import type { Usability } from './h264.ts';
import { vui } from './h264.ts';
import type { Frame, Picture } from './picture.ts';
import { planar } from './picture.ts';
import { uncertain } from '../../../lib/media/source.ts';

const profiles: Readonly<Record<number, string>> = { 1: 'Main', 2: 'Main 10', 3: 'Main Still Picture', 4: 'Rext' };

export const hevc = (record: Buffer, frame: Frame): Picture => {
  if (record.length < 23 || record[0] !== 1) uncertain('HEVC without hvcC');
  let at = 23;
  let found: Buffer | undefined;
  let hasOther = false;
  for (let array = 0; array < (record[22] ?? 0) && at + 3 <= record.length; array += 1) {
    const type = (record[at] ?? 0) & 0x3f;
    const count = record.readUInt16BE(at + 1);
    at += 3;
    for (let i = 0; i < count && at + 2 <= record.length; i += 1) {
      const length = record.readUInt16BE(at);
      if (type === 33) {
        if (found !== undefined) hasOther = true;
        found ??= record.subarray(at + 2, at + 2 + length);
      }
      at += 2 + length;
    }
  }
  if (found === undefined || hasOther) return uncertain('HEVC with other than one parameter set');
  return sequence(createBits(unescaped(found.subarray(2))), frame);
};

const sequence = (bits: Bits, frame: Frame): Picture => {
  bits.skip(4);
  const layers = bits.take(3);
  bits.skip(1);
  const { profile, level } = profileTier(bits, layers);
  bits.unsigned();
  const chroma = bits.unsigned();
  if (chroma > 3 || (chroma === 3 && bits.flag())) uncertain('HEVC with separate planes');
  const across = bits.unsigned();
  const down = bits.unsigned();
  const crop = bits.flag() ? [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()] : [0, 0, 0, 0];
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const width = across - (left + right) * (chroma === 1 || chroma === 2 ? 2 : 1);
  const height = down - (top + bottom) * (chroma === 1 ? 2 : 1);
  if (width <= 0 || height <= 0) uncertain('HEVC cropping');
  const depth = bits.unsigned() + 8;
  if (bits.unsigned() + 8 !== depth) uncertain('HEVC with unlike bit depths');
  const usability = afterSampling(bits, layers);
  // Without the signal's description ffmpeg's decoder keeps the container's colours only for the range.
  const pixelFormat = planar(chroma, depth, usability.isFullRange === true && chroma === 1);
  if (pixelFormat === undefined || (chroma === 3 && usability.matrix === 0)) return uncertain('HEVC pixel format');
  if (frame.width > 0 && (Math.abs(frame.width - width) > 64 || Math.abs(frame.height - height) > 64)) uncertain('HEVC size');
  return {
    profile: profiles[profile] ?? uncertain('HEVC profile'), level, width, height, pixelFormat,
    ...(usability.aspect === undefined ? {} : { aspect: usability.aspect }),
    transfer: usability.transfer ?? 2,
  };
};

const profileTier = (bits: Bits, layers: number): { profile: number; level: number } => {
  bits.skip(3);
  const profile = bits.take(5);
  bits.skip(32 + 48);
  const level = bits.take(8);
  const has: [boolean, boolean][] = [];
  for (let i = 0; i < layers; i += 1) has.push([bits.flag(), bits.flag()]);
  if (layers > 0) bits.skip((8 - layers) * 2);
  for (const [isProfile, isLevel] of has) bits.skip((isProfile ? 88 : 0) + (isLevel ? 8 : 0));
  return { profile, level };
};

const afterSampling = (bits: Bits, layers: number): Usability => {
  const orderBits = bits.unsigned() + 4;
  if (orderBits > 16) uncertain('HEVC picture order');
  for (let i = bits.flag() ? 0 : layers; i <= layers; i += 1) for (let k = 0; k < 3; k += 1) bits.unsigned();
  for (let i = 0; i < 6; i += 1) bits.unsigned();
  if (bits.flag() && bits.flag()) scalingLists(bits);
  bits.skip(2);
  if (bits.flag()) {
    bits.skip(8);
    bits.unsigned();
    bits.unsigned();
    bits.skip(1);
  }
  const sets = bits.unsigned();
  if (sets > 64) uncertain('HEVC reference sets');
  const sizes: number[] = [];
  for (let i = 0; i < sets; i += 1) sizes.push(referenceSet(bits, i, sizes));
  if (bits.flag()) {
    const longTerm = bits.unsigned();
    if (longTerm > 32) uncertain('HEVC reference sets');
    for (let i = 0; i < longTerm; i += 1) bits.skip(orderBits + 1);
  }
  bits.skip(2);
  if (!bits.flag()) return {};
  const usability = vui(bits);
  if (bits.flag()) {
    bits.unsigned();
    bits.unsigned();
  }
  bits.skip(1);
  if (bits.flag()) uncertain('HEVC in fields');
  bits.skip(1);
  if (bits.flag()) uncertain('HEVC with a default display window');
  return usability;
};

const scalingLists = (bits: Bits): void => {
  for (let size = 0; size < 4; size += 1) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!bits.flag()) bits.unsigned();
      else {
        if (size > 1) bits.signed();
        for (let i = Math.min(64, 1 << (4 + (size << 1))); i > 0; i -= 1) bits.signed();
      }
    }
  }
};

/** Reads short_term_ref_pic_set(index); gives how many pictures it holds. */
const referenceSet = (bits: Bits, index: number, sizes: readonly number[]): number => {
  if (index > 0 && bits.flag()) {
    bits.skip(1);
    bits.unsigned();
    const from = sizes[index - 1] ?? 0;
    let kept = 0;
    for (let i = 0; i <= from; i += 1) if (bits.flag() || bits.flag()) kept += 1;
    return kept;
  }
  const before = bits.unsigned();
  const after = bits.unsigned();
  if (before + after > 16) uncertain('HEVC reference sets');
  for (let i = 0; i < before + after; i += 1) {
    bits.unsigned();
    bits.skip(1);
  }
  return before + after;
};
