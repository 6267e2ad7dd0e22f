/**
 * A strict reader of XML 1.0 with namespaces, for documents whose meaning must not depend on the reader.
 *
 * Whatever two readers could understand differently is refused: document types, processing instructions, comments,
 * CDATA sections, unknown entities, repeated attributes, undeclared prefixes, and anything that is not well-formed. One
 * pass over the text; depth, elements, attributes and names are limited. Pure. Throws only `RefusedXml`.
 */

export interface XmlAttribute {
  /** Namespace; empty for an attribute without a prefix. */
  readonly namespace: string;
  readonly local: string;
  readonly value: string;
}

export interface XmlElement {
  readonly namespace: string;
  readonly local: string;
  /** Attributes without declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlNode[];
}
type XmlNode = XmlElement | string;

/** Why a document was refused. `detail` is for the log and holds nothing of the document. */
export class RefusedXml extends Error {
  readonly detail: string;
  constructor(detail: string) {
    super(`the document is not accepted: ${detail}`);
    this.name = 'RefusedXml';
    this.detail = detail;
  }
}
function refuse(detail: string): never {
  throw new RefusedXml(detail);
}

export interface StrictXmlLimits {
  depth: number;
  elements: number;
  /** Comments and processing instructions: refused unless they are skipped. A comment ends no text. */
  asides?: 'refused' | 'skipped';
}

const MAX_ATTRIBUTES = 64;
const MAX_NAME = 128;
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

/** Characters that XML 1.0 does not allow. Half of a surrogate pair cannot come out of valid UTF-8. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
const NAME = /[\p{L}_][\p{L}\p{N}\p{M}_.\u00B7-]*(?::[\p{L}_][\p{L}\p{N}\p{M}_.\u00B7-]*)?/uy;
const SPACE = /[ \t\n]+/y;
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"utf-8"|'utf-8'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/i;
const REFERENCE = /&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));|&/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Returns the text of a document: UTF-8 without a byte order mark, lines ended as XML has them. Throws `RefusedXml` for
 * bytes that are not UTF-8 or more than `maxBytes`.
 */
export function xmlText(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.byteLength > maxBytes) refuse('too large');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, '\n');
  } catch {
    return refuse('not UTF-8');
  }
}

/** Prefixes that are declared at a place in the document, by their own or the default prefix ''. */
type Scope = ReadonlyMap<string, string>;

interface OpenElement {
  name: string;
  element: XmlElement & { children: XmlNode[] };
  scope: Scope;
}

interface Reading {
  text: string;
  at: number;
  limits: StrictXmlLimits;
  open: OpenElement[];
  root: XmlElement | undefined;
  elements: number;
}

/** Returns the root element of a document. `text` comes from `xmlText`. */
export function readStrictXml(text: string, limits: StrictXmlLimits): XmlElement {
  if (FORBIDDEN.test(text)) refuse('a character that XML does not allow');
  const declaration = DECLARATION.exec(text)?.[0] ?? '';
  const reading: Reading = { text, at: declaration.length, limits, open: [], root: undefined, elements: 0 };
  while (reading.at < text.length) {
    const next = text.indexOf('<', reading.at);
    const end = next < 0 ? text.length : next;
    if (end > reading.at) addText(reading, text.slice(reading.at, end));
    reading.at = end;
    if (next >= 0) readMarkup(reading);
  }
  if (reading.open.length > 0) refuse('an element without an end');
  return reading.root ?? refuse('no element');
}

function addText({ open }: Reading, raw: string): void {
  const parent = open.at(-1)?.element;
  if (!parent) {
    if (!/^[ \t\n]*$/.test(raw)) refuse('text outside of the root element');
    return;
  }
  if (raw.includes(']]>')) refuse('the end of a CDATA section without one');
  const text = decoded(raw);
  const last = parent.children.at(-1);
  // A comment that was skipped does not divide a text.
  if (typeof last === 'string') parent.children[parent.children.length - 1] = last + text;
  else parent.children.push(text);
}

/** Replaces references. Only the five entities of XML and characters that it allows are known. */
function decoded(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replaceAll(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : -1;
    const isCharacter = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    const character = isCharacter ? String.fromCodePoint(code) : refuse('an unknown reference');
    return FORBIDDEN.test(character) ? refuse('a character that XML does not allow') : character;
  });
}

function readMarkup(reading: Reading): void {
  const { text, at, limits } = reading;
  const after = text[at + 1];
  if (after === '/') return readEnd(reading);
  if (after !== '!' && after !== '?') return readStart(reading);
  const isComment = text.startsWith('<!--', at);
  if (after === '!' && !isComment) refuse(text.startsWith('<![CDATA[', at) ? 'a CDATA section' : 'a document type');
  const what = isComment ? 'a comment' : 'a processing instruction';
  if (limits.asides !== 'skipped' || /^<\?xml[ \t\n?]/i.test(text.slice(at, at + 6))) refuse(what);
  const end = isComment ? text.indexOf('--', at + 4) : text.indexOf('?>', at + 2);
  if (end < 0 || (isComment && text[end + 2] !== '>')) refuse(`${what} without an end`);
  reading.at = end + (isComment ? 3 : 2);
}

function readEnd(reading: Reading): void {
  reading.at += 2;
  const name = nameAt(reading);
  skipSpace(reading);
  if (reading.text[reading.at] !== '>') refuse('an end tag that is not well-formed');
  reading.at += 1;
  if (reading.open.pop()?.name !== name) refuse('an end tag without its start');
}

