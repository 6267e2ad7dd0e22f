/** The syntax of sources, for the rules that read it. A source is parsed once, although several rules read it. */
import { parseSync, visitorKeys } from 'oxc-parser';

export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export interface ParsedSource {
  program: SyntaxNode;
  comments: readonly { type: string; value: string; start: number; end: number }[];
}

export const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** Returns the nodes directly below a node, in the order of the source. Throws if the parser does not know its type. */
export function nodesBelow(node: SyntaxNode): SyntaxNode[] {
  const keys = visitorKeys[node.type];
  if (keys === undefined) throw new Error(`${node.type} is no node of the parser`);
  const found: SyntaxNode[] = [];
  for (const key of keys) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const one of value) if (isSyntaxNode(one)) found.push(one);
    } else if (isSyntaxNode(value)) found.push(value);
  }
  return found;
}

const parses = new Map<string, ParsedSource>();
/** Parses a source. `file` only says which language it is. */
export function parseSource(file: string, text: string): ParsedSource {
  const key = `${file.split('.').at(-1)} ${text}`;
  const known = parses.get(key);
  if (known) return known;
  const { program, comments } = parseSync(file, text);
  const made = { program: program as unknown as SyntaxNode, comments };
  parses.set(key, made);
  return made;
}
