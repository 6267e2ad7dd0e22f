/**
 * The steps of a run: what each checks, what it needs before it begins, and how many of its jobs run at a time.
 *
 * There are three sizes of a run. Everything; `quick`, which has what breaks most often and takes two minutes; and
 * `changed`, which has what a change can break (choose.ts).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { choose } from './choose.ts';
import { execute, ROOT } from './execute.ts';
import { LONGEST_FILE, type Outcome, runFile, runTogether, say } from './files.ts';
import { inBunches, isPlaying } from './shared.ts';

export interface Job {
  run(): Promise<Outcome>;
}
export interface Step {
  name: string;
  /** Steps that must have ended before this one begins. */
  after?: readonly string[];
  /** Maximum number of jobs at a time, if lower than the default. */
  atOnce?: number;
  jobs(): Promise<readonly Job[]>;
}

/**
 * For checks that are written in Go. Several threads check the same types several times, and collecting garbage takes
 * half of the rest: one thread that collects above 2 GiB takes 35 instead of 89 s of CPU time for the three of them.
 */
const LEAN_GO = { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '2GiB' };

/** A program that is right or wrong as a whole. */
const check = (
  name: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Step => ({
  name,
  jobs: async () => [
    {
      run: async () => {
        const { code, output } = await execute(program, args, LONGEST_FILE, env);
        if (code !== 0) say(`not ok: ${name}\n${output}`);
        return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
      },
    },
  ],
});

interface Group extends Omit<Step, 'jobs'> {
  patterns: readonly string[];
  /** Leaves files out that the patterns match. */
  without?: (file: string) => boolean;
  /** Divides the files into those that share a process. Default: none does. */
  bunches?: (files: readonly string[]) => readonly (readonly string[])[];
}

const group = ({
  patterns,
  without = () => false,
  bunches = (files) => files.map((file) => [file]),
  ...step
}: Group): Step => ({
  ...step,
  jobs: async () => {
    const files = (await filesOf(patterns)).filter((file) => !without(file));
    if (files.length === 0) say(`not ok: ${step.name}: no test file was found\n`);
    return files.length === 0
      ? [{ run: async () => ({ passed: 0, failed: 1 }) }]
      : bunches(files).map((bunch) => {
          const [file, ...more] = bunch;
          return { run: () => (file !== undefined && more.length === 0 ? runFile(file) : runTogether(bunch)) };
        });
  },
});

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns)
    for await (const file of glob(pattern, { cwd: ROOT, exclude: (path) => path.includes('node_modules') }))
      found.add(file);
  return [...found].sort();
}

