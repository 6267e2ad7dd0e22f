/**
 * Reads the directories of TIFF files: those of EXIF, of plain TIFF pictures, and of the raw files of cameras, most of
 * which are TIFF files that contain JPEG previews.
 *
 * A directory is read once, at most `MAX_DIRECTORIES` of a block, so that directories that point to each other end.
 */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { jpeg } from './jpeg.ts';
import type { PictureParts, TiffBlock } from './types.ts';

const MAX_DIRECTORIES = 24;
const MAX_ENTRIES = 512;
/** Bytes of one value: texts, and lists of offsets. */
const MAX_VALUE = 64 * 1024;
/** Bytes of a value of each type, by its number. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/** One value of a directory, which is read when it is asked for. */
export interface TiffEntry {
  type: number;
  count: number;
  /** Offset of the value in the source. */
  at: number;
}
export type TiffDirectory = ReadonlyMap<number, TiffEntry>;

export interface Tiff {
  first: number;
  /** Reads a directory; undefined if it was read already, or too many were. Also returns the offset of the next one. */
  directory(offset: number): { entries: TiffDirectory; next: number } | undefined;
  numbers(entry: TiffEntry | undefined): number[];
  number(entry: TiffEntry | undefined): number | undefined;
  text(entry: TiffEntry | undefined): string | undefined;
}

/**
 * Opens a block. Offsets in it are counted from its beginning. `notes` says that it is a camera's notes, which begin
 * with a name in place of the header, and are big-endian.
 */
export function openTiff(source: ByteSource, { at: base, size }: TiffBlock, notes?: { first: number }): Tiff {
  const order = source.at(base, 8);
  const isLittle = notes === undefined && order[0] === 0x49;
  if (notes === undefined && (order[0] !== order[1] || (!isLittle && order[0] !== 0x4d))) uncertain('a TIFF block');
  const u16 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const read = new Set<number>();

  const numbers = (entry: TiffEntry | undefined): number[] => {
    if (!entry) return [];
    const width = TYPE_BYTES[entry.type] ?? 0;
    if (width === 0 || entry.count * width > MAX_VALUE) return [];
    const bytes = source.upTo(entry.at, entry.count * width);
    const out: number[] = [];
    for (let at = 0; at + width <= bytes.length; at += width) out.push(numberAt(bytes, at, entry.type, { isLittle }));
    return out;
  };
  return {
    first: notes?.first ?? u32(order, 4),
    directory: (offset) => {
      if (offset < 8 || offset + 6 > size || read.has(offset) || read.size >= MAX_DIRECTORIES) return undefined;
      read.add(offset);
      const count = u16(source.at(base + offset, 2), 0);
      if (count > MAX_ENTRIES) return undefined;
      const bytes = source.at(base + offset + 2, count * 12);
      const entries = new Map<number, TiffEntry>();
      for (let at = 0; at < bytes.length; at += 12) {
        const type = u16(bytes, at + 2);
        const values = u32(bytes, at + 4);
        const isInline = values * (TYPE_BYTES[type] ?? 0) <= 4;
        const from = isInline ? base + offset + 2 + at + 8 : base + u32(bytes, at + 8);
        entries.set(u16(bytes, at), { type, count: values, at: from });
      }
      const next = source.upTo(base + offset + 2 + count * 12, 4);
      return { entries, next: next.length === 4 ? u32(next, 0) : 0 };
    },
    numbers,
    number: (entry) => numbers(entry && { ...entry, count: Math.min(entry.count, 1) })[0],
    text: (entry) => {
      if (!entry || entry.count === 0 || entry.count > MAX_VALUE) return undefined;
      const text = source.upTo(entry.at, entry.count).toString('utf8').replace(/\0.*$/s, '').trim();
      return text === '' ? undefined : text.slice(0, 256);
    },
  };
}

function numberAt(bytes: Buffer, at: number, type: number, { isLittle }: { isLittle: boolean }): number {
  switch (type) {
    case 3:
      return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    case 8:
      return isLittle ? bytes.readInt16LE(at) : bytes.readInt16BE(at);
    case 4:
    case 13:
      return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    case 9:
      return isLittle ? bytes.readInt32LE(at) : bytes.readInt32BE(at);
    case 5:
    case 10: {
      const part = type === 5 ? 4 : 9;
      return numberAt(bytes, at, part, { isLittle }) / numberAt(bytes, at + 4, part, { isLittle });
    }
    default:
      return bytes[at] ?? 0;
  }
}

