/**
 * Segments that were made, in `streams/<stream>/<n>.m4s`: whole files only, under a budget, the ones used longest ago
 * going first. When the disk has no room, the last segments of each stream are kept in memory and playback goes on.
 */
import { ensurePrivateFolder, freeSpace, listFolder, readBounded, removeFile, removeFolder, statFile, writeWhole } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const MAX_BUDGET = 10 * GIB;
const LEAST_FREE = GIB;
const MAX_SEGMENT = 256 * MIB;
/** Segments of a stream that are kept when they cannot be written. */
const KEPT_IN_MEMORY = 30;
/** How many written bytes may pass before the disk is asked for its room again, and how long a full one is left alone. */
const MEASURE_BYTES = 64 * MIB;
const RETRY_MS = 10_000;

const FOLDER_NAME = /^[0-9a-f]{40}$/;
const FILE_NAME = /^(0|[1-9]\d{0,5})\.m4s$/;

export interface SegmentCache {
  /** Whether the segment is there. Resolves once the folder has been read. */
  open(): Promise<void>;
  has(stream: string, index: number): boolean;
  get(stream: string, index: number): Promise<Buffer | undefined>;
  /** Keeps a segment, in memory if the disk has no room. Never fails. */
  put(stream: string, index: number, bytes: Buffer): Promise<void>;
  /** Makes a segment be made again. */
  forget(stream: string, index: number): void;
  /** Removes a stream, because its file changed. */
  drop(stream: string): Promise<void>;
  /** Whether segments cannot be written, and why; for diagnostics. */
  trouble(): string | undefined;
  stats(): { bytes: number; segments: number; inMemory: number };
}

export interface CacheNeeds {
  /** `streams` in the cache of the server. */
  folder: string;
  log: Log;
  /** Whether a segment is near a place that is being watched, and must stay. */
  isWatched(stream: string, index: number): boolean;
  /** Milliseconds; monotonic. */
  now(): number;
  /** Bytes that may be used, instead of what the disk allows; and the disk's room, for tests. */
  budget?: number;
  measure?: (folder: string) => Promise<{ free: number }>;
}

interface Known {
  stream: string;
  index: number;
  size: number;
}

