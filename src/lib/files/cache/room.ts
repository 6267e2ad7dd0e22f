/**
 * Room of a cache folder on its disk: how many bytes it may take, and whether its files can be written at present.
 *
 * After a failed write the disk is left alone for ten seconds, and measured before the next one. The log has one entry
 * when this begins and one when it ends.
 */
import type { Clock } from '../../clock.ts';
import { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';

export interface CacheRoomNeeds {
  /** Name of the cache in the log. */
  name: string;
  maxBytes: number;
  maxDiskPart: number | undefined;
  minFreeBytes: number;
  log: Pick<Log, 'info' | 'warn' | 'fault'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Returns the free space of the disk, in bytes. */
  measure(): Promise<{ free: number }>;
}

export interface CacheRoom {
  /** Returns how many bytes the folder may take. */
  budget(): number;
  /** Counts bytes that will be written to a folder of `used` bytes, and measures the disk if enough were counted. */
  count(bytes: number, used: number): Promise<void>;
  /** Throws `Failure('unavailable')` if too little of the disk is free for others. */
  requireFree(): void;
  /** Records that a file could not be written, and why. */
  noteFailure(error: unknown): void;
  /** Records that a file was written. */
  noteSuccess(): void;
  /** Whether the disk is left alone after a failure. */
  isResting(): boolean;
  /** Returns why files cannot be written at present. */
  trouble(): string | undefined;
}

/** Bytes that may be written before the free space is measured again. */
const MEASURE_BYTES = 64 * 1024 ** 2;
const RETRY_MS = 10_000;

export function createCacheRoom(needs: CacheRoomNeeds): CacheRoom {
  const { name, maxBytes, maxDiskPart, minFreeBytes, log, clock, measure } = needs;
  let budget = maxBytes;
  /** Bytes written since the last measurement; Infinity while too little is free. */
  let unmeasured = Infinity;
  let trouble: { since: number; why: string } | undefined;
  return {
    budget: () => budget,
    count: async (bytes, used) => {
      unmeasured += bytes;
      if (unmeasured < MEASURE_BYTES) return;
      const { free } = await measure();
      budget = maxDiskPart === undefined ? maxBytes : Math.min(maxBytes, (free + used) * maxDiskPart);
      unmeasured = free < minFreeBytes ? Infinity : 0;
    },
    requireFree: () => {
      if (unmeasured === Infinity)
        throw new Failure('unavailable', `less than ${Math.round(minFreeBytes / 1024 ** 2)} MiB is free`, {
          reason: 'disk-full',
        });
    },
    noteFailure: (error) => {
      if (!(error instanceof Failure)) log.fault('cache.failed', error, { cache: name });
      const why = error instanceof Error ? error.message : 'the disk cannot be written to';
      if (!trouble) log.warn('cache.full', { cache: name, why });
      trouble = { since: clock.monotonic(), why };
      unmeasured = Infinity;
    },
    noteSuccess: () => {
      if (trouble) log.info('cache.room', { cache: name });
      trouble = undefined;
    },
    isResting: () => trouble !== undefined && clock.monotonic() - trouble.since < RETRY_MS,
    trouble: () => trouble?.why,
  };
}
