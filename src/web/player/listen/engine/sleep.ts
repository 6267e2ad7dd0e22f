/** The sleep timer: minutes, or the end of the track or chapter. The sound fades before it stops. Pure. */

export type Sleep = { at: 'time'; endsAt: number } | { at: 'chapter'; end: number } | { at: 'track' };
export interface SleepClock {
  /** Milliseconds, as `Date.now()`. */
  now: number;
  /** Seconds of the item, and the speed at which they pass. */
  time: number;
  speed: number;
}
const FADE_S = 20;
const CHAPTER_FADE_S = 4;

/** Returns the seconds until playback stops; undefined if it stops at the end of a track. */
export function secondsToSleep(sleep: Sleep, { now, time, speed }: SleepClock): number | undefined {
  if (sleep.at === 'track') return undefined;
  return sleep.at === 'time' ? (sleep.endsAt - now) / 1000 : (sleep.end - time) / speed;
}

/** Factor for the volume: 1 until shortly before the end, then falling to 0, where playback stops. */
export function sleepFactor(sleep: Sleep | undefined, clock: SleepClock): number {
  const left = sleep && secondsToSleep(sleep, clock);
  if (sleep === undefined || left === undefined) return 1;
  return Math.min(1, Math.max(0, left / (sleep.at === 'time' ? FADE_S : CHAPTER_FADE_S)));
}
