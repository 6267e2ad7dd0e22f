/**
 * Release names: what `The.Matrix.1999.1080p.BluRay.x264-GRP` says about the file.
 *
 * Used to place files, and to tell which subtitle was made for which release. A guess from text alone: nothing here
 * throws, reads a file or takes more than linear time. Offsets are UTF-16 units into `name` as given.
 */
import { leadingGroup, trailingGroup } from './release/groups.ts';
import { findWord, type Hit, type NameToken, tokensOf } from './release/tokens.ts';
import { ENDINGS, MAX_TOKENS, PACKAGINGS, type ReleaseField, type ReleaseWord } from './release/words.ts';
import { findNumbers, type EpisodeNumbers } from './release/numbers.ts';

/** Facts parsed from a name. Read-only, because callers that parse the same name share it. */
export interface Release {
  /** The words before the year, the episode number and the first release word, dots and underscores as spaces. */
  readonly title: string;
  readonly year?: number;
  readonly numbers?: EpisodeNumbers;
  /** `2160p`, `1080i`, … */
  readonly resolution?: string;
  /**
   * bluray, remux, web-dl, webrip, web, hdtv, tv, dvd, hddvd, hdrip, cam, telesync, telecine, screener, workprint, vhs,
   * laserdisc.
   */
  readonly source?: string;
  /** h264, h265, h266, av1, vp9, xvid, divx, mpeg2, mpeg4, vc1. */
  readonly codec?: string;
  readonly bitDepth?: number;
  /** hdr, hdr10, hdr10+, dolby vision, hlg, sdr. */
  readonly hdr: readonly string[];
  /** ac3, eac3, aac, dts, dts-hd ma, truehd, truehd atmos, … */
  readonly audio?: string;
  readonly channels?: string;
  readonly group?: string;
  /** The streaming service it was taken from: Netflix, Amazon, … */
  readonly service?: string;
  readonly edition?: string;
  readonly threeD?: string;
  /** Tags of the languages named. */
  readonly languages: readonly string[];
  /** proper, repack, internal, limited, dubbed, subbed, multi, subs, hardsub, hybrid, … */
  readonly flags: readonly string[];
  /** Offset of the first release word; the length of the name (without its extension) if there is none. */
  readonly wordsAt: number;
  /** How many words were certain. Nothing about a name without any is a release. */
  readonly strong: number;
}

type Draft = { -readonly [K in keyof Release]: Release[K] };

const LONGEST_NAME = 1000;
/** Films are older than 1888 nowhere, and a year further off than this is part of a title: Blade Runner 2049. */
export const FIRST_YEAR = 1888;
export const LAST_YEAR = 2039;

/** Takes off a known file ending: `a.b.mkv` is `a.b`, `Mr. Robot` stays. */
export function withoutEnding(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && ENDINGS.has(name.slice(dot + 1).toLowerCase()) ? name.slice(0, dot) : name;
}

/** Reads a release name, with or without a file ending. Only the first 1000 characters are looked at. */
export const parseRelease = (name: string): Release => parseReleaseText(withoutEnding(name.slice(0, LONGEST_NAME)));

/** Number of names of each kind whose result is kept. */
const MAX_KEPT = 256;
/**
 * Results for the names that were parsed last. Placing a file parses its name and that of its folder up to six times,
 * and the files of a folder follow one another.
 */
const kept = { any: new Map<string, Release>(), film: new Map<string, Release>() };

/**
 * Parses a name that has no file ending, such as that of a folder. A film's numbers belong to its title: `4x4 (2019)`.
 */
export function parseReleaseText(name: string, of: 'any' | 'film' = 'any'): Release {
  const text = name.slice(0, LONGEST_NAME);
  const known = kept[of];
  let release = known.get(text);
  if (!release) {
    release = readRelease(text, of);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(text, release);
  }
  return release;
}

