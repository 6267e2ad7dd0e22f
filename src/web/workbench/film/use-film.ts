/**
 * The film on the workbench: plays it if this browser can, and otherwise reports why not. It has a position in
 * both cases, for the waveform and the list.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { sentence } from '../../data/client.ts';
import { createStore, type Store } from '../../lib/store.ts';
import { type PlayedVersion, usePlan } from '../../parts/playback/plan.ts';
import { whyOf } from '../../parts/playback/words.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

export interface WorkbenchFilm {
  /** Seconds. */
  time: Store<number>;
  duration: number;
  isPlaying: boolean;
  isReady: boolean;
  /** Why it does not play here. */
  why: string | undefined;
  /** Given where the server has the file and only this browser is unlikely to play it. */
  tryAnyway: (() => void) | undefined;
  url: string | undefined;
  setVideo: (video: HTMLVideoElement | null) => void;
  toggle: () => void;
  seek: (seconds: number) => void;
  /** Plays a part and stops. */
  playPart: (from: number, to: number) => void;
}
const undecodable = () => m.thisBrowserCouldNotContinue;

function whyNot(plan: ReturnType<typeof usePlan>['plan']): string {
  const [first] = plan ? whyOf(plan) : [];
  return first === undefined ? m.thisBrowserCannotPlayThe : m.theFilmIsNotShown({ sentenceOf: first });
}

/** Sets the address of the video element. A link that has expired is requested again, once per playback. */
function useSource(
  video: HTMLVideoElement | null,
  {
    url,
    time,
    again,
    onFault,
  }: { url: string | undefined; time: Store<number>; again: () => Promise<void>; onFault: (says: string) => void },
): void {
  const isRenewed = useRef(false);
  useEffect(() => {
    if (!video || url === undefined) return;
    const onError = () => {
      if (!video.error) return;
      if (isRenewed.current || video.error.code === MediaError.MEDIA_ERR_DECODE) return onFault(undecodable());
      isRenewed.current = true;
      again().catch((error: unknown) => onFault(sentence(error)));
    };
    const onMeta = () => {
      if (time.get() > 0) video.currentTime = time.get();
    };
    const onPlaying = () => {
      isRenewed.current = false;
    };
    video.addEventListener('error', onError);
    video.addEventListener('loadedmetadata', onMeta);
    video.addEventListener('playing', onPlaying);
    video.src = url;
    return () => {
      video.removeEventListener('error', onError);
      video.removeEventListener('loadedmetadata', onMeta);
      video.removeEventListener('playing', onPlaying);
      video.pause();
      video.removeAttribute('src');
      video.load();
    };
  }, [video, url]);
}

/** Follows the position on every frame while it plays, and stops at the end of a part. */
function usePosition(
  video: HTMLVideoElement | null,
  time: Store<number>,
  until: { current: number | undefined },
): boolean {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!video) return;
    let frame = 0;
    const look = () => {
      if (video.readyState < HTMLMediaElement.HAVE_METADATA) return;
      time.set(video.currentTime);
      if (until.current === undefined || video.currentTime < until.current) return;
      until.current = undefined;
      video.pause();
    };
    const tick = () => {
      look();
      frame = requestAnimationFrame(tick);
    };
    const onChange = () => {
      cancelAnimationFrame(frame);
      setPlaying(!video.paused);
      if (!video.paused) tick();
    };
    for (const name of ['play', 'pause', 'ended', 'emptied']) video.addEventListener(name, onChange);
    for (const name of ['seeking', 'seeked', 'timeupdate']) video.addEventListener(name, look);
    return () => {
      cancelAnimationFrame(frame);
      for (const name of ['play', 'pause', 'ended', 'emptied']) video.removeEventListener(name, onChange);
      for (const name of ['seeking', 'seeked', 'timeupdate']) video.removeEventListener(name, look);
    };
  }, [video]);
  return isPlaying;
}

export function useFilm(of: PlayedVersion, duration: number): WorkbenchFilm {
  const { plan, error, again } = usePlan(of);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isTried, setTried] = useState(false);
  const [fault, setFault] = useState<string>();
  const time = useMemo(() => createStore(0), [of.id, of.part]);
  const until = useRef<number | undefined>(undefined);
  const media = plan?.urls.media;
  const url = plan && (plan.mode === 'direct' || isTried) && fault === undefined ? media : undefined;
  useSource(video, { url, time, again, onFault: setFault });
  const isPlaying = usePosition(video, time, until);
  const seek = (seconds: number) => {
    until.current = undefined;
    const to = Math.max(0, duration > 0 ? Math.min(duration, seconds) : seconds);
    time.set(to);
    if (video && video.readyState >= HTMLMediaElement.HAVE_METADATA) video.currentTime = to;
  };
  const why = fault ?? (error === undefined ? (plan && url === undefined ? whyNot(plan) : undefined) : sentence(error));
  return {
    time,
    duration,
    isPlaying,
    isReady: plan !== undefined || error !== undefined,
    why,
    tryAnyway:
      plan && url === undefined && fault === undefined && media !== undefined ? () => setTried(true) : undefined,
    url,
    setVideo,
    seek,
    toggle: () => {
      until.current = undefined;
      if (!video || url === undefined) return;
      if (video.paused) video.play().catch(() => undefined);
      else video.pause();
    },
    playPart: (from, to) => {
      seek(from);
      if (!video || url === undefined) return;
      until.current = to;
      video.play().catch(() => undefined);
    },
  };
}
