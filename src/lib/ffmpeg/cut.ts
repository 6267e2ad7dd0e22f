/**
 * Cutting a part out of a file of sound, to the sample and without loss: the arguments, and the head of the FLAC file
 * that ffmpeg writes into a pipe. Pure.
 */
import { inputArgs, integerArgument } from './args.ts';
import type { AudioCut } from './types.ts';

/**
 * Codecs in whose files a seek finds the exact sample. In all others ffmpeg guesses times after a seek, so they are
 * decoded from their beginning.
 */
const EXACT_SEEK = /^(?:flac|alac|wavpack|ape|tta|tak|pcm_.*)$/;
const CD_FORMAT = ['-sample_fmt', 's16'];

/** The part as FLAC on standard output; progress to pipe 3. */
export function cutArgs({ stream, codec, rate, start, end }: AudioCut): string[] {
  const isExact = EXACT_SEEK.test(codec);
  const first = Math.round(start * rate);
  const last = end === undefined ? undefined : Math.round(end * rate);
  if (last !== undefined && last <= first) throw new TypeError('a part of a file has at least one sample');
  const endAt = (sample: number): string => `end_sample=${integerArgument(sample)}`;
  const before = last === undefined ? '' : `:${endAt(last)}`;
  const trim = isExact
    ? last !== undefined && `atrim=${endAt(last - first)}`
    : `atrim=start_sample=${integerArgument(first)}${before},asetpts=N/SR/TB`;
  return [
    ...inputArgs(isExact && first > 0 ? ['-ss', (first / rate).toFixed(6)] : []),
    '-map',
    `0:${integerArgument(stream)}`,
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    ...(trim === false ? [] : ['-af', trim]),
    '-c:a',
    'flac',
    '-compression_level',
    '3',
    ...(isExact ? [] : CD_FORMAT),
    '-progress',
    'pipe:3',
    '-f',
    'flac',
    'pipe:1',
  ];
}

/** Offset of the number of samples (36 bits) in a FLAC file, whose first block describes the stream. */
const SAMPLES_AT = 21;
const MAX_SAMPLES = 2 ** 36;

/** Writes the number of samples into the head of a FLAC file, which ffmpeg leaves out when it writes into a pipe. */
export function withSampleCount(flac: Buffer, samples: number): Buffer {
  if (flac.length < 42 || flac.toString('latin1', 0, 4) !== 'fLaC' || !(samples > 0 && samples < MAX_SAMPLES))
    throw new RangeError('not a FLAC file');
  flac[SAMPLES_AT] = ((flac[SAMPLES_AT] ?? 0) & 0xf0) | Math.floor(samples / 2 ** 32);
  flac.writeUInt32BE(samples % 2 ** 32, SAMPLES_AT + 1);
  return flac;
}
