/**
 * Detects subtitles for the hard of hearing (SDH) by their content: sounds in brackets, names of speakers before their
 * speech, music notes.
 *
 * Works on tokens and is careful: `Dr. Smith: the time is` is dialogue, and so is an aside in parentheses. A label
 * counts only in capitals, and not at all in a file that is all in capitals.
 */
import { plainText, type Cue } from './cue.ts';

export interface HearingImpaired {
  is: boolean;
  /** Share of the cues that have any mark, 0 to 1. */
  ratio: number;
  /** Number of cues with each kind, and the indexes of the first few marked cues. */
  evidence: { brackets: number; labels: number; music: number; cues: number; examples: readonly number[] };
}

/** Part of a line that is not speech: `from` and `to` are offsets in the line. */
interface Mark {
  kind: 'bracket' | 'label' | 'music';
  from: number;
  to: number;
}

const EXAMPLES = 10;
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '(': ')', '【': '】', '（': '）', '［': '］', '〔': '〕' };
const LONGEST_LABEL = 40;

export function detectHearingImpaired(cues: readonly Cue[]): HearingImpaired {
  const texts = cues.map((cue) => plainText(cue.spans));
  const allowLabels = !isMostlyCapitals(texts);
  const counts = { bracket: 0, label: 0, music: 0 };
  const examples: number[] = [];
  let marked = 0;
  let said = 0;
  texts.forEach((text, index) => {
    const kinds = new Set(
      text.split('\n').flatMap((line) => marksOf(line, { labels: allowLabels }).map((mark) => mark.kind)),
    );
    for (const kind of kinds) counts[kind]++;
    if (kinds.size === 0) return;
    marked++;
    if (kinds.has('bracket') || kinds.has('label')) said++;
    if (examples.length < EXAMPLES) examples.push(index);
  });
  const { length } = cues;
  // Ordinary subtitles have songs too, so music alone counts less.
  const weight = said + (marked - said) / 4;
  const least = length < 50 ? Math.max(2, length * 0.1) : Math.max(3, length * 0.02);
  return {
    is: length > 0 && said > 0 && weight >= least,
    ratio: length === 0 ? 0 : marked / length,
    evidence: { brackets: counts.bracket, labels: counts.label, music: counts.music, cues: length, examples },
  };
}

/** Returns the marks of one line of plain text, from left to right, none inside another. Linear. */
export function marksOf(line: string, options: { labels: boolean }): Mark[] {
  const out: Mark[] = [];
  const music = musicOf(line);
  if (music) out.push(music);
  const starts = startOf(line);
  const label = options.labels ? labelOf(line, starts) : undefined;
  if (label) out.push(label);
  // A bracket that is never closed is searched for once, not at every opening.
  const missing = new Set<string>();
  // A label may contain brackets: `MAN (ON TV):`.
  for (let at = label?.to ?? 0; at < line.length; at++) {
    const close = PAIRS[line.charAt(at)];
    if (close === undefined || missing.has(close)) continue;
    const to = line.indexOf(close, at + 1);
    if (to < 0) {
      missing.add(close);
      continue;
    }
    const isFirst = at === starts;
    if (isSound(line.slice(at + 1, to), line.charAt(at), isFirst && restIsEmpty(line, to + 1), isFirst))
      out.push({ kind: 'bracket', from: at, to: to + 1 });
    at = to;
  }
  return out.toSorted((a, b) => a.from - b.from);
}

/** Returns where a line's text begins, after a dialogue dash and spaces. */
function startOf(line: string): number {
  let at = 0;
  while (at < line.length && /[\s\-–—‐>]/.test(line.charAt(at))) at++;
  return at;
}

const restIsEmpty = (line: string, from: number): boolean => !/[\p{L}\p{N}]/u.test(line.slice(from));

/**
 * Whether brackets hold a sound or a speaker. Square ones always do. Round ones hold asides too, so they count only if
 * they are the whole line, in capitals, or a speaker's name as in Japanese subtitles.
 */
function isSound(inside: string, open: string, isWholeLine: boolean, isFirst: boolean): boolean {
  const text = inside.trim();
  if (!/\p{L}/u.test(text)) return false;
  if (open === '[' || open === '【' || open === '［' || open === '〔') return true;
  if (open === '（') return isFirst;
  return isWholeLine || (isCapitals(text) && text.length > 2);
}

/** Finds `♪ text ♪`, or number signs at both ends as in old teletext. */
function musicOf(line: string): Mark | undefined {
  const note = /[♪♫♬♩]/.exec(line);
  if (note) return { kind: 'music', from: note.index, to: note.index + 1 };
  const text = line.trim();
  return text.length > 4 && text.startsWith('# ') && text.endsWith(' #')
    ? { kind: 'music', from: line.indexOf('#'), to: line.indexOf('#') + 1 }
    : undefined;
}

/** Finds `JOHN:` or `MAN #2 (ON TV):` before speech. A time (`10:30`) or a name in lower case is no label. */
function labelOf(line: string, from: number): Mark | undefined {
  const colon = line.indexOf(':', from);
  if (colon < 0 || colon - from > LONGEST_LABEL) return undefined;
  const name = line.slice(from, colon).trim();
  const after = line.charAt(colon + 1);
  if (after !== '' && !/\s/.test(after)) return undefined;
  const isName = /^\p{Lu}[\p{Lu}\p{M}\p{N} .,'’&#()/-]*$/u.test(name);
  return isName && (name.match(/\p{Lu}/gu)?.length ?? 0) >= 2 ? { kind: 'label', from, to: colon + 1 } : undefined;
}

function isCapitals(text: string): boolean {
  return /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);
}

/** Whether fewer than a fifth of the lines have a lower-case letter. */
export function isMostlyCapitals(texts: readonly string[]): boolean {
  let small = 0;
  let lines = 0;
  for (const text of texts) {
    if (!/\p{L}/u.test(text)) continue;
    lines++;
    if (/\p{Ll}/u.test(text)) small++;
  }
  return small < lines / 5;
}
