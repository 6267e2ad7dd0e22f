/** Applies the rules of `policy.ts` to sources, and returns one sentence per breach. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOMAINS } from '../../src/domains.ts';
import {
  APART,
  BANS,
  BUDGET,
  TABLES,
  FLOORS,
  type Graph,
  INNER,
  LIGHT,
  mayImport,
  OVERSIZED,
  PHYSICAL,
  WAIVERS,
} from './policy.ts';
import { isStyle, read, type Reading, type Source } from './read.ts';

export interface Rules {
  domains?: readonly Graph[];
  waivers?: Record<string, string>;
  oversized?: Record<string, number>;
}

const isTest = (at: string) => /\.test\.tsx?$/.test(at) || at.startsWith('../') || /(^|\/)testing([-/.])/.test(at);
const homeOf = (at: string) => (at.startsWith('../') || !at.includes('/') ? '' : (at.split('/')[0] ?? ''));
/** The file that a relative import leads to, as a path relative to `src`. */
const targetOf = (at: string, to: string) => join(dirname(at), to.replace(/\?.*$/, ''));

/** Whether a folder is reached by its index.ts, and ties operations to HTTP in its routes.ts. */
const isDomain = (folder: string): boolean => DOMAINS.some(({ name }) => name === folder);

/** Every breach in these sources. */
export function broken(
  all: readonly Source[],
  { domains = DOMAINS, waivers = WAIVERS, oversized = OVERSIZED }: Rules = {},
): string[] {
  const may = mayImport(domains);
  const sources = all.map(read);
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
    ...sources.flatMap((source) => [
      ...layers(source, may),
      ...floors(source),
      ...inner(source),
      ...physical(source),
      ...bans(source),
      ...guessedPorts(source),
      ...form(source, judge),
    ]),
    ...doors(sources, { domains, judge }),
    ...owners(sources),
    ...light(sources),
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

function layers({ at, imports }: Reading, may: ReturnType<typeof mayImport>): string[] {
  const home = homeOf(at);
  if (home === '') return [];
  return imports.flatMap((to) => {
    if (to === 'computed' && !isTest(at)) return [`${at}: an import names its module in the source`];
    if (!to.startsWith('.')) return [];
    const target = targetOf(at, to);
    const there = target.split('/')[0] ?? '';
    if (there === home) return [];
    // Tests may use the tools that the repository keeps for tests.
    if (there === '..') return isTest(at) ? [] : [`${at} imports ${target}: what runs does not import tests or tools`];
    // A domain's value is made with those of the domains that it uses.
    const isValue = at === `${home}/domain.ts`;
    if (isValue && target === 'domain.ts') return [];
    if (isTest(at) && ['app.ts', 'settings.ts'].includes(target)) return [];
    if (!target.includes('/')) return [`${at} imports ${target}: only main.ts and tests put things together`];
    if (there === 'http' && isDomain(home))
      return at === `${home}/routes.ts` || /^compat\/\w+\/routes\.ts$/.test(at) || isTest(at)
        ? []
        : [`${at} imports ${target}: only a routes.ts ties operations to HTTP`];
    if (may[home]?.includes(there) !== true)
      return [`${at} imports ${target}: ${home} may import only ${may[home]?.join(', ') || 'nothing'}`];
    if (
      isDomain(there) &&
      target !== `${there}/index.ts` &&
      !isTest(at) &&
      !(isValue && target === `${there}/domain.ts`)
    )
      return [`${at} imports ${target}: use the door of ${there}, index.ts`];
    return [];
  });
}

/** The floor of a file within its folder, and the part of that floor; undefined outside of folders with floors. */
function floorOf(at: string): { home: string; floor: number; part: string } | undefined {
  const [home = '', first = '', second = ''] = at.split('/');
  const order = FLOORS[home];
  if (!order) return undefined;
  const isTop = second === '';
  if (isTop || APART[home]?.includes(first))
    return { home, floor: isTop ? order.length + 1 : order.length, part: first };
  const floor = order.findIndex((parts) => parts.includes(first) || parts.includes(`${first}/*`));
  return { home, floor, part: order[floor]?.includes(`${first}/*`) ? `${first}/${second}` : first };
}

function floors({ at, imports }: Reading): string[] {
  const own = floorOf(at);
  if (!own) return [];
  if (own.floor < 0) return [`${at}: ${own.home} has no floor for ${own.part}`];
  return imports.flatMap((to) => {
    if (!to.startsWith('.')) return [];
    const target = targetOf(at, to);
    const there = floorOf(target);
    if (!there || there.home !== own.home || there.part === own.part) return [];
    // Tools of the build are on the highest floor, and use nothing of the others.
    const isBelow = APART[own.home]?.includes(own.part) ? false : there.floor < own.floor;
    return isBelow ? [] : [`${at} imports ${target}: ${own.part} may import only the floors below it`];
  });
}

/** Returns the imports that are closed to some folders of a domain. */
const inner = ({ at, imports }: Reading): string[] =>
  isTest(at)
    ? []
    : INNER.filter(({ folder }) => folder.test(at)).flatMap(({ folder, never, why }) =>
        imports
          .filter((to) => to.startsWith('.'))
          .map((to) => targetOf(at, to))
          .filter((target) => never.test(target) && !folder.test(target))
          .map((target) => `${at} imports ${target}: ${why}`),
      );

/** Styles of the dashboard hold in right-to-left languages. */
const physical = ({ at, code }: Reading): string[] =>
  at.startsWith('web/') && !isTest(at)
    ? PHYSICAL.filter(({ allowed, pattern }) => !allowed.test(at) && pattern.test(code)).map(
        ({ name }) => `${at}: a physical ${name}; write start and end for left and right`,
      )
    : [];

function bans({ at, code }: Reading): string[] {
  if (isStyle(at)) return [];
  return BANS.filter(
    ({ allowed, isForTests, isForWeb }) =>
      !allowed.test(at) && (isForTests || !isTest(at)) && (isForTests || isForWeb || !at.startsWith('web/')),
  )
    .filter(({ pattern }) => pattern.test(code))
    .map(({ why }) => `${at}: ${why}`);
}

/** A port that was listened at and closed may be taken by the time that another server listens there. */
export const guessedPorts = ({ at, guesses }: Reading): string[] =>
  guesses.map((name) => `${at}: ${name} returns a port that it has closed; bind port 0, or hold it by test/ports.ts`);

const formatter = JSON.parse(readFileSync(join(import.meta.dirname, '../../.oxfmtrc.json'), 'utf8')) as {
  ignorePatterns: readonly string[];
};
const isTable = (at: string): boolean => {
  const path = join('src', at);
  return [...TABLES, ...formatter.ignorePatterns].some((one) => path === one || path.startsWith(`${one}/`));
};

function form({ at, text, lines, wide, closures }: Reading, judge: Judge): string[] {
  return [
    ...(isTable(at) ? [] : wide.map((line) => `${at}:${line}: over 120 columns`)),
    ...judge.size(at, { lines, budget: BUDGET.file }),
    ...(isStyle(at) || /^(#!.*\n)?\/\*\*/.test(text) ? [] : [`${at}: the first lines say what the file is for`]),
    ...(/^[a-z0-9]+([-.][a-z0-9]+)*\.(tsx?|css)$/.test(at.split('/').at(-1) ?? '')
      ? []
      : [`${at}: file names are kebab-case`]),
    ...closures.flatMap(({ name, lines: size }) =>
      judge.size(`${at} ${name}`, { lines: size, budget: BUDGET.closure }),
    ),
  ];
}

/** Counts the members of each domain's door: the interface that its `createX` returns. */
function doors(sources: readonly Reading[], { domains, judge }: { domains: readonly Graph[]; judge: Judge }): string[] {
  return domains.flatMap(({ name: domain }) => {
    const own = sources.filter(({ at }) => at.startsWith(`${domain}/`) && !isTest(at));
    const index = own.find(({ at }) => at === `${domain}/index.ts`);
    if (!index) return own.length > 0 ? [`${domain}: a domain has a door, index.ts`] : [];
    const all = own.map(({ code }) => code).join('\n');
    const made = [...index.code.matchAll(/\bcreate([A-Z]\w*)\b/g)].map((m) => m[1] ?? '');
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

/** Returns the modules that `policy.ts` calls light and that load a domain, with the imports that lead to it. */
function light(sources: readonly Reading[]): string[] {
  const byPlace = new Map(sources.map((one) => [one.at, one]));
  return LIGHT.flatMap((start) => {
    const paths = new Map([[start, start]]);
    for (const [at, path] of paths) {
      if (/^[^/]+\/domain\.ts$/.test(at)) return [`${path}: ${start} loads no domain`];
      for (const to of byPlace.get(at)?.loads ?? [])
        if (to.startsWith('.') && !paths.has(targetOf(at, to)))
          paths.set(targetOf(at, to), `${path} > ${targetOf(at, to)}`);
    }
    return [];
  });
}

/** A table belongs to the domain whose migration makes it; no other names it. */
function owners(sources: readonly Reading[]): string[] {
  const owner = new Map<string, string>();
  const made = (code: string) =>
    [...code.matchAll(/createTable\('(\w+)'|create (?:virtual )?table (?:if not exists )?"?(\w+)/gi)].map(
      (m) => m[1] ?? m[2] ?? '',
    );
  const real = sources.filter(({ at }) => !isTest(at) && homeOf(at) !== '');
  const found: string[] = [];
  for (const { at, code } of real) {
    for (const table of made(code)) {
      const before = owner.get(table);
      if (before !== undefined && before !== homeOf(at)) found.push(`${at}: table ${table} is made by ${before}, too`);
      owner.set(table, homeOf(at));
    }
  }
  for (const { at, code } of real) {
    for (const [, table = ''] of code.matchAll(
      /\.(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|from)\(\[?'(\w+)/g,
    )) {
      const home = owner.get(table);
      if (home !== undefined && home !== homeOf(at)) found.push(`${at}: table ${table} belongs to ${home}`);
    }
  }
  return found;
}
