/**
 * The segments of one stream, made when they are asked for.
 *
 * A request takes what is there, waits for a run that is about to get there, or starts another. Runs are shared by
 * all sessions. A run that fails is followed by another at the failed segment, in software if it was on an
 * accelerator; after three failures within a minute the stream is refused.
 */
import { crashPoint } from '../../lib/crash.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { SegmentCache } from './cache.ts';
import { createEncoderHead, type EncoderHead, type HeadEnd } from './head.ts';
import { type Cut, type TranscodeLimits, MAX_FAILURES, type StreamPlan } from './types.ts';

export interface ConvertedStreamNeeds {
  plan: StreamPlan;
  cache: SegmentCache;
  limits: TranscodeLimits;
  log: Log;
  now(): number;
  /** Called before a run in software begins for a request. Throws when no place is free for its session. */
  admit(who: string): void;
  /** Called before a run begins for a session, which leaves the one it had in another stream. */
  onStart(who: string, head: EncoderHead): void;
  /** Called when an accelerator failed, with what it failed with. */
  onHardwareFailure?: ((accelerator: string, error: unknown) => void) | undefined;
}

export interface ConvertedStream {
  readonly plan: StreamPlan;
  segment(index: number, who: string, signal: AbortSignal): Promise<Buffer>;
  heads(): readonly EncoderHead[];
  /** Ends the runs that only this session asked within the last minute. */
  leave(who: string, except?: EncoderHead): void;
  /** `hardwareFailed` has each accelerator that failed on this stream, with what it failed with. */
  trouble(): { hardwareFailed: ReadonlyMap<string, unknown>; cannotDecode: boolean };
  close(): void;
}

interface Waiter {
  who: string;
  resolve(bytes: Buffer): void;
  reject(error: unknown): void;
}

/** How many segments earlier a run begins when one found no picture at all, which happens behind the last one. */
const BACKWARD = [15, 120, Infinity];

/** Segments that are made again when the file could not be read on: their end may be silence. */
const LOST_SEGMENTS = 8;

