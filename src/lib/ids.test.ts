/** Identifiers are drawn from a pool of random bytes, and none of these bytes is used twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId, newId } from './ids.ts';

test('identifiers of several fillings of the pool differ in every part', () => {
  const ids = Array.from({ length: 2_000 }, () => newId());
  assert.ok(ids.every(isId));
  // Among 2,000 random halves of 32 bits, two are the same once in 2,000 runs; a pool that is used twice repeats
  // hundreds.
  for (const part of [(id: string) => id.slice(0, 8), (id: string) => id.slice(8)])
    assert.ok(new Set(ids.map(part)).size > 1_990);
});
