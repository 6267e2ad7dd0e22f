/** The oldest values go first, by their bytes and not by their number. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedCache } from './bounded-cache.ts';

test('a cache keeps what fits into its bytes, and drops the oldest first', () => {
  const cache = createBoundedCache<string>({ maxBytes: 10, bytesOf: (text) => text.length });
  const kept = () => ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined).join('');
  for (const key of ['a', 'b', 'c']) cache.set(key, 'four');
  assert.equal(kept(), 'bc');
  cache.set('b', 'x');
  cache.set('d', 'fives');
  assert.equal(kept(), 'bcd', 'a value that is set again counts once');
  cache.set('a', 'x'.repeat(10));
  assert.equal(kept(), 'bcd', 'what is larger than nine tenths is not kept');
  cache.set('a', 'x'.repeat(9));
  assert.equal(kept(), 'a');
  cache.clear();
  cache.set('b', 'x'.repeat(9));
  assert.equal(kept(), 'b', 'nothing counts after it was cleared');
});

test('a full cache takes new values about as fast as one without a bound', () => {
  const fill = (maxBytes: number): number => {
    const cache = createBoundedCache<number>({ maxBytes, bytesOf: () => 1 });
    const since = performance.now();
    for (let i = 0; i < 60_000; i++) cache.set(`${i}`, i);
    return performance.now() - since;
  };
  const rounds = Array.from({ length: 5 }, () => [fill(Infinity), fill(12_500)] as const);
  const [free, bounded] = [Math.min(...rounds.map(([one]) => one)), Math.min(...rounds.map(([, one]) => one))];
  assert.ok(bounded < 12 * free + 20, `${bounded.toFixed(0)} ms instead of ${free.toFixed(0)}`);
});
