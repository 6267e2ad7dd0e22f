/** Pages as JSON text say what pages as objects say, for every Profile, before and after changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from '../../contract/catalog.ts';
import type { LibraryQuery, Seen } from '../types.ts';
import { grow, nfo, openWorld } from '../testing/world.ts';

async function same(seen: Seen, query: LibraryQuery, what: string): Promise<number> {
  const [text, object] = [await seen.libraryJson(query), await seen.library(query)];
  const json = JSON.parse(Buffer.from(text).toString()) as Record<string, unknown>;
  assert.deepEqual(json, JSON.parse(JSON.stringify(object)), what);
  assert.ok(catalog.library.result.safeParse(json).success, what);
  return object.items.length;
}

test('a page as text is the page as objects, for an Owner and for others, whatever changes', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), {
    'Kind "1" (2001)/Kind (2001).mp4': true, 'Kind "1" (2001)/movie.nfo': nfo('movie', { title: 'Kind &quot;one&quot; \u2028 ü', mpaa: 'G', genre: 'Family' }),
    'Zealous (1999)/Zealous (1999).mp4': true, 'Zealous (1999)/movie.nfo': nfo('movie', { title: 'Zealous', mpaa: 'R' }), 'Zealous (1999)/poster.jpg': 'x',
  });
  grow(w.at('shows'), { 'Open/tvshow.nfo': nfo('tvshow', { title: 'Open', mpaa: 'TV-Y' }), 'Open/Season 1/Open S01E01.mkv': true, 'Open/Season 1/Open S01E02.mkv': true });
  await w.scan();
  const check = async (what: string) => {
    for (const [seen, films] of [[w.seen(), 2], [w.seen({ rating: 'family' }, 'viewer', 'kid'), 1]] as const) {
      for (const view of ['all', 'shows', 'history', 'continue', 'list', 'unwatched']) await same(seen, { view, limit: 100 }, `${what} ${view}`);
      assert.equal(await same(seen, { view: 'movies', limit: 100 }, what), films);
      await same(seen, { view: 'all', q: 'open', limit: 2 }, `${what} search`);
      await same(seen, { view: 'all', limit: 1, sort: 'added' }, `${what} first of several pages`);
    }
  };
  await check('at first');
  await check('from what was kept');
  const [film, episode] = [await w.id('Zealous'), await w.id('Open/1x1')];
  await w.catalog.watching.progress('p1', film, { position: 60, session: 'session-1' }, 1_000);
  await w.catalog.watching.progress('p1', episode, { position: 0, watched: true }, 1_000);
  await w.catalog.watching.list('kid', await w.id('Open'), true);
  await check('after plays');
  const nextUp = async (seen: Seen) => (await seen.watched.nextUp(5)).items.map(({ id }) => id);
  const second = await w.id('Open/1x2');
  assert.deepEqual([await nextUp(w.seen()), await nextUp(w.seen({}, 'viewer', 'kid'))], [[second], []], 'after the first episode comes the second');
  assert.deepEqual([await nextUp(w.seen({ libraries: [] })), (await w.seen().show(await w.id('Open')))?.nextUp?.id], [[], second]);
  await w.catalog.watching.progress('p1', second, { position: 60, session: 'session-2' }, 1_000);
  assert.deepEqual(await nextUp(w.seen()), [], 'what is under way is continued and does not come next');
  await w.catalog.watching.progress('p1', second, { position: 0, watched: true }, 1_000);
  assert.deepEqual(await nextUp(w.seen()), [], 'after the last episode comes none');
  grow(w.at('films'), { 'Zealous (1999)/movie.nfo': nfo('movie', { title: 'Zealous Again', mpaa: 'R' }), 'New (2020)/New (2020).mp4': true, 'New (2020)/movie.nfo': nfo('movie', { title: 'New', mpaa: 'R' }) });
  await w.scan();
  const titles = (JSON.parse(Buffer.from(await w.seen().libraryJson({ view: 'movies', limit: 9 })).toString()) as { items: { title: string }[] }).items.map(({ title }) => title);
  assert.deepEqual(titles.filter((title) => title !== titles[0]), ['New', 'Zealous Again']);
  assert.equal(w.seen().duration(episode) === undefined || w.seen().duration(await w.id('Open')) !== undefined, false);
  assert.equal(w.seen({ rating: 'family' }, 'viewer', 'kid').duration(film), undefined);
});
