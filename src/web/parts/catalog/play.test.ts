/** The item that a card's play button plays, and the words of the button. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Card } from '../../../contract/catalog/cards.ts';
import { settled } from '../../messages/catalogue.ts';
import { wayToPlay } from './play.ts';

before(settled);
const userData = { position: 0, watched: false, playCount: 0, listed: false };
const film: Card = {
  id: 'film',
  kind: 'movie',
  title: 'Charade',
  sortTitle: 'charade',
  library: 'films',
  added: '2026-11-02T10:15:00.000Z',
  duration: 6800,
  available: true,
  images: {},
  userData,
};
const show: Card = { ...film, id: 'show', kind: 'show', title: 'Harbour Lights' };
const begun = { ...userData, position: 600 };

test('a film plays itself, and says so when it resumes', () => {
  assert.deepEqual(wayToPlay(film), { id: 'film', label: 'Play', name: 'Play Charade' });
  assert.deepEqual(wayToPlay({ ...film, userData: begun }), { id: 'film', label: 'Resume', name: 'Resume Charade' });
  assert.equal(wayToPlay({ ...film, userData: { ...userData, watched: true } })?.label, 'Play', 'again');
});

test('a show plays its next episode', () => {
  const playNext = { id: 'third', season: 1, episode: 3, position: 0 };
  assert.deepEqual(wayToPlay({ ...show, playNext }), {
    id: 'third',
    label: 'Play S1 E3',
    name: 'Play Harbour Lights, S1 E3',
  });
  assert.deepEqual(wayToPlay({ ...show, playNext: { ...playNext, position: 41 } }), {
    id: 'third',
    label: 'Continue S1 E3',
    name: 'Continue Harbour Lights, S1 E3',
  });
  assert.equal(wayToPlay({ ...show, playNext: { id: 'by-date', position: 0 } })?.label, 'Play');
});

test('an episode is named by its show and number', () => {
  const of = { id: 'show', title: 'Harbour Lights' };
  const episode: Card = { ...film, id: 'e', kind: 'episode', title: 'The arrival', show: of, season: 1, episode: 2 };
  assert.equal(wayToPlay(episode)?.name, 'Play Harbour Lights S1 E2');
});

test('nothing plays while the file cannot be reached, or a show has no episode', () => {
  assert.equal(wayToPlay({ ...film, available: false }), undefined);
  assert.equal(wayToPlay(show), undefined);
  assert.equal(wayToPlay({ ...show, available: false, playNext: { id: 'third', position: 0 } }), undefined);
});
