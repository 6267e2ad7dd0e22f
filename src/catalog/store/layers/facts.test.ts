/** Folds of layers: the set of a film. */
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
