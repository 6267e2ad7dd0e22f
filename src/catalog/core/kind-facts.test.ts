/**
 * Edits of facts that only some kinds have: artists and numbers of tracks, and the series of books. What is grouped by
 * them follows, stays so whatever a scan reads, and returns when the edit is undone.
 */
import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { test } from 'node:test';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import type { EditableFact } from '../../contract/catalog/editable-facts.ts';
import type { EditedFacts } from '../../contract/catalog/metadata.ts';
import { openTemporaryDatabase, openTemporaryPostgres } from '../../lib/db/testing.ts';
import { makeComic } from '../../lib/books/testing.ts';
import type { LayerFacts } from '../store/layers/facts.ts';
import type { CatalogTables } from '../store/tables.ts';
import { flac } from '../testing/sound.ts';
import { found, grow, openWorld, type World, worldMigrations } from '../testing/world.ts';

const edits = (w: World) => w.catalog.admin.edits;
const edit = (w: World, id: string, set: Partial<EditedFacts>, unlock: EditableFact[] = []) =>
  edits(w).edit(w.seen(), id, { set, unlock });
const PAGE = Buffer.from('a page');
const track = (TITLE: string, TRACKNUMBER: string) =>
  flac({ TITLE, TRACKNUMBER, ALBUM: 'Blue', ALBUMARTIST: 'Band', ARTIST: 'Band' });

/** A file of an audiobook. */
const volume = (ALBUM: string, more = {}) => flac({ TITLE: '1', ALBUM, ALBUMARTIST: 'Ada', ...more });
const issue = (Series: string, Number: string) =>
  makeComic([{ name: '1.png', bytes: PAGE }], { Title: `${Series} ${Number}`, Series, Number });

test('the artists and numbers of a track, and the artists of an album, can be edited', async (t) => {
  const w = await openWorld(t, { Music: 'music' });
  grow(w.at('Music'), { 'Band/Blue/1.flac': track('One', '1'), 'Band/Blue/2.flac': track('Two', '2') });
  await w.scan();
  const album = found((await w.seen().library({ view: 'music', offset: 0, limit: 5 })).items[0]).id;
  const one = found((await w.seen().page('albums', album))?.discs[0]?.tracks[0]).id;
  const music = () => w.catalog.musicSeenBy({ profile: 'p1', role: 'viewer', policy: OWNER_POLICY });
  const artists = async () =>
    (await music().artists({ role: 'all', offset: 0, limit: 10 })).items.map(({ name }) => name);
  const order = async () =>
    (await w.seen().page('albums', album))?.discs.map(({ number, tracks }) => [
      number,
      tracks.map(({ title }) => title),
    ]);
  const before = await edits(w).read(w.seen(), one);
  assert.deepEqual([before.values.artists, before.values.disc, before.values.track], [['Band'], null, 1]);
  assert.deepEqual([before.sources.artists, before.sources.track], ['tags', 'tags']);
  assert.deepEqual([before.values.genres, before.sources.genres], [[], undefined], 'an empty list has no source');

  const { change } = await edit(w, one, { artists: ['Guest', 'guest '], disc: 1, track: 9 });
  assert.deepEqual(await artists(), ['Band', 'Guest']);
  assert.deepEqual(await order(), [[1, ['Two', 'One']]]);
  const { change: albumChange } = await edit(w, album, { artists: ['Other Band'] });
  assert.deepEqual(await artists(), ['Band', 'Guest', 'Other Band']);
  await w.scan();
  await w.again();
  assert.deepEqual([await artists(), await order()], [['Band', 'Guest', 'Other Band'], [[1, ['Two', 'One']]]]);

  await edits(w).undo(w.seen(), found(change));
  await edits(w).undo(w.seen(), found(albumChange));
  assert.deepEqual([await artists(), await order()], [['Band'], [[1, ['One', 'Two']]]]);
  await assert.rejects(edit(w, one, { series: 'Saga' }), { reason: 'fact-not-of-kind' });
  await assert.rejects(edit(w, album, { track: 1 }), { reason: 'fact-not-of-kind' });
});

