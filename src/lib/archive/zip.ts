/**
 * Reads zip archives of unknown origin: EPUB and comic books.
 *
 * An archive is refused as a whole for what an ordinary one does not contain: paths out of it, links, devices, repeated
 * names, encryption, more than 20,000 entries, or the compression ratio of a zip bomb. Nothing is written to disk. Only
 * the wanted entry is inflated, within its stated size.
 */
import { inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** Reads into `into` from `offset` of the file. Returns the number of bytes read. */
export type ReadArchiveAt = (into: Buffer, offset: number) => number;

/** Thrown for an archive that is damaged or must be refused. The message says why. */
export class BadArchive extends Error {}
/** Thrown for an archive that needs a password. */
export class EncryptedArchive extends BadArchive {}

export interface ZipEntry {
  /** Path with slashes, as the archive states it. */
  name: string;
  /** Bytes after inflating. */
  size: number;
}
export interface Zip {
  /** Every file, in the order of the archive. Folders are left out. */
  entries: readonly ZipEntry[];
  find(name: string): ZipEntry | undefined;
  /** Returns the bytes of an entry. Throws `BadArchive` if it is larger than `maxBytes` or damaged. */
  read(entry: ZipEntry, maxBytes?: number): Promise<Buffer>;
}

export const MAX_ENTRIES = 20_000;
export const MAX_ENTRY_BYTES = 200 * 1024 * 1024;
const MAX_RATIO = 200;
/** Size in bytes below which a high ratio is only a repetitive file. */
const RATIO_CHECKED_FROM_BYTES = 1024 * 1024;
const MAX_NAME_LENGTH = 1024;
/** The directory of an archive is read in blocks of this size: its entries are 50 to 100 bytes each. */
const BLOCK_BYTES = 64 * 1024;
const STORED = 0;
const DEFLATED = 8;

const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

class BlockReader extends RandomAccessReader {
  readonly #size: number;
  readonly #readAt: ReadArchiveAt;
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #from = 0;
  #length = 0;

  constructor(size: number, readAt: ReadArchiveAt) {
    super();
    this.#size = size;
    this.#readAt = readAt;
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    let failure: Error | null = null;
    try {
      this.#copy(into.subarray(offset, offset + length), position);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    process.nextTick(callback, failure);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  #copy(into: Buffer, position: number): void {
    if (position < 0 || position + into.length > this.#size) throw new BadArchive('the archive ends early');
    if (into.length > BLOCK_BYTES) {
      if (this.#readAt(into, position) !== into.length) throw new BadArchive('the archive ends early');
      return;
    }
    if (position < this.#from || position + into.length > this.#from + this.#length) {
      this.#from = position;
      this.#length = this.#readAt(this.#block.subarray(0, Math.min(BLOCK_BYTES, this.#size - position)), position);
    }
    const start = position - this.#from;
    if (start + into.length > this.#length) throw new BadArchive('the archive ends early');
    this.#block.copy(into, 0, start, start + into.length);
  }
}

/** Returns whether the first bytes of a file are those of a zip archive. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5) && (head[3] === 4 || head[3] === 6);

/** Opens an archive. `readAt` is called until the last `read` has returned. Throws `BadArchive`. */
export async function openZip(size: number, readAt: ReadArchiveAt): Promise<Zip> {
  const file = await asBad(() =>
    fromRandomAccessReaderPromise(new BlockReader(size, readAt), size, { autoClose: false, validateEntrySizes: true }),
  );
  const byName = await asBad(() => listed(file));
  const entries = [...byName.values()].map(({ fileName: name, uncompressedSize }) => ({
    name,
    size: uncompressedSize,
  }));
  return {
    entries,
    find: (name) => {
      const entry = byName.get(name);
      return entry && { name, size: entry.uncompressedSize };
    },
    read: ({ name }, maxBytes = MAX_ENTRY_BYTES) => {
      const entry = byName.get(name);
      if (!entry) throw new BadArchive('no such entry');
      return asBad(() => contentOf({ file, entry, readAt }, Math.min(maxBytes, MAX_ENTRY_BYTES)));
    },
  };
}

async function listed(file: ZipFile): Promise<Map<string, Entry>> {
  if (file.entryCount > MAX_ENTRIES) throw new BadArchive('the archive has too many entries');
  const found = new Map<string, Entry>();
  let count = 0;
  for await (const entry of file.eachEntry()) {
    if (++count > MAX_ENTRIES) throw new BadArchive('the archive has too many entries');
    refuse(entry);
    if (entry.fileName.endsWith('/')) continue;
    if (found.has(entry.fileName)) throw new BadArchive('the archive repeats a name');
    found.set(entry.fileName, entry);
  }
  return found;
}

function refuse(entry: Entry): void {
  const { fileName: name, uncompressedSize: size, compressedSize } = entry;
  if (name.length > MAX_NAME_LENGTH || name.includes('\0')) throw new BadArchive('the archive has an impossible name');
  // The upper half has the file mode if the archive was made on Unix; 0 means that the mode is not stated.
  const type = entry.versionMadeBy >>> 8 === 3 ? (entry.externalFileAttributes >>> 16) & 0o170000 : 0;
  if (type !== 0 && type !== 0o100000 && type !== 0o040000)
    throw new BadArchive('the archive contains a link or a device');
  if (entry.isEncrypted()) throw new EncryptedArchive('the archive is encrypted');
  if (size > MAX_ENTRY_BYTES) throw new BadArchive('the archive has an entry that is too large');
  if (size > RATIO_CHECKED_FROM_BYTES && size > MAX_RATIO * Math.max(1, compressedSize))
    throw new BadArchive('the archive has an implausible compression ratio');
}

async function contentOf(
  { file, entry, readAt }: { file: ZipFile; entry: Entry; readAt: ReadArchiveAt },
  maxBytes: number,
): Promise<Buffer> {
  if (entry.uncompressedSize > maxBytes) throw new BadArchive('the entry is too large');
  const { fileDataStart } = await file.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.allocUnsafeSlow(entry.compressedSize);
  if (readAt(packed, fileDataStart) !== packed.length) throw new BadArchive('the archive ends early');
  if (entry.compressionMethod === STORED) return packed;
  if (entry.compressionMethod !== DEFLATED) throw new BadArchive('the archive is compressed in an unknown way');
  if (packed.length === 0) return packed;
  const bytes = await inflate(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
  if (bytes.length !== entry.uncompressedSize) throw new BadArchive('an entry has another size than stated');
  return bytes;
}

/** Runs `work` and throws every failure of it as `BadArchive`. */
async function asBad<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadArchive) throw error;
    throw new BadArchive(error instanceof Error ? error.message : String(error));
  }
}
