/**
 * Languages: which tags are accepted, their one normal form, their names, and which satisfies which.
 *
 * A tag is BCP 47 (RFC 5646) with an ISO 639-1 or ISO 639-2 primary subtag, written in lowercase, two letters where ISO
 * 639-1 has them: `eng` is `en`, `fre` and `fra` are `fr`, `pt-BR` is `pt-br`. All functions are pure and never throw.
 */
import { ALPHA3, parseLanguage } from '../contract/kernel/language-tags.ts';
import {
  COMMON,
  COUNTRY_SUFFIXES,
  EXTRA_NAMES,
  LENIENT,
  NAMED_THREE,
  NAMING_LOCALES,
  OWN_NAMES,
  REGIONAL,
} from './language/codes.ts';

export { parseLanguage };

/** True for a tag already in its normal form. */
export const isLanguage = (text: string): boolean => parseLanguage(text) === text;

/** The primary subtag: `pt` of `pt-br`. */
export const baseLanguage = (tag: string): string => tag.split('-', 1)[0] ?? tag;

/** Regions that write Chinese with traditional characters, and those that write it with simplified ones. */
const TRADITIONAL = ['hant', 'tw', 'hk', 'mo'];
const SIMPLIFIED = ['hans', 'cn', 'sg', 'my'];

/**
 * Returns one tag for all tags of Chinese that name the same writing, by script or by region: `zh-cn` or `zh-tw`. The
 * script decides before the region. Other tags are returned unchanged.
 */
export function sameWriting(tag: string): string {
  const [language, first = ''] = tag.split('-');
  if (language !== 'zh') return tag;
  return TRADITIONAL.includes(first) ? 'zh-tw' : SIMPLIFIED.includes(first) ? 'zh-cn' : tag;
}

/**
 * Whether having `installed` satisfies `wanted`: the same tag, or a variant of it.
 * `pt-br` satisfies `pt`; `pt` does not satisfy `pt-br`. `zh-hans` and `zh-cn` satisfy each other, because they are the
 * same writing. Tags that do not parse satisfy nothing.
 */
export function covers(installed: string, wanted: string): boolean {
  const [have, want] = [installed, wanted].map((tag) => parseLanguage(tag));
  if (have === undefined || want === undefined) return false;
  const [has, wants] = [sameWriting(have), sameWriting(want)];
  return has === wants || has.startsWith(`${wants}-`);
}

/**
 * The three-letter code that Matroska and MP4 store. For French, `bibliographic` is `fre` and `terminological` is
 * `fra`.
 */
export function alpha3(tag: string, form: 'terminological' | 'bibliographic' = 'terminological'): string {
  const primary = baseLanguage(parseLanguage(tag) ?? 'und');
  return ALPHA3.get(primary)?.[form] ?? primary;
}

/** The English name: `Brazilian Portuguese`. A tag without a known name is its own name. */
export const languageName = (tag: string): string =>
  nameIn('en', tag) ?? OWN_NAMES.get(tag) ?? ownNameOfBase(tag) ?? tag;

/** The name in the language itself: `français`; the English name where the platform has no other. */
export function nativeName(tag: string): string {
  const [locale] = supported(tag);
  return (locale === undefined ? undefined : nameIn(locale, tag)) ?? languageName(tag);
}

/** Every ISO 639-1 language with its names, in the order of the English names. For pickers. */
export function allLanguages(): { code: string; name: string; native: string }[] {
  everyLanguage ??= [...ALPHA3.keys()]
    .filter((code) => code !== 'bh' && code !== 'sh')
    .map((code) => ({ code, name: languageName(code), native: nativeName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return everyLanguage.map((entry) => ({ ...entry }));
}
let everyLanguage: { code: string; name: string; native: string }[] | undefined;

/**
 * Parses what a person or a player wrote into a tag. Accepts a tag, `pt_BR`, an ISO 639-3 member, a shorthand of a
 * subtitle site, or a name in English, in the language itself or in one of the common languages of households.
 * Undefined when it is none of these.
 */
export function languageFromText(text: string): string | undefined {
  if (text.length < 2 || text.length > 100) return undefined;
  const asTag = text.replaceAll('_', '-');
  const lower = asTag.toLowerCase();
  return parseLanguage(asTag) ?? LENIENT.get(lower) ?? names().get(foldName(text));
}

/** As languageFromText, for a word in a file name, where `.se` is Swedish. */
export const languageFromSuffix = (word: string): string | undefined =>
  COUNTRY_SUFFIXES.get(word.toLowerCase()) ?? languageFromText(word);

/** Returns the code of a language for a file name, which languageFromSuffix reads as the same language. */
export const languageSuffix = (tag: string): string => (COUNTRY_SUFFIXES.has(tag) ? alpha3(tag) : tag);

/**
 * As languageFromText, for whole names only: `English`, `Français`, `Brazilian Portuguese`, `Spanish (Latin America)`.
 */
export const languageFromName = (text: string): string | undefined =>
  text.length > 100 ? undefined : names().get(foldName(text));

const displays = new Map<string, Intl.DisplayNames>();

/** The platform's name of `tag` in `locale`, or undefined. */
function nameIn(locale: string, tag: string, languageDisplay: 'dialect' | 'standard' = 'dialect'): string | undefined {
  if (OWN_NAMES.has(tag) && locale === 'en') return OWN_NAMES.get(tag);
  const key = `${locale} ${languageDisplay}`;
  try {
    let display = displays.get(key);
    if (!display) {
      display = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none', languageDisplay });
      // A tag chosen by a caller picks the locale, so the number kept is bounded.
      if (displays.size < 512) displays.set(key, display);
    }
    return display.of(tag);
  } catch {
    // The platform takes no extended subtags such as `zh-yue`.
    return undefined;
  }
}

function ownNameOfBase(tag: string): string | undefined {
  const base = baseLanguage(tag);
  const name = OWN_NAMES.get(base) ?? nameIn('en', base);
  if (base === tag || name === undefined) return name;
  const member = tag.slice(base.length + 1);
  const memberName = /^[a-z]{3}$/.test(member) ? nameIn('en', member) : undefined;
  return memberName ?? `${name} (${member})`;
}

function supported(tag: string): string[] {
  try {
    return Intl.DisplayNames.supportedLocalesOf([tag]);
  } catch {
    return [];
  }
}

/** Case, accents and punctuation do not tell names apart. */
export const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

let byName: ReadonlyMap<string, string> | undefined;

/** Folded name to tag. Built on first use; the first meaning of a name wins, English before native before the rest. */
function names(): ReadonlyMap<string, string> {
  if (byName) return byName;
  const map = new Map<string, string>(EXTRA_NAMES);
  const add = (name: string | undefined, tag: string) => {
    const folded = name === undefined ? '' : foldName(name);
    // Latin names under four letters are codes or common words rather than names.
    if (folded.length >= (/^[a-z ]*$/.test(folded) ? 4 : 2) && !map.has(folded)) map.set(folded, tag);
  };
  const codes = [...ALPHA3.keys(), ...NAMED_THREE];
  for (const code of codes) add(languageName(code), code);
  for (const code of codes) add(nativeName(code), code);
  for (const tag of REGIONAL) {
    for (const form of ['dialect', 'standard'] as const) {
      add(nameIn('en', tag, form), tag);
      add(nameIn(baseLanguage(tag), tag, form), tag);
    }
  }
  for (const locale of NAMING_LOCALES) for (const code of COMMON) add(nameIn(locale, code), code);
  byName = map;
  return map;
}