function readRelease(whole: string, of: 'any' | 'film'): Release {
  const tags = leadingTags(whole);
  // Blanked, so that offsets stay the same.
  const text = tags === undefined ? whole : ' '.repeat(tags.end) + whole.slice(tags.end);
  const numbers = of === 'film' ? undefined : findNumbers(text);
  const limit = numbers?.start ?? text.length;
  const found = releaseWords(text);
  let bracket = leadingGroup(text);
  const year = findYear(text, Math.min(limit, found.wordsAt));
  // "[REC] (2007)": with nothing else before the year, the text in brackets is the title.
  if (
    bracket?.name !== undefined &&
    readableTitle(text.slice(bracket.end, Math.min(limit, found.wordsAt, year?.start ?? limit))) === ''
  )
    bracket = undefined;
  const titleAt = bracket?.end ?? 0;
  // "(1999) Film": the year comes before the title.
  const yearAt = year && year.start >= titleAt ? year.start : text.length;
  const end = Math.max(titleAt, Math.min(limit, found.wordsAt, yearAt));
  const before = end < text.length ? wordsBefore(found.tokens, { text, from: titleAt, end }) : [];
  const titleEnd = before.reduce((least, { from }) => Math.min(least, found.tokens[from]?.start ?? least), end);
  const release: Draft = {
    title: withoutOpenBracket(
      readableTitle(text.slice(titleAt, titleEnd - (isDotted(text, titleAt, titleEnd) ? 1 : 0))),
    ),
    hdr: [],
    languages: [],
    flags: [],
    wordsAt: found.wordsAt,
    strong: found.hits.filter(({ word }) => word.strong).length,
  };
  if (year) release.year = year.year;
  if (numbers) release.numbers = numbers;
  for (const { word, channels } of [...before, ...found.hits, ...(tags?.hits ?? [])]) {
    take(release, word);
    if (channels !== undefined) release.channels ??= channels;
  }
  const group = trailingGroup(text, found) ?? bracket?.name;
  if (group !== undefined && (release.strong > 0 || bracket?.name !== undefined || numbers)) release.group = group;
  return release;
}

/** `[h265 - HEVC] Film`: brackets of nothing but release words, of which one is certain, in front of a title. */
function leadingTags(text: string): { end: number; hits: Hit[] } | undefined {
  let end = 0;
  const hits: Hit[] = [];
  for (let tags = 0; tags < 4; tags++) {
    const tag =
      /^[\s_.-]{0,3}(?:\[([^[\]]{2,40})\]|\(([^()]{2,40})\)|\{([^{}]{2,40})\}|【([^【】]{2,40})】)[\s_.-]{0,3}/.exec(
        text.slice(end, end + 60),
      );
    const words = tag?.slice(1).find((one) => one !== undefined);
    if (!tag || words === undefined) break;
    const own = onlyReleaseWords(words);
    if (!own) break;
    hits.push(...own);
    end += tag[0].length;
  }
  const isSure = hits.some(({ word }) => word.strong);
  return isSure && /[\p{L}\p{N}]/u.test(text.slice(end)) ? { end, hits } : undefined;
}

/** Returns the release words of a text; undefined if it has others. */
function onlyReleaseWords(text: string): Hit[] | undefined {
  const all = tokensOf(text);
  const hits: Hit[] = [];
  for (let at = 0; at < all.length;) {
    const hit = findWord(all, at, text);
    if (!hit) return undefined;
    hits.push(hit);
    at = hit.to;
  }
  return hits.length === 0 ? undefined : hits;
}

/** Fields of words that may be between a title and the year or the first certain word. */
const BEFORE_YEAR: ReadonlySet<ReleaseField> = new Set(['edition', 'language', 'flag']);
const ARTICLES = new Set(['the', 'a', 'an', 'der', 'die', 'das', 'le', 'la', 'les', 'el', 'il']);

/**
 * Finds the words between a title and what follows it: `Film.EXTENDED.2013`, `Film (Director's Cut) (1999)`,
 * `Film.German.DL.1080p`. A single word is believed in brackets or in capitals, since titles are made of words.
 */
function wordsBefore(all: NameToken[], { text, from, end }: { text: string; from: number; end: number }): Hit[] {
  const first = all.findIndex((token) => token.start >= from);
  let last = all.findLastIndex((token) => token.end <= end);
  const hits: Hit[] = [];
  while (first >= 0 && last > first) {
    const hit = wordEndingAt(all, { first, last, text });
    if (!hit || !BEFORE_YEAR.has(hit.word.field) || !isMark(text, all, hit)) break;
    const rest = all.slice(first, hit.from);
    if (rest.every((token) => ARTICLES.has(token.text))) break;
    hits.unshift(hit);
    last = hit.from - 1;
    // "Film The Final Cut": the article belongs to the cut.
    if (hit.to - hit.from > 1 && last > first && all[last]?.text === 'the') {
      hits[0] = { ...hit, from: last };
      last--;
    }
  }
  return hits;
}

