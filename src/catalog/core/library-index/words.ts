/**
 * Words of titles, and the search for them by their beginning and with up to two typing mistakes.
 *
 * Titles are folded (case, diacritics) and split into words; text in scripts without spaces is split into pairs of
 * characters. The index holds each different word once, so a mistake is searched for among some ten thousand words and
 * not among all titles.
 */

/** Lowercase without diacritics; ligatures and special letters as people type them. */
export const foldWord = (text: string): string =>
  // Most titles are plain ASCII, where only case can differ.
  isPlain(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/[øœæßłđðþı]/g, (c) => LETTERS[c] ?? c);
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
const LETTERS: Record<string, string> = { ø: 'o', œ: 'oe', æ: 'ae', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

const genres = new Map<string, string>();
const MAX_GENRES = 2_000;
/** Returns a genre as filters compare it. Genres are few and asked for often, so their folded forms are kept. */
export function foldGenre(genre: string): string {
  let folded = genres.get(genre);
  if (folded !== undefined) return folded;
  if (genres.size >= MAX_GENRES) genres.clear();
  genres.set(genre, (folded = foldWord(genre).trim()));
  return folded;
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Returns the words of a text in order. Scripts without spaces are split into pairs of characters, and for the index
 * into single characters too, so that a search for one finds it.
 */
export function searchWordsOf(text: string, isIndexed = false): string[] {
  const words: string[] = [];
  for (const word of foldWord(text)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)) {
    if (word === '') continue;
    if (!DENSE.test(word)) {
      words.push(word);
      continue;
    }
    const characters = [...word];
    if (isIndexed || characters.length === 1) words.push(...characters);
    for (let i = 0; i + 1 < characters.length; i++) words.push(`${characters[i]}${characters[i + 1]}`);
  }
  return words;
}

/** Returns the number of typing mistakes that are accepted in a word of this length. */
const forgiven = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** Returns the restricted Damerau-Levenshtein distance up to `most`, or `most + 1`. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let d = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, (before[j - 2] ?? 0) + 1);
      row.push(d);
      if (d < least) least = d;
    }
    if (least > most) return most + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? most + 1;
}

/** Word of the index with its similarity to a searched word, 0 to 1. */
export interface Fit {
  word: number;
  weight: number;
  isMistake?: true;
}

export interface Words {
  /** Returns the number of a word, which is assigned at its first use. */
  number(word: string): number;
  /** Returns similar words: equal ones, ones with this beginning, ones with typing mistakes. In no order. */
  fits(asked: string, isLast: boolean): Fit[];
  size(): number;
}

/** Weights of a word that only begins like the searched one, and of one with mistakes. */
const BEGINS = 0.75;
const MISTAKEN = 0.5;
/** Maximum number of words with a searched beginning. One letter has many, and none should be lost. */
const MAX_PREFIX_MATCHES = 4_000;
const MAX_TYPO_MATCHES = 200;

export function createWords(): Words {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  let sorted = new Uint32Array(0);
  const byLength = new Map<number, number[]>();

  const wordOf = (number: number): string => words[number] as string;
  /** Returns the numbers of all words in the order of the words. */
  const inOrder = (): Uint32Array => {
    // Words are never removed, so a longer list has new ones.
    if (sorted.length !== words.length)
      sorted = Uint32Array.from(words.toSorted(), (word) => numbers.get(word) as number);
    return sorted;
  };
  return {
    number: (word) => {
      const had = numbers.get(word);
      if (had !== undefined) return had;
      const number = words.push(word) - 1;
      numbers.set(word, number);
      const same = byLength.get(word.length) ?? [];
      same.push(number);
      byLength.set(word.length, same);
      return number;
    },
    size: () => words.length,
    fits: (asked, isLast) => {
      const fits: Fit[] = [];
      const exact = numbers.get(asked);
      if (exact !== undefined) fits.push({ word: exact, weight: 1 });
      // The last word may still be being typed, so it is a prefix. So is any word of three letters or more.
      if (isLast || asked.length >= 3)
        for (const word of beginningSo(inOrder(), wordOf, asked))
          if (word !== exact) fits.push({ word, weight: BEGINS * (0.6 + (0.4 * asked.length) / wordOf(word).length) });
      if (exact !== undefined) return fits;
      const begun = fits.length;
      const most = forgiven(asked.length);
      for (let length = asked.length - most; most > 0 && length <= asked.length + most; length++) {
        for (const number of byLength.get(length) ?? []) {
          const word = words[number] ?? '';
          // A mistake in the first letter is rare; requiring one of the first two keeps the search short.
          if (word[0] !== asked[0] && word[1] !== asked[1] && word[0] !== asked[1]) continue;
          const d = distance(asked, word, most);
          if (d > 0 && d <= most) fits.push({ word: number, weight: MISTAKEN / d, isMistake: true });
          if (fits.length - begun >= MAX_TYPO_MATCHES) return fits;
        }
      }
      return fits;
    },
  };
}

/** Returns the words, by number, that begin with a text; `sorted` has all numbers in the order of their words. */
function beginningSo(sorted: Uint32Array, wordOf: (number: number) => string, beginning: string): Uint32Array {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wordOf(sorted[middle] as number) < beginning) low = middle + 1;
    else high = middle;
  }
  const last = Math.min(sorted.length, low + MAX_PREFIX_MATCHES);
  let end = low;
  while (end < last && wordOf(sorted[end] as number).startsWith(beginning)) end++;
  return sorted.subarray(low, end);
}
