/**
 * Actions on the film that plays, for buttons, keys, gestures and the lock screen alike. Each says briefly what it did.
 */
import { percent, position } from '../../lib/format.ts';
import { SPEEDS } from '../parts/panels/sound-panel.tsx';
import { prefer } from './preferences.ts';
import type { Film } from './timeline.ts';
import { chapterStep, limited, type ChapterMark } from './times.ts';
import { playerWords as m } from '../../messages/player.ts';

export interface Player {
  toggle: () => void;
  play: () => void;
  pause: () => void;
  seekBy: (seconds: number) => void;
  seekTo: (seconds: number) => void;
  jump: (part: number) => void;
  volumeBy: (by: number) => void;
  mute: () => void;
  setRate: (rate: number) => void;
  rateBy: (steps: number) => void;
  chapterBy: (steps: number) => void;
  /** One picture back or forward while paused. */
  frame: (by: number) => void;
  /** Plays from a time of the element's own clock. */
  replay: (at: number) => void;
  stop: () => void;
}
interface Needs {
  film: Film | undefined;
  chapters: readonly ChapterMark[];
  say: (what: string) => void;
  /** Pictures a second. */
  frameRate: number | undefined;
  leave: () => void;
}
const USUAL_RATE = 24;

/** Says how far the position moved, and where to. */
export const seekWords = (by: number, to: number): string =>
  (by < 0 ? m.seekedBack : m.seekedForward)({ seconds: Math.abs(by), position: position(to) });

export function createPlayer({ film, chapters, say, frameRate = USUAL_RATE, leave }: Needs): Player {
  const video = film?.video;
  const play = () => void video?.play().catch(() => undefined);
  const pause = () => video?.pause();
  const seekTo = (seconds: number) => film?.seek(seconds);
  const setVolume = (volume: number, isMuted: boolean) => {
    if (!video) return;
    video.volume = volume;
    video.muted = isMuted;
    prefer({ volume, isMuted });
    say(isMuted ? m.muted : m.volumeAt({ percent: percent(volume) }));
  };
  const setRate = (rate: number) => {
    if (!video) return;
    video.playbackRate = rate;
    say(rate === 1 ? m.normalSpeed : m.speed({ rate }));
  };
  return {
    play,
    pause,
    toggle: () => (video?.paused ? play() : pause()),
    seekTo,
    seekBy: (seconds) => {
      if (!film) return;
      const to = limited(film.time() + seconds, 0, film.duration());
      seekTo(to);
      say(seekWords(seconds, to));
    },
    jump: (part) => film && seekTo(part * film.duration()),
    volumeBy: (by) => video && setVolume(limited(Math.round((video.volume + by) * 100) / 100, 0, 1), false),
    mute: () => video && setVolume(video.volume, !video.muted),
    frame: (by) => {
      if (!film || !video) return;
      if (!video.paused) return say(m.pauseFirst);
      film.seek(film.time() + by / frameRate);
    },
    replay: (at) => {
      if (!video) return;
      video.currentTime = at;
      play();
    },
    stop: leave,
    setRate,
    rateBy: (steps) => {
      const at = SPEEDS.findIndex((speed) => speed === video?.playbackRate);
      const rate = SPEEDS[limited((at < 0 ? 2 : at) + steps, 0, SPEEDS.length - 1)];
      if (rate !== undefined) setRate(rate);
    },
    chapterBy: (steps) => {
      const to = film ? chapterStep(chapters, film.time(), steps) : undefined;
      if (to === undefined) return say(chapters.length === 0 ? m.thereAreNoChapters : m.thisIsTheLastChapter);
      seekTo(to);
      return say(chapters.find(({ start }) => start === to)?.title || position(to));
    },
  };
}
