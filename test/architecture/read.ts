/**
 * Reads sources for the rules: imports, code without comments, lines and functions. TypeScript goes through a parser,
 * so that neither the layout of a file nor a comment or string in it hides an import.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isSyntaxNode, nodesBelow, parseSource, type SyntaxNode } from './syntax.ts';

export interface Source {
  /** Path relative to `src`; outside `src`, `../test/...`. */
  at: string;
  text: string;
}

export interface Reading extends Source {
  /** Specifiers of all imports: static, dynamic, re-exports and types. */
  imports: readonly string[];
  /** Specifiers of the modules that are loaded with this one: no types, and nothing that is imported later. */
  loads: readonly string[];
  /** The text without comments, followed by one line per import in a fixed form. Patterns are matched against this. */
  code: string;
  lines: number;
  /** Numbers of the lines that are too wide, without the texts that cannot be broken. */
  wide: readonly number[];
  /** Functions with their size in lines, without blank lines and comments. */
  closures: readonly { name: string; lines: number }[];
  /** Functions that listen, close what listened, and return something else afterwards. */
  guesses: readonly string[];
}

const COLUMNS = 120;
const isRead = (name: string) => /\.tsx?$|\.css$/.test(name) && !name.endsWith('.d.ts');

/** Returns all sources under a folder of the repository. */
export function sourcesUnder(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isRead(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({ at: relative(join(root, 'src'), path), text: readFileSync(path, 'utf8') }));
}

export const isStyle = (at: string): boolean => at.endsWith('.css');
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

export function read({ at, text }: Source): Reading {
  if (isStyle(at)) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, blank);
    const imports = [...code.matchAll(/(?:from|@import(?: url\()?)\s*['"]([^'"]+)['"]/g)].map((m) => m[1] ?? '');
    return {
      at,
      text,
      imports,
      loads: [],
      code,
      lines: text.trimEnd().split('\n').length,
      wide: wideIn(text),
      closures: [],
      guesses: [],
    };
  }
  const { program, comments } = parseSource(at, text);
  let bare = text;
  for (const { start, end } of comments) bare = bare.slice(0, start) + blank(bare.slice(start, end)) + bare.slice(end);
  const found = importsIn(program);
  return {
    at,
    text,
    imports: found.map(({ from }) => from),
    loads: found.filter(({ isLoaded }) => isLoaded).map(({ from }) => from),
    code: `${bare}\n${found.map(({ what, from }) => `import ${what} from '${from}';`).join('\n')}`,
    lines: text.trimEnd().split('\n').length,
    wide: wideIn(withoutUnbreakable(program, text)),
    closures: closuresIn(program, bare.split('\n')),
    guesses: bare.includes('.listen(') ? guessesIn(program) : [],
  };
}

/** Nodes that name another module: the member that holds its name. */
const MODULE: Readonly<Record<string, string>> = {
  ImportDeclaration: 'source',
  ExportAllDeclaration: 'source',
  ExportNamedDeclaration: 'source',
  ImportExpression: 'source',
  TSImportType: 'source',
  TSExternalModuleReference: 'expression',
};

interface Import {
  what: string;
  from: string;
  isLoaded: boolean;
}

function importsIn(program: SyntaxNode): Import[] {
  const found: Import[] = [];
  const walk = (node: SyntaxNode): void => {
    const named = node[MODULE[node.type] ?? ''];
    if (isSyntaxNode(named)) {
      const what = whatOf(node);
      const isLoaded = !what.startsWith('type ') && /^(Import|ExportAll|ExportNamed)Declaration$/.test(node.type);
      found.push({ what, from: moduleOf(named), isLoaded });
    }
    for (const child of nodesBelow(node)) walk(child);
  };
  walk(program);
  return found;
}
/** `*` for everything that could reach every export of a module, else the names. */
function whatOf(node: SyntaxNode): string {
  const isType = node['importKind'] === 'type' || node['exportKind'] === 'type' || node.type === 'TSImportType';
  const all = (node['specifiers'] ?? []) as SyntaxNode[];
  const isWhole = !isType && !all.every(({ type }) => type === 'ImportSpecifier' || type === 'ExportSpecifier');
  if (isWhole || (node.type !== 'ImportDeclaration' && all.length === 0 && !isType)) return '*';
  const names = all
    .filter((one) => one['importKind'] !== 'type')
    .map((one) => ((one['imported'] ?? one['local']) as { name?: string } | undefined)?.name ?? '');
  return `${isType ? 'type ' : ''}{ ${names.join(', ')} }`;
}
/** The name of a module. One that is put together while the program runs is named `computed`, which no rule allows. */
function moduleOf(node: SyntaxNode): string {
  if (typeof node['value'] === 'string') return node['value'];
  const quasis = node['quasis'] as { value: { cooked: string } }[] | undefined;
  return quasis?.length === 1 ? (quasis[0]?.value.cooked ?? '') : 'computed';
}

