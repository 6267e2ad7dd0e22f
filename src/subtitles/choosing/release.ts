/**
 * Parses release names as subtitle sites write them: the parts that decide whether two names are of the same release,
 * and of the same cut of a film or episode. Pure, linear in the name.
 *
 * Such names can also contain the language of the text (`-GRP.en.hi`), words of a reposter (`-GRP-xpost`), only the
 * second half of the name (`1080p.BluRay.x264-GRP`) or only the group.
 */
import { foldName, parseLanguage } from '../../lib/languages.ts';
import { parseReleaseText, withoutEnding, type Release } from '../../lib/release-name.ts';
import { PACKAGINGS, WORDS } from '../../lib/release/words.ts';
import type { ProviderQuery } from '../providers/provider.ts';

export interface ReleaseName extends Pick<Release, 'title' | 'year' | 'resolution' | 'codec' | 'service' | 'strong'> {
  /** Lowercase, one spelling for each. */
  group?: string;
  /** Sources with the same timing have the same name, because they come from the same master. */
  source?: string;
  /**
   * Edition that changes the length, such as `Extended` or `Director's Cut`. Missing for the version as first shown.
   */
  cut?: string;
  /** The whole name, folded, without suffixes that do not distinguish releases. */
  whole: string;
  /** Folded words after the title. */
  words: ReadonlySet<string>;
}

const MAX_NAME_LENGTH = 512;
const MAX_SUFFIXES = 4;

export function readRelease(name: string, kind: ProviderQuery['kind']): ReleaseName {
  const text = withoutSuffixes(withoutEnding(name.slice(0, MAX_NAME_LENGTH)));
  const of = kind === 'movie' ? 'film' : 'any';
  // A name that begins with a release word may have no title. A placeholder before it shows whether that is so.
  const headless = WORDS.has(/^[\p{L}\p{N}]+/u.exec(text)?.[0].toLowerCase() ?? '')
    ? parseReleaseText(`x ${text}`, of)
    : undefined;
  const isHeadless = headless?.wordsAt === 2;
  const release = headless && isHeadless ? headless : parseReleaseText(text, of);
  const { year, resolution, codec, service, strong } = release;
  const group = groupOf(text, release);
  const source = family(release.source);
  const cut = cutOf(release.edition);
  const after = isHeadless
    ? text
    : text.slice(release.numbers?.end ?? (year === undefined ? release.wordsAt : text.lastIndexOf(String(year)) + 4));
  return {
    title: isHeadless ? '' : kind === 'movie' ? release.title : release.title.replace(PLACE_IN_SHOW, ''),
    strong,
    whole: foldName(text),
    words: new Set(foldName(after === '' ? text : after).split(' ')),
    ...(year !== undefined && { year }),
    ...(resolution !== undefined && { resolution }),
    ...(codec !== undefined && { codec }),
    ...(service !== undefined && { service }),
    ...(group !== undefined && { group }),
    ...(source !== undefined && { source }),
    ...(cut !== undefined && { cut }),
  };
}

/**
 * The season or episode in a title, such as `Show S02`, `Show S01-S10` or `Show - 07`, which is not part of the show's
 * title.
 */
const PLACE_IN_SHOW = /(?: S\d{1,2}(?:[- ]{1,3}S?\d{1,2})?| Season \d{1,2}| - \d{1,4}(?:v\d)?)$/i;

/** Suffixes after the release: the kind of subtitle, and words of a reposter. */
const KIND_SUFFIXES = new Set(['sdh', 'hi', 'cc', 'forced', 'nonhi', 'nohi', 'full', 'default', 'srt', 'ass', 'vtt']);
const REPOST_SUFFIXES = new Set([
  'obfuscated',
  'obfuscation',
  'scrambled',
  'xpost',
  'postbot',
  'rakuv',
  'rakuv02',
  'rakuvfinhel',
  'whiterev',
  'buymore',
  'asrequested',
  'alternativetorequested',
  'gerov',
  'chamele0n',
  '4p',
  '4planet',
  'nzbgeek',
  'sample',
  'cht',
  'chs',
]);

