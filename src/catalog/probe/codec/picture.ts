/**
 * Types and names that the readers of video codecs share, with the facts of the container.
 *
 * Promise: names are ffmpeg's (pixel formats, transfer characteristics).
 */

import { readDolbyVision } from '../../../lib/media/codec/dolby-vision.ts';
import type { DolbyVision } from '../types.ts';

/** Facts of a codec's own header. */
export interface CodecPicture {
  profile?: string;
  level?: number;
  width: number;
  height: number;
  pixelFormat: string;
  /** Pixel shape of the codec header; that of the container has precedence. */
  aspect?: readonly [number, number];
  /** ITU-T H.273 number of the transfer characteristic; absent if the header has none. */
  transfer?: number;
}

/** Facts of the container that a codec header may lack. */
export interface ContainerFrame {
  width: number;
  height: number;
  isFullRange: boolean;
}

/** `record` is the body of dvcC or dvvC. */
export const dolbyVisionOf = (record: Buffer): DolbyVision => {
  const { profile, compatibility } = readDolbyVision(record);
  return { profile, compatibility };
};

/** Names of the transfer characteristics that `hdrOf` uses, as ffmpeg calls them. */
export const transferName = (code: number | undefined): string | undefined =>
  code === 16 ? 'smpte2084' : code === 18 ? 'arib-std-b67' : undefined;

const chromas = ['gray', 'yuv420p', 'yuv422p', 'yuv444p'];

/** Returns ffmpeg's planar pixel format; `chroma` is chroma_format_idc, `isFull` selects the yuvj names of 8 bits. */
export const planar = (chroma: number, depth: number, isFull: boolean): string | undefined => {
  const base = chromas[chroma];
  if (base === undefined || ![8, 10, 12].includes(depth)) return undefined;
  if (depth > 8) return `${base === 'gray' ? 'gray' : base}${depth}le`;
  return isFull && chroma > 0 ? base.replace('yuv', 'yuvj') : base;
};
