/**
 * Subtitles that were made once: extracted from a file, or converted. Whole files only, named by what they
 * were made from, so that a changed video has other names and nothing has to be thrown away for it.
 * Bounded: beyond its size the least recently used go. Losing it costs work, never data.
 */
import { createHash } from 'node:crypto';
import { ensurePrivateFolder, listFolder, readBounded, removeFile, statFile, sweepStray, writeWhole } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';

/** What something is made from: any change of it is another name. */
export interface Source {
  root: string;
  relative: string;
  size: number;
  mtimeMs: number;
  ino: number;
}

export interface SubtitleCache {
  get(name: string): Promise<Buffer | undefined>;
  /** A failure to keep it is logged and otherwise nothing: it is a cache. */
  put(name: string, bytes: Uint8Array): Promise<void>;
}

const LARGEST = 64 * 1024 * 1024;
const NAME = /^[0-9a-f]{40}\.[a-z]{3,8}$/;

/** The name of what was made from a source; `what` says which track and which form of it. */
export const cacheName = ({ root, relative, size, mtimeMs, ino }: Source, what: string, extension: string): string =>
  `${createHash('sha256').update(JSON.stringify([1, root, relative, size, mtimeMs, ino, what])).digest('hex').slice(0, 40)}.${extension}`;

export function createSubtitleCache({ folder, log, mostBytes = 512 * 1024 * 1024 }: { folder: string; log: Log; mostBytes?: number }): SubtitleCache {
  /** Names and sizes, the least recently used first. */
  const known = new Map<string, number>();
  let total = 0;
  let opening: Promise<void> | undefined;

  const open = () => (opening ??= load().catch((error: unknown) => {
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
  }
  function note(name: string, size: number): void {
    forget(name);
    known.set(name, size);
    total += size;
  }
  function forget(name: string): void {
    total -= known.get(name) ?? 0;
    known.delete(name);
  }
  async function shrink(): Promise<void> {
    for (const name of known.keys()) {
      if (total <= mostBytes) return;
      forget(name);
      await removeFile(`${folder}/${name}`);
    }
  }

  return {
    get: async (name) => {
      try {
        await open();
        const size = known.get(name);
        if (size === undefined) return undefined;
        const bytes = await readBounded(`${folder}/${name}`, LARGEST);
        note(name, bytes.length);
        return bytes;
      } catch {
        // Somebody emptied the folder, or it cannot be read: it is made again.
        forget(name);
        opening = known.size === 0 ? undefined : opening;
        return undefined;
      }
    },
    put: async (name, bytes) => {
      if (bytes.length > Math.min(LARGEST, mostBytes)) return;
      try {
        await open();
        await writeWhole(`${folder}/${name}`, bytes);
        note(name, bytes.length);
        await shrink();
      } catch (error) {
        opening = undefined;
        log.fault('playback.cache', error);
      }
    },
  };
}
