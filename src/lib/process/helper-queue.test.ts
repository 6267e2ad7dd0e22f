/** Requests that wait for a child, and the pauses between starts that fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HelperFailure } from './failure.ts';
import { createHelperQueue } from './helper-queue.ts';
import { createRestartDelay } from './restart-delay.ts';

const faultOf = (reply: Promise<unknown>): Promise<unknown> =>
  reply.then(
    (value) => value,
    (error: unknown) => (error instanceof HelperFailure ? error.fault : error),
  );

test('requests are taken in order, and those that a child left come first', async () => {
  const queue = createHelperQueue('example');
  const replies = ['one', 'two', 'three'].map((request) => queue.add<string>(request));
  const left = [queue.take(), queue.take()].flatMap((job) => job ?? []);
  assert.equal(queue.size, 1);
  queue.putBack(left);
  for (let job = queue.take(); job; job = queue.take()) job.settle({ reply: `${String(job.request)}!` });
  assert.deepEqual(await Promise.all(replies), ['one!', 'two!', 'three!']);
});

test('an abort removes a waiting request, and marks one that a child has taken', async () => {
  const queue = createHelperQueue('example');
  const [taken, waiting] = [new AbortController(), new AbortController()];
  const settled: string[] = [];
  const note = (name: string) => (fault: unknown) => void settled.push(`${name} ${String(fault)}`);
  const replies = [
    queue.add('taken', taken.signal, note('taken')),
    queue.add('waiting', waiting.signal, note('waiting')),
    queue.add('kept', undefined, note('kept')),
  ];
  const job = queue.take();
  taken.abort();
  waiting.abort();
  assert.deepEqual([job?.isAbandoned, queue.size], [true, 1]);
  assert.deepEqual(settled, ['waiting aborted']);
  // The child replies all the same.
  job?.settle({ reply: 'late' });
  assert.deepEqual(settled, ['waiting aborted', 'taken undefined']);
  queue.rejectAll('closed', '');
  assert.deepEqual(await Promise.all(replies.map(faultOf)), ['aborted', 'aborted', 'closed']);
});

test('pauses grow to five seconds, and are short again after a start', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let restarts = 0;
  const delay = createRestartDelay(() => void (restarts += 1));
  const pauseOf = (count: number): number => {
    assert.equal(delay.noteFailure(), count);
    const before = restarts;
    let ms = 0;
    for (; restarts === before; ms += 100) {
      assert.ok(delay.isWaiting);
      t.mock.timers.tick(100);
    }
    assert.equal(delay.isWaiting, false);
    return ms;
  };
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(pauseOf), [200, 400, 800, 1600, 3200, 5000, 5000]);
  delay.noteSuccess();
  assert.equal(pauseOf(1), 200);
  delay.noteFailure();
  delay.cancel();
  t.mock.timers.tick(10_000);
  assert.equal(restarts, 8);
});
