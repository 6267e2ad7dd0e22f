/**
 * Unusual names through a real scan: every file is placed, different works stay apart, two scans give the same ids, and
 * items keep ids, progress and history when a better rule places their files elsewhere.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import type { CatalogTables } from '../../store/tables.ts';
import { found, grow, openWorld, type Tree, type World } from '../../testing/world.ts';

const CUE = '1\n00:00:01,000 --> 00:00:02,000\nHello.\n';
const videos = (folder: string, names: string): Tree =>
  Object.fromEntries(names.split('\n').map((name) => [`${folder}/${name.trim()}`, true]));

const SHOWS: Tree = {
  ...videos('Kaze', '[Tsuki] Kaze - 01 [E63F2984].mkv\n[Tsuki] Kaze - 02 [848x480].mkv\nKaze S2 - 05.mkv'),
  ...videos(
    'Kaze',
    'Kaze 3rd Season - 05.mkv\nKaze - 10.mkv\nKaze - 10.5.mkv\nKaze - SP01.mkv\nKaze - OVA 1.mkv\nKaze - NCOP1.mkv',
  ),
  ...videos('86', '86 - 01.mkv\n86 - 02.mkv'),
  ...videos('91 Days', '91 Days - 05.mkv'),
  ...videos('5-toubun no Hanayome', '5-toubun no Hanayome - 05.mkv'),
  ...videos('100 Years Quest', '100 Years Quest - 01.mkv'),
  ...videos('9-1-1', '9-1-1 01.mkv'),
  ...videos('Deep Sea', 'Deep Sea 1 of 6.mkv\nDeep Sea 2of6.mkv'),
  ...videos('The Siege', 'The Siege Part 1.mkv\nThe Siege Part 2.mkv'),
  ...videos('Star Trek', 'Star.Trek.Discovery.S01E01.mkv\nStar.Trek.Picard.S01E01.mkv'),
  ...videos('HD TV', 'Friends.S01E01.mkv\nSeinfeld.S01E01.mkv'),
  ...videos('Bleach', 'Bleach [05].mkv\nBleach.06.Title.mkv\nBleach - 313-314.mkv\nBleach 01+02.mkv'),
  ...videos('Desk', 'Desk 2022x12.mkv\nDesk S01x02.mkv\nDesk S01xE03.mkv\nDesk 03-29-2012.mkv\nDesk 30 March 2012.mkv'),
  ...videos('Pilot S17 Complete Season 17', 'Pilot S17E01.mkv'),
  ...videos('Pilot/Season 1', 'Pilot S01E01 [Multi Sub 1080p.mkv'),
  ...videos('Pilot/Season 1/Featurettes', 'S01E01 Making of.mkv'),
  'Pilot/Season 1/RARBG.com.mp4': true,
  'Bleach/Subs/English/06.srt': CUE,
  'Bleach/Bleach [05].br.srt': CUE,
};
const FILMS: Tree = {
  'Lake (1999)/Lake CD1of2.avi': true,
  'Lake (1999)/Lake CD2of2.avi': true,
  'Road (2001) (1 of 2).avi': true,
  'Road (2001) (2 of 2).avi': true,
  'Mill.EXTENDED.2013.1080p.BluRay.x264-KESTREL-postbot.mkv': true,
  'Il.Molo.iTALiAN.2009.DVDRip.mkv': true,
  'Disc (2004)/BDMV/index.bdmv': 'x',
  'Disc (2004)/BDMV/STREAM/00001.m2ts': true,
  'Disc (2004)/BDMV/STREAM/00002.m2ts': true,
  'Dvd (2005)/VIDEO_TS/VIDEO_TS.IFO': 'x',
  'Dvd (2005)/VIDEO_TS/VTS_01_1.VOB': true,
};
const PLACED = [
  '100 Years Quest/1x1',
  '5-toubun no Hanayome/1x5',
  '86/1x1',
  '86/1x2',
  '9-1-1/1x1',
  '91 Days/1x5',
  'Bleach/1x1',
  'Bleach/1x313',
  'Bleach/1x5',
  'Bleach/1x6',
  'Deep Sea/1x1',
  'Deep Sea/1x2',
  'Desk/1x2',
  'Desk/1x3',
  'Desk/2012x?',
  'Desk/2012x?',
  'Desk/2022x12',
  'Friends/1x1',
  'Il Molo',
  'Kaze/0x1',
  'Kaze/0x1',
  'Kaze/0x?',
  'Kaze/1x1',
  'Kaze/1x10',
  'Kaze/1x2',
  'Kaze/2x5',
  'Kaze/3x5',
  'Lake',
  'Mill',
  'Pilot/17x1',
  'Pilot/1x1',
  'Quest/1x3',
  'Road',
  'Seinfeld/1x1',
  'Star Trek Discovery/1x1',
  'Star Trek Picard/1x1',
  'The Siege/1x1',
  'The Siege/1x2',
];

/** Every item of every file, by the path of the file. */
const itemsOf = async (w: World): Promise<Record<string, string | null>> =>
  Object.fromEntries((await w.files()).map(({ folder, name, item }) => [`${folder}/${name}`, item]));

