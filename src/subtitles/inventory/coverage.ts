/**
 * Decides whether an item has a subtitle in a language. Pure.
 *
 * Text counts, next to the video or inside it: every player can show it at any size, and it can be searched. Pictures
 * (PGS, VobSub) are listed but do not count, because most browsers and televisions cannot show them without converting
 * the whole video. Subtitles for foreign speech only (forced), commentary and hidden files do not count either. Text
 * for the hard of hearing does. A variant covers its base language (`pt-br` covers `pt`), never the reverse. A file
 * next to the video without a language counts for the first configured language, and for no other.
 */
import { covers } from '../../lib/languages.ts';
import type { CoverageShape } from '../store/inventory.ts';
import type { InventoryTrack } from '../store/rows.ts';

export const countsAsText = (track: InventoryTrack): boolean =>
  !track.hidden && !track.picture && !track.commentary && track.role !== 'forced';

export const languagesIn = (tracks: readonly InventoryTrack[]): Pick<CoverageShape, 'held' | 'hasDefault'> => {
  const counted = tracks.filter(countsAsText);
  return {
    held: [...new Set(counted.flatMap(({ language }) => language ?? []))].sort(),
    // An embedded track without a language may be in any language: users name files, but programs name tracks.
    hasDefault: counted.some(({ source, language }) => source === 'sidecar' && language === undefined),
  };
};

/** Whether a language is covered. `first` is the first configured language. */
export const isCovered = (
  { held, hasDefault }: Pick<CoverageShape, 'held' | 'hasDefault'>,
  language: string,
  first: string | undefined,
): boolean => held.some((tag) => covers(tag, language)) || (hasDefault && first !== undefined && language === first);

export type CoverageStatus = 'ready' | 'wanted' | 'checking' | 'unavailable';

export interface CoverageQuery {
  /** The languages that are asked about. */
  languages: readonly string[];
  first: string | undefined;
  isOnline(library: string): boolean;
}

/**
 * Returns the state of all items of a shape, and the missing languages. Without a configured language there is no
 * state. `unavailable`: the item cannot be reached or read, or the last searches for all missing languages found
 * nothing.
 */
export function judgeShape(
  shape: CoverageShape,
  { languages, first, isOnline }: CoverageQuery,
): { status: CoverageStatus | undefined; missing: string[] } {
  const missing = languages.filter((language) => !isCovered(shape, language, first));
  if (languages.length === 0) return { status: undefined, missing };
  if (missing.length === 0) return { status: 'ready', missing };
  if (shape.state === 'broken' || !isOnline(shape.library)) return { status: 'unavailable', missing };
  if (shape.state === 'unknown') return { status: 'checking', missing };
  return { status: missing.every((language) => shape.unfound.includes(language)) ? 'unavailable' : 'wanted', missing };
}
