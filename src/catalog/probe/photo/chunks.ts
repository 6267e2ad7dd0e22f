/** Reads pictures that consist of chunks: PNG, WebP and GIF. */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { type PictureParts, type TiffBlock, xmpText } from './types.ts';

const MAX_CHUNKS = 400;
const PNG_XMP = 'XML:com.adobe.xmp\0';

export function png(source: ByteSource): PictureParts {
  const head = source.at(8, 16);
  if (head.toString('latin1', 4, 8) !== 'IHDR') uncertain('a PNG file without its header');
  const exif: TiffBlock[] = [];
  let xmp: string | undefined;
  let at = 8;
  // The facts may come after the picture, whose chunks are passed over.
  for (let count = 0; count < MAX_CHUNKS && at + 12 <= source.size; count++) {
    const chunk = source.upTo(at, 8);
    if (chunk.length < 8) break;
    const size = chunk.readUInt32BE(0);
    const type = chunk.toString('latin1', 4, 8);
    if (type === 'IEND') break;
    if (type === 'eXIf') exif.push({ at: at + 8, size });
    if (type === 'iTXt' && source.upTo(at + 8, PNG_XMP.length).toString('latin1') === PNG_XMP) {
      // Compression flag and method, language and translated keyword, of which XMP uses none.
      const skip = PNG_XMP.length + 4;
      if (size > skip) xmp ??= xmpText(source, at + 8 + skip, size - skip);
    }
    at += 12 + size;
  }
  return { container: 'png', width: head.readUInt32BE(8), height: head.readUInt32BE(12), exif, xmp };
}

export function gif(source: ByteSource): PictureParts {
  const head = source.at(6, 4);
  return { container: 'gif', width: head.readUInt16LE(0), height: head.readUInt16LE(2), exif: [] };
}

export function webp(source: ByteSource): PictureParts {
  const exif: TiffBlock[] = [];
  let size: { width: number; height: number } | undefined;
  let xmp: string | undefined;
  let at = 12;
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= source.size; count++) {
    const chunk = source.upTo(at, 8);
    if (chunk.length < 8) break;
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    size ??= webpSize(source, type, at + 8);
    if (type === 'EXIF') exif.push(withoutMarker(source, at + 8, length));
    if (type === 'XMP ') xmp ??= xmpText(source, at + 8, length);
    at += 8 + length + (length % 2);
  }
  return size === undefined ? uncertain('a WebP file without a picture') : { container: 'webp', ...size, exif, xmp };
}

/** Some programs write the marker of JPEG in front of the block. */
const withoutMarker = (source: ByteSource, at: number, size: number): TiffBlock =>
  source.upTo(at, 6).toString('latin1') === 'Exif\0\0' ? { at: at + 6, size: size - 6 } : { at, size };

function webpSize(source: ByteSource, type: string, at: number): { width: number; height: number } | undefined {
  if (type === 'VP8X') {
    const size = source.at(at + 4, 6);
    return { width: size.readUIntLE(0, 3) + 1, height: size.readUIntLE(3, 3) + 1 };
  }
  if (type === 'VP8L') {
    const bits = source.at(at + 1, 4).readUInt32LE(0);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (type !== 'VP8 ') return undefined;
  const size = source.at(at + 6, 4);
  return { width: size.readUInt16LE(0) & 0x3fff, height: size.readUInt16LE(2) & 0x3fff };
}
