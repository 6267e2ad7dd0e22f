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
 * `bin/test unit`, or any names of steps, runs those alone; `bin/test changed` and `bin/test quick` are smaller runs
 * (steps.ts). `bin/test -- FILE ...` runs these test files, and `bin/test --together FILE ...` runs them in one process.
 * The dashboard and the demo library are made once, before the steps that need them.
 */
import { type Failure, type Outcome, say, slowest } from './files.ts';
import { runAgain } from './flaky.ts';
import { cpuMs } from './reporter.ts';
import { changedSince, EVERYTHING, filesAlone, type Job, quick, type Step } from './steps.ts';

/**
 * One more than there are usually cores: a third of the time of test files is waiting for a browser, a disk or a
 * program. A fourth was not faster, and films in browsers played with interruptions.
 */
const AT_ONCE = 3;

interface Progress extends Outcome {
  step: Step;
  waiting: Job[];
  running: number;
  began?: number;
  cpuMs: number;
  failures: Failure[];
}

/** The steps that the arguments ask for. */
async function stepsFor(args: readonly string[]): Promise<readonly Step[]> {
  const at = args.findIndex((arg) => arg === '--' || arg === '--together');
  if (at >= 0) return filesAlone(args.slice(at + 1), args[at] === '--together');
  const [size, commit = 'main'] = args;
  if (size === 'changed') return changedSince(commit);
  if (size === 'quick') return quick();
  return EVERYTHING.filter(({ name }) => args.length === 0 || args.includes(name));
}

async function main(): Promise<void> {
  const chosen = await stepsFor(process.argv.slice(2));
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
  say(
    `${slowest()}${since(began)} s in all, CPU ${(cpuMs() / 1000).toFixed(0)} s\n${flaky}${passed} passed, ${failed} failed\n`,
  );
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
