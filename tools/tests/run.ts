/**
 * Runs every check of the repository and counts: types, lint, dead code, the build, and the tests in three groups.
 * Ends with `N passed, N failed`, alone on the last line, and a status that is not 0 when anything failed.
 *
 * Each test file is a separate process. A file that crashes, hangs, or ends without its counts is a failure, and so
 * are skipped tests, a file without a test, and a group without a file. Three things run at a time, whatever their
 * group, which keeps two cores busy. The slowest files are listed at the end, so that growth is seen.
 *
 * `bin/test unit`, or any names of steps, runs those alone; `bin/test -- FILE ...` runs these test files. What the
 * steps share is made once before those that need it: the dashboard and the demo library.
 */
import { glob } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execute, ROOT } from './execute.ts';
import { COUNTS, type Counts } from './reporter.ts';

/**
 * One more than there are usually cores: a third of the time of test files is waiting for a browser, a disk or a
 * program.
 */
const AT_ONCE = 3;
const MINUTE = 60_000;
/** For what hangs; nothing sound comes near it, on a machine ten times slower either. */
const LONGEST_FILE = 30 * MINUTE;
const LISTED_FILES = 20;

interface Outcome {
  passed: number;
  failed: number;
  cpuMs?: number;
}
interface Job {
  run(): Promise<Outcome>;
}
interface Step {
  name: string;
  /** Steps that must have ended before this one begins. */
  after?: readonly string[];
  /** Maximum number of jobs at a time, if lower than the default. */
  atOnce?: number;
  jobs(): Promise<readonly Job[]>;
}

/** A program that is right or wrong as a whole. */
const check = (name: string, program: string, args: readonly string[]): Step => ({
  name,
  jobs: async () => [
    {
      run: async () => {
        const { code, output } = await execute(program, args, LONGEST_FILE);
        if (code !== 0) say(`not ok: ${name}\n${output}`);
        return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
      },
    },
  ],
});

const group = ({ patterns, ...step }: Omit<Step, 'jobs'> & { patterns: readonly string[] }): Step => ({
  ...step,
  jobs: async () => {
    const files = await filesOf(patterns);
    if (files.length === 0) say(`not ok: ${step.name}: no test file was found\n`);
    return files.length === 0
      ? [{ run: async () => ({ passed: 0, failed: 1 }) }]
      : files.map((file) => ({ run: () => runFile(file) }));
  },
});

const times: { file: string; wallMs: number; cpuMs: number }[] = [];

async function runFile(file: string): Promise<Outcome> {
  const began = performance.now();
  const here = (name: string) => join(import.meta.dirname, name);
  const { code, output } = await execute(
    process.execPath,
    [
      '--import',
      here('repeatable.ts'),
      `--test-reporter=${here('reporter.ts')}`,
      '--test-reporter-destination=stdout',
      resolve(ROOT, file),
    ],
    LONGEST_FILE,
  );
  const lines = output.split('\n');
  const line = lines.findLast((one) => one.startsWith(COUNTS));
  const told = lines
    .filter((one) => !one.startsWith(COUNTS))
    .join('\n')
    .trim();
  if (told !== '') say(`${told}\n`);
  if (line === undefined) {
    say(
      `not ok: ${file}: the tests ended without their counts (${code === null ? 'out of time' : `status ${code}`})\n`,
    );
    return { passed: 0, failed: 1 };
  }
  const { passed, failed, skipped, cpuMs } = JSON.parse(line.slice(COUNTS.length)) as Counts;
  times.push({ file, wallMs: performance.now() - began, cpuMs });
  if (skipped > 0) say(`not ok: ${file}: ${skipped} skipped, and a skipped test tells nothing\n`);
  if (passed + failed + skipped === 0) say(`not ok: ${file}: no test ran\n`);
  const more = failed + skipped === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  if (more > 0 && passed > 0)
    say(`not ok: ${file}: every test passed and the run ended with status ${code ?? 'none'}\n`);
  return { passed, failed: failed + skipped + more, cpuMs };
}