test('tracks get artists together, and items without such a fact refuse it for all', async (t) => {
  const w = await openWorld(t, { Music: 'music' });
  grow(w.at('Music'), { 'Band/Blue/1.flac': track('One', '1'), 'Band/Blue/2.flac': track('Two', '2') });
  await w.scan();
  const album = found((await w.seen().library({ view: 'music', offset: 0, limit: 5 })).items[0]).id;
  const tracks = async () => found((await w.seen().page('albums', album))?.discs.flatMap((disc) => disc.tracks));
  const ids = (await tracks()).map(({ id }) => id);
  const request = { ids, set: { artists: ['Duo', 'duo '], disc: 2 }, dryRun: true };

  const preview = await edits(w).bulk(w.seen(), request);
  assert.deepEqual([preview.kinds, preview.items.length], [['track'], 2]);
  assert.deepEqual(preview.items[0]?.changes, [
    { fact: 'artists', before: ['Band'], after: ['Duo'], locked: true },
    { fact: 'disc', before: null, after: 2, locked: true },
  ]);
  const { change } = await edits(w).bulk(w.seen(), { ...request, dryRun: false, digest: preview.digest });
  assert.deepEqual(
    (await tracks()).map(({ artists }) => artists),
    [['Duo'], ['Duo']],
  );
  await edits(w).undo(w.seen(), found(change));

  const mixed = { ids: [...ids, album], set: { artists: ['Duo'], disc: 2 } };
  for (const dryRun of [true, false])
    await assert.rejects(edits(w).bulk(w.seen(), { ...mixed, dryRun }), { reason: 'fact-not-of-kind' });
  assert.deepEqual((await edits(w).bulk(w.seen(), { ids: mixed.ids, dryRun: true })).kinds, ['track', 'album']);
  assert.deepEqual(
    (await tracks()).map(({ artists }) => artists),
    [['Band'], ['Band']],
  );
});

test('single artists are added to and removed from many tracks', async (t) => {
  const w = await openWorld(t, { Music: 'music' });
  const two = flac({ TITLE: 'Two', TRACKNUMBER: '2', ALBUM: 'Blue', ALBUMARTIST: 'Band', ARTIST: 'Guest' });
  grow(w.at('Music'), { 'Band/Blue/1.flac': track('One', '1'), 'Band/Blue/2.flac': two });
  await w.scan();
  const album = found((await w.seen().library({ view: 'music', offset: 0, limit: 5 })).items[0]).id;
  const tracks = async () => found((await w.seen().page('albums', album))?.discs.flatMap((disc) => disc.tracks));
  const artists = async () => (await tracks()).map((one) => one.artists);
  const ids = (await tracks()).map(({ id }) => id);
  const request = { ids, add: { artists: ['Duo', 'guest'] }, remove: { artists: ['BAND'] }, dryRun: true };

  const preview = await edits(w).bulk(w.seen(), request);
  assert.deepEqual(
    preview.items.map(({ changes }) => changes),
    [
      [{ fact: 'artists', before: ['Band'], after: ['Duo', 'guest'], locked: true }],
      [{ fact: 'artists', before: ['Guest'], after: ['Guest', 'Duo'], locked: true }],
    ],
  );
  const { change } = await edits(w).bulk(w.seen(), { ...request, dryRun: false, digest: preview.digest });
  assert.deepEqual(await artists(), [
    ['Duo', 'guest'],
    ['Guest', 'Duo'],
  ]);
  await w.scan();
  await w.again();
  assert.equal((await artists()).flat().length, 4, 'a scan keeps them');
  await edits(w).undo(w.seen(), found(change));
  assert.deepEqual(await artists(), [['Band'], ['Guest']]);

  const both = { ids, set: { artists: ['Duo'] }, add: { artists: ['Trio'] }, dryRun: true };
  await assert.rejects(edits(w).bulk(w.seen(), both), { reason: 'fact-set-and-unlocked' });
});

/** Removes facts from all layers, as an older version stored them. */
async function forgetFacts(w: World, names: readonly EditableFact[]): Promise<void> {
  for (const { item, source, facts } of await w.db
    .tables<CatalogTables>()
    .selectFrom('catalog_layer')
    .selectAll()
    .execute()) {
    const kept = Object.entries(JSON.parse(facts) as LayerFacts).filter(
      ([name]) => !names.includes(name as EditableFact),
    );
    await w.db.write<CatalogTables, unknown>('safe', (tx) =>
      tx
        .updateTable('catalog_layer')
        .set({ facts: JSON.stringify(Object.fromEntries(kept)) })
        .where('item', '=', item)
        .where('source', '=', source)
        .execute(),
    );
  }
}

