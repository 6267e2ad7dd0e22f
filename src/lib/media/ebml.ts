/**
 * EBML elements (RFC 8794): identifiers, sizes and the values within.
 *
 * Throws `Uncertain` for a size that does not fit its parent or the file. Walking is linear in the given bytes and does
 * not recurse.
 */

import type { ByteSource } from './source.ts';
import { uncertain } from './source.ts';
import { utf8 } from './text.ts';

export interface Element {
  id: number;
  /** Offset of the payload, counted from where the walk began. */
  at: number;
  /** Payload bytes; -1 when the size is unknown. */
  size: number;
}

/** Returns the element header at `at` of `bytes`; undefined if the bytes end within it. */
export const elementAt = (bytes: Buffer, at: number): Element | undefined => {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const idLength =
    first >= 0x80 ? 1 : first >= 0x40 ? 2 : first >= 0x20 ? 3 : first >= 0x10 ? 4 : uncertain('EBML identifier');
  if (at + idLength >= bytes.length) return undefined;
  const id = bytes.readUIntBE(at, idLength);
  const start = at + idLength;
  const lead = bytes[start] ?? 0;
  const length = lead === 0 ? uncertain('EBML size') : Math.clz32(lead) - 23;
  if (start + length > bytes.length) return undefined;
  let size = lead & (0xff >> length);
  let isUnknown = size === 0xff >> length;
  for (let i = 1; i < length; i += 1) {
    const byte = bytes[start + i] ?? 0;
    if (byte !== 0xff) isUnknown = false;
    size = size * 256 + byte;
  }
  if (!isUnknown && size > Number.MAX_SAFE_INTEGER) uncertain('EBML size');
  return { id, at: start + length, size: isUnknown ? -1 : size };
};

/** Returns the element whose header is at `at` of the file. `at` of the result counts from the start of the file. */
export const elementIn = (source: ByteSource, at: number): Element => {
  const element = elementAt(source.upTo(at, 16), 0) ?? uncertain('Matroska element');
  return { id: element.id, at: at + element.at, size: element.size };
};

/** Yields every child of a master element, in order. */
export function* ebmlChildren(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  let at = 0;
  while (at < bytes.length) {
    const element = elementAt(bytes, at) ?? uncertain('EBML element cut short');
    if (element.size < 0 || element.at + element.size > bytes.length) uncertain('EBML element larger than its parent');
    at = element.at + element.size;
    yield { id: element.id, data: bytes.subarray(element.at, at) };
  }
}

/** Returns an unsigned integer of at most eight bytes. */
export const uint = (data: Buffer): number => {
  if (data.length > 8) uncertain('EBML number');
  let value = 0;
  for (const byte of data) value = value * 256 + byte;
  return value;
};

/** Returns a number of four or eight bytes; 0 if there are none. */
export const float = (data: Buffer): number =>
  data.length === 4
    ? data.readFloatBE(0)
    : data.length === 8
      ? data.readDoubleBE(0)
      : data.length === 0
        ? 0
        : uncertain('EBML number');

/** Returns the text up to the first NUL. */
export const string = (data: Buffer): string => utf8(data);
