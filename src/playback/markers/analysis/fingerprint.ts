/**
 * The audio fingerprint of a part of a file, made by fpcalc, and where that part is silent.
 *
 * ffmpeg decodes the open file, and its samples go through this process to fpcalc, which is given no path and no file.
 * A fault of either program is a Failure, and output of another shape is refused.
 */
import { Failure } from '../../../lib/failure.ts';
import type { Ffmpeg, Media } from '../../../lib/ffmpeg/index.ts';
import type { Processes } from '../../../lib/process.ts';
import { ITEM_S } from './match.ts';
import { createSilences, type SilentSpan } from './silence-detection.ts';

export interface Fingerprint {
  /** Seconds after the beginning of the file at which the part begins, and how long it is. */
  from: number;
  length: number;
  items: Int32Array;
  silences: SilentSpan[];
}

export interface FingerprintNeeds {
  ffmpeg: Pick<Ffmpeg, 'extractAudio'>;
  processes: Pick<Processes, 'run'>;
  /** `binaries.fpcalc` */
  program: string;
}

const TIMEOUT_MS = 10 * 60_000;
const MIB = 1024 ** 2;
const BYTES = 2;
/** A fingerprint covers at most so much. */
const MAX_LENGTH_S = 900;
/**
 * Silence after the audio, so that fpcalc reaches the requested length instead of an end of input that it counts as an
 * error.
 */
const PADDING_S = 2;

/** Fails as `conflict` when the file has no audio that can be read, and as ProcessFailure `missing` without fpcalc. */
export async function makeFingerprint(
  { ffmpeg, processes, program }: FingerprintNeeds,
  { media, stream, from, length }: { media: Media; stream: number; from: number; length: number },
  signal: AbortSignal,
): Promise<Fingerprint> {
  if (length > MAX_LENGTH_S) throw new RangeError('a fingerprint of too long a part');
  const audio = await ffmpeg.extractAudio({ media, stream, from, length }, signal);
  audio.done.catch(() => {});
  const silences = createSilences(audio.rate);
  let samples = 0;
  let broken: unknown;
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of audio.samples as AsyncIterable<Buffer>) {
        samples += piece.length / BYTES;
        silences.add(piece);
        yield piece;
      }
      await audio.done;
    } catch (error) {
      broken = error;
      throw error;
    }
    const zeros = Buffer.alloc(audio.rate * BYTES);
    for (let padded = -PADDING_S; padded < length - samples / audio.rate; padded++) yield zeros;
  };
  try {
    const args = [
      '-raw',
      '-length',
      String(Math.ceil(length)),
      '-format',
      's16le',
      '-rate',
      String(audio.rate),
      '-channels',
      '1',
      '-',
    ];
    // Not in the queue of background work: on two cores that has one place, which the decoder holds until fpcalc reads.
    const { stdout } = await processes.run(
      {
        program,
        args,
        input: pieces(),
        timeoutMs: TIMEOUT_MS,
        cpuSeconds: 120,
        fileLimit: 0,
        outputLimit: MIB,
        memoryLimit: 512 * MIB,
        nice: 10,
      },
      signal,
    );
    const covered = Math.min(length, samples / audio.rate);
    if (covered < 1) throw new Failure('conflict', 'this video has no audio that can be read', { reason: 'no-audio' });
    // The items of the padding describe nothing.
    return {
      from,
      length: covered,
      items: itemsOf(stdout.toString('latin1'), length).slice(0, Math.floor(covered / ITEM_S)),
      silences: silences.end(),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw broken === undefined
      ? error
      : new Failure(
          'conflict',
          'the audio of this video cannot be read',
          { reason: 'audio-unreadable' },
          { cause: broken },
        );
  } finally {
    audio.stop();
  }
}

const LARGEST = 2 ** 32 - 1;

/** Reads `FINGERPRINT=1,2,3` of a part of `length` seconds. */
export function itemsOf(output: string, length: number): Int32Array {
  const [list, ...more] = output.split('\n').filter((line) => line.startsWith('FINGERPRINT='));
  const words = list?.slice('FINGERPRINT='.length).trim().split(',') ?? [];
  const isWhole =
    list !== undefined &&
    more.length === 0 &&
    words.length <= length / ITEM_S + 2 &&
    words.every((word) => /^\d{1,10}$/.test(word) && Number(word) <= LARGEST);
  if (!isWhole) throw new Failure('conflict', 'fpcalc returned no fingerprint', { reason: 'no-fingerprint' });
  return Int32Array.from(words, (word) => Number(word) | 0);
}
