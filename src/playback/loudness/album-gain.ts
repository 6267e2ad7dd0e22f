/** Gains from measured loudness. Pure. */
import type { AudioGain } from '../../catalog/index.ts';

/** Loudness that players level to: that of ReplayGain 2. */
const TARGET_LUFS = -18;

export const gainOf = (lufs: number): number => Math.round((TARGET_LUFS - lufs) * 100) / 100;

/** A track with its gain; without one it is silent or could not be decoded. */
export interface GainedTrack {
  gain: AudioGain;
  /** Seconds. */
  duration: number;
}

/** Returns the gain of an album: that of all tracks one after the other, each with the power of its loudness. */
export function albumGain(tracks: readonly GainedTrack[]): Pick<AudioGain, 'album' | 'albumPeak'> {
  const known = tracks.filter(({ gain, duration }) => gain.track !== undefined && duration > 0);
  const seconds = known.reduce((sum, { duration }) => sum + duration, 0);
  if (seconds === 0) return {};
  const power = known.reduce((sum, { gain, duration }) => sum + duration * 10 ** (-(gain.track ?? 0) / 10), 0);
  const peaks = known.flatMap(({ gain }) => gain.trackPeak ?? []);
  return {
    album: Math.round(-1000 * Math.log10(power / seconds)) / 100,
    ...(peaks.length > 0 && { albumPeak: Math.max(...peaks) }),
  };
}
