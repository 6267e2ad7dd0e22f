/** The counting itself: whatever goes wrong in a test file is counted, and the last line says so. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

/** Runs one file with this text. Returns what was printed, its last line, and the status. */
async function counted(t: TestContext, text: string): Promise<{ lines: string[]; last: string; status: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'count-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'some.test.ts');
  await writeFile(file, `import { test } from 'node:test';\n${text}`);
  // A test within a test would otherwise report to this one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'run.ts'), '--', file], { env }, (error, stdout) => {
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
  ['not compiling', 'const = ;', '0 passed, 1 failed', 1],
  ['without a test', '', '0 passed, 1 failed', 1],
];

for (const [what, text, last, status] of CASES) {
  test(`a file that is ${what}`, async (t) => {
    const is = await counted(t, text);
    assert.deepEqual({ last: is.last, status: is.status }, { last, status });
  });
}

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
