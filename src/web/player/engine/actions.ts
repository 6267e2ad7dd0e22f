/** What can be done to the film that plays, for buttons, keys, gestures and the lock screen alike. Each says briefly what it did. */
import { position } from '../../lib/format.ts';
import { SPEEDS } from '../parts/sound-panel.tsx';
import { prefer } from './preferences.ts';
import { chapterStep, limited, type Mark } from './times.ts';

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
}
interface Needs {
  video: HTMLVideoElement | null;
  chapters: readonly Mark[];
  known: number | undefined;
  say: (what: string) => void;
}
export function createPlayer({ video, chapters, known, say }: Needs): Player {
  const length = (): number => (video && Number.isFinite(video.duration) && video.duration > 0 ? video.duration : (known ?? 0));
  const play = () => void video?.play().catch(() => undefined);
  const pause = () => video?.pause();
  const seekTo = (seconds: number) => {
    if (video) video.currentTime = limited(seconds, 0, Math.max(0, length() - 0.2));
  };
  const setVolume = (volume: number, isMuted: boolean) => {
    if (!video) return;
    video.volume = volume;
    video.muted = isMuted;
    prefer({ volume, isMuted });
    say(isMuted ? 'Sound off' : `Volume ${Math.round(volume * 100)} %`);
  };
  const setRate = (rate: number) => {
    if (!video) return;
    video.playbackRate = rate;
    say(rate === 1 ? 'Normal speed' : `Speed ${rate}×`);
  };
  return {
    play,
    pause,
    toggle: () => (video?.paused ? play() : pause()),
    seekTo,
    seekBy: (seconds) => {
      if (!video) return;
      seekTo(video.currentTime + seconds);
      say(`${seconds < 0 ? 'Back' : 'Forward'} ${Math.abs(seconds)} seconds, ${position(video.currentTime)}`);
    },
    jump: (part) => seekTo(part * length()),
    volumeBy: (by) => video && setVolume(limited(Math.round((video.volume + by) * 100) / 100, 0, 1), false),
    mute: () => video && setVolume(video.volume, !video.muted),
    setRate,
    rateBy: (steps) => {
      const at = SPEEDS.findIndex((speed) => speed === video?.playbackRate);
      const rate = SPEEDS[limited((at < 0 ? 2 : at) + steps, 0, SPEEDS.length - 1)];
      if (rate !== undefined) setRate(rate);
    },
    chapterBy: (steps) => {
      const to = video ? chapterStep(chapters, video.currentTime, steps) : undefined;
      if (to === undefined) return say(chapters.length === 0 ? 'This has no chapters' : 'This is the last chapter');
      seekTo(to);
      return say(chapters.find(({ start }) => start === to)?.title || position(to));
    },
  };
}
