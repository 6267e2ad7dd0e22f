/** The fields of the metadata editor: what they send. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EDITABLE_FACTS } from '../../../contract/catalog/editable-facts.ts';
import { PERSON_JOBS } from '../../../contract/catalog/person-jobs.ts';
import {
  editOf,
  factsOfMany,
  type FactTexts,
  factText,
  type JobNames,
  namesToChange,
  readPerson,
  shownFacts,
  wrongPersonLine,
} from './facts.ts';

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
const jobs = { ...Object.fromEntries(PERSON_JOBS.map((job) => [job, job])), director: 'Regie' } as JobNames;
const kind = 'movie';
const texts = (more: Partial<FactTexts> = {}): FactTexts => ({
  ...(Object.fromEntries(EDITABLE_FACTS.map((fact) => [fact, factText(fact, values, jobs)])) as FactTexts),
  ...more,
});

test('only facts that changed or were locked are sent, and cleared ones as none', () => {
  assert.equal(
    editOf({ kind, values, locked: ['title'] }, { texts: texts(), locked: new Set(['title']) }, jobs),
    undefined,
  );
  assert.deepEqual(
    editOf(
      { kind, values, locked: ['title', 'plot'] },
      {
        texts: texts({ genres: 'Noir, , Comedy ', year: '', communityRating: '8,1', title: ' ' }),
        locked: new Set(['title', 'genres', 'year', 'communityRating', 'studios']),
      },
      jobs,
    ),
    { genres: ['Noir', 'Comedy'], year: null, communityRating: 8.1, studios: [], unlock: ['plot'] },
  );
});

test('people survive the field, and a line without a job is found', () => {
  assert.deepEqual(readPerson(factText('people', values, jobs), jobs), values.people[0]);
  assert.equal(wrongPersonLine('Stanley Donen, director\nCary Grant', jobs), 'Cary Grant');
  assert.equal(wrongPersonLine('Stanley Donen, Director\n\n', jobs), undefined);
});

test('jobs are written in the language of the dashboard, and read in it and in English', () => {
  const line = factText('people', { people: [{ name: 'Stanley Donen', job: 'director' }] }, jobs);
  assert.equal(line, 'Stanley Donen, Regie');
  for (const one of [line, 'Stanley Donen, director'])
    assert.deepEqual(readPerson(one, jobs), { name: 'Stanley Donen', job: 'director' });
});

test('a kind shows its own facts, and others only if they were set', () => {
  const track = shownFacts({ kind: 'track', locked: [] });
  assert.deepEqual(
    (['artists', 'track', 'disc', 'tagline', 'series'] as const).map((fact) => track.includes(fact)),
    [true, true, true, false, false],
  );
  assert.ok(shownFacts({ kind: 'track', locked: ['tagline'] }).includes('tagline'));
  const set = { artists: 'Earth, Wind & Fire\nThe Emotions\n', track: '3', disc: '' };
  const locked = new Set(['artists', 'track', 'disc'] as const);
  assert.deepEqual(editOf({ kind: 'track', values, locked: [] }, { texts: texts(set), locked }, jobs), {
    artists: ['Earth, Wind & Fire', 'The Emotions'],
    disc: null,
    track: 3,
    unlock: [],
  });
});

test('many items get the fields that all of them have', () => {
  assert.deepEqual(factsOfMany(['track']), { set: ['artists', 'disc', 'year'], names: ['artists', 'genres'] });
  assert.deepEqual(factsOfMany(['album', 'track']).set, ['artists', 'year']);
  assert.deepEqual(factsOfMany(['book', 'audiobook']), { set: ['series', 'year'], names: ['genres', 'studios'] });
  assert.deepEqual(namesToChange('artists', 'Earth, Wind\n Fire '), ['Earth, Wind', 'Fire']);
  assert.deepEqual(namesToChange('genres', 'Soul, Funk'), ['Soul', 'Funk']);
  assert.deepEqual(factsOfMany(['movie', 'track']), { set: ['year'], names: ['genres'] });
});
