/** Stored preferences are used only as far as they make sense. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferencesFrom, USUAL } from './preferences.ts';

test('nothing kept, or nonsense kept, is the usual', () => {
  for (const text of [null, '', '{', '[]', 'null', '"x"', '{"size":"vast","volume":7,"height":null}'])
    assert.deepEqual(preferencesFrom(text), USUAL);
});
test('what makes sense is taken', () => {
  assert.deepEqual(preferencesFrom('{"size":"huge","volume":0,"isAutoplay":false,"isMuted":true,"colour":"yellow"}'), {
    ...USUAL,
    size: 'huge',
    volume: 0,
    isAutoplay: false,
    isMuted: true,
    colour: 'yellow',
  });
});
