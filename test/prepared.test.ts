/** A prepared folder is made once, whoever asks, and is there only when it is complete. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

const MODULE = new URL('./prepared.ts', import.meta.url).href;

/**
 * Asks for a folder in a separate process, whose maker notes that it ran. Returns what the folder held, or the
 * signal.
 */
async function asked(base: string, recipe: string, end = ''): Promise<string> {
  const script = `
    import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
    import { makePrepared } from ${JSON.stringify(MODULE)};
    const folder = await makePrepared(${JSON.stringify(recipe)}, async (part) => {
      appendFileSync(${JSON.stringify(join(base, 'makers'))}, '.');
      for (const name of ['a', 'b', 'c']) {
        await new Promise((resolve) => setImmediate(resolve));
        writeFileSync(part + '/' + name, 'x');
        ${end}
      }
    });
    process.stdout.write(readdirSync(folder).join());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, PREPARED_FOLDER: base },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal ?? said)));
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'prepared-test-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
const makers = (base: string): number => readFileSync(join(base, 'makers'), 'utf8').length;

test('six processes that ask at once get one folder, made once', async (t) => {
  const base = folder(t);
  assert.deepEqual(
    await Promise.all(Array.from({ length: 6 }, () => asked(base, 'one'))),
    Array.from({ length: 6 }, () => 'a,b,c'),
  );
  assert.equal(makers(base), 1);
});

test('another recipe is another folder', async (t) => {
  const base = folder(t);
  await asked(base, 'one');
  await asked(base, 'two');
  assert.deepEqual([makers(base), readdirSync(base).filter((name) => /^[0-9a-f]{24}$/.test(name)).length], [2, 2]);
});

test('a maker that was killed on the way leaves nothing that is taken for complete', async (t) => {
  const base = folder(t);
  assert.equal(await asked(base, 'one', "process.kill(process.pid, 'SIGKILL');"), 'SIGKILL');
  assert.equal(await asked(base, 'one'), 'a,b,c');
  assert.equal(makers(base), 2);
});
