/**
 * What the video codec readers give, and what the container told them beforehand.
 *
 * Promise: names are ffmpeg's (pixel formats, transfer characteristics).
 */

import { readDolbyVision } from '../../../lib/media/codec/dolby-vision.ts';
import type { DolbyVision } from '../types.ts';

/** What a codec's own header says of the picture. */
export interface CodecPicture {
  profile?: string;
  level?: number;
  width: number;
  height: number;
  pixelFormat: string;
  /** Pixel shape of the codec header; the container's goes first. */
  aspect?: readonly [number, number];
  /** ITU-T H.273 number of the transfer characteristic; absent when the header has none. */
  transfer?: number;
}

/** What the container says and a codec header may leave open. */
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

/** ffmpeg's names of the transfer characteristics that `hdrOf` asks about. */
export const transferName = (code: number | undefined): string | undefined =>
  code === 16 ? 'smpte2084' : code === 18 ? 'arib-std-b67' : undefined;

const chromas = ['gray', 'yuv420p', 'yuv422p', 'yuv444p'];

/** ffmpeg's planar pixel format; `chroma` as chroma_format_idc, `isFull` picks the yuvj names of 8 bits. */
export const planar = (chroma: number, depth: number, isFull: boolean): string | undefined => {
  const base = chromas[chroma];
  if (base === undefined || ![8, 10, 12].includes(depth)) return undefined;
  if (depth > 8) return `${base === 'gray' ? 'gray' : base}${depth}le`;
  return isFull && chroma > 0 ? base.replace('yuv', 'yuvj') : base;
};
