/**
 * Text with switches (bold on, italic off) to a tree of spans. SRT, ASS, MicroDVD and SAMI switch;
 * their tags need not nest. The tree has one fixed order of nesting and so at most five levels.
 */
import type { Span } from '../cue.ts';

export interface Look {
  bold: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  /** `#rrggbb`. */
  color?: string | undefined;
}

export const PLAIN: Look = { bold: false, italic: false, underline: false, strike: false };

export interface SpanBuilder {
  text(text: string, look: Look): void;
  break(look: Look): void;
  spans(): Span[];
}

type Wrapper = { key: string; children: Span[] };

export function spanBuilder(): SpanBuilder {
  const root: Span[] = [];
  const open: Wrapper[] = [];
  const enter = (look: Look): Span[] => {
    const wanted = wrappersOf(look);
    let same = 0;
    while (same < open.length && open[same]?.key === wanted[same]) same++;
    open.length = same;
    for (const key of wanted.slice(same)) {
      const children: Span[] = [];
      (open.at(-1)?.children ?? root).push(key.startsWith('#') ? { kind: 'color', color: key, children } : { kind: key as 'bold', children });
      open.push({ key, children });
    }
    return open.at(-1)?.children ?? root;
  };
  return {
    text(text, look) {
      if (!text) return;
      const into = enter(look);
      const last = into.at(-1);
      if (last?.kind === 'text') into[into.length - 1] = { kind: 'text', text: last.text + text };
      else into.push({ kind: 'text', text });
    },
    break(look) {
      enter(look).push({ kind: 'break' });
    },
    spans: () => trimmed(root),
  };
}

function wrappersOf(look: Look): string[] {
  const out: string[] = [];
  if (look.bold) out.push('bold');
  if (look.italic) out.push('italic');
  if (look.underline) out.push('underline');
  if (look.strike) out.push('strike');
  if (look.color) out.push(look.color);
  return out;
}

/** Without line breaks and empty wrappers at both ends, and without empty lines between. */
export function trimmed(spans: readonly Span[]): Span[] {
  const state = { atStart: true, pending: [] as { list: Span[]; at: number }[] };
  const copy = (list: readonly Span[]): Span[] => {
    const out: Span[] = [];
    for (const span of list) {
      if (span.kind === 'break') {
        // A break counts only between texts, and one is enough.
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
