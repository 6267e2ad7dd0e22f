/**
 * Parses untrusted XML to a plain tree. The parser is fast-xml-parser; a first pass in this file refuses every
 * declaration (`<!DOCTYPE`, `<!ENTITY`), unclosed tags, and too deep or too many elements, so that nothing expands and
 * nothing is read twice.
 */
import { xmlParser } from '../../lib/xml/parser.ts';
import { Failure } from '../../lib/failure.ts';
import { unescapeText } from '../formats/entities.ts';

/** An element, or text when `name` is ''. */
export interface XmlNode {
  /** Name without its prefix. */
  name: string;
  text: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly XmlNode[];
}

const LIMITS = { depth: 64, tag: 8192, elements: 400_000 } as const;

const parse = xmlParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  cdataPropName: '#cdata',
  maxNestedTags: LIMITS.depth,
});

/** Returns the root element. Throws `Failure('invalid')` if the text is not plain well-formed XML. */
export function parseXml(text: string): XmlNode {
  checkXml(text);
  let nodes: unknown;
  try {
    nodes = parse(text);
  } catch (cause) {
    throw new Failure('invalid', 'the subtitle is not well-formed XML', { reason: 'subtitle-malformed' }, { cause });
  }
  const root = treeOf(nodes).find((node) => node.name !== '');
  if (!root) throw new Failure('invalid', 'the subtitle is not well-formed XML', { reason: 'subtitle-malformed' });
  return root;
}

/**
 * Throws `Failure('invalid')` on anything but elements, text, comments, CDATA and processing instructions within the
 * limits.
 */
function checkXml(text: string): void {
  let depth = 0;
  let elements = 0;
  for (let at = text.indexOf('<'); at >= 0;) {
    let end: number;
    if (text.startsWith('<!--', at)) end = after(text, '-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) end = after(text, ']]>', at + 9);
    else if (text.startsWith('<?', at)) end = after(text, '?>', at + 2);
    else if (text.startsWith('<!', at))
      throw new Failure('invalid', 'the subtitle declares a document type, which is not allowed', {
        reason: 'subtitle-malformed',
      });
    else {
      end = tagEnd(text, at);
      if (text.charCodeAt(at + 1) === 47) depth--;
      else if (text.charCodeAt(end - 2) !== 47) depth++;
      if (depth > LIMITS.depth || ++elements > LIMITS.elements)
        throw new Failure('invalid', 'the subtitle is too deep or has too many elements', {
          reason: 'subtitle-over-limit',
        });
      if (depth < 0)
        throw new Failure('invalid', 'the subtitle is not well-formed XML', { reason: 'subtitle-malformed' });
    }
    at = text.indexOf('<', end);
  }
  if (depth !== 0)
    throw new Failure('invalid', 'the subtitle is not well-formed XML', { reason: 'subtitle-malformed' });
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new Failure('invalid', 'the subtitle is not well-formed XML', { reason: 'subtitle-malformed' });
  return at + mark.length;
}

function tagEnd(text: string, at: number): number {
  let quote = 0;
  const most = Math.min(text.length, at + LIMITS.tag);
  for (let to = at + 1; to < most; to++) {
    const c = text.charCodeAt(to);
    if (quote !== 0) quote = c === quote ? 0 : quote;
    else if (c === 34 || c === 39) quote = c;
    else if (c === 62) return to + 1;
    else if (c === 60) break;
  }
  throw new Failure('invalid', 'the subtitle is not well-formed XML', { reason: 'subtitle-malformed' });
}

/** Converts the parser's ordered form: `[{ name: children, ':@': attributes }, { '#text': text }]`. */
function treeOf(nodes: unknown): XmlNode[] {
  if (!Array.isArray(nodes)) return [];
  const out: XmlNode[] = [];
  for (const node of nodes as Record<string, unknown>[]) {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (name === undefined) continue;
    const value = node[name];
    if (name === '#text') out.push(textNode(unescapeText(String(value))));
    else if (name === '#cdata') out.push(textNode(rawText(value)));
    else out.push({ name, text: '', attributes: attributesOf(node[':@']), children: treeOf(value) });
  }
  return out;
}

/** Returns the text of a CDATA section, in which `&` is an ordinary character. */
function rawText(nodes: unknown): string {
  if (!Array.isArray(nodes)) return '';
  return (nodes as Record<string, unknown>[])
    .map((node) => (typeof node['#text'] === 'string' ? node['#text'] : ''))
    .join('');
}

function textNode(text: string): XmlNode {
  return { name: '', text, attributes: new Map(), children: [] };
}

function attributesOf(value: unknown): Map<string, string> {
  const out = new Map<string, string>();
  if (value !== null && typeof value === 'object')
    for (const [key, text] of Object.entries(value)) out.set(key, unescapeText(String(text)));
  return out;
}

/** Returns all text of nodes. */
export function textOfNodes(nodes: readonly XmlNode[]): string {
  return nodes.map((node) => (node.name === '' ? node.text : textOfNodes(node.children))).join('');
}
