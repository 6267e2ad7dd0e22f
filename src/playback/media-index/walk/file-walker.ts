/** Walks through one file, in short steps and in a separate process. During playback it rests between the steps. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { Failure } from '../../../lib/failure.ts';
import { type Helper, HelperFailure, type Processes } from '../../../lib/process.ts';
import type { MediaSource } from '../../rendition.ts';
import { openedVersionOf } from '../indexes.ts';
import type { MediaAnswer, MediaQuestion } from '../messages.ts';
import type { WalkResult } from './store.ts';

export interface FileWalkerNeeds {
  processes: Pick<Processes, 'startHelper'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Whether anything is being played. */
  isPlaying(): boolean;
  /** For tests: another helper process, smaller steps and shorter rests. */
  module?: URL | undefined;
  stepBytes?: number | undefined;
  restMs?: number | undefined;
}

export interface FileWalker {
  /**
   * Walks a file from its start to its end. Throws `Failure('conflict')` if it is replaced in the meantime, and
   * `Failure('unavailable')` if it cannot be read.
   */
  walk(source: MediaSource, progress: (part: number) => void, signal: AbortSignal): Promise<WalkResult>;
  close(): Promise<void>;
}

/** Bytes of a file between two answers: a twentieth of a second on a fast disk, a second on a slow one. */
const STEP_BYTES = 32 * 1024 ** 2;
/** Time limit of one step, long enough for a share that has to wake up. */
const DEADLINE_MS = 60_000;
const MEMORY_LIMIT = 384 * 1024 ** 2;
/** Maximum working time for one file, without the rests. */
const MAX_WORK_MS = 30 * 60_000;
/** Maximum number of attempts at one file, if the helper process is replaced during a walk. */
const MAX_TRIES = 2;
/** During playback, a walk rests nine times as long as it works, and at least `REST_MS`. */
const PLAYING_REST = 9;
const REST_MS = 250;
const MAX_REST_MS = 10_000;

export function createFileWalker(needs: FileWalkerNeeds): FileWalker {
  const { processes, clock, isPlaying, module, stepBytes = STEP_BYTES, restMs = REST_MS } = needs;
  let helper: Helper | undefined;
  let walks = 0;

  const ask = async (question: MediaQuestion, signal: AbortSignal): Promise<MediaAnswer> => {
    signal.throwIfAborted();
    helper ??= processes.startHelper({
      name: 'media-walk',
      module: module ?? new URL('../index-helper.ts', import.meta.url),
      deadlineMs: DEADLINE_MS,
      children: 1,
      ahead: 1,
      isBinary: true,
      memoryLimit: MEMORY_LIMIT,
    });
    return helper.ask<MediaAnswer>(question, signal);
  };
  /** Walks a file once; undefined if the process was replaced in the meantime. */
  const attempt = async (
    source: MediaSource,
    progress: (part: number) => void,
    signal: AbortSignal,
  ): Promise<WalkResult | undefined> => {
    const walk = (walks += 1);
    let worked = 0;
    for (let isFirst = true; ; isFirst = false) {
      // The file is opened for each step, so that one that was replaced is noticed.
      const file = await openedVersionOf(source);
      const began = clock.monotonic();
      const answer = await ask({ is: 'walk', file, walk, isFirst, bytes: stepBytes }, signal);
      const took = clock.monotonic() - began;
      if ('index' in answer) return { index: answer.index };
      if ('refused' in answer) return { refused: answer.refused };
      if ('failed' in answer && answer.failed === 'lost') return undefined;
      if (!('progress' in answer)) throw unreadable();
      if ((worked += took) > MAX_WORK_MS) return { refused: 'it takes too long' };
      progress(answer.progress);
      if (isPlaying())
        await pause(Math.min(MAX_REST_MS, Math.max(restMs, took * PLAYING_REST)), undefined, { signal, ref: false });
    }
  };
  return {
    walk: async (source, progress, signal) => {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        try {
          const walked = await attempt(source, progress, signal);
          if (walked) return walked;
        } catch (error) {
          if (!(error instanceof HelperFailure) || (error.fault !== 'crashed' && error.fault !== 'memory')) throw error;
          // A file that crashes the helper is not read again.
          return { refused: error.fault };
        }
      }
      throw unreadable();
    },
    close: async () => helper?.close(),
  };
}

const unreadable = (): Failure => new Failure('unavailable', 'the file cannot be read', { reason: 'file-unavailable' });
