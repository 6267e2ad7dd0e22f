/** An uncaught fault is logged without its message; only one outside of everything ends the server. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A process that notes its faults, does `what`, and says that it is still there a moment later. */
const child = async (
  what: string,
  notes = 'noteFaults(process, { log: createLog({ level: "info" }), end: () => process.exit(1) });',
) => {
  const script =
    `import { noteFaults } from './src/uncaught.ts'; import { createLog } from './src/lib/log.ts'; void ` +
    `noteFaults; void createLog; ${notes} setTimeout(() => { console.log('still here'); }, 20);\n${what}`;
  const done = await run(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    cwd: new URL('..', import.meta.url),
  }).catch((error: { stdout: string; stderr: string; code: number }) => error);
  return { code: 'code' in done ? done.code : 0, said: `${done.stdout}${done.stderr}` };
};
const REJECTED = `void Promise.reject(new Error('/media/A film.mkv is gone'));`;

test(
  'a rejection that no one awaited is logged without its message, and the server continues',
  { timeout: 300_000 },
  async () => {
    const { code, said } = await child(REJECTED);
    assert.equal(code, 0);
    assert.match(said, /"event":"process.rejection"[\s\S]*still here/);
    assert.ok(!said.includes('A film'), said);
  },
);

test('planted: without the note it ends the process, and its message is printed', { timeout: 300_000 }, async () => {
  const { code, said } = await child(REJECTED, '');
  assert.equal(code, 1);
  assert.ok(said.includes('A film') && !said.includes('still here'));
});

test(
  'an exception outside of everything is logged without its message, and ends the server',
  { timeout: 300_000 },
  async () => {
    const { code, said } = await child(`setTimeout(() => { throw new Error('/media/A film.mkv is gone'); }, 1);`);
    assert.equal(code, 1);
    assert.match(said, /"event":"process.exception"/);
    assert.ok(!said.includes('A film') && !said.includes('still here'), said);
  },
);
