/**
 * The segments of one stream, made when they are asked for.
 *
 * A request takes what is there, waits for a run that is about to get there, or starts another. Runs are shared by
 * all sessions. A run that fails is followed by another at the failed segment, in software if it was on an
 * accelerator; after three failures within a minute the stream is refused.
 */
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { SegmentCache } from './cache.ts';
import { createEncoderHead, type EncoderHead, type HeadEnd, type HeadNeeds } from './head.ts';
import { createStreamHeads } from './heads.ts';
import { createRunFailures } from './run-failures.ts';
import { createStreamSegments } from './stream-segments.ts';
import type { StreamPlan, TranscodeLimits } from './types.ts';
import { createWaiters } from './waiters.ts';

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

/** How many segments earlier a run begins when one found no picture at all, which happens behind the last one. */
const BACKWARD = [15, 120, Infinity];

/** Segments that are encoded again when the file could not be read on: their end may be silence. */
const LOST_SEGMENTS = 8;

/**
 * Lets requests of a session continue in the order in which they came. They are looked up in the cache at the same
 * time, and an earlier one must not end the run of a later one.
 */
function createOrder(): (who: string, work: Promise<unknown>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return (who, work) => {
    const before = last.get(who) ?? Promise.resolve();
    const all = Promise.allSettled([before, work]).then(() => {
      if (last.get(who) === all) last.delete(who);
    });
    last.set(who, all);
    return before;
  };
}

export function createStream(needs: ConvertedStreamNeeds): ConvertedStream {
  const { plan, cache, limits, log, now, admit, onStart, onHardwareFailure } = needs;
  const waiters = createWaiters(limits.waitMs);
  const inOrder = createOrder();
  const failures = createRunFailures(plan.kind, needs);
  const heads = createStreamHeads({ limits, now, has: (index) => cache.has(plan.id, index) });
  const segments = createStreamSegments({
    ...needs,
    onMade: ({ index, bytes }) => waiters.resolve(index, bytes),
    onChanged: (error) => {
      heads.stop();
      waiters.rejectAll(error);
    },
  });

  /** Begins a run. What follows another (`isNext`) was admitted with it. Throws as `admit` does. */
  function begin(index: number, who: string, { back = 0, isNext = false } = {}): void {
    const first = Math.max(0, index - (back === 0 ? 0 : (BACKWARD[back - 1] ?? Infinity)));
    const run = plan.runAt(first, { isSoftware: failures.onHardware.size > 0 });
    if (!isNext && run.accelerator === undefined) admit(who);
    const keep: HeadNeeds['keep'] = (cut) => segments.keep(cut, back > 0);
    const head = createEncoderHead({ run, segmentSeconds: plan.segmentSeconds, limits, now, keep });
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
    if (end.why === 'failed' && !mayFollow(head, end)) return;
    const isEmpty = end.why === 'ended' && head.next === head.first;
    if (isEmpty && head.first === 0) {
      failures.refuse();
      return waiters.rejectAll(failures.refusal());
    }
    // Its list of keyframes has an end. The next run begins before it is asked for, or the player would wait for it.
    const [asker] = [...head.askers].reverse();
    const isUsed = asker !== undefined && now() - asker[1] < limits.heldMs;
    const isNextMissing = head.next < plan.count && !segments.has(head.next) && !heads.reaching(head.next);
    if (end.why === 'ended' && !isEmpty && isUsed && isNextMissing) begin(head.next, asker[0], { isNext: true });
    for (const wanted of waiters.wanted()) {
      if (heads.reaching(wanted.index)) continue;
      begin(wanted.index, wanted.who, { back: isEmpty && wanted.index === index ? back + 1 : 0, isNext: true });
    }
  }
  /** Takes the failure of a run. Returns whether another run may follow; otherwise the waiting callers are rejected. */
  function mayFollow(head: EncoderHead, { error, hasLostInput }: HeadEnd & { why: 'failed' }): boolean {
    if (isOfFile(error) && segments.noteChange(error)) return false;
    if (isOfFile(error) || isOfServer(error)) {
      waiters.rejectAll(error);
      return false;
    }
    failures.note(head.accelerator, error);
    log.warn('playback.transcode.failed', {
      kind: plan.kind,
      segment: head.next,
      accelerator: head.accelerator ?? 'none',
      why: error instanceof Error ? error.message : 'unknown',
      lines: error instanceof ProcessFailure ? error.lines.join(' | ') : '',
    });
    if (hasLostInput) segments.forget(Math.max(head.first, head.next - LOST_SEGMENTS), head.next);
    if (head.accelerator !== undefined) onHardwareFailure?.(head.accelerator, error);
    if (failures.isRefused()) waiters.rejectAll(failures.refusal());
    return !failures.isRefused();
  }

  return {
    plan,
    segment: async (index, who, signal) => {
      signal.throwIfAborted();
      if (!Number.isSafeInteger(index) || index < 0 || index >= plan.count)
        throw new Failure('missing', 'no such segment', { reason: 'no-such-segment' });
      if (segments.changed !== undefined) throw segments.changed;
      segments.check();
      heads.want(index, who);
      const { fresh } = segments;
      const look = Promise.resolve(fresh.get(index) ?? cache.get(plan.id, index));
      const before = inOrder(who, look);
      let there = await look;
      if (!there) await before;
      there ??= fresh.get(index) ?? (cache.has(plan.id, index) ? await cache.get(plan.id, index) : undefined);
      if (segments.changed !== undefined) throw segments.changed;
      signal.throwIfAborted();
      if (there) return there;
      if (segments.checking.has(index)) return waiters.wait(index, who, signal);
      if (failures.isRefused()) throw failures.refusal();
      const head = heads.reaching(index);
      if (head) head.want(index, who);
      else begin(index, who);
      return waiters.wait(index, who, signal);
    },
    heads: () => [...heads.all],
    leave: (who, except) => {
      heads.leave(who, except);
      // Its requests at other positions are dropped: two positions at once would end each other's runs for ever.
      waiters.rejectOf(who, (index) => except === undefined || heads.reaching(index) !== except);
    },
    trouble: () => ({ hardwareFailed: failures.onHardware, cannotDecode: failures.isRefused() }),
    close: () => {
      heads.stop();
      waiters.rejectAll(new Failure('unavailable', 'the server is stopping', { reason: 'stopping' }));
    },
  };
}

/** Whether this server cannot run programs now, which no other run would change. */
const isOfServer = (error: unknown): boolean =>
  error instanceof ProcessFailure && ['busy', 'closed', 'missing'].includes(error.fault);

/** Whether the file itself is not available, which no other run would change. */
const isOfFile = (error: unknown): boolean =>
  error instanceof Failure &&
  !(error instanceof ProcessFailure) &&
  ['conflict', 'missing', 'unavailable'].includes(error.kind);
