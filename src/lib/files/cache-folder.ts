/**
 * A folder of files that can be made again, kept below a number of bytes: the files used longest ago are removed first.
 * Losing it costs work, never data.
 *
 * - A file is there whole or not at all. What a killed writer left behind is removed when the folder is first read.
 * - The order of use survives a restart: a file that is read gets the present as its time of modification, at most once
 *   every ten minutes.
 * - Files and folders with other names are left alone and not counted.
 * - The folder may be emptied while the server runs: its files are then not there, and the next one is written as ever.
 * - On a disk that is full, over its quota, read-only or short of free space nothing more is kept, and it is not asked
 *   again for ten seconds. What is there can still be read. The log says once that this began, and once that it ended.
 */
import { basename, dirname } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { crashPoint } from '../crash.ts';
import { Failure } from '../failure.ts';
import { createKeyedLock } from '../lock.ts';
import type { Log } from '../log.ts';
import { rmdir, unlink, utimes } from './calls.ts';
import { codeOf } from './failure.ts';
import { freeSpace, listFolder, openForReading, type OpenFile, readBounded, statFile } from './read.ts';
import { ensurePrivateFolder, isStray, writeWhole } from './write.ts';

export interface CacheFolderNeeds {
  /** An absolute path. Nothing else writes there. */
  folder: string;
  /** Matches the names of its files. */
  names: RegExp;
  /** Matches the names of its subfolders; a file is then called `group/name`. */
  groups?: RegExp;
  /** Largest size of all files together. */
  maxBytes: number;
  maxFileBytes: number;
  /** Largest part, from 0 to 1, of what the disk has for this folder: its free space and what the folder takes. */
  maxDiskPart?: number;
  /** Free space that is left to others. 64 MiB unless given, below which changes of the database are at risk. */
  minFreeBytes?: number;
  /** False for files that a power cut may take. An empty file is then as good as none. */
  isDurable?: boolean;
  /** Whether a file must stay for now, even above the limit. */
  isPinned?(name: string): boolean;
  log: Pick<Log, 'info' | 'warn' | 'fault'>;
  clock?: Pick<Clock, 'monotonic'>;
  /** Returns the free space, for tests. */
  measure?: (folder: string) => Promise<{ free: number }>;
}

