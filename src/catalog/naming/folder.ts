/**
 * Facts from all names of one folder: the titles in it, and the files that are parts of one. Computed once for each
 * folder.
 */
import { parseReleaseText } from '../../lib/release-name.ts';
import { findNumbers } from '../../lib/release/numbers.ts';
import { findExtra } from './extras.ts';
import { fold, isVideoName, stemOf, takeTags } from './text.ts';

export interface FolderFacts {
  /** Number of videos that are neither extras nor samples. */
  mains: number;
  /** The folded titles of the films, parts counted as one. */
  filmTitles: ReadonlySet<string>;
  /** The folded titles before the episode numbers. */
  showTitles: ReadonlySet<string>;
  /** Number of files that are counted, by the text before the number: `show - ` for `Show - 01`. */
  counted: ReadonlyMap<string, number>;
  /** The part marks of each name, by the name without its mark. */
  parts: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface FoundPart {
  part: number;
  /** The name without the mark. */
  text: string;
}

const PART = /(?<![\p{L}\p{N}])(cd|dvd|disc|disk|part|pt)[ ._-]{0,2}(\d{1,2}|[a-h])(?![\p{L}\p{N}])/giu;
const SURE = new Set(['cd', 'disc', 'disk']);
const known = new WeakMap<readonly string[], FolderFacts>();

export function factsOf(siblings: readonly string[]): FolderFacts {
  let facts = known.get(siblings);
  if (!facts) {
    facts = gather(siblings);
    known.set(siblings, facts);
  }
  return facts;
}

function gather(siblings: readonly string[]): FolderFacts {
  const videos = siblings.filter(isVideoName).map(stemOf);
  const mains = videos.filter((stem) => !findExtra([''], stem, videos.length > 1));
  const parts = new Map<string, Set<string>>();
  for (const stem of mains)
    for (const { key, mark } of marks(stem)) parts.set(key, (parts.get(key) ?? new Set()).add(mark));
  const filmTitles = new Set<string>();
  const showTitles = new Set<string>();
  const counted = new Map<string, number>();
  const facts: FolderFacts = { mains: mains.length, filmTitles, showTitles, counted, parts };
  for (const stem of mains) {
    const { text } = takeTags(partOfFile(stem, facts)?.text ?? stem);
    const release = parseReleaseText(text);
    filmTitles.add(fold(parseReleaseText(text, 'film').title));
    const numbers = findNumbers(text);
    if (numbers) showTitles.add(fold(release.title));
    const count = countingKey(text);
    if (count !== undefined) counted.set(count, (counted.get(count) ?? 0) + 1);
  }
  return facts;
}

/**
 * Returns the text before the number of `Show - 012 [1080p]` or `03 - Name`, folded; undefined without such a number.
 */
export function countingKey(text: string): string | undefined {
  const number = bareNumber(text);
  return number && fold(text.slice(0, number.start));
}

/**
 * Finds the number of a name without other numbers: at the front, after a dash, or the last one before the release
 * words.
 */
export function bareNumber(
  text: string,
): { number: number; start: number; end: number; after: 'nothing' | 'dash' | 'title' } | undefined {
  const skip = /^\s{0,3}[[【][^\]】]{1,60}[\]】]\s{0,3}/.exec(text)?.[0].length ?? 0;
  const front = /^#?(\d{1,4})(?:v\d)?(?=$|[ ._\-[(])/u.exec(text.slice(skip, skip + 12));
  if (front) return { number: Number(front[1]), start: skip, end: skip + front[0].length, after: 'nothing' };
  const limit = Math.max(parseReleaseText(text).wordsAt, skip);
  let found: { number: number; start: number; end: number; after: 'dash' | 'title' } | undefined;
  for (const match of text
    .slice(0, limit + 1)
    .matchAll(/(?<![\p{L}\p{N}.(])#?(\d{1,4})(?:v\d|end)?(?=$|[ ._\-[(~])/giu)) {
    const start = match.index;
    if (start < skip || start >= limit) continue;
    const isDashed = /[-–][ ._]{0,2}#?$/.test(text.slice(Math.max(0, start - 4), start));
    const one = {
      number: Number(match[1]),
      start,
      end: start + match[0].length,
      after: isDashed ? ('dash' as const) : ('title' as const),
    };
    if (isDashed) return one;
    found = one;
  }
  // Dots are spaces in `Show.102.Name`, and the search above ignores dots because of `5.1`.
  const dotted = found ?? /^(?:[\p{L}][^ ]{0,80}?)\.(\d{3,4})(?=\.|$)/u.exec(text.slice(0, limit));
  if (!dotted || 'after' in dotted) return dotted ?? undefined;
  const end = dotted[0].length;
  return { number: Number(dotted[1]), start: end - (dotted[1]?.length ?? 0), end, after: 'title' };
}

/**
 * Finds which part of one film or episode a file is. `part` and `pt` count only if the folder has another part: Dune
 * Part 2 is a film.
 */
export function partOfFile(stem: string, { parts }: Pick<FolderFacts, 'parts'>): FoundPart | undefined {
  for (const { key, mark, word, text } of marks(stem).reverse()) {
    const beside = parts.get(key);
    if ((beside?.size ?? 0) < 2 && !SURE.has(word)) continue;
    const part = /^\d/.test(mark) ? Number(mark) : mark.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
    if (part > 0) return { part, text };
  }
  return undefined;
}

function marks(stem: string): { key: string; mark: string; word: string; text: string }[] {
  if (stem.length > 512) return [];
  return [...stem.matchAll(PART)].flatMap((match) => {
    const word = (match[1] ?? '').toLowerCase();
    const mark = (match[2] ?? '').toLowerCase();
    // DVD5 and DVD9 are types of discs; a mark at the very front is a title.
    if (match.index === 0 || /^dvd[59]$/i.test(match[0])) return [];
    const text =
      stem.slice(0, match.index).replace(/[ ._([-]{1,4}$/, '') +
      `${stem.slice(match.index + match[0].length).replace(/^[)\]]/, '')}`;
    return [{ key: `${word} ${match.index} ${text.toLowerCase()}`, mark, word, text }];
  });
}
