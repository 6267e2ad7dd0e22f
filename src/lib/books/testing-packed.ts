/** Small RAR and 7z archives for tests and the demo, whose entries are stored as they are. */
import { crc32 } from 'node:zlib';
import type { ZipInput } from '../archive/write-zip.ts';

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
/** Fields that an archive states wrongly, for hostile ones. */
export interface PackedLies {
  /** Unpacked size of every entry. */
  size?: number;
  isEncrypted?: boolean;
  isLink?: boolean;
}

const RAR4_MARK = Buffer.from('Rar!\x1a\x07\0', 'latin1');
const RAR_LONG_BLOCK = 0x8000;
const RAR_ENCRYPTED = 0x04;
const UNIX = 3;

/** Makes a RAR archive of version 4. */
export function makeRar4(entries: Iterable<ZipInput>, lies: PackedLies = {}): Buffer {
  const block = (type: number, flags: number, fields: Buffer): Buffer => {
    const rest = Buffer.concat([Buffer.from([type]), u16(flags), u16(fields.length + 7), fields]);
    return Buffer.concat([u16(crc32(rest) & 0xffff), rest]);
  };
  const pieces = [RAR4_MARK, block(0x73, 0, Buffer.alloc(6))];
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    const mode = lies.isLink ? 0o120777 : 0o100644;
    const fields = [
      ...[u32(bytes.length), u32(lies.size ?? bytes.length), Buffer.from([UNIX]), u32(crc32(bytes)), u32(0x21 << 16)],
      ...[Buffer.from([20, 0x30]), u16(path.length), u32(mode), path],
    ];
    const flags = RAR_LONG_BLOCK | (lies.isEncrypted ? RAR_ENCRYPTED : 0);
    pieces.push(block(0x74, flags, Buffer.concat(fields)), Buffer.from(bytes));
  }
  return Buffer.concat([...pieces, block(0x7b, 0x4000, Buffer.alloc(0))]);
}

const vint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
    if (rest < 128) return Buffer.from(bytes);
  }
};

/** Makes a RAR archive of version 5. */
export function makeRar5(entries: Iterable<ZipInput>, lies: PackedLies = {}): Buffer {
  const block = (...fields: Buffer[]): Buffer => {
    const body = Buffer.concat(fields);
    const header = Buffer.concat([vint(body.length), body]);
    return Buffer.concat([u32(crc32(header)), header]);
  };
  const pieces = [Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'), block(vint(1), vint(0), vint(0))];
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    pieces.push(
      block(
        ...[vint(2), vint(2), vint(bytes.length), vint(4), vint(lies.size ?? bytes.length), vint(0o100644)],
        ...[u32(crc32(bytes)), vint(0), vint(1), vint(path.length), path],
      ),
      Buffer.from(bytes),
    );
  }
  return Buffer.concat([...pieces, block(vint(5), vint(0), vint(0))]);
}

/** A number of a 7z header: the leading ones of the first byte count the bytes that follow it. */
function sevenNumber(value: number): Buffer {
  if (value < 0x80) return Buffer.from([value]);
  if (value < 0x4000) return Buffer.from([0x80 | (value >>> 8), value & 0xff]);
  return Buffer.concat([Buffer.from([0xf0]), u32(value)]);
}

/** Makes a 7z archive of at least one entry. */
export function makeSeven(entries: Iterable<ZipInput>, lies: PackedLies = {}): Buffer {
  const all = [...entries];
  const data = Buffer.concat(all.map(({ bytes }) => bytes));
  const names = Buffer.concat(all.map(({ name }) => Buffer.from(`${name}\0`, 'utf16le')));
  const sizes = all.slice(0, -1).map(({ bytes }) => sevenNumber(lies.size ?? bytes.length));
  const header = Buffer.concat([
    Buffer.from([0x01, 0x04]),
    ...[Buffer.from([0x06, 0x00, 0x01, 0x09]), sevenNumber(data.length), Buffer.from([0x00])],
    ...[Buffer.from([0x07, 0x0b, 0x01, 0x00, 0x01, 0x01, 0x00, 0x0c]), sevenNumber(data.length), Buffer.from([0x00])],
    ...[Buffer.from([0x08, 0x0d]), sevenNumber(all.length)],
    ...(sizes.length > 0 ? [Buffer.from([0x09]), ...sizes] : []),
    ...[Buffer.from([0x0a, 0x01]), ...all.map(({ bytes }) => u32(crc32(bytes))), Buffer.from([0x00, 0x00])],
    ...[Buffer.from([0x05]), sevenNumber(all.length)],
    ...[Buffer.from([0x11]), sevenNumber(names.length + 1), Buffer.from([0x00]), names, Buffer.from([0x00, 0x00])],
  ]);
  const start = Buffer.concat([u64(data.length), u64(header.length), u32(crc32(header))]);
  const mark = Buffer.from('7z\xbc\xaf\x27\x1c\0\x04', 'latin1');
  return Buffer.concat([mark, u32(crc32(start)), start, data, header]);
}
