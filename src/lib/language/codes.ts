/**
 * Tables behind languages.ts: the names and shorthands that people write in file names and that no standard lists.
 * Data only; the rules are in languages.ts, and the codes of ISO 639 in the contract.
 */
import { pairs } from '../../contract/kernel/language-tags.ts';

/** ISO 639-3 members of a macrolanguage: `cmn zh` is simply Chinese, `yue zh-yue` keeps the member as BCP 47 does. */
const MEMBERS = `cmn zh,yue zh-yue,nan zh-nan,wuu zh-wuu,hak zh-hak,gan zh-gan,lzh zh-lzh,arb ar,arz ar-arz,ary ar-ary,apc ar-apc,
ajp ar-ajp,arq ar-arq,aeb ar-aeb,acm ar-acm,afb ar-afb,pes fa,prs fa-af,ekk et,lvs lv,zsm ms,swh sw,khk mn,azj az,uzn uz,npi ne,
ory or,plt mg,gug gn,als sq,ydd yi,kmr ku,ckb ku-ckb,pbu ps,ltg lv-ltg,nno nn,nob nb`;

/** Shorthands of subtitle sites and players that are not ISO 639 codes. */
const SHORTHAND = `pob pt-br,pb pt-br,ptb pt-br,ptbr pt-br,brpt pt-br,chs zh-hans,cht zh-hant,zhs zh-hans,zht zh-hant,zhcn zh-cn,
zhtw zh-tw,gb zh-hans,big5 zh-hant,jp ja,jap ja,cz cs,dk da,gr el,ua uk,vn vi,spl es-419,latam es-419,latino es-419,
ea es-419,spn es,esp es,enus en-us,engb en-gb,usa en-us,ned nl,nld nl,frn fr,vff fr,vfq fr-ca,mne cnr,kor ko,rus ru,
简 zh-hans,繁 zh-hant,简体 zh-hans,繁体 zh-hant,繁體 zh-hant,简中 zh-hans,繁中 zh-hant,中文 zh,日本語 ja,简体中文 zh-hans,繁體中文 zh-hant`;

/** Names that the platform's data does not give in this form. */
const NAMES = `brazilian pt-br,brazilian portuguese pt-br,brazillian pt-br,brazillian portuguese pt-br,portuguese brazilian pt-br,
portuguese brazil pt-br,portugues brasil pt-br,portugues brasileiro pt-br,portuguese portugal pt-pt,european portuguese pt-pt,
spanish latin america es-419,spanish latin american es-419,latin american spanish es-419,spanish latino es-419,espanol latino es-419,
espanol latinoamericano es-419,latin spanish es-419,spanish spain es-es,castilian es-es,castellano es-es,european spanish es-es,
spanish europe es-es,spanish european es-es,chinese simplified zh-hans,simplified chinese zh-hans,chinese traditional zh-hant,
traditional chinese zh-hant,chinese bg code zh-hans,big 5 code zh-hant,mandarin zh,mandarin chinese zh,cantonese zh-yue,
french canada fr-ca,french canadian fr-ca,canadian french fr-ca,french france fr-fr,english us en-us,english uk en-gb,
american english en-us,british english en-gb,farsi fa,persian fa,farsi persian fa,bengali bn,bangla bn,burmese my,flemish nl-be,
filipino fil,tagalog tl,greek el,modern greek el,greenlandic kl,moldavian ro,norwegian bokmal nb,bokmal nb,nynorsk nn,
northern sami se,northen sami se,espranto eo,sinhalese si,sinhala si,serbian latin sr-latn,serbian cyrillic sr-cyrl,
serbo croatian sh,slovenian sl,slovene sl,ukranian uk,kurdish ku,sorani ku-ckb,malay ms,malaysian ms,bahasa indonesia id,
bahasa melayu ms,montenegrin cnr,punjabi pa,odia or,oriya or,pashto ps,valencian ca-valencia,chinese cantonese zh-yue,
hindi hi,hebrew he,arabic ar,castellano espana es-es,espanol espana es-es,francais canada fr-ca,quebecois fr-ca,vlaams nl-be`;

