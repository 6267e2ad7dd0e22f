/**
 * Verified test encodes and decodes: their pictures have the right shape, and look like those that software makes of
 * the same clip.
 */
import type { Trials } from '../../lib/ffmpeg/encode/trial.ts';
import type { TrialClips } from './trial-clips.ts';
import { Unfit } from './reasons.ts';
import type { AcceleratorCandidate } from './types.ts';
import {
  checkPictures,
  checkShape,
  type EncodedClip,
  encodeClip,
  type EncodeVideo,
  TRIAL_FRAMES,
  type TrialRequest,
} from './verify.ts';

/** Required properties of encoded pictures. */
const MIN_PSNR = 25;
/** Devices map brightness in other ways than software does; green or black pictures are below 8. */
const MIN_MAPPED_PSNR = 13;
const SOFTWARE_MS = 120_000;

export interface TrialEncodesNeeds {
  trials: Pick<Trials, 'pictures' | 'decoded'>;
  encode: EncodeVideo;
  clips: TrialClips;
  /** How long an accelerator may take for a trial. */
  trialMs: number;
  now(): number;
  signal?: AbortSignal | undefined;
}

/** Properties of a trial; software encodes H.264 unless they say otherwise. */
export type TrialOptions = Omit<Partial<TrialRequest>, 'open' | 'width' | 'height'>;

export interface TrialEncodes {
  /** Encodes a clip and checks the shape of the result. Fails with what the encoder failed with, or as `Unfit`. */
  run(name: 'plain' | 'hdr10' | 'speed', options: TrialOptions): Promise<EncodedClip>;
  /** Encodes a clip and checks shape and pictures. */
  verified(name: 'plain' | 'hdr10', options: TrialOptions): Promise<EncodedClip>;
  /** Decodes a clip on an accelerator and checks the pictures. */
  decoded(accelerator: AcceleratorCandidate, name: 'plain' | 'hevc' | 'av1' | 'vp9'): Promise<void>;
  /** Returns the pictures that software makes: of the plain clip, or of the HDR clip in an ordinary range. */
  reference(kind: 'plain' | 'mapped'): Promise<Buffer>;
}

export function createTrialEncodes(needs: TrialEncodesNeeds): TrialEncodes {
  const { trials, encode, clips, trialMs, now, signal } = needs;
  const references = new Map<'plain' | 'mapped', Promise<Buffer>>();

  const run: TrialEncodes['run'] = async (name, options) => {
    const { width, height, frames } = clips.shapeOf(name);
    const { open } = await clips.get(name);
    const request: TrialRequest = { open, codec: 'h264', width, height, preset: 'ultrafast', ...options };
    // Software is what others are compared with, and may take its time.
    const mostMs = request.accelerator ? trialMs : SOFTWARE_MS;
    const made = await encodeClip(encode, request, { frames, mostMs, signal, now });
    checkShape(made, { codec: request.codec, width, height, frames });
    return made;
  };
  const reference: TrialEncodes['reference'] = (kind) => {
    const source = () =>
      kind === 'plain'
        ? clips.get('plain')
        : clips.mapped(async () => (await run('hdr10', { toneMap: 'hdr10' })).bytes);
    const made = references.get(kind) ?? source().then(async ({ read }) => trials.pictures(await read(), signal));
    references.set(kind, made);
    return made;
  };
  return {
    run,
    reference,
    verified: async (name, options) => {
      const made = await run(name, options);
      const pictures = await trials.pictures(made.bytes, signal).catch(() => {
        throw new Unfit({ reason: 'undecodable', values: {} });
      });
      const isPlain = name === 'plain';
      const expected = await reference(isPlain ? 'plain' : 'mapped');
      checkPictures(pictures, expected, isPlain ? MIN_PSNR : MIN_MAPPED_PSNR);
      return made;
    },
    // The pictures are the same in each codec, so that one reference is enough.
    decoded: async (accelerator, name) => {
      const { open } = await clips.get(name);
      const late = AbortSignal.timeout(trialMs);
      const pictures = await trials.decoded(accelerator, open, signal ? AbortSignal.any([late, signal]) : late);
      const expected = await reference('plain');
      const { frames } = clips.shapeOf(name);
      checkPictures(pictures, expected.subarray(0, (expected.length / TRIAL_FRAMES) * frames), MIN_PSNR);
    },
  };
}
