/**
 * A release name as subtitle sites write it: the parts that say whether two names are of the same release, and which
 * cut of a film or episode that is. Pure, linear in the name.
 *
 * In addition to what every release name has, theirs carry the language of the text (`-GRP.en.hi`), words of whoever
 * posted it again (`-GRP-xpost`), only the second half of the name (`1080p.BluRay.x264-GRP`) or nothing but the group.
 */
import { foldName, parseLanguage } from '../../lib/languages.ts';
import { parseReleaseText, withoutEnding, type Release } from '../../lib/release-name.ts';
import { PACKAGINGS, WORDS } from '../../lib/release/words.ts';
import type { Ask } from '../providers/provider.ts';

export interface ReleaseName extends Pick<Release, 'title' | 'year' | 'resolution' | 'codec' | 'service' | 'strong'> {
  /** Lowercase, one spelling for each. */
  group?: string;
  /** Sources whose timing is the same have the same name, since they come from the same master. */
  source?: string;
  /** `Extended`, `Director's Cut`, …: only what changes the length. Left out: as it was shown. */
  cut?: string;
  /** Everything of the name that tells releases apart, folded. */
  whole: string;
  /** Folded words after the title. */
  words: ReadonlySet<string>;
}

const LONGEST = 512;
const MOST_SUFFIXES = 4;

export function readRelease(name: string, kind: Ask['kind']): ReleaseName {
  const text = withoutSuffixes(withoutEnding(name.slice(0, LONGEST)));
  const of = kind === 'movie' ? 'film' : 'any';
  // A name that begins with a word of releases may have no title; with something before it that is seen.
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
    title: isHeadless ? '' : kind === 'movie' ? release.title : release.title.replace(PLACE, ''),
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

/** `Show S02`, `Show S01-S10`, `Show - 07`: the place in the show, where it is no part of what it is called. */
const PLACE = /(?: S\d{1,2}(?:[- ]{1,3}S?\d{1,2})?| Season \d{1,2}| - \d{1,4}(?:v\d)?)$/i;

/** Words after the release: the language of the text, its kind, and who posted it again. */
const SORTS = new Set(['sdh', 'hi', 'cc', 'forced', 'nonhi', 'nohi', 'full', 'default', 'srt', 'ass', 'vtt']);
const POSTED = new Set([
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
  for (let n = 0; n < MOST_SUFFIXES; n++) {
    const cut = Math.max(text.lastIndexOf('.'), text.lastIndexOf('-'), text.lastIndexOf('_'), text.lastIndexOf(' '));
    const last = text.slice(cut + 1).toLowerCase();
    // A dash is the sign of a group, whatever it is called.
    const isDashed = text[cut] === '-';
    const isSuffix =
      POSTED.has(last) ||
      (!isDashed &&
        (SORTS.has(last) ||
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

/** Groups that have a dash in their own name, by what an ordinary reading leaves of it. */
const DASHED: Readonly<Record<string, string>> = { z0n3: 'd-z0n3', bb: 'fight-bb', hone: 'weasley-hone' };
const SUM = /^[0-9a-f]{8}$/i;

function groupOf(text: string, release: Release): string | undefined {
  const found = (release.group ?? (release.strong > 0 ? enclosed(text) : undefined))?.toLowerCase();
  if (found === undefined) return undefined;
  const whole = DASHED[found];
  if (whole !== undefined && text.toLowerCase().endsWith(`-${whole}`)) return whole;
  return /^(?:yts(?:\.[a-z]{2})?|yify)$/.test(found) ? 'yify' : found;
}

/** `… [YTS.MX]`, `… (1080p BluRay x265 Tigole)`: signed at the end in brackets, with no dash before it. */
function enclosed(text: string): string | undefined {
  const signed = /(?:[[ ])([\p{L}\p{N}][\p{L}\p{N}.]{1,19})[\])]$/u.exec(text.trimEnd().slice(-24))?.[1];
  if (signed === undefined || !/\p{L}/u.test(signed) || SUM.test(signed)) return undefined;
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

/** Whether a name without a signature names that group all the same: `WEB-DL AMZN NTb`, `YIFY`. */
export const mentions = ({ words, strong, whole }: ReleaseName, group: string): boolean =>
  group.length >= 3 &&
  !WORDS.has(group) &&
  (strong > 0
    ? words.has(foldName(group))
    : whole === foldName(group) || (group === 'yify' && whole.startsWith('yts')));
