/**
 * Reads HEVC from its `hvcC` record and first sequence parameter set, in ffmpeg's terms.
 *
 * Promise: returns the values that ffmpeg's decoder would report, or throws `Uncertain`: multi-layer sets, field coding
 * and range extensions with their own flags are left to ffprobe.
 */
import { HEVC_SETS, readHevcSequence, readHevcSets, readHevcUsability } from '../../../lib/media/codec/hevc.ts';
import { uncertain } from '../../../lib/media/source.ts';
import type { ContainerFrame, CodecPicture } from './picture.ts';
import { planar } from './picture.ts';

const profiles: Readonly<Record<number, string>> = { 1: 'Main', 2: 'Main 10', 3: 'Main Still Picture', 4: 'Rext' };

export const hevc = (record: Buffer, frame: ContainerFrame): CodecPicture => {
  if (record.length < 23 || record[0] !== 1) uncertain('HEVC without hvcC');
  const [nal, ...others] = readHevcSets(record)
    .filter(({ type }) => type === HEVC_SETS.sequence)
    .map((set) => set.nal);
  if (nal === undefined || others.length > 0) return uncertain('HEVC with other than one parameter set');
  const { profile, level, chroma, hasSeparatePlanes, depth, chromaDepth, width, height } = readHevcSequence(nal);
  if (hasSeparatePlanes) uncertain('HEVC with separate planes');
  if (depth !== chromaDepth) uncertain('HEVC with unlike bit depths');
  const usability = readHevcUsability(nal);
  // If the signal is not described, ffmpeg's decoder uses only the range of the container's colours.
  const pixelFormat = planar(chroma, depth, usability.isFullRange === true && chroma === 1);
  if (pixelFormat === undefined || (chroma === 3 && usability.matrix === 0)) return uncertain('HEVC pixel format');
  if (frame.width > 0 && (Math.abs(frame.width - width) > 64 || Math.abs(frame.height - height) > 64))
    uncertain('HEVC size');
  return {
    profile: profiles[profile] ?? uncertain('HEVC profile'),
    level,
    width,
    height,
    pixelFormat,
    ...(usability.aspect === undefined ? {} : { aspect: usability.aspect }),
    transfer: usability.transfer ?? 2,
  };
};
