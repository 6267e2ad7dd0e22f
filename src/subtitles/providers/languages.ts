/**
 * Languages of each provider in both directions: our lowercase BCP 47 tags, and the codes of the site.
 *
 * A query for a base language includes its regional variants (`pt` is satisfied by `pt-br`), never the reverse.
 * Bilingual files have no single language and are left out.
 */
import { baseLanguage, covers, parseLanguage, sameWriting } from '../../lib/languages.ts';

interface LanguageTable {
  /** Returns the site's codes to ask for, sorted; empty if it does not have the language. */
  codesFor(tag: string): string[];
  /** Returns our tag for a code of the site; undefined if it means no single language. */
  tagOf(code: string): string | undefined;
}

/** SubDL: upper case, ISO 639-1 apart from the rows below. `ZH` is simplified Chinese, `ZH_BG` is Big 5. */
export const languagesOfA = table({
  special: [
    ['BR_PT', 'pt-br'],
    ['ZH', 'zh-cn'],
    ['ZH_BG', 'zh-tw'],
  ],
  aside: ['BG_EN', 'NL_EN', 'EN_DE', 'HU_EN'],
  upper: true,
});

/** OpenSubtitles.com: lower case, ISO 639-1 apart from the rows below. `ze` is bilingual Chinese and English. */
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
    const wanted = sameWriting(parsed);
    const codes = site.special.filter(([, own]) => covers(own, wanted)).map(([code]) => code);
    const plain = cased(wanted);
    // A site without a regional variant may have the base language, but that does not satisfy a query for the variant.
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
