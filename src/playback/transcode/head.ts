/**
 * One run of an encoder from a segment on. It is held by not reading its output while it is far enough ahead, and
 * ends at a segment that is there already, when it was held for too long, or with the file.
 */
import type { EncodedStream } from '../../lib/ffmpeg/encode/index.ts';
import type { Cut, TranscodeLimits, EncoderRun } from './types.ts';

/**
 * `ended`: the encoder came to its end. `met`: it reached a segment that is there. `stopped`: it was not needed any
 * more. `failed`: with the error.
 */
export type HeadEnd = { why: 'ended' | 'met' | 'stopped' } | { why: 'failed'; error: unknown; hasLostInput: boolean };

export interface EncoderHead {
  readonly first: number;
  /** The segment that is being made. */
  readonly next: number;
  readonly accelerator: string | undefined;
  readonly pid: number | undefined;
  readonly isHeld: boolean;
  /** It was stopped, and makes nothing more. */
  readonly isStopping: boolean;
  /** Seconds of media made in a second of work. */
  speed(): number | undefined;
  /** Sessions that asked it, and when. */
  readonly askers: Map<string, number>;
  /** Says that a session has asked for a segment, which lets it go on until far enough beyond it. */
  want(index: number, who: string): void;
  stop(): void;
  /** Never rejects. */
  readonly end: Promise<HeadEnd>;
}

export interface HeadNeeds {
  run: EncoderRun;
  segmentSeconds: number;
  limits: TranscodeLimits;
  now(): number;
  /** Takes a segment; false when it was there already. */
  keep(cut: Cut): Promise<boolean>;
}

export function createEncoderHead({ run, segmentSeconds, limits, now, keep }: HeadNeeds): EncoderHead {
  const stopping = new AbortController();
  const askers = new Map<string, number>();
  let encoded: EncodedStream | undefined;
  let next = run.first;
  let furthest = run.first;
  let isHeld = false;
  let wake: () => void = () => {};
  const work = { made: 0, ms: 0, since: now() };

  /** Waits while it is too far ahead. False when it was held for too long. */
  async function mayGoOn(): Promise<boolean> {
    if (next <= furthest + limits.aheadSegments || stopping.signal.aborted) return true;
    isHeld = true;
    work.ms += now() - work.since;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<false>((resolve) => void (timer = setTimeout(() => resolve(false), limits.heldMs)));
    const wanted = async (): Promise<true> => {
      while (next > furthest + limits.aheadSegments && !stopping.signal.aborted)
        await new Promise<void>((resolve) => void (wake = resolve));
      return true;
    };
    const goesOn = await Promise.race([wanted(), tooLong]);
    clearTimeout(timer);
    isHeld = false;
    work.since = now();
    return goesOn;
  }

  async function take(cuts: readonly Cut[]): Promise<boolean> {
    for (const cut of cuts) {
      next = cut.index + 1;
      work.made += 1;
      if (!(await keep(cut))) return false;
    }
    return true;
  }

  async function go(): Promise<HeadEnd> {
    encoded = await run.start(stopping.signal);
    try {
      for await (const chunk of encoded.bytes) {
        if (!(await take(run.cutter.push(chunk)))) return { why: 'met' };
        if (!(await mayGoOn())) return { why: 'stopped' };
        if (stopping.signal.aborted) return { why: 'stopped' };
      }
      await encoded.done;
      return { why: (await take(run.cutter.end())) ? 'ended' : 'met' };
    } finally {
      encoded.stop();
    }
  }

  const end = go().catch((error: unknown): HeadEnd =>
    stopping.signal.aborted
      ? { why: 'stopped' }
      : { why: 'failed', error, hasLostInput: encoded?.hasLostInput() === true },
  );
  return {
    first: run.first,
    get next() {
      return next;
    },
    accelerator: run.accelerator,
    get pid() {
      return encoded?.pid;
    },
    get isHeld() {
      return isHeld;
    },
    get isStopping() {
      return stopping.signal.aborted;
    },
    speed: () => {
      const ms = work.ms + (isHeld ? 0 : now() - work.since);
      return work.made === 0 || ms <= 0 ? undefined : (work.made * segmentSeconds * 1000) / ms;
    },
    askers,
    want: (index, who) => {
      askers.set(who, now());
      furthest = Math.max(furthest, index);
      wake();
    },
    stop: () => {
      stopping.abort();
      wake();
    },
    end,
  };
}
