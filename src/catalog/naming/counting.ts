/**
 * Finds the number by which a name counts an episode without a word for it: `Show - 012`, `03 - Name`.
 *
 * A name may hold several numbers, and one of them may belong to the title: `86 - 01`, `91 Days 05`. The episode is
 * chosen by how each is written, by the title that the folder states, and by the names next to it: a number that counts
 * from name to name is the episode, one that stays the same is part of the title.
 */
import { parseReleaseText } from '../../lib/release-name.ts';
import { blankNoise } from '../../lib/release/noise.ts';
import { findSeason } from '../../lib/release/numbers.ts';
import { fold } from './text.ts';

export interface CountedNumber {
  number: number;
  /** The last one of `313-314`. */
  numberEnd?: number;
  /** Whether it is between two episodes, as `10.5` is. */
  isBetween: boolean;
  /** The season before it: `S2 - 05`. */
  season?: number;
  start: number;
  end: number;
  /** How it is separated from the words before it. */
  after: 'nothing' | 'dash' | 'bracket' | 'title';
}

interface Candidate extends CountedNumber {
  score: number;
  /** The folded text before it, which names that are counted alike share. */
  key: string;
}

/** Numbers that have the same text before them in the names of a folder. */
export interface AlikeNumbers {
  numbers: ReadonlySet<number>;
  /** How many names have one. */
  names: number;
}
/** The numbers of a folder's names, by the folded text before each. */
export type CountedNumbers = ReadonlyMap<string, AlikeNumbers>;

const NUMBER =
  /(?<![\p{L}\p{N}])#?(\d{1,4})(?:([-–+&~]| [&+] )(\d{1,4})(?!\d))?(\.\d(?![\p{L}\p{N}.]))?(?:v\d)?(?:end|[ ._]?(?:end|fin|完)(?=[ ._]?(?:[[(\])】]|$)))?(?![\p{L}\p{N}])/giu;
/** `9-1-1`: a title, not a range. */
const CHAIN = /(?<![\p{L}\p{N}])\d{1,4}(?:-\d{1,4}){2,8}(?![\p{L}\p{N}])/gu;
const GROUP = /^\s{0,3}[[【](?!\d{1,3}(?:\.\d)?(?:v\d)?[\]】])[^\]】]{1,60}[\]】]\s{0,3}/;
/** A word before a number that is then no episode: `Part 2`. */
const PART_BEFORE = /(?<!\p{L})(?:part|pt|teil|chapter|kapitel|vol|volume|cd|dis[ck]|dvd|movie)[ ._-]{0,2}$/iu;
const HEIGHTS: ReadonlySet<number> = new Set([480, 540, 576, 720, 1080, 1440, 2160]);
const FIRST_YEAR = 1888;
const LAST_YEAR = 2039;
const MAX_CANDIDATES = 8;
const MAX_RANGE = 30;

/** How surely a number is the episode by the way it is written. The gaps leave room for evidence from other names. */
const SCORES = {
  dashThenEnd: 100,
  inBrackets: 90,
  frontThenDash: 80,
  front: 60,
  dashThenWord: 60,
  last: 58,
  inTitle: 40,
  frontGlued: 30,
  gluedBefore: 20,
  padded: 20,
  afterSeason: 60,
  height: -40,
  counts: 100,
  constant: -60,
} as const;

/** Returns whether a name begins with the name of a group in brackets, as fansub groups sign. */
export const isSigned = (text: string): boolean => GROUP.test(text);

/** Returns the numbers that may count the episode, each with its score from its own name alone. */
function candidatesOf(name: string, season: { start: number; end: number } | undefined): Candidate[] {
  const text = blankNoise(name).replaceAll(CHAIN, (chain) => 'x'.repeat(chain.length));
  const front = GROUP.exec(text)?.[0].length ?? 0;
  const limit = Math.max(parseReleaseText(name).wordsAt, front);
  const found: Candidate[] = [];
  for (const match of text.matchAll(NUMBER)) {
    if (found.length >= MAX_CANDIDATES) break;
    for (const one of numbersOf(match)) {
      const before = text.slice(Math.max(front, one.start - 12), one.start);
      const isBracketed = /[[【({]$/.test(before) && /^[\]】)}]/.test(text.slice(one.end, one.end + 1));
      const isInSeason = season !== undefined && one.start < season.end && one.end > season.start;
      if (one.start < front || (one.start >= limit && !isBracketed) || isInSeason || PART_BEFORE.test(before)) continue;
      if (/[([]$/.test(before) && !isBracketed) continue;
      const isYear = one.number >= FIRST_YEAR && one.number <= LAST_YEAR;
      if (isYear && (front === 0 || isBracketed)) continue;
      const shape = shapeOf(text.slice(0, limit), one, { before, isFront: one.start === front, isBracketed });
      const padding = /^#?0\d/.test(text.slice(one.start, one.end)) ? SCORES.padded : 0;
      const height = HEIGHTS.has(one.number) ? SCORES.height : 0;
      const near = season !== undefined && /^[ ._)\]-]{0,4}$/.test(text.slice(season.end, one.start));
      const score = shape.score + padding + height + (near ? SCORES.afterSeason : 0);
      found.push({ ...one, after: shape.after, score, key: fold(name.slice(0, one.start)) });
    }
  }
  return found;
}

