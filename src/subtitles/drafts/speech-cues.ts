/**
 * Builds readable cues from spoken words: at most two lines of 42 characters, neither too short nor too long, never
 * overlapping, and cut where a sentence or clause ends. Pure; linear in the words.
 *
 * A recogniser that repeats itself has usually lost its way. Such cues are kept with a low confidence.
 */
import { type Cue, spansOf } from '../../cues/index.ts';
import type { SpokenSegment, SpokenWord } from './whisper-result.ts';

const MAX_LINE_COLUMNS = 42;
/** Times in milliseconds. */
const MAX_DURATION_MS = 7_000;
const MIN_DURATION_MS = 1_000;
/**
 * Minimum duration if another cue follows at once, which is then delayed: whisper produces segments of zero length, and
 * several at the same time.
 */
const MIN_CROWDED_DURATION_MS = 400;
const MIN_GAP_MS = 84;
/** Pause after which another cue begins. */
const LONG_PAUSE_MS = 1_200;
/** A short sentence shares a cue with the next one if the pause between them is shorter than this. */
const SHORT_PAUSE_MS = 350;
const SHORT_SENTENCE_COLUMNS = 24;
/** Minimum number of equal cues in a row, and of repeated words in one cue, that count as a repetition. */
const MIN_REPEATED_CUES = 3;
const MIN_REPEATED_WORDS = 5;
const REPEATED_CONFIDENCE = 0.1;

export interface SpeechCues {
  cues: Cue[];
  words: { cue: number; text: string; confidence: number }[];
  /** Confidence of each cue: the lowest of its words. */
  confidence: number[];
  /** Number of cues marked as repeated. */
  repeated: number;
}

export function cuesFromSpeech(segments: readonly SpokenSegment[]): SpeechCues {
  const groups = segments.toSorted((a, b) => a.start - b.start).flatMap(({ words }) => splitIntoCues(words));
  const ordered = groups.filter((group) => group.length > 0).toSorted((a, b) => startOf(a) - startOf(b));
  const doubtful = repeatedIn(ordered.map((group) => joined(group).toLowerCase()));
  const confidenceOf = (n: number, word: SpokenWord): number =>
    doubtful.has(n) ? Math.min(REPEATED_CONFIDENCE, word.confidence) : word.confidence;
  return {
    cues: timed(ordered),
    words: ordered.flatMap((group, cue) =>
      group.map((word) => ({ cue, text: word.text, confidence: confidenceOf(cue, word) })),
    ),
    confidence: ordered.map((group, n) => group.reduce((least, word) => Math.min(least, confidenceOf(n, word)), 1)),
    repeated: doubtful.size,
  };
}

const startOf = (words: readonly SpokenWord[]): number => words[0]?.start ?? 0;
const endOf = (words: readonly SpokenWord[]): number => words.reduce((last, { end }) => Math.max(last, end), 0);
const joined = (words: readonly SpokenWord[]): string =>
  words.reduce((text, word) => (text === '' || word.isJoined ? text + word.text : `${text} ${word.text}`), '');

/** Returns the number of columns on the screen. Chinese, Japanese and Korean characters take two. */
export function displayWidth(text: string): number {
  let columns = 0;
  for (const char of text) columns += /\p{M}/u.test(char) ? 0 : char >= '\u2e80' ? 2 : 1;
  return columns;
}

const endsSentence = (text: string): boolean => /[.!?…。！？]["'”’»)\]]*$/u.test(text);
const endsClause = (text: string): boolean => /[,;:–—、，；：]["'”’»)\]]*$/u.test(text);

/** Splits the words of a segment into cues. */
function splitIntoCues(words: readonly SpokenWord[]): SpokenWord[][] {
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
      // The remaining words may still be too long together with the next word.
      if (group.length > 0 && !isFitting([...group, word])) close();
    }
    group.push(word);
  }
  close();
  return groups;
}

