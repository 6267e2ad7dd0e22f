/** Killed at any point of a save, the configuration keeps every acknowledged save, whole, and no stray file. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { BARE } from '../../test/faults/bare.ts';
import { isStray } from '../lib/files.ts';
import { openIn, secretOf } from './testing-saver.ts';

/** Runs the saver until it is killed; returns the last save that it acknowledged and what is there afterwards. */
async function killed(t: TestContext, point: string, nth: number, how: 'sound' | 'hasty' = 'sound') {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-crash-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const arm = new URL('../../test/faults/arm.ts', import.meta.url).href;
  const saver = new URL('./testing-saver.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', arm, saver, folder, how], {
    env: { ...BARE, CRASH_AT: point, CRASH_NTH: String(nth) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
  const acknowledged = Number(said.trim().split('\n').at(-1) ?? '0');
  const { config, db } = await openIn(folder);
  const found = {
    name: config.get('server.name'),
    secret: config.get('backup.key'),
    stray: (await readdir(folder)).filter(isStray),
  };
  await db.close();
  return { signal, acknowledged, ...found };
}

const named = (n: number) => (n === 0 ? undefined : `name ${n}`);
const keyed = (n: number) => (n === 0 ? undefined : secretOf(n));

for (const [point, nth] of [
  ['files.write.opened', 1],
  ['files.write.written', 1],
  ['files.write.synced', 1],
  ['files.create.linked', 1],
  ['files.create.done', 1],
  ['files.write.done', 1],
  ['config.save.judged', 1],
  ['config.save.judged', 7],
  ['config.save.written', 1],
  ['config.save.written', 7],
] as const) {
  test(`killed at ${point}, pass ${nth}: the last acknowledged save or the next, with both its settings`, async (t) => {
    const { signal, acknowledged, name, secret, stray } = await killed(t, point, nth);
    assert.equal(signal, 'SIGKILL', 'the point was passed');
    const n = [acknowledged, acknowledged + 1].find((one) => named(one) === name);
    assert.ok(n !== undefined, `acknowledged ${acknowledged}, found ${name}`);
    assert.equal(secret, keyed(n));
    assert.deepEqual(stray, []);
  });
}

test('an acknowledgement before the write is what these tests would notice', async (t) => {
  const { signal, acknowledged, name } = await killed(t, 'config.save.written', 7, 'hasty');
  assert.equal(signal, 'SIGKILL');
  assert.ok(acknowledged > 0 && ![acknowledged, acknowledged + 1].some((n) => named(n) === name));
});
