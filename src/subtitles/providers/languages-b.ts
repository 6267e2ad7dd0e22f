/**
 * Language names of SubSource in both directions. It uses lower-case English words, some of them permanently misspelt
 * and some of them twice.
 *
 * A language can have several names (`es` has three, one per region), and each name needs a separate call. Languages
 * without an ISO 639-1 or -2 code and bilingual files are left out.
 */
import { covers, parseLanguage } from '../../lib/languages.ts';

/** Every name that it uses. The first name of a language is asked first. */
const NAMES: readonly (readonly [name: string, tag: string])[] = [
  ['abkhazian', 'ab'],
  ['afrikaans', 'af'],
  ['albanian', 'sq'],
  ['amharic', 'am'],
  ['arabic', 'ar'],
  ['aragonese', 'an'],
  ['armenian', 'hy'],
  ['assamese', 'as'],
  ['asturian', 'ast'],
  ['azerbaijani', 'az'],
  ['basque', 'eu'],
  ['belarusian', 'be'],
  ['bengali', 'bn'],
  ['bosnian', 'bs'],
  ['brazillian_portuguese', 'pt-br'],
  ['breton', 'br'],
  ['bulgarian', 'bg'],
  ['burmese', 'my'],
  ['catalan', 'ca'],
  ['chinese_bg_code', 'zh-cn'],
  ['chinese_simplified', 'zh-cn'],
  ['big_5_code', 'zh-tw'],
  ['chinese_traditional', 'zh-tw'],
  ['chinese', 'zh'],
  ['chinese_cantonese', 'zh-yue'],
  ['croatian', 'hr'],
  ['czech', 'cs'],
  ['danish', 'da'],
  ['dutch', 'nl'],
  ['english', 'en'],
  ['espranto', 'eo'],
  ['estonian', 'et'],
  ['farsi_persian', 'fa'],
  ['dari', 'fa-af'],
  ['filipino', 'fil'],
  ['finnish', 'fi'],
  ['french', 'fr'],
  ['french_france', 'fr-fr'],
  ['french_canada', 'fr-ca'],
  ['gaelic', 'gd'],
  ['gaelician', 'gl'],
  ['georgian', 'ka'],
  ['german', 'de'],
  ['greek', 'el'],
  ['greenlandic', 'kl'],
  ['hebrew', 'he'],
  ['hindi', 'hi'],
  ['hungarian', 'hu'],
  ['icelandic', 'is'],
  ['igbo', 'ig'],
  ['indonesian', 'id'],
  ['interlingua', 'ia'],
  ['irish', 'ga'],
  ['italian', 'it'],
  ['japanese', 'ja'],
  ['kannada', 'kn'],
  ['kazakh', 'kk'],
  ['khmer', 'km'],
  ['korean', 'ko'],
  ['kurdish', 'ku'],
  ['kyrgyz', 'ky'],
  ['latvian', 'lv'],
  ['lithuanian', 'lt'],
  ['luxembourgish', 'lb'],
  ['macedonian', 'mk'],
  ['malay', 'ms'],
  ['malayalam', 'ml'],
  ['manipuri', 'mni'],
  ['marathi', 'mr'],
  ['mongolian', 'mn'],
  ['navajo', 'nv'],
  ['nepali', 'ne'],
  ['northen_sami', 'se'],
  ['norwegian', 'no'],
  ['occitan', 'oc'],
  ['odia', 'or'],
  ['pashto', 'ps'],
  ['pushto', 'ps'],
  ['polish', 'pl'],
  ['portuguese', 'pt-pt'],
  ['romanian', 'ro'],
  ['russian', 'ru'],
  ['santli', 'sat'],
  ['serbian', 'sr'],
  ['sindhi', 'sd'],
  ['sinhala', 'si'],
  ['sinhalese', 'si'],
  ['slovak', 'sk'],
  ['slovenian', 'sl'],
  ['somali', 'so'],
  ['sorbian', 'wen'],
  ['spanish', 'es'],
  ['spanish_spain', 'es-es'],
  ['spanish_latin_america', 'es-419'],
  ['swahili', 'sw'],
  ['swedish', 'sv'],
  ['syriac', 'syr'],
  ['tagalog', 'tl'],
  ['tamil', 'ta'],
  ['tatar', 'tt'],
  ['telugu', 'te'],
  ['tetum', 'tet'],
  ['thai', 'th'],
  ['turkish', 'tr'],
  ['turkmen', 'tk'],
  ['ukrainian', 'uk'],
  ['urdu', 'ur'],
  ['uzbek', 'uz'],
  ['vietnamese', 'vi'],
  ['welsh', 'cy'],
];
/** Other spellings that were seen in its replies. */
const OTHER_SPELLINGS: readonly (readonly [name: string, tag: string])[] = [
  ['brazilian_portuguese', 'pt-br'],
  ['portuguese_brazilian', 'pt-br'],
  ['portuguese_brazil', 'pt-br'],
  ['esperanto', 'eo'],
  ['galician', 'gl'],
  ['northern_sami', 'se'],
  ['persian', 'fa'],
  ['farsi', 'fa'],
  ['santali', 'sat'],
  ['chinese_big_5_code', 'zh-tw'],
];

const TAGS = new Map([...OTHER_SPELLINGS, ...NAMES]);
/** Maximum number of names per search, because each costs a call. */
const MAX_NAMES = 4;

/** Normalizes a label, which is written `French (Canada)` in one place and `french_canada` in another. */
const normalized = (name: string): string =>
  name
    .slice(0, 60)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('_');

export const languagesOfB = {
  /**
   * Returns the names to ask for, the most likely first, at most four; empty if the provider does not have the
   * language.
   */
  codesFor: (tag: string): string[] => {
    const parsed = parseLanguage(tag);
    if (parsed === undefined) return [];
    return NAMES.filter(([, own]) => covers(own, parsed))
      .map(([name]) => name)
      .slice(0, MAX_NAMES);
  },
  tagOf: (name: string): string | undefined => TAGS.get(normalized(name)),
};
