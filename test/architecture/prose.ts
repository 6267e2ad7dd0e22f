/**
 * Finds wording that readers stumble over: in comments, messages, documents, commit subjects and names.
 *
 *     node test/architecture/prose.ts src/catalog        prints the findings of a folder
 *     node test/architecture/prose.ts --counts           prints how many each area has
 *
 * `prose.json` holds the allowed count of each area. `npm run docs` lowers it, and refuses to raise it;
 * `architecture.test.ts` fails when an area has more than its count.
 * The patterns and their examples are in `prose-patterns.ts`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PATTERNS, type Pattern, type TextKind } from './prose-patterns.ts';
import { isSyntaxNode, nodesBelow, parseSource, type ParsedSource, type SyntaxNode } from './syntax.ts';

export interface Finding {
  /** Relative to the repository. */
  file: string;
  line: number;
  pattern: string;
  text: string;
  instead: string;
  /** The area that it is counted in. */
  area: string;
}

/** Finds the breaches of one text of a kind. */
export function breachesOf(kind: TextKind, text: string): Pattern[] {
  return PATTERNS.filter(({ kinds, pattern }) => kinds.includes(kind) && pattern.test(text));
}

/** The area whose count includes a finding: a folder of `src`, doors, messages, or a folder of the repository. */
export function areaOf(file: string, kind: TextKind): string {
  if (file.endsWith('.md')) return file.startsWith('changes/') ? 'changes' : 'docs';
  const [top = '', folder = ''] = file.split('/');
  if (top !== 'src') return top;
  const isTest = isTestFile(file);
  if (/^src\/(contract|web)\//.test(file)) return isTest ? `${top}/${folder} tests` : `${top}/${folder}`;
  if ((kind === 'message' || kind === 'statement') && !isTest) return 'messages';
  if (/^src\/[\w-]+\/index\.ts$/.test(file)) return 'doors';
  return file.split('/').length === 2 ? 'src' : `src/${folder}`;
}

/** Areas without any finding, and without a count that could allow one. */
export const CLEAN_AREAS: readonly string[] = ['src/contract', 'src/web', 'doors', 'messages'];

const isTestFile = (file: string) => /\.test\.tsx?$/.test(file) || /(^|\/)testing([-/.])/.test(file);

interface Text {
  kind: TextKind;
  text: string;
  start: number;
}

/** Finds the breaches in a source file or a Markdown page. */
export function proseOf(file: string, text: string): Finding[] {
  const texts = file.endsWith('.md') ? documentTexts(text) : sourceTexts(file, text);
  return texts.flatMap(({ kind, text: own, start }) =>
    breachesOf(kind, own).map(({ name, instead, pattern }) => ({
      file,
      line: text.slice(0, start).split('\n').length,
      pattern: name,
      text: excerpt(own, pattern),
      instead,
      area: areaOf(file, kind),
    })),
  );
}

const excerpt = (text: string, pattern: RegExp) => {
  const at = pattern.exec(text)?.index ?? 0;
  return `${at > 30 ? '…' : ''}${text.slice(Math.max(0, at - 30), at + 60)}`.trim();
};

/** Code, quotations and names are not prose. */
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`|"[^"\n]{1,60}"/g, 'x');

/** One text for each paragraph, so that a phrase is found across a line break. */
function documentTexts(page: string): Text[] {
  const plain = page.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replaceAll(/[^\n]/g, ' '));
  return [...plain.matchAll(/(?:.+\n?)+/g)].flatMap((paragraph) =>
    paragraph[0].split(/\n(?=\s*(?:[-*|]|\d+\.) ?)/).map((part): Text => {
      const start = paragraph.index + paragraph[0].indexOf(part);
      return { kind: 'document', text: withoutCode(part.replaceAll(/\s+/g, ' ').trim()), start };
    }),
  );
}

const nameOf = (node: unknown) => (isSyntaxNode(node) && typeof node['name'] === 'string' ? node['name'] : '');

function sourceTexts(file: string, text: string): Text[] {
  const { program, comments } = parseSource(file, text);
  const name = file.split('/').at(-1) ?? '';
  return [
    { kind: 'file name' as const, text: name.replace(/(\.test|\.d)?\.tsx?$/, ''), start: 0 },
    ...commentTexts(text, comments),
    ...stringTexts(file, program),
    ...exportsOf(program).flatMap(({ name: own, isType, start }): Text[] => [
      { kind: 'export', text: own, start },
      ...(isType ? [{ kind: 'type' as const, text: own, start }] : []),
    ]),
  ];
}

/** Joins the lines of a comment; line comments that follow each other are one. */
function commentTexts(text: string, comments: ParsedSource['comments']) {
  const joined: { kind: 'comment'; text: string; start: number; end: number }[] = [];
  for (const { type, value, start, end } of comments) {
    const own = value
      .split('\n')
      .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
      .join(' ')
      .trim();
    const last = joined.at(-1);
    if (type === 'Line' && last && text.slice(last.end, start).trim() === '' && isLineBefore(text, last.end, start)) {
      last.text += ` ${own}`;
      last.end = end;
    } else joined.push({ kind: 'comment', text: own, start, end });
  }
  return joined.map((comment) => ({ ...comment, text: withoutCode(comment.text) }));
}

const isLineBefore = (text: string, end: number, start: number) => text.slice(end, start).split('\n').length === 2;

/** Strings of two or more words, and text of JSX: people read them. In tests, only the titles. */
function stringTexts(file: string, program: SyntaxNode): Text[] {
  const found: Text[] = [];
  const isTest = isTestFile(file) || !file.startsWith('src/');
  const add = (node: SyntaxNode, value: unknown, kind: TextKind) => {
    const text = String(value).replaceAll(/\s+/g, ' ').trim();
    if (/[A-Za-z]\S* [A-Za-z]/.test(text)) found.push({ kind, text: withoutCode(text), start: node.start });
  };
  const walk = (node: SyntaxNode, kind: TextKind, isRead: boolean) => {
    if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) {
      if (!/^TS(As|Satisfies|NonNull)/.test(node.type)) return;
    }
    if (node.type === 'Literal' && typeof node['value'] === 'string' && isRead) add(node, node['value'], kind);
    if (node.type === 'JSXText' && isRead) add(node, node['value'], kind);
    if (node.type === 'TemplateElement' && isRead) add(node, (node['value'] as { cooked?: string }).cooked ?? '', kind);
    const callee = node.type === 'CallExpression' ? (node['callee'] as SyntaxNode) : undefined;
    const called = nameOf(callee) || nameOf(callee?.['property']);
    const key = node.type === 'Property' ? nameOf(node['key']) : '';
    const isStatement = /^(summary|description|doc)$/.test(key) || called === 'describe';
    const isTitled = /^(test|it|describe|eachEngine|suite)$/.test(called);
    for (const child of nodesBelow(node)) {
      const isTitle = isTest && isTitled && child.start === (node['arguments'] as SyntaxNode[])[0]?.start;
      const isProse = isTest ? isTitle || (isRead && /Template|Binary/.test(node.type)) : isRead;
      walk(child, isStatement && !isTest ? 'statement' : kind, isProse);
    }
  };
  walk(program, 'message', !isTest);
  return found;
}

interface Exported {
  name: string;
  isType: boolean;
  start: number;
}

/**
 * Finds the names that a module declares and exports. A name passed on from another module is not declared here, unless
 * it is passed on under another name.
 */
export function exportsOf(program: SyntaxNode): Exported[] {
  return (program['body'] as SyntaxNode[]).flatMap((statement): Exported[] => {
    if (statement.type === 'ExportNamedDeclaration' && isSyntaxNode(statement['source']))
      return (statement['specifiers'] as SyntaxNode[])
        .filter(({ local, exported }) => nameOf(local) !== nameOf(exported))
        .map(({ exported, start }) => ({ name: nameOf(exported), isType: false, start }));
    const declared = statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : null;
    if (!isSyntaxNode(declared)) return [];
    const isType = /^TS(Interface|TypeAlias)/.test(declared.type);
    const ids =
      declared.type === 'VariableDeclaration'
        ? (declared['declarations'] as SyntaxNode[]).map((one) => one['id'] as SyntaxNode)
        : [declared['id'] as SyntaxNode];
    return ids.flatMap(namesIn).map((name) => ({ name, isType, start: declared.start }));
  });
}

const namesIn = (pattern: SyntaxNode): string[] =>
  pattern.type === 'Identifier'
    ? [nameOf(pattern)]
    : nodesBelow(pattern).flatMap((child) =>
        child.type === 'Property' ? namesIn(child['value'] as SyntaxNode) : namesIn(child),
      );

/** Names that many modules export with the same meaning, one for each folder of a kind. */
export const SHARED_NAMES: Record<string, string> = {
  Page: 'the component of each page; the page table loads them by this name',
  domain: 'each domain.ts exports the value of its domain',
};

/** Finds exported names that more than one module declares, with the modules. Tests are left out. */
export function duplicatesOf(sources: readonly { file: string; text: string }[]): Map<string, string[]> {
  const modules = new Map<string, Set<string>>();
  for (const { file, text } of sources) {
    if (!/^src\/.*\.tsx?$/.test(file) || isTestFile(file)) continue;
    for (const { name } of exportsOf(parseSource(file, text).program))
      modules.set(name, (modules.get(name) ?? new Set()).add(file));
  }
  return new Map(
    [...modules]
      .filter(([name, files]) => files.size > 1 && !(name in SHARED_NAMES))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, files]) => [name, [...files]]),
  );
}

/**
 * Finds exported helpers of tests that open something for a test and are not named so. Such a helper has the test `t`
 * as its first parameter, so that it closes itself, and returns a promise of what it opened.
 */
export function helperFaults(sources: readonly { file: string; text: string }[]): string[] {
  return sources.flatMap(({ file, text }) => {
    const isHelper = (file.startsWith('test/') || isTestFile(file)) && !/\.test\.tsx?$/.test(file);
    if (!isHelper) return [];
    return (parseSource(file, text).program['body'] as SyntaxNode[])
      .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : undefined))
      .filter((declared) => isSyntaxNode(declared) && declared.type === 'FunctionDeclaration')
      .map((declared) => declared as SyntaxNode)
      .filter((declared) => nameOf((declared['params'] as SyntaxNode[])[0]) === 't')
      .filter(({ async, returnType }) =>
        isSyntaxNode(returnType) ? /^:?\s*Promise<(?!void>)/.test(textOf(text, returnType)) : async === true,
      )
      .map((declared) => nameOf(declared['id']))
      .filter((name) => !/^(?:open|start|make|fake)[A-Z]/.test(name))
      .map((name) => `${file} ${name}: a helper that opens something for a test is named openX or startX`);
  });
}

const textOf = (text: string, { start, end }: SyntaxNode) => text.slice(start, end);

/** The part of the repository whose prose is checked. */
const ROOTS = ['src', 'test', 'bench', 'demo', 'tools', 'docs', 'changes'];
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
/** This file and its test quote what they ban; the tables of test lines for the clean-up quote films. */
const QUOTING = /^test\/(?:architecture\/prose-patterns\.ts|prose\.test\.ts)$|^src\/cues\/clean\/impaired-\w+\.ts$/;

/** Reads the sources and pages of a working tree. */
export function readProse(root: string): { file: string; text: string }[] {
  const files = ROOTS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|md)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return [...files, ...PAGES.filter((page) => existsSync(join(root, page)))]
    .filter((file) => !QUOTING.test(file) && !file.includes('node_modules'))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

export interface ProseCounts {
  /** Commits after this one have their subjects checked. */
  subjectsAfter: string;
  /** Allowed findings of each area. An area that is not listed has none. */
  areas: Record<string, number>;
}

const COUNTS = join(import.meta.dirname, 'prose.json');
export const readCounts = (): ProseCounts => JSON.parse(readFileSync(COUNTS, 'utf8')) as ProseCounts;

export const countBy = (areas: readonly string[]): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const area of areas) counts.set(area, (counts.get(area) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
};

type AreaCounts = Pick<ProseCounts, 'areas'>;

/** Compares the present counts with the allowed ones. Returns a sentence for each that has grown. */
export const grown = (now: AreaCounts, allowed: AreaCounts): string[] =>
  Object.entries(now.areas)
    .filter(([area, count]) => count > (allowed.areas[area] ?? 0))
    .map(
      ([area, count]) =>
        `${area}: ${count} findings, ${allowed.areas[area] ?? 0} allowed; ` +
        `node test/architecture/prose.ts '${area}' lists them`,
    );

/** Returns a sentence for each exported name with several declarations. */
export const duplicateFaults = (sources: Parameters<typeof duplicatesOf>[0]): string[] =>
  [...duplicatesOf(sources)].map(
    ([name, files]) => `${name}: exported by ${files.join(' and ')}; give each meaning its own name`,
  );

/**
 * Returns the allowed counts lowered to the present ones. Text that moved to a new area brings its count along, as
 * long as the sum does not grow.
 */
export function lowered(now: AreaCounts, allowed: ProseCounts): ProseCounts {
  const isMove = sum(now.areas) <= sum(allowed.areas);
  const isNew = (area: string) => isMove && !(area in allowed.areas) && !CLEAN_AREAS.includes(area);
  const moved = Object.fromEntries(Object.entries(now.areas).filter(([area]) => isNew(area)));
  return { subjectsAfter: allowed.subjectsAfter, areas: smaller(now.areas, { ...allowed.areas, ...moved }) };
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);

const smaller = (now: Record<string, number>, allowed: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(allowed)
      .map(([name, count]): [string, number] => [name, Math.min(count, now[name] ?? 0)])
      .filter(([, count]) => count > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Reads a working tree. Returns its findings, their counts, and the faults of its exported names and helpers. */
export function proseNow(root: string): AreaCounts & { findings: Finding[]; names: string[] } {
  const sources = readProse(root);
  const findings = sources.flatMap(({ file, text }) => proseOf(file, text));
  const names = [...duplicateFaults(sources), ...helperFaults(sources)];
  return { findings, areas: countBy(findings.map(({ area }) => area)), names };
}

/** Returns a sentence for each commit subject that does not follow the writing guide. */
export function subjectFaults(subject: string): string[] {
  return [
    ...(subject.length > 72 ? [`${subject.length} characters, over 72`] : []),
    ...(/^[a-z][a-z0-9./-]*: [^A-Z\s]/.test(subject) ? [] : ['not "area: imperative text" in lower case']),
    ...(/^[^:]*: (?:(?:the|an?|no|what|who|where|each|every|one|all)\b|\w+(?:ing|ed) )/.test(subject) &&
    !/^[^:]*: (?:feed|need|seed|embed|bring|ping|string) /.test(subject)
      ? ['does not start with an imperative verb']
      : []),
    ...breachesOf('subject', subject).map(({ name, instead }) => `"${name}": ${instead}`),
  ].map((fault) => `${subject}: ${fault}`);
}

/** Subjects of the commits after one, newest first. None in a copy without that part of the history. */
export function subjectsAfter(root: string, commit: string): string[] {
  try {
    const range = `${commit}..HEAD`;
    const log = execFileSync('git', ['log', '--no-merges', '--format=%s', range], { cwd: root, stdio: 'pipe' });
    return log.toString().split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Lowers `prose.json` to the present counts. Throws, and writes nothing, if one has grown. */
export function lowerCounts(root: string): void {
  const now = proseNow(root);
  const counts = lowered(now, readCounts());
  const faults = [...grown(now, counts), ...now.names];
  if (faults.length > 0) throw new Error(`wording that readers stumble over:\n${faults.join('\n')}`);
  writeFileSync(COUNTS, `${JSON.stringify(counts, null, 2)}\n`);
}

if (import.meta.main) {
  const root = process.env['PROSE_ROOT'] ?? join(import.meta.dirname, '../..');
  const { findings, areas, names } = proseNow(root);
  const wanted = process.argv.slice(2);
  if (wanted.includes('--counts')) console.log(JSON.stringify(areas, null, 2));
  else if (wanted.includes('--subjects'))
    for (const fault of subjectsAfter(root, readCounts().subjectsAfter).flatMap(subjectFaults)) console.log(fault);
  else if (wanted.includes('--names')) for (const fault of names) console.log(fault);
  else {
    const isWanted = ({ file, area }: Finding) =>
      wanted.length === 0 ||
      wanted.some((one) => area === one || file === one || file.startsWith(`${one.replace(/\/$/, '')}/`));
    const shown = findings.filter(isWanted);
    for (const { file, line, pattern, text, instead } of shown)
      console.log(`${file}:${line}: ${pattern}: ${text}\n    ${instead}`);
    console.log(`${shown.length} findings`);
  }
}
