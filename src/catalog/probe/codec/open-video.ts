/**
 * Reads AV1 from its `av1C` record, VP9 from `vpcC` or its first frame, and VP8 from its first frame (RFC 6386, 9.1),
 * in ffmpeg's terms.
 *
 * Promise: returns the values that ffmpeg's decoders would report, or throws `Uncertain`.
 */
import { readAv1Sequence } from '../../../lib/media/codec/av1.ts';
import { VP9_RGB, readVp9Config, readVp9Frame } from '../../../lib/media/codec/vp9.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { ContainerFrame, CodecPicture } from './picture.ts';
import { planar } from './picture.ts';

const av1Profiles = ['Main', 'High', 'Professional'];

export const av1 = (record: Buffer): CodecPicture => {
  if (record.length < 7 || record[0] !== 0x81) uncertain('AV1 without av1C');
  const sequence = readAv1Sequence(record.subarray(4)) ?? uncertain('AV1 without a plain sequence header');
  const { profile, level, width, height, depth, isMonochrome, colours } = sequence;
  if (profile === 2 || (profile === 1 && colours?.matrix === 0)) uncertain('AV1 professional or RGB');
  const pixelFormat = planar(isMonochrome ? 0 : profile === 1 ? 3 : 1, depth, false);
  const name = av1Profiles[profile];
  if (pixelFormat === undefined || name === undefined) return uncertain('AV1 pixel format');
  return { profile: name, level, width, height, pixelFormat, transfer: colours?.transfer ?? 2 };
};

const vp9Format = (
  profile: number,
  depth: number,
  chroma: number,
  size: { width: number; height: number },
): CodecPicture => {
  const pixelFormat = planar(chroma, depth, false);
  return pixelFormat === undefined
    ? uncertain('VP9 pixel format')
    : { profile: `Profile ${profile}`, width: size.width, height: size.height, pixelFormat };
};

/** `record` is vpcC with its version and flags. */
export const vp9Record = (record: Buffer, frame: ContainerFrame): CodecPicture => {
  if (record.length < 8 || record[0] !== 1) uncertain('VP9 without vpcC');
  const { profile, depth, sampling, matrix } = readVp9Config(record.subarray(4));
  const chroma = [1, 1, 2, 3][sampling];
  return chroma === undefined || matrix === 0
    ? uncertain('VP9 pixel format')
    : vp9Format(profile, depth, chroma, frame);
};

export const vp9Frame = (first: Buffer): CodecPicture => {
  const frame = readVp9Frame(first);
  if (frame.space === VP9_RGB || frame.chroma === undefined) return uncertain('VP9 as RGB or 4:4:0');
  return vp9Format(frame.profile, frame.depth, frame.chroma, frame);
};

export const vp8Frame = (first: Buffer): CodecPicture => {
  const head = first[0] ?? 1;
  if (first.length < 10 || (head & 1) !== 0 || first.readUIntBE(3, 3) !== 0x9d012a) uncertain('VP8 frame');
  return {
    profile: String((head >> 1) & 7),
    pixelFormat: 'yuv420p',
    width: first.readUInt16LE(6) & 0x3fff,
    height: first.readUInt16LE(8) & 0x3fff,
  };
};