export interface CacheFolder {
  /**
   * Reads in what an earlier run left. `put` and `hasRoom` do so by themselves; `has` and `stats` know nothing before.
   * Fails when the folder cannot be read.
   */
  open(): Promise<void>;
  has(name: string): boolean;
  /** Returns undefined when the file is not there or cannot be read. */
  get(name: string): Promise<Buffer | undefined>;
  /** As `get`, for reading parts. The caller closes it. */
  openFile(name: string): Promise<OpenFile | undefined>;
  /** Returns whether the file is kept. Never fails: a file that is too large or finds no room is not kept. */
  put(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Removes a file, if it is there. */
  remove(name: string): Promise<void>;
  /** Removes all files of a group, or with '' all files. */
  removeGroup(group: string): Promise<void>;
  /**
   * Whether background work may fill the folder further: to nine tenths, so that the rest is for what people ask for.
   */
  hasRoom(): Promise<boolean>;
  /** Returns why files cannot be kept at present. */
  trouble(): string | undefined;
  stats(): { bytes: number; files: number };
}

interface CachedFile {
  size: number;
  /** Its time of modification, in milliseconds. */
  usedMs: number;
}

const MIN_FREE_BYTES = 64 * 1024 ** 2;
const BACKGROUND_PART = 0.9;
/** Bytes that may be written before the free space is measured again. */
const MEASURE_BYTES = 64 * 1024 ** 2;
const RETRY_MS = 10_000;
const STAMP_MS = 10 * 60_000;
/** A folder that seems full is read again after so long, because it may have been emptied. */
const RELOAD_MS = 60_000;

export function createCacheFolder(needs: CacheFolderNeeds): CacheFolder {
  const {
    folder,
    maxBytes,
    maxFileBytes,
    maxDiskPart,
    minFreeBytes = MIN_FREE_BYTES,
    isDurable = true,
    isPinned,
    log,
    clock = systemClock,
    measure = freeSpace,
  } = needs;
  const name = basename(folder);
  const { files, note, forget, replace, total } = createUsage();
  /** Writing and removing one file take turns. Neither waits for another file while it has its turn. */
  const locks = createKeyedLock();
  /** Files that are being removed: reading one waits until it is gone. */
  const removing = new Map<string, Promise<void>>();
  let budget = maxBytes;
  let unmeasured = Infinity;
  let opening: Promise<void> | undefined;
  let loadedAt = -Infinity;
  let trouble: { since: number; why: string } | undefined;

  const pathOf = (file: string): string => `${folder}/${file}`;

  const open = (): Promise<void> =>
    (opening ??= load().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  async function load(): Promise<void> {
    const before = new Set(files.keys());
    // A folder that cannot be made or written to may still be readable.
    const unwritable: unknown = await ensurePrivateFolder(folder).then(
      () => undefined,
      (error: unknown) => error,
    );
    const found = await listCached(needs, loadedAt === -Infinity).catch((error: unknown) => {
      throw unwritable ?? error;
    });
    loadedAt = clock.monotonic();
    replace(before, found);
    await makeRoom(0).catch(() => {});
  }

  /**
   * Measures the disk now and then, and keeps the folder within its limits. Fails as `unavailable` when too little is
   * free.
   */
  async function makeRoom(bytes: number): Promise<void> {
    unmeasured += bytes;
    if (unmeasured >= MEASURE_BYTES) {
      const { free } = await measure(folder);
      budget = maxDiskPart === undefined ? maxBytes : Math.min(maxBytes, (free + total()) * maxDiskPart);
      unmeasured = free < minFreeBytes ? Infinity : 0;
    }
    await shrink();
    if (unmeasured === Infinity)
      throw new Failure('unavailable', `less than ${Math.round(minFreeBytes / 1024 ** 2)} MiB is free`, {
        reason: 'disk-full',
      });
  }
  async function shrink(): Promise<void> {
    if (total() <= budget) return;
    for (const file of files.keys()) {
      if (total() <= budget) return;
      if (isPinned?.(file) !== true) await remove(file);
    }
  }
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
        codeOf(error) === 'ENOENT' || log.warn('cache.not-removed', { cache: name, code: codeOf(error) }),
    );
    crashPoint('files.remove.unlinked', () => pathOf(file));
    // Fails while there is another file in the group.
    if (file.includes('/')) await rmdir(dirname(pathOf(file))).catch(() => {});
  }
  async function write(file: string, bytes: Uint8Array): Promise<boolean> {
    await makeRoom(bytes.length);
    if (bytes.length > budget) return false;
    await locks.run(file, async () => {
      await writeWhole(pathOf(file), bytes, { isDurable });
      note(file, { size: bytes.length, usedMs: Date.now() });
    });
    await shrink();
    return true;
  }
  function noteTrouble(error: unknown): void {
    if (!(error instanceof Failure)) log.fault('cache.failed', error, { cache: name });
    const why = error instanceof Error ? error.message : 'the disk cannot be written to';
    if (!trouble) log.warn('cache.full', { cache: name, why });
    trouble = { since: clock.monotonic(), why };
    unmeasured = Infinity;
  }
  /** Moves a file to the end of the order of use. `known` is what was known of it before it was read. */
  async function use(file: string, size: number, known: CachedFile | undefined): Promise<void> {
    // It was replaced or removed meanwhile.
    if (files.get(file) !== known) return;
    const now = Date.now();
    const isFresh = known !== undefined && Math.abs(now - known.usedMs) < STAMP_MS;
    note(file, { size, usedMs: isFresh ? known.usedMs : now });
    if (!isFresh) await utimes(pathOf(file), now).catch(() => {});
  }
  /** Reads a file. One that is not there any more, or has another size than was written, is none. */
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
    open,
    has: (file) => files.has(file),
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
    put: async (file, bytes) => {
      if (!isName(needs, file)) throw new Error('not a name of this cache');
      if (bytes.length > maxFileBytes || (trouble && clock.monotonic() - trouble.since < RETRY_MS)) return false;
      try {
        await open();
        const isKept = await write(file, bytes).catch(async (error: unknown) => {
          if (!(error instanceof Failure && error.kind === 'missing')) throw error;
          // The group is new, or the folder was emptied.
          await ensurePrivateFolder(dirname(pathOf(file)));
          return write(file, bytes);
        });
        if (isKept && trouble) {
          log.info('cache.room', { cache: name });
          trouble = undefined;
        }
        return isKept;
      } catch (error) {
        noteTrouble(error);
        return false;
      }
    },
    remove,
    removeGroup: async (group) => {
      await open().catch(() => {});
      for (const file of [...files.keys()]) if (group === '' || file.startsWith(`${group}/`)) await remove(file);
    },
    hasRoom: async () => {
      const isRoomy = (): boolean => trouble === undefined && total() < budget * BACKGROUND_PART;
      await open().catch(() => {});
      if (isRoomy() || clock.monotonic() - loadedAt < RELOAD_MS) return isRoomy();
      opening = undefined;
      await open().catch(() => {});
      return isRoomy();
    },
    trouble: () => trouble?.why,
    stats: () => ({ bytes: total(), files: files.size }),
  };
}