/** Lists where the time of this run went, by CPU time: wall time depends on what else the machine does. */
function slowest(): string {
  const line = (wallMs: number, cpuMs: number, file: string) =>
    `${(wallMs / 1000).toFixed(1).padStart(9)} ${(cpuMs / 1000).toFixed(1).padStart(7)}  ${file}\n`;
  const sum = (of: 'wallMs' | 'cpuMs') => times.reduce((total, one) => total + one[of], 0);
  const listed = times.toSorted((a, b) => b.cpuMs + b.wallMs - a.cpuMs - a.wallMs).slice(0, LISTED_FILES);
  return (
    'seconds      CPU  slowest files\n' +
    listed.map(({ file, wallMs, cpuMs }) => line(wallMs, cpuMs, file)).join('') +
    `${line(sum('wallMs'), sum('cpuMs'), `all ${times.length} files`)}`
  );
}

const say = (text: string): void => void process.stdout.write(text);

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns)
    for await (const file of glob(pattern, { cwd: ROOT, exclude: (path) => path.includes('node_modules') }))
      found.add(file);
  return [...found].sort();
}

/** In the order in which they begin: what takes long comes before what fills the gaps. */
const STEPS: readonly Step[] = [
  check('build', 'npm', ['run', '--silent', 'build']),
  check('demo library', process.execPath, ['demo/make.ts', 'dist/flows']),
  check('types', 'tsc', ['--pretty', 'false', '-p', '.']),
  check('types of the dashboard', 'tsc', ['--pretty', 'false', '-p', 'src/web']),
  check('format', 'oxfmt', ['--check', 'src', 'test', 'tools', 'bench', 'demo']),
  check('lint', 'oxlint', ['-f', 'unix']),
  check('dead code', 'knip', []),
  group({ name: 'browser', patterns: ['test/flows/**/*.test.ts'], atOnce: 1, after: ['build', 'demo library'] }),
  group({ name: 'app', patterns: ['test/*.test.ts', 'test/!(flows)/**/*.test.ts'], after: ['build'] }),
  group({
    name: 'unit',
    patterns: ['src/**/*.test.ts', 'demo/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
  }),
];

interface Progress extends Outcome {
  step: Step;
  waiting: Job[];
  running: number;
  began?: number;
  cpuMs: number;
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const at = args.indexOf('--');
  const chosen =
    at >= 0
      ? [group({ name: 'files', patterns: args.slice(at + 1) })]
      : STEPS.filter(({ name }) => args.length === 0 || args.includes(name));
  const began = performance.now();
  const steps: Progress[] = [];
  for (const step of chosen)
    steps.push({ step, waiting: [...(await step.jobs())], running: 0, passed: 0, failed: 0, cpuMs: 0 });
  const hasEnded = (name: string) =>
    steps.every(({ step, waiting, running }) => step.name !== name || waiting.length + running === 0);
  const next = () =>
    steps.find(
      ({ step, waiting, running }) =>
        waiting.length > 0 && running < (step.atOnce ?? AT_ONCE) && (step.after ?? []).every(hasEnded),
    );
  const worker = async (): Promise<void> => {
    while (steps.some(({ waiting }) => waiting.length > 0)) {
      const progress = next();
      const job = progress?.waiting.shift();
      if (!progress || !job) await new Promise((resolve) => setTimeout(resolve, 50));
      else await work(progress, job);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const passed = steps.reduce((sum, one) => sum + one.passed, 0);
  const failed = steps.reduce((sum, one) => sum + one.failed, 0) + (steps.length === 0 ? 1 : 0);
  say(`${slowest()}${since(began)} s in all\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function work(progress: Progress, job: Job): Promise<void> {
  const { step } = progress;
  progress.began ??= performance.now();
  progress.running++;
  const {
    passed,
    failed,
    cpuMs = 0,
  } = await job
    .run()
    .catch((error: unknown): Outcome => (say(`not ok: ${step.name}: ${String(error)}\n`), { passed: 0, failed: 1 }));
  progress.running--;
  progress.passed += passed;
  progress.failed += failed;
  progress.cpuMs += cpuMs;
  if (progress.waiting.length + progress.running === 0)
    say(`${step.name}: ${progress.passed} passed, ${progress.failed} failed in ${since(progress.began)} s\n`);
}

const since = (began: number): string => ((performance.now() - began) / 1000).toFixed(0);

await main();
