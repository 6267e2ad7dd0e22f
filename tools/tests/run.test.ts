/** The counting itself: whatever goes wrong in a test file is counted, and the last line says so. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { attempt } from './files.ts';
import { leftOpen } from './left-open.ts';

const HANGING = "test('a', () => new Promise(() => setInterval(() => {}, 1_000)));";
const THROWN_IN_CALLBACK =
  "test('a', () => {}); test('b', () => new Promise(() => setTimeout(() => { throw new Error('x'); }, 20)));";

interface Run {
  lines: string[];
  last: string;
  status: number;
}

/** Time for a file that hangs. */
const HANGING_MS = 6_000;

async function makeFiles(t: TestContext, texts: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'count-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = texts.map((_text, n) => join(folder, n === 0 ? 'some.test.ts' : `some${n}.test.ts`));
  for (const [n, file] of files.entries())
    await writeFile(file, `import { after, test } from 'node:test';\n${texts[n] ?? ''}`);
  return files;
}

/** Has the runner run files with these texts: together in one process, or each in a separate one. */
const runFiles = async (
  t: TestContext,
  how: '--' | '--together',
  texts: readonly string[],
  env: Record<string, string> = {},
): Promise<Run> => runRunner([how, ...(await makeFiles(t, texts))], env);

/** Runs files once, without the runner: one with this text, or several in one process. */
const runOnce = async (t: TestContext, ...texts: readonly string[]): ReturnType<typeof attempt> =>
  attempt({ files: await makeFiles(t, texts) }, texts.includes(HANGING) ? HANGING_MS : 60_000);

function runRunner(args: readonly string[], more: Record<string, string> = {}): Promise<Run> {
  // A test within a test would otherwise report to this one.
  const { NODE_TEST_CONTEXT: _, STRICT: _strict, ...own } = process.env;
  return new Promise((resolve) => {
    const runner = [join(import.meta.dirname, 'run.ts'), ...args];
    execFile(process.execPath, runner, { env: { ...own, ...more } }, (error, stdout) => {
      const lines = stdout.trimEnd().split('\n');
      resolve({ lines, last: lines.at(-1) ?? '', status: error ? Number(error.code) : 0 });
    });
  });
}

const CASES: readonly (readonly [what: string, text: string, passed: number, failed: number])[] = [
  ['passing', "test('a', () => {}); test('b', () => {});", 2, 0],
  ['failing', "test('a', () => {}); test('b', () => { throw new Error('x'); });", 1, 1],
  ['failing inside', "test('a', async (t) => { await t.test('b', () => { throw new Error('x'); }); });", 0, 2],
  ['skipped', "test('a', () => {}); test.skip('b', () => {});", 1, 1],
  ['killed', "test('a', () => { process.kill(process.pid, 'SIGKILL'); });", 0, 1],
  ['ended early', "test('a', () => { process.exit(0); });", 0, 1],
  ['thrown late', "test('a', () => {}); setTimeout(() => { throw new Error('late'); }, 20);", 1, 1],
  ['throwing in a callback', THROWN_IN_CALLBACK, 1, 1],
  ['rejecting unseen', "test('a', () => new Promise(() => void Promise.reject(new Error('x'))));", 0, 1],
  [
    'a suite that fails, and another',
    "import { before, describe } from 'node:test';" +
      "describe('s', () => { before(() => { throw new Error('x'); }); test('a', () => {}); });" +
      "describe('t', () => test('b', () => {}));",
    1,
    1,
  ],
  ['hanging', HANGING, 0, 1],
  ['not compiling', 'const = ;', 0, 1],
  ['without a test', '', 0, 1],
];

for (const [what, text, passed, failed] of CASES) {
  test(`a file that is ${what}`, async (t) => {
    const is = await runOnce(t, text);
    assert.deepEqual([is.passed, is.failed], [passed, failed], is.output);
  });
}

const SOUND = "test('sound', () => {});";
for (const [what, text, , failed] of CASES) {
  test(`a file that is ${what}, between two others in one process`, async (t) => {
    const is = await runOnce(t, SOUND, text, SOUND);
    // Any number of failures is one: each file is run again, alone.
    assert.equal(is.failed, Math.min(failed, 1), is.output);
    // A test that failed is named with its file. A process that ended is not known to have ended in it.
    for (const named of is.tests.filter((one) => one.includes(', '))) assert.match(named, /some1\.test\.ts, /);
  });
}

