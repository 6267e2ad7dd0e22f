/**
 * Which sound plays, and choosing another: within the stream, within the file where the browser can, and otherwise by
 * asking the server for a stream that has it.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Change, PlanReply } from '../../../parts/playback/plan.ts';
import { languageLabel } from '../../../lib/format.ts';
import { playerWords as m } from '../../../messages/player.ts';
import type { OpenStream } from '../stream/types.ts';

export type AudioTrack = PlanReply['audio'][number];
export interface AudioChoice {
  tracks: readonly AudioTrack[];
  /** The stream index of what plays. */
  playing: number | undefined;
  choose: (index: number) => void;
}
interface BrowserTrack {
  enabled: boolean;
}
type BrowserTracks = ArrayLike<BrowserTrack> & EventTarget;

interface Needs {
  plan: PlanReply;
  stream: OpenStream | undefined;
  change: (change: Change) => void;
}
export function useAudio(video: HTMLVideoElement | null, { plan, stream, change }: Needs): AudioChoice {
  const tracks = plan.audio;
  const usual = tracks.find((track) => track.selected) ?? tracks.find((track) => track.default) ?? tracks[0];
  const [playing, setPlaying] = useState(usual?.index);
  const given = (video as (HTMLVideoElement & { audioTracks?: BrowserTracks }) | null)?.audioTracks;
  useEffect(() => setPlaying(usual?.index), [plan]);
  useEffect(() => {
    if (!stream) return;
    return stream.onTracks(() => {
      const now = stream.tracks();
      // The two lists are of the same file in the same order; when they disagree nothing is claimed.
      if (now?.count === tracks.length && now.playing >= 0) setPlaying(tracks[now.playing]?.index);
    });
  }, [stream, tracks]);
  useEffect(() => {
    if (!video || !given) return;
    const begin = () => {
      const wanted = tracks.findIndex((track) => track.index === usual?.index);
      if (given.length === tracks.length && wanted >= 0)
        Array.from(given).forEach((track, at) => (track.enabled = at === wanted));
    };
    video.addEventListener('loadedmetadata', begin);
    return () => video.removeEventListener('loadedmetadata', begin);
  }, [video, given, tracks]);
  const choose = (index: number) => {
    const wanted = tracks.findIndex((track) => track.index === index);
    if (wanted < 0 || index === playing) return;
    const streamed = stream?.tracks();
    if (streamed?.count === tracks.length) {
      streamed.choose(wanted);
      setPlaying(index);
    } else if (given && given.length === tracks.length) {
      Array.from(given).forEach((track, at) => (track.enabled = at === wanted));
      setPlaying(index);
    } else change({ audio: index });
  };
  return { tracks, playing, choose };
}

/** Plays the next track. Returns the message that the viewer sees. */
export function chooseNext({ tracks, playing, choose }: AudioChoice): string {
  const next = tracks[(tracks.findIndex(({ index }) => index === playing) + 1) % Math.max(1, tracks.length)];
  if (!next || tracks.length < 2) return m.thereIsOnlyOneAudio;
  choose(next.index);
  return m.audio({ title: next.title || languageLabel(next.language) });
}
