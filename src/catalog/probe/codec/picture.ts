/**
 * What the video codec readers give, and what the container told them beforehand.
 *
 * Promise: names are ffmpeg's (pixel formats, transfer characteristics).
 */

import { uncertain } from '../../../lib/media/source.ts';
import type { DolbyVision } from '../types.ts';

/** What a codec's own header says of the picture. */
export interface Picture {
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
export interface Frame {
  width: number;
  height: number;
  isFullRange: boolean;
}

/** A dvcC or dvvC record (Dolby Vision Streams Within the ISO Base Media File Format, 3.1). */
export const dolbyVisionOf = (record: Buffer): DolbyVision => {
  if (record.length < 4) uncertain('Dolby Vision without its record');
  return { profile: (record[2] ?? 0) >> 1, compatibility: (record[4] ?? 0) >> 4 };
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

/** Pixel shapes of aspect_ratio_idc (H.264 table E-1, shared by HEVC). */
export const aspectTable: readonly (readonly [number, number])[] = [
  [0, 1], [1, 1], [12, 11], [10, 11], [16, 11], [40, 33], [24, 11], [20, 11], [32, 11], [80, 33], [18, 11], [15, 11],
  [64, 33], [160, 99], [4, 3], [3, 2], [2, 1],
];