/** Files by name, the one used longest ago first, and the sum of their sizes. */
function createUsage() {
  const files = new Map<string, CachedFile>();
  let bytes = 0;
  const forget = (name: string): void => {
    bytes -= files.get(name)?.size ?? 0;
    files.delete(name);
  };
  const note = (name: string, file: CachedFile): void => {
    forget(name);
    files.set(name, file);
    bytes += file.size;
  };
  return {
    files,
    forget,
    note,
    total: () => bytes,
    /** Puts what was found in place of the names of before. Names that were noted since stay the last. */
    replace: (before: ReadonlySet<string>, found: readonly (CachedFile & { name: string })[]): void => {
      const since = [...files].filter(([name]) => !before.has(name));
      for (const name of before) forget(name);
      for (const { name, ...file } of [...found].sort((a, b) => a.usedMs - b.usedMs)) note(name, file);
      for (const [name, file] of since) note(name, file);
    },
  };
}

function isName({ names, groups }: Pick<CacheFolderNeeds, 'names' | 'groups'>, file: string): boolean {
  const [first = '', ...rest] = file.split('/');
  return groups
    ? groups.test(first) && rest.length === 1 && names.test(rest[0] ?? '')
    : rest.length === 0 && names.test(first);
}

/** `isFirst`: no writer is at work yet, so what a killed one left behind is removed. */
async function listCached(
  { folder, names, groups, isDurable = true }: CacheFolderNeeds,
  isFirst: boolean,
): Promise<(CachedFile & { name: string })[]> {
  const found: (CachedFile & { name: string })[] = [];
  const lookAt = async (name: string, own: string): Promise<void> => {
    const path = `${folder}/${name}`;
    if (isStray(own)) {
      if (isFirst) await unlink(path).catch(() => {});
      return crashPoint('files.remove.unlinked', () => path);
    }
    // It may have been removed meanwhile.
    const stat = names.test(own) ? await statFile(path).catch(() => undefined) : undefined;
    if (!stat) return;
    if (stat.size > 0 || isDurable) found.push({ name, size: stat.size, usedMs: stat.mtimeMs });
    else await unlink(path).catch(() => {});
  };
  for (const { name, kind } of await listFolder(folder)) {
    if (kind === 'file' && (!groups || isStray(name))) await lookAt(name, name);
    if (kind !== 'folder' || !groups?.test(name)) continue;
    for (const entry of await listFolder(`${folder}/${name}`).catch(() => []))
      if (entry.kind === 'file') await lookAt(`${name}/${entry.name}`, entry.name);
    // Fails unless the group is empty.
    if (isFirst) await rmdir(`${folder}/${name}`).catch(() => {});
  }
  return found;
}
