/** The plan of the soak: it continues where it ended, and a failure is never counted as a round. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRun, type SoakResult, summary } from './soak-plan.ts';

const goal = { rounds: 6, slowRounds: 2 };
const files = ['a.test.ts', 'b.test.ts'];

function soak(
  fails: (result: Omit<SoakResult, 'hasPassed'>, at: number) => boolean,
  commit: string,
  results: SoakResult[] = [],
): SoakResult[] {
  for (let at = 0; at < 100; at++) {
    const next = nextRun(results, { files, commit, goal });
    if (!next) break;
    const result = { ...next, commit, seconds: 1, endedAt: '2026-01-01T00:00:00Z' };
    results.push({ ...result, hasPassed: !fails(result, at) });
  }
  return results;
}

test('each flow has all of its rounds, and the slow ones among them', () => {
  const results = soak(() => false, 'one');
  for (const file of files) {
    const own = results.filter((one) => one.file === file);
    assert.equal(own.length, goal.rounds);
    assert.equal(own.filter(({ isSlow }) => isSlow).length, goal.slowRounds);
  }
  assert.deepEqual(
    results.slice(0, 4).map(({ file }) => file),
    ['a.test.ts', 'b.test.ts', 'a.test.ts', 'b.test.ts'],
  );
  assert.ok(summary(results, { files, goal }).isReached);
});

test('what was interrupted continues', () => {
  const results = soak(() => false, 'one').slice(0, 5);
  assert.ok(!summary(results, { files, goal }).isReached);
  assert.equal(soak(() => false, 'one', results).length, goal.rounds * files.length);
});

test('a flow that failed waits for a new commit, and begins its rounds again', () => {
  const results = soak(({ file }, at) => file === 'a.test.ts' && at >= 3, 'one');
  assert.ok(!summary(results, { files, goal }).isReached);
  assert.equal(nextRun(results, { files, commit: 'one', goal }), undefined);
  const before = results.length;
  soak(() => false, 'two', results);
  assert.deepEqual(
    results.slice(before).map(({ file }) => file),
    Array<string>(goal.rounds).fill('a.test.ts'),
  );
  const { isReached, lines } = summary(results, { files, goal });
  assert.ok(isReached);
  assert.match(lines[0] ?? '', /^ +6 +2 +1 {2}a\.test\.ts$/);
});

test('without a flow nothing is reached', () => {
  assert.ok(!summary([], { files: [], goal }).isReached);
});