/** Returns `text` without what these nodes hold, with the same lines. */
function cut(text: string, nodes: SyntaxNode[]): string {
  let rest = text;
  for (const { start, end } of nodes.sort((a, b) => b.start - a.start))
    rest = rest.slice(0, start) + rest.slice(start, end).replaceAll(/[^\n]/g, '') + rest.slice(end);
  return rest;
}

/** Source code without regular expressions and without the texts of templates of several lines. */
function withoutUnbreakable(program: SyntaxNode, text: string): string {
  const found: SyntaxNode[] = [];
  const walk = (node: SyntaxNode): void => {
    const isTemplate = node.type === 'TemplateLiteral' && text.slice(node.start, node.end).includes('\n');
    if (node['regex'] !== undefined) found.push(node);
    else if (isTemplate) found.push(...(node['quasis'] as SyntaxNode[]));
    for (const child of nodesBelow(node)) walk(child);
  };
  walk(program);
  return cut(text, found);
}

const wideIn = (text: string): number[] =>
  text.split('\n').flatMap((line, at) => (line.length > COLUMNS ? [at + 1] : []));

function closuresIn(program: SyntaxNode, bare: readonly string[]): { name: string; lines: number }[] {
  const starts = [0];
  for (const line of bare) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  // How many counted lines begin before each line.
  const before = [0];
  for (const line of bare) before.push((before.at(-1) ?? 0) + (line.trim() === '' ? 0 : 1));
  const lineAt = (offset: number) => {
    let low = 0;
    for (let high = starts.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  // A function that is returned by another has its name: the larger one counts.
  const largest = new Map<string, number>();
  const walk = (node: SyntaxNode, named: string | undefined) => {
    if (FUNCTION.test(node.type)) {
      const lines = (before[lineAt(node.end - 1) + 1] ?? 0) - (before[lineAt(node.start)] ?? 0);
      const name = (node['id'] as { name?: string } | null)?.name ?? named ?? 'a function without a name';
      largest.set(name, Math.max(lines, largest.get(name) ?? 0));
    }
    const name = nameFor(node) ?? (/Function|Block|Return|Expression/.test(node.type) ? named : undefined);
    for (const child of nodesBelow(node)) walk(child, name);
  };
  walk(program, undefined);
  return [...largest].map(([name, lines]) => ({ name, lines }));
}

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

const nameFor = (node: SyntaxNode): string | undefined => {
  const named =
    node.type === 'VariableDeclarator'
      ? node['id']
      : node.type === 'Property' || node.type === 'MethodDefinition'
        ? node['key']
        : undefined;
  return (named as { name?: string } | undefined)?.name;
};

/** Returns the functions that call `listen`, then `close`, and then return something that is no object. */
function guessesIn(program: SyntaxNode): string[] {
  const found: string[] = [];
  // A nested function runs now only if it is awaited; others run later, such as the end of a test.
  const callsIn = (node: SyntaxNode, method: string, isAwaited = false): number[] => {
    const called = node['callee'];
    const name = isSyntaxNode(called) ? (called['property'] as { name?: string } | undefined)?.name : undefined;
    const isNow = isAwaited || node.type === 'AwaitExpression';
    const below = nodesBelow(node)
      .filter(({ type }) => isNow || !FUNCTION.test(type))
      .flatMap((child) => callsIn(child, method, isNow));
    return node.type === 'CallExpression' && name === method ? [node.start, ...below] : below;
  };
  const returnsIn = (node: SyntaxNode): SyntaxNode[] =>
    nodesBelow(node)
      .filter(({ type }) => !FUNCTION.test(type))
      .flatMap((child) => (child.type === 'ReturnStatement' ? [child] : returnsIn(child)));
  const walk = (node: SyntaxNode, named: string | undefined): void => {
    const name = nameFor(node) ?? named;
    if (FUNCTION.test(node.type)) {
      const listens = Math.min(...callsIn(node, 'listen'));
      const closes = Math.min(...callsIn(node, 'close').filter((at) => at > listens));
      const isGuess = returnsIn(node).some(({ start, argument }) => {
        const isPlain = isSyntaxNode(argument) && !/^(Object|Call|Await)/.test(argument.type);
        return start > closes && isPlain;
      });
      if (isGuess) found.push((node['id'] as { name?: string } | null)?.name ?? name ?? 'a function');
    }
    for (const child of nodesBelow(node)) walk(child, name);
  };
  walk(program, undefined);
  return found;
}
