/**
 * Walks through files without an index: in the background, one at a time, in short steps that leave most
 * of the time to playback. The result of a walk is stored by the identity of the file.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MediaInfo } from '../../../catalog/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { untilAborted } from '../../../lib/coalesce.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Log } from '../../../lib/log.ts';
import { type Helper, HelperFailure, type Processes } from '../../../lib/process.ts';
import type { MediaSource } from '../../rendition.ts';
import { openedVersionOf } from '../indexes.ts';
import type { MediaAnswer, MediaQuestion } from '../messages.ts';
import type { IndexData, TrackData } from '../types.ts';
import { createIndexStore, type WalkResult } from './store.ts';

export interface WalksNeeds {
  processes: Pick<Processes, 'startHelper'>;
  log: Log;
  clock: Pick<Clock, 'monotonic'>;
  /** The server's folder for what can be made again (`paths.cache`). */
  cache: string;
  /** Whether anything is being played. Walks are slow meanwhile. */
  isPlaying(): boolean;
  maxBytes?: number;
  /** Tests put another process in, and are in a hurry. */
  module?: URL;
  stepBytes?: number;
  restMs?: number;
}

export interface Walks {
  /**
   * Returns the stored index of a file. If there is none, a walk begins in the background, before those without
   * waiting callers. Undefined also for a file that a walk could not understand.
   */
  stored(source: MediaSource): Promise<IndexData | undefined>;
  /**
   * Walks a file unless that was done. Resolves when it is done. Aborting ends the walk if no other caller wants it.
   */
  walk(
    source: MediaSource,
    options: { progress?(part: number): void },
    signal: AbortSignal,
  ): Promise<'walked' | 'there' | 'refused'>;
  /** How far the walk of a file is, from 0 to 1; undefined when there is none. */
  progressOf(identity: string): number | undefined;
  hasRoom(): Promise<boolean>;
  /** Returns why indexes cannot be kept on the disk at present. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/** Bytes of a file between two answers: a twentieth of a second on a fast disk, a second on a slow one. */
const STEP_BYTES = 32 * 1024 ** 2;
/** One step on a share that is asleep may take so long. */
const DEADLINE_MS = 60_000;
const MEMORY_LIMIT = 384 * 1024 ** 2;
/** Working time that one file may take, without the rests. */
const MAX_WORK_MS = 30 * 60_000;
const MAX_WAITING = 200;
/** How often a walk is begun whose process was replaced. */
const MAX_TRIES = 2;
/** During playback, a walk rests nine times as long as it works, and at least so long. */
const PLAYING_REST = 9;
const REST_MS = 250;
const MAX_REST_MS = 10_000;
/** A file that could not be read is left alone for so long. */
const LATER_MS = 10 * 60_000;
const MAX_LATER = 1000;

interface Waiting {
  source: MediaSource;
  /** A viewer waits for it, or may come again. */
  isWanted: boolean;
  watchers: Set<(part: number) => void>;
  progress: number;
  controller: AbortController;
  done: Promise<WalkResult>;
  settle(result: Promise<WalkResult>): void;
}

export function createWalks(needs: WalksNeeds): Walks {
  const {
    processes,
    log,
    clock,
    cache,
    isPlaying,
    maxBytes,
    module = new URL('../index-helper.ts', import.meta.url),
    stepBytes = STEP_BYTES,
    restMs = REST_MS,
  } = needs;
  const store = createIndexStore({ folder: `${cache}/indexes`, log, clock, maxBytes });
  const waiting = new Map<string, Waiting>();
  const later = new Map<string, number>();
  let helper: Helper | undefined;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let walks = 0;

  const ask = async (question: MediaQuestion, signal: AbortSignal): Promise<MediaAnswer> => {
    signal.throwIfAborted();
    helper ??= processes.startHelper({
      name: 'media-walk',
      module,
      deadlineMs: DEADLINE_MS,
      children: 1,
      ahead: 1,
      isBinary: true,
      memoryLimit: MEMORY_LIMIT,
    });
    return helper.ask<MediaAnswer>(question, signal);
  };
  /** Walks a file once; undefined when the process was replaced meanwhile. */
  const attempt = async (one: Waiting): Promise<WalkResult | undefined> => {
    const {
      source,
      controller: { signal },
    } = one;
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
      if (!('progress' in answer))
        throw new Failure('unavailable', 'the file cannot be read', { reason: 'file-unavailable' });
      if ((worked += took) > MAX_WORK_MS) return { refused: 'it takes too long' };
      one.progress = answer.progress;
      for (const watch of one.watchers) watch(answer.progress);
      if (isPlaying())
        await pause(Math.min(MAX_REST_MS, Math.max(restMs, took * PLAYING_REST)), undefined, { signal, ref: false });
    }
  };
  const walkWhole = async (one: Waiting): Promise<WalkResult> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        const walked = await attempt(one);
        if (walked) return walked;
      } catch (error) {
        if (!(error instanceof HelperFailure) || (error.fault !== 'crashed' && error.fault !== 'memory')) throw error;
        // A file that ends its reader is not read again.
        return { refused: error.fault };
      }
    }
    throw new Failure('unavailable', 'the file cannot be read', { reason: 'file-unavailable' });
  };
  const finish = async (one: Waiting): Promise<WalkResult> => {
    const { identity } = one.source;
    try {
      const walked = await walkWhole(one);
      await store.put(identity, walked);
      if ('refused' in walked) log.info('playback.walk.refused', { why: walked.refused });
      return walked;
    } catch (error) {
      if (!one.controller.signal.aborted) {
        if (later.size >= MAX_LATER) later.delete(later.keys().next().value ?? '');
        later.set(identity, clock.monotonic() + LATER_MS);
        log.warn('playback.walk.failed', { why: error instanceof Error ? error.message : 'unknown' });
      }
      throw error;
    }
  };
  const work = async (): Promise<void> => {
    while (!isClosed && waiting.size > 0) {
      const all = [...waiting.values()];
      const one = all.find(({ isWanted }) => isWanted) ?? all[0];
      if (one === undefined) return;
      const result = finish(one);
      one.settle(result);
      await result.catch(() => {});
      waiting.delete(one.source.identity);
    }
  };
  const begin = (source: MediaSource, isWanted: boolean): Waiting | undefined => {
    const { identity } = source;
    const had = waiting.get(identity);
    if (had) {
      had.isWanted ||= isWanted;
      return had;
    }
    if (isClosed || waiting.size >= MAX_WAITING || (later.get(identity) ?? -Infinity) > clock.monotonic())
      return undefined;
    later.delete(identity);
    const { promise, resolve } = Promise.withResolvers<WalkResult>();
    // No caller may be waiting for it.
    promise.catch(() => {});
    const one: Waiting = {
      source,
      isWanted,
      watchers: new Set(),
      progress: 0,
      controller: new AbortController(),
      done: promise,
      settle: resolve,
    };
    waiting.set(identity, one);
    running ??= work().finally(() => {
      running = undefined;
    });
    return one;
  };
  return {
    stored: async (source) => {
      const walked = await store.get(source.identity);
      if (walked === undefined) begin(source, true);
      return walked && 'index' in walked ? withStreams(walked.index, source) : undefined;
    },
    walk: async (source, { progress }, signal) => {
      signal.throwIfAborted();
      const walked = await store.get(source.identity);
      if (walked) return 'index' in walked ? 'there' : 'refused';
      const one = begin(source, false);
      if (one === undefined)
        throw new Failure('unavailable', 'the file cannot be read now', { reason: 'file-unavailable' });
      const watch = progress ?? (() => {});
      one.watchers.add(watch);
      const leave = (): void => {
        one.watchers.delete(watch);
        if (!one.isWanted && one.watchers.size === 0) one.controller.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        return 'index' in (await untilAborted(one.done, signal)) ? 'walked' : 'refused';
      } finally {
        signal.removeEventListener('abort', leave);
        one.watchers.delete(watch);
      }
    },
    progressOf: (identity) => waiting.get(identity)?.progress,
    hasRoom: store.hasRoom,
    trouble: store.trouble,
    close: async () => {
      isClosed = true;
      for (const { controller } of waiting.values())
        controller.abort(new Failure('unavailable', 'the server is stopping', { reason: 'stopping' }));
      await helper?.close();
      await running;
    },
  };
}

type Stream = MediaInfo['streams'][number];

/**
 * Maps each track to the index of its stream in the catalogue: the same if both count alike, otherwise that of the
 * first stream like it. One that is not there cannot be copied.
 */
function withStreams(index: IndexData, { info: { streams } }: MediaSource): IndexData {
  if (streams.length === 0) return index;
  const isLike = ({ kind, codec }: TrackData, stream: Stream): boolean =>
    stream.type === kind && stream.codec === codec && !stream.cover;
  const taken = new Set(
    index.tracks
      .filter((track) => streams.some((stream) => stream.index === track.stream && isLike(track, stream)))
      .map(({ stream }) => stream),
  );
  const isOwn = new Set(taken);
  return {
    ...index,
    tracks: index.tracks.map((track) => {
      if (isOwn.has(track.stream)) return track;
      const like = streams.find((stream) => isLike(track, stream) && !taken.has(stream.index));
      if (like === undefined)
        return track.obstacles.length > 0 ? { ...track, stream: -1 } : { ...track, stream: -1, obstacles: ['codec'] };
      taken.add(like.index);
      return { ...track, stream: like.index };
    }),
  };
}
