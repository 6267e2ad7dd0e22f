/** No call is lost, none overlap, and a failure reaches those who wait. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { again } from './again.ts';

test('calls made while it runs make it run exactly once more', async () => {
  let runs = 0;
  let inside = 0;
  const gates: (() => void)[] = [];
  const go = again(async () => {
    assert.equal(++inside, 1);
    runs++;
    await new Promise<void>((resolve) => void gates.push(resolve));
    inside--;
  });
  const first = go();
  const others = [go(), go(), go()];
  assert.equal(runs, 1);
  gates[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 2);
  gates[1]?.();
  await Promise.all([first, ...others]);
  assert.equal(runs, 2);
  const later = go();
  gates[2]?.();
  await later;
  assert.equal(runs, 3);
});

test('a failure is thrown to all who wait, and does not eat the call made meanwhile', async () => {
  let runs = 0;
  const go = again(async () => {
    await null;
    if (++runs === 1) throw new Error('first');
  });
  const all = await Promise.allSettled([go(), go()]);
  assert.equal(runs, 2);
  assert.deepEqual(all.map((r) => r.status), ['rejected', 'rejected']);
  await go();
  assert.equal(runs, 3);
});

test('work that throws at once leaves it usable', async () => {
  let runs = 0;
  const go = again(() => {
    if (++runs === 1) throw new Error('at once');
    return Promise.resolve();
  });
  await assert.rejects(go(), /at once/);
  await go();
  assert.equal(runs, 2);
});
