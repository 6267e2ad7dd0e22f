/**
 * A fingerprint as a file of the cache. Pure.
 *
 * `MTFP`, version (16 bits, little-endian), zero (16 bits), count of items and of silences (32 bits each), beginning
 * and length (64-bit floats), the items (32 bits each), the silences (two 32-bit floats each), and the CRC-32 of all
 * before.
 */
import { crc32 } from 'node:zlib';
import type { Fingerprint } from './fingerprint.ts';

const MAGIC = 'MTFP';
/** Grows when the fingerprint or what is kept of it changes: older ones are rebuilt. */
export const PRINT_VERSION = 1;
const HEAD = 32;
const TAIL = 4;

export function packFingerprint({ from, length, items, silences }: Fingerprint): Buffer {
  const bytes = Buffer.alloc(HEAD + items.length * 4 + silences.length * 8 + TAIL);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt16LE(PRINT_VERSION, 4);
  bytes.writeUInt32LE(items.length, 8);
  bytes.writeUInt32LE(silences.length, 12);
  bytes.writeDoubleLE(from, 16);
  bytes.writeDoubleLE(length, 24);
  items.forEach((item, i) => bytes.writeInt32LE(item, HEAD + i * 4));
  const after = HEAD + items.length * 4;
  silences.forEach(({ start, end }, i) => {
    bytes.writeFloatLE(start, after + i * 8);
    bytes.writeFloatLE(end, after + i * 8 + 4);
  });
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -TAIL)), bytes.length - TAIL);
  return bytes;
}

/** Returns undefined for anything but what `packFingerprint` wrote whole. */
export function unpackFingerprint(bytes: Buffer): Fingerprint | undefined {
  if (bytes.length < HEAD + TAIL || bytes.toString('latin1', 0, 4) !== MAGIC || bytes.readUInt16LE(4) !== PRINT_VERSION)
    return undefined;
  const [count, pauses] = [bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  if (
    bytes.length !== HEAD + count * 4 + pauses * 8 + TAIL ||
    crc32(bytes.subarray(0, -TAIL)) !== bytes.readUInt32LE(bytes.length - TAIL)
  )
    return undefined;
  const after = HEAD + count * 4;
  return {
    from: bytes.readDoubleLE(16),
    length: bytes.readDoubleLE(24),
    items: Int32Array.from({ length: count }, (_, i) => bytes.readInt32LE(HEAD + i * 4)),
    silences: Array.from({ length: pauses }, (_, i) => ({
      start: bytes.readFloatLE(after + i * 8),
      end: bytes.readFloatLE(after + i * 8 + 4),
    })),
  };
}
