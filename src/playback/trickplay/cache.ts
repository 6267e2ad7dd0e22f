/**
 * Packs of pictures on disk, the least recently used dropped first when they grow over their bound. Headers of the packs
 * that were used last are held in memory, so that a sheet costs one read.
 */
import { Failure } from '../../lib/failure.ts';
import { ensurePrivateFolder, freeSpace, listFolder, openForReading, removeFile, statFile, sweepStray, writeWhole } from '../../lib/files.ts';
import { headerLength, PACK_PREFIX, type PackHeader, readHeader, type Slice } from './pack.ts';

export interface PictureCache {
  /** Returns what is in a pack; undefined when there is none, or none that can be read. */
  header(name: string): Promise<PackHeader | undefined>;
  slice(name: string, slice: Slice): Promise<Uint8Array | undefined>;
  /** Writes a pack whole. Fails as writing does, and as `unavailable` when it is larger than the whole bound. */
  put(name: string, pack: Uint8Array): Promise<void>;
  hasRoom(): Promise<boolean>;
}

const GIB = 1024 ** 3;
const MOST_BYTES = 8 * GIB;
const FREE_PART = 0.1;
/** What the background fills of the bound; the rest is for what players ask for. */
const BACKGROUND_PART = 0.9;
const MAX_HEADERS = 64;
const NAME = /^[0-9a-f]{40}\.pictures$/;

export function createPictureCache({ folder, mostBytes }: { folder: string; mostBytes?: number }): PictureCache {
  /** Sizes by name, the least recently used first. */
  const known = new Map<string, number>();
  const headers = new Map<string, PackHeader>();
  let [total, most] = [0, mostBytes ?? MOST_BYTES];
  let opening: Promise<void> | undefined;

  const open = (): Promise<void> => (opening ??= load().catch((error: unknown) => {
    opening = undefined;
    throw error;
  }));
  async function load(): Promise<void> {
    await ensurePrivateFolder(folder);
    await sweepStray(folder);
    const found: { name: string; size: number; at: number }[] = [];
    for (const { name, kind } of await listFolder(folder)) {
      if (kind !== 'file' || !NAME.test(name)) continue;
      const { size, mtimeMs } = await statFile(`${folder}/${name}`);
      found.push({ name, size, at: mtimeMs });
    }
    for (const { name, size } of found.sort((a, b) => a.at - b.at)) note(name, size);
    const { free } = await freeSpace(folder);
    most = mostBytes ?? Math.min(MOST_BYTES, (free + total) * FREE_PART);
  }
  function note(name: string, size: number): void {
    drop(name);
    known.set(name, size);
    total += size;
  }
  function drop(name: string): void {
    total -= known.get(name) ?? 0;
    known.delete(name);
  }
  async function shrink(): Promise<void> {
    for (const name of known.keys()) {
      if (total <= most) return;
      drop(name);
      headers.delete(name);
      await removeFile(`${folder}/${name}`);
    }
  }
  async function readAt(name: string, reads: (read: (slice: Slice) => Promise<Buffer | undefined>, size: number) => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const file = await openForReading(`${folder}/${name}`);
    const read = async ({ at, length }: Slice): Promise<Buffer | undefined> => {
      const bytes = Buffer.alloc(length);
      let filled = 0;
      while (filled < length) {
        const got = await file.read(bytes.subarray(filled), at + filled);
        if (got === 0) return undefined;
        filled += got;
      }
      return bytes;
    };
    try {
      return await reads(read, file.size);
    } finally {
      await file.close();
    }
  }
  async function readPackHeader(name: string): Promise<PackHeader | undefined> {
    let header: PackHeader | undefined;
    await readAt(name, async (read, size) => {
      const prefix = size < PACK_PREFIX ? undefined : await read({ at: 0, length: PACK_PREFIX });
      const length = prefix && headerLength(prefix);
      const json = length === undefined ? undefined : await read({ at: PACK_PREFIX, length });
      header = prefix && json && readHeader(prefix, json, size);
      return undefined;
    });
    return header;
  }
  /** The folder was emptied, or a pack is damaged: it is made again. */
  const lost = (name: string): undefined => {
    drop(name);
    headers.delete(name);
    return undefined;
  };

  return {
    header: async (name) => {
      try {
        await open();
        const size = known.get(name);
        if (size === undefined) return undefined;
        const header = headers.get(name) ?? (await readPackHeader(name));
        if (!header) return lost(name);
        headers.delete(name);
        headers.set(name, header);
        if (headers.size > MAX_HEADERS) headers.delete(headers.keys().next().value ?? '');
        note(name, size);
        return header;
      } catch {
        return lost(name);
      }
    },
    slice: async (name, slice) => {
      try {
        return await readAt(name, (read) => read(slice));
      } catch {
        return lost(name);
      }
    },
    put: async (name, pack) => {
      await open();
      if (pack.length > most) throw new Failure('unavailable', 'there is no room to keep preview pictures');
      try {
        await writeWhole(`${folder}/${name}`, pack);
      } catch (error) {
        // The folder may have been emptied, with the server running.
        opening = undefined;
        throw error;
      }
      headers.delete(name);
      note(name, pack.length);
      await shrink();
    },
    hasRoom: async () => {
      await open().catch(() => {});
      return total < most * BACKGROUND_PART;
    },
  };
}
