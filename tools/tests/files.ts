/**
 * Runs test files, each in a separate process or several in one, and counts what passed and failed.
 *
 * A file that crashes, hangs, or ends without its counts is a failure, and so are skipped tests and a file without a
 * test. Files that share a process count only when every one of them is sound. Otherwise each is run again in a
 * separate process, and those results count: failures are named and counted as if nothing had been shared. Files that
 * fail together and pass alone are one failure more, because one of them disturbs another. So is something that a file
 * left open (left-open.ts): alone, the file would run until it is out of time.
 *
 * Every failure says what to run once more (flaky.ts): the file, or the files that failed together.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execute, ROOT } from './execute.ts';
import { LEFT_OPEN_STATUS } from './left-open.ts';
import { COUNTS, type Counts } from './reporter.ts';

const MINUTE = 60_000;
/** For what hangs; nothing sound comes near it, on a machine ten times slower either. */
export const LONGEST_FILE = Number(process.env['LONGEST_FILE_MS'] ?? 30 * MINUTE);
const LONGEST_BUNCH = Math.min(LONGEST_FILE, 10 * MINUTE);
const LISTED_FILES = 20;

export interface Outcome {
  passed: number;
  failed: number;
  cpuMs?: number;
  failures?: readonly Failure[];
}

/** A file that failed, or files that failed in one process. */
export interface Failure {
  files: readonly string[];
  /** Those counted for the files so far. */
  passed: number;
  failed: number;
  /** `FILE, TEST` of each test that failed; the file alone if it ended before it named one. */
  tests: readonly string[];
  output: string;
}

/** One run of a file, or of files that share a process. */
interface Attempt extends Failure {
  cpuMs: number;
  /** Why the process ended: "status 1" or "out of time". */
  end: string;
  /** Whether all tests passed and something kept the process. */
  isLeftOpen?: boolean;
}

export const say = (text: string): void => void process.stdout.write(text);

const times: { file: string; wallMs: number; cpuMs: number }[] = [];

/** Has Node load components, for the tests of them. */
const COMPONENTS = join(ROOT, 'test/components/loader.ts');

const here = (name: string) => join(import.meta.dirname, name);

interface Printed {
  code: number | null;
  wallMs: number;
  printed: string;
  counts: Counts[];
}

/** Runs test files, or what loads them, and separates the lines of counts from everything else. */
async function run(args: readonly string[], ms: number): Promise<Printed> {
  const began = performance.now();
  const { code, output } = await execute(
    process.execPath,
    [
      ...(args.some((arg) => arg.endsWith('.test.tsx')) ? ['--import', COMPONENTS] : []),
      `--test-reporter=${here('reporter.ts')}`,
      '--test-reporter-destination=stdout',
      ...args,
    ],
    ms,
  );
  const lines = output.split('\n');
  return {
    code,
    wallMs: performance.now() - began,
    printed: lines
      .filter((line) => !line.startsWith(COUNTS))
      .join('\n')
      .trim(),
    counts: lines
      .filter((line) => line.startsWith(COUNTS))
      .map((line) => JSON.parse(line.slice(COUNTS.length)) as Counts),
  };
}

const endOf = (code: number | null): string => (code === null ? 'out of time' : `status ${code}`);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

async function attemptFile(file: string, ms: number): Promise<Attempt> {
  const { code, printed, counts, wallMs } = await run([resolve(ROOT, file)], ms);
  const last = counts.at(-1);
  const attempt = { files: [file], end: endOf(code) };
  const complaints: string[] = [];
  const complain = (what: string) => complaints.push(`not ok: ${file}: ${what}`);
  const output = () => [...(printed === '' ? [] : [printed]), ...complaints, ''].join('\n');
  if (last === undefined) {
    complain(`the tests ended without their counts (${attempt.end})`);
    return { ...attempt, passed: 0, failed: 1, cpuMs: 0, tests: [file], output: output() };
  }
  const { passed, failed, skipped, cpuMs, failures } = last;
  times.push({ file, wallMs, cpuMs });
  if (skipped > 0) complain(`${skipped} skipped, and a skipped test tells nothing`);
  if (passed + failed + skipped === 0) complain('no test ran');
  const more = failed + skipped === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  if (more > 0 && passed > 0) complain(`every test passed and the run ended with ${attempt.end}`);
  const tests = failures.length === 0 ? [file] : failures.map((name) => `${file}, ${name}`);
  return { ...attempt, passed, failed: failed + skipped + more, cpuMs, tests, output: output() };
}