function readStart(reading: Reading): void {
  const { open, limits } = reading;
  if (open.length === 0 && reading.root) refuse('a second root element');
  if (open.length >= limits.depth) refuse('too deep');
  if (++reading.elements > limits.elements) refuse('too many elements');
  reading.at += 1;
  const name = nameAt(reading);
  const raw = attributesAt(reading);
  const isEmpty = reading.text[reading.at] === '/';
  if (isEmpty) reading.at += 1;
  if (reading.text[reading.at] !== '>') refuse('a start tag that is not well-formed');
  reading.at += 1;
  const parent = open.at(-1);
  const scope = scopeOf(parent?.scope ?? new Map([['xml', XML_NAMESPACE]]), raw);
  const made = { ...qualified(name, scope, true), attributes: attributesOf(raw, scope), children: [] as XmlNode[] };
  if (parent) parent.element.children.push(made);
  else reading.root = made;
  if (!isEmpty) open.push({ name, element: made, scope });
}

function nameAt(reading: Reading): string {
  NAME.lastIndex = reading.at;
  const name = NAME.exec(reading.text)?.[0];
  if (name === undefined || name.length > MAX_NAME) return refuse('a name that is not well-formed');
  reading.at += name.length;
  return name;
}

/** Skips white space; returns whether there was any. */
function skipSpace(reading: Reading): boolean {
  SPACE.lastIndex = reading.at;
  const space = SPACE.exec(reading.text)?.[0] ?? '';
  reading.at += space.length;
  return space !== '';
}

/** Reads attributes up to the end of a start tag. */
function attributesAt(reading: Reading): ReadonlyMap<string, string> {
  const { text } = reading;
  const raw = new Map<string, string>();
  for (;;) {
    const hasSpace = skipSpace(reading);
    if (text[reading.at] === '>' || text[reading.at] === '/' || reading.at >= text.length) return raw;
    if (!hasSpace) refuse('attributes without a space between them');
    const name = nameAt(reading);
    skipSpace(reading);
    if (text[reading.at] !== '=') refuse('an attribute without a value');
    reading.at += 1;
    skipSpace(reading);
    const quote = text[reading.at];
    if (quote !== '"' && quote !== "'") refuse('an attribute without quotes');
    const end = text.indexOf(quote ?? '', reading.at + 1);
    const value = end < 0 ? refuse('an attribute without an end') : text.slice(reading.at + 1, end);
    if (value.includes('<')) refuse('an attribute that is not well-formed');
    if (raw.has(name)) refuse('an attribute twice');
    if (raw.size >= MAX_ATTRIBUTES) refuse('too many attributes');
    raw.set(name, decoded(value.replaceAll(/[\t\n]/g, ' ')));
    reading.at = end + 1;
  }
}

/** Returns the prefixes inside an element: those around it, with its own declarations. */
function scopeOf(around: Scope, raw: ReadonlyMap<string, string>): Scope {
  let scope: Map<string, string> | undefined;
  for (const [name, value] of raw) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    const prefix = name === 'xmlns' ? '' : name.slice(6);
    const isReserved = prefix === 'xml' || prefix === 'xmlns' || value === XML_NAMESPACE || value === XMLNS_NAMESPACE;
    if (isReserved) refuse('a reserved prefix');
    if (prefix !== '' && value === '') refuse('a prefix without a namespace');
    scope ??= new Map(around);
    scope.set(prefix, value);
  }
  return scope ?? around;
}

function qualified(name: string, scope: Scope, isElement: boolean): { namespace: string; local: string } {
  const colon = name.indexOf(':');
  if (colon < 0) return { namespace: isElement ? (scope.get('') ?? '') : '', local: name };
  const prefix = name.slice(0, colon);
  return { namespace: scope.get(prefix) ?? refuse('a prefix that is not declared'), local: name.slice(colon + 1) };
}

function attributesOf(raw: ReadonlyMap<string, string>, scope: Scope): XmlAttribute[] {
  const attributes: XmlAttribute[] = [];
  for (const [name, value] of raw) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
    const { namespace, local } = qualified(name, scope, false);
    if (attributes.some((one) => one.local === local && one.namespace === namespace)) refuse('an attribute twice');
    attributes.push({ namespace, local, value });
  }
  return attributes;
}

const isXmlElement = (node: XmlNode): node is XmlElement => typeof node !== 'string';

/** Returns the child elements, in their order. */
export const xmlChildren = ({ children }: XmlElement): XmlElement[] => children.filter(isXmlElement);

/** Returns the child elements of a name. */
export const xmlChildrenNamed = (from: XmlElement, namespace: string, local: string): XmlElement[] =>
  xmlChildren(from).filter((one) => one.local === local && one.namespace === namespace);

/** Returns the value of an attribute without a prefix. */
export const xmlAttribute = ({ attributes }: XmlElement, local: string): string | undefined =>
  attributes.find((one) => one.namespace === '' && one.local === local)?.value;

/** Returns the text of an element; undefined for one that has elements in it. */
export function xmlContent({ children }: XmlElement): string | undefined {
  const texts = children.filter((one) => typeof one === 'string');
  return texts.length === children.length ? texts.join('') : undefined;
}

/** Calls back for an element and for each below it, in the order of the document. */
export function visitXml(from: XmlElement, visit: (one: XmlElement) => void): void {
  const stack = [from];
  for (let next = stack.pop(); next; next = stack.pop()) {
    visit(next);
    stack.push(...xmlChildren(next).reverse());
  }
}
