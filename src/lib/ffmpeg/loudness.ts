/** Measuring how loud sound is (EBU R 128): the arguments, and what ffmpeg reports. Pure. */
import { inputArgs, integerArgument, secondsArgument } from './args.ts';
import type { LoudnessRequest, MeasuredLoudness } from './types.ts';

/** One stream of sound, decoded and measured. ffmpeg reports ten times for each second of sound. */
export const loudnessArgs = ({ stream, start = 0, end }: Omit<LoudnessRequest, 'media'>): string[] => [
  ...inputArgs(start > 0 ? ['-ss', secondsArgument(start)] : []),
  '-map',
  `0:${integerArgument(stream)}`,
  ...(end === undefined ? [] : ['-t', secondsArgument(end - start)]),
  '-af',
  'ebur128=peak=sample:metadata=1:framelog=verbose,ametadata=mode=print:file=-',
  '-f',
  'null',
  '/dev/null',
];

/** Bytes at the end of the reports that have the last one. */
export const LOUDNESS_TAIL = 4_096;
/** ffmpeg reports this for silence. */
const SILENCE_LUFS = -70;

/** Reads the last report. Returns undefined for silence, and for a text without a report. */
export function parseLoudness(text: string): MeasuredLoudness | undefined {
  const last = (name: string): number => {
    const found = [...text.matchAll(new RegExp(`^lavfi\\.r128\\.${name}=(-?\\d{1,6}(?:\\.\\d{1,9})?)$`, 'gm'))].at(
      -1,
    )?.[1];
    return found === undefined ? Number.NaN : Number(found);
  };
  const [lufs, peak] = [last('I'), last('sample_peak')];
  if (!Number.isFinite(lufs) || lufs <= SILENCE_LUFS) return undefined;
  return { lufs, ...(Number.isFinite(peak) && peak >= 0 && { peak }) };
}
