/** Tries what may be there: each accelerator by verified test encodes, and what software does and how fast. */
import type { FfmpegCapabilities } from '../../lib/ffmpeg/index.ts';
import {
  type ClipShape,
  encodersOf,
  isDecoding,
  softwareEncoders,
  type Trials,
} from '../../lib/ffmpeg/encode/trial.ts';
import { type OpenInput, ProcessFailure } from '../../lib/process.ts';
import type { HdrSource, Machine, VideoCodec } from '../plan/types.ts';
import { type CheckedCandidate, isFound } from './candidates.ts';
import { keepClip, type KeptClip } from './clips.ts';
import { measureSoftware } from './measure.ts';
import { plainReason, Unfit } from './reasons.ts';
import type { AcceleratorStatus, AcceleratorCandidate, ClipSizes, TrialResult } from './types.ts';
import {
  checkPictures,
  checkShape,
  type EncodedClip,
  encodeClip,
  type EncodeVideo,
  FRAME_RATE,
  TRIAL_FRAMES,
  type TrialRequest,
} from './verify.ts';

/** Required properties of encoded pictures. */
const LEAST_PSNR = 25;
/** Devices map brightness in other ways than software does; green or black pictures are below 8. */
const LEAST_MAPPED_PSNR = 13;
const NOT_TRIED: TrialResult = { passed: false, reason: 'not tried, because encoding failed' };
const SOFTWARE_MS = 120_000;
const FULL_HD = 1920 * 1080 * 24;
const LEAST_MS = 20;
/** Pictures of the clips that only decoding is tried with. */
const DECODED_FRAMES = 12;

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

type Open = () => Promise<OpenInput>;
type ClipName = 'plain' | 'hdr10' | 'speed' | 'hevc' | 'av1' | 'vp9';

