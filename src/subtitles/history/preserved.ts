/**
 * Bytes that are kept: what a subtitle was before it was replaced, and what came from outside before it was rewritten.
 *
 * Below the server's data folder, each under its own SHA-256 (`subtitles/ab/<sha256>`), private to the server, written
 * whole and forced to the disk before anybody relies on it, and compared with its name whenever it is read. What
 * nothing refers to any more is swept at the start; what was put here since is never swept.
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

/** More than any subtitle. */
export const MOST_BYTES = 8 * 1024 * 1024;

export interface PreservedBytes {
  /** Gives the SHA-256 under which they are found again, hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** Fails as `conflict` when they are not there, or are not what they were. */
  get(content: string): Promise<Buffer>;
  has(content: string): Promise<boolean>;
  /** Removes what nothing refers to, and what killed writers left. Gives how many. */
  sweep(referenced: ReadonlySet<string>): Promise<number>;
}

export const contentOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function createPreserved(data: string): PreservedBytes {
  const folder = `${data}/subtitles`;
  const fresh = new Set<string>();
  const shelf = (content: string): string => `${folder}/${content.slice(0, 2)}`;
  const path = (content: string): string => `${shelf(content)}/${content}`;
  const read = async (content: string): Promise<Buffer | undefined> => {
    const bytes = await readBounded(path(content), MOST_BYTES).catch((error: unknown) => {
      if (error instanceof Failure && error.kind !== 'unavailable') return undefined;
      throw error;
    });
    return bytes && contentOf(bytes) === content ? bytes : undefined;
  };
  return {
    put: async (bytes) => {
      if (bytes.byteLength > MOST_BYTES)
        throw new Failure('conflict', 'the subtitle is too large to be preserved', { reason: 'file-too-large' });
      const content = contentOf(bytes);
      fresh.add(content);
      // One that is there and damaged is written anew.
      if ((await read(content)) !== undefined) return content;
      try {
        await ensurePrivateFolder(shelf(content));
        await writeWhole(path(content), bytes);
      } catch (error) {
        throw error instanceof Failure
          ? new Failure(
              'conflict',
              'the server has no room to preserve what is there, so nothing was changed',
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
        throw new Failure('conflict', 'the preserved subtitle is not there any more', {
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
          if (file.kind !== 'file' || isStray(file.name) || referenced.has(file.name) || fresh.has(file.name)) continue;
          await removeFile(`${inner}/${file.name}`);
          swept++;
        }
      }
      return swept;
    },
  };
}
