/** Writes ZIP archives, honest ones and such as no honest program writes. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Member {
  name: string;
  data: Buffer;
  /** Unix file mode with its type bits: 0o120777 is a link. */
  mode?: number;
  isEncrypted?: boolean;
  /** A size in the headers that is not the true one. */
  saysSize?: number;
}

/** Packed bytes by the buffer that they came from: archives of the largest size hold one megabyte many times. */
const packedBytes = new WeakMap<Buffer, Buffer>();
function pack(data: Buffer): Buffer {
  const packed = packedBytes.get(data) ?? deflateRawSync(data);
  packedBytes.set(data, packed);
  return packed;
}

export function makeZip(members: readonly Member[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const packed = pack(member.data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800 | (member.isEncrypted ? 1 : 0), 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt16LE(0x6c21, 8);
    fields.writeUInt32LE(crc32(member.data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(member.saysSize ?? member.data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((member.mode ?? 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 3]), fields, rest, name]));
    bodies.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
