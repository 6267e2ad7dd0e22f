/** Builds boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2). Pure. */

/** Returns a box: its size, its type of four characters and its parts. */
export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  const made = Buffer.allocUnsafe(size);
  made.writeUInt32BE(size, 0);
  made.write(type, 4, 4, 'latin1');
  let at = 8;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** Returns a box with a version and 24 bits of flags in front of its parts. */
export const fullBox = (type: string, version: number, flags: number, ...parts: readonly Uint8Array[]): Buffer =>
  box(type, uint32s(version * 2 ** 24 + flags), ...parts);

export function uint16s(...values: readonly number[]): Buffer {
  const made = Buffer.allocUnsafe(2 * values.length);
  values.forEach((value, i) => made.writeUInt16BE(value & 0xffff, 2 * i));
  return made;
}

export function uint32s(...values: readonly number[]): Buffer {
  const made = Buffer.allocUnsafe(4 * values.length);
  values.forEach((value, i) => made.writeUInt32BE(value >>> 0, 4 * i));
  return made;
}

export function uint64(value: number): Buffer {
  const made = Buffer.allocUnsafe(8);
  made.writeBigUInt64BE(BigInt(value));
  return made;
}
