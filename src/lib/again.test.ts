/** No call is lost, none overlap, and a failure reaches those who wait. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { again, debounce } from './again.ts';

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

test('work begins when it is quiet, or after the longest wait', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  let count = 0;
  const { ask, stop } = debounce(() => void count++, { quietMs: 100, mostMs: 1_000 });
  ask();
  mock.timers.tick(99);
  ask();
  mock.timers.tick(99);
  assert.equal(count, 0);
  mock.timers.tick(1);
  assert.equal(count, 1);
  for (let n = 0; n < 15; n++) {
    ask();
    mock.timers.tick(90);
  }
  assert.equal(count, 2, 'the longest wait has passed once');
  mock.timers.tick(1_000);
  assert.equal(count, 3);
  ask();
  stop();
  mock.timers.tick(5_000);
  assert.equal(count, 3);
});
