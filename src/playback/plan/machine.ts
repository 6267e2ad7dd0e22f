/**
 * Abilities of a machine that has not been tested: software only, at cautious rates for its number of cores. Pure.
 *
 * Rates are luma samples per second and core, half of what was measured: 1080p with noise, ffmpeg 5.1, CPU time of one
 * core: decoding 297 million, encoding 262 (ultrafast), 113, 85, 45 and 24 (fast), tone mapping 75.
 */
import type { Config } from '../../config/index.ts';
import type { Machine, PlanSettings, Preset } from './types.ts';

const ENCODE: Readonly<Record<Preset, number>> = {
  ultrafast: 120e6,
  superfast: 55e6,
  veryfast: 42e6,
  faster: 22e6,
  fast: 12e6,
};
const DECODE = 150e6;
const TONE_MAP = 35e6;

export const cautiousMachine = (cores: number): Machine => ({
  accelerators: [],
  software: {
    codecs: ['h264'],
    rates: {
      ultrafast: ENCODE.ultrafast * cores,
      superfast: ENCODE.superfast * cores,
      veryfast: ENCODE.veryfast * cores,
      faster: ENCODE.faster * cores,
      fast: ENCODE.fast * cores,
    },
    decodeRate: DECODE * cores,
    toneMapRate: TONE_MAP * cores,
  },
  toneMaps: ['hdr10', 'hlg'],
  eac3: true,
  isBusy: false,
});

/** Reads the settings that decide about a plan, so that a change takes effect at the next one. */
export const planSettings = ({ get }: Pick<Config, 'get'>): PlanSettings => {
  const remote = get('playback.remote_bitrate');
  return {
    mode: get('playback.mode') ?? 'automatic',
    quality: get('transcoding.quality') ?? 'automatic',
    accelerator: get('transcoding.accelerator') ?? 'auto',
    codec: get('transcoding.codec') ?? 'auto',
    toneMap: get('transcoding.tone_map') ?? true,
    ...(remote !== undefined && { remoteBitrate: remote }),
  };
};
