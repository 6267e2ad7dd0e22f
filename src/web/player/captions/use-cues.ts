/**
 * The cues of a text subtitle: read by the browser, which has the first ones before the file ends, and looked up here.
 */
import { useEffect, useState } from 'preact/hooks';
import { activeAt, lastBefore, cuePlaceOf, withoutDoubles, type Place } from './cue-layout.ts';

export interface CueTrack {
  key: string;
  language?: string;
  title: string;
  url: string;
}
export interface ShownCue {
  text: string;
  place: Place;
  /** A line that is over, shown again while the film waits. */
  isPast: boolean;
}
const FASTEST_MS = 60;
/** A line that ended no longer ago than this is shown again on a pause. */
const LOOK_BACK_S = 6;

/** Adds the track to the media element for as long as this is shown. */
export function useTrack(
  video: HTMLVideoElement,
  { track, isNative, onFailed }: { track: CueTrack; isNative: boolean; onFailed: () => void },
): TextTrack | undefined {
  const [found, setFound] = useState<TextTrack>();
  useEffect(() => {
    const element = document.createElement('track');
    element.kind = 'subtitles';
    element.label = track.title;
    if (track.language) element.srclang = track.language;
    element.src = track.url;
    element.addEventListener('error', onFailed);
    video.append(element);
    element.track.mode = 'hidden';
    setFound(element.track);
    // A phone in its own full screen, and picture in picture, show nothing of this page: there the browser draws.
    const native = () => {
      element.track.mode = 'showing';
    };
    const own = () => {
      element.track.mode = 'hidden';
    };
    const moments: readonly [string, () => void][] = isNative
      ? [
          ['webkitbeginfullscreen', native],
          ['webkitendfullscreen', own],
          ['enterpictureinpicture', native],
          ['leavepictureinpicture', own],
        ]
      : [];
    for (const [name, listener] of moments) video.addEventListener(name, listener);
    return () => {
      element.track.mode = 'disabled';
      for (const [name, listener] of moments) video.removeEventListener(name, listener);
      element.remove();
    };
  }, [video, track.url]);
  return found;
}

const cuesOf = (track: TextTrack): ArrayLike<VTTCue> => (track.cues ?? []) as unknown as ArrayLike<VTTCue>;

/**
 * The cues that are on now, looked up on every frame while it plays and at every jump. `offset` is how much later they
 * come, in seconds.
 */
export function useCues(video: HTMLVideoElement, track: TextTrack | undefined, offset: number): readonly ShownCue[] {
  const [shown, setShown] = useState<readonly ShownCue[]>([]);
  useEffect(() => {
    if (!track) return setShown([]);
    let frame = 0;
    let last = '';
    let looked = 0;
    const look = () => {
      const time = video.currentTime - offset;
      let on = withoutDoubles(activeAt(cuesOf(track), time));
      const isPast = on.length === 0 && video.paused;
      if (isPast) on = lastBefore(cuesOf(track), time, LOOK_BACK_S);
      const name = `${isPast} ${on.map((cue) => `${cue.startTime}/${cue.text}`).join('\u0000')}`;
      if (name === last) return;
      last = name;
      setShown(
        on.map((cue) => ({
          text: cue.text,
          isPast,
          place: cuePlaceOf(cue as unknown as Parameters<typeof cuePlaceOf>[0]),
        })),
      );
    };
    const tick = (now: number) => {
      if (now - looked > FASTEST_MS) {
        looked = now;
        look();
      }
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    // Frames rest while the page is out of view, as in picture in picture.
    video.addEventListener('timeupdate', look);
    return () => {
      cancelAnimationFrame(frame);
      video.removeEventListener('timeupdate', look);
    };
  }, [video, track, offset]);
  return shown;
}

/** Returns the start of the current or last line, on the clock of the element. */
export function lineStart(video: HTMLVideoElement, track: TextTrack | undefined, offset: number): number | undefined {
  if (!track) return undefined;
  const time = video.currentTime - offset;
  const [line] = [...activeAt(cuesOf(track), time), ...lastBefore(cuesOf(track), time, Infinity)];
  return line && Math.max(0, line.startTime + offset);
}
