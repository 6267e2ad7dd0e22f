/**
 * Removes marks for people who cannot hear: sounds and speakers in brackets, names of speakers before their speech, the
 * notes around songs. Works on the plain text and removes the marks from the tree.
 *
 * Promise: no spoken word is lost. Text that may be speech stays: a name in lower case before a colon (`Dr. Smith: the
 * time is`), a time, an aside, a warning, an abbreviation. Lyrics stay, without their notes. Dashes, spaces and
 * punctuation around a removed mark are corrected.
 */
import type { CuePiece } from '../change/rows.ts';
import { plainText } from '../cue.ts';
import { isMostlyCapitals } from '../hearing-impaired.ts';
import type { Rule } from './types.ts';
import { labelAt, marksIn, type Evidence, type Marks } from './impaired-marks.ts';
import { editedCue, hasText, textLinesIn, type Edit } from './text.ts';

/** Minimum number of marked cues of a file for the hard of hearing. */
const SOME = 2;
const ROLES_IN_SMALL = 3;

export const removeHearingImpaired: Rule = (pieces) => {
  const texts = pieces.map((piece) => plainText(piece.cue.spans));
  const evidence = evidenceOf(texts);
  const out: CuePiece[] = [];
  const touched: number[] = [];
  pieces.forEach((piece, n) => {
    const edits = unmarked(texts[n] ?? '', evidence);
    if (edits.length === 0) {
      out.push(piece);
      return;
    }
    for (const index of piece.from) touched.push(index);
    const cue = editedCue(piece.cue, edits);
    if (hasText(cue)) out.push({ ...piece, cue });
  });
  return { pieces: out, touched };
};

/** Collects the evidence of a file: names that recur before a colon, and how many cues are marked. */
function evidenceOf(texts: readonly string[]): Evidence {
  const hasLabels = !isMostlyCapitals(texts);
  const names = new Map<string, number>();
  let marked = 0;
  let roles = 0;
  for (const text of texts) {
    let isMarked = false;
    for (const line of textLinesIn(text)) {
      const label = line.text.includes(':') ? labelAt(text, line.from, line.from + line.text.length, 'any') : undefined;
      if (!label) continue;
      if (label.isCapital) {
        names.set(label.name, (names.get(label.name) ?? 0) + 1);
        isMarked = true;
      } else roles++;
    }
    if (isMarked || marksIn(text, { hasLabels: false, names, isSome: false, hasRoles: false }).ranges.length > 0)
      marked++;
  }
  return { hasLabels, names, isSome: marked >= SOME, hasRoles: roles >= ROLES_IN_SMALL };
}

/** Returns the edits that remove the marks of a text and correct the rest. */
function unmarked(text: string, evidence: Evidence): Edit[] {
  const marks = marksIn(text, evidence);
  if (marks.ranges.length === 0) return [];
  const gone = new Uint8Array(text.length);
  for (const { from, to } of marks.ranges) gone.fill(1, from, to);
  const lines = textLinesIn(text).map((line) => mended(text, line.from, line.from + line.text.length, gone));
  if (lines.every((line) => line.isGone)) return [{ from: 0, to: text.length, text: '' }];
  const dashed = dashes(text, lines, marks);
  for (const line of lines) if (dashed.get(line.from) === false) gone.fill(1, line.from, line.from + line.dash);
  // A removed line takes its own break with it; the break above a last line goes with its text.
  return lines.flatMap((line) =>
    line.isGone
      ? [{ from: line.from, to: Math.min(text.length, line.to + 1), text: '' }]
      : editsOf(text, line, gone, dashed.get(line.from) === true),
  );
}

interface MendedLine {
  from: number;
  to: number;
  isGone: boolean;
  isTouched: boolean;
  /** Length of a dialogue dash with the spaces around it, or 0. */
  dash: number;
}

