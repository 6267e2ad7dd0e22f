/**
 * The hash by which subtitle sites know a video file ("OSHash"): its size, plus its first and its last 64 KiB read as
 * little-endian 64-bit words, all added modulo 2^64.
 *
 * Two reads whatever the size of the file; never the whole of it.
 */

const CHUNK = 65_536;

/** Reads exactly `length` bytes at `position`, or as many as there are. */
export type RangeReader = (position: number, length: number) => Promise<Uint8Array>;

/**
 * 16 lowercase hex characters, or undefined for a file below 128 KiB, for which the hash is not defined, and for one
 * that became shorter while it was read. `size` is in bytes.
 */
export async function moviehash(size: number, read: RangeReader): Promise<string | undefined> {
  if (!Number.isSafeInteger(size) || size < 2 * CHUNK) return undefined;
  const [first, last] = await Promise.all([read(0, CHUNK), read(size - CHUNK, CHUNK)]);
  if (first.byteLength !== CHUNK || last.byteLength !== CHUNK) return undefined;
  const sum = BigInt.asUintN(64, BigInt(size) + words(first) + words(last));
  return sum.toString(16).padStart(16, '0');
}

function words(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let low = 0;
  let high = 0;
  // Halves added as numbers stay exact (8,192 words below 2^32) and are ten times as fast as a BigInt a word.
  for (let at = 0; at < CHUNK; at += 8) {
    low += view.getUint32(at, true);
    high += view.getUint32(at + 4, true);
  }
  return BigInt(low) + (BigInt(high) << 32n);
}
