/**
 * The engine of the house rules: reads sources, answers with sentences, one a breach.
 *
 * It knows syntax by a real parser where lines are counted, and by patterns where a name is enough.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { BANS, BUDGET, DOMAINS, MAY, OVERSIZED, WAIVERS, WITH_DOOR } from './policy.ts';

export interface Source {
  /** Relative to `src`; outside of it, `../test/...`. */
  at: string;
  text: string;
}

export interface Rules {
  waivers?: Record<string, string>;
  oversized?: Record<string, number>;
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
const importsOf = (text: string) =>
  [...code(text).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((m) => m[1] ?? '');

/** Every breach in these sources. */
export function broken(sources: readonly Source[], { waivers = WAIVERS, oversized = OVERSIZED }: Rules = {}): string[] {
  const used = new Set<string>();
  const judge: Judge = {
    waiver: (key, sentence) => {
      if (waivers[key] === undefined) return [sentence];
      used.add(key);
      return [];
    },
    size: (key, { lines, budget }) => {
      if (lines <= budget) return [];
      const allowed = oversized[key];
      if (allowed === undefined) return [`${key}: ${lines} lines, over ${budget}; find the module inside it`];
      used.add(key);
      return lines <= allowed
        ? []
        : [`${key}: ${lines} lines, and it had ${allowed}; what is over its budget only shrinks`];
    },
  };
  const found = [
    ...sources.flatMap((source) => [...layers(source), ...bans(source), ...form(source, judge)]),
    ...doors(sources, judge),
    ...owners(sources),
  ];
  const idle = [...Object.keys(waivers), ...Object.keys(oversized)].filter((key) => !used.has(key));
  return [...found, ...idle.map((key) => `${key}: this waiver is not needed any more`)];
}

interface Judge {
  /** Returns the sentence, unless the policy waives it. */
  waiver(key: string, sentence: string): string[];
  /** Returns a sentence when something is over its budget and larger than the policy has it. */
  size(key: string, of: { lines: number; budget: number }): string[];
}

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
    if (there === 'http' && WITH_DOOR.includes(home))
      return at === `${home}/routes.ts` || /^compat\/\w+\/routes\.ts$/.test(at) || isTest(at)
        ? []
        : [`${at} imports ${target}: only a routes.ts ties operations to HTTP`];
    if (MAY[home]?.includes(there) !== true)
      return [`${at} imports ${target}: ${home} may import only ${MAY[home]?.join(', ') || 'nothing'}`];
    if (WITH_DOOR.includes(there) && target !== `${there}/index.ts` && !isTest(at))
      return [`${at} imports ${target}: use the door of ${there}, index.ts`];
    return [];
  });
}

function bans({ at, text }: Source): string[] {
  const plain = code(text);
  return BANS.filter(
    ({ allowed, isForTests }) =>
      !allowed.test(at) && (isForTests || !isTest(at)) && !(at.startsWith('web/') && !isForTests),
  )
    .filter(({ pattern }) => pattern.test(plain))
    .map(({ why }) => `${at}: ${why}`);
}

function form({ at, text }: Source, judge: Judge): string[] {
  const lines = text.trimEnd().split('\n').length;
  return [
    ...judge.size(at, { lines, budget: BUDGET.file }),
    ...(/^(#!.*\n)?\/\*\*/.test(text) ? [] : [`${at}: the first lines say what the file is for`]),
    ...(/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(at.split('/').at(-1) ?? '')
      ? []
      : [`${at}: file names are kebab-case`]),
    ...closures(at, text).flatMap(({ name, lines: all }) =>
      judge.size(`${at} ${name}`, { lines: all, budget: BUDGET.closure }),
    ),
  ];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Node).type === 'string' &&
  typeof (value as Node).start === 'number';

/** Functions with the lines of all that is in them. Blank lines and comments do not count. */
function closures(at: string, text: string): { name: string; lines: number }[] {
  const { program } = parseSync(at, text);
  const starts = [0, ...[...text.matchAll(/\n/g)].map((m) => m.index + 1)];
  const counted = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .split('\n')
    .map((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  // How many counted lines begin before each line.
  const before = [0];
  for (const is of counted) before.push((before.at(-1) ?? 0) + (is ? 1 : 0));
  const lineAt = (offset: number) => {
    let low = 0;
    for (let high = starts.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const found: { name: string; lines: number }[] = [];
  const walk = (node: Node, named: string | undefined) => {
    const own = (node['id'] as { name?: string } | null)?.name;
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const lines = (before[lineAt(node.end - 1) + 1] ?? 0) - (before[lineAt(node.start)] ?? 0);
      found.push({ name: own ?? named ?? 'a function without a name', lines });
    }
    const name = nameFor(node) ?? (/Function|Block|Return|Expression/.test(node.type) ? named : undefined);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, name);
  };
  walk(program as unknown as Node, undefined);
  // A function that is returned by another has its name: the larger one counts.
  const largest = new Map<string, number>();
  for (const { name, lines } of found) largest.set(name, Math.max(lines, largest.get(name) ?? 0));
  return [...largest].map(([name, lines]) => ({ name, lines }));
}

const nameFor = (node: Node): string | undefined => {
  const named =
    node.type === 'VariableDeclarator'
      ? node['id']
      : node.type === 'Property' || node.type === 'MethodDefinition'
        ? node['key']
        : undefined;
  return (named as { name?: string } | undefined)?.name;
};

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
      return members > BUDGET.door
        ? judge.waiver(
            `${domain}/index.ts ${name}`,
            `${domain}/index.ts: the door ${name} has ${members} members, over ${BUDGET.door}`,
          )
        : [];
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
    for (const mark of line.replaceAll(/'[^']*'|=>/g, ''))
      depth += '{('.includes(mark) ? 1 : '})'.includes(mark) ? -1 : 0;
    if (depth <= 0) break;
  }
  return members;
}

/** A table belongs to the domain whose migration makes it; no other names it. */
function owners(sources: readonly Source[]): string[] {
  const owner = new Map<string, string>();
  const made = (text: string) =>
    [...code(text).matchAll(/createTable\('(\w+)'|create (?:virtual )?table (?:if not exists )?"?(\w+)/gi)].map(
      (m) => m[1] ?? m[2] ?? '',
    );
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
    for (const [, table = ''] of code(text).matchAll(
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|from)\(\[?'(\w+)/g,
    )) {
      const home = owner.get(table);
      if (home !== undefined && home !== homeOf(at)) found.push(`${at}: table ${table} belongs to ${home}`);
    }
  }
  return found;
}