/** Made once for the built server and the browser. */
const BUILD = check('build', 'npm', ['run', '--silent', 'build']);
const DEMO_LIBRARY = check('demo library', process.execPath, ['demo/make.ts', 'dist/flows']);
const TYPES: readonly Step[] = [
  check('types', 'tsc', ['--pretty', 'false', '--checkers', '1', '-p', '.'], LEAN_GO),
  check('types of the dashboard', 'tsc', ['--pretty', 'false', '--checkers', '1', '-p', 'src/web'], LEAN_GO),
];
const format = (paths: readonly string[]): Step =>
  check('format', 'oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...paths]);
/** Judges these files, or all of them. */
const lint = (files: readonly string[] = []): Step =>
  check('lint', 'oxlint', ['-f', 'unix', '--threads=1', ...files], LEAN_GO);
const DEAD_CODE = check('dead code', 'knip', []);
const FORMATTED = ['src', 'test', 'tools', 'bench', 'demo'];

/** In the order in which they begin: what takes long comes before what fills the gaps. */
const SIDE_BY_SIDE: readonly Group[] = [
  {
    name: 'browser',
    patterns: ['test/flows/**/*.test.ts'],
    without: isPlaying,
    atOnce: 2,
    after: [BUILD.name, DEMO_LIBRARY.name],
  },
  {
    name: 'app',
    patterns: ['test/*.test.ts', 'test/!(flows)/**/*.test.ts'],
    after: [BUILD.name],
    bunches: inBunches,
  },
  {
    name: 'unit',
    patterns: ['src/**/*.test.{ts,tsx}', 'demo/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    bunches: inBunches,
  },
];
const CHECKS: readonly Step[] = [BUILD, DEMO_LIBRARY, ...TYPES, format(FORMATTED), lint(), DEAD_CODE];
const GROUPS: readonly Group[] = [
  ...SIDE_BY_SIDE,
  // Next to other work a film is interrupted while it plays, and sound is late.
  {
    name: 'playing',
    patterns: ['test/flows/**/*.test.ts'],
    without: (file) => !isPlaying(file),
    atOnce: 1,
    after: [...CHECKS, ...SIDE_BY_SIDE].map(({ name }) => name),
  },
];

/** Everything, as CI runs it. */
export const EVERYTHING: readonly Step[] = [...CHECKS, ...GROUPS.map(group)];

/** These test files, or all of them in one process. */
export const filesAlone = (patterns: readonly string[], areTogether: boolean): readonly Step[] => [
  group({ name: 'files', patterns, ...(areTogether && { bunches: (files) => [files] }) }),
];

/**
 * Tests of what breaks most often: contracts, policy, words, pure code, components, and the built server, which scans, plays,
 * and fetches and installs a subtitle.
 */
const QUICK: readonly RegExp[] = [
  /^test\/(architecture|built|cursors|docs|domains|endpoints|german|list-bounds|settings-read)\.test/,
  /^test\/(matrix|words)\//,
  /^src\/(contract|http|web)\//,
  /^src\/catalog\/(kinds|naming)\//,
  /^src\/cues\/(?!align|fuzz|hostile|pictures\/(against|fuzz))/,
  /^src\/lib\/(?!process|files|ffmpeg|db|books|speech)/,
  /^src\/playback\/(plan|session)\//,
  /^src\/subtitles\/(choosing|providers)\//,
  /^tools\/tests\/choose\./,
];

/** A run of about two minutes. */
export const quick = (): Promise<readonly Step[]> =>
  narrowed([BUILD, ...TYPES, format(FORMATTED), lint(), DEAD_CODE], (file) => QUICK.some((one) => one.test(file)));

/** Rules that read every source, whatever has changed. */
const OF_ALL_SOURCES = /^test\/(architecture|docs)\.test/;
const IS_LINTED = /\.(ts|tsx|js|cjs|mjs)$/;

/**
 * Steps for what the changes since `commit` can break, those that are not committed included: tests that reach a
 * changed file or an address of it, visits of the pages that contain it, types, lint and the rules of the architecture.
 */
export async function changedSince(commit: string): Promise<readonly Step[]> {
  const git = (...args: readonly string[]): string[] =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
      .split('\0')
      .filter(Boolean);
  const base = execFileSync('git', ['merge-base', commit, 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const known = [...git('ls-files', '-z'), ...git('ls-files', '-z', '--others', '--exclude-standard')];
  const changed = [
    ...git('diff', '-z', '--name-only', '--no-renames', base),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  if (changed.length === 0) say(`nothing has changed since ${commit}\n`);
  const { tests, pages } = choose(textsOf(known), changed);
  const chosen = new Set(tests);
  say(`${changed.length} files changed since ${commit}: ${chosen.size} test files\n`);
  if (pages.length > 0) say(`pages: ${pages.join(' ')}\n`);
  // Read by test/flows/pages-house.ts.
  if (pages.length > 0) process.env['VISITED_PAGES'] = pages.join(' ');
  const present = changed.filter((file) => existsSync(join(ROOT, file)));
  const linted = present.filter((file) => IS_LINTED.test(file));
  const formatted = present.filter((file) => FORMATTED.includes(file.split('/')[0] ?? ''));
  const checks = [
    ...TYPES,
    ...(formatted.length > 0 ? [format(formatted)] : []),
    ...(linted.length > 0 ? [lint(linted)] : []),
  ];
  return narrowed([BUILD, DEMO_LIBRARY, ...checks], (file) => chosen.has(file) || OF_ALL_SOURCES.test(file));
}

/** The source texts that name other files; empty for all others. */
function textsOf(files: readonly string[]): ReadonlyMap<string, string> {
  const isRead = (file: string): boolean => /\.(ts|tsx|cjs|mjs|sh|css|html)$/.test(file) || file.startsWith('bin/');
  return new Map(
    files
      .filter((file) => existsSync(join(ROOT, file)))
      .map((file) => [file, isRead(file) ? readFileSync(join(ROOT, file), 'utf8') : '']),
  );
}

/** The groups with the chosen files, and the checks without those that only other groups need. */
async function narrowed(checks: readonly Step[], isChosen: (file: string) => boolean): Promise<readonly Step[]> {
  const groups: Group[] = [];
  for (const one of GROUPS) {
    const without = (file: string): boolean => (one.without?.(file) ?? false) || !isChosen(file);
    const files = await filesOf(one.patterns);
    if (files.some((file) => !without(file))) groups.push({ ...one, without });
  }
  const isNeeded = ({ name }: Step): boolean =>
    ![BUILD.name, DEMO_LIBRARY.name].includes(name) || groups.some(({ after }) => after?.includes(name));
  return [...checks.filter(isNeeded), ...groups.map(group)];
}
