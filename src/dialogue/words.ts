/**
 * Words of spoken lines, as the index stores and searches them. Pure.
 *
 * Words are folded: no case, no diacritics. Scripts without spaces (Chinese, Japanese, Thai and others) are split into
 * single characters, so a phrase in them is a sequence of characters.
 */

export interface Word {
  /** Folded text: letters and digits only. */
  text: string;
  /** Position in the line, in UTF-16 code units. */
  start: number;
  end: number;
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const DENSE_CHARACTERS = new RegExp(`${DENSE.source}\\p{M}*|(?:(?!${DENSE.source})[\\s\\S])+`, 'gu');
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
/** Marks that change a word in these scripts, so they are kept: vowels of Indic scripts. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
const MAX_WORD_LENGTH = 48;
/** An apostrophe before so many letters separates two words: `l'amour`, but not `don't`. */
const MIN_AFTER_APOSTROPHE = 3;

/** Returns a text in lower case without accents. */
export function foldSpoken(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return foldLetters(text);
  return text.toLowerCase();
}

const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[øœæßłđðþı]/g, (letter) => LETTERS[letter] ?? letter);

/** Returns the words of a line in order. */
export function spokenWords(line: string): Word[] {
  const words: Word[] = [];
  for (const match of line.matchAll(WORDS)) {
    if (DENSE.test(match[0])) {
      for (const one of match[0].matchAll(DENSE_CHARACTERS)) add(words, one[0], match.index + one.index);
      continue;
    }
    let from = 0;
    for (let at = apostrophe(match[0], 0); at >= 0; at = apostrophe(match[0], at + 1)) {
      if (restOf(match[0], at) < MIN_AFTER_APOSTROPHE) continue;
      add(words, match[0].slice(from, at), match.index + from);
      from = at + 1;
    }
    add(words, match[0].slice(from), match.index + from);
  }
  return words;
}

const apostrophe = (text: string, from: number): number => {
  for (let i = from; i < text.length; i++) if (text[i] === "'" || text[i] === '’') return i;
  return -1;
};
/** Returns the number of characters between an apostrophe and the next one. */
const restOf = (text: string, at: number): number => {
  const next = apostrophe(text, at + 1);
  return (next < 0 ? text.length : next) - at - 1;
};

function add(words: Word[], text: string, start: number): void {
  const folded = foldSpoken(text)
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')
    .slice(0, MAX_WORD_LENGTH);
  if (folded !== '') words.push({ text: folded, start, end: start + text.length });
}

/** Separates the two words of a pair. Words hold letters, digits and marks only. */
const PAIR = '_';
const pairOf = (first: string, second: string): string => `${PAIR}${first}${PAIR}${second}`;

/** Lengths of the beginnings of a second word that are tokens. Longer ones are few enough to be expanded. */
const PAIR_BEGINNINGS = [1, 2] as const;
/** Length of the beginning of a single word that is a token. */
const WORD_BEGINNING = 3;

/** Returns the token of all words with a beginning. A word has no PAIR in it, so no word is equal to it. */
const beginningOf = (token: string): string => `${token}${PAIR}`;

/**
 * Returns the tokens of a passage: each word, each pair of neighbouring words, and short beginnings of the word and of
 * the second word. Searching for a short beginning by its expansion would read thousands of lists.
 */
export function indexTokens(words: readonly string[]): Set<string> {
  const tokens = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    tokens.add(word);
    if (word.length >= WORD_BEGINNING) tokens.add(beginningOf(word.slice(0, WORD_BEGINNING)));
    if (i === 0) continue;
    const previous = words[i - 1] as string;
    tokens.add(pairOf(previous, word));
    for (const length of PAIR_BEGINNINGS)
      if (word.length >= length) tokens.add(beginningOf(pairOf(previous, word.slice(0, length))));
  }
  return tokens;
}

/** A phrase as someone typed it. */
export interface Phrase {
  words: readonly string[];
  /** Whether the last word may be the beginning of a longer one. */
  isLastPrefix: boolean;
  /** Whether the words were in quotation marks, so that they have to follow each other. */
  isQuoted: boolean;
}

/** Maximum number of words of a phrase; further ones are ignored. */
export const MAX_PHRASE_WORDS = 16;
/** A single shorter word is not completed: nearly every passage has a word with such a beginning. */
const MIN_PREFIX = 3;
const QUOTES = /^\s*["“”„«»](.*?)["“”„«»]?\s*$/su;

/** Parses the words of a search. A text without a letter or digit has no words. */
export function parsePhrase(asked: string): Phrase {
  const quoted = QUOTES.exec(asked);
  const words = spokenWords(quoted?.[1] ?? asked)
    .slice(0, MAX_PHRASE_WORDS)
    .map(({ text }) => text);
  const last = words.at(-1) ?? '';
  // A space after the last word says that it is complete.
  const isLong = words.length > 1 || last.length >= MIN_PREFIX;
  const isLastPrefix = !quoted && !/\s$/.test(asked) && !DENSE.test(last) && isLong;
  return { words, isLastPrefix, isQuoted: quoted !== null || words.some((word) => DENSE.test(word)) };
}

/** Returns a query for passages with these words next to each other. */
export function phraseQuery({ words, isLastPrefix }: Phrase): string {
  if (words.length === 1) return allOf(words, isLastPrefix ? WORD_BEGINNING : undefined);
  const pairs = words.slice(1).map((word, i) => pairOf(words[i] as string, word));
  return allOf(pairs, isLastPrefix ? pairOf(words.at(-2) ?? '', '').length + PAIR_BEGINNINGS.length : undefined);
}

/** Returns a query for passages with all these words, in any order. */
export const wordsQuery = ({ words, isLastPrefix }: Phrase): string =>
  allOf(words, isLastPrefix && (words.at(-1) ?? '').length >= MIN_PREFIX ? WORD_BEGINNING : undefined);

/** Returns a query for all tokens. The last one is a beginning, which is a token itself up to a length. */
function allOf(tokens: readonly string[], beginning: number | undefined): string {
  const [last = ''] = tokens.slice(-1);
  const end = beginning === undefined ? `"${last}"` : last.length > beginning ? `"${last}"*` : `"${beginningOf(last)}"`;
  return [...tokens.slice(0, -1).map((token) => `"${token}"`), end].join(' AND ');
}
