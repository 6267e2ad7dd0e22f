/** Delays of items, as they are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delaysFrom, tidy, withDelays } from './delays.ts';

test('steps and limits', () => {
  assert.deepEqual(tidy({ subtitle: 0.30000000000000004, audio: -0.9999 }), { subtitle: 0.3, audio: -1 });
  assert.deepEqual(tidy({ subtitle: -9_999, audio: 99 }), { subtitle: -600, audio: 5 });
  assert.equal(tidy({ audio: -99 }).audio, -5);
  assert.deepEqual(tidy({ subtitle: 'x', audio: Number.NaN }), { subtitle: 0, audio: 0 });
});
test('the item that was changed last stays longest, and one without delays is forgotten', () => {
  let all: ReturnType<typeof delaysFrom> = [];
  for (let n = 0; n < 250; n++) all = withDelays(all, `item${n}`, { subtitle: 1, audio: 0 });
  assert.equal(all.length, 200);
  assert.equal(all[0]?.[0], 'item50');
  assert.equal(withDelays(all, 'item60', { subtitle: 0, audio: 0 }).length, 199);
  assert.deepEqual(withDelays(all, 'item60', { subtitle: 2, audio: 0 }).at(-1), ['item60', { subtitle: 2, audio: 0 }]);
});
test('what is kept is read with care', () => {
  assert.deepEqual(
    delaysFrom(JSON.stringify([['a', { subtitle: 1.24, audio: 0.1 }], 'x', ['b'], [1, {}], ['c', null]])),
    [['a', { subtitle: 1.2, audio: 0.1 }]],
  );
  for (const text of [null, '', '{', '{}', '"x"', 'null']) assert.deepEqual(delaysFrom(text), []);
});