function wordEndingAt(all: NameToken[], at: { first: number; last: number; text: string }): Hit | undefined {
  for (let size = MAX_TOKENS; size >= 1; size--) {
    const hit = at.last - size + 1 > at.first ? findWord(all, at.last - size + 1, at.text) : undefined;
    if (hit?.to === at.last + 1) return hit;
  }
  return undefined;
}

/** Whether a word after a title is written as a mark. */
function isMark(text: string, all: NameToken[], hit: Hit): boolean {
  const [start, end] = [all[hit.from]?.start ?? 0, all[hit.to - 1]?.end ?? 0];
  const isEnclosed = /[([]$/.test(text.slice(0, start)) && /^[)\]]/.test(text.slice(end, end + 1));
  if (isEnclosed || (hit.to - hit.from > 1 && hit.word.field === 'edition')) return true;
  if (hit.word.field === 'language' && findWord(all, hit.to, text)?.word.value === 'multi') return true;
  return isInCapitals(text.slice(start, end)) && /\p{Ll}/u.test(text.slice(0, start));
}

/** `GERMAN`, and `iTALiAN` as groups write it, whose small letters are all an i. */
const isInCapitals = (word: string): boolean => /^[\p{Lu}i]{2,}$/u.test(word) && /\p{Lu}/u.test(word);

/** Cuts a title at a bracket that is not closed: `Film [Multi` of `Film [Multi Sub 1080p]`. */
export function withoutOpenBracket(title: string): string {
  const open: number[] = [];
  for (let at = 0; at < title.length; at++) {
    if ('([{'.includes(title[at] ?? ' ')) open.push(at);
    else if (')]}'.includes(title[at] ?? ' ')) open.pop();
  }
  return open[0] === undefined || open[0] === 0 ? title : trimMarks(title.slice(0, open[0]));
}

/** `고요한 호수.2013`: a dot that parts a title with spaces from what follows. */
const isDotted = (text: string, from: number, to: number): boolean =>
  text[to - 1] === '.' && /[\p{L}\p{N}]/u.test(text[to] ?? '') && text.slice(from, to).includes(' ');

/**
 * Finds the year of a name: in parentheses or brackets first, else the last one that is not the first word. `limit`
 * ends the search.
 */
export function findYear(
  text: string,
  limit = text.length,
): { year: number; start: number; end: number; enclosed: boolean } | undefined {
  let bare: { year: number; start: number; end: number; enclosed: boolean } | undefined;
  let enclosed: typeof bare;
  for (const match of text.matchAll(/(?<![\p{L}\p{N}])(?:18|19|20)\d\d(?![\p{L}\p{N}])/gu)) {
    const year = Number(match[0]);
    if (year < FIRST_YEAR || year > LAST_YEAR) continue;
    const start = match.index;
    const end = start + 4;
    const before = text[start - 1] ?? '';
    const after = text[end] ?? '';
    // "(1999-2003)" names a range of years and is still where the title ends.
    if ('([{'.includes(before || ' ') && (')]}'.includes(after || ' ') || '-–'.includes(after || ' '))) {
      if (start - 1 <= limit || !enclosed) enclosed = { year, start: start - 1, end: end + 1, enclosed: true };
    } else if (start > 0 && start < limit && text.slice(0, start).search(/[\p{L}\p{N}]/u) >= 0)
      bare = { year, start, end, enclosed: false };
  }
  return enclosed ?? bare;
}

/** Dots and underscores as spaces where they stand for spaces; initials keep their dots: `S.W.A.T. 2017`. */
export function readableTitle(text: string): string {
  const isSpaced = /\S\s+\S/.test(text.trim());
  let out = text.replaceAll('_', ' ');
  if (!isSpaced) {
    out = out
      .replaceAll(/(?<![\p{L}\p{N}])(?:\p{Lu}\.){2,}/gu, (initials) => `${initials.replaceAll('.', '\u0000')} `)
      .replaceAll('.', ' ')
      .replaceAll('\u0000', '.');
    if (!/\s/.test(out.trim()) && (out.match(/-/g)?.length ?? 0) >= 2 && /\p{L}/u.test(out))
      out = out.replaceAll('-', ' ');
  }
  return trimMarks(out.replaceAll(/\s+/g, ' '));
}

const EDGE = new Set(' -–—_.,;:+~|)]}');
const TAIL = new Set(' -–—_,;:([{+~|');

