/** Reports keep their order, and the newest of those that wait is the one that is sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReporter, type NumberedReport } from './progress.ts';

function recorded() {
  const sent: NumberedReport[] = [];
  const answers: (() => void)[] = [];
  const reporter = createReporter({
    session: 'session1',
    put: (report) => {
      sent.push(report);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  const answer = async () => {
    answers.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { sent, answer, reporter };
}

test('sequences grow, and only the newest of the waiting reports is sent', async () => {
  const { sent, answer, reporter } = recorded();
  reporter.report({ position: 10 });
  reporter.report({ position: 20 });
  reporter.report({ position: 30.04 });
  assert.deepEqual(
    sent.map(({ position }) => position),
    [10],
  );
  await answer();
  assert.deepEqual(
    sent.map(({ position }) => position),
    [10, 30],
  );
  assert.ok((sent[1]?.sequence ?? 0) > (sent[0]?.sequence ?? 0));
});
test('leaving does not wait, and says nothing twice', async () => {
  const { sent, answer, reporter } = recorded();
  reporter.report({ position: 10 });
  reporter.leave({ position: 12 });
  assert.deepEqual(
    sent.map(({ position }) => position),
    [10, 12],
  );
  await answer();
  reporter.leave({ position: 12 });
  assert.equal(sent.length, 2);
});
test('leaving repeats a report that is still under way: the browser may end it with the page', async () => {
  const { sent, reporter } = recorded();
  reporter.report({ position: 9 });
  reporter.leave({ position: 9 });
  reporter.leave({ position: 9 });
  assert.deepEqual(
    sent.map(({ position, sequence }) => [position, sequence]),
    [
      [9, 1],
      [9, 2],
    ],
  );
});
test('a report that fails stops nothing', async () => {
  let calls = 0;
  const reporter = createReporter({ session: 'session1', put: () => (calls++, Promise.reject(new Error('gone'))) });
  reporter.report({ position: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  reporter.report({ position: 2 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(calls, 2);
});
