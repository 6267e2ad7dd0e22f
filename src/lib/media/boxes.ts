/**
 * Boxes of the ISO base media file format and QuickTime (ISO/IEC 14496-12, 4.2), and the tables in them.
 *
 * A box that leaves its parent, or a table that leaves its box, is `Uncertain`. Tables are read in pieces.
 */

import type { ByteSource } from './source.ts';
import { uncertain } from './source.ts';

export interface Mp4Box {
  type: string;
  /** Offset of the payload in the file. */
  at: number;
  /** Payload bytes. */
  size: number;
}

const mostBoxes = 4096;

/** The boxes between two offsets. A box of size 0 lasts to the end of the file. */
export function* boxes(source: ByteSource, from: number, to: number): Generator<Mp4Box> {
  let at = from;
  for (let count = 0; to - at >= 8; count += 1) {
    if (count > mostBoxes) uncertain('too many boxes');
    const head = source.at(at, 8);
    let size = head.readUInt32BE(0);
    let header = 8;
    const type = head.toString('latin1', 4, 8);
    if (size === 1) {
      const large = source.at(at + 8, 8);
      size = large.readUInt32BE(0) * 2 ** 32 + large.readUInt32BE(4);
      header = 16;
    } else if (size === 0) {
      if (type === '\0\0\0\0') return;
      size = to - at;
    }
    if (size < header || at + size > to) uncertain('a box leaves its parent');
    yield { type, at: at + header, size: size - header };
    at += size;
  }
}

export const childrenOf = (source: ByteSource, box: Mp4Box, skip = 0): Generator<Mp4Box> =>
  boxes(source, box.at + skip, box.at + box.size);

/** The bytes of a small box. */
export const payload = (source: ByteSource, box: Mp4Box, most = 65536): Buffer =>
  box.size > most ? uncertain('a box is too large') : source.at(box.at, box.size);

const piece = 8192;

/** Entries of a table of `width` 32-bit numbers each, in pieces. */
export function* entries(
  source: ByteSource,
  table: Mp4Box,
  skip: number,
  width: number,
  count: number,
): Generator<Buffer> {
  const bytes = width * 4;
  if (skip + count * bytes > table.size) uncertain('a table is longer than its box');
  for (let done = 0; done < count;) {
    const now = Math.min(piece, count - done);
    const data = source.at(table.at + skip + done * bytes, now * bytes);
    yield data;
    done += now;
  }
}
