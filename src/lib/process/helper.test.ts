/** A helper answers, and when it dies, hangs or grows only the request that did it pays. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { until } from '../../../test/until.ts';
import { createProcesses, HelperFailure } from '../process.ts';
import type { Helper, HelperNeeds } from '../process.ts';
import { quietLog } from './testing.ts';

const module = new URL('./testing-helper.ts', import.meta.url);
const why = (fault: string, isCulprit: boolean) => (error: unknown) =>
  error instanceof HelperFailure && error.fault === fault && error.isCulprit === isCulprit;

async function world(t: TestContext, more: Partial<HelperNeeds> = {}): Promise<{ helper: Helper; base: string }> {
  const base = mkdtempSync(join(tmpdir(), 'helper-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  t.after(async () => {
    await processes.close();
    rmSync(base, { recursive: true, force: true });
  });
  return { helper: processes.startHelper({ name: 'test', module, deadlineMs: 60_000, ...more }), base };
}
const doubles = (helper: Helper, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => helper.ask<number>({ do: 'double', value: from + i }));

test('answers come back to who asked', async (t) => {
  const { helper } = await world(t, { children: 2 });
  assert.deepEqual(
    await Promise.all(doubles(helper, 0, 100)),
    Array.from({ length: 100 }, (_, i) => i * 2),
  );
  await assert.rejects(
    helper.ask({ do: 'throw' }),
    (error: unknown) => error instanceof HelperFailure && error.fault === 'failed' && error.detail === 'told to',
  );
  assert.equal(helper.stats().replaced, 0);
});

test('children that stay busy get one more, and a few short requests are answered by one', async (t) => {
  const { helper: calm } = await world(t, { children: 2, busyMs: 60_000 });
  await Promise.all(doubles(calm, 0, 30));
  assert.deepEqual(calm.stats(), { children: 1, waiting: 0, answered: 30, replaced: 0 });
  const { helper: busy } = await world(t, { children: 2, ahead: 1, busyMs: 10 });
  const left = new AbortController();
  const waiting = busy.ask({ do: 'wait' }, left.signal);
  assert.deepEqual(await Promise.all(doubles(busy, 0, 3)), [0, 2, 4]);
  assert.equal(busy.stats().children, 2);
  left.abort();
  await assert.rejects(waiting, why('aborted', false));
});

test('a request that kills it is the culprit, its neighbours are answered', async (t) => {
  const { helper } = await world(t);
  const before = doubles(helper, 0, 3);
  const culprit = helper.ask({ do: 'die' });
  const after = doubles(helper, 3, 20);
  await assert.rejects(culprit, why('crashed', true));
  assert.deepEqual(
    await Promise.all([...before, ...after]),
    Array.from({ length: 23 }, (_, i) => i * 2),
  );
  assert.equal(helper.stats().replaced, 1);
});

test('a request that hangs it, or eats memory, is the culprit', async (t) => {
  const { helper } = await world(t, { deadlineMs: 2_000 });
  const spin = helper.ask({ do: 'spin' });
  const rest = doubles(helper, 0, 5);
  await assert.rejects(spin, why('hung', true));
  assert.deepEqual(await Promise.all(rest), [0, 2, 4, 6, 8]);
  const { helper: fat } = await world(t, { memoryLimit: 300 * 1024 * 1024 });
  await assert.rejects(fat.ask({ do: 'hoard' }), why('memory', true));
  assert.equal(await fat.ask({ do: 'double', value: 2 }), 4);
});

test('a child that the kernel does not let end is given up, and after the second no more are started', async (t) => {
  const { helper } = await world(t, { deadlineMs: 300 });
  const left: [number, string | number | undefined][] = [];
  const { mock } = t.mock.method(process, 'kill', (pid: number, signal?: string | number) => {
    left.push([pid, signal]);
    return true;
  });
  await assert.rejects(helper.ask({ do: 'spin' }), why('hung', true));
  await assert.rejects(helper.ask({ do: 'spin' }), why('hung', true));
  await assert.rejects(helper.ask({ do: 'double', value: 1 }), why('hung', true));
  assert.equal(helper.stats().children, 0);
  mock.restore();
  for (const [pid, signal] of left) process.kill(pid, signal);
  await until('a child starts again', () =>
    helper.ask<number>({ do: 'double', value: 2 }).then(
      (four) => four === 4,
      () => false,
    ),
  );
});

test('an answer that came while the server itself stood still is no hang', async (t) => {
  const { helper } = await world(t, { deadlineMs: 200 });
  const pid = await helper.ask({ do: 'pid' });
  const answers = doubles(helper, 0, 3);
  // They are sent, and answered while no one here reads.
  await new Promise((resolve) => setImmediate(resolve));
  for (const end = performance.now() + 1_000; performance.now() < end;);
  assert.deepEqual(await Promise.all(answers), [0, 2, 4]);
  assert.equal(await helper.ask({ do: 'pid' }), pid, 'nobody was made to go');
});

test('it can read only what it is given, and write nothing', async (t) => {
  const { helper, base } = await world(t);
  writeFileSync(join(base, 'seen'), '');
  assert.equal(await helper.ask({ do: 'see', path: join(base, 'seen') }), true);
  await assert.rejects(helper.ask({ do: 'write', path: join(base, 'made') }), why('failed', false));
  assert.deepEqual(
    await helper.ask<string[]>({ do: 'env' }).then((names) => names.filter((name) => !name.startsWith('NODE_')).sort()),
    ['DO_NOT_TRACK', 'HOME', 'LANG', 'ORT_DISABLE_TELEMETRY', 'PATH', 'TMPDIR'],
  );
  const { helper: narrow } = await world(t, { reads: [join(base, 'only')] });
  await assert.rejects(narrow.ask({ do: 'see', path: join(base, 'seen') }), why('failed', false));
  assert.ok(!readdirSync(base).includes('made'));
});

test('a module that never starts rejects what waits', async (t) => {
  const { helper } = await world(t, { module: new URL('./no-such-module.ts', import.meta.url) });
  await assert.rejects(helper.ask({}), why('failed', false));
});

test('a child that was warmed answers the first request, and goes when none comes', async (t) => {
  const { helper } = await world(t, { children: 2, idleMs: 1_000 });
  helper.warm();
  helper.warm();
  await until('a child', () => helper.stats().children === 1);
  assert.deepEqual(await Promise.all(doubles(helper, 1, 1)), [2]);
  assert.deepEqual(helper.stats(), { children: 1, waiting: 0, answered: 1, replaced: 0 });
  helper.warm();
  await until('its end', () => helper.stats().children === 0);
  helper.warm();
  await until('another', () => helper.stats().children === 1);
  await until('the end of one that was asked nothing', () => helper.stats().children === 0);
  await helper.close();
  helper.warm();
  assert.equal(helper.stats().children, 0);
});

test('a request whose caller has left is ended soon, others are answered', async (t) => {
  const { helper } = await world(t, { abandonedMs: 200 });
  await Promise.all(doubles(helper, 0, 1));
  const gone = new AbortController();
  const spin = helper.ask({ do: 'spin' }, gone.signal);
  const rest = doubles(helper, 0, 5);
  gone.abort();
  await assert.rejects(spin, why('aborted', false));
  assert.deepEqual(await Promise.all(rest), [0, 2, 4, 6, 8]);
  assert.equal(helper.stats().replaced, 1);
  // One that is done in that time costs no process.
  const late = new AbortController();
  const doubled = helper.ask({ do: 'double', value: 1 }, late.signal);
  late.abort();
  await assert.rejects(doubled, why('aborted', false));
  assert.equal(await helper.ask({ do: 'double', value: 2 }), 4);
  assert.equal(helper.stats().replaced, 1);
});

test('an idle child goes and comes back; aborted and closed are told', async (t) => {
  const { helper } = await world(t, { idleMs: 20 });
  const first = await helper.ask<number>({ do: 'pid' });
  await until('the end of the idle child', () => helper.stats().children === 0);
  assert.notEqual(await helper.ask<number>({ do: 'pid' }), first);
  await assert.rejects(helper.ask({ do: 'wait' }, AbortSignal.timeout(50)), why('aborted', false));
  const last = helper.ask({ do: 'double' });
  await Promise.all([assert.rejects(last, why('closed', false)), helper.close()]);
  await assert.rejects(helper.ask({}), why('closed', false));
});
