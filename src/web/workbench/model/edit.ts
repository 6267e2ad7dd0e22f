/**
 * Edits lines. After the first edit, the lines on show are a new text, which replaces the source. It contains the
 * effects of timing and clean-up, so neither is sent again. Pure.
 */
import type { WorkbenchCue, LineComparison } from './rows.ts';
import { FRESH, type EditedCue, type WorkbenchSettings, type SureWord } from './settings.ts';
import { normalText, sortedCues, plainOf } from './srt.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

/** The lines on show, each with where it came from. */
export function editedCues(rows: readonly LineComparison[]): EditedCue[] {
  const lines: (EditedCue & { index: number })[] = [];
  for (const { kind, current, proposed } of rows) {
    for (const { index, start, end, text, confidence, words } of proposed) {
      lines.push({
        index,
        start,
        end,
        text,
        current: kind === 'overlap' || kind === 'alone' ? [] : current.map((cue) => cue.index),
        ...(confidence !== undefined && { confidence }),
        ...(words && { words }),
      });
    }
  }
  return lines.sort((a, b) => a.index - b.index).map(({ index: _, ...line }) => line);
}

export interface LineEdit {
  /** Seconds. */
  start: number;
  end: number;
  text: string;
}
/** Returns what is wrong with a typed line, and how to correct it. */
export function faultOf({ start, end, text }: Partial<LineEdit>): { start?: string; end?: string; text?: string } {
  return {
    ...(start === undefined && { start: m.enterATimeSuchAs }),
    ...(end === undefined
      ? { end: m.enterATimeSuchAs00 }
      : start !== undefined && end <= start && { end: m.theEndHasToBe }),
    ...(normalText(text ?? '') === '' && { text: m.enterTheTextOrDelete }),
  };
}

export interface EditableLines {
  settings: WorkbenchSettings;
  rows: readonly LineComparison[];
}
export interface EditResult {
  settings: WorkbenchSettings;
  /** The place of the line among the proposed ones; its times may have moved it. */
  at: number;
}
function changed(
  { settings, rows }: EditableLines,
  cues: readonly EditedCue[],
  line: EditedCue | undefined,
): EditResult {
  const isPaired =
    settings.source.kind === 'text'
      ? settings.source.isPaired
      : !rows.some(({ kind }) => kind === 'overlap' || kind === 'alone');
  const ordered = sortedCues(cues);
  return {
    settings: { ...FRESH, role: settings.role, source: { kind: 'text', cues: ordered, isPaired } },
    at: line ? ordered.indexOf(line) : -1,
  };
}

/** Settings in which the proposed cue `at` says something else. */
export function edited(lines: EditableLines, at: number, edit: LineEdit): EditResult {
  const all = editedCues(lines.rows);
  const line: EditedCue = {
    current: all[at]?.current ?? [],
    start: edit.start,
    end: edit.end,
    text: normalText(edit.text),
  };
  return changed(
    lines,
    all.map((one, n) => (n === at ? line : one)),
    line,
  );
}
export function removed(lines: EditableLines, at: number): EditResult {
  return changed(
    lines,
    editedCues(lines.rows).filter((_, n) => n !== at),
    undefined,
  );
}
/** With one line more; `from` are the installed cues that it brings back. */
export function added(lines: EditableLines, edit: LineEdit, from: readonly number[] = []): EditResult {
  const line: EditedCue = { ...edit, text: normalText(edit.text), current: from };
  return changed(lines, [...editedCues(lines.rows), line], line);
}

const wordsOf = (text: string): string[] =>
  plainOf(text)
    .split(/\s+/)
    .filter((word) => word !== '');
/** The cues of a draft with the sureness of each word, as long as they are still its cues. */
export function withWords(
  cues: readonly WorkbenchCue[],
  words: readonly (SureWord & { cue: number })[],
): WorkbenchCue[] {
  const byCue = new Map<number, SureWord[]>();
  for (const { cue, text, confidence } of words) {
    const known = byCue.get(cue);
    if (known) known.push({ text, confidence });
    else byCue.set(cue, [{ text, confidence }]);
  }
  return cues.map((cue) => {
    const known = byCue.get(cue.index);
    if (!known) return cue;
    const isSame = wordsOf(cue.text).join(' ') === known.flatMap(({ text }) => wordsOf(text)).join(' ');
    return isSame
      ? { ...cue, words: known, confidence: cue.confidence ?? Math.min(...known.map(({ confidence }) => confidence)) }
      : cue;
  });
}
/** Cues as the server read them back, with what is known of each from before the edit. */
export const withSureness = (cues: readonly WorkbenchCue[], edited: readonly EditedCue[]): WorkbenchCue[] =>
  cues.length !== edited.length
    ? [...cues]
    : cues.map((cue, at) => {
        const known = edited[at];
        return known?.confidence === undefined
          ? cue
          : { ...cue, confidence: known.confidence, ...(known.words && { words: known.words }) };
      });
