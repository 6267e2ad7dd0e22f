/** The oldest entries go, and finding them costs no more than adding the new ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropOldest } from './oldest.ts';

const ENTRIES = 60_000;
const fill = (map: Map<string, unknown>, after: () => void): number => {
  const since = performance.now();
  for (let i = 0; i < ENTRIES; i++) {
    map.set(`${i}`, i);
    after();
  }
  return performance.now() - since;
};

test('no more than the maximum are kept, the newest of them', () => {
  const map = new Map<string, unknown>();
  fill(map, () => {
    dropOldest(map, 100);
    assert.ok(map.size <= 100);
  });
  assert.ok(map.size >= 90, String(map.size));
  assert.deepEqual([...map.keys()], Array.from({ length: map.size }, (_, i) => `${ENTRIES - map.size + i}`));
});

test('a full map takes new entries about as fast as one without a bound', () => {
  const rounds = Array.from({ length: 5 }, () => {
    const [free, bounded] = [new Map<string, unknown>(), new Map<string, unknown>()];
    return [fill(free, () => {}), fill(bounded, () => dropOldest(bounded, 12_500))] as const;
  });
  const [free, bounded] = [Math.min(...rounds.map(([one]) => one)), Math.min(...rounds.map(([, one]) => one))];
  assert.ok(bounded < 12 * free + 20, `${bounded.toFixed(0)} ms instead of ${free.toFixed(0)}`);
});