/** Objects of one test are collected together, which takes a tenth less CPU time than room of 16 MiB. */
const ROOM_FOR_YOUNG = ['--min-semi-space-size=64', '--max-semi-space-size=64'] as const;

/** Runs files in one process. Any number of failures in it are one, because they are not those of the files alone. */
async function attemptTogether(files: readonly string[], ms: number): Promise<Attempt> {
  const { code, printed, counts, wallMs } = await run(
    [...ROOM_FOR_YOUNG, here('share.ts'), ...files.map((file) => resolve(ROOT, file))],
    ms,
  );
  const isSound = ({ passed, failed, skipped }: Counts): boolean => passed > 0 && failed + skipped === 0;
  const havePassed = counts.length === files.length && counts.every(isSound);
  const areSound = havePassed && code === 0;
  if (areSound)
    for (const [n, file] of files.entries())
      times.push({ file, wallMs: wallMs / files.length, cpuMs: counts[n]?.cpuMs ?? 0 });
  const tests = files.flatMap((file, n) => {
    const of = counts[n];
    if (of !== undefined) return of.failures.map((name) => `${file}, ${name}`);
    // The process ended in this file, before its counts.
    return n === counts.length ? [file] : [];
  });
  return {
    files,
    end: endOf(code),
    isLeftOpen: havePassed && code === LEFT_OPEN_STATUS,
    passed: sum(counts.map(({ passed }) => passed)),
    failed: areSound ? 0 : 1,
    cpuMs: sum(counts.map(({ cpuMs }) => cpuMs)),
    tests: tests.length === 0 ? files : tests,
    output: printed === '' ? '' : `${printed}\n`,
  };
}

/** Runs what failed once more, in the same way. */
export const attempt = ({ files }: Pick<Failure, 'files'>, ms = LONGEST_BUNCH): Promise<Attempt> => {
  const [file = '', ...more] = files;
  return more.length === 0 ? attemptFile(file, ms) : attemptTogether(files, ms);
};

/** Runs one file in a separate process. */
export async function runFile(file: string): Promise<Outcome> {
  const done = await attemptFile(file, LONGEST_FILE);
  say(done.output);
  return { ...done, failures: done.failed > 0 ? [done] : [] };
}

/** Runs files one after the other in one process, and all of them again separately if anything is wrong. */
export async function runTogether(files: readonly string[]): Promise<Outcome> {
  const together = await attemptTogether(files, LONGEST_BUNCH);
  if (together.failed === 0) {
    say(together.output);
    return together;
  }
  if (together.isLeftOpen) {
    say(together.output);
    return { ...together, failures: [together] };
  }
  const outcomes: Outcome[] = [];
  for (const file of files) outcomes.push(await runFile(file));
  const passed = sum(outcomes.map((one) => one.passed));
  const failures = outcomes.flatMap((one) => one.failures ?? []);
  if (failures.length > 0) return { passed, failed: sum(outcomes.map(({ failed }) => failed)), failures };
  say(`not ok: these files pass alone and not together (${together.end}): ${files.join(' ')}\n${together.output}`);
  return { passed, failed: 1, failures: [{ ...together, passed }] };
}

/**
 * Lists where the time of this run went, by CPU time: wall time depends on what else the machine does. `TIMES=FILE`
 * writes the milliseconds of every file there.
 */
export function slowest(): string {
  const line = (wallMs: number, cpuMs: number, file: string) =>
    `${(wallMs / 1000).toFixed(1).padStart(9)} ${(cpuMs / 1000).toFixed(1).padStart(7)}  ${file}\n`;
  const listed = times.toSorted((a, b) => b.cpuMs + b.wallMs - a.cpuMs - a.wallMs).slice(0, LISTED_FILES);
  const of = (time: 'wallMs' | 'cpuMs') => sum(times.map((one) => one[time]));
  const all = line(of('wallMs'), of('cpuMs'), `all ${times.length} files`);
  if (process.env['TIMES'] !== undefined)
    writeFileSync(process.env['TIMES'], times.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return `seconds      CPU  slowest files\n${listed.map(({ file, wallMs, cpuMs }) => line(wallMs, cpuMs, file)).join('')}${all}`;
}
