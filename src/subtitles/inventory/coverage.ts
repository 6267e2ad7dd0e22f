/**
 * Decides whether an item has a subtitle in a language. Pure.
 *
 * Text counts, next to the video or inside it: it can be shown by every player, in every size, and searched. Pictures
 * (PGS, VobSub) are listed with what they are, but they do not count: most browsers and televisions cannot show them
 * without converting the whole video, so a language with pictures only counts as missing. Lines for foreign speech
 * only (forced), commentary and hidden files do not count either. Text for the hard of hearing does.
 * A variant covers its base language (`pt-br` covers `pt`), never the reverse. A file next to the video without a
 * language is taken to be in the first configured one, and in no other.
 */
import { covers } from '../../lib/languages.ts';
import type { Shape } from '../store/inventory.ts';
import type { Track } from '../store/rows.ts';

export const counts = (track: Track): boolean =>
  !track.hidden && !track.picture && !track.commentary && track.role !== 'forced';

export const heldBy = (tracks: readonly Track[]): Pick<Shape, 'held' | 'hasDefault'> => {
  const counted = tracks.filter(counts);
  return {
    held: [...new Set(counted.flatMap(({ language }) => language ?? []))].sort(),
    // An embedded track without a language may be anything: files are named by people, tracks by programs.
    hasDefault: counted.some(({ source, language }) => source === 'sidecar' && language === undefined),
  };
};

/** `first` is the first configured language. */
export const isCovered = (
  { held, hasDefault }: Pick<Shape, 'held' | 'hasDefault'>,
  language: string,
  first: string | undefined,
): boolean => held.some((tag) => covers(tag, language)) || (hasDefault && first !== undefined && language === first);

export type Status = 'ready' | 'wanted' | 'checking' | 'unavailable';

export interface Wish {
  /** What is asked about. */
  languages: readonly string[];
  first: string | undefined;
  isOnline(library: string): boolean;
}

/**
 * Every item is in exactly one state, or in none while no language is configured: nothing is asked for then.
 * `unavailable`: cannot be reached or read, or the last search for all that it lacks brought nothing.
 */
export function judge(
  shape: Shape,
  { languages, first, isOnline }: Wish,
): { status: Status | undefined; missing: string[] } {
  const missing = languages.filter((language) => !isCovered(shape, language, first));
  if (languages.length === 0) return { status: undefined, missing };
  if (missing.length === 0) return { status: 'ready', missing };
  if (shape.state === 'broken' || !isOnline(shape.library)) return { status: 'unavailable', missing };
  if (shape.state === 'unknown') return { status: 'checking', missing };
  return { status: missing.every((language) => shape.unfound.includes(language)) ? 'unavailable' : 'wanted', missing };
}
