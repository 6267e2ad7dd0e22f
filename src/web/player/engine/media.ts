/**
 * The state of a media element, as values that redraw what shows them: one hook for what changes rarely, one for the
 * time.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Film } from './timeline.ts';
import type { TimeRange } from './times.ts';

export interface MediaState {
  isPaused: boolean;
  isEnded: boolean;
  /** Whether it is to play and waits for data. */
  isWaiting: boolean;
  /** Whether it has played at all. */
  isBegun: boolean;
  isMuted: boolean;
  volume: number;
  rate: number;
}
const FIRST: MediaState = {
  isPaused: true,
  isEnded: false,
  isWaiting: true,
  isBegun: false,
  isMuted: false,
  volume: 1,
  rate: 1,
};
const CHANGES = [
  'play',
  'pause',
  'playing',
  'waiting',
  'seeking',
  'seeked',
  'canplay',
  'ended',
  'volumechange',
  'ratechange',
  'loadstart',
  'emptied',
] as const;

export function useMedia(video: HTMLVideoElement | null): MediaState {
  const [state, setState] = useState(FIRST);
  useEffect(() => {
    if (!video) return;
    const look = (event?: Event) => {
      const isThin = video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
      setState((before) => {
        const now: MediaState = {
          isPaused: video.paused,
          isEnded: video.ended,
          isWaiting: (isThin && !video.paused && !video.ended) || video.seeking,
          isBegun: before.isBegun || event?.type === 'playing',
          isMuted: video.muted,
          volume: video.volume,
          rate: video.playbackRate,
        };
        return (Object.keys(now) as (keyof MediaState)[]).every((name) => now[name] === before[name]) ? before : now;
      });
    };
    for (const name of CHANGES) video.addEventListener(name, look);
    look();
    return () => {
      for (const name of CHANGES) video.removeEventListener(name, look);
    };
  }, [video]);
  return state;
}

export interface PlaybackTime {
  time: number;
  duration: number;
  buffered: readonly TimeRange[];
}
const TICKS = ['timeupdate', 'seeking', 'seeked', 'durationchange', 'loadedmetadata', 'progress'] as const;
export const rangesOf = (ranges: TimeRanges, offset = 0): TimeRange[] =>
  Array.from({ length: ranges.length }, (_, at) => ({ from: ranges.start(at) + offset, to: ranges.end(at) + offset }));

/** Times of the film, over all of its parts. */
export function useTime(film: Film | undefined): PlaybackTime {
  const [time, setTime] = useState<PlaybackTime>({ time: 0, duration: film?.timeline.duration ?? 0, buffered: [] });
  useEffect(() => {
    if (!film) return;
    const { video, timeline } = film;
    const look = () =>
      setTime({ time: film.time(), duration: film.duration(), buffered: rangesOf(video.buffered, timeline.offset) });
    for (const name of TICKS) video.addEventListener(name, look);
    look();
    return () => {
      for (const name of TICKS) video.removeEventListener(name, look);
    };
  }, [film]);
  return time;
}
