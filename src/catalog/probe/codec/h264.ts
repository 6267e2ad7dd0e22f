/**
 * Reads H.264 from its `avcC` record (ISO/IEC 14496-15, 5.3.3.1) and first sequence parameter set, in ffmpeg's terms.
 *
 * Promise: returns the values that ffmpeg's decoder would report, or throws `Uncertain`: interlaced coding, multi-view
 * profiles, RGB and several different parameter sets are left to ffprobe.
 */
import { readH264Sequence } from '../../../lib/media/codec/h264.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { ContainerFrame, CodecPicture } from './picture.ts';
import { planar } from './picture.ts';

export const h264 = (record: Buffer, frame: ContainerFrame): CodecPicture => {
  if (record.length < 8 || record[0] !== 1) uncertain('H.264 without avcC');
  const count = (record[5] ?? 0) & 0x1f;
  if (count !== 1) uncertain('H.264 with other than one parameter set');
  const length = record.readUInt16BE(6);
  const nal = record.subarray(8, 8 + length);
  if (nal.length !== length || length < 4 || ((nal[0] ?? 0) & 0x1f) !== 7) uncertain('H.264 parameter set');
  return pictureOf(nal, frame);
};

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

const pictureOf = (nal: Buffer, frame: ContainerFrame): CodecPicture => {
  const {
    profile,
    constraints,
    level,
    chroma,
    depth,
    chromaDepth,
    hasFields,
    cropping,
    codedWidth,
    codedHeight,
    usability,
    ...size
  } = readH264Sequence(nal);
  if (hasFields) uncertain('H.264 that may be interlaced');
  if (usability.isCut === true) uncertain('H.264 usability cut short');
  if (depth !== chromaDepth) uncertain('H.264 with unlike bit depths');
  // A container may crop within the last macroblock; ffmpeg then takes the container's size.
  const align = (value: number): number => (value + 15) & ~15;
  const isContainers =
    cropping.left === 0 &&
    cropping.top === 0 &&
    frame.width > 0 &&
    frame.height > 0 &&
    align(frame.width) === align(size.width) &&
    align(frame.height) === align(size.height) &&
    frame.width <= codedWidth &&
    frame.height <= codedHeight;
  const { width, height } = isContainers ? frame : size;
  const pixelFormat = planar(chroma, depth, usability.isFullRange ?? frame.isFullRange);
  if (pixelFormat === undefined || (chroma === 0 && depth !== 8)) return uncertain('H.264 pixel format');
  if (chroma === 3 && usability.matrix === 0) uncertain('H.264 as RGB');
  return {
    profile: profileName(profile, constraints),
    level,
    width,
    height,
    pixelFormat,
    ...(usability.aspect === undefined ? {} : { aspect: usability.aspect }),
    ...(usability.transfer === undefined ? {} : { transfer: usability.transfer }),
  };
};
