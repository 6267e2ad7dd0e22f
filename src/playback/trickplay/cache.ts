/**
 * Packs of pictures in the cache. Headers of the packs that were used last are held in memory, so that a sheet costs
 * one read.
 */
import { Failure } from '../../lib/failure.ts';
import { type CacheFolderNeeds, createCacheFolder, type OpenFile, readPart } from '../../lib/files.ts';
import { headerLength, PACK_PREFIX, type PackHeader, readPackHeader, type Slice } from './pack.ts';

export interface PictureCache {
  /** Returns what is in a pack; undefined when there is none, or none that can be read. */
  header(name: string): Promise<PackHeader | undefined>;
  slice(name: string, slice: Slice): Promise<Uint8Array | undefined>;
  /** Writes a pack whole. Fails as `unavailable` when it cannot be kept. */
  put(name: string, pack: Uint8Array): Promise<void>;
  hasRoom(): Promise<boolean>;
  /** Returns why packs cannot be kept at present. */
  trouble(): string | undefined;
}

const MAX_BYTES = 8 * 1024 ** 3;
const MAX_DISK_PART = 0.1;
const MAX_HEADERS = 64;

export function createPictureCache({
  maxBytes,
  ...needs
}: Pick<CacheFolderNeeds, 'folder' | 'log' | 'clock'> & { maxBytes?: number | undefined }): PictureCache {
  const limits = maxBytes === undefined ? { maxBytes: MAX_BYTES, maxDiskPart: MAX_DISK_PART } : { maxBytes };
  const files = createCacheFolder({
    ...needs,
    ...limits,
    names: /^[0-9a-f]{40}\.pictures$/,
    maxFileBytes: limits.maxBytes,
  });
  const headers = new Map<string, PackHeader>();

  /** A pack that cannot be read is made again. */
  async function read<T>(name: string, from: (file: OpenFile) => Promise<T | undefined>): Promise<T | undefined> {
    const file = await files.openFile(name);
    const found =
      file &&
      (await from(file)
        .catch(() => undefined)
        .finally(() => file.close()));
    if (found === undefined) headers.delete(name);
    if (file && found === undefined) await files.remove(name);
    return found;
  }
  const slice = async (file: OpenFile, { at, length }: Slice): Promise<Buffer | undefined> => {
    const bytes = await readPart(file, at, length);
    return bytes.length === length ? bytes : undefined;
  };
  async function headerOf(file: OpenFile): Promise<PackHeader | undefined> {
    const prefix = await slice(file, { at: 0, length: PACK_PREFIX });
    const length = prefix && headerLength(prefix);
    const json = length === undefined ? undefined : await slice(file, { at: PACK_PREFIX, length });
    return prefix && json && readPackHeader(prefix, json, file.size);
  }

  return {
    header: async (name) => {
      const header = await read(name, async (file) => headers.get(name) ?? headerOf(file));
      if (!header) return undefined;
      headers.delete(name);
      headers.set(name, header);
      if (headers.size > MAX_HEADERS) headers.delete(headers.keys().next().value ?? '');
      return header;
    },
    slice: (name, part) => read(name, (file) => slice(file, part)),
    put: async (name, pack) => {
      headers.delete(name);
      if (!(await files.put(name, pack)))
        throw new Failure('unavailable', 'there is no room to keep preview pictures', { reason: 'no-room' });
    },
    hasRoom: files.hasRoom,
    trouble: files.trouble,
  };
}
