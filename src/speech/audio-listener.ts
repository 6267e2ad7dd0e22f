/**
 * Makes a curve of one audio track: ffmpeg decodes, a helper process detects speech, and this process passes the
 * samples on as fast as they are processed.
 *
 * Analyses one track at a time on the whole server, because one that a person waits for uses two processors; such
 * requests run first. An abort ends both processes. The helper ends when it is idle.
 */
import { Failure } from '../lib/failure.ts';
import type { Ffmpeg, Media } from '../lib/ffmpeg/index.ts';
import { createLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import { type Helper, HelperFailure, ProcessFailure, type Processes } from '../lib/process.ts';
import type { KeptCurve } from './curve-cache.ts';
import type { ListenReply, ListenRequest } from './messages.ts';

export interface AudioListener {
  /** Calls `begun` when the job leaves the queue. `isFirst` returns whether a person waits for it. */
  listen(asked: ListenJob, signal: AbortSignal): Promise<KeptCurve>;
  close(): Promise<void>;
}

export interface ListenJob {
  media: Media;
  stream?: number;
  zero: number;
  seconds?: number | undefined;
  progress(part: number): void;
  isFirst(): boolean;
  begun(): void;
}

export interface AudioListenerNeeds {
  processes: Pick<Processes, 'startHelper'>;
  ffmpeg: Pick<Ffmpeg, 'extractAudio'>;
  log: Log;
  /** Replaced by tests. */
  module?: URL;
  deadlineMs?: number;
}

const MIB = 1024 ** 2;
const BYTES_A_SECOND = 32_000;
/** Bytes of a message, and how many messages may be unanswered: at most ten seconds of work each. */
const PIECE = MIB;
const AHEAD = 3;

export function createAudioListener({
  processes,
  ffmpeg,
  log,
  module = new URL('./listen-helper.ts', import.meta.url),
  deadlineMs = 120_000,
}: AudioListenerNeeds): AudioListener {
  /** A running analysis is never interrupted by one with a higher priority. */
  const lock = createLock();
  let helper: Helper | undefined;
  const dismiss = async (): Promise<void> => {
    const old = helper;
    helper = undefined;
    await old?.close();
  };

  return {
    listen: (asked, signal) =>
      lock.run(
        async () => {
          asked.begun();
          // The ONNX runtime reads its library and the model from the package.
          helper ??= processes.startHelper({
            name: 'speech',
            module,
            deadlineMs,
            isAddonAllowed: true,
            isBinary: true,
            memoryLimit: 768 * MIB,
            reads: [],
          });
          const { ask } = helper;
          try {
            return await listen({ ffmpeg, log, ask: (request) => ask<ListenReply>(request, signal) }, asked, signal);
          } catch (error) {
            // The helper may be in the middle of a block that is no longer wanted.
            await dismiss();
            signal.throwIfAborted();
            if (error instanceof HelperFailure) {
              log.warn('speech.helper-failed', { reason: error.fault, detail: error.detail });
              throw new Failure(
                'unavailable',
                error.fault === 'hung'
                  ? 'listening to the audio took too long'
                  : 'listening to the audio was interrupted',
                { reason: 'helper-failed' },
                { cause: error },
              );
            }
            throw error;
          }
        },
        signal,
        () => asked.isFirst(),
      ),
    close: dismiss,
  };
}

interface Session {
  ffmpeg: Pick<Ffmpeg, 'extractAudio'>;
  log: Log;
  ask(request: ListenRequest): Promise<ListenReply>;
}

async function listen(
  { ffmpeg, log, ask }: Session,
  { media, stream, zero, seconds, progress, isFirst }: ListenJob,
  signal: AbortSignal,
): Promise<KeptCurve> {
  const begun = await ask({ do: 'begin', isAwaited: isFirst() });
  if (begun.is === 'missing') {
    log.warn('speech.no-detector', { detail: begun.detail });
    throw new Failure('unavailable', 'this machine cannot run the speech detectors', { reason: 'no-detector' });
  }
  if (begun.is !== 'ready') throw new Error('the speech helper replied out of turn');
  if (begun.detector !== 'neural') log.warn('speech.light-detector', { detail: begun.detail });
  const { samples, done, stop } = await ffmpeg.extractAudio(
    { media, ...(stream !== undefined && { stream }), zero },
    signal,
  );
  done.catch(() => {});
  const underWay = new Set<Promise<void>>();
  let failed: unknown;
  let total = 0;
  const send = (bytes: Uint8Array): void => {
    total += bytes.length;
    const so = ask({ do: 'samples', bytes })
      .then((reply) => {
        if (reply.is === 'heard' && seconds !== undefined && seconds > 0)
          progress(Math.min(0.99, reply.seconds / seconds));
      })
      .catch((error: unknown) => {
        failed ??= error;
      })
      .finally(() => underWay.delete(so));
    underWay.add(so);
  };
  try {
    for await (const piece of pieces(samples)) {
      send(piece);
      while (underWay.size >= AHEAD) await Promise.race(underWay);
      if (failed !== undefined) throw failed;
    }
    await done;
    await Promise.all(underWay);
    if (failed !== undefined) throw failed;
  } catch (error) {
    stop();
    throw failed ?? unreadable(error);
  }
  if (total < BYTES_A_SECOND / 100)
    throw new Failure('conflict', 'this video has no audio that can be read', { reason: 'no-audio-track' });
  const heard = await ask({ do: 'end' });
  if (heard.is !== 'done') throw new Error('the speech helper replied out of turn');
  return { speech: heard.speech, level: heard.level, detector: begun.detector };
}

/** Joins the chunks of a stream into pieces of one size, so that few messages are sent. */
async function* pieces(samples: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of samples) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < PIECE) continue;
    yield Buffer.concat(waiting);
    [waiting, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/**
 * Returns the failure to report: the program's own when it is missing, busy or stopped with the server, else the
 * file's.
 */
function unreadable(error: unknown): unknown {
  const isOfFile = error instanceof ProcessFailure && ['exit', 'signal', 'quiet', 'timeout'].includes(error.fault);
  return isOfFile
    ? new Failure(
        'conflict',
        'the audio of this video cannot be read',
        { reason: 'audio-undecodable' },
        { cause: error },
      )
    : error;
}