test('every pattern of names is placed, and a second scan gives the same ids', async (t) => {
  const w = await openWorld(t, { shows: 'shows', films: 'movies', all: 'mixed' });
  grow(w.at('shows'), SHOWS);
  grow(w.at('films'), FILMS);
  grow(w.at('all'), { 'Anime/Quest/03.mkv': true });
  await w.scan();
  assert.deepEqual((await w.titles()).toSorted(), PLACED);
  const versions = async (title: string) =>
    (await w.seen().item(await w.id(title)))?.versions.map(({ parts }) => parts);
  assert.deepEqual([await versions('Lake'), await versions('Road')], [[2], [2]]);
  assert.deepEqual((await w.seen().item(await w.id('Bleach/1x313')))?.episodeEnd, 314);
  assert.equal((await w.seen().item(await w.id('Mill')))?.versions[0]?.label, 'Extended · 1080p');
  const subtitles = async (title: string) =>
    (await w.seen().item(await w.id(title)))?.subtitles.map(({ language }) => language);
  assert.deepEqual([await subtitles('Bleach/1x6'), await subtitles('Bleach/1x5')], [['en'], ['pt-br']]);
  const { items } = await w.catalog.admin.unplaced({ offset: 0, limit: 50 });
  assert.deepEqual(
    items.map(({ file, reason }) => [file, reason]),
    [
      ['Disc (2004)/BDMV', PLACEMENT_CLUES.discFolderBluray],
      ['Dvd (2005)/VIDEO_TS', PLACEMENT_CLUES.discFolderDvd],
    ],
  );
  const [before, change] = [await itemsOf(w), await w.change()];
  await placeAgain(w);
  assert.deepEqual(await itemsOf(w), before);
  assert.equal(await w.change(), change, 'nothing was written');
});

/** Makes the next scan place every file again, as after an update with better rules, and scans. */
async function placeAgain(w: World): Promise<void> {
  await w.db.write<CatalogTables, void>('safe', async (tx) => {
    await tx.updateTable('catalog_folder').set({ signature: '', mtime: -1 }).execute();
  });
  await w.scan();
}

