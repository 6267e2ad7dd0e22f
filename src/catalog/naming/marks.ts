/** Marks in the names of episodes that are no plain number: specials, `1 of 6`, `Part 2`. */
import { blankNoise } from '../../lib/release/noise.ts';
import { parseReleaseText } from '../../lib/release-name.ts';

export interface FoundMark {
  /** Undefined for a special without a number. */
  number?: number;
  start: number;
  end: number;
}
export interface FoundSpecial extends FoundMark {
  /** `sp`, `ova`, `movie`: specials that are counted separately. */
  series: string;
}

const SPECIAL =
  /(?<![\p{L}\p{N}])(?:s\d{1,2})?(sp|specials?|ovas?|oad|oav|ona|movie|スペシャル|番外編)(?:[ ._)\]-]{0,4}(?:ep(?:isode)?[ ._]?)?#?(\d{1,3})(?:v\d)?)?(?![\p{L}\p{N}])/giu;
const ONE_OF =
  /(?<![\p{L}\p{N}])(?:(?:part|pt|episode|ep|teil|chapter)[ ._]{0,2})?(\d{1,3})[ ._]?of[ ._]?(\d{1,3})(?![\p{L}\p{N}])/giu;
const WORDED = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'];
const PART_NUMBER = ['\\d{1,3}', ...ROMAN.toReversed(), ...WORDED].join('|');
const PART = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:part|pt|teil|chapter|kapitel|partie|parte|del)[ ._-]{0,2}(${PART_NUMBER})(?![\\p{L}\\p{N}])`,
  'giu',
);

const oneName = (word: string): string => {
  const lower = word.toLowerCase();
  return /^(?:specials?|sp|スペシャル|番外編)$/.test(lower) ? 'sp' : /^(?:ovas?|oav|oad)$/.test(lower) ? 'ova' : lower;
};

/**
 * Finds the mark of a special: `SP01`, `OVA 2`, or at the end of a name without a number. `from` is where the title
 * ends, which may hold such a word.
 */
export function findSpecial(name: string, from: number): FoundSpecial | undefined {
  const text = blankNoise(name);
  const limit = parseReleaseText(name).wordsAt;
  for (const match of text.matchAll(SPECIAL)) {
    const [all, word = '', digits] = match;
    const [start, end] = [match.index, match.index + all.length];
    if (start < from) continue;
    const series = oneName(word);
    // "(ONA)" says how a whole show was first published.
    const isTag = text[start - 1] === '(' && text[end] === ')';
    if (digits !== undefined) return { series, number: Number(digits), start, end };
    const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, start).replace(/^\s{0,3}[[【][^\]】]{1,60}[\]】]/, ''));
    const isLast = !/^[ ._-]{0,4}[\p{L}\p{N}]/u.test(text.slice(end, Math.min(limit, end + 8)));
    // "Special Edition" is a release word.
    if (!isTag && !isFirst && isLast && start < limit) return { series, start, end };
  }
  return undefined;
}

/** Finds `1 of 6`, `Part 2 of 6`, `1of11` after the title. */
export function findOneOf(name: string, from: number): FoundMark | undefined {
  for (const match of blankNoise(name).matchAll(ONE_OF)) {
    const [number, total] = [Number(match[1]), Number(match[2])];
    if (match.index >= from && number >= 1 && number <= total)
      return { number, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

/** Finds `Part 2`, `Pt. II`, `Part Two` after the title. */
export function findPartWord(name: string, from: number): FoundMark | undefined {
  for (const match of blankNoise(name).matchAll(PART)) {
    const word = match[1]?.toLowerCase() ?? '';
    const number = /^\d/.test(word) ? Number(word) : Math.max(WORDED.indexOf(word), ROMAN.indexOf(word)) + 1;
    if (match.index >= from && number > 0) return { number, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}
