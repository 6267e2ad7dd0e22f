/**
 * A bounded reader of XML and XHTML that returns a tree.
 *
 * It is tolerant, because books contain markup that no XML parser accepts: an element that is not closed ends with its
 * parent, and an end tag without a start is ignored. Document types, entity declarations and processing instructions
 * are skipped, so nothing is ever expanded or fetched. One pass over the text; depth, attributes, size and elements are
 * limited. Throws only `MarkupTooLarge`, beyond the last two.
 */
import { decodeReferences } from './entities.ts';

export interface MarkupElement {
  /** Name as written, with its prefix. */
  name: string;
  /** Name in lower case, without its prefix. */
  local: string;
  attributes: ReadonlyMap<string, string>;
  children: MarkupNode[];
}
export type MarkupNode = MarkupElement | string;

export class MarkupTooLarge extends Error {}

export interface MarkupLimits {
  characters: number;
  elements: number;
}
const DEFAULT_LIMITS: MarkupLimits = { characters: 4 * 1024 * 1024, elements: 200_000 };
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 64;

/** Elements of HTML that have no end tag. */
export const VOID: ReadonlySet<string> = new Set(
  'area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose content is text up to their end tag. In XML it would be markup, so both are read alike: as text. */
const RAW: ReadonlySet<string> = new Set(['script', 'style']);
const ENDED_BY_NEXT: ReadonlySet<string> = new Set(['p', 'li', 'tr', 'td', 'th', 'dt', 'dd']);
const NAME = /[\p{L}_][\p{L}\p{N}_.:-]{0,99}/uy;
const SPACE = /[\s/]+/y;
/** A value in double or single quotes, or without. */
const VALUE = /\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`=]+))/y;

interface Reading {
  text: string;
  root: MarkupElement;
  open: MarkupElement[];
  limits: MarkupLimits;
  elements: number;
  isHtml: boolean;
}

const element = (name: string, attributes: ReadonlyMap<string, string> = new Map()): MarkupElement => ({
  name,
  local: name.slice(name.indexOf(':') + 1).toLowerCase(),
  attributes,
  children: [],
});

/**
 * Returns an element without a name that has the nodes of the document as children. `isHtml`: elements such as `br`
 * need no end, and styles and scripts contain text.
 */
export function readMarkup(
  text: string,
  { isHtml = false, limits = DEFAULT_LIMITS }: { isHtml?: boolean; limits?: MarkupLimits } = {},
): MarkupElement {
  if (text.length > limits.characters) throw new MarkupTooLarge('the document is too long');
  const root = element('');
  const reading: Reading = { text, root, open: [root], limits, elements: 0, isHtml };
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    if (next !== at) addText(reading, decodeReferences(text.slice(at, next < 0 ? text.length : next)));
    if (next < 0) break;
    at = markup(reading, next);
  }
  return root;
}

const parentOf = ({ open, root }: Reading): MarkupElement => open.at(-1) ?? root;

function addText(reading: Reading, text: string): void {
  if (text !== '') parentOf(reading).children.push(text);
}

/** Reads what starts with `<`, and returns the position after it. */
function markup(reading: Reading, at: number): number {
  const { text } = reading;
  const after = (end: string, from: number): number => {
    const found = text.indexOf(end, from);
    return found < 0 ? text.length : found + end.length;
  };
  if (text.startsWith('<!--', at)) return after('-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) {
    const end = after(']]>', at + 9);
    addText(reading, text.slice(at + 9, text.endsWith(']]>', end) ? end - 3 : end));
    return end;
  }
  if (text.startsWith('<?', at)) return after('>', at + 2);
  if (text.startsWith('<!', at)) return declaration(text, at);
  if (text[at + 1] === '/') {
    const end = after('>', at + 2);
    close(reading, text.slice(at + 2, end - 1).trim());
    return end;
  }
  return opening(reading, at);
}

/** Skips a document type with its internal subset. */
function declaration(text: string, at: number): number {
  const end = text.indexOf('>', at);
  if (end < 0) return text.length;
  const subset = at + text.slice(at, end).indexOf('[');
  if (subset < at) return end + 1;
  const closing = text.indexOf(']', subset);
  const last = closing < 0 ? -1 : text.indexOf('>', closing);
  return last < 0 ? text.length : last + 1;
}

function close({ open }: Reading, name: string): void {
  const from = open.findLastIndex((one, at) => at > 0 && one.name === name);
  if (from > 0) open.length = from;
}

function opening(reading: Reading, at: number): number {
  const { text, open, limits, isHtml } = reading;
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) {
    addText(reading, '<');
    return at + 1;
  }
  const { attributes, end, isEmpty } = attributesAt(text, at + 1 + name.length);
  const made = element(name, attributes);
  // In HTML the next paragraph ends the one before it.
  if (isHtml && ENDED_BY_NEXT.has(made.local) && parentOf(reading).local === made.local) open.pop();
  if (++reading.elements > limits.elements) throw new MarkupTooLarge('the document has too many elements');
  parentOf(reading).children.push(made);
  if (isEmpty || (isHtml && VOID.has(made.local))) return end;
  if (isHtml && RAW.has(made.local)) return rawContent(text, made, end);
  // Elements beyond that depth are read as siblings.
  if (open.length < MAX_DEPTH) open.push(made);
  return end;
}

function rawContent(text: string, to: MarkupElement, from: number): number {
  const end = new RegExp(`</${to.name.replaceAll(/[^\w:-]/g, '.')}`, 'gi');
  end.lastIndex = from;
  const found = end.exec(text)?.index ?? text.length;
  const content = text.slice(from, found);
  if (content !== '') to.children.push(content.replaceAll(/<!\[CDATA\[|\]\]>|<!--|-->/g, ''));
  const closed = text.indexOf('>', found);
  return closed < 0 ? text.length : closed + 1;
}

function attributesAt(
  text: string,
  from: number,
): { attributes: ReadonlyMap<string, string>; end: number; isEmpty: boolean } {
  const attributes = new Map<string, string>();
  let at = from;
  while (at < text.length) {
    SPACE.lastIndex = at;
    const space = SPACE.exec(text)?.[0] ?? '';
    at += space.length;
    if (text[at] === '>') return { attributes, end: at + 1, isEmpty: space.endsWith('/') };
    // A tag that another one interrupts ends there.
    if (text[at] === '<') return { attributes, end: at, isEmpty: false };
    NAME.lastIndex = at;
    const name = NAME.exec(text)?.[0];
    if (name === undefined) {
      at += 1;
      continue;
    }
    at += name.length;
    VALUE.lastIndex = at;
    const value = VALUE.exec(text);
    if (value) at += value[0].length;
    if (attributes.size < MAX_ATTRIBUTES && !attributes.has(name))
      attributes.set(name, decodeReferences(value?.[1] ?? value?.[2] ?? value?.[3] ?? ''));
  }
  return { attributes, end: text.length, isEmpty: true };
}

export const isElement = (node: MarkupNode): node is MarkupElement => typeof node !== 'string';

/** Returns the first element below `from`, in document order, that `test` accepts. */
export function findElement(from: MarkupElement, test: (one: MarkupElement) => boolean): MarkupElement | undefined {
  const stack = from.children.filter(isElement).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (test(next)) return next;
    for (let at = next.children.length - 1; at >= 0; at--) {
      const child = next.children[at];
      if (child !== undefined && isElement(child)) stack.push(child);
    }
  }
  return undefined;
}

/** Returns the child elements with a local name, in lower case. */
export const childrenNamed = ({ children }: MarkupElement, local: string): MarkupElement[] =>
  children.filter(isElement).filter((child) => child.local === local);

/** Returns the text of an element and of all below it, with its white space collapsed. */
export function elementText(from: MarkupElement, maxLength = 4096): string {
  const parts: string[] = [];
  let length = 0;
  const stack: MarkupNode[] = [from];
  for (let next = stack.pop(); next !== undefined && length < maxLength; next = stack.pop()) {
    if (!isElement(next)) {
      parts.push(next);
      length += next.length;
      continue;
    }
    for (let at = next.children.length - 1; at >= 0; at--) stack.push(next.children[at] ?? '');
  }
  return parts.join('').replaceAll(/\s+/g, ' ').trim().slice(0, maxLength);
}
