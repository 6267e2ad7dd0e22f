/**
 * Decodes HEIC pictures with libheif in WebAssembly, whose memory is its own, and hands their pixels on with their
 * colour profile, so that they become sRGB as those of any other picture.
 */
import type { RasterFile } from './shrink.ts';

/** Pixels of a decoded picture take four bytes each. */
const MAX_HEIC_PIXELS = 100_000_000;
const MAX_PROFILE = 1024 * 1024;
/** Bytes of the header that every profile has. */
const PROFILE_HEADER = 128;

export async function decodeHeic(bytes: Uint8Array): Promise<RasterFile> {
  // Loaded with the first such picture: it takes 2 MiB, and most libraries have none.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const [image, ...others] = new libheif.HeifDecoder().decode(bytes);
  try {
    if (!image) throw new Error('no picture in the file');
    const [width, height] = [image.get_width(), image.get_height()];
    if (width < 1 || height < 1 || width * height > MAX_HEIC_PIXELS) throw new Error('the picture is too large');
    const data = new Uint8ClampedArray(width * height * 4);
    const shown = await new Promise<unknown>((resolve) => image.display({ data, width, height }, resolve));
    if (!shown) throw new Error('the picture cannot be decoded');
    return { bytes: pixelsAsTiff(data, { width, height, profile: profileIn(bytes) }), orientation: 1 };
  } finally {
    for (const one of [image, ...others]) one?.free?.();
  }
}

/** Returns the colour profile of the first picture: a `colr` box of the type `prof` or `rICC`. */
export function profileIn(file: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 2 * MAX_PROFILE));
  for (let at = bytes.indexOf('colr', 4); at >= 0; at = bytes.indexOf('colr', at + 4)) {
    const size = bytes.readUInt32BE(at - 4);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isWhole = size >= PROFILE_HEADER + 12 && size < MAX_PROFILE && at - 4 + size <= bytes.length;
    // A profile has its signature at byte 36.
    if ((type === 'prof' || type === 'rICC') && isWhole && bytes.toString('latin1', at + 44, at + 48) === 'acsp')
      return bytes.subarray(at + 8, at - 4 + size);
  }
  return undefined;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;

/** Returns pixels with a profile as an uncompressed TIFF file: the form that carries both to the picture library. */
export function pixelsAsTiff(
  pixels: Uint8ClampedArray,
  { width, height, profile }: { width: number; height: number; profile: Uint8Array | undefined },
): Buffer {
  const tags = profile ? 11 : 10;
  const bits = 8 + 2 + tags * 12 + 4;
  const profileAt = bits + 8;
  const pixelsAt = profileAt + (profile?.length ?? 0);
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [0x100, LONG, 1, width],
    [0x101, LONG, 1, height],
    [0x102, SHORT, 4, bits],
    [0x103, SHORT, 1, 1],
    [0x106, SHORT, 1, 2],
    [0x111, LONG, 1, pixelsAt],
    [0x115, SHORT, 1, 4],
    [0x116, LONG, 1, height],
    [0x117, LONG, 1, pixels.length],
    [0x152, SHORT, 1, 2],
    ...(profile ? ([[0x8773, UNDEFINED, profile.length, profileAt]] as [number, number, number, number][]) : []),
  ];
  const out = Buffer.alloc(pixelsAt + pixels.length);
  out.write('II*\0', 'latin1');
  out.writeUInt32LE(8, 4);
  out.writeUInt16LE(entries.length, 8);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + i * 12;
    out.writeUInt16LE(tag, at);
    out.writeUInt16LE(type, at + 2);
    out.writeUInt32LE(count, at + 4);
    out.writeUInt32LE(value, at + 8);
  }
  for (let i = 0; i < 4; i++) out.writeUInt16LE(8, bits + i * 2);
  if (profile) out.set(profile, profileAt);
  out.set(pixels, pixelsAt);
  return out;
}
