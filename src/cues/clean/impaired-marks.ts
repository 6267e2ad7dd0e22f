/**
 * Finds the marks in a cue's text: brackets with sounds or speakers, names before a colon, the notes of songs. Doubtful
 * text counts as speech: see `impaired.ts`. Linear in the text.
 */
import {
  isAction,
  isBleep,
  isMusicDescription,
  isNoSpeaker,
  isPersonal,
  isRole,
  isSoundWord,
  isSpoken,
} from './impaired-words.ts';
import { textLinesIn, type PlainLine } from './text.ts';

/** Evidence from the whole file. */
export interface Evidence {
  /** Names in capitals are labels: the file is not all in capitals. */
  hasLabels: boolean;
  /** How often each name occurs before a colon. */
  names: ReadonlyMap<string, number>;
  /** Whether some cues are marked beyond doubt. */
  isSome: boolean;
  /** Whether speakers are written as `Man:` in this file. */
  hasRoles: boolean;
}

export interface Marks {
  ranges: { from: number; to: number }[];
  /** Lines (by their offset) that began with the name of a speaker. */
  speakers: Map<number, string>;
}

interface Pair {
  from: number;
  to: number;
  open: string;
}

const CLOSES: Readonly<Record<string, string>> = { '[': ']', '(': ')', '【': '】', '（': '）', '［': '］', '〔': '〕' };
const OPENS = new Set(Object.values(CLOSES));
const DEEPEST = 16;
const LONGEST_BRACKET = 120;
const LONGEST_LABEL = 40;
/** Devices that carry a voice, after a name; they are not part of it. */
const THROUGH =
  /(?:['’]s voice| (?:on|over|in|from) (?:the )?(?:tv|television|radio|pa|phone|telephone|speakers?|intercom|recording|video|computer|headset|comms?|distance))$/i;
const NOTES = /[♪♫♬♩🎵🎶]/u;
const ENDS_SENTENCE = /[.?!…,;:\-–—"”»'’]\s*$/;

export function marksIn(text: string, evidence: Evidence): Marks {
  const marks: Marks = { ranges: [], speakers: new Map() };
  if (!/[[(【（［〔:：♪♫♬♩🎵🎶#>]/u.test(text)) return marks;
  const lines = textLinesIn(text);
  const pairs = pairsOf(text);
  let next = 0;
  let done = 0;
  lines.forEach((line, n) => {
    const end = line.from + line.text.length;
    const place = { from: line.from, lastWord: lastWordOf(lines, n), hasMore: n < lines.length - 1 };
    musicMarks(line, marks);
    let at = heads(text, Math.max(line.from, done), end, marks, line.from);
    for (;;) {
      while ((pairs[next]?.from ?? Infinity) < at) next++;
      const pair = pairs[next];
      if (pair?.from === at && isMark(text, pair, { ...place, isFirst: true }, evidence)) {
        take(pair);
        if (isName(text.slice(pair.from + 1, pair.to - 1)))
          marks.speakers.set(line.from, text.slice(pair.from + 1, pair.to - 1));
        at = afterSpace(text, pair.to, end);
        if (/[:：]/.test(text.charAt(at))) at = afterSpace(text, at + 1, end);
        continue;
      }
      const label = labelAt(text, at, end, evidence);
      if (!label) break;
      marks.ranges.push({ from: at, to: label.to });
      marks.speakers.set(line.from, label.name);
      at = afterSpace(text, label.to, end);
    }
    for (; (pairs[next]?.from ?? Infinity) < end; next++) {
      const pair = pairs[next];
      if (pair && pair.from >= at && isMark(text, pair, { ...place, isFirst: false }, evidence)) take(pair);
    }
  });
  return marks;

  function take(pair: Pair): void {
    marks.ranges.push({ from: pair.from, to: pair.to });
    done = Math.max(done, pair.to);
  }
}

/**
 * Returns where the words of a line begin: after a dash, quotes, notes, and the `>>` with which captions change the
 * speaker.
 */
function heads(text: string, from: number, end: number, marks: Marks, lineFrom: number): number {
  let at = from;
  const arrows = /^\s{0,4}>{2,3}\s{0,4}/.exec(text.slice(from, Math.min(end, from + 12)));
  if (arrows && from === lineFrom) {
    marks.ranges.push({ from, to: from + arrows[0].length });
    at = from + arrows[0].length;
  }
  while (at < end && /[\s\-–—‐>"“«'‘¿¡♪♫♬♩#]/.test(text.charAt(at))) at++;
  return at;
}

function afterSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && /\s/.test(text.charAt(at))) at++;
  return at;
}

/** Returns the outermost pairs of brackets that have at most `LONGEST_BRACKET` characters on at most two lines. */
function pairsOf(text: string): Pair[] {
  const found: Pair[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const c = text.charAt(at);
    if (CLOSES[c] !== undefined) {
      if (open.length < DEEPEST) open.push(at);
    } else if (OPENS.has(c)) {
      const last = open.findLastIndex((from) => CLOSES[text.charAt(from)] === c);
      if (last < 0) continue;
      found.push({ from: open[last] ?? 0, to: at + 1, open: text.charAt(open[last] ?? 0) });
      open.length = last;
    }
  }
  const out: Pair[] = [];
  for (const pair of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (pair.from < (out.at(-1)?.to ?? 0)) continue;
    out.push(pair);
  }
  return out.filter(
    (pair) => pair.to - pair.from <= LONGEST_BRACKET && text.slice(pair.from, pair.to).split('\n').length <= 2,
  );
}

/** Returns the last letter or digit of a line; if a bracket runs out of the line, that of the bracket. */
function lastWordOf(lines: readonly PlainLine[], n: number): number {
  const { text, from } = lines[n] ?? { text: '', from: 0 };
  let at = text.length - 1;
  while (at >= 0 && !hasWord(text.charAt(at))) at--;
  return from + at;
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
const isCapital = (text: string): boolean => /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);
/** Whether text in brackets names a person rather than a thing. */
const isName = (inside: string): boolean =>
  /^\s?\p{Lu}/u.test(inside) && !isSoundWord(inside) && inside.trim().split(/\s+/).length <= 3;

interface Place {
  /** Offsets of the line's start and of its last letter or digit. */
  from: number;
  lastWord: number;
  hasMore: boolean;
  isFirst: boolean;
}

function isMark(text: string, pair: Pair, place: Place, evidence: Evidence): boolean {
  const inside = text
    .slice(pair.from + 1, pair.to - 1)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isLast = place.lastWord < pair.to;
  const isWhole = place.isFirst && isLast;
  if (!/\p{L}/u.test(inside)) return NOTES.test(inside);
  // A single letter is a ticked box, a key or a variable.
  if (/^\p{Script=Latin}$/u.test(inside)) return false;
  if (isBleep(inside)) return isWhole;
  // A few characters are enough: a line may be long and have many brackets.
  const before = text.slice(Math.max(place.from, pair.from - 8), pair.from);
  const rest = text.slice(pair.to, pair.to + 2);
  // Inside or next to a word a bracket is an editor's: `[H]e`, `colo(u)r`.
  const isJoined = (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(rest)) && !isEastern(inside);
  if (isJoined && !isSoundWord(inside)) return false;
  if (pair.open === '（') return isEasternMark(inside, { isFirst: place.isFirst, isLast, hasMore: place.hasMore });
  const isSet = place.isFirst || ENDS_SENTENCE.test(before);
  if (pair.open !== '(')
    return !isSpoken(inside, false) && (isSet || isSoundWord(inside) || (isCapital(inside) && inside.length > 2));
  if (isSpoken(inside, true)) return false;
  const words = inside.split(' ').length;
  if (evidence.hasLabels && isCapital(inside) && inside.replaceAll(/[^\p{L}]/gu, '').length > 2) {
    return isSoundWord(inside) || (isSet && !isNoSpeaker(inside) && (evidence.isSome || isRole(inside)));
  }
  if (isAction(inside) && words <= 5) return isSet || isLast;
  if (!isWhole) return false;
  return (
    words <= 6 && (isSoundWord(inside) || (words <= 5 && /^\p{Ll}/u.test(inside) && /\p{Ll}{3}ing\b/u.test(inside)))
  );
}

const isEastern = (text: string): boolean => /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text);

/** Japanese writes speakers and sounds in full-width brackets, and also thoughts, which stay. */
function isEasternMark(inside: string, place: { isFirst: boolean; isLast: boolean; hasMore: boolean }): boolean {
  if (isSpoken(inside, true) || /[。、！…,!]/.test(inside)) return false;
  if (isSoundWord(inside)) return inside.length <= 20;
  // A speaker's name is short, and not entirely in the syllables with which sentences end.
  const isSpeaker = inside.length <= 8 && !/^[\u3040-\u309f]+$/.test(inside);
  return place.isFirst && isSpeaker && (!place.isLast || place.hasMore);
}

export interface Label {
  name: string;
  /** Offset after the colon. */
  to: number;
  isCapital: boolean;
}

/**
 * Finds a speaker's name at `start`, with its colon. `any` accepts every possible name, before the evidence of the file
 * is known.
 */
export function labelAt(text: string, start: number, end: number, evidence: Evidence | 'any'): Label | undefined {
  const from = evidence === 'any' ? heads(text, start, end, { ranges: [], speakers: new Map() }, start) : start;
  const window = text.slice(from, Math.min(end, from + LONGEST_LABEL + 1));
  const colon = window.search(/[:：]/);
  if (colon < 2) return undefined;
  const name = window.slice(0, colon).trim();
  const to = from + colon + 1;
  if (to < end && !/\s/.test(text.charAt(to))) return undefined;
  if (!goesOn(text, to)) return undefined;
  // A place and a time on the screen: no line of speech is only a year.
  if (/^\s{0,3}(?:\d{4}|(?:the )?present(?: day)?)\W{0,3}$/i.test(text.slice(to, Math.min(end, to + 24))))
    return undefined;
  const bare = name
    .replace(/\s{0,3}[([][^()[\]]{0,30}[)\]]$/, '')
    .trim()
    .replace(THROUGH, '');
  if (bare === '' || isNoSpeaker(bare)) return undefined;
  if (isCapitalName(name)) {
    if (/\d/.test(bare) && !isRole(bare)) return undefined;
    if (evidence !== 'any' && !(evidence.hasLabels && isSpeaker(bare, evidence))) return undefined;
    return { name: bare, to, isCapital: true };
  }
  if (!isRole(bare) || !/^\p{Lu}/u.test(bare) || (evidence !== 'any' && !evidence.hasRoles)) return undefined;
  return { name: bare, to, isCapital: false };
}

/**
 * Returns whether a name is a speaker: it occurs more than once, or it can be nothing else (a role, a title, a first
 * name).
 */
function isSpeaker(name: string, evidence: Evidence): boolean {
  // Three letters are as often an abbreviation as a name.
  return isRole(name) || isPersonal(name) || (evidence.names.get(name) ?? 0) >= (name.length <= 3 ? 3 : 2);
}

/** `MRS. O’BRIEN`, `McCOY`, `MAN #2 (ON TV)`: at least two capitals, and no lower-case letters except in a particle. */
function isCapitalName(name: string): boolean {
  if ((name.match(/\p{Lu}/gu)?.length ?? 0) < 2) return false;
  return name
    .split(/\s+/)
    .every((word) => /^[([]?(?:Mc|Mac|De|Di|Du|La|Le|Van|Fitz)?[\p{Lu}\p{M}\p{N}.,'’&#()[\]/-]*$/u.test(word));
}

/** Whether the sentence continues after the colon: speech begins with a capital or a letter without case. */
function goesOn(text: string, from: number): boolean {
  const after = /^[\s"“”«»‘'’¿¡\-–—([♪♫#]{0,12}/u.exec(text.slice(from, from + 14))?.[0] ?? '';
  const rest = text.slice(from + after.length, from + after.length + 4);
  return /['’([]$/.test(after) || !/^\p{Ll}/u.test(rest);
}

/** Finds the notes of a line, number signs at both its ends, and descriptions of music between notes. */
function musicMarks(line: PlainLine, marks: Marks): void {
  const { text, from } = line;
  const trimmed = text.trim();
  if (trimmed.length > 4 && trimmed.startsWith('# ') && trimmed.endsWith(' #')) {
    marks.ranges.push(
      { from: from + text.indexOf('#'), to: from + text.indexOf('#') + 1 },
      { from: from + text.lastIndexOf('#'), to: from + text.lastIndexOf('#') + 1 },
    );
  }
  if (!NOTES.test(text)) return;
  const words = trimmed.replaceAll(/[♪♫♬♩🎵🎶]/gu, ' ').trim();
  if (isMusicDescription(words)) {
    marks.ranges.push({ from, to: from + text.length });
    return;
  }
  for (const note of text.matchAll(/[♪♫♬♩🎵🎶]+/gu))
    marks.ranges.push({ from: from + note.index, to: from + note.index + note[0].length });
}
