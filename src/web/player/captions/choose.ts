/**
 * Which subtitle is shown when playing begins: what was asked for, what was chosen last, or what the preferences say;
 * and which one a key switches on.
 */
import type { SubtitleTrack } from '../../../contract/catalog/items.ts';
import type { Preferences } from '../../../contract/identity/accounts.ts';

type Track = Pick<SubtitleTrack, 'key' | 'language' | 'role' | 'default' | 'picture'> & {
  delivery?: 'text' | 'picture' | 'burn';
};
/** Subtitle that the viewer chose earlier in this tab: it also applies to the next episode. */
export type CaptionChoice = 'off' | { language: string | undefined; role: Track['role'] };

/** Whether a language is the wanted one or a regional variant of it. */
export const speaks = (language: string | undefined, wanted: string): boolean =>
  language !== undefined && (language === wanted || language.startsWith(`${wanted}-`));
const base = (language: string): string => language.split('-')[0] ?? language;

const ORDER: readonly Track['role'][] = ['normal', 'sdh', 'forced'];
/** The best track of a language: full ones before those for the hard of hearing, before forced. */
const inLanguage = <T extends Track>(
  tracks: readonly T[],
  wanted: string,
  roles: readonly Track['role'][] = ORDER,
): T | undefined => {
  for (const role of roles) {
    const fits = tracks.filter(
      (track) => track.role === role && (speaks(track.language, wanted) || speaks(wanted, track.language ?? '\u0000')),
    );
    const text = fits.filter((track) => !track.picture);
    const best = text.length > 0 ? text : fits;
    const found = best.find((track) => track.default) ?? best[0];
    if (found) return found;
  }
  return undefined;
};
/** Languages of subtitles that a Profile prefers: those chosen for subtitles, else the language of the Profile. */
const preferredLanguages = ({ subtitles, language }: Pick<Preferences, 'subtitles' | 'language'>): readonly string[] =>
  subtitles.length > 0 ? subtitles : language ? [language] : [];

export interface LanguagePreferences {
  preferences: Pick<Preferences, 'subtitles' | 'language'> | undefined;
  /** The languages of the browser, such as `de-AT`. */
  browser: readonly string[];
  /** The server's language of subtitles. */
  server: string | undefined;
}

/**
 * Returns the subtitle that is switched on by a key when none was on before: in a language that the Profile prefers,
 * else one of the browser, else the server's, else the first in the file. Forced lines are taken only if there is
 * nothing else, and within a language what need not be drawn into the video comes first.
 */
export function subtitleForKey<T extends Track>(
  all: readonly T[],
  { preferences, browser, server }: LanguagePreferences,
): T | undefined {
  const free = all.filter((track) => track.delivery !== 'burn');
  const inOne = (language: string): T | undefined =>
    inLanguage(free, language, ['normal', 'sdh']) ?? inLanguage(all, language, ['normal', 'sdh']);
  for (const language of [...(preferences ? preferredLanguages(preferences) : []), ...browser, server ?? '']) {
    const found = language === '' ? undefined : inOne(language.toLowerCase());
    if (found) return found;
  }
  const isWhole = ({ role }: T): boolean => role !== 'forced';
  return free.find(isWhole) ?? all.find(isWhole) ?? all[0];
}

export interface SubtitleWish {
  /** A track key or a language from the address. */
  asked?: string | undefined;
  chosen?: CaptionChoice | undefined;
  preferences: Pick<Preferences, 'subtitles' | 'subtitleMode' | 'audio' | 'language'> | undefined;
  /** The language of the sound that plays. */
  spoken: string | undefined;
}

/**
 * Returns the subtitle to start with; undefined means none. Text comes before pictures of the same language and kind; a
 * subtitle that must be drawn into the video is taken only if the viewer asked for it.
 */
export function firstSubtitle<T extends Track>(
  all: readonly T[],
  { asked, chosen, preferences, spoken }: SubtitleWish,
): T | undefined {
  if (asked !== undefined) {
    const named = all.find((track) => track.key === asked);
    if (named) return named;
  }
  const tracks = all.filter((track) => track.delivery !== 'burn');
  if (asked !== undefined) return inLanguage(tracks, asked.toLowerCase());
  if (chosen === 'off') return undefined;
  if (chosen) {
    const same = tracks.filter((track) => track.language === chosen.language);
    const found = same.find((track) => track.role === chosen.role) ?? same[0];
    if (found) return found;
  }
  if (!preferences || preferences.subtitleMode === 'off') return undefined;
  const wanted = preferredLanguages(preferences);
  const firstOf = (languages: readonly string[], roles?: readonly Track['role'][]): T | undefined =>
    languages.map((one) => inLanguage(tracks, one, roles)).find((one) => one !== undefined);
  const forced = (): T | undefined => firstOf([...(spoken ? [base(spoken)] : []), ...wanted], ['forced']);
  if (preferences.subtitleMode === 'forced') return forced();
  if (preferences.subtitleMode === 'always')
    return firstOf(wanted, ['normal', 'sdh']) ?? tracks.find((track) => track.default && track.role !== 'forced');
  // Automatic: only what is needed to follow. Someone who understands the sound gets the forced lines.
  const understood = [...preferences.audio, ...wanted, ...(preferences.language ? [preferences.language] : [])].map(
    base,
  );
  if (spoken === undefined || understood.includes(base(spoken))) return forced();
  return firstOf(wanted, ['normal', 'sdh']) ?? forced();
}