/** Whether a cue ends before the next word. */
function isOver(group: readonly SpokenWord[], last: SpokenWord, next: SpokenWord): boolean {
  const pause = next.start - last.end;
  if (pause >= LONG_PAUSE_MS) return true;
  return endsSentence(last.text) && (pause >= SHORT_PAUSE_MS || displayWidth(joined(group)) >= SHORT_SENTENCE_COLUMNS);
}

function isFitting(words: readonly SpokenWord[]): boolean {
  return endOf(words) - startOf(words) <= MAX_DURATION_MS && wrapLines(joined(words)) !== undefined;
}

/** Returns where to cut a cue that became too long: after the last clause in its last two thirds, else at its end. */
function cutOf(words: readonly SpokenWord[]): number {
  for (let at = words.length - 1; at > words.length / 3; at--) {
    const word = words[at - 1];
    if (word && endsClause(word.text)) return at;
  }
  return words.length;
}

/** Returns the text as one or two lines; undefined if it does not fit. A single word longer than a line is one line. */
export function wrapLines(text: string): string[] | undefined {
  if (displayWidth(text) <= MAX_LINE_COLUMNS) return [text];
  let best: { lines: string[]; cost: number } | undefined;
  for (const at of breaksOf(text)) {
    const lines = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
    const [first, second] = [displayWidth(lines[0] ?? ''), displayWidth(lines[1] ?? '')];
    if (first > MAX_LINE_COLUMNS || second > MAX_LINE_COLUMNS) continue;
    // Prefers lines of equal length, a break after punctuation, and a longer second line.
    const cost =
      Math.abs(first - second) -
      (endsClause(lines[0] ?? '') || endsSentence(lines[0] ?? '') ? 12 : 0) +
      (first > second ? 2 : 0);
    if (!best || cost < best.cost) best = { lines, cost };
  }
  if (best) return best.lines;
  return breaksOf(text).length > 0 ? undefined : [text];
}

/** Returns positions between words, and any position in text without spaces. */
function breaksOf(text: string): number[] {
  const places: number[] = [];
  for (let at = 1; at < text.length; at++)
    if (text[at] === ' ' || (text.charCodeAt(at) >= 0x2e80 && text.charCodeAt(at - 1) >= 0x2e80)) places.push(at);
  return places;
}

/** Sets the times of cues. Short cues stay longer if there is room, and none overlaps the next. */
function timed(groups: readonly SpokenWord[][]): Cue[] {
  const cues: Cue[] = [];
  let free = 0;
  for (const [n, group] of groups.entries()) {
    const next = groups[n + 1];
    const start = Math.max(startOf(group), free);
    const most = next ? Math.max(start + MIN_CROWDED_DURATION_MS, startOf(next) - MIN_GAP_MS) : Infinity;
    const end = Math.max(
      start + MIN_CROWDED_DURATION_MS,
      Math.min(most, Math.max(endOf(group), start + MIN_DURATION_MS), start + MAX_DURATION_MS),
    );
    const text = joined(group);
    cues.push({ start, end, spans: spansOf((wrapLines(text) ?? [text]).join('\n')) });
    free = end;
  }
  return cues;
}

/** Returns the cues that equal their neighbours, three or more in a row, or that repeat the same words. */
function repeatedIn(texts: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (let from = 0; from < texts.length;) {
    let to = from + 1;
    while (to < texts.length && texts[to] === texts[from]) to++;
    if (to - from >= MIN_REPEATED_CUES) for (let n = from; n < to; n++) found.add(n);
    from = to;
  }
  for (const [n, text] of texts.entries()) if (isLooping(text.split(' '))) found.add(n);
  return found;
}

/** Whether a cue repeats one, two or three words many times. */
function isLooping(words: readonly string[]): boolean {
  for (const period of [1, 2, 3]) {
    let run = period;
    for (let at = period; at < words.length; at++) {
      run = words[at] === words[at - period] ? run + 1 : period;
      if (run >= period * MIN_REPEATED_WORDS) return true;
    }
  }
  return false;
}
