/**
 * Converts the HTML-like tags of SRT and SAMI and the brace tags that players understand in SRT (`{\an8}`, `{i}`) to
 * spans and back. Unknown tags stay text: people do write `<3`.
 */
import type { Placement, Span } from '../cue.ts';
import type { PartCounter } from '../limits.ts';
import { applyOverrides, newState } from './ass-text.ts';
import { htmlColor } from './color.ts';
import { unescapeText } from './entities.ts';
import { PLAIN, spanBuilder, type Look } from './looks.ts';

/** Known tags without a look: they are dropped, their text stays. */
const SILENT = new Set([
  'span',
  'p',
  'div',
  'c',
  'v',
  'ruby',
  'rt',
  'rp',
  'lang',
  'a',
  'small',
  'big',
  'sub',
  'sup',
  'center',
  'body',
  'sync',
  'sami',
]);
const SWITCHES: Readonly<Record<string, 'bold' | 'italic' | 'underline' | 'strike'>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
};
/** Maximum length of a tag: a closing `>` farther away does not count. */
const LONGEST_TAG = 512;

export interface TaggedText {
  spans: Span[];
  placement?: Placement;
}

/** `entities` and `silentUnknown` are for SAMI: references are decoded, and unknown tags are dropped. */
export function taggedText(
  text: string,
  options: { entities?: boolean; silentUnknown?: boolean; braces?: boolean; count?: PartCounter } = {},
): TaggedText {
  const builder = spanBuilder(options.count);
  const counts = { bold: 0, italic: 0, underline: 0, strike: 0 };
  const colors: (string | undefined)[] = [];
  const overrides = newState(PLAIN);
  const look = (): Look => ({
    bold: counts.bold > 0 || overrides.look.bold,
    italic: counts.italic > 0 || overrides.look.italic,
    underline: counts.underline > 0 || overrides.look.underline,
    strike: counts.strike > 0 || overrides.look.strike,
    color: colors.findLast((color) => color !== undefined) ?? overrides.look.color,
  });
  const write = (piece: string): void => {
    (options.entities ? unescapeText(piece) : piece).split('\n').forEach((line, n) => {
      if (n > 0) builder.break(look());
      builder.text(line, look());
    });
  };
  const tag = (name: string, isEnd: boolean, rest: string): boolean => {
    const kind = Object.hasOwn(SWITCHES, name) ? SWITCHES[name] : undefined;
    if (kind) counts[kind] = Math.max(0, counts[kind] + (isEnd ? -1 : 1));
    else if (name === 'br') builder.break(look());
    else if (name === 'font') {
      if (isEnd) colors.pop();
      else if (colors.length < 64) colors.push(htmlColor(attribute(rest, 'color') ?? ''));
    } else return SILENT.has(name) || options.silentUnknown === true;
    return true;
  };

  let from = 0;
  let at = 0;
  while (at < text.length) {
    const c = text.charCodeAt(at);
    const to = c === 60 ? closing(text, at, 62, 60) : c === 123 && options.braces ? closing(text, at, 125, 123) : -1;
    if (to < 0) {
      at++;
      continue;
    }
    const inside = text.slice(at + 1, to);
    const isTag = c === 60 ? known(inside, options.silentUnknown === true) : /^(?:\\|\/?[biu]$)/.test(inside);
    if (isTag) {
      write(text.slice(from, at));
      if (inside.startsWith('\\')) applyOverrides(overrides, inside);
      else {
        const parsed = /^(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(inside);
        if (parsed) tag((parsed[2] ?? '').toLowerCase(), parsed[1] === '/', inside.slice(parsed[0].length));
      }
      from = to + 1;
    }
    at = isTag ? to + 1 : at + 1;
  }
  write(text.slice(from));
  const placement = overrides.placement();
  return { spans: builder.spans(), ...(placement ? { placement } : {}) };
}

/** Returns the value of an attribute, quoted or not. */
export function attribute(text: string, name: string): string | undefined {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + name.length)) {
    if (at > 0 && /[\w-]/.test(lower.charAt(at - 1))) continue;
    let from = at + name.length;
    while (lower[from] === ' ') from++;
    if (lower[from] !== '=') continue;
    from++;
    while (lower[from] === ' ') from++;
    const quote = text[from];
    if (quote === '"' || quote === "'") {
      const to = text.indexOf(quote, from + 1);
      return text.slice(from + 1, to < 0 ? undefined : to);
    }
    let to = from;
    while (to < text.length && !/[\s>]/.test(text.charAt(to))) to++;
    return text.slice(from, to);
  }
  return undefined;
}

function known(inside: string, allowUnknown: boolean): boolean {
  const name = /^\/?([a-zA-Z][a-zA-Z0-9]*)(?=[\s./>=]|$)/.exec(inside)?.[1]?.toLowerCase();
  if (name === undefined) return allowUnknown && /^[!?/]/.test(inside);
  return allowUnknown || name === 'font' || name === 'br' || Object.hasOwn(SWITCHES, name) || SILENT.has(name);
}

/** Returns where the tag opened at `at` closes, or -1 if another tag opens before. */
function closing(text: string, at: number, close: number, open: number): number {
  const most = Math.min(text.length, at + LONGEST_TAG);
  for (let to = at + 1; to < most; to++) {
    const c = text.charCodeAt(to);
    if (c === close) return to;
    if (c === open) return -1;
  }
  return -1;
}

/** How a format with these tags writes the rest of the text. */
export interface TagStyle {
  /** Returns text in a form that is not read as a tag. */
  text(text: string): string;
  lineBreak: string;
}

/** Tags that are open already. Readers treat italic inside italic as italic once, so it is written once. */
interface Inside {
  tags: readonly string[];
  color?: string;
}

const WRITTEN: Partial<Record<Span['kind'], string>> = { italic: 'i', bold: 'b', underline: 'u', strike: 's' };

/** Writes spans as `<i> <b> <u> <s> <font color>`. */
export function tagged(spans: readonly Span[], style: TagStyle, inside: Inside = { tags: [] }): string {
  return spans.map((span) => spanText(span, style, inside)).join('');
}

function spanText(span: Span, style: TagStyle, inside: Inside): string {
  switch (span.kind) {
    case 'text':
      return style.text(span.text);
    case 'break':
      return style.lineBreak;
    case 'timestamp':
      return '';
    default:
  }
  const tag = WRITTEN[span.kind];
  const color = span.kind === 'color' && /^#[0-9a-f]{6}$/.test(span.color) ? span.color : undefined;
  const inner = tagged(span.children, style, {
    tags: tag === undefined ? inside.tags : [...inside.tags, tag],
    ...((color ?? inside.color) !== undefined && { color: color ?? inside.color ?? '' }),
  });
  if (inner === '') return '';
  if (tag !== undefined) return inside.tags.includes(tag) ? inner : `<${tag}>${inner}</${tag}>`;
  if (color !== undefined) return inside.color === color ? inner : `<font color="${color}">${inner}</font>`;
  return inner;
}
