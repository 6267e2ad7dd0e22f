/** Which sound plays. Only some browsers let a page choose among the tracks of a file; elsewhere it says which one plays. */
import { useEffect, useState } from 'preact/hooks';
import type { Plan } from './plan.ts';

type Track = Plan['audio'][number];
export interface AudioChoice {
  tracks: readonly Track[];
  /** The stream index of what plays. */
  playing: number | undefined;
  canChoose: boolean;
  choose: (index: number) => void;
}
interface BrowserTrack {
  enabled: boolean;
}
type BrowserTracks = ArrayLike<BrowserTrack> & EventTarget;

export function useAudio(video: HTMLVideoElement | null, tracks: readonly Track[]): AudioChoice {
  const usual = tracks.find((track) => track.selected) ?? tracks.find((track) => track.default) ?? tracks[0];
  const [playing, setPlaying] = useState(usual?.index);
  const [canChoose, setCan] = useState(false);
  const given = (video as (HTMLVideoElement & { audioTracks?: BrowserTracks }) | null)?.audioTracks;
  useEffect(() => {
    if (!video || !given) return setPlaying(tracks[0] === undefined ? undefined : (tracks.find((track) => track.default) ?? tracks[0]).index);
    const look = () => {
      // The two lists are of the same file in the same order; when they disagree nothing is claimed.
      const isSame = given.length === tracks.length;
      setCan(isSame && tracks.length > 1);
      if (!isSame) return;
      const on = Array.from(given).findIndex((track) => track.enabled);
      if (on >= 0) setPlaying(tracks[on]?.index);
    };
    const begin = () => {
      const wanted = tracks.findIndex((track) => track.index === usual?.index);
      if (given.length === tracks.length && wanted >= 0) Array.from(given).forEach((track, at) => (track.enabled = at === wanted));
      look();
    };
    video.addEventListener('loadedmetadata', begin);
    given.addEventListener('change', look);
    return () => {
      video.removeEventListener('loadedmetadata', begin);
      given.removeEventListener('change', look);
    };
  }, [video, given, tracks]);
  const choose = (index: number) => {
    const wanted = tracks.findIndex((track) => track.index === index);
    if (!given || wanted < 0) return;
    Array.from(given).forEach((track, at) => (track.enabled = at === wanted));
    setPlaying(index);
  };
  return { tracks, playing, canChoose, choose };
}