test('files without evidence of the same work stay apart, are listed and can be played', async (t) => {
  const w = await openWorld(t, { shows: 'shows', films: 'movies' });
  grow(w.at('shows', 'Alpha'), {
    'Season 1/Alpha S01E01.avi': 8,
    'Season 1/Alpha S01E01.mkv': 2,
    'Season 1/Alpha S01E02 - 1080p.mkv': 8,
    'Season 1/Alpha S01E02 - 720p.mkv': 2,
    'Season 1/Alpha S01E03 - First.mkv': 2,
    'Season 1/Alpha S01E03 - Second.mkv': 2,
    'Season 1/Alpha S01E04.mkv': 2,
    'S01/Alpha S01E04.avi': 2,
    'Season 1/Alpha S01E05.mkv': 2,
    'S01/Alpha S01E05.avi': 8,
    'Season 1/Alpha.S01E06.1080p/Alpha.S01E06.mkv': 2,
    'Season 1/Gamma.S01E06.720p/Gamma.S01E06.mkv': 2,
  });
  grow(w.at('films'), { 'Beta (2001)/Beta (2001).avi': 8, 'Beta (2001)/Beta (2001).mkv': 2 });
  await w.scan();
  const shared = async () =>
    Object.entries(Object.groupBy(Object.entries(await itemsOf(w)), ([, item]) => item ?? ''))
      .map(([, files = []]) => files.map(([path]) => path.replace(/^.*\//, '')).join(' + '))
      .toSorted();
  const apart = [
    'Alpha S01E01.avi',
    'Alpha S01E01.mkv',
    'Alpha S01E02 - 1080p.mkv + Alpha S01E02 - 720p.mkv',
    'Alpha S01E03 - First.mkv',
    'Alpha S01E03 - Second.mkv',
    'Alpha S01E04.avi + Alpha S01E04.mkv',
    'Alpha S01E05.avi',
    'Alpha S01E05.mkv',
    'Alpha.S01E06.mkv',
    'Beta (2001).avi',
    'Beta (2001).mkv',
    'Gamma.S01E06.mkv',
  ];
  assert.deepEqual(await shared(), apart);
  const doubtful = async () =>
    (await w.catalog.admin.unplaced({ offset: 0, limit: 50 })).items
      .filter(({ reason }) => reason === PLACEMENT_CLUES.sameNameOtherWork)
      .map(({ file }) => file.replace(/^.*\//, ''))
      .toSorted();
  const listed = apart.filter((name) => !name.includes('+'));
  // The file of a folder that was written first is listed as soon as its folder is read again.
  const [before, change] = [await itemsOf(w), await w.change()];
  assert.deepEqual(await doubtful(), listed);
  for (const [path, id] of Object.entries(before)) {
    const item = found(await w.seen().item(id ?? ''), path);
    assert.ok(
      item.versions.every(({ available, problem }) => available && problem === undefined),
      path,
    );
    assert.equal(
      (item.guess?.confidence ?? 1) <= 0.3,
      listed.some((name) => path.endsWith(name)),
      path,
    );
  }
  await placeAgain(w);
  assert.deepEqual(await itemsOf(w), before);
  assert.equal(await w.change(), change, 'nothing was written');
  // With the other file gone, nothing is doubtful any more, and the item that is left is the same.
  rmSync(w.at('shows', 'Alpha/Season 1/Alpha S01E01.avi'));
  await w.scan();
  assert.deepEqual(
    await doubtful(),
    listed.filter((name) => !name.startsWith('Alpha S01E01')),
  );
  assert.equal((await itemsOf(w))['Alpha/Season 1/Alpha S01E01.mkv'], before['Alpha/Season 1/Alpha S01E01.mkv']);
});

test('items keep their ids, progress and history when a better rule moves their files', async (t) => {
  const w = await openWorld(t, { shows: 'shows', all: 'mixed' });
  grow(w.at('shows'), {
    ...videos(
      'Kaze',
      '[Tsuki] Kaze - 01 [E63F2984].mkv\n[Tsuki] Kaze - 02 [E63F2985].mkv\n[Tsuki] Kaze - 03 [E63F2986].mkv',
    ),
    'HD TV/Friends S01E01.mkv': true,
    'Hoshi/Hoshi S2 - 05.mkv': true,
    'Hoshi/Hoshi - 07.mkv': true,
  });
  grow(w.at('all'), { 'Anime/Quest/03.mkv': true });
  await w.scan();
  const titles = await w.titles();
  const [kaze, friends, hoshi, quest] = await Promise.all(
    ['Kaze/1x1', 'Friends/1x1', 'Hoshi/2x5', 'Quest/1x3'].map((title) => w.id(title)),
  );
  const shows = await Promise.all(['Kaze', 'Friends', 'Hoshi'].map((title) => w.id(title)));
  // The tables as older rules left them: a season in one episode, a show named after a folder of shows, an episode of
  // another season, and an episode that was taken for a film.
  await w.db.write<CatalogTables, void>('safe', async (tx) => {
    const rest = (await tx.selectFrom('catalog_file').selectAll().where('folder', '=', 'Kaze').execute()).map(
      ({ item }) => item,
    );
    await tx
      .updateTable('catalog_file')
      .set({ item: kaze ?? '' })
      .where('folder', '=', 'Kaze')
      .execute();
    await tx
      .deleteFrom('catalog_item')
      .where('id', 'in', rest.filter((id) => id !== null && id !== kaze) as string[])
      .execute();
    const keep = async (id: string | undefined, set: Partial<CatalogTables['catalog_item']>) =>
      void (await tx
        .updateTable('catalog_item')
        .set(set)
        .where('id', '=', id ?? '')
        .execute());
    await keep(kaze, { key: `episode:${shows[0]}:1:s:1:63`, episode_number: 63 });
    await keep(shows[1], { key: 'show:hd tv:', title: 'HD TV' });
    const season = await tx
      .selectFrom('catalog_item')
      .select('season')
      .where('show', '=', shows[2] ?? '')
      .where('episode_number', '=', 7)
      .executeTakeFirstOrThrow();
    await keep(hoshi, { key: `episode:${shows[2]}:1:s:1:5`, season: season.season, season_number: 1 });
    // Its own show, which has no other episode.
    const show = await tx
      .selectFrom('catalog_item')
      .selectAll()
      .where('id', '=', shows[2] ?? '')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('catalog_item')
      .values({ ...show, id: 'abcdef0123456789', key: 'show:hoshi s2:', title: 'Hoshi S2' })
      .execute();
    await keep(hoshi, { show: 'abcdef0123456789' });
    await keep(quest, {
      key: 'film:Anime/Quest/03',
      kind: 'movie',
      show: null,
      season: null,
      season_number: null,
      episode_number: null,
    });
  });
  await w.again();
  const marked = [kaze, friends, hoshi, quest].map((id) => id ?? '');
  for (const id of marked)
    await w.catalog.watching.progress('p1', id, { position: 60, session: 's', sequence: 1 }, 600);
  await placeAgain(w);
  const emptied = await w.db
    .tables<CatalogTables>()
    .selectFrom('catalog_item')
    .select('present')
    .where('id', '=', 'abcdef0123456789')
    .execute();
  assert.deepEqual(emptied, [{ present: 0 }], 'a show whose episodes all left is gone');
  assert.deepEqual(await w.titles(), titles);
  assert.deepEqual(
    await Promise.all(['Kaze/1x1', 'Friends/1x1', 'Hoshi/2x5', 'Quest/1x3'].map((title) => w.id(title))),
    marked,
  );
  assert.deepEqual(await Promise.all(['Kaze', 'Friends', 'Hoshi'].map((title) => w.id(title))), shows);
  for (const id of marked) assert.equal((await w.seen().item(id))?.userData.position, 60);
  assert.equal((await w.catalog.watching.history('p1')).length, marked.length);
  const [before, change] = [await itemsOf(w), await w.change()];
  await placeAgain(w);
  assert.deepEqual([await itemsOf(w), await w.change()], [before, change]);
});

test('a season of several batches has versions in other folders, and one file keeps a wrong item', async (t) => {
  const w = await openWorld(t, { shows: 'shows' });
  const numbers = Array.from({ length: 50 }, (_, i) => String(i + 1).padStart(2, '0'));
  grow(w.at('shows', 'Kaze'), {
    ...Object.fromEntries(numbers.map((number) => [`Season 1/Kaze - ${number}.mkv`, true as const])),
    'S01/Kaze - 01.avi': true,
    'S01/Kaze - 50.avi': true,
  });
  await w.scan();
  const versions = async (title: string) => (await w.seen().item(await w.id(title)))?.versions.length;
  assert.deepEqual([await versions('Kaze/1x1'), await versions('Kaze/1x2'), await versions('Kaze/1x50')], [2, 1, 2]);
  assert.equal((await w.titles()).length, 50);
  const [show, first] = [await w.id('Kaze'), await w.id('Kaze/1x1')];
  // The tables as a rule left them that took all files for one episode.
  await w.db.write<CatalogTables, void>('safe', async (tx) => {
    await tx.updateTable('catalog_file').set({ item: first }).execute();
    await tx.deleteFrom('catalog_item').where('kind', '=', 'episode').where('id', '!=', first).execute();
    await tx
      .updateTable('catalog_item')
      .set({ key: `episode:${show}:1:s:1:63` })
      .where('id', '=', first)
      .execute();
  });
  await w.again();
  await placeAgain(w);
  assert.equal((await w.titles()).length, 50);
  assert.deepEqual([await w.id('Kaze'), await w.id('Kaze/1x1')], [show, first]);
  const before = await itemsOf(w);
  await placeAgain(w);
  assert.deepEqual(await itemsOf(w), before);
});
