/** The fields of the metadata editor: what they send. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editOf, FACTS, type FactTexts, factText, readPerson, wrongPersonLine } from './facts.ts';

const values = {
  title: 'Charade',
  sortTitle: 'charade',
  originalTitle: null,
  year: 1963,
  released: null,
  tagline: null,
  plot: 'A widow in Paris.',
  genres: ['Comedy', 'Mystery'],
  studios: [],
  people: [{ name: 'Audrey Hepburn', role: 'Regina, the widow', job: 'actor' as const }],
  communityRating: 7.8,
};
const texts = (more: Partial<FactTexts> = {}): FactTexts => ({
  ...(Object.fromEntries(FACTS.map((fact) => [fact, factText(fact, values)])) as FactTexts),
  ...more,
});

test('only facts that changed or were locked are sent, and cleared ones as none', () => {
  assert.equal(editOf({ values, locked: ['title'] }, texts(), new Set(['title'])), undefined);
  assert.deepEqual(
    editOf(
      { values, locked: ['title', 'plot'] },
      texts({ genres: 'Noir, , Comedy ', year: '', communityRating: '8,1', title: ' ' }),
      new Set(['title', 'genres', 'year', 'communityRating', 'studios']),
    ),
    { genres: ['Noir', 'Comedy'], year: null, communityRating: 8.1, studios: [], unlock: ['plot'] },
  );
});

test('people survive the field, and a line without a job is found', () => {
  assert.deepEqual(readPerson(factText('people', values)), values.people[0]);
  assert.equal(wrongPersonLine('Stanley Donen, director\nCary Grant'), 'Cary Grant');
  assert.equal(wrongPersonLine('Stanley Donen, Director\n\n'), undefined);
});
