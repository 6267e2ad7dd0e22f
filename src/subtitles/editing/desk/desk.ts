/**
 * The work of the workbench: an ordinary subtitle is read and changed right here, in small steps, and a large one in a
 * separate process, so that no stream waits for it.
 */
import type { z } from 'zod';
import type { SubtitleInspection, SubtitlePreview } from '../../../contract/subtitles/workbench.ts';
import { written } from '../../../lib/json/written.ts';
import type { SubtitleDocument } from '../../../cues/index.ts';
import type { Trying } from '../propose.ts';
import { cuesOf } from '../../worker/reading.ts';
import { createWorker, isLargeFor, type WorkerNeeds } from '../../worker/worker.ts';
import {
  type Comparing,
  compared,
  inspected,
  type Looking,
  moved,
  type Moving,
  type Outcome,
  previewed,
  type Previewing,
  proposed,
  type Writing,
  wrote,
} from './work.ts';

type InspectReply = z.input<typeof SubtitleInspection>;
type PreviewReply = z.input<typeof SubtitlePreview>;
type Given = Looking | Trying | Writing | Moving;

export interface Desk {
  inspect(given: Looking, signal: AbortSignal): Promise<InspectReply>;
  /** The cues of a change that are compared with the video; what was read for it is handed on. */
  compare(given: Trying, signal: AbortSignal): Promise<Comparing & Pick<Trying, 'begun'>>;
  propose(given: Trying, signal: AbortSignal): Promise<Outcome>;
  preview(given: Previewing, signal: AbortSignal): Promise<PreviewReply>;
  /**
   * Returns what is there as a document, moved as it was aligned. It comes as objects, so the caller limits the size.
   */
  move(given: Moving, signal: AbortSignal): Promise<SubtitleDocument>;
  /** As UTF-8. */
  write(given: Writing, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function createDesk(needs: WorkerNeeds): Desk {
  const { ask, close } = createWorker(needs);
  const isLarge = (given: Given): boolean => isLargeFor(needs, weightOf(given));
  return {
    inspect: async (given, signal) =>
      isLarge(given)
        ? written<InspectReply>((await ask({ do: 'inspect', given }, 'reply', signal)).json)
        : inspected(given),
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
    preview: async (given, signal) =>
      isLarge(given)
        ? written<PreviewReply>((await ask({ do: 'preview', given }, 'reply', signal)).json)
        : previewed(given),
    move: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'move', given }, 'document', signal)).document : moved(given),
    write: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'write', given }, 'text', signal)).bytes : wrote(given),
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
