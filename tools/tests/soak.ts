/**
 * Soaks the browser flows: runs each twelve times, four of them with slow pages, while eight busy processes compete for
 * the processor. Results are kept in `.soak/results.jsonl`, and the next call continues where this one ended.
 *
 *   bin/soak               until every flow has its rounds, or Ctrl-C
 *   bin/soak --show        what there is so far
 *   bin/soak FILE ...      these flows only
 * `ROUNDS`, `SLOW_ROUNDS` and `LOAD` change the numbers. Ends with status 1 while rounds are missing or one has failed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, ROOT } from './execute.ts';
import { LONGEST_FILE } from './files.ts';
import { nextRun, type SoakResult, type SoakRun, summary } from './soak-plan.ts';

const FOLDER = join(ROOT, '.soak');
const RESULTS = join(FOLDER, 'results.jsonl');
const goal = {
  rounds: Number(process.env['ROUNDS'] ?? 12),
  slowRounds: Number(process.env['SLOW_ROUNDS'] ?? 4),
};
const load = Number(process.env['LOAD'] ?? 8);

const say = (text: string): void => void process.stdout.write(text);

const readResults = (): SoakResult[] =>
  existsSync(RESULTS)
    ? readFileSync(RESULTS, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as SoakResult)
    : [];

/** Starts processes that do nothing but use the processor; they end with this one. */
function startLoad(): readonly ChildProcess[] {
  const spinning =
    'process.on("disconnect", () => process.exit()); const spin = () => { for (let n = 0; n < 1e7; n++); setImmediate(spin); }; spin();';
  return Array.from({ length: load }, () =>
    spawn(process.execPath, ['-e', spinning], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  );
}

async function run({ file, isSlow }: SoakRun, commit: string): Promise<SoakResult> {
  const began = performance.now();
  const { code, output } = await execute(
    process.execPath,
    [join(import.meta.dirname, 'run.ts'), '--', file],
    LONGEST_FILE,
    { STRICT: '1', ...(isSlow && { SLOW: 'random' }) },
  );
  const hasPassed = code === 0;
  return {
    file,
    commit,
    isSlow,
    hasPassed,
    seconds: Math.round((performance.now() - began) / 1000),
    endedAt: new Date().toISOString(),
    ...(!hasPassed && { output }),
  };
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const files = args.filter((arg) => !arg.startsWith('--'));
  if (files.length === 0) for await (const file of glob('test/flows/**/*.test.ts', { cwd: ROOT })) files.push(file);
  files.sort();
  const results = readResults();
  if (!args.includes('--show')) {
    mkdirSync(FOLDER, { recursive: true });
    await prepare();
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
    const busy = startLoad();
    for (;;) {
      const next = nextRun(results, { files, commit, goal });
      if (!next) break;
      const result = await run(next, commit);
      results.push(result);
      appendFileSync(RESULTS, `${JSON.stringify(result)}\n`);
      say(
        `${result.hasPassed ? 'passed' : 'FAILED'} ${result.file}${result.isSlow ? ' (slow pages)' : ''}: ${result.seconds} s\n`,
      );
      if (!result.hasPassed) say(`${result.output ?? ''}\n`);
    }
    for (const one of busy) one.kill();
  }
  const { lines, isReached } = summary(results, { files, goal });
  say(`passed   slow  failures  flow\n${lines.join('\n')}\n`);
  process.exitCode = isReached ? 0 : 1;
}

/** Builds what every flow needs, once. */
async function prepare(): Promise<void> {
  for (const [program, args] of [
    ['npm', ['run', '--silent', 'build']],
    [process.execPath, ['demo/make.ts', 'dist/flows']],
  ] as const) {
    const { code, output } = await execute(program, args, LONGEST_FILE);
    if (code !== 0) throw new Error(output);
  }
}

await main();
