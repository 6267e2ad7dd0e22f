/**
 * AV1 from its `av1C` record (AV1 in ISOBMFF, 2.3; AV1 specification, 5.5), VP9 from `vpcC`
 * (VP Codec in ISOBMFF) or from its first frame, VP8 from its first frame (RFC 6386, 9.1).
 *
 * Promise: gives what ffmpeg's decoders would report, or throws `Uncertain`.
 */

import type { Bits } from '../../../lib/media/bits.ts';
import { createBits } from '../../../lib/media/bits.ts';
import type { Frame, Picture } from './picture.ts';
import { planar } from './picture.ts';
import { uncertain } from '../../../lib/media/source.ts';

const av1Profiles = ['Main', 'High', 'Professional'];

export const av1 = (record: Buffer): Picture => {
  if (record.length < 7 || record[0] !== 0x81) uncertain('AV1 without av1C');
  const head = record[4] ?? 0;
  if ((head & 0x78) >> 3 !== 1 || (head & 4) !== 0) uncertain('AV1 without a sequence header');
  let at = 5;
  if ((head & 2) !== 0) while (((record[at++] ?? 0) & 0x80) !== 0) if (at > 12) uncertain('AV1 header length');
  return av1Sequence(createBits(record.subarray(at)));
};

const av1Sequence = (bits: Bits): Picture => {
  const profile = bits.take(3);
  bits.skip(1);
  if (bits.flag() || bits.flag()) uncertain('AV1 still or timed');
  const hasDelay = bits.flag();
  const points = bits.take(5) + 1;
  let level = 0;
  for (let i = 0; i < points; i += 1) {
    bits.skip(12);
    const found = bits.take(5);
    if (i === 0) level = found;
    if (found > 7) bits.skip(1);
    if (hasDelay && bits.flag()) bits.skip(4);
  }
  const widthBits = bits.take(4) + 1;
  const heightBits = bits.take(4) + 1;
  const width = bits.take(widthBits) + 1;
  const height = bits.take(heightBits) + 1;
  if (bits.flag()) bits.skip(7);
  bits.skip(7);
  const hasOrder = bits.flag();
  if (hasOrder) bits.skip(2);
  const force = bits.flag() ? 2 : bits.take(1);
  if (force > 0 && !bits.flag()) bits.skip(1);
  if (hasOrder) bits.skip(3);
  bits.skip(3);
  const isHigh = bits.flag();
  const depth = profile === 2 && isHigh && bits.flag() ? 12 : isHigh ? 10 : 8;
  const isGray = profile !== 1 && bits.flag();
  const colours = bits.flag() ? [bits.take(8), bits.take(8), bits.take(8)] : [2, 2, 2];
  if (profile === 2 || (profile === 1 && colours[2] === 0)) uncertain('AV1 professional or RGB');
  const pixelFormat = planar(isGray ? 0 : profile === 1 ? 3 : 1, depth, false);
  const name = av1Profiles[profile];
  if (pixelFormat === undefined || name === undefined) return uncertain('AV1 pixel format');
  return { profile: name, level, width, height, pixelFormat, transfer: colours[1] ?? 2 };
};

const vp9Format = (profile: number, depth: number, chroma: number, size: { width: number; height: number }): Picture => {
  const pixelFormat = planar(chroma, depth, false);
  return pixelFormat === undefined ? uncertain('VP9 pixel format') : { profile: `Profile ${profile}`, ...size, pixelFormat };
};

/** `record` is vpcC with its version and flags. */
export const vp9Record = (record: Buffer, frame: Frame): Picture => {
  if (record.length < 8 || record[0] !== 1) uncertain('VP9 without vpcC');
  const coded = record[6] ?? 0;
  const chroma = [1, 1, 2, 3][(coded >> 1) & 7];
  if (chroma === undefined || record[9] === 0) uncertain('VP9 pixel format');
  return vp9Format(record[4] ?? 9, coded >> 4, chroma ?? 1, frame);
};

export const vp9Frame = (first: Buffer): Picture => {
  const bits = createBits(first.subarray(0, 32));
  if (bits.take(2) !== 2) uncertain('VP9 frame');
  const profile = bits.take(1) + 2 * bits.take(1);
  if (profile === 3) bits.skip(1);
  if (bits.flag() || bits.flag()) uncertain('VP9 that starts without a key frame');
  bits.skip(2);
  if (bits.take(24) !== 0x498342) uncertain('VP9 frame');
  const depth = profile < 2 ? 8 : bits.flag() ? 12 : 10;
  if (bits.take(3) === 7) uncertain('VP9 as RGB');
  bits.skip(1);
  let chroma = 1;
  if (profile % 2 === 1) {
    const isHalfWide = bits.flag();
    const isHalfHigh = bits.flag();
    chroma = isHalfWide ? (isHalfHigh ? 1 : 2) : isHalfHigh ? uncertain('VP9 as 4:4:0') : 3;
    bits.skip(1);
  }
  const width = bits.take(16) + 1;
  return vp9Format(profile, depth, chroma, { width, height: bits.take(16) + 1 });
};

export const vp8Frame = (first: Buffer): Picture => {
  const head = first[0] ?? 1;
  if (first.length < 10 || (head & 1) !== 0 || first.readUIntBE(3, 3) !== 0x9d012a) uncertain('VP8 frame');
  return {
    profile: String((head >> 1) & 7), pixelFormat: 'yuv420p',
    width: first.readUInt16LE(6) & 0x3fff, height: first.readUInt16LE(8) & 0x3fff,
  };
};
