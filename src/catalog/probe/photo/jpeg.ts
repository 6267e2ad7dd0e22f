/** Reads the segments of a JPEG file up to the picture: its size, EXIF and XMP. */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { type PictureParts, type TiffBlock, xmpText } from './types.ts';

/** More than any camera writes; a file of empty segments is refused. */
const MAX_SEGMENTS = 400;
const EXIF = 'Exif\0\0';
const XMP = 'http://ns.adobe.com/xap/1.0/\0';
/** Start of frame: a picture that decoders show. Lossless frames (C3) are raw data of a camera. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
const LOSSLESS: ReadonlySet<number> = new Set([0xc3, 0xc7, 0xcb, 0xcf]);

/** `from` is the offset of the file in the source: raw files contain JPEG files. */
export function jpeg(source: ByteSource, from = 0): PictureParts {
  const exif: TiffBlock[] = [];
  let xmp: string | undefined;
  let at = from + 2;
  for (let count = 0; count < MAX_SEGMENTS; count++) {
    const head = source.at(at, 4);
    if (head[0] !== 0xff) uncertain('a JPEG segment');
    const marker = head[1] ?? 0;
    // Fill bytes before a marker, and markers without a length.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const length = head.readUInt16BE(2);
    if (length < 2 || LOSSLESS.has(marker) || marker === 0xd9 || marker === 0xda) uncertain('a JPEG without a frame');
    if (FRAMES.has(marker)) {
      const frame = source.at(at + 5, 4);
      return { container: 'jpeg', width: frame.readUInt16BE(2), height: frame.readUInt16BE(0), exif, xmp };
    }
    if (marker === 0xe1) {
      const body = at + 4;
      const size = length - 2;
      const name = source.upTo(body, XMP.length).toString('latin1');
      if (name.startsWith(EXIF)) exif.push({ at: body + EXIF.length, size: size - EXIF.length });
      else if (name === XMP) xmp ??= xmpText(source, body + XMP.length, size - XMP.length);
    }
    at += 2 + length;
  }
  return uncertain('too many JPEG segments');
}
