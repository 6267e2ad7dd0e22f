/** The counting itself: whatever goes wrong in a test file is counted, and the last line says so. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

const HANGING = "test('a', () => new Promise(() => setInterval(() => {}, 1_000)));";
const THROWN_IN_CALLBACK =
  "test('a', () => {}); test('b', () => new Promise(() => setTimeout(() => { throw new Error('x'); }, 20)));";

/**
 * Runs one file with this text, or several in one process when there are more. Returns what was printed, its last line,
 * and the status.
 */
async function counted(
  t: TestContext,
  ...texts: readonly string[]
): Promise<{ lines: string[]; last: string; status: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'count-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = texts.map((_text, n) => join(folder, n === 0 ? 'some.test.ts' : `some${n}.test.ts`));
  for (const [n, file] of files.entries())
    await writeFile(file, `import { after, test } from 'node:test';\n${texts[n] ?? ''}`);
  // A test within a test would otherwise report to this one.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const env = { ...own, ...(texts.includes(HANGING) && { LONGEST_FILE_MS: '6000' }) };
  return new Promise((resolve) => {
    const how = files.length === 1 ? '--' : '--together';
    execFile(process.execPath, [join(import.meta.dirname, 'run.ts'), how, ...files], { env }, (error, stdout) => {
      const lines = stdout.trimEnd().split('\n');
      resolve({ lines, last: lines.at(-1) ?? '', status: error ? Number(error.code) : 0 });
    });
  });
}

const CASES: readonly (readonly [what: string, text: string, last: string, status: number])[] = [
  ['passing', "test('a', () => {}); test('b', () => {});", '2 passed, 0 failed', 0],
  ['failing', "test('a', () => {}); test('b', () => { throw new Error('x'); });", '1 passed, 1 failed', 1],
  [
    'failing inside',
    "test('a', async (t) => { await t.test('b', () => { throw new Error('x'); }); });",
    '0 passed, 2 failed',
    1,
  ],
  ['skipped', "test('a', () => {}); test.skip('b', () => {});", '1 passed, 1 failed', 1],
  ['killed', "test('a', () => { process.kill(process.pid, 'SIGKILL'); });", '0 passed, 1 failed', 1],
  ['ended early', "test('a', () => { process.exit(0); });", '0 passed, 1 failed', 1],
  ['thrown late', "test('a', () => {}); setTimeout(() => { throw new Error('late'); }, 20);", '1 passed, 1 failed', 1],
  ['throwing in a callback', THROWN_IN_CALLBACK, '1 passed, 1 failed', 1],
  [
    'rejecting unseen',
    "test('a', () => new Promise(() => void Promise.reject(new Error('x'))));",
    '0 passed, 1 failed',
    1,
  ],
  [
    'a suite that fails, and another',
    "import { before, describe } from 'node:test';" +
      "describe('s', () => { before(() => { throw new Error('x'); }); test('a', () => {}); });" +
      "describe('t', () => test('b', () => {}));",
    '1 passed, 1 failed',
    1,
  ],
  ['hanging', HANGING, '0 passed, 1 failed', 1],
  ['not compiling', 'const = ;', '0 passed, 1 failed', 1],
  ['without a test', '', '0 passed, 1 failed', 1],
];

for (const [what, text, last, status] of CASES) {
  test(`a file that is ${what}`, async (t) => {
    const is = await counted(t, text);
    assert.deepEqual({ last: is.last, status: is.status }, { last, status });
  });
}

const SOUND = "test('sound', () => {});";
for (const [what, text, last, status] of CASES) {
  test(`a file that is ${what}, between two others in one process`, async (t) => {
    const is = await counted(t, SOUND, text, SOUND);
    const [, passed = 0, failed = 0] = (/^(\d+) passed, (\d+) failed$/.exec(last) ?? []).map(Number);
    assert.deepEqual({ last: is.last, status: is.status }, { last: `${passed + 2} passed, ${failed} failed`, status });
    const failures = is.lines.filter((line) => line.startsWith('not ok: ')).join('\n');
    // It is named by the line of the failure or by the place below it, and neither of its neighbours is.
    if (failed > 0) assert.match(is.lines.join('\n'), /not ok: (?:.*\n {2}at )?.*some1\.test\.ts/);
    assert.doesNotMatch(failures, /some2?\.test\.ts/);
  });
}

test('files in one process have their own rows, and each is imported after the tests of the one before', async (t) => {
  const first =
    "globalThis.order = []; test('a', async () => { await new Promise((done) => setTimeout(done, 50)); order.push('a'); });";
  const second =
    "order.push('import'); test('b', () => { if (order.join() !== 'a,import') throw new Error(order.join()); });";
  const { lines, last } = await counted(t, first, second);
  assert.equal(last, '2 passed, 0 failed', lines.join('\n'));
  for (const name of ['some.test.ts', 'some1.test.ts'])
    assert.ok(
      lines.some((line) => line.endsWith(name)),
      name,
    );
});

test('what a file opened for all its tests is closed after the last file, and the process ends', async (t) => {
  const opens = "const timer = setInterval(() => {}, 1_000); after(() => clearInterval(timer)); test('a', () => {});";
  assert.equal((await counted(t, opens, opens, opens)).last, '3 passed, 0 failed');
});

test('an uncaught error is that of its test, and one that does not come again is a failure', async (t) => {
  assert.match((await counted(t, THROWN_IN_CALLBACK)).lines.join('\n'), /^not ok: b\n/m);
  const marker = JSON.stringify(join(await mkdtemp(join(tmpdir(), 'count-')), 'marker'));
  t.after(() => rm(join(JSON.parse(marker) as string, '..'), { recursive: true }));
  const once =
    `import { existsSync, writeFileSync } from 'node:fs'; test('a', () => new Promise((done) => setTimeout(() => {` +
    ` if (existsSync(${marker})) return done(); writeFileSync(${marker}, ''); throw new Error('only once'); }, 20)));`;
  const { lines, last } = await counted(t, once);
  assert.equal(last, '1 passed, 1 failed');
  assert.match(lines.join('\n'), /did not come again[^]*only once/);
});

test('files that fail together and pass alone are a failure', async (t) => {
  const first = "test('a', () => { globalThis.left = true; });";
  const second = "test('b', () => { if (globalThis.left) throw new Error('disturbed'); });";
  const { lines, last, status } = await counted(t, first, second);
  assert.deepEqual([last, status], ['2 passed, 1 failed', 1]);
  assert.match(
    lines.join('\n'),
    /pass alone and not together \(status 1\): .*some\.test\.ts .*some1\.test\.ts[^]*disturbed/,
  );
});

test('each file is listed with its CPU time, that of the programs it started included', async (t) => {
  const burn = 'while (process.cpuUsage().user < 400_000);';
  const { lines } = await counted(
    t,
    `import { execFileSync } from 'node:child_process';\n` +
      `test('a', () => { execFileSync(process.execPath, ['-e', ${JSON.stringify(burn)}]); });`,
  );
  const row = lines.find((line) => line.endsWith('some.test.ts'));
  const [wall = 0, cpu = 0] = (row ?? '').trim().split(/ +/).map(Number);
  assert.ok(cpu >= 0.4 && wall > 0, lines.join('\n'));
});

test('no file at all', async () => {
  const { stdout, code } = await new Promise<{ stdout: string; code: number }>((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'run.ts'), '--', 'no/such/*.test.ts'], (error, out) =>
      resolve({ stdout: out, code: error ? Number(error.code) : 0 }),
    );
  });
  assert.deepEqual([stdout.trimEnd().split('\n').at(-1), code], ['0 passed, 1 failed', 1]);
});
