/**
 * Segments of one stream in the cache. All of them are of the file that was planned: once it has changed, they are
 * removed, and no more are kept.
 */
import { crashPoint } from '../../lib/crash.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { SegmentCache } from './cache.ts';
import type { Cut, StreamPlan, TranscodeLimits } from './types.ts';

export interface StreamSegmentsNeeds {
  plan: Pick<StreamPlan, 'id' | 'check'>;
  cache: SegmentCache;
  limits: Pick<TranscodeLimits, 'checkMs'>;
  log: Pick<Log, 'fault'>;
  now(): number;
  /** Called with each segment once it is known to be of the planned file, before it is written. */
  onMade(cut: Cut): void;
  /** Called when the file has changed, with the failure for all requests. */
  onChanged(error: Failure): void;
}

export interface StreamSegments {
  /** Segments that are being written: another run must not be started for them. */
  readonly fresh: ReadonlyMap<number, Buffer>;
  /** Segments whose file is being checked: requests for them wait. */
  readonly checking: ReadonlySet<number>;
  /** The failure for all requests, once the file has changed. */
  readonly changed: Failure | undefined;
  has(index: number): boolean;
  /** Keeps a segment. Returns whether the run may continue: `isOverwriting`, or the segment was not there. */
  keep(cut: Cut, isOverwriting: boolean): Promise<boolean>;
  /** Removes segments, so that they are made again. */
  forget(from: number, to: number): void;
  /** Checks now and then whether the file is still the planned one; segments that are there do not wait for it. */
  check(): void;
  /** Takes a failure to open the file. Returns whether the file has changed. */
  noteChange(error: unknown): boolean;
}

export function createStreamSegments(needs: StreamSegmentsNeeds): StreamSegments {
  const { plan, cache, limits, log, now, onMade, onChanged } = needs;
  const fresh = new Map<number, Buffer>();
  const checking = new Set<number>();
  let checkedAt = -Infinity;
  let changed: Failure | undefined;

  const drop = (): Promise<void> => cache.drop(plan.id).catch((fault: unknown) => log.fault('playback.streams', fault));
  const noteChange = (error: unknown): boolean => {
    if (!(error instanceof Failure) || error.kind !== 'conflict') return false;
    changed = error;
    onChanged(error);
    void drop();
    return true;
  };
  return {
    fresh,
    checking,
    get changed() {
      return changed;
    },
    has: (index) => cache.has(plan.id, index),
    keep: async (cut, isOverwriting) => {
      const { index, bytes } = cut;
      // The encoder reads the file itself: output from a file that was changed in the meantime is discarded.
      checking.add(index);
      await plan.check().finally(() => checking.delete(index));
      onMade(cut);
      if (changed !== undefined) return false;
      if (cache.has(plan.id, index)) return isOverwriting;
      crashPoint('playback.segment.made');
      fresh.set(index, bytes);
      await cache.put(plan.id, index, bytes).finally(() => fresh.delete(index));
      // The file may have changed in the meantime, and the stream been removed.
      if (changed !== undefined) await drop();
      return changed === undefined;
    },
    forget: (from, to) => {
      for (let index = from; index < to; index++) cache.forget(plan.id, index);
    },
    check: () => {
      if (now() - checkedAt < limits.checkMs) return;
      checkedAt = now();
      plan.check().catch(noteChange);
    },
    noteChange,
  };
}