type Range = Pick<CountedNumber, 'number' | 'numberEnd' | 'season' | 'isBetween' | 'start' | 'end'>;

/** Splits what the pattern matched: `01-02` is a range, `24-7` are two numbers. */
function numbersOf(match: RegExpExecArray): Range[] {
  const [all, first = '', between = '', second] = match;
  const start = match.index;
  const end = start + all.length;
  const [from, to] = [Number(first), Number(second)];
  if (second === undefined) return [{ number: from, isBetween: match[4] !== undefined, start, end }];
  // "1-02" is the second episode of the first season.
  if (between === '-' && first.length === 1 && /^0\d$/.test(second))
    return [{ number: to, season: from, isBetween: false, start, end }];
  if (to > from && to - from <= MAX_RANGE) return [{ number: from, numberEnd: to, isBetween: false, start, end }];
  const split = start + all.indexOf(first) + first.length;
  return [
    { number: from, isBetween: false, start, end: split },
    { number: to, isBetween: match[4] !== undefined, start: split + between.length, end },
  ];
}

function shapeOf(
  text: string,
  { end }: Pick<Range, 'end'>,
  { before, isFront, isBracketed }: { before: string; isFront: boolean; isBracketed: boolean },
): { score: number; after: CountedNumber['after'] } {
  if (isBracketed) return { score: SCORES.inBrackets, after: 'bracket' };
  const next = text.slice(end, end + 4);
  const rest = text.slice(end);
  const bracket = rest.search(/[[(【]/);
  const isLast = !/[\p{L}\p{N}]/u.test(bracket < 0 ? rest : rest.slice(0, bracket));
  const isDashNext = /^[ ._]{0,2}[-–]/.test(next) && !/^[-–]\p{L}/u.test(next);
  if (isFront)
    return {
      score: /^[-–]\p{L}/u.test(next)
        ? SCORES.frontGlued
        : isDashNext || isLast || /^\. ?/.test(next)
          ? SCORES.frontThenDash
          : SCORES.front,
      after: 'nothing',
    };
  if (/[ ._)\]][-–][ ._]{0,2}$/.test(before))
    return { score: isLast || isDashNext ? SCORES.dashThenEnd : SCORES.dashThenWord, after: 'dash' };
  if (/[\p{L}\p{N}][-–]$/u.test(before)) return { score: SCORES.gluedBefore, after: 'dash' };
  if (/[-–][ ._]{0,2}$/.test(before)) return { score: SCORES.dashThenWord, after: 'dash' };
  return { score: isLast ? SCORES.last : SCORES.inTitle, after: 'title' };
}

/** Collects the numbers of all names of a folder, by the text before each. */
export function countNumbers(names: readonly string[]): CountedNumbers {
  const counted = new Map<string, { numbers: Set<number>; names: number }>();
  for (const name of names)
    for (const { key, number } of candidatesOf(name, findSeason(name))) {
      const alike = counted.get(key) ?? { numbers: new Set<number>(), names: 0 };
      alike.numbers.add(number);
      alike.names++;
      counted.set(key, alike);
    }
  return counted;
}

/** Returns what the names next to it say about a number: it counts from name to name, or it is in all of them. */
function evidenceOf({ numbers, names }: AlikeNumbers): number {
  for (const number of numbers) if (numbers.has(number + 1)) return SCORES.counts;
  return names > 1 && numbers.size === 1 ? SCORES.constant : 0;
}

export interface CountingEvidence {
  /** The numbers of the names next to it. */
  counted: CountedNumbers;
  /** The folded title that the folder states; numbers in it count nothing. */
  title: string | undefined;
}

/**
 * Returns the number by which a name counts its episode, and how many names next to it have another one in its place;
 * undefined if it has none.
 */
export function countedNumber(
  name: string,
  { counted, title }: CountingEvidence,
): (CountedNumber & { together: number }) | undefined {
  const titleEnd = endOfTitle(name, title);
  const found = findSeason(name);
  // "Series 7" may be the title.
  const season = found && found.start >= titleEnd ? found : undefined;
  let best: (Candidate & { together: number }) | undefined;
  for (const one of candidatesOf(name, season)) {
    if (one.start < titleEnd) continue;
    const alike = counted.get(one.key);
    const score = one.score + (alike ? evidenceOf(alike) : 0);
    if (best === undefined || score > best.score) best = { ...one, score, together: alike?.numbers.size ?? 0 };
  }
  if (!best) return undefined;
  const { score: _score, key: _key, ...number } = best;
  const isAfterSeason = season?.season !== undefined && season.start < number.start;
  return { ...number, ...(isAfterSeason && { season: season.season }) };
}

/** Returns where the title of the folder ends in a name that begins with it; 0 if it does not. */
export function endOfTitle(name: string, title: string | undefined): number {
  if (title === undefined || title === '') return 0;
  const front = GROUP.exec(name)?.[0].length ?? 0;
  const wanted = title.split(' ');
  const pieces = name.slice(front).matchAll(/[\p{L}\p{N}\p{M}'’&]+/gu);
  let [at, end] = [0, 0];
  for (const piece of pieces) {
    for (const word of fold(piece[0]).split(' ')) if (word !== wanted[at++]) return 0;
    end = front + piece.index + piece[0].length;
    if (at >= wanted.length) return at === wanted.length ? end : 0;
  }
  return 0;
}
