/**
 * The engine of the house rules: reads sources, answers with sentences, one a breach.
 *
 * It knows syntax by a real parser where lines are counted, and by patterns where a name is enough.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { BANS, BUDGET, DOMAINS, MAY, WAIVERS, WITH_DOOR } from './policy.ts';

export interface Source {
  /** Relative to `src`; outside of it, `../test/...`. */
  at: string;
  text: string;
}

export interface Rules {
  waivers?: Record<string, string>;
}

const isCode = (name: string) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts');

/** Every source under a folder of the repository. */
export function sourcesUnder(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCode(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({ at: relative(join(root, 'src'), path), text: readFileSync(path, 'utf8') }));
}

const isTest = (at: string) => /\.test\.tsx?$/.test(at) || at.startsWith('../') || /(^|\/)testing([-/.])/.test(at);
export const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const homeOf = (at: string) => (at.startsWith('../') || !at.includes('/') ? '' : (at.split('/')[0] ?? ''));
const importsOf = (text: string) => [...code(text).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((m) => m[1] ?? '');

/** Every breach in these sources. */
export function broken(sources: readonly Source[], { waivers = WAIVERS }: Rules = {}): string[] {
  const used = new Set<string>();
  const judge = (key: string, sentence: string) => (waivers[key] === undefined ? [sentence] : (used.add(key), []));
  const found = [
    ...sources.flatMap((source) => [...layers(source), ...bans(source), ...form(source, judge)]),
    ...folders(sources, judge),
    ...doors(sources, judge),
    ...owners(sources),
  ];
  const idle = Object.keys(waivers).filter((key) => !used.has(key));
  return [...found, ...idle.map((key) => `${key}: this waiver is not needed any more`)];
}

type Judge = (key: string, sentence: string) => string[];

function layers({ at, text }: Source): string[] {
  const home = homeOf(at);
  if (home === '') return [];
  return importsOf(text).flatMap((to) => {
    const target = join(dirname(at), to.replace(/\?.*$/, ''));
    const there = target.split('/')[0] ?? '';
    if (there === home) return [];
    // Tests stand beside the code that they try, and may use the tools that the repository keeps for tests.
    if (there === '..') return isTest(at) ? [] : [`${at} imports ${target}: what runs does not import tests or tools`];
    if (!target.includes('/')) return [`${at} imports ${target}: only main.ts and tests put things together`];
    if (isTest(at) && ['app.ts'].includes(target)) return [];
    if (there === 'http' && WITH_DOOR.includes(home)) return at === `${home}/routes.ts` || /^compat\/\w+\/routes\.ts$/.test(at) || isTest(at) ? [] : [`${at} imports ${target}: only a routes.ts ties operations to HTTP`];
    if (MAY[home]?.includes(there) !== true) return [`${at} imports ${target}: ${home} may import only ${MAY[home]?.join(', ') || 'nothing'}`];
    if (WITH_DOOR.includes(there) && target !== `${there}/index.ts` && !isTest(at)) return [`${at} imports ${target}: use the door of ${there}, index.ts`];
    return [];
  });
}

function bans({ at, text }: Source): string[] {
  const plain = code(text);
  return BANS.filter(({ allowed, isForTests }) => !allowed.test(at) && (isForTests || !isTest(at)) && !(at.startsWith('web/') && !isForTests))
    .filter(({ pattern }) => pattern.test(plain))
    .map(({ why }) => `${at}: ${why}`);
}

function form({ at, text }: Source, judge: Judge): string[] {
  const lines = text.trimEnd().split('\n').length;
  return [
    ...(lines > BUDGET.file ? judge(at, `${at}: ${lines} lines, over ${BUDGET.file}; find the module inside it`) : []),
    ...(/^(#!.*\n)?\/\*\*/.test(text) ? [] : [`${at}: the first lines say what the file is for`]),
    ...(/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(at.split('/').at(-1) ?? '') ? [] : [`${at}: file names are kebab-case`]),
    ...longFunctions(at, text).flatMap(({ name, own }) => judge(`${at} ${name}`, `${at}: ${name} has ${own} lines of its own, over ${BUDGET.function}; find the function inside it`)),
  ];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && typeof (value as Node).start === 'number';

/**
 * Functions with too many lines of their own. A line belongs to the innermost function around it: one that gathers
 * small functions into an object is as long as what it does itself. Blank lines and comments do not count.
 */
function longFunctions(at: string, text: string): { name: string; own: number }[] {
  const { program } = parseSync(at, text);
  const starts = [0, ...[...text.matchAll(/\n/g)].map((m) => m.index + 1)];
  const lineAt = (offset: number) => {
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const counted = text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' ')).split('\n').map((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  const owner = Array.from<Node | undefined>({ length: counted.length });
  const names = new Map<Node, string>();
  const walk = (node: Node, named: string | undefined) => {
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
    if (isFunction) {
      names.set(node, (node['id'] as { name?: string } | null)?.name ?? named ?? `the function at line ${lineAt(node.start) + 1}`);
      for (let line = lineAt(node.start); line <= lineAt(node.end - 1); line++) owner[line] = node;
    }
    const name = nameFor(node);
    for (const value of Object.values(node)) for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, name);
  };
  walk(program as unknown as Node, undefined);
  const own = new Map<Node, number>();
  owner.forEach((node, line) => node && counted[line] && own.set(node, (own.get(node) ?? 0) + 1));
  return [...own].filter(([, n]) => n > BUDGET.function).map(([node, n]) => ({ name: names.get(node) ?? '', own: n }));
}

const nameFor = (node: Node): string | undefined => {
  const named = node.type === 'VariableDeclarator' ? node['id'] : node.type === 'Property' || node.type === 'MethodDefinition' ? node['key'] : undefined;
  return (named as { name?: string } | undefined)?.name;
};

function folders(sources: readonly Source[], judge: Judge): string[] {
  const counts = new Map<string, number>();
  for (const { at } of sources) if (!isTest(at) || at.startsWith('../')) counts.set(dirname(at), (counts.get(dirname(at)) ?? 0) + (/\.test\.tsx?$/.test(at) ? 0 : 1));
  return [...counts].filter(([, n]) => n > BUDGET.folder).flatMap(([folder, n]) => judge(`${folder}/`, `${folder}: ${n} files, over ${BUDGET.folder}; find the folder inside it`));
}

/** A door is what a domain's createX gives: an interface, whose members are counted. */
function doors(sources: readonly Source[], judge: Judge): string[] {
  return DOMAINS.flatMap((domain) => {
    const own = sources.filter(({ at }) => at.startsWith(`${domain}/`) && !isTest(at));
    const index = own.find(({ at }) => at === `${domain}/index.ts`);
    if (!index) return own.length > 0 && domain !== 'compat' ? [`${domain}: a domain has a door, index.ts`] : [];
    const all = own.map(({ text }) => code(text)).join('\n');
    const made = [...index.text.matchAll(/\bcreate([A-Z]\w*)\b/g)].map((m) => m[1] ?? '');
    return [...new Set(made)].flatMap((name) => {
      const members = membersOf(all, name);
      return members > BUDGET.door ? judge(`${domain}/index.ts ${name}`, `${domain}/index.ts: the door ${name} has ${members} members, over ${BUDGET.door}`) : [];
    });
  });
}

export function membersOf(text: string, name: string): number {
  const head = new RegExp(`^export interface ${name}\\b[^{]*\\{`, 'm').exec(text);
  if (!head) return 0;
  let depth = 1;
  let members = 0;
  for (const line of text.slice(head.index + head[0].length).split('\n')) {
    if (depth === 1 && /^\s*(readonly )?[\w$]+\??\s*[<(:]/.test(line)) members++;
    for (const mark of line.replaceAll(/'[^']*'|=>/g, '')) depth += '{('.includes(mark) ? 1 : '})'.includes(mark) ? -1 : 0;
    if (depth <= 0) break;
  }
  return members;
}

/** A table belongs to the domain whose migration makes it; no other names it. */
function owners(sources: readonly Source[]): string[] {
  const owner = new Map<string, string>();
  const made = (text: string) => [...code(text).matchAll(/createTable\('(\w+)'|create (?:virtual )?table (?:if not exists )?"?(\w+)/gi)].map((m) => m[1] ?? m[2] ?? '');
  const real = sources.filter(({ at }) => !isTest(at) && homeOf(at) !== '');
  const found: string[] = [];
  for (const { at, text } of real) {
    for (const table of made(text)) {
      const before = owner.get(table);
      if (before !== undefined && before !== homeOf(at)) found.push(`${at}: table ${table} is made by ${before}, too`);
      owner.set(table, homeOf(at));
    }
  }
  for (const { at, text } of real) {
    for (const [, table = ''] of code(text).matchAll(/\.(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|from)\(\[?'(\w+)/g)) {
      const home = owner.get(table);
      if (home !== undefined && home !== homeOf(at)) found.push(`${at}: table ${table} belongs to ${home}`);
    }
  }
  return found;
}
