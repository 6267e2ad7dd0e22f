/**
 * The preview pictures of one file as one file of the cache: a header that says where each picture is, then the sheets
 * and the pictures of the chapters. Pure.
 *
 * `MTRK`, version and length of the header (32 bits each, little-endian), the CRC-32 of the header, the header as JSON,
 * and the JPEGs. It is written whole, so a valid header means that the file is complete.
 */
import { crc32 } from 'node:zlib';

const MAGIC = 'MTRK';
/** Grows when the pictures or the header change: older packs are rebuilt. */
export const PACK_VERSION = 1;
export const PACK_PREFIX = 16;
/** The header of 720 pictures and 500 chapters takes 30 KiB. */
export const MAX_HEADER = 256 * 1024;

export interface Slice {
  at: number;
  length: number;
}
export interface PackHeader {
  width: number;
  height: number;
  columns: number;
  /** Seconds at which each picture is shown first, one after the other. */
  times: number[];
  /** Seconds of the file. */
  duration: number;
  sheets: Slice[];
  /** By the number of the chapter; null where there is none. */
  chapters: (Slice | null)[];
}

export interface PreviewPictures {
  width: number;
  height: number;
  columns: number;
  times: readonly number[];
  duration: number;
  sheets: readonly Uint8Array[];
  chapters: readonly (Uint8Array | undefined)[];
}

export function packPictures({ sheets, chapters, times, ...shape }: PreviewPictures): Buffer {
  let at = 0;
  const slice = (bytes: Uint8Array): Slice => {
    at += bytes.length;
    return { at: at - bytes.length, length: bytes.length };
  };
  const header: PackHeader = {
    ...shape,
    times: [...times],
    sheets: sheets.map(slice),
    chapters: chapters.map((bytes) => (bytes ? slice(bytes) : null)),
  };
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PACK_PREFIX);
  prefix.write(MAGIC, 0, 'latin1');
  prefix.writeUInt32LE(PACK_VERSION, 4);
  prefix.writeUInt32LE(json.length, 8);
  prefix.writeUInt32LE(crc32(json), 12);
  return Buffer.concat([prefix, json, ...sheets, ...chapters.filter((bytes) => bytes !== undefined)]);
}

/** Returns the length of the header that follows the prefix; undefined when it is no pack of this version. */
export function headerLength(prefix: Buffer): number | undefined {
  if (
    prefix.length < PACK_PREFIX ||
    prefix.toString('latin1', 0, 4) !== MAGIC ||
    prefix.readUInt32LE(4) !== PACK_VERSION
  )
    return undefined;
  const length = prefix.readUInt32LE(8);
  return length <= MAX_HEADER ? length : undefined;
}

/**
 * Returns the header with the places of its slices in the file of `size` bytes; undefined unless all of it is there.
 */
export function readPackHeader(prefix: Buffer, json: Buffer, size: number): PackHeader | undefined {
  if (crc32(json) !== prefix.readUInt32LE(12)) return undefined;
  const header = JSON.parse(json.toString('utf8')) as PackHeader;
  const base = PACK_PREFIX + json.length;
  const placed = ({ at, length }: Slice): Slice => ({ at: at + base, length });
  const all = {
    ...header,
    sheets: header.sheets.map(placed),
    chapters: header.chapters.map((slice) => slice && placed(slice)),
  };
  return [...all.sheets, ...all.chapters].every((slice) => slice === null || slice.at + slice.length <= size)
    ? all
    : undefined;
}