export function createSegmentCache({ folder, log, isWatched, now, budget, measure = freeSpace }: CacheNeeds): SegmentCache {
  /** On the disk, the one used longest ago first. */
  const known = new Map<string, Known>();
  /** Being written, or kept here because they cannot be; by stream, the oldest first. */
  const memory = new Map<string, Map<number, Buffer>>();
  const folders = new Map<string, Promise<void>>();
  let opening: Promise<void> | undefined;
  let total = 0;
  let room = { budget: budget ?? MAX_BUDGET, sinceMeasure: Infinity };
  let full: { since: number; why: string } | undefined;

  const pathOf = ({ stream, index }: Pick<Known, 'stream' | 'index'>): string => `${folder}/${stream}/${index}.m4s`;
  const keyOf = (stream: string, index: number): string => `${stream}/${index}`;
  const note = (one: Known): void => {
    forget(one);
    known.set(keyOf(one.stream, one.index), one);
    total += one.size;
  };
  const forget = ({ stream, index }: Pick<Known, 'stream' | 'index'>): void => {
    const key = keyOf(stream, index);
    total -= known.get(key)?.size ?? 0;
    known.delete(key);
  };

  /** Takes in what an earlier run left, and removes what has no name of ours. */
  async function load(): Promise<void> {
    await ensurePrivateFolder(folder);
    const found: (Known & { at: number })[] = [];
    for (const { name, kind } of await listFolder(folder)) {
      if (kind === 'folder' && FOLDER_NAME.test(name)) found.push(...(await loadStream(name)));
      else await (kind === 'folder' ? removeFolder(`${folder}/${name}`) : removeFile(`${folder}/${name}`));
    }
    for (const { at: _, ...one } of found.sort((a, b) => a.at - b.at)) note(one);
  }
  async function loadStream(stream: string): Promise<(Known & { at: number })[]> {
    const found: (Known & { at: number })[] = [];
    for (const { name, kind } of await listFolder(`${folder}/${stream}`)) {
      const index = FILE_NAME.exec(name)?.[1];
      const { size, mtimeMs } = await statFile(`${folder}/${stream}/${name}`);
      if (kind === 'file' && index !== undefined && size > 0) found.push({ stream, index: Number(index), size, at: mtimeMs });
      else await (kind === 'folder' ? removeFolder(`${folder}/${stream}/${name}`) : removeFile(`${folder}/${stream}/${name}`));
    }
    if (found.length === 0) await removeFolder(`${folder}/${stream}`);
    else folders.set(stream, Promise.resolve());
    return found;
  }

  async function measured(bytes: number): Promise<boolean> {
    room.sinceMeasure += bytes;
    if (room.sinceMeasure >= MEASURE_BYTES) {
      const { free } = await measure(folder);
      room = { budget: budget ?? Math.min(MAX_BUDGET, (free + total) / 10), sinceMeasure: 0 };
      if (free < LEAST_FREE) {
        room.sinceMeasure = Infinity;
        return false;
      }
    }
    return true;
  }
  async function shrink(): Promise<void> {
    for (const one of known.values()) {
      if (total <= room.budget) return;
      if (isWatched(one.stream, one.index)) continue;
      forget(one);
      await removeFile(pathOf(one));
    }
  }
  /** One folder is made once, however many segments wait for it. */
  const folderOf = (stream: string): Promise<void> => {
    const made = folders.get(stream) ?? ensurePrivateFolder(`${folder}/${stream}`);
    folders.set(stream, made);
    made.catch(() => folders.delete(stream));
    return made;
  };
  async function write(stream: string, index: number, bytes: Buffer): Promise<void> {
    await folderOf(stream);
    await writeWhole(pathOf({ stream, index }), bytes, { isDurable: false });
    note({ stream, index, size: bytes.length });
    await shrink();
  }
  function keep(stream: string, index: number, bytes: Buffer): Map<number, Buffer> {
    const own = memory.get(stream) ?? new Map<number, Buffer>();
    memory.set(stream, own);
    own.set(index, bytes);
    return own;
  }
  function release(stream: string, index: number, bytes: Buffer): void {
    const own = memory.get(stream);
    if (own?.get(index) === bytes) own.delete(index);
    if (own?.size === 0) memory.delete(stream);
  }
  const open = (): Promise<void> => (opening ??= load().catch((error: unknown) => log.fault('playback.streams', error)));

  return {
    open,
    has: (stream, index) => known.has(keyOf(stream, index)) || memory.get(stream)?.has(index) === true,
    get: async (stream, index) => {
      await open();
      const here = memory.get(stream)?.get(index);
      if (here) return here;
      const one = known.get(keyOf(stream, index));
      if (!one) return undefined;
      try {
        const bytes = await readBounded(pathOf(one), MAX_SEGMENT);
        if (bytes.length !== one.size) throw new Error('a segment of another length');
        if (known.has(keyOf(stream, index))) note(one);
        return bytes;
      } catch {
        // The folder was emptied, or cannot be read: it is made again.
        forget(one);
        folders.delete(stream);
        return undefined;
      }
    },
    put: async (stream, index, bytes) => {
      // Those who wait for it need not wait for the disk.
      const own = keep(stream, index, bytes);
      await open();
      try {
        if (full && now() - full.since < RETRY_MS) throw new Error(full.why);
        if (!(await measured(bytes.length))) throw new Error('less than 1 GiB is free');
        await write(stream, index, bytes);
        if (full) log.info('playback.streams.room', {});
        full = undefined;
        release(stream, index, bytes);
      } catch (error) {
        const why = error instanceof Error ? error.message : 'the disk cannot be written to';
        if (!full) log.warn('playback.streams.full', { why });
        if (!full || now() - full.since >= RETRY_MS) full = { since: now(), why };
        for (const oldest of own.keys()) if (own.size > KEPT_IN_MEMORY) own.delete(oldest);
      }
    },
    forget: (stream, index) => {
      memory.get(stream)?.delete(index);
      forget({ stream, index });
    },
    drop: async (stream) => {
      for (const one of [...known.values()]) if (one.stream === stream) forget(one);
      memory.delete(stream);
      folders.delete(stream);
      await removeFolder(`${folder}/${stream}`);
    },
    trouble: () => full?.why,
    stats: () => ({ bytes: total, segments: known.size, inMemory: [...memory.values()].reduce((sum, { size }) => sum + size, 0) }),
  };
}
