/**
 * Decides whether an item has a wanted subtitle. Pure.
 *
 * Text counts, next to the video or inside it: every player can show it at any size, and it can be searched. Pictures
 * (PGS, VobSub) are listed but do not count, because most browsers and televisions cannot show them without converting
 * the whole video. Commentary, hidden and unreadable files do not count either. A variant covers its base language
 * (`pt-br` covers `pt`), never the reverse. A file next to the video without a language counts for the first wanted
 * one, and for no other.
 *
 * A wanted kind is covered by that kind. Text for the hard of hearing also covers a wanted regular subtitle, because it
 * has every line of one; a regular subtitle never covers a wanted one for the hard of hearing.
 */
import type { WantedSubtitle } from '../../contract/subtitles/states.ts';
import { covers } from '../../lib/languages.ts';
import type { CoverageShape, HeldText } from '../store/inventory.ts';
import type { InventoryTrack } from '../store/rows.ts';
import type { SubtitleRole } from '../store/tables.ts';

/** Kinds of libraries that contain films or shows. */
export const HOLDS_VIDEO: readonly string[] = ['movies', 'shows', 'mixed'];

/** Whether a track is text that can be shown, of any kind. A file that was not read yet counts as one. */
export const isShownText = (track: InventoryTrack): boolean =>
  !track.hidden && !track.picture && !track.commentary && track.unreadable === undefined;

/** Language under which subtitles without one are listed and requested. */
export const UNDETERMINED = 'und';

/**
 * Returns the language under which a track is listed and requested. A file without one in its name is in the first
 * wanted language; a track inside a video, whose language a program left out, may be in any.
 */
export const languageOfTrack = ({ language, source }: InventoryTrack, first: string | undefined): string =>
  language ?? (source === 'sidecar' ? (first ?? UNDETERMINED) : UNDETERMINED);

/** Whether a track is text of the whole video, as opposed to the lines of foreign speech. */
export const countsAsText = (track: InventoryTrack): boolean => isShownText(track) && track.role !== 'forced';

/** Whether a text of the kind `held` does where `wanted` is asked for. */
export const servesAs = (held: SubtitleRole, wanted: SubtitleRole): boolean =>
  wanted === 'normal' ? held !== 'forced' : held === wanted;

export const isSameSubtitle = (a: WantedSubtitle, b: WantedSubtitle): boolean =>
  a.language === b.language && a.role === b.role;

/** Returns the kind of a text: of a regular one by its name, the kind that its content shows. */
const kindOf = ({ role, impaired }: InventoryTrack): SubtitleRole => (role === 'normal' && impaired ? 'sdh' : role);

/** Returns the languages and kinds that have text, each once. */
export function textsIn(tracks: readonly InventoryTrack[]): HeldText[] {
  const held = new Map<string, HeldText>();
  for (const track of tracks.filter(isShownText)) {
    // An embedded track without a language may be in any language: users name files, but programs name tracks.
    if (track.language === undefined && track.source === 'embedded') continue;
    const one = { language: track.language === UNDETERMINED ? null : (track.language ?? null), role: kindOf(track) };
    held.set(`${one.language} ${one.role}`, one);
  }
  return [...held.values()];
}

/** Whether a wanted subtitle is covered. `first` is the language of files that name none. */
export const isCovered = (held: readonly HeldText[], wanted: WantedSubtitle, first: string | undefined): boolean =>
  held.some(
    ({ language, role }) =>
      servesAs(role, wanted.role) &&
      (language === null ? wanted.language === first : covers(language, wanted.language)),
  );

export type CoverageStatus = 'ready' | 'wanted' | 'checking' | 'unavailable';

export interface CoverageQuery {
  /** Returns the subtitles that are asked about in a library. */
  wanted(library: string): readonly WantedSubtitle[];
  first: string | undefined;
  isOnline(library: string): boolean;
}

/**
 * Returns the state of all items of a shape, and the missing subtitles. Where nothing is wanted there is no state.
 * `unavailable`: the item cannot be reached or read, or the last searches for everything missing found nothing.
 */
export function judgeShape(
  shape: CoverageShape,
  { wanted, first, isOnline }: CoverageQuery,
): { status: CoverageStatus | undefined; missing: WantedSubtitle[] } {
  const asked = wanted(shape.library);
  const missing = asked.filter((one) => !isCovered(shape.held, one, first));
  if (asked.length === 0) return { status: undefined, missing };
  if (missing.length === 0) return { status: 'ready', missing };
  if (shape.state === 'broken' || !isOnline(shape.library)) return { status: 'unavailable', missing };
  if (shape.state === 'unknown') return { status: 'checking', missing };
  const isUnfound = (one: WantedSubtitle): boolean => shape.unfound.some((other) => isSameSubtitle(one, other));
  return { status: missing.every(isUnfound) ? 'unavailable' : 'wanted', missing };
}
