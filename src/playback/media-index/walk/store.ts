/**
 * Indexes that took a walk through a whole file, one file of the cache for each: written whole, under a limit, the ones
 * used longest ago going first. Losing them costs another walk.
 */
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { ensurePrivateFolder, listFolder, readBounded, removeFile, removeFolder, statFile, writeWhole } from '../../../lib/files.ts';
import type { IndexData } from '../types.ts';

/** What a walk found: an index, or why there is none. */
export type Walked = { index: IndexData } | { refused: string };

export interface IndexStore {
  /** Returns what is stored of a file; undefined when nothing is, or nothing that can be read. */
  get(identity: string): Promise<Walked | undefined>;
  /** Fails as writing does. One that is larger than an index may be is stored as refused. */
  put(identity: string, walked: Walked): Promise<void>;
  /** Whether there is room for another index without dropping one. */
  hasRoom(): Promise<boolean>;
}

/** Changes with the meaning of an index. */
const VERSION = 1;
const MIB = 1024 ** 2;
const MAX_BYTES = 256 * MIB;
const MAX_INDEX = 16 * MIB;
const NAME = /^[0-9a-f]{40}\.index$/;
const DIGEST = 32;
/** What the background may fill. */
const BACKGROUND_PART = 0.9;

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const nameOf = (identity: string): string => `${createHash('sha256').update(JSON.stringify([VERSION, identity])).digest('hex').slice(0, 40)}.index`;

export function createIndexStore({ folder, maxBytes = MAX_BYTES }: { folder: string; maxBytes?: number }): IndexStore {
  /** Sizes by name, the one used longest ago first. */
  const known = new Map<string, number>();
  let total = 0;
  let opening: Promise<void> | undefined;

  const open = (): Promise<void> => (opening ??= load().catch((error: unknown) => {
    opening = undefined;
    throw error;
  }));
  /** Takes in what an earlier run left, and removes what has no name of ours: leftovers of writers that were ended, too. */
  async function load(): Promise<void> {
    await ensurePrivateFolder(folder);
    const found: { name: string; size: number; at: number }[] = [];
    for (const { name, kind } of await listFolder(folder)) {
      if (kind === 'file' && NAME.test(name)) {
        const { size, mtimeMs } = await statFile(`${folder}/${name}`);
        found.push({ name, size, at: mtimeMs });
      } else await (kind === 'folder' ? removeFolder(`${folder}/${name}`) : removeFile(`${folder}/${name}`));
    }
    for (const { name, size } of found.sort((a, b) => a.at - b.at)) note(name, size);
    await shrink();
  }
  function drop(name: string): void {
    total -= known.get(name) ?? 0;
    known.delete(name);
  }
  function note(name: string, size: number): void {
    drop(name);
    known.set(name, size);
    total += size;
  }
  async function shrink(): Promise<void> {
    for (const name of [...known.keys()]) {
      if (total <= maxBytes) return;
      drop(name);
      await removeFile(`${folder}/${name}`);
    }
  }

  return {
    get: async (identity) => {
      const name = nameOf(identity);
      try {
        await open();
        const size = known.get(name);
        if (size === undefined) return undefined;
        const bytes = await readBounded(`${folder}/${name}`, MAX_INDEX + DIGEST);
        const body = bytes.subarray(DIGEST);
        if (!digestOf(body).equals(bytes.subarray(0, DIGEST))) throw new Error('a damaged index');
        note(name, size);
        return deserialize(body) as Walked;
      } catch {
        // The folder was emptied, or the file is damaged: it is walked again.
        drop(name);
        return undefined;
      }
    },
    put: async (identity, walked) => {
      await open();
      const full = serialize(walked);
      const body = full.length > Math.min(MAX_INDEX, maxBytes) ? serialize({ refused: 'its index is too large' } satisfies Walked) : full;
      const name = nameOf(identity);
      try {
        await writeWhole(`${folder}/${name}`, Buffer.concat([digestOf(body), body]), { isDurable: false });
      } catch (error) {
        // The folder may have been emptied, with the server running.
        opening = undefined;
        throw error;
      }
      note(name, body.length + DIGEST);
      await shrink();
    },
    hasRoom: async () => {
      await open().catch(() => {});
      return total < maxBytes * BACKGROUND_PART;
    },
  };
}
