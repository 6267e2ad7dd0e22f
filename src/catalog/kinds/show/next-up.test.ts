/** The episode that comes next, by what was watched and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchTable } from '../../store/tables.ts';
import { episodeAfterLast, nextEpisode } from './next-up.ts';

/** Two seasons and a special, in the order of the show. */
const EPISODES = ['1x1', '1x2', '1x3', '2x1', '2x2', '0x1'];
const placeOf = (id: string) => ({ section: Number(id[0]), airsAt: null });
const row = (item: string, more: Partial<WatchTable>): [string, WatchTable] => [
  item,
  {
    profile: 'p',
    item,
    position: 0,
    watched: 0,
    play_count: 0,
    listed: null,
    rating: null,
    last_played: null,
    dismissed: 0,
    session: null,
    sequence: null,
    part: null,
    part_offset: null,
    percent: null,
    file: null,
    file_offset: null,
    ...more,
  },
];
const done = (item: string, at: number) => row(item, { watched: 1, last_played: at });
const after = (isRewatch: boolean, ...rows: [string, WatchTable][]) =>
  episodeAfterLast(EPISODES, new Map(rows), placeOf, isRewatch);
const onPage = (...rows: [string, WatchTable][]) => nextEpisode(EPISODES, new Map(rows), placeOf);

test('next up follows the regular episode that was finished last in time', () => {
  assert.equal(after(false), undefined, 'nothing was finished');
  assert.equal(after(false, row('1x1', { position: 10, last_played: 5 })), undefined, 'a look inside finishes nothing');
  assert.equal(after(false, done('1x1', 5)), '1x2');
  assert.equal(after(false, done('1x1', 5), done('1x2', 6)), '1x3');
  assert.equal(after(false, done('2x1', 5), done('1x1', 9)), '1x2', 'by time, not by number');
  assert.equal(after(false, done('1x1', 9), done('1x2', 3)), '1x3', 'the first later one that is not watched');
  assert.equal(after(false, done('1x3', 5)), '2x1', 'over the end of a season');
  assert.equal(after(false, done('2x2', 5)), undefined, 'no special after the last episode');
  assert.equal(after(false, done('1x1', 5), done('0x1', 9)), '1x2', 'a special does not count');
  const unmarked = row('1x2', { watched: 0, last_played: 9 });
  assert.equal(after(false, done('1x1', 5), unmarked), '1x2', 'unmarking counts at once');
});

test('what is watched completely is offered again only on request', () => {
  const all = EPISODES.map((id, at) => done(id, at + 1));
  assert.equal(after(false, ...all), undefined);
  assert.equal(after(true, ...all), '1x1');
  assert.equal(after(true, ...all, done('1x1', 90)), '1x2');
  assert.equal(after(true, done('1x1', 1)), '1x2');
});

test('the page of a show continues an episode in progress, else the next one, else begins', () => {
  const going = row('1x2', { position: 60, last_played: 2 });
  assert.equal(onPage(done('1x3', 9), going), '1x2');
  assert.equal(onPage(row('0x1', { position: 60, last_played: 2 })), '0x1');
  assert.equal(onPage(), '1x1');
  assert.equal(onPage(done('0x1', 3)), '1x1', 'a watched special begins nothing');
  assert.equal(onPage(done('1x1', 3)), '1x2');
  assert.equal(onPage(...EPISODES.map((id, at) => done(id, at + 1))), undefined);
});

test('a special that is placed between two episodes comes up between them', () => {
  const episodes = ['1x1', '0x2', '1x2', '0x1'];
  const placed = (id: string) => ({ section: Number(id[0]), airsAt: id === '0x2' ? 100_002 : null });
  const next = (...rows: [string, WatchTable][]) => episodeAfterLast(episodes, new Map(rows), placed, false);
  assert.equal(next(done('1x1', 1)), '0x2');
  assert.equal(next(done('1x1', 1), done('0x2', 2)), '1x2');
  assert.equal(next(done('0x2', 2)), undefined, 'a special begins nothing');
  assert.equal(next(done('1x2', 1)), undefined, 'the one without a place does not come up');
});
