/** Layers: what counts, what a scan may change, and what is left when a layer is dropped. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { test } from 'node:test';
import { openTemporaryDatabase, openTemporaryPostgres } from '../../lib/db/testing.ts';
import { grow, makeNfo, makeTextFile, makeVideo, openWorld, type World, worldMigrations } from '../testing/world.ts';

const FILM = 'Alpha (2001)/Alpha (2001).mp4';
const NFO = { title: 'Alpha of the NFO', plot: 'The NFO says so.', genre: 'Western' };
const shown = async (w: World, id: string) => {
  const item = await w.seen().item(id);
  return [item?.title, item?.sortTitle, item?.plot, item?.tagline, item?.genres.join(), item?.year];
};

for (const [engine, open] of [
  ['sqlite', openTemporaryDatabase],
  ['postgres', openTemporaryPostgres],
] as const)
  test(`each fact is that of the highest source, and a dropped layer leaves the rest (${engine})`, async (t) => {
    const w = await openWorld(t, { films: 'movies', shows: 'shows' }, await open(t, worldMigrations));
    grow(w.at('films'), {
      [FILM]: true,
      'Alpha (2001)/movie.nfo': makeNfo('movie', NFO),
      'Beta (2002)/Beta (2002).mkv': true,
    });
    grow(w.at('shows'), { 'One/Season 1/One S01E01.mkv': true, 'One/Season 1/One S01E02.mkv': true });
    await w.scan();
    const { layers } = w.catalog.background;
    const [alpha, beta] = [await w.id('Alpha of the NFO'), await w.id('Beta')];
    const before = await shown(w, alpha);
    assert.deepEqual(before, ['Alpha of the NFO', 'alpha of the nfo', 'The NFO says so.', undefined, 'Western', 2001]);

    // The NFO counts before TMDB, which fills in what no file states; a manual match counts before the NFO.
    const facts = {
      title: 'The Alpha',
      plot: 'Found.',
      tagline: 'Once.',
      genres: ['Drama'],
      year: 2003,
      ids: { tmdb: '7' },
    };
    await layers.write([
      { item: alpha, source: 'tmdb', facts },
      { item: beta, source: 'tmdb', facts: { ...facts, title: 'The Beta' } },
    ]);
    assert.deepEqual(await shown(w, alpha), [
      'Alpha of the NFO',
      'alpha of the nfo',
      'The NFO says so.',
      'Once.',
      'Western',
      2003,
    ]);
    assert.deepEqual(await shown(w, beta), ['The Beta', 'beta', 'Found.', 'Once.', 'Drama', 2003]);
    await layers.write([{ item: alpha, source: 'match', facts: { title: 'Matched', genres: [] } }]);
    const matched = ['Matched', 'matched', 'The NFO says so.', 'Once.', '', 2003];
    assert.deepEqual(await shown(w, alpha), matched);

    // Facts that change nothing are not written; a scan of unchanged files neither.
    const change = await w.change();
    await layers.write([
      { item: alpha, source: 'match', facts: { title: 'Matched', genres: [] } },
      { item: alpha, source: 'tmdb', facts: {} },
      { item: 'ffffffffffffffff', source: 'tmdb', facts },
    ]);
    await w.scan();
    assert.equal(await w.change(), change);

    // A scan that reads the NFO again writes its layer and nothing above it.
    makeTextFile(
      w.at('films', 'Alpha (2001)/movie.nfo'),
      makeNfo('movie', { ...NFO, title: 'Again', plot: 'New words.' }),
    );
    await w.scan();
    assert.deepEqual(await shown(w, alpha), ['Matched', 'matched', 'New words.', 'Once.', '', 2003]);

    // Moved, renamed and with the index loaded again, it is the same item with the same layers.
    mkdirSync(w.at('films', 'Elsewhere'));
    renameSync(w.at('films', 'Beta (2002)/Beta (2002).mkv'), w.at('films', 'Elsewhere', 'Gamma (2004).mkv'));
    await w.scan();
    await w.again();
    assert.deepEqual(await shown(w, beta), ['The Beta', 'beta', 'Found.', 'Once.', 'Drama', 2003]);

    // Dropped layers leave the facts of the files.
    const again = w.catalog.background.layers;
    await again.write([
      { item: alpha, source: 'match', facts: null },
      { item: alpha, source: 'tmdb', facts: null },
      { item: beta, source: 'tmdb', facts: null },
    ]);
    assert.deepEqual(await shown(w, alpha), ['Again', 'again', 'New words.', undefined, 'Western', 2001]);
    assert.deepEqual(await shown(w, beta), ['Gamma', 'gamma', undefined, undefined, '', 2004]);
    const left = await w.db.tables<{ catalog_layer: object }>().selectFrom('catalog_layer').selectAll().execute();
    assert.deepEqual(left, []);

    // `lockdata` keeps everything from the internet away.
    makeTextFile(w.at('films', 'Alpha (2001)/movie.nfo'), makeNfo('movie', { ...NFO, lockdata: 'true' }));
    await w.scan();
    await again.write([
      { item: alpha, source: 'tmdb', facts },
      { item: alpha, source: 'match', facts },
    ]);
    assert.deepEqual(await shown(w, alpha), before);
    assert.equal((await again.read([alpha]))[0]?.isLocked, true);

    // Episodes have the genres and the rating of their show, also those that a later scan finds.
    const show = await w.id('One');
    await again.write([{ item: show, source: 'tmdb', facts: { genres: ['Crime'], rating: 'DE:12' } }]);
    makeVideo(w.at('shows', 'One/Season 1/One S01E03.mkv'));
    await w.scan();
    for (const episode of ['One/1x1', 'One/1x2', 'One/1x3']) {
      const item = await w.seen().item(await w.id(episode));
      assert.deepEqual([item?.genres, item?.rating], [['Crime'], 'DE:12'], episode);
    }
  });
