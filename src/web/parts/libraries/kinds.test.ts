/** Kinds of libraries are guessed from folder names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf } from './kinds.ts';

test('usual names are known', () => {
  for (const [name, kind] of [
    ['Films', 'movies'],
    ['TV Shows', 'shows'],
    ['Séries', 'shows'],
    ['Audiobooks', 'audiobooks'],
    ['Books', 'books'],
    ['Music', 'music'],
    ['media', 'mixed'],
  ] as const)
    assert.equal(kindOf(name), kind, name);
});