export function createStream({
  plan,
  cache,
  limits,
  log,
  now,
  admit,
  onStart,
  onHardwareFailure,
}: ConvertedStreamNeeds): ConvertedStream {
  const heads = new Set<EncoderHead>();
  const waiting = new Map<number, Set<Waiter>>();
  /** Segments that are being written to the cache: whoever asks meanwhile must not start another run for them. */
  const fresh = new Map<number, Buffer>();
  /** Segments that were made of a file that is looked at once more: whoever asks meanwhile waits for them. */
  const checking = new Set<number>();
  const hardwareFailed = new Map<string, unknown>();
  let failures: number[] = [];
  let checkedAt = -Infinity;
  let changed: unknown;

  const recentFailures = (): number => (failures = failures.filter((at) => now() - at < limits.failureMs)).length;
  const refused = (): Failure =>
    new Failure('unavailable', `the ${plan.kind} of this file cannot be converted`, {
      reason: 'cannot-decode',
      retryAfterSeconds: Math.ceil(limits.failureMs / 1000),
    });

  function settle(index: number, then: (waiter: Waiter) => void): void {
    const all = waiting.get(index);
    waiting.delete(index);
    for (const waiter of all ?? []) then(waiter);
  }
  const settleAll = (error: unknown): void => {
    for (const index of [...waiting.keys()]) settle(index, ({ reject }) => reject(error));
  };

  const drop = (): Promise<void> => cache.drop(plan.id).catch((fault: unknown) => log.fault('playback.streams', fault));

  async function keep({ index, bytes }: Cut, isOverwriting: boolean): Promise<boolean> {
    // The encoder reads the file itself: output from a file that was changed meanwhile is discarded.
    checking.add(index);
    await plan.check().finally(() => checking.delete(index));
    settle(index, ({ resolve }) => resolve(bytes));
    if (changed !== undefined) return false;
    if (cache.has(plan.id, index)) return isOverwriting;
    crashPoint('playback.segment.made');
    fresh.set(index, bytes);
    await cache.put(plan.id, index, bytes).finally(() => fresh.delete(index));
    // The file may have changed meanwhile, and the stream been removed.
    if (changed !== undefined) await drop();
    return changed === undefined;
  }

  /** The run that gets to a segment before another would: it is near, and nothing that is there ends it on the way. */
  const headFor = (index: number): EncoderHead | undefined =>
    [...heads].find(({ next, isStopping }) => {
      if (isStopping || index < next || index > next + limits.nearSegments) return false;
      for (let n = next; n < index; n++) if (cache.has(plan.id, n)) return false;
      return true;
    });

  /** Begins a run. What follows another (`isNext`) was admitted with it. Throws as `admit` does. */
  function begin(index: number, who: string, { back = 0, isNext = false } = {}): void {
    const first = Math.max(0, index - (back === 0 ? 0 : (BACKWARD[back - 1] ?? Infinity)));
    const run = plan.runAt(first, { isSoftware: hardwareFailed.size > 0 });
    if (!isNext && run.accelerator === undefined) admit(who);
    const head = createEncoderHead({
      run,
      segmentSeconds: plan.segmentSeconds,
      limits,
      now,
      keep: (cut) => keep(cut, back > 0),
    });
    heads.add(head);
    head.want(index, who);
    onStart(who, head);
    void head.end.then((end) => {
      heads.delete(head);
      over(head, end, { index, back });
    });
  }

  /** Handles the end of a run: callers that still wait get another one. */
  function over(head: EncoderHead, end: HeadEnd, { index, back }: { index: number; back: number }): void {
    if (end.why === 'failed') {
      const { error } = end;
      if (isOfFile(error)) return failed(error);
      if (error instanceof ProcessFailure && error.fault === 'busy') return settleAll(error);
      if (error instanceof ProcessFailure && (error.fault === 'closed' || error.fault === 'missing'))
        return settleAll(error);
      failures.push(now());
      log.warn('playback.transcode.failed', {
        kind: plan.kind,
        segment: head.next,
        accelerator: head.accelerator ?? 'none',
        why: error instanceof Error ? error.message : 'unknown',
        lines: error instanceof ProcessFailure ? error.lines.join(' | ') : '',
      });
      if (end.hasLostInput)
        for (let n = Math.max(head.first, head.next - LOST_SEGMENTS); n < head.next; n++) cache.forget(plan.id, n);
      if (head.accelerator !== undefined) {
        hardwareFailed.set(head.accelerator, error);
        onHardwareFailure?.(head.accelerator, error);
      }
      if (recentFailures() >= MAX_FAILURES) return settleAll(refused());
    }
    const isEmpty = end.why === 'ended' && head.next === head.first;
    if (isEmpty && head.first === 0) {
      failures = Array.from({ length: MAX_FAILURES }, now);
      return settleAll(refused());
    }
    // Its list of keyframes has an end. The next run begins before it is asked for, or the player would wait for it.
    const [asker] = [...head.askers].reverse();
    if (
      end.why === 'ended' &&
      !isEmpty &&
      asker &&
      head.next < plan.count &&
      now() - asker[1] < limits.heldMs &&
      !cache.has(plan.id, head.next) &&
      !headFor(head.next)
    )
      begin(head.next, asker[0], { isNext: true });
    for (const [wanted, waiters] of waiting) {
      const [first] = waiters;
      if (!first || headFor(wanted)) continue;
      begin(wanted, first.who, { back: isEmpty && wanted === index ? back + 1 : 0, isNext: true });
    }
  }

  function failed(error: unknown): void {
    if (error instanceof Failure && error.kind === 'conflict') {
      changed = error;
      for (const head of heads) head.stop();
      void drop();
    }
    settleAll(error);
  }

  /**
   * Looks now and then whether the file is still the one that was planned; segments that are there do not wait for it.
   */
  function check(): void {
    if (now() - checkedAt < limits.checkMs) return;
    checkedAt = now();
    plan.check().catch((error: unknown) => {
      if (error instanceof Failure && error.kind === 'conflict') failed(error);
    });
  }

  function wait(index: number, who: string, signal: AbortSignal): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const waiter: Waiter = { who, resolve, reject };
    const all = waiting.get(index) ?? new Set();
    waiting.set(index, all.add(waiter));
    const late = setTimeout(
      () =>
        reject(
          new Failure('unavailable', 'this part is still being converted', {
            reason: 'still-converting',
            retryAfterSeconds: 2,
          }),
        ),
      limits.waitMs,
    );
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      all.delete(waiter);
      if (all.size === 0 && waiting.get(index) === all) waiting.delete(index);
    });
  }

  return {
    plan,
    segment: async (index, who, signal) => {
      signal.throwIfAborted();
      if (!Number.isSafeInteger(index) || index < 0 || index >= plan.count)
        throw new Failure('missing', 'no such segment', { reason: 'no-such-segment' });
      if (changed !== undefined) throw changed;
      check();
      for (const head of heads)
        if (index >= head.first && index <= head.next + limits.nearSegments) head.want(index, who);
      const there =
        fresh.get(index) ??
        (await cache.get(plan.id, index)) ??
        fresh.get(index) ??
        (cache.has(plan.id, index) ? await cache.get(plan.id, index) : undefined);
      if (changed !== undefined) throw changed;
      signal.throwIfAborted();
      if (there) return there;
      if (checking.has(index)) return wait(index, who, signal);
      if (recentFailures() >= MAX_FAILURES) throw refused();
      const head = headFor(index);
      if (head) head.want(index, who);
      else begin(index, who);
      return wait(index, who, signal);
    },
    heads: () => [...heads],
    leave: (who, except) => {
      for (const head of heads) {
        if (head === except || !head.askers.has(who)) continue;
        head.askers.delete(who);
        if (![...head.askers.values()].some((at) => now() - at < limits.sharedMs)) head.stop();
      }
      // Its requests at other positions are dropped: two positions at once would end each other's runs for ever.
      for (const [index, waiters] of waiting) {
        if (except && headFor(index) === except) continue;
        for (const waiter of waiters)
          if (waiter.who === who)
            waiter.reject(
              new Failure('unavailable', 'a later request took the place of this one', {
                reason: 'superseded',
                retryAfterSeconds: 2,
              }),
            );
      }
    },
    trouble: () => ({ hardwareFailed, cannotDecode: recentFailures() >= MAX_FAILURES }),
    close: () => {
      for (const head of heads) head.stop();
      settleAll(new Failure('unavailable', 'the server is stopping', { reason: 'stopping' }));
    },
  };
}

/** Whether the file itself cannot be had, which no other run would change. */
const isOfFile = (error: unknown): boolean =>
  error instanceof Failure &&
  !(error instanceof ProcessFailure) &&
  ['conflict', 'missing', 'unavailable'].includes(error.kind);
