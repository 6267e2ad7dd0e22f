/**
 * Opens comics in RAR and 7z archives with libarchive, in the shape of a zip archive.
 *
 * It runs in helper processes only. The archive lies in the library's own memory, one instance for each, so that a
 * damaged file which traps it is dropped with its instance. Pages are mostly asked for in the order of the archive:
 * the next one is unpacked from where the last one ended, and only a step back begins from the start.
 */
import type { LibarchiveWasm } from 'libarchive-wasm';
import {
  BadArchive,
  EncryptedArchive,
  MAX_ENTRIES,
  MAX_ENTRY_BYTES,
  type ReadArchiveAt,
  type Zip,
} from '../archive/zip.ts';

/** The library needs all of it in memory. */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;
const MAX_RATIO = 200;
const MAX_NAME_LENGTH = 1024;
const REGULAR_FILE = 0o100000;

/** Returns the format of an archive by its first bytes; undefined if it is neither RAR nor 7z. */
export function packedFormat(head: Uint8Array): 'cbr' | 'cb7' | undefined {
  const start = Buffer.from(head.subarray(0, 7)).toString('latin1');
  // Version 4 has a 0 here, version 5 a 1 and then a 0.
  if (start.startsWith('Rar!\x1a\x07')) return 'cbr';
  return start.startsWith('7z\xbc\xaf\x27\x1c') ? 'cb7' : undefined;
}

interface PackedEntry {
  name: string;
  size: number;
  /** Place among all entries, folders included. */
  index: number;
}

/** Opens an archive. All of it is read before this returns. Throws `BadArchive`, or `EncryptedArchive`. */
export async function openPacked(size: number, readAt: ReadArchiveAt): Promise<Zip> {
  if (size > MAX_ARCHIVE_BYTES) throw new BadArchive('the archive is too large');
  const { libarchiveWasm } = await import('libarchive-wasm');
  const library = await libarchiveWasm();
  const at = library.module._malloc(size);
  if (at === 0) throw new BadArchive('the archive is too large');
  if (readAt(Buffer.from(library.module.HEAP8.buffer, at, size), 0) !== size)
    throw new BadArchive('the archive ends early');
  const archive = createWalk(library, { at, size });
  const byName = listed(archive, size);
  return {
    entries: [...byName.values()],
    find: (name) => byName.get(name),
    read: async ({ name }, maxBytes = MAX_ENTRY_BYTES) => {
      const entry = byName.get(name);
      if (!entry) throw new BadArchive('no such entry');
      if (entry.size > maxBytes) throw new BadArchive('the entry is too large');
      return archive.read(entry);
    },
  };
}

interface Header extends PackedEntry {
  isFile: boolean;
  isFolder: boolean;
  isEncrypted: boolean;
}
interface Walk {
  /** Returns every header, from the first one on. */
  headers(): Generator<Header, void, undefined>;
  read(entry: PackedEntry): Buffer;
}

function createWalk(library: LibarchiveWasm, { at, size }: { at: number; size: number }): Walk {
  const { module } = library;
  let open: { archive: number; next: number } | undefined;

  /** A trap leaves the memory of the library as it was in the middle of its work: nothing of it is used again. */
  let isBroken = false;
  const guarded = <T>(work: () => T): T => {
    if (isBroken) throw new BadArchive('the archive is damaged');
    try {
      return work();
    } catch (error) {
      if (error instanceof BadArchive) throw error;
      isBroken = error instanceof Error && error.name === 'RuntimeError';
      open = undefined;
      throw new BadArchive('the archive is damaged');
    }
  };
  const begin = () => {
    if (open) library.read_free(open.archive);
    open = { archive: library.read_new_memory(at, size), next: 0 };
    return open;
  };
  const step = (walk: { archive: number; next: number }): number => {
    walk.next += 1;
    return library.read_next_entry(walk.archive);
  };

  return {
    *headers() {
      const walk = guarded(begin);
      for (let index = 0; ; index++) {
        const header = guarded((): Header | undefined => {
          const entry = step(walk);
          if (entry === 0) {
            if (library.read_has_encrypted_entries(walk.archive) > 0)
              throw new EncryptedArchive('the archive is encrypted');
            return undefined;
          }
          const type = library.entry_filetype(entry);
          // Missing if it is not in Unicode and cannot be converted.
          const name = (library.entry_pathname(entry) as string | null) ?? '';
          return {
            name: name.replaceAll('\\', '/'),
            size: library.entry_size(entry),
            index,
            isFile: type === REGULAR_FILE,
            isFolder: type === 0o40000,
            isEncrypted: library.entry_is_encrypted(entry) !== 0,
          };
        });
        if (!header) return;
        yield header;
      }
    },
    read: ({ index, size: wanted }) =>
      guarded(() => {
        if (wanted === 0) return Buffer.alloc(0);
        const walk = open && open.next <= index ? open : begin();
        while (walk.next < index) if (step(walk) === 0) throw new BadArchive('the archive ends early');
        if (step(walk) === 0) throw new BadArchive('the archive ends early');
        const into = module._malloc(wanted);
        if (into === 0) throw new BadArchive('the entry is too large');
        try {
          if (library.read_data(walk.archive, into, wanted) !== wanted) throw new BadArchive('the archive ends early');
          return Buffer.from(module.HEAP8.slice(into, into + wanted).buffer);
        } finally {
          module._free(into);
        }
      }),
  };
}

function listed(archive: Walk, size: number): Map<string, PackedEntry> {
  const found = new Map<string, PackedEntry>();
  let total = 0;
  for (const { name, size: unpacked, index, isFile, isFolder, isEncrypted } of archive.headers()) {
    if (index >= MAX_ENTRIES) throw new BadArchive('the archive has too many entries');
    if (isEncrypted) throw new EncryptedArchive('the archive is encrypted');
    if (name.length > MAX_NAME_LENGTH || name.includes('\0'))
      throw new BadArchive('the archive has an impossible name');
    if (isFolder) continue;
    if (!isFile) throw new BadArchive('the archive contains a link or a device');
    if (!Number.isSafeInteger(unpacked) || unpacked < 0 || unpacked > MAX_ENTRY_BYTES)
      throw new BadArchive('the archive has an entry that is too large');
    total += unpacked;
    if (total > MAX_RATIO * size) throw new BadArchive('the archive has an implausible compression ratio');
    if (name === '') continue;
    if (found.has(name)) throw new BadArchive('the archive repeats a name');
    found.set(name, { name, size: unpacked, index });
  }
  return found;
}
