/**
 * Runs every check of the repository and counts: types, lint, dead code, the build, and the tests in four groups.
 * Ends with `N passed, N failed`, alone on the last line, and a status that is not 0 when anything failed.
 *
 * Each test file is a separate process, except those that share one (shared.ts, files.ts). A group without a file is
 * a failure. Three things run at a time, whatever their group, which keeps two cores busy. Flows that play run after all
 * others, one at a time. The slowest files are listed at the end, so that growth is seen.
 *
 * A file that failed is run once more, alone (flaky.ts).
 *
 * `bin/test unit`, or any names of steps, runs those alone; `bin/test -- FILE ...` runs these test files, and
 * `bin/test --together FILE ...` runs them in one process. What the steps share is made once before those that need it:
 * the dashboard and the demo library.
 */
import { glob } from 'node:fs/promises';
import { execute, ROOT } from './execute.ts';
import { type Failure, LONGEST_FILE, type Outcome, runFile, runTogether, say, slowest } from './files.ts';
import { runAgain } from './flaky.ts';
import { inBunches, isPlaying } from './shared.ts';

/**
 * One more than there are usually cores: a third of the time of test files is waiting for a browser, a disk or a
 * program. A fourth was not faster, and films in browsers played with interruptions.
 */
const AT_ONCE = 3;

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

const group = ({
  patterns,
  without = () => false,
  bunches = (files) => files.map((file) => [file]),
  ...step
}: Omit<Step, 'jobs'> & {
  patterns: readonly string[];
  /** Leaves files out that the patterns match. */
  without?: (file: string) => boolean;
  /** Divides the files into those that share a process. Default: none does. */
  bunches?: (files: readonly string[]) => readonly (readonly string[])[];
}): Step => ({
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

/** In the order in which they begin: what takes long comes before what fills the gaps. */
const SIDE_BY_SIDE: readonly Step[] = [
  check('build', 'npm', ['run', '--silent', 'build']),
  check('demo library', process.execPath, ['demo/make.ts', 'dist/flows']),
  check('types', 'tsc', ['--pretty', 'false', '--checkers', '1', '-p', '.'], LEAN_GO),
  check('types of the dashboard', 'tsc', ['--pretty', 'false', '--checkers', '1', '-p', 'src/web'], LEAN_GO),
  check('format', 'oxfmt', ['--check', 'src', 'test', 'tools', 'bench', 'demo']),
  check('lint', 'oxlint', ['-f', 'unix', '--threads=1'], LEAN_GO),
  check('dead code', 'knip', []),
  group({
    name: 'browser',
    patterns: ['test/flows/**/*.test.ts'],
    without: isPlaying,
    atOnce: 2,
    after: ['build', 'demo library'],
  }),
  group({
    name: 'app',
    patterns: ['test/*.test.ts', 'test/!(flows)/**/*.test.ts'],
    after: ['build'],
    bunches: inBunches,
  }),
  group({
    name: 'unit',
    patterns: ['src/**/*.test.{ts,tsx}', 'demo/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    bunches: inBunches,
  }),
];

const STEPS: readonly Step[] = [
  ...SIDE_BY_SIDE,
  // Next to other work a film is interrupted while it plays, and sound is late.
  group({
    name: 'playing',
    patterns: ['test/flows/**/*.test.ts'],
    without: (file) => !isPlaying(file),
    atOnce: 1,
    after: SIDE_BY_SIDE.map(({ name }) => name),
  }),
];

interface Progress extends Outcome {
  step: Step;
  waiting: Job[];
  running: number;
  began?: number;
  cpuMs: number;
  failures: Failure[];
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const at = args.findIndex((arg) => arg === '--' || arg === '--together');
  const chosen =
    at >= 0
      ? [
          group({
            name: 'files',
            patterns: args.slice(at + 1),
            ...(args[at] === '--together' && { bunches: (files: readonly string[]) => [files] }),
          }),
        ]
      : STEPS.filter(({ name }) => args.length === 0 || args.includes(name));
  const began = performance.now();
  const steps: Progress[] = [];
  for (const step of chosen)
    steps.push({ step, waiting: [...(await step.jobs())], running: 0, passed: 0, failed: 0, cpuMs: 0, failures: [] });
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
  const again = await runAgain(steps.flatMap(({ failures }) => failures));
  const passed = steps.reduce((sum, one) => sum + one.passed, again.passed);
  const failed = steps.reduce((sum, one) => sum + one.failed, again.failed) + (steps.length === 0 ? 1 : 0);
  const flaky = again.flaky === 0 ? '' : `flaky: ${again.flaky}\n`;
  say(`${slowest()}${since(began)} s in all\n${flaky}${passed} passed, ${failed} failed\n`);
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
    failures = [],
  } = await job
    .run()
    .catch((error: unknown): Outcome => (say(`not ok: ${step.name}: ${String(error)}\n`), { passed: 0, failed: 1 }));
  progress.running--;
  progress.passed += passed;
  progress.failed += failed;
  progress.cpuMs += cpuMs;
  progress.failures.push(...failures);
  if (progress.waiting.length + progress.running === 0)
    say(`${step.name}: ${progress.passed} passed, ${progress.failed} failed in ${since(progress.began)} s\n`);
}

const since = (began: number): string => ((performance.now() - began) / 1000).toFixed(0);

await main();
