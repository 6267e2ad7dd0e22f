/** Tries what may be there: each accelerator by verified test encodes, and what software does and how fast. */
import type { FfmpegCapabilities } from '../../lib/ffmpeg/index.ts';
import { encodersOf, isDecoding, softwareEncoders, type Trials } from '../../lib/ffmpeg/encode/trial.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { HdrSource, Machine, VideoCodec } from '../plan/types.ts';
import { type CheckedCandidate, isFound } from './candidates.ts';
import { measureSoftware } from './measure.ts';
import { failedTrial, trialReason } from './reasons.ts';
import { createTrialClips } from './trial-clips.ts';
import { createTrialEncodes } from './trial-encodes.ts';
import type { AcceleratorStatus, AcceleratorCandidate, ClipSizes, TrialResult } from './types.ts';
import type { EncodeVideo } from './verify.ts';

const NOT_TRIED = failedTrial({ reason: 'encoding-failed', values: {} });
const FULL_HD = 1920 * 1080 * 24;
const MIN_MS = 20;
/** Codecs besides H.264. */
const OTHER_CODECS = ['hevc', 'av1', 'vp9'] as const;

export interface DetectNeeds {
  trials: Trials;
  encode: EncodeVideo;
  capabilities: Pick<FfmpegCapabilities, 'encoders'>;
  filters: readonly string[];
  /** A folder for generated clips, which is there. */
  folder: string;
  sizes: ClipSizes;
  cores: number;
  /** How long an accelerator may take for a trial. */
  trialMs: number;
  now(): number;
  signal?: AbortSignal | undefined;
}

export interface Detection {
  /** Tests an accelerator. A failed trial is part of the result. */
  row(found: CheckedCandidate): Promise<AcceleratorStatus>;
  /** Measures the rates of software. */
  software(): Promise<Machine['software']>;
  /** Returns the kinds of HDR that software maps to an ordinary range. */
  toneMaps(): Promise<HdrSource[]>;
}

export function createDetection(needs: DetectNeeds): Detection {
  const { trials, capabilities, filters, sizes, cores, signal } = needs;
  const clips = createTrialClips(needs);
  const encodes = createTrialEncodes({ ...needs, clips });
  /** An abort by the server is no verdict. */
  const verdict = async <T>(work: () => Promise<T>): Promise<{ result: TrialResult; value?: T }> => {
    try {
      return { value: await work(), result: { passed: true } };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProcessFailure && error.fault === 'closed') throw error;
      return { result: failedTrial(trialReason(error)) };
    }
  };

  /** Samples a second: what a larger clip takes longer than a small one, so that starting the driver does not count. */
  async function rateOf(accelerator: AcceleratorCandidate, startMs: number): Promise<number> {
    const { ms } = await encodes.run('speed', { accelerator });
    return Math.round(
      (sizes.speed.width * sizes.speed.height * sizes.speed.frames * 1000) / Math.max(MIN_MS, ms - startMs),
    );
  }

  async function row({ missing, ...accelerator }: CheckedCandidate): Promise<AcceleratorStatus> {
    const found = isFound({ missing, ...accelerator });
    const failed = (encode: TrialResult): AcceleratorStatus => ({
      ...accelerator,
      found,
      encode,
      decode: NOT_TRIED,
      toneMap: NOT_TRIED,
      codecs: [],
      decodes: [],
    });
    if (missing !== undefined) return failed(failedTrial(missing));
    const encoders = encodersOf(accelerator.name);
    const isBuiltIn = (codec: VideoCodec): boolean => capabilities.encoders.includes(encoders.get(codec) ?? '');
    if (!isBuiltIn('h264')) return failed(failedTrial({ reason: 'no-encoder', values: {} }));
    const { result: encoding, value: made } = await verdict(() => encodes.verified('plain', { accelerator }));
    if (!made) return failed(encoding);
    const codecs: VideoCodec[] = ['h264'];
    for (const codec of OTHER_CODECS)
      if (isBuiltIn(codec) && (await verdict(() => encodes.verified('plain', { accelerator, codec }))).result.passed)
        codecs.push(codec);
    const decode = isDecoding(accelerator.name)
      ? (await verdict(() => encodes.decoded(accelerator, 'plain'))).result
      : failedTrial({ reason: 'encodes-only', values: {} });
    const decodes: VideoCodec[] = decode.passed ? ['h264'] : [];
    for (const codec of decode.passed ? OTHER_CODECS : [])
      if (isGenerated(codec) && (await verdict(() => encodes.decoded(accelerator, codec))).result.passed)
        decodes.push(codec);
    const measured = await verdict(() => rateOf(accelerator, made.ms));
    const rate = measured.value;
    if (rate === undefined) return failed(measured.result);
    const times = Math.round((rate / FULL_HD) * 10) / 10;
    return {
      ...accelerator,
      found,
      encode: { passed: true, speed: times },
      decode,
      toneMap: await mapping(accelerator),
      codecs,
      decodes,
      rate,
    };
  }
  const isGenerated = (codec: VideoCodec): boolean =>
    capabilities.encoders.includes(softwareEncoders().get(codec) ?? '');
  async function mapping(accelerator: AcceleratorCandidate): Promise<TrialResult> {
    const prepared = await verdict(() => encodes.reference('mapped'));
    if (!prepared.result.passed) return failedTrial({ reason: 'no-hdr-pictures', values: {} });
    return (await verdict(() => encodes.verified('hdr10', { accelerator, toneMap: 'hdr10' }))).result;
  }

  return {
    row,
    software: async () => {
      const codecs = [...softwareEncoders()]
        .filter(([, encoder]) => capabilities.encoders.includes(encoder))
        .map(([codec]) => codec);
      return {
        codecs,
        ...(await measureSoftware({
          trials,
          open: (await clips.get('speed')).open,
          shape: clips.shapeOf('speed'),
          cores,
          signal,
        })),
      };
    },
    toneMaps: async () => {
      const has = (...names: string[]): boolean => names.every((name) => filters.includes(name));
      const isMapping =
        has('libplacebo') &&
        capabilities.encoders.includes('libx265') &&
        (await verdict(() => encodes.verified('hdr10', { toneMap: 'dolby-vision' }))).result.passed;
      return [
        ...(has('zscale', 'tonemap') ? (['hdr10', 'hlg'] as const) : []),
        ...(isMapping ? (['dolby-vision'] as const) : []),
      ];
    },
  };
}
