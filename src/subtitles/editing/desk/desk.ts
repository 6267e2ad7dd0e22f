/**
 * Where a subtitle is reckoned with: an ordinary one right here, in small steps, and a large one in a process of its
 * own, so that nobody who streams a film waits for it.
 *
 * One large one at a time; a few wait, and more are refused. Whoever leaves ends the work. A process that dies, grows
 * too large or takes too long is a failure for whom it worked, and for nobody else; nothing is written there, so
 * nothing is lost. Without work it goes away.
 */
import type { z } from 'zod';
import type { Inspected, Previewed } from '../../../contract/subtitles/workbench.ts';
import { Failure } from '../../../lib/failure.ts';
import { createLock } from '../../../lib/lock.ts';
import type { Log } from '../../../lib/log.ts';
import { type Helper, HelperFailure, type HelperReason, type Processes } from '../../../lib/process.ts';
import { written } from '../../../lib/json/written.ts';
import type { Trying } from '../propose.ts';
import type { DeskReply, DeskRequest } from './messages.ts';
import { type Comparing, compared, cuesOf, inspected, type Looking, type Outcome, previewed, type Previewing, proposed, type Writing, wrote } from './work.ts';

type InspectReply = z.input<typeof Inspected>;
type PreviewReply = z.input<typeof Previewed>;
type Given = Looking | Trying | Writing;

export interface Desk {
  inspect(given: Looking, signal: AbortSignal): Promise<InspectReply>;
  /** The cues of a change that are compared with the video; what was read for it is handed on. */
  compare(given: Trying, signal: AbortSignal): Promise<Comparing & Pick<Trying, 'begun'>>;
  propose(given: Trying, signal: AbortSignal): Promise<Outcome>;
  preview(given: Previewing, signal: AbortSignal): Promise<PreviewReply>;
  /** As UTF-8. */
  write(given: Writing, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface DeskNeeds {
  processes: Pick<Processes, 'startHelper'>;
  log: Log;
  /** Bytes of text from which the helper is asked (default 256 KiB, some 4,000 cues: three times a long film). */
  largeBytes?: number;
  /** Tests put another process in, and are in a hurry. */
  module?: URL;
  deadlineMs?: number;
  memoryLimit?: number;
}

const KIB = 1024;
const MIB = 1024 ** 2;
/** Measured: 100,000 cues with everything that can be done to them need 450 MiB. Node may use half of the limit for objects. */
const MEMORY = 1536 * MIB;
const MOST_WAITING = 8;
const WORDS: Record<HelperReason, string> = {
  hung: 'this subtitle takes too long to be worked on',
  memory: 'this subtitle takes too much memory to be worked on',
  crashed: 'the work on this subtitle broke off; nothing was changed',
  closed: 'the server is stopping',
  failed: 'this subtitle cannot be worked on now',
  aborted: 'the work on this subtitle was ended',
};

export function createDesk(needs: DeskNeeds): Desk {
  const { largeBytes = 256 * KIB } = needs;
  const { ask, close } = asking(needs);
  const isLarge = (given: Given): boolean => weightOf(given) >= largeBytes;
  return {
    inspect: async (given, signal) => (isLarge(given) ? written<InspectReply>((await ask({ do: 'inspect', given }, 'reply', signal)).json) : inspected(given)),
    compare: async (given, signal) => {
      if (!isLarge(given)) return compared(given);
      const { numbers, isOwn } = await ask({ do: 'compare', given }, 'numbers', signal);
      return { cues: cuesOf(numbers), isOwn };
    },
    propose: async (given, signal) => {
      if (!isLarge(given)) return proposed(given);
      const { outcome } = await ask({ do: 'propose', given }, 'outcome', signal);
      return { ...outcome, bytes: bufferOf(outcome.bytes) };
    },
    preview: async (given, signal) => (isLarge(given) ? written<PreviewReply>((await ask({ do: 'preview', given }, 'reply', signal)).json) : previewed(given)),
    write: async (given, signal) => (isLarge(given) ? (await ask({ do: 'write', given }, 'text', signal)).bytes : wrote(given)),
    close,
  };
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Bytes of everything that is read. A cue of a draft is counted as a usual line. */
function weightOf(given: Given): number {
  const { text } = given;
  const there = text?.bytes.byteLength ?? 0;
  if (!('asked' in given)) return there;
  const { asked, draft } = given;
  return there + (asked.data?.length ?? 0) + (asked.text?.length ?? 0) + (draft?.document.cues.length ?? 0) * 64;
}

/** The helper, one request at a time. */
function asking({ processes, log, module = new URL('./desk-helper.ts', import.meta.url), deadlineMs = 180_000, memoryLimit = MEMORY }: DeskNeeds) {
  const lock = createLock();
  let helper: Helper | undefined;
  let waiting = 0;
  let isClosed = false;
  const dismiss = async (): Promise<void> => {
    const old = helper;
    helper = undefined;
    await old?.close();
  };

  async function one(request: DeskRequest, signal: AbortSignal): Promise<DeskReply> {
    // Who waited for its turn meanwhile starts no process that nobody would end.
    if (isClosed) throw new Failure('unavailable', WORDS.closed);
    helper ??= processes.startHelper({ name: 'subtitles', module, deadlineMs, isBinary: true, memoryLimit, reads: [] });
    try {
      return await helper.ask<DeskReply>(request, signal);
    } catch (error) {
      // Of one that was left the work goes on until it is ended; one that failed is not asked again.
      await dismiss();
      signal.throwIfAborted();
      if (!(error instanceof HelperFailure)) throw error;
      log.warn('subtitles.helper-failed', { reason: error.reason, detail: error.detail });
      throw new Failure('unavailable', WORDS[error.reason], {}, { cause: error });
    }
  }

  return {
    async ask<K extends DeskReply['is']>(request: DeskRequest, kind: K, signal: AbortSignal): Promise<Extract<DeskReply, { is: K }>> {
      if (waiting >= MOST_WAITING) throw new Failure('unavailable', 'too many large subtitles are being worked on; try again in a moment');
      waiting += 1;
      try {
        const reply = await lock.run(() => one(request, signal), signal);
        if (reply.is === 'refused') throw new Failure(reply.kind, reply.message);
        if (reply.is !== kind) throw new Error('another answer than was asked for');
        return reply as Extract<DeskReply, { is: K }>;
      } finally {
        waiting -= 1;
      }
    },
    close: async () => {
      isClosed = true;
      await dismiss();
    },
  };
}
