/**
 * XML of strangers to a plain tree. The parser is fast-xml-parser; this file decides what it is
 * given: a first pass refuses every declaration (`<!DOCTYPE`, `<!ENTITY`), tags without an end,
 * too deep or too many elements, so that nothing expands and nothing is looked at twice.
 */
import { xmlParser } from '../../lib/xml/parser.ts';
import { Failure } from '../../lib/failure.ts';
import { unescapeText } from '../formats/entities.ts';

/** An element, or text when `name` is ''. */
export interface XmlNode {
  /** Without its prefix. */
  name: string;
  text: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly XmlNode[];
}

const MOST = { depth: 64, tag: 8192, elements: 400_000 } as const;

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
  maxNestedTags: MOST.depth,
});

/** The root element. Fails as invalid when the text is not plain well-formed XML. */
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

/** Fails as invalid on anything but elements, text, comments, CDATA and processing instructions, within bounds. */
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
      if (depth > MOST.depth || ++elements > MOST.elements)
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
  const most = Math.min(text.length, at + MOST.tag);
  for (let to = at + 1; to < most; to++) {
    const c = text.charCodeAt(to);
    if (quote !== 0) quote = c === quote ? 0 : quote;
    else if (c === 34 || c === 39) quote = c;
    else if (c === 62) return to + 1;
    else if (c === 60) break;
  }
  throw new Failure('invalid', 'the subtitle is not well-formed XML', { reason: 'subtitle-malformed' });
}

/** The parser's ordered form: `[{ name: children, ':@': attributes }, { '#text': text }]`. */
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

/** The text of a CDATA section, in which `&` is a character like any other. */
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

/** All text of nodes. */
export function textOfNodes(nodes: readonly XmlNode[]): string {
  return nodes.map((node) => (node.name === '' ? node.text : textOfNodes(node.children))).join('');
}
