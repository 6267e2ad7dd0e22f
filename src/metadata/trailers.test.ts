/** Trailers of a work: only sites and ids that are known, in the order in which a viewer wants them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trailersOf } from './trailers.ts';

const video = (key: string, more: object = {}) => ({
  site: 'YouTube',
  key,
  name: key,
  type: 'Trailer',
  official: false,
  iso_639_1: 'en',
  ...more,
});
const keys = (results: ReturnType<typeof video>[], language = 'de') =>
  trailersOf({ videos: { results } }, language).map(({ key }) => key);

test('only ids of YouTube and Vimeo are linked to', () => {
  for (const key of ['', 'short', 'abcdefghijk?x=1', 'abcdefghij/', 'abcdefghij"', 'abcdefghijkl', '12345678901\n'])
    assert.deepEqual(keys([video(key)]), [], JSON.stringify(key));
  for (const key of ['0', '01', '12345a', '1234567890123', '../1'])
    assert.deepEqual(keys([video(key, { site: 'Vimeo' })]), [], JSON.stringify(key));
  assert.deepEqual(keys([video('abcdefghijk', { site: 'constructor' })]), []);
  assert.deepEqual(trailersOf({ videos: { results: [video('123456', { site: 'Vimeo', name: ' ' })] } }, 'de'), [
    { site: 'vimeo', key: '123456', title: 'Trailer' },
  ]);
});

test('the language of the household comes first, then official ones, then trailers', () => {
  const all = [
    video('english-001', { official: true }),
    video('teaser-de-1', { iso_639_1: 'de', type: 'Teaser', official: true }),
    video('trailer-de1', { iso_639_1: 'de', official: true }),
    video('fan-trail-1', { iso_639_1: 'de' }),
    video('trailer-de1', { iso_639_1: 'de' }),
    video('making-of-1', { type: 'Featurette' }),
  ];
  assert.deepEqual(keys(all), ['trailer-de1', 'teaser-de-1', 'fan-trail-1', 'english-001']);
  assert.deepEqual(keys(all, 'en-GB')[0], 'english-001');
  assert.equal(keys(Array.from({ length: 20 }, (_, at) => video(`trailer-${100 + at}`))).length, 5);
  assert.deepEqual(trailersOf({}, 'de'), []);
});
