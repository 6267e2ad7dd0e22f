/**
 * Parses WebVTT cue text to a tree of spans. Source: W3C WebVTT, sections 6.4 and 6.5: the tokenizer as a state
 * machine, and the tree built from its tokens.
 *
 * Promises: linear, and no deeper than `DEEPEST` (a tag below that is dropped and its text kept).
 */
import { DEEPEST, type Span } from '../cue.ts';
import { partCounter, type PartCounter } from '../limits.ts';
import { reference, unescapeText } from '../formats/entities.ts';
import { timestampAt } from './settings.ts';

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'start'; name: string; classes: string[]; annotation: string }
  | { kind: 'end'; name: string }
  | { kind: 'timestamp'; text: string };

/** Returns every token of a cue's text. */
export function tokens(text: string, count: PartCounter = partCounter()): Token[] {
  const out: Token[] = [];
  let at = 0;
  let from = 0;
  let pieces: string[] = [];
  const flush = (): void => {
    const whole = pieces.join('') + text.slice(from, at);
    if (whole) out.push({ kind: 'text', text: whole });
    pieces = [];
  };
  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c === 38) {
      const found = reference(text, at);
      pieces.push(text.slice(from, at), found.text);
      at = from = at + found.length;
    } else if (c === 60) {
      flush();
      count();
      const tag = tagAt(text, at + 1);
      out.push(tag.token);
      at = from = tag.end;
    } else at++;
  }
  flush();
  return out;
}

/**
 * Returns the tree. `bad` is called with tags that have no meaning here, and `count` with each part of the text.
 */
export function cueText(
  text: string,
  bad: (what: string) => void = () => {},
  count: PartCounter = partCounter(),
): Span[] {
  const root: Span[] = [];
  // If a tag is too deep or unknown to the model, its children are those of its parent.
  const stack: { name: string; children: Span[] }[] = [];
  const current = (): Span[] => stack.at(-1)?.children ?? root;
  for (const token of tokens(text, count)) {
    if (token.kind === 'text') addText(current(), token.text, count);
    else if (token.kind === 'timestamp') {
      const time = timestampAt(token.text, 0);
      if (time?.end === token.text.length) current().push({ kind: 'timestamp', at: time.time });
      else bad('a timestamp');
    } else if (token.kind === 'end') {
      const top = stack.at(-1)?.name;
      if (top !== undefined && top === token.name) stack.pop();
      else if (top === 'rt' && token.name === 'ruby') stack.length -= 2;
      else bad('an end tag');
    } else {
      const children: Span[] = [];
      const span = spanOf(token, children, stack.at(-1)?.name);
      if (!span) bad('a tag');
      else if (stack.length >= DEEPEST - 1) stack.push({ name: token.name, children: current() });
      else {
        current().push(span);
        stack.push({ name: token.name, children });
      }
    }
  }
  return root;
}

function spanOf(
  token: Extract<Token, { kind: 'start' }>,
  children: Span[],
  parent: string | undefined,
): Span | undefined {
  const classes = token.classes.length > 0 ? { classes: token.classes } : {};
  switch (token.name) {
    case 'c':
      return { kind: 'class', ...classes, children };
    case 'i':
      return { kind: 'italic', ...classes, children };
    case 'b':
      return { kind: 'bold', ...classes, children };
    case 'u':
      return { kind: 'underline', ...classes, children };
    case 'ruby':
      return { kind: 'ruby', ...classes, children };
    case 'rt':
      return parent === 'ruby' ? { kind: 'ruby-text', ...classes, children } : undefined;
    case 'v':
      return { kind: 'voice', name: token.annotation, ...classes, children };
    case 'lang':
      return { kind: 'language', language: token.annotation, ...classes, children };
    default:
      return undefined;
  }
}

function addText(into: Span[], text: string, count: PartCounter): void {
  text.split('\n').forEach((line, n) => {
    count();
    if (n > 0) into.push({ kind: 'break' });
    const last = into.at(-1);
    if (line && last?.kind === 'text') into[into.length - 1] = { kind: 'text', text: last.text + line };
    else if (line) into.push({ kind: 'text', text: line });
  });
}

/** Reads the tag whose first character (after `<`) is at `at`: the tokenizer's tag states. */
function tagAt(text: string, at: number): { token: Token; end: number } {
  const c = text[at];
  if (c === '/') {
    const to = untilClose(text, at + 1);
    return { token: { kind: 'end', name: text.slice(at + 1, to.at) }, end: to.next };
  }
  if (c !== undefined && c >= '0' && c <= '9') {
    const to = untilClose(text, at);
    return { token: { kind: 'timestamp', text: text.slice(at, to.at) }, end: to.next };
  }
  return startTagAt(text, at);
}

function startTagAt(text: string, at: number): { token: Token; end: number } {
  let to = at;
  const isName = (c: number): boolean =>
    !Number.isNaN(c) && c !== 9 && c !== 10 && c !== 12 && c !== 32 && c !== 46 && c !== 62;
  while (isName(text.charCodeAt(to))) to++;
  const name = text.slice(at, to);
  const classes: string[] = [];
  while (text[to] === '.') {
    const from = ++to;
    while (isName(text.charCodeAt(to))) to++;
    if (to > from) classes.push(text.slice(from, to));
  }
  const close = untilClose(text, to);
  const annotation = unescapeText(text.slice(to, close.at))
    .split(/[\t\n\f\r ]+/)
    .filter((word) => word !== '')
    .join(' ');
  return { token: { kind: 'start', name, classes, annotation }, end: close.next };
}

/** Finds the next `>` from `at` on, or the end of the text. */
function untilClose(text: string, at: number): { at: number; next: number } {
  const close = text.indexOf('>', at);
  return close < 0 ? { at: text.length, next: text.length } : { at: close, next: close + 1 };
}
