/**
 * Release names: what `The.Matrix.1999.1080p.BluRay.x264-GRP` says about the file.
 *
 * Used to place files, and to tell which subtitle was made for which release. A guess from text alone: nothing here
 * throws, reads a file or takes more than linear time. Offsets are UTF-16 units into `name` as given.
 */
import { ENDINGS, MAX_TOKENS, PACKAGINGS, WORDS, type ReleaseWord } from './release/words.ts';
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

interface Token {
  text: string;
  start: number;
  end: number;
}
interface Hit {
  from: number;
  to: number;
  word: ReleaseWord;
  /** `5.1` of `DDP5.1`. */
  channels?: string;
}

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

function readRelease(text: string, of: 'any' | 'film'): Release {
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
  const titleEnd = Math.max(titleAt, Math.min(limit, found.wordsAt, yearAt));
  const release: Draft = {
    title: readableTitle(text.slice(titleAt, titleEnd - (isDotted(text, titleAt, titleEnd) ? 1 : 0))),
    hdr: [],
    languages: [],
    flags: [],
    wordsAt: found.wordsAt,
    strong: found.hits.filter(({ word }) => word.strong).length,
  };
  if (year) release.year = year.year;
  if (numbers) release.numbers = numbers;
  for (const { word, channels } of found.hits) {
    take(release, word);
    if (channels !== undefined) release.channels ??= channels;
  }
  const group = trailingGroup(text, found) ?? bracket?.name;
  if (group !== undefined && (release.strong > 0 || bracket?.name !== undefined || numbers)) release.group = group;
  return release;
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

function tokens(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}'’+&]+/gu)].map((match) => ({
    text: match[0].toLowerCase().replaceAll(/['’]/g, ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The release words of a name: strong ones anywhere but first, weak ones only next to or after those. */
function releaseWords(text: string): { hits: Hit[]; wordsAt: number; tokens: Token[] } {
  const all = tokens(text);
  const first = all.findIndex((_, at) => at > 0 && match(all, at, text)?.word.strong === true);
  // A bracketed first word such as "[1080p] Film" still is one, but nothing before it can be a title.
  if (first < 0) return { hits: afterYear(all, text), wordsAt: text.length, tokens: all };
  let start = first;
  for (let back = true; back && start > 1;) {
    back = false;
    for (let size = MAX_TOKENS; size >= 1; size--) {
      const hit = start - size >= 1 ? match(all, start - size, text) : undefined;
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
function afterYear(all: Token[], text: string): Hit[] {
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
const isAbbreviated = (text: string, all: Token[], hit: Hit): boolean =>
  hit.word.strong ||
  hit.word.field === 'edition' ||
  hit.to - hit.from > 1 ||
  (hit.word.field !== 'noise' &&
    text.slice(all[hit.from]?.start, all[hit.to - 1]?.end).toUpperCase() ===
      text.slice(all[hit.from]?.start, all[hit.to - 1]?.end) &&
    /\p{Lu}/u.test(text) &&
    /\p{Ll}/u.test(text));

function collect(all: Token[], from: number, text: string): Hit[] {
  const hits: Hit[] = [];
  for (let at = from; at < all.length;) {
    const hit = match(all, at, text);
    if (hit) hits.push(hit);
    at = hit?.to ?? at + 1;
  }
  return hits;
}

/** The longest word of the table that starts at this token. */
function match(all: Token[], at: number, text: string): Hit | undefined {
  let joined = '';
  let best: Hit | undefined;
  for (let to = at; to < Math.min(all.length, at + MAX_TOKENS); to++) {
    const token = all[to];
    const previous = all[to - 1];
    // Words are joined over a separator or two, never over a longer gap.
    if (!token || (to > at && previous && token.start - previous.end > 2)) break;
    joined += token.text;
    if (joined.length > 30) break;
    const word = WORDS.get(joined) ?? (to === at ? shaped(joined, text, token) : undefined);
    if (word && !(word.field === 'channels' && to === at && /^\d+$/.test(joined)))
      best = { from: at, to: to + 1, word, ...channelsOf(joined, word) };
  }
  return best;
}

function channelsOf(joined: string, word: ReleaseWord): { channels?: string } {
  const digits = word.field === 'audio' ? /([1-7])([0-2])$/.exec(joined) : null;
  return digits ? { channels: `${digits[1]}.${digits[2]}` } : {};
}

/** Words with a number inside that no table lists: picture sizes, `DDP5`, `AAC2`. */
function shaped(word: string, text: string, token: Token): ReleaseWord | undefined {
  const size = /^(\d{3,4})x(\d{3,4})$/.exec(word);
  if (size) {
    const [width, height] = [Number(size[1]), Number(size[2])];
    const value =
      width >= 3800 || height >= 2000
        ? '2160p'
        : width >= 1900 || height >= 1000
          ? '1080p'
          : width >= 1200 || height >= 700
            ? '720p'
            : height >= 560
              ? '576p'
              : '480p';
    return { field: 'resolution', value, strong: true };
  }
  const audio = /^(ddp|dd\+|dd|aac|ac3|eac3|dts|flac|truehd|opus|pcm|lpcm|dtshd|ma|dtsx)[1-7]$/.exec(word)?.[1];
  if (audio === undefined || !/^\.\d/.test(text.slice(token.end, token.end + 2))) return undefined;
  const base = WORDS.get(audio);
  return base && { ...base, value: base.value, strong: true };
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

/** `[Group] Show - 01`: the way fansub groups sign. */
function leadingGroup(text: string): { name?: string; end: number } | undefined {
  const match = /^\s{0,4}(?:[[【]([^\]】]{1,60})[\]】]|\(\d{4}\)|www\.[\w.-]{3,40} {1,3})/i.exec(text);
  if (!match || match[0].length >= text.trimEnd().length) return undefined;
  const name = match[1]?.trim() ?? '';
  // "[1999]" is a year, "[tmdbid-603]" an id, and "[1080p]" a word.
  const isGroup =
    name !== '' && !/^(?:\d{4}$|imdb|tmdb|tvdb)/i.test(name) && WORDS.get(name.toLowerCase())?.strong !== true;
  return isGroup ? { name, end: match[0].length } : { end: match[0].length };
}

/** `-GRP` at the end, before a tag of the site it was taken from. */
function trailingGroup(text: string, found: { tokens: Token[]; wordsAt: number }): string | undefined {
  const signed = /-\[([\p{L}\p{N}][\p{L}\p{N}_.]{0,29})\]$/u.exec(text.slice(-40))?.[1];
  if (signed !== undefined && found.wordsAt < text.length) return signed;
  let end = text.length;
  for (let tags = 0; tags < 3; tags++) {
    const tag = /[\s._-]?\[[^[\]]{1,30}\]$/.exec(text.slice(Math.max(0, end - 40), end));
    if (!tag) break;
    end -= tag[0].length;
  }
  const name = text.slice(0, end);
  const dash = name.lastIndexOf('-');
  if (dash < 0 || dash < found.wordsAt) return undefined;
  const group = name.slice(dash + 1).trim();
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_@.]{0,29}$/u.test(group) || /^\d{1,2}$/.test(group)) return undefined;
  const first = found.tokens.findIndex((token) => token.start >= dash);
  const known = first > 0 ? match(found.tokens, first - 1, text) : undefined;
  // "WEB-DL" and "Blu-ray" hold a dash themselves.
  if (known && known.to > first) return undefined;
  return WORDS.get(group.toLowerCase())?.strong === true ? undefined : group;
}