/** Clips are generated when they are first needed, and kept in the folder. */
export function createDetection(needs: DetectNeeds): {
  row(found: CheckedCandidate): Promise<AcceleratorStatus>;
  software(): Promise<Machine['software']>;
  toneMaps(): Promise<HdrSource[]>;
} {
  const { trials, encode, capabilities, filters, folder, sizes, cores, trialMs, now, signal } = needs;
  const trial = { ...sizes.trial, frameRate: FRAME_RATE, frames: TRIAL_FRAMES };
  const speed = { ...sizes.speed, frameRate: FRAME_RATE };
  const clips = new Map<string, Promise<KeptClip>>();
  const references = new Map<'plain' | 'mapped', Promise<Buffer>>();

  const kept = (
    name: string,
    { width, height, frames }: ClipShape,
    generate: () => Promise<Buffer>,
  ): Promise<KeptClip> => {
    const made = clips.get(name) ?? keepClip(folder, `${name}-${width}x${height}x${frames}`, generate);
    clips.set(name, made);
    return made;
  };
  const shapeOf = (name: ClipName): ClipShape =>
    name === 'speed' ? speed : name === 'plain' || name === 'hdr10' ? trial : { ...trial, frames: DECODED_FRAMES };
  const clip = (name: ClipName): Promise<KeptClip> =>
    kept(name, shapeOf(name), () => trials.clip(name === 'speed' ? 'noisy' : name, shapeOf(name), signal));
  const openerOf = async (name: ClipName): Promise<Open> => (await clip(name)).open;
  const requestFor = async (name: ClipName, more: Partial<TrialRequest>): Promise<TrialRequest> => ({
    open: await openerOf(name),
    codec: 'h264',
    ...(name === 'speed' ? sizes.speed : sizes.trial),
    preset: 'ultrafast',
    ...more,
  });
  const run = async (name: ClipName, more: Partial<TrialRequest>): Promise<EncodedClip> => {
    const request = await requestFor(name, more);
    const frames = name === 'speed' ? speed.frames : TRIAL_FRAMES;
    // Software is what others are compared with, and may take its time.
    const made = await encodeClip(encode, request, {
      frames,
      mostMs: request.accelerator ? trialMs : SOFTWARE_MS,
      signal,
      now,
    });
    checkShape(made, { codec: request.codec, width: request.width, height: request.height, frames });
    return made;
  };
  /** Encodes the same clip in software. */
  const reference = (kind: 'plain' | 'mapped'): Promise<Buffer> => {
    const source = () =>
      kind === 'plain'
        ? clip('plain')
        : kept('mapped', trial, async () => (await run('hdr10', { toneMap: 'hdr10' })).bytes);
    const made = references.get(kind) ?? source().then(async ({ read }) => trials.pictures(await read(), signal));
    references.set(kind, made);
    return made;
  };
  const verified = async (name: 'plain' | 'hdr10', more: Partial<TrialRequest>): Promise<EncodedClip> => {
    const made = await run(name, more);
    const pictures = await trials.pictures(made.bytes, signal).catch(() => {
      throw new Unfit('its pictures cannot be decoded');
    });
    checkPictures(
      pictures,
      await reference(name === 'plain' ? 'plain' : 'mapped'),
      name === 'plain' ? LEAST_PSNR : LEAST_MAPPED_PSNR,
    );
    return made;
  };
  /** An abort by the server is no verdict. */
  const verdict = async <T>(work: () => Promise<T>): Promise<{ result: TrialResult; value?: T }> => {
    try {
      return { value: await work(), result: { passed: true } };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProcessFailure && error.fault === 'closed') throw error;
      return { result: { passed: false, reason: plainReason(error) } };
    }
  };

  /** Samples a second: what a larger clip takes longer than a small one, so that starting the driver does not count. */
  async function rateOf(accelerator: AcceleratorCandidate, startMs: number): Promise<number> {
    const { ms } = await run('speed', { accelerator });
    return Math.round(
      (sizes.speed.width * sizes.speed.height * speed.frames * 1000) / Math.max(LEAST_MS, ms - startMs),
    );
  }

  async function row({ missing, ...accelerator }: CheckedCandidate): Promise<AcceleratorStatus> {
    const found = isFound({ missing, ...accelerator });
    const failed = (reason: string): AcceleratorStatus => ({
      ...accelerator,
      found,
      encode: { passed: false, reason },
      decode: NOT_TRIED,
      toneMap: NOT_TRIED,
      codecs: [],
      decodes: [],
    });
    if (missing !== undefined) return failed(missing);
    const encoders = encodersOf(accelerator.name);
    const isBuiltIn = (codec: VideoCodec): boolean => capabilities.encoders.includes(encoders.get(codec) ?? '');
    if (!isBuiltIn('h264')) return failed('this ffmpeg was built without its encoder');
    const { result: encoding, value: made } = await verdict(() => verified('plain', { accelerator }));
    if (!made) return { ...failed(''), encode: encoding };
    const codecs: VideoCodec[] = ['h264'];
    for (const codec of ['hevc', 'av1', 'vp9'] as const)
      if (isBuiltIn(codec) && (await verdict(() => verified('plain', { accelerator, codec }))).result.passed)
        codecs.push(codec);
    const decode = isDecoding(accelerator.name)
      ? (await verdict(() => decoding(accelerator, 'plain'))).result
      : { passed: false, reason: 'it encodes only, and software decodes' };
    const decodes: VideoCodec[] = decode.passed ? ['h264'] : [];
    for (const codec of decode.passed ? (['hevc', 'av1', 'vp9'] as const) : [])
      if (isGenerated(codec) && (await verdict(() => decoding(accelerator, codec))).result.passed) decodes.push(codec);
    const measured = await verdict(() => rateOf(accelerator, made.ms));
    const rate = measured.value;
    if (rate === undefined) return { ...failed(''), encode: measured.result };
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
  /** The pictures are the same in each codec, so that one reference is enough. */
  async function decoding(accelerator: AcceleratorCandidate, name: 'plain' | 'hevc' | 'av1' | 'vp9'): Promise<void> {
    const open = await openerOf(name);
    const pictures = await trials.decoded(
      accelerator,
      open,
      AbortSignal.any([AbortSignal.timeout(trialMs), ...(signal ? [signal] : [])]),
    );
    const expected = await reference('plain');
    checkPictures(pictures, expected.subarray(0, (expected.length / TRIAL_FRAMES) * shapeOf(name).frames), LEAST_PSNR);
  }
  async function mapping(accelerator: AcceleratorCandidate): Promise<TrialResult> {
    const prepared = await verdict(() => reference('mapped'));
    if (!prepared.result.passed)
      return { passed: false, reason: 'this ffmpeg cannot make HDR pictures to test it with' };
    return (await verdict(() => verified('hdr10', { accelerator, toneMap: 'hdr10' }))).result;
  }

  return {
    row,
    software: async () => {
      const codecs = [...softwareEncoders()]
        .filter(([, encoder]) => capabilities.encoders.includes(encoder))
        .map(([codec]) => codec);
      return {
        codecs,
        ...(await measureSoftware({ trials, open: await openerOf('speed'), shape: speed, cores, signal })),
      };
    },
    toneMaps: async () => {
      const has = (...names: string[]): boolean => names.every((name) => filters.includes(name));
      const isMapping =
        has('libplacebo') &&
        capabilities.encoders.includes('libx265') &&
        (await verdict(() => verified('hdr10', { toneMap: 'dolby-vision' }))).result.passed;
      return [
        ...(has('zscale', 'tonemap') ? (['hdr10', 'hlg'] as const) : []),
        ...(isMapping ? (['dolby-vision'] as const) : []),
      ];
    },
  };
}
