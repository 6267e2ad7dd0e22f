/** Names that look like another one are found, and different ones are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameLookOf } from './look-alike.ts';

/** Names, and other spellings of them. */
const ALIKE: [name: string, spellings: string[]][] = [
  [
    'Ada',
    [
      'ADA',
      'Аdа', // Cyrillic
      'Αda', // Greek
      'Ａｄａ',
      '𝐀𝐝𝐚',
      'Ⓐⓓⓐ',
      'A\u200bda',
      'A\u00adda',
      'Ada\u2060',
      'A\u034fda',
      'A d a',
      'Ada.',
      'Ádä',
      'A\u0336da',
      'Ꭺda',
      'ꓮda',
      'ᴀᴅᴀ',
      'Aԁa',
      'Acla',
    ],
  ],
  ['Marlo', ['Marl0', 'Mar1o', 'MarIo', 'Mar|o', 'Μarlo', 'Маrlo', 'rnarlo', 'Marlø', 'Maгӏо']],
  ['Анна', ['Aннa', 'АННА']],
  ['Wil', ['VVil', 'Wıl', 'Wіl', 'ԜiI']],
  ['Hanna', ['Ηanna', 'Нanna', 'ꓧanna']],
];

test('a name looks like its other spellings', () => {
  for (const [name, spellings] of ALIKE)
    for (const spelling of spellings)
      assert.equal(nameLookOf(spelling), nameLookOf(name), `${spelling} (${JSON.stringify([...spelling])})`);
});

test('other names do not look alike, and a name without letters has no look', () => {
  const names = ['Ada', 'Adam', 'Ida', 'Bo', 'Vic', 'Vera', 'Анна', 'Иван', '王', '田中', 'やまだ', 'محمد', 'Ada 2'];
  assert.equal(new Set(names.map(nameLookOf)).size, names.length);
  assert.equal(nameLookOf('🎬 !'), '');
});
