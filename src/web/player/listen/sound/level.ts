/** Loudness levelling: how much a track is raised or lowered. Pure. */

export const LEVELLING = ['off', 'track', 'album'] as const;
export type Levelling = (typeof LEVELLING)[number];

/** Gain in decibels, and the highest sample (1 is full scale), of a track and its album. */
export interface Loudness {
  track?: { gain: number; peak?: number | undefined } | undefined;
  album?: { gain: number; peak?: number | undefined } | undefined;
}
/** Tags beyond this are mistakes. */
const MAX_GAIN_DB = 24;
/** Taken for the highest sample where the tags do not have it: such a track is only lowered. */
const UNKNOWN_PEAK = 1;

/** Returns the factor for the samples. It never takes the highest sample over full scale. */
export function levelFactor(loudness: Loudness | undefined, mode: Levelling): number {
  const one =
    mode === 'off'
      ? undefined
      : mode === 'album'
        ? (loudness?.album ?? loudness?.track)
        : (loudness?.track ?? loudness?.album);
  if (!one || !Number.isFinite(one.gain)) return 1;
  const factor = 10 ** (Math.min(MAX_GAIN_DB, Math.max(-MAX_GAIN_DB, one.gain)) / 20);
  const peak = one.peak !== undefined && one.peak > 0 ? one.peak : UNKNOWN_PEAK;
  return Math.min(factor, 1 / peak);
}
