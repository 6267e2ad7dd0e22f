/** Indexes that took a walk through a whole file, one file of the cache for each. Losing them costs another walk. */
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { type CacheFolderNeeds, createCacheFolder } from '../../../lib/files.ts';
import type { IndexData } from '../types.ts';

/** Result of a walk: an index, or the reason why there is none. */
export type WalkResult = { index: IndexData } | { refused: string };

export interface IndexStore {
  /** Returns what is stored of a file; undefined when nothing is, or nothing that can be read. */
  get(identity: string): Promise<WalkResult | undefined>;
  /**
   * Keeps an index, the last few in memory if the disk has no room. One that is larger than an index may be is stored
   * as refused.
   */
  put(identity: string, walked: WalkResult): Promise<void>;
  /** Whether there is room for another index without dropping one. */
  hasRoom(): Promise<boolean>;
  /** Returns why indexes cannot be written at present. */
  trouble(): string | undefined;
}

/** Changes with the meaning of an index. */
const VERSION = 6;
const MIB = 1024 ** 2;
const MAX_BYTES = 256 * MIB;
const MAX_INDEX = 16 * MIB;
const DIGEST = 32;
/** Indexes that are kept when they cannot be written: of the films that are played now. */
const KEPT_IN_MEMORY = 8;

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const nameOf = (identity: string): string =>
  `${createHash('sha256')
    .update(JSON.stringify([VERSION, identity]))
    .digest('hex')
    .slice(0, 40)}.index`;

export function createIndexStore({
  maxBytes = MAX_BYTES,
  ...needs
}: Pick<CacheFolderNeeds, 'folder' | 'log' | 'clock'> & { maxBytes?: number | undefined }): IndexStore {
  const files = createCacheFolder({
    ...needs,
    maxBytes,
    maxFileBytes: MAX_INDEX + DIGEST,
    names: /^[0-9a-f]{40}\.index$/,
    isDurable: false,
  });
  const memory = new Map<string, Buffer>();
  return {
    get: async (identity) => {
      const name = nameOf(identity);
      const here = memory.get(name);
      if (here) return deserialize(here) as WalkResult;
      const bytes = await files.get(name);
      if (!bytes) return undefined;
      try {
        const body = bytes.subarray(DIGEST);
        if (digestOf(body).equals(bytes.subarray(0, DIGEST))) return deserialize(body) as WalkResult;
      } catch {
        // Written by another version of the engine.
      }
      await files.remove(name);
      return undefined;
    },
    put: async (identity, walked) => {
      const full = serialize(walked);
      const body =
        full.length > Math.min(MAX_INDEX, maxBytes)
          ? serialize({ refused: 'its index is too large' } satisfies WalkResult)
          : full;
      const name = nameOf(identity);
      memory.delete(name);
      if (await files.put(name, Buffer.concat([digestOf(body), body]))) return;
      memory.set(name, body);
      const [oldest] = memory.keys();
      if (memory.size > KEPT_IN_MEMORY && oldest !== undefined) memory.delete(oldest);
    },
    trouble: files.trouble,
    hasRoom: files.hasRoom,
  };
}