const WIDTH = 0x100;
const HEIGHT = 0x101;
const COMPRESSION = 0x103;
const PHOTOMETRIC = 0x106;
const STRIPS = 0x111;
const STRIP_SIZES = 0x117;
const SUB_DIRECTORIES = 0x14a;
const JPEG_AT = 0x201;
const JPEG_SIZE = 0x202;
/** Panasonic's preview. */
const JPEG_FROM_RAW = 0x2e;
const XMP = 0x2bc;
const DNG_VERSION = 0xc612;
/** Values of a colour filter array and of linear raw data. */
const RAW_PHOTOMETRICS: ReadonlySet<number> = new Set([32803, 34892]);
const JPEG_COMPRESSIONS: ReadonlySet<number> = new Set([6, 7]);

/** Reads a TIFF picture or a raw file. `isRaw` is set for formats with their own magic number. */
export function tiff(source: ByteSource, isRaw: boolean): PictureParts {
  const block = { at: 0, size: source.size };
  const opened = openTiff(source, block);
  let [width, height, raw] = [0, 0, isRaw];
  let xmp: string | undefined;
  const previews: TiffBlock[] = [];
  const waiting = [opened.first];
  for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
    const found = opened.directory(offset);
    if (!found) continue;
    const { entries, next } = found;
    const of = (tag: number) => opened.number(entries.get(tag));
    const [own, tall] = [of(WIDTH) ?? 0, of(HEIGHT) ?? 0];
    if (own * tall > width * height) [width, height] = [own, tall];
    if (entries.has(DNG_VERSION) || RAW_PHOTOMETRICS.has(of(PHOTOMETRIC) ?? -1)) raw = true;
    previews.push(...previewsIn(opened, entries));
    const packet = entries.get(XMP);
    if (packet && packet.count <= MAX_VALUE) xmp ??= source.upTo(packet.at, packet.count).toString('utf8');
    waiting.push(...opened.numbers(entries.get(SUB_DIRECTORIES)).slice(0, MAX_DIRECTORIES));
    if (next !== 0) waiting.push(next);
  }
  if (!raw) return { container: 'tiff', width, height, exif: [block], xmp };
  const preview = largestOf(source, previews);
  return {
    container: 'raw',
    width: Math.max(width, preview?.width ?? 0),
    height: width === 0 ? (preview?.height ?? 0) : height,
    exif: [block],
    xmp,
    preview: preview?.place,
  };
}

function previewsIn(opened: Tiff, entries: TiffDirectory): TiffBlock[] {
  const of = (tag: number) => opened.number(entries.get(tag));
  const found: TiffBlock[] = [];
  const [at, size] = [of(JPEG_AT), of(JPEG_SIZE)];
  if (at !== undefined && size !== undefined) found.push({ at, size });
  const inValue = entries.get(JPEG_FROM_RAW);
  if (inValue && inValue.count > 4) found.push({ at: inValue.at, size: inValue.count });
  const strips = entries.get(STRIPS);
  const length = of(STRIP_SIZES);
  if (JPEG_COMPRESSIONS.has(of(COMPRESSION) ?? 0) && strips?.count === 1 && length !== undefined)
    found.push({ at: of(STRIPS) ?? 0, size: length });
  return found;
}

/** Returns the largest of the places that hold a JPEG picture. The raw data itself is a JPEG that is not shown. */
export function largestOf(
  source: ByteSource,
  places: readonly TiffBlock[],
): { place: TiffBlock; width: number; height: number } | undefined {
  let best: ReturnType<typeof largestOf>;
  for (const place of places.slice(0, MAX_DIRECTORIES)) {
    const { at, size } = place;
    if (at <= 0 || size <= 0 || at + size > source.size) continue;
    if (source.upTo(at, 2).toString('latin1') !== '\xff\xd8') continue;
    const picture = frameOf(source, at);
    if (picture && picture.width * picture.height > (best?.width ?? 0) * (best?.height ?? 0))
      best = { place, width: picture.width, height: picture.height };
  }
  return best;
}

function frameOf(source: ByteSource, at: number): PictureParts | undefined {
  try {
    return jpeg(source, at);
  } catch {
    return undefined;
  }
}