function withoutSuffixes(name: string): string {
  let text =
    /[._ ][a-z]{2}-[a-z]{2}$/i.test(name) && parseLanguage(name.slice(-5)) !== undefined ? name.slice(0, -6) : name;
  for (let n = 0; n < MAX_SUFFIXES; n++) {
    const cut = Math.max(text.lastIndexOf('.'), text.lastIndexOf('-'), text.lastIndexOf('_'), text.lastIndexOf(' '));
    const last = text.slice(cut + 1).toLowerCase();
    // A word after a dash is a group, whatever it is called.
    const isDashed = text[cut] === '-';
    const isSuffix =
      REPOST_SUFFIXES.has(last) ||
      (!isDashed &&
        (KIND_SUFFIXES.has(last) ||
          /^track\d{1,2}$/.test(last) ||
          (last.length <= 3 && parseLanguage(last) !== undefined && WORDS.get(last)?.strong !== true) ||
          LANGUAGES.has(last)));
    if (cut <= 0 || !isSuffix) return text;
    text = text.slice(0, cut);
  }
  return text;
}
const LANGUAGES = new Set([
  'english',
  'french',
  'german',
  'spanish',
  'italian',
  'portuguese',
  'dutch',
  'swedish',
  'danish',
  'norwegian',
  'finnish',
  'polish',
  'arabic',
  'turkish',
  'greek',
  'hebrew',
  'brazilian',
]);

/** Groups with a dash in their name, by the part that ordinary parsing returns. */
const GROUPS_WITH_DASH: Readonly<Record<string, string>> = { z0n3: 'd-z0n3', bb: 'fight-bb', hone: 'weasley-hone' };
const CHECKSUM = /^[0-9a-f]{8}$/i;

function groupOf(text: string, release: Release): string | undefined {
  const found = (release.group ?? (release.strong > 0 ? enclosed(text) : undefined))?.toLowerCase();
  if (found === undefined) return undefined;
  const whole = GROUPS_WITH_DASH[found];
  if (whole !== undefined && text.toLowerCase().endsWith(`-${whole}`)) return whole;
  return /^(?:yts(?:\.[a-z]{2})?|yify)$/.test(found) ? 'yify' : found;
}

/** Returns a group in brackets at the end of a name without a dash: `… [YTS.MX]`, `… (1080p BluRay x265 Tigole)`. */
function enclosed(text: string): string | undefined {
  const signed = /(?:[[ ])([\p{L}\p{N}][\p{L}\p{N}.]{1,19})[\])]$/u.exec(text.trimEnd().slice(-24))?.[1];
  if (signed === undefined || !/\p{L}/u.test(signed) || CHECKSUM.test(signed)) return undefined;
  return signed
    .toLowerCase()
    .split('.')
    .some((part) => WORDS.has(part)) || WORDS.has(signed.toLowerCase().replaceAll('.', ''))
    ? undefined
    : signed;
}

const SOURCES: Readonly<Record<string, string>> = { remux: 'bluray', webrip: 'web', 'web-dl': 'web', hddvd: 'bluray' };
const family = (source: string | undefined): string | undefined =>
  source === undefined ? undefined : (SOURCES[source] ?? source);

const cutOf = (edition: string | undefined): string | undefined =>
  edition === undefined || edition === 'Theatrical' || PACKAGINGS.has(edition) ? undefined : edition;

/** Whether a name without a group suffix mentions a group: `WEB-DL AMZN NTb`, `YIFY`. */
export const mentionsGroup = ({ words, strong, whole }: ReleaseName, group: string): boolean =>
  group.length >= 3 &&
  !WORDS.has(group) &&
  (strong > 0
    ? words.has(foldName(group))
    : whole === foldName(group) || (group === 'yify' && whole.startsWith('yts')));
