/**
 * Preserved bytes: subtitles before they were replaced, and downloads and imports before they were rewritten.
 *
 * Stored in the server's data folder under their SHA-256 (`subtitles/ab/<sha256>`), readable only by the server,
 * written completely and synced to disk before a caller relies on them, and compared with their name on every read.
 * Unreferenced files are removed at start, except those added since the start.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';
import {
  ensurePrivateFolder,
  isStray,
  isThere,
  listFolder,
  readBounded,
  removeFile,
  sweepStray,
  writeWhole,
} from '../../lib/files.ts';

/** Maximum size of preserved bytes. No subtitle is as large. */
export const MAX_PRESERVED_BYTES = 8 * 1024 * 1024;

export interface PreservedBytes {
  /** Stores bytes and returns their SHA-256 in hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** Throws `Failure('conflict')` if the bytes are missing or damaged. */
  get(content: string): Promise<Buffer>;
  has(content: string): Promise<boolean>;
  /** Removes unreferenced files and the temporary files of killed writers. Returns the number of removed files. */
  sweep(referenced: ReadonlySet<string>): Promise<number>;
}

export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function createPreserved(data: string): PreservedBytes {
  const folder = `${data}/subtitles`;
  const addedSinceStart = new Set<string>();
  const folderFor = (content: string): string => `${folder}/${content.slice(0, 2)}`;
  const path = (content: string): string => `${folderFor(content)}/${content}`;
  const read = async (content: string): Promise<Buffer | undefined> => {
    const bytes = await readBounded(path(content), MAX_PRESERVED_BYTES).catch((error: unknown) => {
      if (error instanceof Failure && error.kind !== 'unavailable') return undefined;
      throw error;
    });
    return bytes && contentHash(bytes) === content ? bytes : undefined;
  };
  return {
    put: async (bytes) => {
      if (bytes.byteLength > MAX_PRESERVED_BYTES)
        throw new Failure('conflict', 'the subtitle is too large to be preserved', { reason: 'file-too-large' });
      const content = contentHash(bytes);
      addedSinceStart.add(content);
      // A damaged file is written again.
      if ((await read(content)) !== undefined) return content;
      try {
        await ensurePrivateFolder(folderFor(content));
        await writeWhole(path(content), bytes);
      } catch (error) {
        throw error instanceof Failure
          ? new Failure(
              'unavailable',
              'the server has no room to preserve the current subtitle, so nothing was changed',
              { reason: 'no-room-to-preserve' },
              { cause: error },
            )
          : error;
      }
      return content;
    },
    get: async (content) => {
      const bytes = await read(content);
      if (!bytes)
        throw new Failure('gone', 'the preserved subtitle is missing', {
          reason: 'preserved-bytes-lost',
        });
      return bytes;
    },
    has: (content) => isThere(path(content)),
    sweep: async (referenced) => {
      if (!(await isThere(folder))) return 0;
      let swept = 0;
      for (const { name, kind } of await listFolder(folder)) {
        if (kind !== 'folder' || !/^[0-9a-f]{2}$/.test(name)) continue;
        const inner = `${folder}/${name}`;
        swept += await sweepStray(inner);
        for (const file of await listFolder(inner)) {
          if (file.kind !== 'file' || isStray(file.name) || referenced.has(file.name) || addedSinceStart.has(file.name))
            continue;
          await removeFile(`${inner}/${file.name}`);
          swept++;
        }
      }
      return swept;
    },
  };
}
