/**
 * Measures the software conversion rate in CPU time, which other work hardly changes, so that
 * a busy start is not taken for a slow machine.
 */
import type { OpenInput } from '../../lib/process.ts';
import type { ClipShape, Trials } from '../../lib/ffmpeg/encode/trial.ts';
import { type Preset, PRESETS } from '../../lib/media/encoding.ts';
import type { Machine } from '../plan/types.ts';

/** Threads wait for each other, and two threads of a core are less than two cores. */
const SHARE = 0.7;
/** More are not kept busy by one film. */
const MAX_CORES = 12;
/** Minimum remainder of the measured work: a subtraction must not make a rate infinite. */
const MIN_SECONDS = 0.005;

export interface MeasureNeeds {
  trials: Trials;
  open(): Promise<OpenInput>;
  /** Properties of the clip that `open` opens; one second of it is converted. */
  shape: ClipShape;
  cores: number;
  signal?: AbortSignal | undefined;
}

/** Luma samples a second on all cores: of each preset, of decoding, and of mapping HDR. */
export async function measureSoftware({
  trials,
  open,
  shape,
  cores,
  signal,
}: MeasureNeeds): Promise<Pick<Machine['software'], 'rates' | 'decodeRate' | 'toneMapRate'>> {
  const samples = shape.width * shape.height * Math.min(shape.frames, shape.frameRate);
  const rateOf = (seconds: number): number =>
    Math.round((samples / Math.max(MIN_SECONDS, seconds)) * Math.min(cores, MAX_CORES) * SHARE);
  const decoding = await trials.cpuSeconds({ is: 'decode' }, open, shape, signal);
  const rates = {} as Record<Preset, number>;
  for (const preset of PRESETS)
    rates[preset] = rateOf((await trials.cpuSeconds({ is: 'encode', preset }, open, shape, signal)) - decoding);
  const mapping = await trials.cpuSeconds({ is: 'toneMap' }, open, shape, signal);
  return { rates, decodeRate: rateOf(decoding), toneMapRate: rateOf(mapping - decoding) };
}
