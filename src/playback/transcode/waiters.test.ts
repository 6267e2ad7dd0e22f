/** Requests that wait for segments, failures of runs, and places for software, each by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../lib/failure.ts';
import { createRunFailures } from './run-failures.ts';
import { createSoftwarePlaces } from './software-places.ts';
import { createWaiters } from './waiters.ts';
import { WATCHED_MS } from './watch-positions.ts';

const never = new AbortController().signal;
const outcome = (request: Promise<Buffer>): Promise<string> =>
  request.then(
    (bytes) => bytes.toString(),
    (error: unknown) => (error instanceof Failure ? (error.reason ?? error.kind) : String(error)),
  );

test('a segment is for all who wait for it, and for no one who has left', async () => {
  const waiters = createWaiters(60_000);
  const leaving = new AbortController();
  const requests = [
    waiters.wait(3, 'a', never),
    waiters.wait(3, 'b', never),
    waiters.wait(3, 'c', leaving.signal),
    waiters.wait(4, 'b', never),
  ].map(outcome);
  assert.deepEqual(
    [...waiters.wanted()],
    [
      { index: 3, who: 'a' },
      { index: 4, who: 'b' },
    ],
  );
  leaving.abort('left');
  waiters.resolve(3, Buffer.from('three'));
  waiters.resolve(5, Buffer.from('five'));
  assert.deepEqual([...waiters.wanted()], [{ index: 4, who: 'b' }]);
  waiters.rejectAll(new Failure('unavailable', 'the server is stopping', { reason: 'stopping' }));
  assert.deepEqual(await Promise.all(requests), ['three', 'three', 'left', 'stopping']);
  assert.deepEqual([...waiters.wanted()], []);
});

test('a session that is elsewhere waits no more, and no one waits for ever', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waiters = createWaiters(1_000);
  const requests = [waiters.wait(1, 'a', never), waiters.wait(2, 'a', never), waiters.wait(1, 'b', never)].map(outcome);
  waiters.rejectOf('a', (index) => index === 1);
  assert.equal(await requests[0], 'superseded');
  assert.deepEqual(
    [...waiters.wanted()],
    [
      { index: 1, who: 'b' },
      { index: 2, who: 'a' },
    ],
  );
  t.mock.timers.tick(1_000);
  assert.deepEqual(await Promise.all(requests), ['superseded', 'still-converting', 'still-converting']);
});

test('a stream is refused after three failures within a minute, and is tried again later', () => {
  let now = 0;
  const failures = createRunFailures('video', { limits: { failureMs: 60_000 }, now: () => now });
  failures.note('qsv', 'broken');
  failures.note(undefined, 'broken');
  now = 59_999;
  assert.equal(failures.isRefused(), false);
  failures.note(undefined, 'broken');
  assert.deepEqual([failures.isRefused(), failures.refusal().reason], [true, 'cannot-decode']);
  now = 60_000;
  assert.equal(failures.isRefused(), false, 'the first ones are a minute old');
  failures.refuse();
  assert.equal(failures.isRefused(), true);
  assert.deepEqual([...failures.onHardware], [['qsv', 'broken']]);
});

test('a session keeps its place while it plays, and runs that only it asked do not count', () => {
  let now = 0;
  const runs: { askers: Map<string, number> }[] = [];
  const run = (...askers: string[]): void => void runs.push({ askers: new Map(askers.map((name) => [name, 0])) });
  const places = createSoftwarePlaces({ most: 1, now: () => now, running: () => runs });
  places.admit('a');
  run('a');
  assert.deepEqual([places.isBusy(), places.isBusy('a'), places.isBusy('b')], [true, false, true]);
  const isRefused = (session: string): void =>
    assert.throws(
      () => places.admit(session),
      (error: unknown) => error instanceof Failure && error.reason === 'too-busy',
    );
  isRefused('b');
  run('a', 'c');
  isRefused('b');
  places.admit('a');
  now = WATCHED_MS - 1;
  places.note('a');
  places.note('b');
  now += WATCHED_MS;
  places.sweep();
  places.admit('a');
  now += WATCHED_MS + 1;
  places.sweep();
  isRefused('a');
  runs.length = 0;
  places.admit('b');
});
