/** Long computations leave others their turn, and what is sorted in pieces is what is sorted at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/fast-check.ts';
import { everyInPieces, inPieces, runSliced, sortInPieces, type Computation } from './slices.ts';

const VALUES = 2_500;

/** Runs a computation by a clock on which each look takes so many milliseconds. Returns its result and its slices. */
async function slicesOf<T>(t: { mock: typeof test.mock }, computation: Computation<T>, ms: number) {
  let now = 0;
  const clock = t.mock.method(performance, 'now', () => (now += ms));
  let slices = 1;
  const count = (): void => {
    slices++;
    other = setImmediate(count);
  };
  let other = setImmediate(count);
  const result = await runSliced(computation);
  clearImmediate(other);
  clock.mock.restore();
  return { result, slices };
}

test('others have their turn after each slice', async (t) => {
  const visited: number[] = [];
  const visit = function* (): Computation<string> {
    yield* inPieces(VALUES, (from, to) => {
      for (let at = from; at < to; at++) visited.push(at);
    });
    return 'done';
  };
  assert.deepEqual(await slicesOf(t, visit(), 4), { result: 'done', slices: 6 }, 'a turn after each of five pieces');
  assert.deepEqual(
    visited,
    Array.from({ length: VALUES }, (_, at) => at),
  );
  assert.equal((await slicesOf(t, visit(), 2)).slices, 3, 'a turn after every two');
  assert.equal((await slicesOf(t, visit(), 0)).slices, 1, 'none while it takes no time');
  let sum = 0;
  const { slices } = await slicesOf(
    t,
    everyInPieces(new Set(visited), (value) => void (sum += value)),
    4,
  );
  assert.deepEqual([slices, sum], [5, (VALUES * (VALUES - 1)) / 2]);
  const failing = function* (): Computation<void> {
    yield;
    throw new Error('planted');
  };
  await assert.rejects(runSliced(failing()), /planted/);
});

test('values are sorted in pieces as they are at once', () => {
  const weights = Uint32Array.from({ length: VALUES }, (_, at) => (at * 7919) % 97);
  const byWeight = (a: number, b: number) => (weights[a] as number) - (weights[b] as number);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: VALUES }), fc.integer({ min: 1, max: VALUES }), (length, step) => {
      const values = Uint32Array.from({ length }, (_, at) => (at * step) % VALUES);
      const expected = values.toSorted(byWeight);
      for (const _ of sortInPieces(values, byWeight));
      assert.deepEqual(values, expected);
    }),
    { seed: 7, numRuns: 60 },
  );
});
