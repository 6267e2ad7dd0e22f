/** Folds of layers: the set of a film, and the credits of an audiobook. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ItemToStore } from '../records.ts';
import { type FactLayers, foldLayers } from './facts.ts';

const FILM = {
  title: 'Alpha',
  genres: [],
  images: {},
  detail: { studios: [], people: [], ids: {}, evidence: [] },
} as unknown as ItemToStore;
const setOf = (layers: FactLayers) => foldLayers(FILM, { name: { title: 'Alpha' }, ...layers }).detail.set;

test('the set of a film is that of the highest source, with the number of a lower one of the same name', () => {
  const tmdb = { set: { id: '9', name: 'The Lakes' } };
  assert.equal(setOf({}), undefined);
  assert.deepEqual(setOf({ tmdb }), { id: '9', name: 'The Lakes' });
  assert.deepEqual(setOf({ nfo: { set: { name: 'the lakes' } }, tmdb }), { id: '9', name: 'the lakes' });
  assert.deepEqual(setOf({ nfo: { set: { name: 'Rivers' } }, tmdb }), { name: 'Rivers' });
  assert.deepEqual(setOf({ nfo: { set: { id: '8', name: 'The Lakes' } }, tmdb }), { id: '8', name: 'The Lakes' });
  assert.equal(setOf({ edit: { set: null }, tmdb }), undefined, 'an edit says that there is none');
  assert.equal(setOf({ nfo: { locked: true }, tmdb }), undefined, 'a lock keeps the internet away');
});

test('an audiobook of a version before people were facts keeps its author, whatever else is edited', () => {
  const old = {
    ...FILM,
    artists: ['Writer'],
    detail: { ...FILM.detail, audiobook: { narrators: ['Reader'] }, music: { artists: ['Writer', 'Reader'] } },
  } as ItemToStore;
  const creditsOf = (layers: FactLayers) => {
    const { artists, detail } = foldLayers(old, { name: { title: 'Alpha', people: [] }, ...layers });
    return [artists, detail.audiobook?.narrators];
  };
  assert.deepEqual(creditsOf({ edit: { title: 'Beta' } }), [['Writer'], ['Reader']]);
  assert.deepEqual(creditsOf({ edit: { people: [{ name: 'Other', job: 'author' }] } }), [['Other'], []]);
  assert.deepEqual(creditsOf({ edit: { people: [] } }), [[], []], 'an edit may take all of them away');
});
