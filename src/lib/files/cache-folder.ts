/**
 * A folder of files that can be rebuilt, kept below a number of bytes: the files used longest ago are removed first.
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
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import { createCacheFiles } from './cache/files.ts';
import { type CacheNames, isCacheName, listCached } from './cache/listing.ts';
import { createCacheRoom } from './cache/room.ts';
import { createUsage } from './cache/usage.ts';
import { freeSpace, type OpenFile } from './read.ts';
import { ensurePrivateFolder } from './write.ts';

export interface CacheFolderNeeds extends CacheNames {
  /** An absolute path. Nothing else writes there. */
  folder: string;
  /** Largest size of all files together. */
  maxBytes: number;
  maxFileBytes: number;
  /** Largest part, from 0 to 1, of what the disk has for this folder: its free space and what the folder takes. */
  maxDiskPart?: number;
  /** Free space that is left to others. 64 MiB unless given, below which changes of the database are at risk. */
  minFreeBytes?: number;
  /** False for files that a power cut may take. An empty file then counts as missing. */
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

const MIN_FREE_BYTES = 64 * 1024 ** 2;
const BACKGROUND_PART = 0.9;
/** Time after which a folder that seems full is read again, because it may have been emptied. */
const RELOAD_MS = 60_000;

export function createCacheFolder(needs: CacheFolderNeeds): CacheFolder {
  const { folder, maxFileBytes, isDurable = true, isPinned, log, clock = systemClock, measure = freeSpace } = needs;
  const { maxBytes, maxDiskPart, minFreeBytes = MIN_FREE_BYTES } = needs;
  const usage = createUsage();
  const { files, total } = usage;
  const stored = createCacheFiles({ folder, usage, maxFileBytes, isDurable, log });
  const { pathOf, write, remove } = stored;
  const room = createCacheRoom({
    name: basename(folder),
    maxBytes,
    maxDiskPart,
    minFreeBytes,
    log,
    clock,
    measure: () => measure(folder),
  });
  let opening: Promise<void> | undefined;
  let loadedAt = -Infinity;

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
    usage.replace(before, found);
    await makeRoom(0).catch(() => {});
  }

  /** Keeps the folder within its limits. Fails as `unavailable` when too little of the disk is free. */
  async function makeRoom(bytes: number): Promise<void> {
    await room.count(bytes, total());
    await shrink();
    room.requireFree();
  }
  async function shrink(): Promise<void> {
    if (total() <= room.budget()) return;
    for (const file of files.keys()) {
      if (total() <= room.budget()) return;
      if (isPinned?.(file) !== true) await remove(file);
    }
  }
  async function keep(file: string, bytes: Uint8Array): Promise<boolean> {
    await makeRoom(bytes.length);
    if (bytes.length > room.budget()) return false;
    await write(file, bytes);
    await shrink();
    return true;
  }

  return {
    open,
    has: (file) => files.has(file),
    get: stored.get,
    openFile: stored.openFile,
    put: async (file, bytes) => {
      if (!isCacheName(needs, file)) throw new Error('not a name of this cache');
      if (bytes.length > maxFileBytes || room.isResting()) return false;
      try {
        await open();
        const isKept = await keep(file, bytes).catch(async (error: unknown) => {
          if (!(error instanceof Failure && error.kind === 'missing')) throw error;
          // The group is new, or the folder was emptied.
          await ensurePrivateFolder(dirname(pathOf(file)));
          return keep(file, bytes);
        });
        if (isKept) room.noteSuccess();
        return isKept;
      } catch (error) {
        room.noteFailure(error);
        return false;
      }
    },
    remove,
    removeGroup: async (group) => {
      await open().catch(() => {});
      for (const file of [...files.keys()]) if (group === '' || file.startsWith(`${group}/`)) await remove(file);
    },
    hasRoom: async () => {
      const isRoomy = (): boolean => room.trouble() === undefined && total() < room.budget() * BACKGROUND_PART;
      await open().catch(() => {});
      if (isRoomy() || clock.monotonic() - loadedAt < RELOAD_MS) return isRoomy();
      opening = undefined;
      await open().catch(() => {});
      return isRoomy();
    },
    trouble: room.trouble,
    stats: () => ({ bytes: total(), files: files.size }),
  };
}
