/**
 * Converts text with style switches (bold on, italic off) to a tree of spans and back. SRT, ASS, MicroDVD and SAMI have
 * switches, and their tags need not nest. The tree has one fixed order of nesting and so at most seven levels.
 */
import type { Span } from '../cue.ts';
import { partCounter, type PartCounter } from '../limits.ts';

export interface Look {
  bold: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  /** `#rrggbb`. */
  color?: string | undefined;
  /** TTML: text with ruby over it, or the ruby text itself. */
  ruby?: 'base' | 'text' | undefined;
}

export const PLAIN: Look = { bold: false, italic: false, underline: false, strike: false };

export interface SpanBuilder {
  text(text: string, look: Look): void;
  break(look: Look): void;
  spans(): Span[];
}

type Wrapping = Extract<Span, { children: readonly Span[] }>;
type Wrapper = { key: string; children: Span[] };

/** `count` is called with each part; those of a document share one. */
export function spanBuilder(count: PartCounter = partCounter()): SpanBuilder {
  const root: Span[] = [];
  const open: Wrapper[] = [];
  const enter = (look: Look): Span[] => {
    const wanted = wrappersOf(look);
    let same = 0;
    while (same < open.length && open[same]?.key === wanted[same]) same++;
    open.length = same;
    for (const key of wanted.slice(same)) {
      const children: Span[] = [];
      (open.at(-1)?.children ?? root).push(
        key.startsWith('#') ? { kind: 'color', color: key, children } : { kind: key as 'bold', children },
      );
      open.push({ key, children });
    }
    return open.at(-1)?.children ?? root;
  };
  return {
    text(text, look) {
      if (!text) return;
      const into = enter(look);
      const last = into.at(-1);
      if (last?.kind !== 'text') count();
      if (last?.kind === 'text') into[into.length - 1] = { kind: 'text', text: last.text + text };
      else into.push({ kind: 'text', text });
    },
    break(look) {
      count();
      enter(look).push({ kind: 'break' });
    },
    spans: () => trimmed(root),
  };
}

/** Run of text with its look. */
export interface TextRun {
  text: string;
  look: Look;
}

/** One line, and the look at its beginning if it was broken off the line above. */
export interface TextLine {
  runs: readonly TextRun[];
  at: Look;
}

/** Returns spans as lines of runs, for formats without a tree. Voices, languages and times inside the text are lost. */
export function runsOf(spans: readonly Span[]): TextLine[] {
  let runs: TextRun[] = [];
  const lines: TextLine[] = [{ runs, at: PLAIN }];
  const walk = (list: readonly Span[], look: Look): void => {
    for (const span of list) {
      if (span.kind === 'text') runs.push({ text: span.text, look });
      else if (span.kind === 'break') lines.push({ runs: (runs = []), at: look });
      else if (span.kind !== 'timestamp') walk(span.children, lookIn(span, look));
    }
  };
  walk(spans, PLAIN);
  return lines;
}

/** Writes ruby text in parentheses after its base, as people write it by hand. */
export function withoutRuby(lines: readonly TextLine[]): TextLine[] {
  const plain = ({ ruby: _, ...look }: Look): Look => look;
  return lines.map(({ runs, at }) => ({
    at: plain(at),
    runs: runs.map(({ text, look }, n) => {
      const isReading = look.ruby === 'text';
      const opens = isReading && runs[n - 1]?.look.ruby !== 'text' ? '(' : '';
      const closes = isReading && runs[n + 1]?.look.ruby !== 'text' ? ')' : '';
      return { text: opens + text + closes, look: plain(look) };
    }),
  }));
}

function lookIn(span: Wrapping, look: Look): Look {
  switch (span.kind) {
    case 'bold':
    case 'italic':
    case 'underline':
    case 'strike':
      return { ...look, [span.kind]: true };
    case 'color':
      return /^#[0-9a-f]{6}$/.test(span.color) ? { ...look, color: span.color } : look;
    case 'ruby':
      return { ...look, ruby: 'base' };
    case 'ruby-text':
      return { ...look, ruby: 'text' };
    default:
      return look;
  }
}

/**
 * Returns spans in the fixed order of nesting and without ruby, so that equal looks are written alike. Marks that only
 * WebVTT has are removed.
 */
export const canonicalSpans = (spans: readonly Span[]): Span[] => spansOfRuns(withoutRuby(runsOf(spans)));

/** Returns lines of runs as spans. */
export function spansOfRuns(lines: readonly TextLine[]): Span[] {
  const builder = spanBuilder();
  lines.forEach(({ runs, at }, n) => {
    if (n > 0) builder.break(at);
    for (const { text, look } of runs) builder.text(text, look);
  });
  return builder.spans();
}

function wrappersOf(look: Look): string[] {
  const out: string[] = [];
  if (look.ruby) out.push('ruby');
  if (look.ruby === 'text') out.push('ruby-text');
  if (look.bold) out.push('bold');
  if (look.italic) out.push('italic');
  if (look.underline) out.push('underline');
  if (look.strike) out.push('strike');
  if (look.color) out.push(look.color);
  return out;
}

/** Returns spans without line breaks and empty wrappers at both ends, and without empty lines between. */
export function trimmed(spans: readonly Span[]): Span[] {
  const state = { atStart: true, pending: [] as { list: Span[]; at: number }[] };
  const copy = (list: readonly Span[]): Span[] => {
    const out: Span[] = [];
    for (const span of list) {
      if (span.kind === 'break') {
        // A break counts only between texts; several count as one.
        if (!state.atStart && state.pending.length === 0) {
          state.pending.push({ list: out, at: out.length });
          out.push(span);
        }
      } else if (span.kind === 'text') {
        if (span.text) {
          out.push(span);
          state.atStart = false;
          state.pending = [];
        }
      } else if (span.kind === 'timestamp') out.push(span);
      else {
        const children = copy(span.children);
        if (children.length > 0) out.push({ ...span, children });
      }
    }
    return out;
  };
  const out = copy(spans);
  const last = state.pending[0];
  if (last) {
    last.list.splice(last.at, 1);
    return withoutEmpty(out);
  }
  return out;
}

function withoutEmpty(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    if (!('children' in span)) out.push(span);
    else {
      const children = withoutEmpty(span.children);
      if (children.length > 0) out.push({ ...span, children });
    }
  }
  return out;
}
