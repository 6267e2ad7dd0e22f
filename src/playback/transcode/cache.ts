/**
 * Cache of converted segments, in `streams/<stream>/<n>.m4s`. When the disk has no room, the last segments of each
 * stream are kept in memory and playback continues.
 */
import { type CacheFolderNeeds, createCacheFolder } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const MAX_BYTES = 10 * GIB;
const MAX_DISK_PART = 0.1;
const MIN_FREE_BYTES = GIB;
const MAX_SEGMENT = 256 * MIB;
/** Segments of a stream that are kept when they cannot be written. */
const KEPT_IN_MEMORY = 30;

export interface SegmentCache {
  /** Resolves once the folder has been read, or cannot be. */
  open(): Promise<void>;
  /** Whether the segment is there. */
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
  measure?: CacheFolderNeeds['measure'];
}

const nameOf = (stream: string, index: number): string => `${stream}/${index}.m4s`;

export function createSegmentCache({ folder, log, isWatched, now, budget, measure }: CacheNeeds): SegmentCache {
  /** Being written, or kept here because they cannot be; by stream, the oldest first. */
  const memory = new Map<string, Map<number, Buffer>>();
  const files = createCacheFolder({
    folder,
    log,
    clock: { monotonic: now },
    groups: /^[0-9a-f]{40}$/,
    names: /^(?:0|[1-9]\d{0,5})\.m4s$/,
    isDurable: false,
    maxFileBytes: MAX_SEGMENT,
    minFreeBytes: MIN_FREE_BYTES,
    ...(budget === undefined ? { maxBytes: MAX_BYTES, maxDiskPart: MAX_DISK_PART } : { maxBytes: budget }),
    ...(measure && { measure }),
    isPinned: (name) => {
      const [stream = '', file = ''] = name.split('/');
      return isWatched(stream, Number.parseInt(file, 10));
    },
  });

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

  return {
    open: () => files.open().catch((error: unknown) => log.fault('playback.streams', error)),
    has: (stream, index) => files.has(nameOf(stream, index)) || memory.get(stream)?.has(index) === true,
    get: async (stream, index) => memory.get(stream)?.get(index) ?? files.get(nameOf(stream, index)),
    put: async (stream, index, bytes) => {
      // Those who wait for it need not wait for the disk.
      const own = keep(stream, index, bytes);
      if (await files.put(nameOf(stream, index), bytes)) release(stream, index, bytes);
      else for (const oldest of own.keys()) if (own.size > KEPT_IN_MEMORY) own.delete(oldest);
    },
    forget: (stream, index) => {
      memory.get(stream)?.delete(index);
      void files.remove(nameOf(stream, index));
    },
    drop: async (stream) => {
      memory.delete(stream);
      await files.removeGroup(stream);
    },
    trouble: files.trouble,
  };
}
