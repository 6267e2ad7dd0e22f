/**
 * The languages of each provider, both ways: our lowercase BCP 47 tags on one side, a site's own codes on the other.
 *
 * Asking for a base language asks for its regional variants too (`pt` is satisfied by `pt-br`), never the reverse.
 * Bilingual files are in no single language and are left out.
 */
import { baseLanguage, covers, parseLanguage } from '../../lib/languages.ts';

interface LanguageTable {
  /** The site's codes to ask for, sorted; empty when it does not have the language. */
  codesFor(tag: string): string[];
  /** Our tag for a code of the site, or undefined when it names no single language. */
  tagOf(code: string): string | undefined;
}

/** SubDL: upper case, ISO 639-1 but for the rows below. `ZH` is simplified there, `ZH_BG` is Big 5. */
export const languagesOfA = table({
  special: [
    ['BR_PT', 'pt-br'],
    ['ZH', 'zh-cn'],
    ['ZH_BG', 'zh-tw'],
  ],
  aside: ['BG_EN', 'NL_EN', 'EN_DE', 'HU_EN'],
  upper: true,
});

/** OpenSubtitles.com: lower case, ISO 639-1 but for the rows below. `ze` is bilingual Chinese and English. */
export const languagesOfC = table({
  special: [
    ['pt-pt', 'pt-pt'],
    ['pt-br', 'pt-br'],
    ['zh-cn', 'zh-cn'],
    ['zh-tw', 'zh-tw'],
    ['ea', 'es-419'],
  ],
  aside: ['ze', 'pt', 'zh'],
  upper: false,
});

/** The same writing of Chinese under its script and its regions. */
const SAME = new Map([
  ['zh-hans', 'zh-cn'],
  ['zh-sg', 'zh-cn'],
  ['zh-hant', 'zh-tw'],
  ['zh-hk', 'zh-tw'],
]);

function table(site: {
  special: readonly (readonly [string, string])[];
  aside: readonly string[];
  upper: boolean;
}): LanguageTable {
  const toTag = new Map(site.special);
  const aside = new Set(site.aside);
  const cased = (code: string) => (site.upper ? code.toUpperCase() : code.toLowerCase());
  const codesFor = (tag: string): string[] => {
    const parsed = parseLanguage(tag);
    if (parsed === undefined) return [];
    const wanted = SAME.get(parsed) ?? parsed;
    const codes = site.special.filter(([, own]) => covers(own, wanted)).map(([code]) => code);
    const plain = cased(wanted);
    // A site that has no regional variant may still have the base, but the base does not satisfy a variant.
    if (baseLanguage(wanted) === wanted && wanted.length === 2 && !aside.has(plain) && !toTag.has(plain))
      codes.push(plain);
    return [...new Set(codes)].sort();
  };
  return {
    codesFor,
    tagOf: (code) => {
      const plain = cased(code.trim());
      if (toTag.has(plain)) return toTag.get(plain);
      return aside.has(plain) || plain.length !== 2 ? undefined : parseLanguage(plain);
    },
  };
}

/** Whether a provider's tag is what was asked for, `zh-hans` and `zh-cn` being the same. */
export const isWanted = (offered: string, wanted: string): boolean => covers(sameWriting(offered), sameWriting(wanted));

/** Chinese by its region where a tag names it by its script. */
export const sameWriting = (tag: string): string => SAME.get(tag) ?? tag;