/** Corrects spaces and punctuation that a mark leaves behind. A line without any word left is removed. */
function mended(text: string, from: number, to: number, gone: Uint8Array): MendedLine {
  const dash = /^[\s>]*[-–—‐]?\s*/.exec(text.slice(from, to))?.[0] ?? '';
  const isDashed = /[-–—‐]/.test(dash);
  const line: MendedLine = { from, to, isGone: false, isTouched: false, dash: isDashed ? dash.length : 0 };
  for (let at = from; at < to; at++) if (gone[at]) line.isTouched = true;
  if (!line.isTouched) return line;
  const left = (): string => {
    let out = '';
    for (let at = from; at < to; at++) if (!gone[at]) out += text.charAt(at);
    return out;
  };
  if (!/[\p{L}\p{N}]/u.test(left())) {
    line.isGone = true;
    return line;
  }
  // After a mark at the start of the line, remove its comma or colon and the space.
  let at = from + dash.length + (/^["“«'‘¿¡]{0,3}/.exec(text.slice(from + dash.length, to))?.[0].length ?? 0);
  let isAfterMark = false;
  for (; at < to; at++) {
    const c = text.charAt(at);
    if (gone[at]) isAfterMark = true;
    else if (
      isAfterMark &&
      (/\s/.test(c) || /[,;:]/.test(c) || (c === '.' && text.charAt(at + 1) !== '.' && text.charAt(at - 1) !== '.'))
    )
      gone[at] = 1;
    else break;
  }
  closeGaps(text, from, to, gone);
  return line;
}

/** Elsewhere in the line: keeps one space where two meet, and none before punctuation or at the end. */
function closeGaps(text: string, from: number, to: number, gone: Uint8Array): void {
  let before = -1;
  for (let at = from; at <= to; at++) {
    if (at < to && gone[at]) continue;
    const wasGap = before >= 0 && at - before > 1;
    const c = at < to ? text.charAt(at) : '';
    if ((wasGap || at === to) && before >= 0 && (c === '' || /[\s,.;:!?…]/.test(c))) {
      for (let back = before; back >= from && (gone[back] || /\s/.test(text.charAt(back))); back--) gone[back] = 1;
    }
    if (at < to) before = at;
  }
}

/**
 * Returns lines, by their offset, whose dash is removed because one speaker is left (false), and lines that get one
 * because several speakers lost their names (true).
 */
function dashes(text: string, lines: readonly MendedLine[], marks: Marks): Map<number, boolean> {
  const out = new Map<number, boolean>();
  const kept = lines.filter((line) => !line.isGone);
  const dashed = kept.filter((line) => line.dash > 0);
  const [first] = kept;
  if (!first) return out;
  if (kept.length < lines.length && dashed.length === 1 && first.dash > 0) out.set(first.from, false);
  if (dashed.length > 0) return out;
  const spoken = kept.filter((line) => marks.speakers.has(line.from));
  const names = new Set(spoken.map((line) => marks.speakers.get(line.from)));
  const above = kept[kept.findIndex((line) => marks.speakers.has(line.from)) - 1];
  // A speaker without a name ended a sentence in the line above.
  const isAnswer = spoken.length > 0 && above !== undefined && /[.?!…"”»]\s*$/.test(text.slice(above.from, above.to));
  if (names.size < 2 && !isAnswer) return out;
  for (const line of spoken) out.set(line.from, true);
  out.set(first.from, true);
  return out;
}

/** Returns the edits of one line: removed runs, a space between two words that would touch, and a dash. */
function editsOf(text: string, line: MendedLine, gone: Uint8Array, hasDash: boolean): Edit[] {
  const out: Edit[] = [];
  if (hasDash && !gone[line.from]) out.push({ from: line.from, to: line.from, text: '- ' });
  for (let at = line.from; at < line.to; at++) {
    if (!gone[at]) continue;
    const start = at;
    while (at < line.to && gone[at]) at++;
    const touches =
      start > line.from &&
      at < line.to &&
      /[\p{L}\p{N}.,!?…;:]/u.test(text.charAt(start - 1)) &&
      /[\p{L}\p{N}]/u.test(text.charAt(at));
    out.push({ from: start, to: at, text: hasDash && start === line.from ? '- ' : touches ? ' ' : '' });
  }
  return out;
}
