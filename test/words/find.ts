/**
 * Finds the words in the dashboard's code that no message holds: text between tags, and strings that read like
 * something for a person. The test of the catalogue counts them per folder; `node test/words/find.ts [folder]` lists
 * them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

export const WEB = join(import.meta.dirname, '../../src/web');

export interface FoundWords {
  /** Relative to the dashboard's folder. */
  file: string;
  line: number;
  kind: 'text' | 'string' | 'template';
  start: number;
  end: number;
  /** Its code as written. */
  source: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Attributes whose strings are for the program, not for a person. */
const PLAIN_ATTRIBUTES =
  /^(class(Name)?|id|type|role|href|src|rel|lang|dir|look|tone|as|kind|autoComplete|inputMode|enterKeyHint|method|target|key|d|viewBox|fill|stroke|points|transform|data-.*|aria-(live|haspopup|current|hidden|controls|labelledby|describedby|orientation|pressed|autocomplete|sort|relevant))$/;
/** Keys of objects that hold such strings. */
const PLAIN_KEYS =
  /^(className|role|type|method|dir|position|display|behavior|block|tone|look|as|font|fontFamily|cursor|transform)$/;
/** Functions whose strings are for the program or its developers. */
const PLAIN_CALLS =
  /^(Error|TypeError|RangeError|URL|RegExp|cx|createStore|addEventListener|removeEventListener|querySelector(All)?|closest|matches|matchMedia|getItem|setItem|removeItem|getElementById|createElement|getAttribute|setAttribute|hasAttribute|removeAttribute|toggleAttribute|startsWith|endsWith|includes|split|join|replace(All)?|canPlayType|isTypeSupported|setProperty|getPropertyValue|register|getContext|test|match|indexOf|dispatchEvent|Event|CustomEvent|decodingInfo|postMessage|log|warn|error)$/;

/** Whether a string reads like words for a person: a capital word, or several words. */
export function reads(text: string): boolean {
  if (!/\p{L}{2}/u.test(text)) return false;
  const bare = text.trim();
  // Media types and font names.
  if (/^(audio|video)\/|^liberation sans$/.test(bare)) return false;
  if (/^(https?:|\/|\.{1,2}\/|#|--|@|&)/.test(bare) && !/\s/.test(bare)) return false;
  // Names of keys, events and code points: "ArrowLeft", "AudioContext".
  if (/^[A-Za-z]+[a-z][A-Z][A-Za-z]*$/.test(bare)) return false;
  if (
    /^(Enter|Escape|Tab|Home|End|Backspace|Delete|Space|Spacebar|Unidentified|Shift|Control|Alt|Meta|Intl|GET|PUT|POST|DELETE)$/.test(
      bare,
    )
  )
    return false;
  return /^\p{Lu}\p{Ll}/u.test(bare) || /\p{L}\p{Ll}*[,.:;?]?\s+\p{L}/u.test(bare) || /^\s|\s$/.test(text);
}

const nameOf = (node: Node | undefined): string => {
  if (!node) return '';
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return String(node['name']);
  if (node.type === 'MemberExpression') return nameOf(node['property'] as Node);
  if (node.type === 'Literal') return String(node['value']);
  return '';
};

export function findWords(file: string, code: string): FoundWords[] {
  const { program } = parseSync(file, code);
  const found: FoundWords[] = [];
  const lineAt = (offset: number) => code.slice(0, offset).split('\n').length;
  const add = (node: Node, kind: FoundWords['kind'], source = code.slice(node.start, node.end)) =>
    found.push({ file, line: lineAt(node.start), kind, start: node.start, end: node.end, source });
  const visit = (node: Node): void => {
    const { type } = node;
    if (/^TS(?!As|Satisfies|NonNull)/.test(type) || /^(Import|ExportAll)/.test(type)) return;
    if (type === 'ExportNamedDeclaration' && node['source']) return;
    if (type === 'JSXText') {
      if (/\p{L}/u.test(String(node['value']).replaceAll(/&\w+;/g, ''))) add(node, 'text');
      return;
    }
    if (type === 'JSXAttribute') {
      if (PLAIN_ATTRIBUTES.test(nameOf(node['name'] as Node)) && (node['value'] as Node | null)?.type === 'Literal')
        return;
      if (/^(className|style|key|id|href|src)$/.test(nameOf(node['name'] as Node))) return;
    }
    if (type === 'Property' && PLAIN_KEYS.test(nameOf(node['key'] as Node))) return;
    if ((type === 'CallExpression' || type === 'NewExpression') && PLAIN_CALLS.test(nameOf(node['callee'] as Node))) {
      // Strings that are an argument are the program's; functions among the arguments are looked into.
      for (const argument of node['arguments'] as Node[]) if (!argument.type.endsWith('Literal')) visit(argument);
      visit(node['callee'] as Node);
      return;
    }
    if (type === 'BinaryExpression' && /^[!=]==?$|^in$/.test(String(node['operator']))) return;
    if (type === 'SwitchCase') {
      for (const one of node['consequent'] as Node[]) visit(one);
      return;
    }
    if (type === 'Literal') {
      if (typeof node['value'] === 'string' && reads(node['value'])) add(node, 'string');
      return;
    }
    if (type === 'TemplateLiteral') {
      const quasis = node['quasis'] as (Node & { value: { cooked: string } })[];
      const text = quasis.map(({ value }) => value.cooked).join('·');
      if (
        /\p{L}{2}/u.test(text) &&
        (reads(text) || /(^|[\s·(])\p{L}{2,}/u.test(text)) &&
        !/^[a-z]*[/#.?&]|^[\w-]*·[\w-]*$|^[\w·-]+:[\w·-]+$/.test(text)
      )
        add(node, 'template');
      else for (const one of node['expressions'] as Node[]) visit(one);
      return;
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'key' && type === 'Property') continue;
      if (Array.isArray(value)) for (const one of value) if (isNode(one)) visit(one);
      if (isNode(value)) visit(value);
    }
  };
  visit(program as unknown as Node);
  return found;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** Files of the dashboard that may hold words for a person. */
export const files = (): string[] =>
  readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .map((file) => relative('.', file))
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !/\.test\.tsx?$|(^|\/)testing-|\.d\.ts$|^(build|messages|public|testing)\/|^vite\.config/.test(file),
    )
    .sort();

export const findAll = (folder = ''): FoundWords[] =>
  files()
    .filter((file) => file.startsWith(folder))
    .flatMap((file) => findWords(file, readFileSync(join(WEB, file), 'utf8')));

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  const all = findAll(folder);
  for (const { file, line, kind, source } of all)
    process.stdout.write(`${file}:${line} ${kind[0]} ${source.replaceAll(/\s+/g, ' ').trim()}\n`);
  process.stdout.write(`${all.length}\n`);
}