/** Takes separators and opening brackets off both ends, in one pass. A closing full stop stays after initials only. */
function trimMarks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && EDGE.has(text[start] ?? '') && !/^\.\p{L}/u.test(text.slice(start, start + 3))) start++;
  while (end > start && TAIL.has(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

/** The release words of a name: strong ones anywhere but first, weak ones only next to or after those. */
function releaseWords(text: string): { hits: Hit[]; wordsAt: number; tokens: NameToken[] } {
  const all = tokensOf(text);
  const first = all.findIndex((_, at) => at > 0 && findWord(all, at, text)?.word.strong === true);
  // A bracketed first word such as "[1080p] Film" still is one, but nothing before it can be a title.
  if (first < 0) return { hits: afterYear(all, text), wordsAt: text.length, tokens: all };
  let start = first;
  for (let back = true; back && start > 1;) {
    back = false;
    for (let size = MAX_TOKENS; size >= 1; size--) {
      const hit = start - size >= 1 ? findWord(all, start - size, text) : undefined;
      if (hit && hit.to === start && isAbbreviated(text, all, hit)) {
        start -= size;
        back = true;
        break;
      }
    }
  }
  // Between the year and the first certain word no title is left, so weak words count there in any case.
  const year = findYear(text, all[start]?.start);
  const afterIt = year ? all.findIndex((token) => token.start >= year.end) : -1;
  const hits = collect(all, afterIt > 0 ? Math.min(afterIt, start) : start, text);
  return { hits, wordsAt: all[hits[0]?.from ?? start]?.start ?? text.length, tokens: all };
}

/** Finds the edition in words after the year when there is no certain word: `Alien (1979) Director's Cut`. */
function afterYear(all: NameToken[], text: string): Hit[] {
  const year = findYear(text);
  if (!year) return [];
  const from = all.findIndex((token) => token.start >= year.end);
  return from < 0
    ? []
    : collect(all, from, text).filter(
        ({ word }) => word.field === 'edition' || word.field === 'threeD' || word.field === 'flag',
      );
}

/** Before the first certain word only a few weak words are believed, since titles are made of words. */
const isAbbreviated = (text: string, all: NameToken[], hit: Hit): boolean =>
  hit.word.strong ||
  hit.word.field === 'edition' ||
  hit.to - hit.from > 1 ||
  (hit.word.field !== 'noise' &&
    isInScene(text.slice(all[hit.from]?.start, all[hit.to - 1]?.end)) &&
    /\p{Lu}/u.test(text) &&
    /\p{Ll}/u.test(text));

/** Whether a word has no small letter but an i, as groups write it. */
const isInScene = (word: string): boolean => !/(?!i)\p{Ll}/u.test(word);

function collect(all: NameToken[], from: number, text: string): Hit[] {
  const hits: Hit[] = [];
  for (let at = from; at < all.length;) {
    const hit = findWord(all, at, text);
    if (hit) hits.push(hit);
    at = hit?.to ?? at + 1;
  }
  return hits;
}

function take(release: Draft, { field, value }: ReleaseWord): void {
  if (field === 'hdr') release.hdr = [...new Set([...release.hdr, value])];
  else if (field === 'language') release.languages = [...new Set([...release.languages, value])];
  else if (field === 'flag') release.flags = [...new Set([...release.flags, value])];
  else if (field === 'depth') release.bitDepth ??= Number(value);
  else if (field === 'audio') takeAudio(release, value);
  else if (field === 'source')
    release.source =
      value === 'remux' || release.source === undefined || release.source === 'web' ? value : release.source;
  else if (field === 'service' && value === 'Movies Anywhere' && release.audio?.startsWith('dts'))
    release.audio = 'dts-hd ma';
  // In `Remastered Extended` the cut is the edition.
  else if (field === 'edition')
    release.edition =
      release.edition === undefined || (PACKAGINGS.has(release.edition) && !PACKAGINGS.has(value))
        ? value
        : release.edition;
  else if (field !== 'noise') release[field] ??= value;
}

function takeAudio(release: Draft, value: string): void {
  if (value === 'dual') release.flags = [...new Set([...release.flags, 'multi'])];
  else if (value === 'atmos')
    release.audio =
      release.audio === undefined
        ? 'atmos'
        : release.audio.includes('atmos')
          ? release.audio
          : `${release.audio} atmos`;
  else if (value === 'ma') {
    if (release.audio?.startsWith('dts')) release.audio = 'dts-hd ma';
  } else release.audio ??= value;
}
