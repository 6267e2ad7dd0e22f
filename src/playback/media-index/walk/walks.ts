/**
 * Walks through files without an index: in the background, one at a time, in short steps that leave most
 * of the time to playback. The result of a walk is stored by the identity of the file.
 */
import type { MediaInfo } from '../../../catalog/index.ts';
import { Failure } from '../../../lib/failure.ts';
import { createJobQueue, type JobContext, type QueuedJob } from '../../../lib/jobs.ts';
import type { Log } from '../../../lib/log.ts';
import type { MediaSource } from '../../rendition.ts';
import type { IndexData, TrackData } from '../types.ts';
import { createIndexStore, type WalkResult } from './store.ts';
import { createFileWalker, type FileWalkerNeeds } from './file-walker.ts';

export interface WalksNeeds extends FileWalkerNeeds {
  log: Log;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  maxBytes?: number;
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

const MAX_WAITING = 200;
/** Time for which a file that could not be read is left alone. */
const LATER_MS = 10 * 60_000;
const MAX_LATER = 1000;

export function createWalks(needs: WalksNeeds): Walks {
  const { log, clock, cache, maxBytes } = needs;
  const store = createIndexStore({ folder: `${cache}/indexes`, log, clock, maxBytes });
  const walker = createFileWalker(needs);
  const jobs = createJobQueue<WalkResult>();
  /** Files that could not be read, and when they may be read again. */
  const later = new Map<string, number>();
  let isClosed = false;

  const work =
    (source: MediaSource) =>
    async ({ progress, signal }: JobContext): Promise<WalkResult> => {
      const { identity } = source;
      try {
        const walked = await walker.walk(source, progress, signal);
        await store.put(identity, walked);
        if ('refused' in walked) log.info('playback.walk.refused', { why: walked.refused });
        return walked;
      } catch (error) {
        if (!signal.aborted) {
          if (later.size >= MAX_LATER) later.delete(later.keys().next().value ?? '');
          later.set(identity, clock.monotonic() + LATER_MS);
          log.warn('playback.walk.failed', { why: error instanceof Error ? error.message : 'unknown' });
        }
        throw error;
      }
    };
  const begin = (source: MediaSource, isWanted: boolean): QueuedJob<WalkResult> | undefined => {
    const { identity } = source;
    const isLate = jobs.size >= MAX_WAITING || (later.get(identity) ?? -Infinity) > clock.monotonic();
    if (isClosed || (isLate && !jobs.has(identity))) return undefined;
    later.delete(identity);
    return jobs.ask(identity, { isWanted, work: work(source) });
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
      const job = begin(source, false);
      if (job === undefined)
        throw new Failure('unavailable', 'the file cannot be read now', { reason: 'file-unavailable' });
      return 'index' in (await job.wait(signal, progress)) ? 'walked' : 'refused';
    },
    progressOf: jobs.progressOf,
    hasRoom: store.hasRoom,
    trouble: store.trouble,
    close: async () => {
      isClosed = true;
      const ended = jobs.close();
      await walker.close();
      await ended;
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
