/** The last places in a book, in words. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { speak } from '../../messages/catalogue.ts';
import { shownPlaces } from './place-words.ts';

before(() => speak(['en']));

test('a place says where, on which device and when; twins are shown once', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const at = '2026-11-21T11:00:00.000Z';
  const chapters = [
    { title: 'The beginning', start: 0 },
    { title: 'The end', start: 3600 },
  ];
  const places = [
    { position: 3725.2, at, device: 'Phone' },
    { position: 3725.4, at: '2026-11-21T10:59:30.000Z', device: 'Phone' },
    { position: 60, at: '2026-11-20T11:00:00.000Z' },
  ];
  assert.deepEqual(shownPlaces(places, chapters, now), [
    { at: 3725.2, title: '1:02:05 · The end', about: 'Phone · 1 hour ago' },
    { at: 60, title: '1:00 · The beginning', about: 'yesterday' },
  ]);
});
