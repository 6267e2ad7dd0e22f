/**
 * Edits the text of a cue through its tags. Rules read the plain text (line breaks as `\n`) and return edits of it;
 * this file applies them to the tree, whatever the nesting.
 *
 * Promises: linear; text that no edit names stays; a wrapper or line without text is removed.
 */
import { isWrapping, plainText, spansOf, type Cue, type Span } from '../cue.ts';
import { trimmed } from '../formats/looks.ts';

/** Offsets in the plain text; `from` = `to` inserts. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Rule over plain text. Returns its edits, or none. */
export type TextRule = (text: string) => readonly Edit[];

/**
 * Returns the cue with its text edited, or the same object if nothing changes. Edits are in order and do not overlap.
 */
export function editedCue(cue: Cue, edits: readonly Edit[]): Cue {
  if (edits.length === 0) return cue;
  return { ...cue, spans: editedSpans(cue.spans, edits) };
}

/**
 * Returns the cue with `text` as its text. The beginning and end that it shares with the old text keep their tags,
 * voices and classes.
 */
export function reworded(cue: Cue, text: string): Cue {
  const old = plainText(cue.spans);
  return old === text ? cue : editedCue(cue, [narrowed({ from: 0, to: old.length, text }, old)]);
}

function editedSpans(spans: readonly Span[], edits: readonly Edit[]): Span[] {
  const state = { at: 0, next: 0 };
  const walk = (list: readonly Span[]): Span[] => {
    const out: Span[] = [];
    for (const span of list) {
      if (span.kind === 'text') out.push(...spansOf(overText(span.text, edits, state)));
      else if (span.kind === 'break') {
        const before = overText('\n', edits, state);
        out.push(...spansOf(before));
      } else if (span.kind === 'timestamp' || !isWrapping(span)) out.push(span);
      // The reading of a ruby is not part of the plain text.
      else if (span.kind === 'ruby-text') out.push(span);
      else out.push({ ...span, children: walk(span.children) });
    }
    return out;
  };
  const out = walk(spans);
  // Insertions after the last character.
  out.push(
    ...spansOf(
      edits
        .slice(state.next)
        .map((edit) => edit.text)
        .join(''),
    ),
  );
  return trimmed(out);
}

/**
 * Applies the edits that fall into one run of characters. The new text of an edit is inserted where the edit begins.
 */
function overText(text: string, edits: readonly Edit[], state: { at: number; next: number }): string {
  const end = state.at + text.length;
  let out = '';
  let from = state.at;
  for (let edit = edits[state.next]; edit && edit.from < end; edit = edits[state.next]) {
    if (edit.from >= state.at) out += text.slice(Math.max(0, from - state.at), edit.from - state.at) + edit.text;
    from = Math.max(from, Math.min(edit.to, end));
    // An edit that continues into the next run has written its text already.
    if (edit.to > end) break;
    state.next++;
  }
  out += text.slice(from - state.at);
  state.at = end;
  return out;
}

/** Returns the edits of a rule: each match of the pattern with the text that `replace` returns; undefined leaves it. */
export function replacing(
  text: string,
  pattern: RegExp,
  replace: (found: RegExpExecArray) => string | undefined,
): Edit[] {
  const out: Edit[] = [];
  for (const found of text.matchAll(pattern)) {
    const value = replace(found);
    if (value !== undefined && value !== found[0])
      out.push(narrowed({ from: found.index, to: found.index + found[0].length, text: value }, found[0]));
  }
  return out;
}

/** Returns an edit without the text that is the same at both ends, so that text around the change keeps its tags. */
function narrowed(edit: Edit, old: string): Edit {
  let head = 0;
  const most = Math.min(old.length, edit.text.length);
  while (head < most && old[head] === edit.text[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === edit.text[edit.text.length - 1 - tail]) tail++;
  return { from: edit.from + head, to: edit.to - tail, text: edit.text.slice(head, edit.text.length - tail) };
}

export interface PlainLine {
  text: string;
  /** Offset in the plain text. */
  from: number;
}

/** Splits a plain text into lines. */
export function textLinesIn(text: string): PlainLine[] {
  const out: PlainLine[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    out.push({ text: line, from });
    from += line.length + 1;
  }
  return out;
}

/** Deletes whole lines by their number, breaks included. */
export function withoutLines(text: string, gone: ReadonlySet<number>): Edit[] {
  const lines = textLinesIn(text);
  return lines.flatMap(({ text: line, from }, n) =>
    gone.has(n) ? [{ from, to: Math.min(text.length, from + line.length + 1), text: '' }] : [],
  );
}

/** Whether a cue has visible text. */
export const hasText = (cue: Cue): boolean => /\S/.test(plainText(cue.spans));