test('what fails together is run again alone: counted as if nothing had been shared, and named', async (t) => {
  const failing = "test('a', () => {}); test('b', () => { throw new Error('x'); });";
  const { lines, last, status } = await runFiles(t, '--together', [SOUND, failing, SOUND]);
  assert.deepEqual([last, status], ['3 passed, 1 failed', 1], lines.join('\n'));
  assert.match(lines.join('\n'), /not ok: b\n {2}at .*some1\.test\.ts/);
  assert.equal(lines.filter((line) => line === 'not ok: b').length, 2, 'each failure is run once more, and no more');
  assert.ok(!lines.some((line) => line.startsWith('flaky: ')), 'it fails again');
});

test('files in one process have their own rows, and each is imported after the tests of the one before', async (t) => {
  const first =
    "globalThis.order = []; test('a', async () => { await new Promise((done) => setTimeout(done, 50)); order.push('a'); });";
  const second =
    "order.push('import'); test('b', () => { if (order.join() !== 'a,import') throw new Error(order.join()); });";
  const { lines, last } = await runFiles(t, '--together', [first, second]);
  assert.equal(last, '2 passed, 0 failed', lines.join('\n'));
  for (const name of ['some.test.ts', 'some1.test.ts'])
    assert.ok(
      lines.some((line) => line.endsWith(name)),
      name,
    );
});

test('what a file opened for all its tests is closed after the last file, and the process ends', async (t) => {
  const opens = "const timer = setInterval(() => {}, 1_000); after(() => clearInterval(timer)); test('a', () => {});";
  const { passed, failed, output } = await runOnce(t, opens, opens, opens);
  assert.deepEqual([passed, failed], [3, 0], output);
});

test('what a file leaves open is a failure, and is named with its file', async (t) => {
  const opens = "test('a', () => {}); const beat = () => setTimeout(beat, 20); beat();";
  const { lines, last, status } = await runFiles(t, '--together', [SOUND, opens, SOUND], { LEFT_OPEN_MS: '100' });
  assert.deepEqual([last, status], ['3 passed, 1 failed', 1], lines.join('\n'));
  assert.match(lines.join('\n'), /^not ok: .*some1\.test\.ts: Timeout was left open$/m);
});

test('what is left open belongs to the file after which there was never less of it', () => {
  const files = [
    { open: ['PipeWrap'] },
    { file: 'opens and closes', open: ['PipeWrap', 'Timeout', 'Timeout'] },
    { file: 'closes', open: ['PipeWrap'] },
    { file: 'opens', open: ['PipeWrap', 'Timeout'] },
    { file: 'opens two', open: ['PipeWrap', 'Timeout', 'MessagePort', 'Timeout'] },
    { file: 'starts its timer again', open: ['PipeWrap', 'Timeout', 'Timeout', 'MessagePort'] },
  ];
  assert.deepEqual(leftOpen(files, ['PipeWrap', 'Timeout', 'MessagePort', 'Timeout', 'TCPSocketWrap']), [
    'not ok: opens: Timeout was left open',
    'not ok: opens two: MessagePort was left open',
    'not ok: opens two: Timeout was left open',
    'not ok: after the last file: TCPSocketWrap was left open',
  ]);
});

test('an uncaught error is that of its test', async (t) => {
  assert.match((await runOnce(t, THROWN_IN_CALLBACK)).output, /^not ok: b\n/m);
});

/** A file with one test that does this the first time that the file is run, and passes after that. */
const onlyOnce = (what: string): string =>
  `import { existsSync, writeFileSync } from 'node:fs'; const marker = import.meta.filename + '.ran';` +
  `test('chance', async () => { if (existsSync(marker)) return; writeFileSync(marker, ''); ${what} });`;
const FAILING_ONCE = onlyOnce("throw new Error('only once');");