test('facts that an older version did not store in layers return when an edit of them is unlocked', async (t) => {
  const w = await openWorld(t, { Music: 'music', Audiobooks: 'audiobooks', Books: 'books' });
  grow(w.at('Music'), { 'Band/Blue/3.flac': track('Three', '3') });
  grow(w.at('Audiobooks'), { 'Ada/Alpha/1.flac': volume('Alpha', { SERIES: 'Saga', 'SERIES-PART': '1' }) });
  grow(w.at('Books'), { 'Nemo/1.cbz': issue('Nemo', '1'), 'Nemo/2.cbz': issue('Nemo', '2') });
  await w.scan();
  const album = found((await w.seen().library({ view: 'music', offset: 0, limit: 5 })).items[0]).id;
  const nemo = async () => found(await w.seen().page('series', await w.id('Nemo'))).items;
  const cases: [id: string, set: Partial<EditedFacts>][] = [
    [found((await w.seen().page('albums', album))?.discs[0]?.tracks[0]).id, { track: 8, artists: ['Guest'] }],
    [await w.id('Alpha'), { series: 'Other', seriesNumber: '7' }],
    [found((await nemo())[1]).id, { series: 'Other', chapter: '7', volume: '7' }],
  ];
  for (const [id, set] of cases) {
    const facts = Object.keys(set) as EditableFact[];
    const before = await edit(w, id, { plot: 'A summary.' });
    await forgetFacts(w, facts);
    assert.deepEqual((await edit(w, id, set)).locked.toSorted(), [...facts, 'plot'].toSorted());
    const { values } = await edit(w, id, {}, facts);
    assert.deepEqual(values, before.values);
  }
  assert.equal((await nemo()).length, 2, 'the book is back in its series');
});

test('the series of an audiobook and its number can be edited', async (t) => {
  const w = await openWorld(t, { Books: 'audiobooks' });
  grow(w.at('Books'), {
    'Ada/Alpha/1.flac': volume('Alpha', { SERIES: 'Saga', 'SERIES-PART': '1' }),
    'Ada/Beta/1.flac': volume('Beta'),
  });
  await w.scan();
  const [alpha, beta] = [found(await w.id('Alpha')), found(await w.id('Beta'))];
  await assert.rejects(edit(w, beta, { seriesNumber: '2' }), { reason: 'number-without-series' });
  const { change } = await edit(w, beta, { series: 'Saga', seriesNumber: '0.5' });
  const [first, second] = [await w.seen().item(alpha), await w.seen().item(beta)];
  assert.equal(second?.series?.id, first?.series?.id);
  assert.deepEqual(second?.audiobook?.series, { name: 'Saga', position: '0.5' });
  await edit(w, alpha, { series: null });
  assert.equal((await w.seen().item(alpha))?.series, undefined);
  await edit(w, alpha, {}, ['series']);
  assert.deepEqual((await w.seen().item(alpha))?.audiobook?.series, { name: 'Saga', position: '1' });
  await edits(w).undo(w.seen(), found(change));
  assert.equal((await w.seen().item(beta))?.series, undefined);
});

