/**
 * Runs the operations of the workbench: on ordinary subtitles in this process, in small steps; on large ones in a
 * separate process, so that no stream is delayed.
 */
import type { z } from 'zod';
import type { SubtitleInspection, SubtitlePreview } from '../../../contract/subtitles/views.ts';
import { written } from '../../../lib/json/written.ts';
import type { SubtitleDocument } from '../../../cues/index.ts';
import type { ChangeRequest } from '../propose.ts';
import { cuesFromNumbers } from '../../worker/reading.ts';
import { createWorker, isLargeFor, type WorkerNeeds } from '../../worker/worker.ts';
import {
  type CuesToCompare,
  cuesToCompare,
  inspectSubtitle,
  type InspectJob,
  moveCues,
  type MoveJob,
  type InstallableProposal,
  previewChange,
  type PreviewJob,
  proposeChange,
  type WriteJob,
  writeSubtitle,
} from './operations.ts';

type InspectReply = z.input<typeof SubtitleInspection>;
type PreviewReply = z.input<typeof SubtitlePreview>;
type Given = InspectJob | ChangeRequest | WriteJob | MoveJob;

export interface EditWorker {
  inspect(given: InspectJob, signal: AbortSignal): Promise<InspectReply>;
  /**
   * Returns the cues of a change that are compared with the video, and the prepared change if it ran in this process.
   */
  compare(given: ChangeRequest, signal: AbortSignal): Promise<CuesToCompare & Pick<ChangeRequest, 'prepared'>>;
  propose(given: ChangeRequest, signal: AbortSignal): Promise<InstallableProposal>;
  preview(given: PreviewJob, signal: AbortSignal): Promise<PreviewReply>;
  /**
   * Returns the current subtitle with its cues moved by an alignment. The document is returned as objects, so the
   * caller limits the size.
   */
  move(given: MoveJob, signal: AbortSignal): Promise<SubtitleDocument>;
  /** Returns the subtitle in another format, as UTF-8. */
  write(given: WriteJob, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function createEditWorker(needs: WorkerNeeds): EditWorker {
  const { ask, close } = createWorker(needs);
  const isLarge = (given: Given): boolean => isLargeFor(needs, bytesRead(given));
  return {
    inspect: async (given, signal) =>
      isLarge(given)
        ? written<InspectReply>((await ask({ do: 'inspect', given }, 'reply', signal)).json)
        : inspectSubtitle(given),
    compare: async (given, signal) => {
      if (!isLarge(given)) return cuesToCompare(given);
      const { numbers, isOwn } = await ask({ do: 'compare', given }, 'numbers', signal);
      return { cues: cuesFromNumbers(numbers), isOwn };
    },
    propose: async (given, signal) => {
      if (!isLarge(given)) return proposeChange(given);
      const { outcome } = await ask({ do: 'propose', given }, 'outcome', signal);
      return { ...outcome, bytes: bufferOf(outcome.bytes) };
    },
    preview: async (given, signal) =>
      isLarge(given)
        ? written<PreviewReply>((await ask({ do: 'preview', given }, 'reply', signal)).json)
        : previewChange(given),
    move: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'move', given }, 'document', signal)).document : moveCues(given),
    write: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'write', given }, 'text', signal)).bytes : writeSubtitle(given),
    close,
  };
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Returns the number of bytes that an operation reads. A cue of a draft counts as an average line. */
function bytesRead(given: Given): number {
  const { text } = given;
  const there = text?.bytes.byteLength ?? 0;
  if (!('asked' in given)) return there;
  const { asked, draft } = given;
  return there + (asked.data?.length ?? 0) + (asked.text?.length ?? 0) + (draft?.document.cues.length ?? 0) * 64;
}