const FLAKES: readonly (readonly [text: string, flaky: RegExp, output: RegExp])[] = [
  [FAILING_ONCE, /some\.test\.ts, chance$/, /only once/],
  [
    onlyOnce("await new Promise(() => setTimeout(() => { throw new Error('late'); }, 20));"),
    /some1\.test\.ts, chance$/,
    /late/,
  ],
  [onlyOnce("process.kill(process.pid, 'SIGKILL');"), /some2\.test\.ts$/, /ended without their counts/],
  [
    onlyOnce('await new Promise(() => setInterval(() => {}, 1_000));'),
    /some3\.test\.ts$/,
    /ended without their counts \(out of time\)/,
  ],
];
test('a file that fails, crashes or hangs once and then passes is flaky', async (t) => {
  const texts = FLAKES.map(([text]) => text);
  const { lines, last, status } = await runFiles(t, '--', texts, { LONGEST_FILE_MS: '4000' });
  assert.deepEqual([last, lines.at(-2), status], ['4 passed, 0 failed', 'flaky: 4', 0], lines.join('\n'));
  const said = lines
    .join('\n')
    .split(/^(?=flaky: .*test\.ts)/m)
    .slice(1);
  assert.equal(said.length, 4);
  for (const [, flaky, output] of FLAKES)
    assert.match(
      said.find((one) => flaky.test(one.split('\n')[0] ?? '')) ?? '',
      output,
      'its first output is below its name',
    );
});

test('with STRICT=1, what is flaky is a failure', async (t) => {
  const { lines, last, status } = await runFiles(t, '--', [FAILING_ONCE], { STRICT: '1' });
  assert.deepEqual([last, lines.at(-2), status], ['1 passed, 1 failed', 'flaky: 1', 1], lines.join('\n'));
});

test('a file is run once more when no other is running', async (t) => {
  // The slow file lasts for half a second after the other has failed: a second run at that time would fail, too.
  const slow =
    "import { existsSync, rmSync, writeFileSync } from 'node:fs'; import { join } from 'node:path';" +
    "const at = (name) => join(import.meta.dirname, name); writeFileSync(at('slow'), '');" +
    "test('slow', async () => { for (let n = 0; n < 50; n += existsSync(at('failed')) ? 1 : 0)" +
    " await new Promise((done) => setTimeout(done, 10)); rmSync(at('slow')); });";
  const failing =
    "import { existsSync, writeFileSync } from 'node:fs'; import { join } from 'node:path';" +
    "const at = (name) => join(import.meta.dirname, name); const isSecond = existsSync(at('failed'));" +
    "test('a', async () => { while (!isSecond && !existsSync(at('slow'))) await new Promise((done) => setTimeout(done, 10));" +
    " writeFileSync(at('failed'), ''); if (existsSync(at('slow'))) throw new Error('not alone'); });";
  const { lines, last } = await runFiles(t, '--', [slow, failing]);
  assert.deepEqual([last, lines.at(-2)], ['2 passed, 0 failed', 'flaky: 1'], lines.join('\n'));
});

test('when many files fail, none is run again', async (t) => {
  const { lines, last } = await runFiles(t, '--', Array<string>(11).fill(FAILING_ONCE));
  assert.equal(last, '0 passed, 11 failed');
  assert.match(lines.join('\n'), /^11 files failed, more than 10: none is run again$/m);
});

test('files that fail together by chance are flaky, and the test is named', async (t) => {
  const { lines, last, status } = await runFiles(t, '--together', [SOUND, FAILING_ONCE]);
  assert.deepEqual([last, lines.at(-2), status], ['2 passed, 0 failed', 'flaky: 1', 0], lines.join('\n'));
  assert.match(lines.join('\n'), /^flaky: .*some1\.test\.ts, chance$/m);
});

test('files that fail together and pass alone are a failure', async (t) => {
  const first = "test('a', () => { globalThis.left = true; });";
  const second = "test('b', () => { if (globalThis.left) throw new Error('disturbed'); });";
  const { lines, last, status } = await runFiles(t, '--together', [first, second]);
  assert.deepEqual([last, status], ['2 passed, 1 failed', 1]);
  assert.match(
    lines.join('\n'),
    /pass alone and not together \(status 1\): .*some\.test\.ts .*some1\.test\.ts[^]*disturbed/,
  );
});

test('each file is listed with its CPU time, that of the programs it started included', async (t) => {
  const burn = 'while (process.cpuUsage().user < 200_000);';
  const { lines } = await runFiles(t, '--', [
    `import { execFileSync } from 'node:child_process';\n` +
      `test('a', () => { execFileSync(process.execPath, ['-e', ${JSON.stringify(burn)}]); });`,
  ]);
  const row = lines.find((line) => line.endsWith('some.test.ts'));
  const [wall = 0, cpu = 0] = (row ?? '').trim().split(/ +/).map(Number);
  assert.ok(cpu >= 0.2 && wall > 0, lines.join('\n'));
});

test('no file at all', async () => {
  const { last, status } = await runRunner(['--', 'no/such/*.test.ts']);
  assert.deepEqual([last, status], ['0 passed, 1 failed', 1]);
});
