/**
 * Probes media files: finds their contents quickly, whatever the file does.
 *
 * Headers are read in a helper process; ffprobe decides about files that the header reader does not fully understand.
 * Promise: every file of a batch gets a result. A file that hangs or crashes the helper is identified and marked, and
 * delays the others only; it is not tried again in the same call.
 */

import { availableParallelism } from 'node:os';
import { PLACEMENT_CLUES, type PlacementClueText } from '../../contract/catalog/clues.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { Helper, Processes } from '../../lib/process.ts';
import { HelperFailure, ProcessFailure } from '../../lib/process.ts';
import { LibraryOffline } from '../core/libraries.ts';
import { ffprobeTags } from './audio/ffprobe-tags.ts';
import { fromFfprobe, type ProbedFile } from './from-ffprobe.ts';
import type { HelperAnswer, HelperQuestion, LyricsAnswer } from './helper.ts';
import { createLimit } from '../../lib/limit.ts';
import { MAX_INLINE_TEXT_BYTES, type ParsedTexts, parseTextOf, type NeighbourText } from './texts.ts';
import type { AudioTags, MediaInfo, Probe, ProbeFailure, ProbeRequest, ProbeResult } from './types.ts';

export { fromFfprobe } from './from-ffprobe.ts';
export type {
  MediaChapter,
  Hdr,
  MediaInfo,
  Probe,
  ProbeFailure,
  ProbeRequest,
  ProbeResult,
  Stream,
  StreamType,
} from './types.ts';

export interface ProbeNeeds {
  processes: Pick<Processes, 'startHelper'>;
  /**
   * Returns ffprobe's JSON reply for a file: `probe` of lib/ffmpeg. Rejects with a ProcessFailure, or with a Failure if
   * the file cannot be opened.
   */
  ffprobe: (path: string, signal: AbortSignal) => Promise<unknown>;
  log: Log;
  /** The library that all paths are in: below it no link is followed. */
  root?: string;
  /** How long one message to the helper may take: 64 files, or one that is suspected (default 10 s). */
  deadlineMs?: number;
  /** ffprobe processes at the same time (default 2). */
  ffprobesAtOnce?: number;
  /** The helper's module; tests pass one that misbehaves. */
  helper?: URL;
}

const filesInMessage = 64;
/** How long an unused helper stays. Starting one takes 50 ms, and one that waits takes 50 MiB. */
const IDLE_MS = 5_000;
/** Two read tags as fast as the main thread places and writes what they found. */
const MAX_CHILDREN = 2;
const memoryLimit = 384 * 1024 * 1024;
const sentences: Readonly<Record<ProbeFailure, PlacementClueText>> = {
  empty: PLACEMENT_CLUES.fileEmpty,
  broken: PLACEMENT_CLUES.fileDamaged,
  encrypted: PLACEMENT_CLUES.fileEncrypted,
  unreadable: PLACEMENT_CLUES.fileNotReadable,
  'not-media': PLACEMENT_CLUES.fileWithoutMedia,
  hung: PLACEMENT_CLUES.fileTooSlow,
  crashed: PLACEMENT_CLUES.fileNotExamined,
};

/** Adds tags to the info of a file that has sound alone. */
const withTags = (info: MediaInfo, audio: AudioTags): MediaInfo => {
  if (info.streams.some(({ type, cover }) => type === 'video' && !cover)) return info;
  const cover = info.streams.find((stream) => stream.cover)?.index;
  return { ...info, audio: { ...audio, ...(cover !== undefined && { cover }) } };
};

type Answer = HelperAnswer | { failed: 'hung' | 'crashed' };

