/** Writes zip archives whose entries are stored as they are: pictures do not become smaller. */
import { crc32 } from 'node:zlib';

export interface ZipInput {
  name: string;
  bytes: Uint8Array;
}

const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
/** Names are UTF-8. */
const UTF8_FLAG = 0x800;
/** The first of January 1980, the earliest day that the format has. */
const DOS_DATE = 0x21;

/**
 * Returns the pieces of an archive, in order. The same entries always make the same bytes. Throws for more than 65,534
 * entries or 4 GiB, which the plain format cannot express.
 */
export function* zipPieces(entries: Iterable<ZipInput>): Generator<Uint8Array, void, undefined> {
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    const sum = crc32(bytes);
    const local = Buffer.alloc(LOCAL_HEADER_BYTES);
    local.writeUInt32LE(0x04034b50, 0);
    fields(local, 4, { sum, size: bytes.length, nameLength: path.length });
    const header = Buffer.alloc(CENTRAL_HEADER_BYTES);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(20, 4);
    fields(header, 6, { sum, size: bytes.length, nameLength: path.length });
    header.writeUInt32LE(offset, 42);
    central.push(header, path);
    offset += LOCAL_HEADER_BYTES + path.length + bytes.length;
    if (offset > 0xffffffff || central.length > 2 * 0xfffe) throw new Error('the archive is too large');
    yield local;
    yield path;
    yield bytes;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(central.length / 2, 8);
  end.writeUInt16LE(central.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  yield directory;
  yield end;
}

export const writeZip = (entries: Iterable<ZipInput>): Buffer => Buffer.concat([...zipPieces(entries)]);

/** Fields that both headers of an entry have in the same order, from `at` on. */
function fields(
  header: Buffer,
  at: number,
  { sum, size, nameLength }: { sum: number; size: number; nameLength: number },
): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(UTF8_FLAG, at + 2);
  header.writeUInt16LE(DOS_DATE, at + 8);
  header.writeUInt32LE(sum, at + 10);
  header.writeUInt32LE(size, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(nameLength, at + 22);
}
