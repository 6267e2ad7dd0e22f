/**
 * Runs test files, each in a separate process or several in one, and counts what passed and failed.
 *
 * A file that crashes, hangs, or ends without its counts is a failure, and so are skipped tests and a file without a
 * test. Files that share a process count only when every one of them is sound. Otherwise each is run again in a
 * separate process, and those results count: failures are named and counted as if nothing had been shared. Files that
 * fail together and pass alone are one failure more, because one of them disturbs another.
 */
import { join, resolve } from 'node:path';
import { execute, ROOT } from './execute.ts';
import { STATUS_OF_UNCAUGHT } from './few-hooks.ts';
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
}

export const say = (text: string): void => void process.stdout.write(text);

const times: { file: string; wallMs: number; cpuMs: number }[] = [];

const here = (name: string) => join(import.meta.dirname, name);

interface Printed {
  code: number | null;
  wallMs: number;
  printed: string;
  counts: Counts[];
}

/** Runs test files, or what loads them, and separates the lines of counts from everything else. */
async function run(args: readonly string[], ms: number, hooks: 'few' | 'all' = 'few'): Promise<Printed> {
  const began = performance.now();
  const { code, output } = await execute(
    process.execPath,
    [
      ...(hooks === 'few' ? ['--import', here('few-hooks.ts')] : []),
      '--import',
      here('repeatable.ts'),
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

/** Runs one file in a separate process, and again after an uncaught error, to find its test. */
export async function runFile(file: string): Promise<Outcome> {
  const first = await run([resolve(ROOT, file)], LONGEST_FILE);
  if (first.code !== STATUS_OF_UNCAUGHT) return outcomeOf(file, first);
  const { passed, failed } = outcomeOf(file, await run([resolve(ROOT, file)], LONGEST_FILE, 'all'));
  if (failed > 0) return { passed, failed };
  say(`not ok: ${file}: an uncaught error that did not come again\n${first.printed}\n`);
  return { passed, failed: 1 };
}

function outcomeOf(file: string, { code, printed, counts, wallMs }: Printed): Outcome {
  if (printed !== '') say(`${printed}\n`);
  const last = counts.at(-1);
  if (last === undefined) {
    say(
      `not ok: ${file}: the tests ended without their counts (${code === null ? 'out of time' : `status ${code}`})\n`,
    );
    return { passed: 0, failed: 1 };
  }
  const { passed, failed, skipped, cpuMs } = last;
  times.push({ file, wallMs, cpuMs });
  if (skipped > 0) say(`not ok: ${file}: ${skipped} skipped, and a skipped test tells nothing\n`);
  if (passed + failed + skipped === 0) say(`not ok: ${file}: no test ran\n`);
  const more = failed + skipped === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  if (more > 0 && passed > 0)
    say(`not ok: ${file}: every test passed and the run ended with status ${code ?? 'none'}\n`);
  return { passed, failed: failed + skipped + more, cpuMs };
}

/** Objects of one test are collected together, which takes a tenth less CPU time than room of 16 MiB. */
const ROOM_FOR_YOUNG = ['--min-semi-space-size=64', '--max-semi-space-size=64'] as const;

/** Runs files one after the other in one process, and all of them again separately if anything is wrong. */
export async function runTogether(files: readonly string[]): Promise<Outcome> {
  const { code, printed, counts, wallMs } = await run(
    [...ROOM_FOR_YOUNG, here('share.ts'), ...files.map((file) => resolve(ROOT, file))],
    LONGEST_BUNCH,
  );
  const areSound = counts.every(({ passed, failed, skipped }) => passed > 0 && failed + skipped === 0);
  if (code === 0 && counts.length === files.length && areSound) {
    if (printed !== '') say(`${printed}\n`);
    const cpuMs = counts.reduce((sum, one) => sum + one.cpuMs, 0);
    for (const [n, file] of files.entries())
      times.push({ file, wallMs: wallMs / files.length, cpuMs: counts[n]?.cpuMs ?? 0 });
    return { passed: counts.reduce((sum, one) => sum + one.passed, 0), failed: 0, cpuMs };
  }
  const outcomes: Outcome[] = [];
  for (const file of files) outcomes.push(await runFile(file));
  const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
  const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
  if (failed > 0) return { passed, failed };
  const status = code === null ? 'out of time' : `status ${code}`;
  say(`not ok: these files pass alone and not together (${status}): ${files.join(' ')}\n${printed}\n`);
  return { passed, failed: 1 };
}

/** Lists where the time of this run went, by CPU time: wall time depends on what else the machine does. */
export function slowest(): string {
  const line = (wallMs: number, cpuMs: number, file: string) =>
    `${(wallMs / 1000).toFixed(1).padStart(9)} ${(cpuMs / 1000).toFixed(1).padStart(7)}  ${file}\n`;
  const sum = (of: 'wallMs' | 'cpuMs') => times.reduce((total, one) => total + one[of], 0);
  const listed = times.toSorted((a, b) => b.cpuMs + b.wallMs - a.cpuMs - a.wallMs).slice(0, LISTED_FILES);
  return `seconds      CPU  slowest files\n${listed.map(({ file, wallMs, cpuMs }) => line(wallMs, cpuMs, file)).join('')}${line(sum('wallMs'), sum('cpuMs'), `all ${times.length} files`)}`;
}
