/**
 * Lines of dialogue: made of the cues of subtitles, and found in a passage by the words of a search. Pure.
 */
import { type Cue, inOrder, plainText } from '../cues/index.ts';
import { foldSpoken, type Phrase, spokenWords, type Word } from './words.ts';

/** A spoken line. Times are milliseconds; lyrics without times have none. */
export interface Line {
  start: number | null;
  end: number | null;
  text: string;
}

/** A line that holds the words of a search, with the ranges of these words in UTF-16 code units. */
export interface FoundLine extends Line {
  ranges: { start: number; length: number }[];
}

export const MAX_LINES = 20_000;
const MAX_LINE_LENGTH = 400;
/** The same words within this time are one line: layers of a subtitle repeat it, and other subtitles have it, too. */
const SAME_LINE_MS = 20_000;
/** Number of lines over which the words of one search may be spread. */
export const SPREAD = 3;

/** Sounds in brackets and signs of music: the hard of hearing read them, but they are not spoken. */
const SOUNDS = /\[[^\]]{0,200}\]|\([^)]{0,200}\)|（[^）]{0,200}）|[♪♫#*]/gu;
const SPEAKER = /(^|\n)\s*[-–—]?\s*(?:\p{Lu}[\p{Lu}\p{N} .'’-]{1,30}:)?\s*/gu;

/** Returns the words of a cue as they are spoken, in one line. */
const spokenText = (text: string): string =>
  text
    .slice(0, MAX_LINE_LENGTH * 2)
    .replace(SOUNDS, ' ')
    .replace(SPEAKER, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE_LENGTH);

/** Returns the lines of a subtitle in order of time, moved by `offset` milliseconds. */
export function linesOfCues(cues: readonly Cue[], offset = 0): Line[] {
  return inOrder(cues.slice(0, MAX_LINES)).flatMap(({ start, end, spans }) => {
    const text = spokenText(plainText(spans));
    return text === '' ? [] : [{ start: start + offset, end: end + offset, text }];
  });
}

/** Joins the lines of several subtitles of one language. A line that an earlier one has is left out. */
export function mergeLines(texts: readonly (readonly Line[])[]): Line[] {
  const times = new Map<string, number[]>();
  const joined: Line[] = [];
  for (const lines of texts)
    for (const line of lines) {
      const key = spokenWords(line.text)
        .map(({ text }) => text)
        .join(' ');
      const at = line.start ?? 0;
      const known = times.get(key);
      if (key === '' || joined.length >= MAX_LINES) continue;
      if (known?.some((time) => Math.abs(time - at) <= SAME_LINE_MS)) continue;
      if (known) known.push(at);
      else times.set(key, [at]);
      joined.push(line);
    }
  return joined.sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
}

/** Whether a word of a line is the word at `at` of a phrase. */
const isWord = ({ words, isLastPrefix }: Phrase, at: number, word: string): boolean =>
  isLastPrefix && at === words.length - 1 ? word.startsWith(words[at] ?? '') : word === words[at];

interface ReadLine extends Line {
  folded: string;
  words?: Word[];
}
type PlacedWord = Word & { line: number };

/**
 * Finds a phrase in a passage. `own` is the number of lines in which a match may begin; the lines after them belong to
 * the next passage. With `isNear`, the words may be in any order within a few lines.
 */
export function findInLines(
  lines: readonly Line[],
  { phrase, own, most, isNear }: { phrase: Phrase; own: number; most: number; isNear: boolean },
): FoundLine[] {
  const read: ReadLine[] = lines.map((line) => ({ ...line, folded: foldSpoken(line.text) }));
  const found: FoundLine[] = [];
  const find = isNear ? wordsFrom : phraseFrom;
  for (let at = 0; at < own && found.length < most;) {
    const match = find(read, at, phrase);
    if (!match) {
      at += 1;
      continue;
    }
    found.push(foundLine(read, match));
    at = (match.at(-1)?.line ?? at) + 1;
  }
  return found;
}

const wordsOf = (line: ReadLine | undefined): Word[] => (line ? (line.words ??= spokenWords(line.text)) : []);

/** Returns the words of the first match that begins in a line. */
function phraseFrom(lines: readonly ReadLine[], at: number, phrase: Phrase): PlacedWord[] | undefined {
  const [first = ''] = phrase.words;
  if (!lines[at]?.folded.replace(/['’]/g, '').includes(first)) return undefined;
  const own = wordsOf(lines[at]).length;
  const placed: PlacedWord[] = [];
  for (let line = at; line < at + SPREAD && (line === at || placed.length < own + phrase.words.length); line++)
    for (const word of wordsOf(lines[line])) placed.push({ ...word, line });
  for (let from = 0; from < own; from++)
    if (phrase.words.every((_, i) => isWord(phrase, i, placed[from + i]?.text ?? '')))
      return placed.slice(from, from + phrase.words.length);
  return undefined;
}

/** Returns the words of a phrase where each is in a line or one of those after it, the first of them in this line. */
function wordsFrom(lines: readonly ReadLine[], at: number, phrase: Phrase): PlacedWord[] | undefined {
  const { words } = phrase;
  const near = lines.slice(at, at + SPREAD);
  if (!words.some((word) => near[0]?.folded.replace(/['’]/g, '').includes(word))) return undefined;
  const text = near.map(({ folded }) => folded.replace(/['’]/g, '')).join('\n');
  if (!words.every((word) => text.includes(word))) return undefined;
  const placed: PlacedWord[] = [];
  for (const [i] of words.entries()) {
    const found = near
      .flatMap((line, n) => wordsOf(line).map((word) => ({ ...word, line: at + n })))
      .find(
        (word) => isWord(phrase, i, word.text) && !placed.some((p) => p.line === word.line && p.start === word.start),
      );
    if (!found) return undefined;
    placed.push(found);
  }
  placed.sort((a, b) => a.line - b.line || a.start - b.start);
  return placed[0]?.line === at ? placed : undefined;
}

function foundLine(lines: readonly ReadLine[], match: readonly PlacedWord[]): FoundLine {
  const [from, to] = [match[0]?.line ?? 0, match.at(-1)?.line ?? 0];
  const starts: number[] = [];
  let text = '';
  for (let line = from; line <= to; line++) {
    if (line > from) text += ' ';
    starts[line] = text.length;
    text += lines[line]?.text ?? '';
  }
  return {
    start: lines[from]?.start ?? null,
    end: lines[to]?.end ?? null,
    text,
    ranges: match.map(({ line, start, end }) => ({ start: (starts[line] ?? 0) + start, length: end - start })),
  };
}
