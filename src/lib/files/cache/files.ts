/**
 * Files of a cache folder, in step with the table of their use: a file that is written, read or removed is recorded as
 * such, and one that differs from its record is removed.
 *
 * Writing and removing one file take turns, and reading a file waits until its removal has ended.
 */
import { basename, dirname } from 'node:path';
import { crashPoint } from '../../crash.ts';
import { createKeyedLock } from '../../lock.ts';
import type { Log } from '../../log.ts';
import { rmdir, unlink, utimes } from '../calls.ts';
import { codeOf } from '../failure.ts';
import { openForReading, type OpenFile, readBounded } from '../read.ts';
import { writeWhole } from '../write.ts';
import type { FileUse, CacheUsage } from './usage.ts';

export interface CacheFilesNeeds {
  folder: string;
  usage: CacheUsage;
  maxFileBytes: number;
  isDurable: boolean;
  log: Pick<Log, 'warn'>;
}

export interface CacheFiles {
  pathOf(file: string): string;
  /** Reads a file. Returns undefined if it is gone or has another size than the one written. */
  get(file: string): Promise<Buffer | undefined>;
  /** As `get`, for reading parts. The caller closes it. */
  openFile(file: string): Promise<OpenFile | undefined>;
  write(file: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file, and its group if it was the last one there. */
  remove(file: string): Promise<void>;
}

const STAMP_MS = 10 * 60_000;

export function createCacheFiles({ folder, usage, maxFileBytes, isDurable, log }: CacheFilesNeeds): CacheFiles {
  const { files, note, forget } = usage;
  /** Neither waits for another file while it has its turn. */
  const locks = createKeyedLock();
  const removing = new Map<string, Promise<void>>();

  const pathOf = (file: string): string => `${folder}/${file}`;
  function remove(file: string): Promise<void> {
    forget(file);
    const done: Promise<void> = locks
      .run(file, () => unlinkFile(file))
      .finally(() => removing.get(file) === done && removing.delete(file));
    removing.set(file, done);
    return done;
  }
  async function unlinkFile(file: string): Promise<void> {
    forget(file);
    await unlink(pathOf(file)).catch(
      (error: unknown) =>
        codeOf(error) === 'ENOENT' || log.warn('cache.not-removed', { cache: basename(folder), code: codeOf(error) }),
    );
    crashPoint('files.remove.unlinked', () => pathOf(file));
    // Fails while there is another file in the group.
    if (file.includes('/')) await rmdir(dirname(pathOf(file))).catch(() => {});
  }
  /** Moves a file to the end of the order of use. `known` is what was known of it before it was read. */
  async function use(file: string, size: number, known: FileUse | undefined): Promise<void> {
    // It was replaced or removed in the meantime.
    if (files.get(file) !== known) return;
    const now = Date.now();
    const isFresh = known !== undefined && Math.abs(now - known.usedMs) < STAMP_MS;
    note(file, { size, usedMs: isFresh ? known.usedMs : now });
    if (!isFresh) await utimes(pathOf(file), now).catch(() => {});
  }

  async function read<T>(
    file: string,
    from: (path: string) => Promise<T>,
    sizeOf: (read: T) => number,
  ): Promise<T | undefined> {
    const known = files.get(file);
    await removing.get(file);
    try {
      const found = await from(pathOf(file));
      const size = sizeOf(found);
      if (known === undefined ? size === 0 && !isDurable : known.size !== size && files.get(file) === known)
        return void (await remove(file));
      await use(file, size, known);
      return found;
    } catch {
      if (files.get(file) === known) forget(file);
      return undefined;
    }
  }

  return {
    pathOf,
    remove,
    write: (file, bytes) =>
      locks.run(file, async () => {
        await writeWhole(pathOf(file), bytes, { isDurable });
        note(file, { size: bytes.length, usedMs: Date.now() });
      }),
    get: (file) =>
      read(
        file,
        (path) => readBounded(path, maxFileBytes),
        ({ length }) => length,
      ),
    openFile: async (file) => {
      let opened: OpenFile | undefined;
      const found = await read(
        file,
        async (path) => (opened = await openForReading(path)),
        ({ size }) => size,
      );
      if (!found) await opened?.close();
      return found;
    },
  };
}