/** English names of ISO 639-2 entries that the platform has none for: mostly collections. */
const COLLECTIONS = `afa Afro-Asiatic languages,alg Algonquian languages,apa Apache languages,art Artificial languages,
ath Athapascan languages,aus Australian languages,bad Banda languages,bai Bamileke languages,bat Baltic languages,
ber Berber languages,bh Bihari languages,bnt Bantu languages,btk Batak languages,cai Central American Indian languages,
cau Caucasian languages,cel Celtic languages,cmc Chamic languages,cpe English-based creoles,cpf French-based creoles,
cpp Portuguese-based creoles,crp Creoles and pidgins,cus Cushitic languages,day Land Dayak languages,dra Dravidian languages,
fiu Finno-Ugrian languages,gem Germanic languages,him Himachali languages,ijo Ijo languages,inc Indic languages,
ine Indo-European languages,ira Iranian languages,iro Iroquoian languages,kar Karen languages,khi Khoisan languages,kro Kru languages,
map Austronesian languages,mis Uncoded language,mkh Mon-Khmer languages,mno Manobo languages,mun Munda languages,myn Mayan languages,
nah Nahuatl languages,nai North American Indian languages,nic Niger-Kordofanian languages,nub Nubian languages,
oto Otomian languages,paa Papuan languages,phi Philippine languages,pra Prakrit languages,roa Romance languages,
sai South American Indian languages,sal Salishan languages,sem Semitic languages,sgn Sign language,sio Siouan languages,
sit Sino-Tibetan languages,sla Slavic languages,smi Sami languages,son Songhai languages,ssa Nilo-Saharan languages,tai Tai languages,
tup Tupi languages,tut Altaic languages,wak Wakashan languages,wen Sorbian languages,ypk Yupik languages,znd Zande languages,
sh Serbo-Croatian,cnr Montenegrin,tl Tagalog,und Unknown language`;

/** Regional variants whose English and native names are understood in file names. */
export const REGIONAL = [
  'pt-br',
  'pt-pt',
  'es-419',
  'es-mx',
  'es-es',
  'es-ar',
  'en-us',
  'en-gb',
  'en-au',
  'en-ca',
  'fr-ca',
  'fr-fr',
  'fr-be',
  'fr-ch',
  'de-at',
  'de-ch',
  'de-de',
  'nl-be',
  'nl-nl',
  'zh-hans',
  'zh-hant',
  'zh-cn',
  'zh-tw',
  'zh-hk',
  'sr-latn',
  'sr-cyrl',
  'sv-fi',
  'it-ch',
];

/**
 * Three-letter codes whose names are understood too. The others' names are too short or too rare to trust in a file
 * name.
 */
export const NAMED_THREE = [
  'fil',
  'haw',
  'ceb',
  'ast',
  'sco',
  'scn',
  'nds',
  'tlh',
  'gsw',
  'hmn',
  'kok',
  'mai',
  'sah',
  'cnr',
  'hsb',
  'dsb',
];

/** The places whose words for the common languages are understood: `Englisch`, `anglais`, `inglés`, `английский`. */
export const NAMING_LOCALES = [
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'nb',
  'fi',
  'pl',
  'cs',
  'hu',
  'ru',
  'uk',
  'tr',
  'el',
  'ro',
  'hr',
];

/** The languages that subtitles are mostly in: their names in NAMING_LOCALES are understood. */
export const COMMON = [
  'en',
  'es',
  'fr',
  'de',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'no',
  'nb',
  'fi',
  'is',
  'pl',
  'cs',
  'sk',
  'hu',
  'ro',
  'bg',
  'hr',
  'sr',
  'sl',
  'bs',
  'mk',
  'sq',
  'el',
  'tr',
  'ru',
  'uk',
  'et',
  'lv',
  'lt',
  'ar',
  'he',
  'fa',
  'hi',
  'ta',
  'te',
  'bn',
  'th',
  'vi',
  'id',
  'ms',
  'ja',
  'ko',
  'zh',
  'ca',
  'eu',
  'gl',
];

/** ISO 639-3 members and site shorthands, understood in file names only, to tags. */
export const LENIENT: ReadonlyMap<string, string> = new Map([...pairs(MEMBERS), ...pairs(SHORTHAND)]);

/**
 * Codes of countries that people write in file names for the language spoken there. Some are codes of other languages,
 * which are then written with three letters: Northern Sami `sme`, Breton `bre`.
 */
export const COUNTRY_SUFFIXES: ReadonlyMap<string, string> = new Map(
  pairs('cn zh-cn,tw zh-tw,hk zh-hk,kr ko,se sv,br pt-br'),
);

/** Written names, folded as languages.ts folds them, to tags. */
export const EXTRA_NAMES: ReadonlyMap<string, string> = new Map(pairs(NAMES));

/** English names that the platform lacks. */
export const OWN_NAMES: ReadonlyMap<string, string> = new Map(
  COLLECTIONS.split(',').map((row) => {
    const text = row.trim();
    const cut = text.indexOf(' ');
    return [text.slice(0, cut), text.slice(cut + 1)];
  }),
);
