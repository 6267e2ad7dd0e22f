/**
 * Checks a small XML text strictly before any parser reads it: one pass, nothing expanded, nothing kept.
 *
 * Refused: a document type, an entity declaration, a processing instruction other than the declaration at the front,
 * more than 64 levels, 64 attributes on an element or 20,000 elements, tags that do not match, names with a meaning in
 * JavaScript objects. Several roots in a row are allowed, since NFO files of several episodes have them, and so is text
 * around them, which is returned.
 */
export type XmlScan =
  | { ok: true; roots: { name: string; start: number; end: number }[]; outside: string }
  | { ok: false; reason: string };

export const MAX_DEPTH = 64;
export const MAX_ATTRIBUTES = 64;
const MAX_ELEMENTS = 20_000;
const MAX_NAME_LENGTH = 100;
const NAME = /[A-Za-z_][\w.:-]{0,99}/y;
const RESERVED = new Set(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf']);

interface Walk {
  text: string;
  open: string[];
  roots: { name: string; start: number; end: number }[];
  outside: string[];
  elements: number;
  rootStart: number;
}

/** Scans `text`; offsets are UTF-16 units. Never throws. */
export function scanXml(text: string): XmlScan {
  const walk: Walk = { text, open: [], roots: [], outside: [], elements: 0, rootStart: 0 };
  let at = /^\s{0,100}<\?xml\s[^<>]{0,200}\?>/.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    if (walk.open.length === 0) walk.outside.push(text.slice(at, next < 0 ? text.length : next));
    if (next < 0) break;
    const step = markup(walk, next);
    if (typeof step === 'string') return { ok: false, reason: step };
    at = step;
  }
  return walk.open.length > 0
    ? { ok: false, reason: 'an element is not closed' }
    : { ok: true, roots: walk.roots, outside: walk.outside.join(' ') };
}

/** Reads a tag, comment or section that starts with `<`. Returns its end, or why it is refused. */
function markup(walk: Walk, at: number): number | string {
  const { text } = walk;
  const skip = (start: string, end: string): number => {
    const to = text.indexOf(end, at + start.length);
    return to < 0 ? -1 : to + end.length;
  };
  if (text.startsWith('<!--', at)) return ended(skip('<!--', '-->'));
  if (text.startsWith('<![CDATA[', at))
    return walk.open.length === 0 ? 'text was found instead of an element' : ended(skip('<![CDATA[', ']]>'));
  if (text.startsWith('<!', at)) return 'a document type or a declaration is not allowed';
  if (text.startsWith('<?', at)) return 'a processing instruction is not allowed';
  return text[at + 1] === '/' ? closing(walk, at) : opening(walk, at);
}

const ended = (at: number): number | string => (at < 0 ? 'a comment or text section is not closed' : at);

function closing(walk: Walk, at: number): number | string {
  const name = nameAt(walk.text, at + 2);
  const end = walk.text.indexOf('>', at);
  if (name === '' || end < 0 || walk.text.slice(at + 2 + name.length, end).trim() !== '' || walk.open.pop() !== name)
    return 'the tags do not match';
  if (walk.open.length === 0) walk.roots.push({ name, start: walk.rootStart, end: end + 1 });
  return end + 1;
}

function opening(walk: Walk, start: number): number | string {
  const { text } = walk;
  const name = nameAt(text, start + 1);
  if (name === '' || name.length >= MAX_NAME_LENGTH || RESERVED.has(name)) return 'a tag has no proper name';
  if (++walk.elements > MAX_ELEMENTS) return 'there are too many elements';
  if (walk.open.length >= MAX_DEPTH) return 'the elements are nested too deeply';
  if (walk.open.length === 0) walk.rootStart = start;
  const inside = attributes(text, start + 1 + name.length);
  if (typeof inside === 'string') return inside;
  if (!inside.isEmpty) walk.open.push(name);
  else if (walk.open.length === 0) walk.roots.push({ name, start, end: inside.end });
  return inside.end;
}

/** Reads `a="b" c='d'` up to `>` or `/>`. */
function attributes(text: string, from: number): { end: number; isEmpty: boolean } | string {
  const seen = new Set<string>();
  for (let at = from; ;) {
    const gap = spaces(text, at);
    if (text[gap] === '>') return { end: gap + 1, isEmpty: false };
    if (text[gap] === '/' && text[gap + 1] === '>') return { end: gap + 2, isEmpty: true };
    const name = nameAt(text, gap);
    if (gap === at || name === '' || RESERVED.has(name) || seen.has(name)) return 'a tag is not well formed';
    seen.add(name);
    if (seen.size > MAX_ATTRIBUTES) return 'an element has too many attributes';
    const sign = spaces(text, gap + name.length);
    const mark = spaces(text, sign + 1);
    const quote = text[mark];
    const end = text[sign] === '=' && (quote === '"' || quote === "'") ? text.indexOf(quote, mark + 1) : -1;
    if (end < 0 || text.slice(mark, end).includes('<')) return 'an attribute is not well formed';
    at = end + 1;
  }
}

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? '';
}

function spaces(text: string, at: number): number {
  let to = at;
  while (to < text.length && ' \t\r\n'.includes(text[to] ?? '.')) to++;
  return to;
}
