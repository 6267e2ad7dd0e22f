/** Results of the readers of picture formats, and the limits that they share. */
import type { ByteSource } from '../../../lib/media/source.ts';
import type { Capture, GeoPoint } from '../types.ts';

/** A picture as its container describes it. */
export interface PictureParts {
  container: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'heic' | 'avif' | 'raw';
  width: number;
  height: number;
  /** Blocks of EXIF in the layout of a TIFF file, by the offset in the file at which each begins. */
  exif: readonly TiffBlock[];
  /** Text of the XMP packet. */
  xmp?: string | undefined;
  /** Whether decoders turn the picture by facts of the container, so that the EXIF orientation does not count. */
  isTurned?: boolean;
  preview?: Capture['preview'];
}

export interface TiffBlock {
  at: number;
  size: number;
}

/** Facts of EXIF. Times are local; `gpsTime` is UTC. */
export interface ExifFacts {
  orientation?: number;
  make?: string;
  model?: string;
  lens?: string;
  original?: string;
  originalOffset?: string;
  created?: string;
  exposure?: number;
  aperture?: number;
  iso?: number;
  focalLength?: number;
  gpsTime?: string;
  place?: GeoPoint;
  /** Identifier of a live photo, from the notes of its camera. */
  pair?: string;
}

/** Bytes of an XMP packet that are read. */
export const MAX_XMP = 256 * 1024;

/** Returns the text of an XMP packet; undefined if it is too large. */
export const xmpText = (source: ByteSource, at: number, size: number): string | undefined =>
  size > MAX_XMP ? undefined : source.upTo(at, size).toString('utf8');
