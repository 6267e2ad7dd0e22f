/** Extras of a season, and the names of those without a title. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Extra } from '../../../contract/catalog/extras.ts';
import { extraName, extrasOfSeason } from './extras.ts';

const extra = (id: string, season?: number): Extra => ({
  id,
  type: 'trailer',
  title: 'Trailer',
  available: true,
  images: {},
  ...(season !== undefined && { season }),
});

test('a season shows its extras and those of the show', () => {
  const all = [extra('a'), extra('b', 1), extra('c', 2)];
  const ids = (season?: number) => extrasOfSeason(all, season).map(({ id }) => id);
  assert.deepEqual([ids(), ids(1), ids(0)], [['a', 'b', 'c'], ['a', 'b'], ['a']]);
});
test('an extra without a title is called by its type in the language of the reader', () => {
  assert.equal(extraName({ type: 'deleted-scene', title: 'Deleted scene' }, 'Entfallene Szene'), 'Entfallene Szene');
  assert.equal(extraName({ type: 'other', title: 'Extra' }, 'Weiteres'), 'Weiteres');
  assert.equal(extraName({ type: 'trailer', title: 'Teaser' }, 'Trailer'), 'Teaser');
});
