/** Evaluations of rules take turns within a Profile, which pauses after a long one and cannot queue without end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRuleTurns, MAX_RULE_TURNS } from './rule-turns.ts';

function open() {
  let now = 0;
  const pauses: { ms: number; end(): void }[] = [];
  const turns = createRuleTurns({ monotonic: () => now }, (ms) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pauses.push({ ms, end: resolve });
    return promise;
  });
  const order: string[] = [];
  const work = (name: string, took: number) => async () => {
    order.push(name);
    await Promise.resolve();
    now += took;
    return name;
  };
  return { turns, pauses, order, work };
}

test('after a long evaluation the Profile pauses as long, and others do not', async () => {
  const { turns, pauses, order, work } = open();
  assert.equal(await turns('ada', work('long', 500)), 'long', 'the reply does not wait for the pause');
  const next = turns('ada', work('next', 1));
  assert.equal(await turns('ben', work('other', 1)), 'other');
  assert.deepEqual(
    [order, pauses.map(({ ms }) => ms)],
    [['long', 'other'], [500]],
    'half of the processor is the most that a Profile has',
  );
  pauses[0]?.end();
  assert.equal(await next, 'next');
  assert.equal(pauses.length, 1, 'a short one needs no pause');
});

test('a Profile has a limited number of turns, and a failure ends its own', async () => {
  const { turns, work } = open();
  const failing = turns('ada', () => Promise.reject(new Error('planted')));
  const waiting = Array.from({ length: MAX_RULE_TURNS - 1 }, () => turns('ada', work('a', 0)));
  await assert.rejects(turns('ada', work('a', 0)), { kind: 'unavailable', reason: 'too-busy' });
  assert.equal(await turns('ben', work('b', 0)), 'b');
  await assert.rejects(failing, /planted/);
  assert.equal((await Promise.all(waiting)).length, MAX_RULE_TURNS - 1);
  assert.equal(await turns('ada', work('a', 0)), 'a');
});