for (const engine of ['sqlite', 'postgres'] as const)
  test(`a book moves to the series that an edit names, and back (${engine})`, async (t) => {
    const db = await (engine === 'sqlite' ? openTemporaryDatabase : openTemporaryPostgres)(t, worldMigrations);
    const w = await openWorld(t, { Books: 'books' }, db);
    grow(w.at('Books'), {
      'Nemo/1.cbz': issue('Nemo', '1'),
      'Nemo/2.cbz': issue('Nemo', '2'),
      'Lone/1.cbz': issue('Lone', '1'),
    });
    await w.scan();
    const idOf = async (series: string, title: string) =>
      found((await w.seen().page('series', await w.id(series)))?.items.find((one) => one.title === title)).id;
    const [nemo2, lone1] = [await idOf('Nemo', 'Nemo 2'), await idOf('Lone', 'Lone 1')];
    const shelves = async () => {
      const { items } = await w.seen().library({ view: 'books', sort: 'title', offset: 0, limit: 20 });
      const pages = await Promise.all(
        items.map(async ({ id, kind, title }) =>
          kind === 'series'
            ? `${title}: ${(await w.seen().page('series', id))?.items.map((one) => one.title).join()}`
            : title,
        ),
      );
      return pages.join(' | ');
    };
    const AT_FIRST = 'Lone: Lone 1 | Nemo: Nemo 1,Nemo 2';
    assert.equal(await shelves(), AT_FIRST);
    const read = await edits(w).read(w.seen(), nemo2);
    assert.deepEqual([read.values.series, read.values.volume, read.values.chapter], ['Nemo', null, '2']);
    assert.deepEqual([read.sources.series, read.sources.chapter], ['tags', 'tags']);

    const joined = await edit(w, lone1, { series: 'Nemo', chapter: '1.5' });
    assert.equal(await shelves(), 'Nemo: Nemo 1,Lone 1,Nemo 2', 'an empty series is gone');
    await w.scan();
    await w.again();
    assert.equal(await shelves(), 'Nemo: Nemo 1,Lone 1,Nemo 2', 'a scan keeps it');
    // The file is read again: its own series comes up empty, and goes again.
    grow(w.at('Books'), { 'Lone/1.cbz': issue('Lone', '1') });
    utimesSync(w.at('Books', 'Lone/1.cbz'), 2_000_000_000, 2_000_000_000);
    await w.scan();
    await w.again();
    assert.equal(await shelves(), 'Nemo: Nemo 1,Lone 1,Nemo 2');

    const made = await edit(w, nemo2, { series: 'Dreams' });
    assert.equal(await shelves(), 'Dreams: Nemo 2 | Nemo: Nemo 1,Lone 1');
    const dreams = found((await w.seen().library({ view: 'books', q: 'dreams', offset: 0, limit: 5 })).items[0]).id;
    await w.scan();
    const settled = await w.change();
    await w.scan();
    assert.equal(await w.change(), settled, 'a second scan changes nothing');
    // A file that names the series joins the one that the edit made.
    grow(w.at('Books'), { 'Dreams/9.cbz': issue('Dreams', '9') });
    await w.scan();
    assert.equal(await shelves(), 'Dreams: Nemo 2,Dreams 9 | Nemo: Nemo 1,Lone 1');
    assert.equal((await w.seen().page('series', dreams))?.items.length, 2, 'it keeps its id');

    await edit(w, nemo2, { series: null });
    assert.equal(await shelves(), 'Dreams: Dreams 9 | Nemo: Nemo 1,Lone 1 | Nemo 2');
    await w.scan();
    assert.equal(await shelves(), 'Dreams: Dreams 9 | Nemo: Nemo 1,Lone 1 | Nemo 2');
    await edit(w, nemo2, {}, ['series']);
    assert.equal(await shelves(), 'Dreams: Dreams 9 | Nemo: Nemo 1,Lone 1,Nemo 2');
    await edits(w).undo(w.seen(), found(joined.change));
    assert.equal(await shelves(), 'Dreams: Dreams 9 | Lone: Lone 1 | Nemo: Nemo 1,Nemo 2');
    await assert.rejects(edits(w).undo(w.seen(), found(made.change)), { reason: 'edited-again' });
    await edit(w, nemo2, { title: 'Second' });
    assert.match(await shelves(), /Nemo: Nemo 1,Second$/, 'a title does not change the order of a series');
  });

test('several books move to one series together, and artists are not for them', async (t) => {
  const w = await openWorld(t, { Books: 'books' });
  grow(w.at('Books'), {
    'Nemo/1.cbz': issue('Nemo', '1'),
    'Nemo/2.cbz': issue('Nemo', '2'),
    'Lone/3.cbz': issue('Lone', '3'),
  });
  await w.scan();
  const titles = async (series: string) => {
    const shelf = (await w.seen().library({ view: 'books', offset: 0, limit: 9 })).items.find(
      ({ kind, title }) => kind === 'series' && title === series,
    );
    return shelf && (await w.seen().page('series', shelf.id))?.items.map(({ title }) => title);
  };
  const idsOf = async (series: string) =>
    found(await w.seen().page('series', await w.id(series))).items.map(({ id }) => id);
  const ids = [...(await idsOf('Nemo')), ...(await idsOf('Lone'))];
  const request = { ids, set: { series: 'Dreams' }, dryRun: true };

  const preview = await edits(w).bulk(w.seen(), request);
  assert.deepEqual([preview.kinds, preview.items.length], [['book'], 3]);
  assert.equal(await titles('Dreams'), undefined, 'a preview changes nothing');
  const { change } = await edits(w).bulk(w.seen(), { ...request, dryRun: false, digest: preview.digest });
  const together = ['Nemo 1', 'Nemo 2', 'Lone 3'];
  assert.deepEqual(await titles('Dreams'), together);
  await w.scan();
  await w.again();
  assert.deepEqual(
    [await titles('Dreams'), await titles('Nemo'), await titles('Lone')],
    [together, undefined, undefined],
  );
  await edits(w).undo(w.seen(), found(change));
  await w.scan();
  assert.deepEqual(
    [await titles('Dreams'), await titles('Nemo'), await titles('Lone')],
    [undefined, ['Nemo 1', 'Nemo 2'], ['Lone 3']],
  );
  for (const lists of [{ add: { artists: ['Duo'] } }, { remove: { artists: ['Duo'] } }])
    await assert.rejects(edits(w).bulk(w.seen(), { ids, ...lists, dryRun: true }), { reason: 'fact-not-of-kind' });
});
