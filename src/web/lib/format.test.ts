/** Values read as a person would say them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { speak } from '../messages/catalogue.ts';
import {
  ago,
  bitrate,
  channels,
  codec,
  count,
  day,
  formatDuration,
  episodeCode,
  facts,
  languageLabel,
  listed,
  many,
  position,
  size,
} from './format.ts';

before(() => speak(['en']));

test('durations and positions', () => {
  for (const [seconds, text] of [
    [0, '1 sec'],
    [20.02, '20 sec'],
    [59.7, '1 min'],
    [95, '2 min'],
    [3600, '1 hr'],
    [6720, '1 hr 52 min'],
    [3599, '1 hr'],
  ] as const)
    assert.equal(formatDuration(seconds), text);
  for (const [seconds, text] of [
    [0, '0:00'],
    [129.9, '2:09'],
    [3729, '1:02:09'],
    [-4, '0:00'],
  ] as const)
    assert.equal(position(seconds), text);
});
test('sizes and rates', () => {
  for (const [bytes, text] of [
    [0, '0 bytes'],
    [999, '999 bytes'],
    [3_400_000_000, '3.4 GB'],
    [42_000_000, '42 MB'],
    [9e15, '9,000 TB'],
  ] as const)
    assert.equal(size(bytes), text);
  assert.equal(bitrate(8_200_000), '8.2 Mb/s');
  assert.equal(bitrate(128_000), '128 kb/s');
});
test('how long ago', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  for (const [iso, text] of [
    ['2026-11-21T11:59:30Z', 'just now'],
    ['2026-11-21T11:55:00Z', '5 minutes ago'],
    ['2026-11-21T10:30:00Z', '1 hour ago'],
    ['2026-11-20T08:00:00Z', 'yesterday'],
    ['2026-11-18T12:00:00Z', '3 days ago'],
    ['2026-11-21T13:00:00Z', 'just now'],
  ] as const)
    assert.equal(ago(iso, now), text);
  assert.match(ago('2026-01-05T12:00:00Z', now), /2026/);
});
test('languages, episodes and codecs', () => {
  assert.equal(languageLabel('en'), 'English');
  assert.equal(languageLabel('pt-br'), 'Brazilian Portuguese');
  assert.equal(languageLabel(undefined), 'Unknown language');
  assert.equal(languageLabel('not a code'), 'not a code');
  assert.equal(episodeCode({ season: 2, episode: 5 }), 'S2 E5');
  assert.equal(episodeCode({ season: 2, episode: 5, episodeEnd: 6 }), 'S2 E5–6');
  assert.equal(episodeCode({ season: 0, episode: 1 }), 'Special E1');
  assert.equal(episodeCode({}), '');
  assert.equal(codec('hevc'), 'HEVC');
  assert.equal(codec('xyz'), 'XYZ');
  assert.equal(channels(6), '5.1');
  assert.deepEqual(facts(1999, undefined, '', false, '2 h'), ['1999', '2 h']);
});
test('values are formatted in the language that is spoken', async () => {
  await speak(['de']);
  assert.equal(formatDuration(6720), '1 Std. 52 Min.');
  assert.equal(size(3_400_000_000), '3,4\u00A0GB');
  assert.equal(ago('2026-11-20T08:00:00Z', Date.parse('2026-11-21T12:00:00Z')), 'gestern');
  assert.equal(day('2026-11-21'), '21.11.2026');
  assert.equal(languageLabel('en'), 'Englisch');
  assert.equal(listed(['A', 'B', 'C'], 'or'), 'A, B oder C');
  assert.equal(count(100_000), '100.000');
  await speak(['en']);
  assert.equal(listed(['A', 'B', 'C']), 'A, B, and C');
});
test('counts agree with their noun', () => {
  assert.equal(many(1, 'film'), '1 film');
  assert.equal(many(0, 'film'), '0 films');
  assert.equal(many(2, 'series', 'series'), '2 series');
  assert.equal(count(100_000), '100,000');
});
