/** Clips that trials read, by name: each is generated when it is first needed, and kept in the folder. */
import type { ClipShape, Trials } from '../../lib/ffmpeg/encode/trial.ts';
import { keepClip, type KeptClip } from './clips.ts';
import type { ClipSizes } from './types.ts';
import { FRAME_RATE, TRIAL_FRAMES } from './verify.ts';

export type ClipName = 'plain' | 'hdr10' | 'speed' | 'hevc' | 'av1' | 'vp9';

export interface TrialClips {
  shapeOf(name: ClipName): ClipShape;
  get(name: ClipName): Promise<KeptClip>;
  /** Returns the clip `mapped`, which `generate` makes of another clip. */
  mapped(generate: () => Promise<Buffer>): Promise<KeptClip>;
}

export interface TrialClipsNeeds {
  trials: Pick<Trials, 'clip'>;
  /** A folder that exists. */
  folder: string;
  sizes: ClipSizes;
  signal?: AbortSignal | undefined;
}

/** Pictures of the clips that only decoding is tried with. */
const DECODED_FRAMES = 12;

export function createTrialClips({ trials, folder, sizes, signal }: TrialClipsNeeds): TrialClips {
  const trial = { ...sizes.trial, frameRate: FRAME_RATE, frames: TRIAL_FRAMES };
  const speed = { ...sizes.speed, frameRate: FRAME_RATE };
  const decoded = { ...trial, frames: DECODED_FRAMES };
  const clips = new Map<string, Promise<KeptClip>>();

  const shapeOf = (name: ClipName): ClipShape =>
    name === 'speed' ? speed : name === 'plain' || name === 'hdr10' ? trial : decoded;
  const kept = (name: string, shape: ClipShape, generate: () => Promise<Buffer>): Promise<KeptClip> => {
    const { width, height, frames } = shape;
    const clip = clips.get(name) ?? keepClip(folder, `${name}-${width}x${height}x${frames}`, generate);
    clips.set(name, clip);
    return clip;
  };
  return {
    shapeOf,
    get: (name) =>
      kept(name, shapeOf(name), () => trials.clip(name === 'speed' ? 'noisy' : name, shapeOf(name), signal)),
    mapped: (generate) => kept('mapped', trial, generate),
  };
}
