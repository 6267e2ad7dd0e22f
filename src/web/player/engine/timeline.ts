/**
 * One timeline for a film in several files. A stream of the server has all files on it; played as they are, one file
 * is in the element at a time, and its own clock begins at the time of its part.
 */
import { limited } from './times.ts';

export interface FilmPart {
  part: number;
  start: number;
  duration: number;
}
export interface Timeline {
  /** Seconds of the film at which the element's clock is zero. */
  offset: number;
  /** Duration of the whole film, if it is known. */
  duration: number | undefined;
  /** Files that are played one after the other; empty when the element has all of it. */
  parts: readonly FilmPart[];
  /** The one that is in the element. */
  part: number;
}

/** `isWhole`: the element gets all of it, as with a stream. */
export function timelineOf(
  { parts, duration }: { parts: readonly FilmPart[]; duration?: number | undefined },
  part: number,
  isWhole: boolean,
): Timeline {
  if (isWhole || parts.length < 2) return { offset: 0, duration, parts: [], part: 0 };
  return { offset: parts.find((one) => one.part === part)?.start ?? 0, duration, parts, part };
}

/** The file in which a time of the film is, where that is another one than the current. */
export function otherPartAt({ parts, part }: Timeline, time: number): number | undefined {
  const at = [...parts].reverse().find(({ start }) => start <= time) ?? parts[0];
  return at === undefined || at.part === part ? undefined : at.part;
}

/** The file after the current one. */
export function partAfter({ parts, part }: Timeline): FilmPart | undefined {
  const at = parts.findIndex((one) => one.part === part);
  return at < 0 ? undefined : parts[at + 1];
}

/** A film that plays: its element, and times as a person sees them. */
export interface Film {
  video: HTMLVideoElement;
  timeline: Timeline;
  time: () => number;
  duration: () => number;
  seek: (time: number) => void;
}
/** Just before the end, so that a jump there is not the end itself. */
const LAST_S = 0.2;

export function createFilm(
  video: HTMLVideoElement,
  timeline: Timeline,
  toPart: (part: number, at: number) => void,
): Film {
  const duration = (): number => {
    if (timeline.parts.length === 0 && Number.isFinite(video.duration) && video.duration > 0) return video.duration;
    return timeline.duration ?? 0;
  };
  return {
    video,
    timeline,
    time: () => video.currentTime + timeline.offset,
    duration,
    seek: (asked) => {
      const time = limited(asked, 0, Math.max(0, duration() - LAST_S));
      const other = otherPartAt(timeline, time);
      if (other === undefined) video.currentTime = Math.max(0, time - timeline.offset);
      else toPart(other, time);
    },
  };
}