export const createProbe = (needs: ProbeNeeds): Probe => {
  const { processes, ffprobe, log, root, deadlineMs = 10_000, ffprobesAtOnce = 2 } = needs;
  const module = needs.helper ?? new URL('./helper.ts', import.meta.url);
  const children = Math.min(MAX_CHILDREN, availableParallelism());
  const helper = processes.startHelper({ name: 'probe', module, deadlineMs, memoryLimit, idleMs: IDLE_MS, children });
  const limit = createLimit(ffprobesAtOnce);

  const settle = async (request: ProbeRequest, answer: Answer, signal: AbortSignal): Promise<ProbeResult> => {
    if ('info' in answer) return checked(answer.info, 'reader');
    if ('failed' in answer) return failure(answer.failed);
    const { container, duration, audio } = answer;
    const result = await limit(() => {
      signal.throwIfAborted();
      log.debug('probe.ffprobe', { why: answer.uncertain });
      return byFfprobe(ffprobe, request, { container, duration }, signal);
    });
    return result.ok && audio ? { ...result, info: withTags(result.info, audio) } : result;
  };

  return {
    async probe(batch, signal, isAnswering = () => Promise.resolve(true)) {
      const results = await Promise.all(
        messages(batch).map(async (requests) => {
          const answers = await askAll(
            { helper, root, signal, isAnswering },
            requests.map(({ path }) => path),
          );
          return Promise.all(
            requests.map((request, place) => settle(request, answers[place] ?? { uncertain: 'no answer' }, signal)),
          );
        }),
      );
      signal.throwIfAborted();
      const all = results.flat();
      if (all.some((one) => !one.ok && one.reason === 'hung') && !(await isAnswering())) throw new LibraryOffline();
      return all;
    },
    lyrics: (path, signal) =>
      helper.ask<LyricsAnswer>({ lyrics: path, ...(root !== undefined && { root }) } satisfies HelperQuestion, signal),
    parseText: async <F extends NeighbourText>(format: F, bytes: Uint8Array) => {
      if (bytes.length <= MAX_INLINE_TEXT_BYTES) return parseTextOf(format, bytes);
      const text = Buffer.from(bytes).toString('latin1');
      return helper.ask<ParsedTexts[F]>({ format, text } satisfies HelperQuestion).catch((error: unknown) => {
        if (!(error instanceof HelperFailure)) throw error;
        log.debug('probe.text', { format, fault: error.fault });
        return undefined;
      });
    },
    close: () => helper.close(),
  };
};

const messages = (batch: readonly ProbeRequest[]): ProbeRequest[][] => {
  const found: ProbeRequest[][] = [];
  for (let at = 0; at < batch.length; at += filesInMessage) found.push(batch.slice(at, at + filesInMessage));
  return found;
};

interface Asking {
  helper: Helper;
  root: string | undefined;
  signal: AbortSignal;
  isAnswering(): Promise<boolean>;
}

/** Sends one request; if the helper hangs or crashes, sends its files one by one, to find the one at fault. */
const askAll = async (asking: Asking, paths: string[]): Promise<Answer[]> => {
  const { helper, root, signal, isAnswering } = asking;
  try {
    return await helper.ask<HelperAnswer[]>(
      { paths, ...(root !== undefined && { root }) } satisfies HelperQuestion,
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HelperFailure) || error.fault === 'aborted' || error.fault === 'closed') throw error;
    if (error.fault === 'hung' && !(await isAnswering())) throw new LibraryOffline();
    // The helper does not start, or its reader has a fault: ffprobe decides.
    if (!error.isCulprit && paths.length === 1) return [{ uncertain: 'the helper failed' }];
    if (paths.length === 1) return [{ failed: error.fault === 'hung' ? 'hung' : 'crashed' }];
    const answers: Answer[] = [];
    for (const path of paths) answers.push(...(await askAll(asking, [path])));
    return answers;
  }
};

const failure = (reason: ProbeFailure): ProbeResult => ({ ok: false, reason, sentence: sentences[reason] });

const checked = (info: MediaInfo, by: 'reader' | 'ffprobe'): ProbeResult =>
  info.book !== undefined || info.streams.some(({ type, cover }) => type === 'audio' || (type === 'video' && !cover))
    ? { ok: true, info, by }
    : failure('not-media');

const byFfprobe = async (
  ffprobe: ProbeNeeds['ffprobe'],
  { path, size }: ProbeRequest,
  { container, duration }: Pick<ProbedFile, 'container' | 'duration'>,
  signal: AbortSignal,
): Promise<ProbeResult> => {
  try {
    const reply = await ffprobe(path, signal);
    const info = fromFfprobe(reply, { size, container, duration });
    if (info === undefined) return failure(container === undefined ? 'not-media' : 'broken');
    const audio = ffprobeTags(reply);
    return checked(audio ? withTags(info, audio) : info, 'ffprobe');
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    // It could not be opened: it was removed, became a link, or its library does not answer.
    if (!(error instanceof ProcessFailure)) return failure(error.kind === 'unavailable' ? 'hung' : 'unreadable');
    if (error.fault === 'exit') return failure(container === undefined ? 'not-media' : 'broken');
    if (error.fault === 'timeout' || error.fault === 'quiet') return failure('hung');
    if (error.fault === 'signal' || error.fault === 'output') return failure('crashed');
    throw error;
  }
};
