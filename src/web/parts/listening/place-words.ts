/** The last places of this Profile in an audiobook in words. Pure. */
import { ago, facts, position } from '../../lib/format.ts';

export interface PlaceChapter {
  title: string;
  start: number;
}
export interface ShownPlace {
  /** Seconds of the book. */
  at: number;
  /** "1:23:45 · Chapter 5". */
  title: string;
  /** "Firefox on Linux · yesterday". */
  about: string;
}

/** Returns places in words. Those that a person could not tell apart are shown once. */
export function shownPlaces(
  places: readonly { position: number; at: string; device?: string | undefined }[],
  chapters: readonly PlaceChapter[],
  now?: number,
): ShownPlace[] {
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const chapter = chapters.findLast(({ start }) => start <= place.position);
    const title = facts(position(place.position), chapter?.title).join(' · ');
    const about = facts(place.device, ago(place.at, now)).join(' · ');
    const key = `${title} ${about}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ at: place.position, title, about }];
  });
}
