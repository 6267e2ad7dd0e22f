/**
 * Reads SAMI, as tolerantly as players do: `<SYNC Start=ms>` and the text up to the next one. A file may hold several
 * languages by class; the requested one or the first is read.
 */
import type { Cue, Span, SubtitleDocument } from '../cue.ts';
import { plainText } from '../cue.ts';
import { cueList, partCounter, warningList } from '../limits.ts';
import { attribute, taggedText } from './tags.ts';
import { readingTime } from './time.ts';

interface Piece {
  start: number;
  className: string;
  text: string;
  line: number;
}

export function readSami(text: string, language?: string): SubtitleDocument {
  const { warnings, warn } = warningList();
  const { cues, add } = cueList(warn);
  const pieces = piecesOf(text, (line) => warn('bad-timing', line, 'a SYNC without a valid start was left out'));
  const languages = languagesOf(text);
  const classes = [...new Set(pieces.map((piece) => piece.className))];
  const wanted = choose(classes, languages, language);
  if (classes.filter((name) => name !== '').length > 1)
    warn('more-languages', 1, 'the file holds several languages; one was taken');
  // Grows with every piece that begins at the same time.
  let open: (Cue & { spans: Span[] }) | undefined;
  const close = (end?: number): void => {
    if (!open) return;
    const most = readingTime(plainText(open.spans).length);
    if (end === undefined)
      warn('missing-end', open.origin?.line ?? 0, 'the last cue has no end; it was set from its length');
    // A cue with the start time of the next one is replaced by it.
    if (end === undefined || end > open.start) add({ ...open, end: end ?? open.start + most });
    open = undefined;
  };
  let previous = -1;
  const count = partCounter();
  for (const piece of pieces) {
    if (piece.className !== wanted && piece.className !== '') continue;
    const { spans } = taggedText(piece.text, { entities: true, silentUnknown: true, count });
    const isEmpty = /^[\s\u00a0]*$/.test(plainText(spans));
    if (piece.start < previous) warn('unsorted', piece.line, 'a cue starts before the one above it');
    previous = piece.start;
    if (open && piece.start === open.start && !isEmpty) {
      open.spans.push({ kind: 'break' });
      for (const span of spans) open.spans.push(span);
      continue;
    }
    close(piece.start);
    if (!isEmpty) open = { start: piece.start, end: piece.start, spans, origin: { line: piece.line } };
  }
  close();
  // A single language is used whatever its class.
  const spoken = languages.get(wanted) ?? (languages.size === 1 ? [...languages.values()][0] : undefined);
  return { format: 'sami', cues, warnings, ...(spoken ? { language: spoken } : {}) };
}

/** Returns the text between SYNC tags by the class of each paragraph. */
function piecesOf(text: string, bad: (line: number) => void): Piece[] {
  const out: Piece[] = [];
  const lower = lowered(text);
  let line = 1;
  let counted = 0;
  for (let at = lower.indexOf('<sync'); at >= 0;) {
    line += breaks(text, counted, at);
    counted = at;
    const next = lower.indexOf('<sync', at + 5);
    const to = next < 0 ? endOf(lower, at) : next;
    const part = text.slice(at, to);
    const close = part.indexOf('>');
    if (close >= 0) {
      const start = /^\d{1,10}$/.exec(
        (attribute(part.slice(0, Math.min(close, 300)), 'start') ?? '').trim().replace(/ms$/i, ''),
      )?.[0];
      if (start === undefined) bad(line);
      else
        for (const paragraph of paragraphs(part.slice(close + 1)))
          out.push({ start: Number(start), ...paragraph, line });
    }
    at = next;
  }
  return out;
}

function paragraphs(text: string): { className: string; text: string }[] {
  const parts = text.split(/<p(?=[\s>])/i);
  const out: { className: string; text: string }[] = [];
  parts.forEach((part, n) => {
    if (n === 0) {
      if (part.trim() !== '') out.push({ className: '', text: collapsed(part) });
      return;
    }
    const close = part.indexOf('>');
    if (close < 0) return;
    const className = (attribute(part.slice(0, Math.min(close, 300)), 'class') ?? '').toLowerCase();
    // Line ends are white space here; only `<br>` breaks a line.
    out.push({ className, text: collapsed(part.slice(close + 1)) });
  });
  return out;
}

/** Replaces runs of ASCII white space by one space; other white space, such as the wide space of Chinese, stays. */
function collapsed(text: string): string {
  return text
    .split(/[ \t\n\v\f\r]+/)
    .join(' ')
    .replace(/^ /, '')
    .replace(/ $/, '');
}

/** Reads `.ENCC { Name: English; lang: en-US; }` of the style block. */
function languagesOf(text: string): Map<string, string> {
  const out = new Map<string, string>();
  const lower = lowered(text.slice(0, 65_536));
  const from = lower.indexOf('<style');
  const to = lower.indexOf('</style', from);
  if (from < 0 || to < 0) return out;
  for (const rule of text.slice(from, to).split('}')) {
    const brace = rule.indexOf('{');
    const dot = rule.lastIndexOf('.', brace < 0 ? 0 : brace);
    if (brace < 0 || dot < 0) continue;
    const name = rule
      .slice(dot + 1, brace)
      .trim()
      .toLowerCase();
    const tag = /\blang\s?:\s?([a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})?)/i.exec(rule.slice(brace, brace + 500))?.[1];
    if (tag && name.length < 64 && out.size < 100) out.set(name, tag);
  }
  return out;
}

function choose(
  classes: readonly string[],
  languages: ReadonlyMap<string, string>,
  language: string | undefined,
): string {
  const base = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
  const asked = language && classes.find((name) => base(languages.get(name) ?? '') === base(language));
  return asked || classes.find((name) => name !== '') || '';
}

/** Replaces only ASCII letters, so that every index stays the same. */
const lowered = (text: string): string => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());

function endOf(lower: string, from: number): number {
  const end = lower.indexOf('</body', from);
  return end < 0 ? lower.length : end;
}

function breaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) count++;
  return count;
}
