/** Size of the preview pictures of a video, and the times at which they are taken. Pure. */
import type { MediaInfo } from '../../catalog/index.ts';
import { videoOf } from '../plan/support.ts';

/** Longest side of a picture, in pixels. */
const TILE = 320;
/** Least time between two pictures, in seconds, and the most of them in one file. */
const MIN_STEP = 10;
const MAX_PICTURES = 720;
/** Seconds by which a picture may begin before its time. */
export const STEP_TOLERANCE = 0.5;
/** Columns and rows of a sheet. */
export const SHEET = 10;

export interface Geometry {
  width: number;
  height: number;
  /** Degrees by which a player turns the picture clockwise. */
  rotation: 0 | 90 | 180 | 270;
}

const even = (size: number): number => Math.max(16, Math.round(size / 2) * 2);

/** Returns the size of the pictures of a file, upright and with square pixels; undefined where it has no video. */
export function geometryOf(info: MediaInfo | undefined): Geometry | undefined {
  const video = videoOf(info);
  if (!video) return undefined;
  const { width = 16, height = 9, sampleAspect = 1 } = video;
  const rotation = ([90, 180, 270] as const).find((turn) => turn === video.rotation) ?? 0;
  const wide = width * sampleAspect;
  const [across, down] = rotation === 90 || rotation === 270 ? [height, wide] : [wide, height];
  const aspect = Math.min(8, Math.max(1 / 8, across / down));
  return aspect >= 1
    ? { width: TILE, height: even(TILE / aspect), rotation }
    : { width: even(TILE * aspect), height: TILE, rotation };
}

/** Returns the seconds between two pictures of a file of this length. */
export const secondsBetweenPictures = (duration: number): number =>
  Math.max(MIN_STEP, Math.ceil(duration / MAX_PICTURES));
