/** Turns, shrinks and encodes a picture: upright, in sRGB, without what the camera wrote. */
import type { Sharp } from 'sharp';
import { loadPictureReader } from '../../../lib/picture-reader.ts';

/** Pixels of a decoder, or a file that the picture library reads. */
export type RasterFile = { bytes: Uint8Array; orientation?: number };
export type PixelSource = RasterFile | { heic: Uint8Array };

/** Phones have 200 megapixels. */
const MAX_PIXELS = 250_000_000;
const TIMEOUT_S = 25;
const QUALITY = { jpeg: 82, webp: 78 } as const;
/** Quarter turns clockwise, and whether the picture is mirrored first, for each orientation of EXIF. */
const TURNS: readonly (readonly [quarters: number, isMirrored: boolean])[] = [
  [0, false],
  [0, true],
  [2, false],
  [2, true],
  [3, true],
  [1, false],
  [1, true],
  [3, false],
];

export async function shrink(
  { bytes, orientation }: RasterFile,
  { width, format }: { width: number; format: 'jpeg' | 'webp' },
): Promise<Uint8Array> {
  const read = await loadPictureReader();
  const opened = read(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', pages: 1 });
  const upright = orientation === undefined ? opened.autoOrient() : turned(opened, orientation);
  const small = upright
    .resize({ width, withoutEnlargement: true })
    // A dark drawing without a ground would not be seen on a dark page.
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT_S });
  const quality = QUALITY[format];
  return format === 'webp' ? small.webp({ quality }).toBuffer() : small.jpeg({ quality, progressive: true }).toBuffer();
}

/** The preview of a raw file is turned by the orientation of the raw file, whatever it says itself. */
function turned(opened: Sharp, orientation: number): Sharp {
  const [quarters, isMirrored] = TURNS[orientation - 1] ?? [0, false];
  return (isMirrored ? opened.flop() : opened).rotate(quarters * 90);
}
