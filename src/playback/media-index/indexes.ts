/**
 * Indexes of the files that are being played: read once by a helper process, shared by all viewers, kept in memory up
 * to a limit, by the identity of the file.
 */
import { createPromiseCache, createSharedWork, type WorkContext, untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { type Helper, HelperFailure, type Processes } from '../../lib/process.ts';
import type { MediaSource } from '../rendition.ts';
import { createMediaIndex, type MediaIndex, type Walk } from './live.ts';
import type { FontPlace } from './matroska/fonts.ts';
import type { AskedFile, MediaAnswer, MediaQuestion } from './messages.ts';
import type { IndexData } from './types.ts';

export interface MediaIndexesNeeds {
  processes: Pick<Processes, 'startHelper'>;
  log: Log;
  /**
   * Called for a file without an index (MPEG-TS, AVI, Matroska without cues). Returns the stored index, if
   * any. A missing index is not cached, so that one made later is found.
   */
  stored?: (source: MediaSource) => Promise<IndexData | undefined>;
  /** Memory for indexes; 64 MiB unless a test says otherwise. */
  maxBytes?: number;
  /** For tests: another helper process, smaller steps and shorter rests. */
  module?: URL;
  deadlineMs?: number;
}

export interface MediaIndexes {
  /**
   * Returns the index of a file. One that is not understood has the obstacle `no-index`. Fails as `open` of the source
   * does, and as `unavailable` when the file does not answer. The work is shared; it ends when the last caller has
   * left.
   */
  open(source: MediaSource, signal: AbortSignal): Promise<MediaIndex>;
  /** Returns where the fonts in a file are; none where the file is not understood. Fails as `open` does. */
  fonts(source: MediaSource, signal: AbortSignal): Promise<readonly FontPlace[]>;
  /** Starts the process that reads indexes, because playback may begin soon. */
  warm(): void;
  close(): Promise<void>;
}

const MAX_BYTES = 64 * 1024 ** 2;
/** Reading the index of a film takes milliseconds; a disk may have to spin up first. */
const DEADLINE_MS = 20_000;
/** Files whose fonts are remembered: a player asks for each font by itself. */
const MAX_FONT_LISTS = 32;
const MEMORY_LIMIT = 512 * 1024 ** 2;
/** Starting the process takes longer than reading an index, and a person who browses films is likely to play one. */
const IDLE_MS = 5 * 60_000;
/** Time limit for a read without waiting callers, because starting another process takes longer than most reads. */
const ABANDONED_MS = 1_000;
const NOTHING: IndexData = {
  duration: 0,
  tracks: [],
  main: 0,
  keyframes: { times: new Float64Array(0), places: new Float64Array(0), isIdr: new Uint8Array(0) },
  layout: { kind: 'tables', tables: [] },
  obstacles: ['no-index'],
};

export function createMediaIndexes({
  processes,
  log,
  stored,
  maxBytes = MAX_BYTES,
  module = new URL('./index-helper.ts', import.meta.url),
  deadlineMs = DEADLINE_MS,
}: MediaIndexesNeeds): MediaIndexes {
  /** The one used last comes last. */
  const kept = new Map<string, MediaIndex>();
  const sharing = createSharedWork<MediaIndex>();
  let helper: Helper | undefined;
  let isClosed = false;

  // Two, so that a file that does not answer does not hold up the others.
  const reader = (): Helper =>
    (helper ??= processes.startHelper({
      name: 'media-index',
      module,
      deadlineMs,
      children: 2,
      ahead: 1,
      isBinary: true,
      memoryLimit: MEMORY_LIMIT,
      idleMs: IDLE_MS,
      abandonedMs: ABANDONED_MS,
    }));
  const ask = async (question: MediaQuestion, signal?: AbortSignal): Promise<MediaAnswer> => {
    if (isClosed) throw new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
    return reader().ask<MediaAnswer>(question, signal);
  };
  const keep = (identity: string, index: MediaIndex): void => {
    kept.delete(identity);
    if (index.bytes > maxBytes) return;
    kept.set(identity, index);
    let bytes = 0;
    for (const each of kept.values()) bytes += each.bytes;
    for (const [oldest, each] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= each.bytes;
    }
  };
  const make = async (source: MediaSource, signal: AbortSignal): Promise<MediaIndex> => {
    const file = await openedVersionOf(source);
    const answer = await ask({ is: 'index', file }, signal).catch((error: unknown): MediaAnswer => {
      // A file that ends its reader is not read again.
      if (error instanceof HelperFailure && (error.fault === 'crashed' || error.fault === 'memory'))
        return { refused: error.fault };
      throw error;
    });
    if ('index' in answer) return createMediaIndex(answer.index, walkOf(source, ask));
    if (!('refused' in answer)) return refuse(answer);
    log.debug('playback.no-index', { why: answer.refused });
    return createMediaIndex((await stored?.(source)) ?? NOTHING, walkOf(source, ask));
  };
  const open = (source: MediaSource, signal: AbortSignal): Promise<MediaIndex> => {
    const { identity } = source;
    const had = kept.get(identity);
    if (had) {
      keep(identity, had);
      return Promise.resolve(had);
    }
    const work = async (share: WorkContext): Promise<MediaIndex> => {
      const index = await make(source, share.signal);
      if (index.obstacles.length === 0 || stored === undefined) keep(identity, index);
      return index;
    };
    return sharing.join(identity, { work, signal });
  };
  const recentFonts = createPromiseCache<readonly FontPlace[]>(MAX_FONT_LISTS);
  const readFonts = async (source: MediaSource): Promise<readonly FontPlace[]> => {
    const answer = await ask({ is: 'fonts', file: await openedVersionOf(source) });
    if ('fonts' in answer) return answer.fonts;
    return 'refused' in answer ? [] : refuse(answer);
  };
  return {
    fonts: async (source, signal) => {
      signal.throwIfAborted();
      return untilAborted(
        recentFonts(source.identity, () => readFonts(source)),
        signal,
      );
    },
    open: async (source, signal) => {
      signal.throwIfAborted();
      return open(source, signal);
    },
    warm: () => {
      if (!isClosed) reader().warm();
    },
    close: async () => {
      isClosed = true;
      sharing.close();
      kept.clear();
      await helper?.close();
    },
  };
}

function walkOf(source: MediaSource, ask: (question: MediaQuestion) => Promise<MediaAnswer>): Walk {
  const samples = async (question: (file: AskedFile) => MediaQuestion) => {
    const answer = await ask(question(await openedVersionOf(source)));
    return 'segment' in answer ? answer.segment : refuse(answer);
  };
  return {
    segment: (question) => samples((file) => ({ is: 'segment', file, question })),
    packets: async (question) => {
      const [one] = await samples((file) => ({ is: 'packets', file, question }));
      if (one === undefined)
        throw new Failure('unavailable', 'this part of the file cannot be read', { reason: 'file-unavailable' });
      return one;
    },
    keyframe: async (question, key) => {
      const [one] = await samples((file) => ({ is: 'keyframe', file, question, key }));
      if (one === undefined)
        throw new Failure('unavailable', 'this part of the file cannot be read', { reason: 'file-unavailable' });
      return one;
    },
  };
}

function refuse(answer: MediaAnswer): never {
  if ('failed' in answer && answer.failed === 'changed')
    throw new Failure('conflict', 'the file has changed', { reason: 'changed' });
  throw new Failure('unavailable', 'this part of the file cannot be read', { reason: 'file-unavailable' });
}

/** Path and version of a file as it is open now. */
export async function openedVersionOf({ media, open }: MediaSource): Promise<AskedFile> {
  const file = await open();
  const { size, mtimeMs, ino } = file;
  await file.close();
  return typeof media === 'string'
    ? { path: media, size, mtimeMs, ino }
    : { path: `${media.root.path}/${media.relative}`, root: media.root.path, size, mtimeMs, ino };
}
