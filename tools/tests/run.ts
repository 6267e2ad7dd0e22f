/**
 * Runs every check of the repository and counts: types, lint, dead code, the build, and the tests in three
 * groups. Ends with `N passed, N failed`, alone on the last line, and a status that is not 0 when anything failed.
 *
 * A group that crashes, hangs, or ends without its counts is a failure, and so are skipped tests and a group in
 * which no test was found. Two things run at a time, which is what two cores allow.
 *
 * `bin/test unit`, or any names of steps, runs those alone; `bin/test -- FILE ...` runs these test files.
 *
 * A run has a folder of its own for all temporary files and for compiled code, which is gone after it. What the steps
 * share beyond that is made once before those that need it: the dashboard and the demo library.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COUNTS } from './reporter.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const AT_ONCE = 2;
const MINUTE = 60_000;
/** For what hangs; nothing sound comes near them, on a machine ten times slower either. */
const LONGEST_TEST = 15 * MINUTE;
const LONGEST_STEP = 75;
const OWN = mkdtempSync(join(tmpdir(), 'matinee-run-'));
const FOLDERS = { TMPDIR: join(OWN, 'tmp'), NODE_COMPILE_CACHE: join(OWN, 'compiled') };
// Some tests have a program run as somebody else, who must be let through.
chmodSync(OWN, 0o711);
for (const folder of Object.values(FOLDERS)) mkdirSync(folder);
process.on('exit', () => {
  for (const pid of running) end(pid);
  rmSync(OWN, { recursive: true, force: true, maxRetries: 3 });
});

interface Outcome {
  passed: number;
  failed: number;
}
interface Step {
  name: string;
  /** Steps that must have ended before this one begins. */
  after?: readonly string[];
  run(): Promise<Outcome>;
}

/** A program that is right or wrong as a whole. */
const check = (name: string, program: string, args: readonly string[]): Step => ({
  name,
  run: async () => {
    const { code, output } = await execute(program, args, 30 * MINUTE);
    if (code !== 0) say(`not ok: ${name}\n${output}`);
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
});

interface Group {
  name: string;
  patterns: readonly string[];
  minutes: number;
  /** Files at a time; each has a process of its own, so that a crash takes one file with it and says which. */
  atOnce: number;
  after?: readonly string[];
}

const group = ({ name, patterns, minutes, atOnce, after = [] }: Group): Step => ({
  name,
  after,
  run: async () => {
    const files = await filesOf(patterns);
    if (files.length === 0) {
      say(`not ok: ${name}: no test file was found\n`);
      return { passed: 0, failed: 1 };
    }
    const args = ['--import', join(import.meta.dirname, 'repeatable.ts'), '--test', `--test-concurrency=${atOnce}`, `--test-timeout=${LONGEST_TEST}`, `--test-reporter=${join(import.meta.dirname, 'reporter.ts')}`, '--test-reporter-destination=stdout', ...files];
    const { code, output } = await execute(process.execPath, args, minutes * MINUTE);
    return judged(name, code, output);
  },
});

function judged(name: string, code: number | null, output: string): Outcome {
  const line = output.split('\n').findLast((one) => one.startsWith(COUNTS));
  const told = output.split('\n').filter((one) => !one.startsWith(COUNTS)).join('\n').trim();
  if (told !== '') say(`${told}\n`);
  if (line === undefined) {
    say(`not ok: ${name}: the tests ended without their counts (${code === null ? 'out of time' : `status ${code}`})\n`);
    return { passed: 0, failed: 1 };
  }
  const { passed, failed, skipped, slowest } = JSON.parse(line.slice(COUNTS.length)) as { passed: number; failed: number; skipped: number; slowest: readonly (readonly [string, number])[] };
  if (slowest.length > 1) say(`slowest of ${name}: ${slowest.map(([file, ms]) => `${file} ${(ms / 1000).toFixed(0)} s`).join(', ')}\n`);
  if (skipped > 0) say(`not ok: ${name}: ${skipped} skipped, and a skipped test tells nothing\n`);
  if (passed + failed + skipped === 0) say(`not ok: ${name}: no test ran\n`);
  const more = failed + skipped === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  if (more > 0 && passed > 0) say(`not ok: ${name}: every test passed and the run ended with status ${code ?? 'none'}\n`);
  return { passed, failed: failed + skipped + more };
}

/** Runs a program with its output kept; ends its whole group when the time is over. `code` is null then. */
function execute(program: string, args: readonly string[], ms: number): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...FOLDERS, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: '0' } });
    const parts: Buffer[] = [];
    for (const from of [child.stdout, child.stderr]) from.on('data', (part: Buffer) => parts.push(part));
    running.add(child.pid ?? 0);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end(child.pid);
    }, ms);
    child.on('error', (error) => parts.push(Buffer.from(`${error.message}\n`)));
    // Whatever it started and did not end.
    child.on('exit', () => end(child.pid));
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child.pid ?? 0);
      resolve({ code: isLate ? null : (code ?? 1), output: Buffer.concat(parts).toString() });
    });
  });
}

const running = new Set<number>();
function end(pid: number | undefined): void {
  if (pid === undefined || pid === 0) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const say = (text: string): void => void process.stdout.write(text);

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) for await (const file of glob(pattern, { cwd: ROOT, exclude: (path) => path.includes('node_modules') })) found.add(file);
  return [...found].sort();
}

const STEPS: readonly Step[] = [
  check('build', 'npm', ['run', '--silent', 'build']),
  check('demo library', process.execPath, ['demo/make.ts', 'dist/flows']),
  check('types', 'tsc', ['--pretty', 'false', '-p', '.']),
  check('types of the dashboard', 'tsc', ['--pretty', 'false', '-p', 'src/web']),
  check('lint', 'oxlint', ['-f', 'unix']),
  check('dead code', 'knip', []),
  group({ name: 'unit', patterns: ['src/**/*.test.ts', 'demo/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'], minutes: LONGEST_STEP, atOnce: 2 }),
  group({ name: 'app', patterns: ['test/*.test.ts', 'test/!(flows)/**/*.test.ts'], minutes: LONGEST_STEP, atOnce: 2, after: ['build'] }),
  group({ name: 'browser', patterns: ['test/flows/**/*.test.ts'], minutes: LONGEST_STEP, atOnce: 1, after: ['build', 'demo library', 'unit'] }),
];

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const at = args.indexOf('--');
  const steps = at >= 0 ? [group({ name: 'files', patterns: args.slice(at + 1), minutes: LONGEST_STEP, atOnce: 2 })] : STEPS.filter(({ name }) => args.length === 0 || args.includes(name));
  const total: Outcome = { passed: 0, failed: 0 };
  const ended = new Set<string>();
  const waiting = [...steps];
  const names = new Set(steps.map(({ name }) => name));
  const began = Date.now();
  const next = () => waiting.findIndex(({ after = [] }) => after.every((name) => ended.has(name) || !names.has(name)));
  const lane = async (): Promise<void> => {
    while (waiting.length > 0) {
      const found = next();
      if (found < 0) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      const [step] = waiting.splice(found, 1);
      if (!step) return;
      const start = Date.now();
      const { passed, failed } = await step.run().catch((error: unknown) => (say(`not ok: ${step.name}: ${String(error)}\n`), { passed: 0, failed: 1 }));
      total.passed += passed;
      total.failed += failed;
      ended.add(step.name);
      say(`${step.name}: ${passed} passed, ${failed} failed in ${((Date.now() - start) / 1000).toFixed(1)} s\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (steps.length === 0) total.failed++;
  say(`${((Date.now() - began) / 1000).toFixed(0)} s in all\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

await main();
