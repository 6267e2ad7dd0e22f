/**
 * Words that were heard, as cues that can be read: at most two lines of 42 characters, not too short and not too long,
 * never over each other, cut where a sentence or a clause ends. Pure; linear in the words.
 *
 * A recogniser that has lost its way repeats itself; such cues are kept and marked as hardly sure.
 */
import { type Cue, spansOf } from '../../cues/index.ts';
import type { SpokenSegment, SpokenWord } from './whisper-result.ts';

const LINE = 42;
/** All in ms. */
const LONGEST = 7_000;
const SHORTEST = 1_000;
/** Where another follows at once, which then waits: whisper gives segments of no length, and several at one time. */
const LEAST = 400;
const GAP = 84;
/** After so long without a word another cue begins. */
const PAUSE = 1_200;
/** A short sentence and its follower share a cue when nothing lies between them. */
const BREATH = 350;
const FEW = 24;
/** Cues that say the same one after the other, and words inside one. */
const REPEATS = 3;
const WORD_REPEATS = 5;
const DOUBTFUL = 0.1;

export interface SpeechCues {
  cues: Cue[];
  words: { cue: number; text: string; confidence: number }[];
  /** By index: of its least sure word. */
  confidence: number[];
  /** How many cues were marked as repeated. */
  repeated: number;
}

export function cuesFromSpeech(segments: readonly SpokenSegment[]): SpeechCues {
  const groups = segments.toSorted((a, b) => a.start - b.start).flatMap(({ words }) => grouped(words));
  const ordered = groups.filter((group) => group.length > 0).toSorted((a, b) => startOf(a) - startOf(b));
  const doubtful = repeatedIn(ordered.map((group) => joined(group).toLowerCase()));
  const sure = (n: number, word: SpokenWord): number =>
    doubtful.has(n) ? Math.min(DOUBTFUL, word.confidence) : word.confidence;
  return {
    cues: timed(ordered),
    words: ordered.flatMap((group, cue) =>
      group.map((word) => ({ cue, text: word.text, confidence: sure(cue, word) })),
    ),
    confidence: ordered.map((group, n) => group.reduce((least, word) => Math.min(least, sure(n, word)), 1)),
    repeated: doubtful.size,
  };
}

const startOf = (words: readonly SpokenWord[]): number => words[0]?.start ?? 0;
const endOf = (words: readonly SpokenWord[]): number => words.reduce((last, { end }) => Math.max(last, end), 0);
const joined = (words: readonly SpokenWord[]): string =>
  words.reduce((text, word) => (text === '' || word.isJoined ? text + word.text : `${text} ${word.text}`), '');

/** Columns on the screen: characters of Chinese, Japanese and Korean take two. */
export function displayWidth(text: string): number {
  let columns = 0;
  for (const char of text) columns += /\p{M}/u.test(char) ? 0 : char >= '\u2e80' ? 2 : 1;
  return columns;
}

const endsSentence = (text: string): boolean => /[.!?…。！？]["'”’»)\]]*$/u.test(text);
const endsClause = (text: string): boolean => /[,;:–—、，；：]["'”’»)\]]*$/u.test(text);

/** The words of a segment, cut into those of each cue. */
function grouped(words: readonly SpokenWord[]): SpokenWord[][] {
  const groups: SpokenWord[][] = [];
  let group: SpokenWord[] = [];
  const close = (): void => {
    if (group.length > 0) groups.push(group);
    group = [];
  };
  for (const word of words) {
    const last = group.at(-1);
    if (last && isOver(group, last, word)) close();
    if (group.length > 0 && !isFitting([...group, word])) {
      const rest = group.splice(cutOf(group));
      close();
      group = rest;
      // What is left over may still be too much together with the word.
      if (group.length > 0 && !isFitting([...group, word])) close();
    }
    group.push(word);
  }
  close();
  return groups;
}

/** Whether a cue is done before the next word. */
function isOver(group: readonly SpokenWord[], last: SpokenWord, next: SpokenWord): boolean {
  const pause = next.start - last.end;
  if (pause >= PAUSE) return true;
  return endsSentence(last.text) && (pause >= BREATH || displayWidth(joined(group)) >= FEW);
}

function isFitting(words: readonly SpokenWord[]): boolean {
  return endOf(words) - startOf(words) <= LONGEST && wrapLines(joined(words)) !== undefined;
}

/** Where to cut words that have become too many: after the last clause that is no scrap, or else behind them all. */
function cutOf(words: readonly SpokenWord[]): number {
  for (let at = words.length - 1; at > words.length / 3; at--) {
    const word = words[at - 1];
    if (word && endsClause(word.text)) return at;
  }
  return words.length;
}

/** As one or two lines, or undefined when it does not fit. A single word that is longer than a line stands alone. */
export function wrapLines(text: string): string[] | undefined {
  if (displayWidth(text) <= LINE) return [text];
  let best: { lines: string[]; cost: number } | undefined;
  for (const at of breaksOf(text)) {
    const lines = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
    const [first, second] = [displayWidth(lines[0] ?? ''), displayWidth(lines[1] ?? '')];
    if (first > LINE || second > LINE) continue;
    // Evenly, rather after a mark, and rather with the longer line below.
    const cost =
      Math.abs(first - second) -
      (endsClause(lines[0] ?? '') || endsSentence(lines[0] ?? '') ? 12 : 0) +
      (first > second ? 2 : 0);
    if (!best || cost < best.cost) best = { lines, cost };
  }
  if (best) return best.lines;
  return breaksOf(text).length > 0 ? undefined : [text];
}

/** Places between words; anywhere in a text that has none. */
function breaksOf(text: string): number[] {
  const places: number[] = [];
  for (let at = 1; at < text.length; at++)
    if (text[at] === ' ' || (text.charCodeAt(at) >= 0x2e80 && text.charCodeAt(at - 1) >= 0x2e80)) places.push(at);
  return places;
}

/** Short ones stay longer where there is room, none stands over the next. */
function timed(groups: readonly SpokenWord[][]): Cue[] {
  const cues: Cue[] = [];
  let free = 0;
  for (const [n, group] of groups.entries()) {
    const next = groups[n + 1];
    const start = Math.max(startOf(group), free);
    const most = next ? Math.max(start + LEAST, startOf(next) - GAP) : Infinity;
    const end = Math.max(start + LEAST, Math.min(most, Math.max(endOf(group), start + SHORTEST), start + LONGEST));
    const text = joined(group);
    cues.push({ start, end, spans: spansOf((wrapLines(text) ?? [text]).join('\n')) });
    free = end;
  }
  return cues;
}

/** Which say the same as their neighbours, three or more in a row, or the same words again and again. */
function repeatedIn(texts: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (let from = 0; from < texts.length;) {
    let to = from + 1;
    while (to < texts.length && texts[to] === texts[from]) to++;
    if (to - from >= REPEATS) for (let n = from; n < to; n++) found.add(n);
    from = to;
  }
  for (const [n, text] of texts.entries()) if (isLooping(text.split(' '))) found.add(n);
  return found;
}

/** One word, two or three of them over and over. */
function isLooping(words: readonly string[]): boolean {
  for (const period of [1, 2, 3]) {
    let run = period;
    for (let at = period; at < words.length; at++) {
      run = words[at] === words[at - period] ? run + 1 : period;
      if (run >= period * WORD_REPEATS) return true;
    }
  }
  return false;
}
