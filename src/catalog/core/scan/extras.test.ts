/** Extras through real scans: what they belong to, who sees them, and that nothing but that page knows of them. */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { found, grow, makeNfo, openWorld, type World } from '../../testing/world.ts';
import type { CatalogTables } from '../../store/tables.ts';
import { extraTitle } from '../item/extras.ts';

const picture = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#123456' } })
  .jpeg()
  .toBuffer();
const all = { view: 'all', offset: 0, limit: 100 } as const;

async function house(t: Parameters<typeof openWorld>[0]): Promise<World> {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), {
    'Lake (1999)/Lake (1999).mkv': true,
    'Lake (1999)/Lake (1999)-trailer.mkv': true,
    'Lake (1999)/poster.jpg': picture,
    'Lake (1999)/Behind The Scenes/On the ice.mkv': true,
    'Lake (1999)/Behind The Scenes/The dock.mkv': true,
    'Lake (1999)/Sample/sample.mkv': true,
    'Adult (2000)/Adult (2000).mkv': true,
    'Adult (2000)/movie.nfo': makeNfo('movie', { title: 'Adult', mpaa: 'R' }),
    'Adult (2000)/trailer.mp4': true,
    'Road (2001).mkv': true,
    'Road (2001)-trailer.mkv': true,
    'Mill (2002).mkv': true,
    'Nothing/Extras/Nobody knows.mkv': true,
    'Lake (1999)/Interviews/Broken.mkv': 'not a video',
  });
  grow(w.at('shows'), {
    'Pilot/Season 1/Pilot S01E01.mkv': true,
    'Pilot/Season 1/Pilot S01E02.mkv': true,
    'Pilot/Season 1/Pilot S01E02-trailer.mkv': true,
    'Pilot/Season 1/Featurettes/Making of.mkv': true,
    'Pilot/Season 2/Pilot S02E01.mkv': true,
    'Pilot/Season 2/Pilot S02E01.nfo': makeNfo('episodedetails', {
      title: 'Late',
      season: 2,
      episode: 1,
      mpaa: 'TV-MA',
    }),
    'Pilot/tvshow.nfo': makeNfo('tvshow', { title: 'Pilot', mpaa: 'TV-Y' }),
    'Pilot/Extras/Season 2/Gag reel.mkv': true,
    'Pilot/Trailers/Teaser.mkv': true,
  });
  await w.scan();
  return w;
}
const listed = async (w: World, id: string, seen = w.seen()) =>
  (await seen.extras.of(id))?.map(({ type, title, season }) => [
    type,
    title,
    ...(season === undefined ? [] : [season]),
  ]);

test('extras belong to a film, an episode, a show or a season, and two scans give the same ids', async (t) => {
  const w = await house(t);
  const [lake, road, show] = [await w.id('Lake'), await w.id('Road'), await w.id('Pilot')];
  assert.deepEqual(await listed(w, lake), [
    ['trailer', 'Trailer'],
    ['behind-the-scenes', 'On the ice'],
    ['behind-the-scenes', 'The dock'],
  ]);
  assert.deepEqual(await listed(w, road), [['trailer', 'Trailer']]);
  assert.deepEqual(await listed(w, await w.id('Mill')), []);
  assert.deepEqual(await listed(w, await w.id('Pilot/1x2')), [['trailer', 'Trailer']]);
  const ofShow = [
    ['trailer', 'Teaser'],
    ['featurette', 'Making of', 1],
    ['other', 'Gag reel', 2],
  ];
  assert.deepEqual(await listed(w, show), ofShow);
  const seasons = found(await w.seen().page('shows', show)).seasons;
  assert.deepEqual(await listed(w, found(seasons[1]).id), [['other', 'Gag reel', 2]]);
  assert.deepEqual(
    Object.keys(found(await w.seen().item(lake)).images),
    ['poster', 'thumb'],
    'its pictures stay its own',
  );
  assert.equal((await w.catalog.admin.unplaced({ limit: 10 })).total, 0, 'a broken extra is not listed');

  const ids = async () =>
    (await Promise.all([lake, road, show].map((id) => w.seen().extras.of(id)))).flat().map((extra) => extra?.id);
  const before = await ids();
  await w.scan();
  assert.deepEqual(await ids(), before);
  // A renamed folder takes its extras along, and a restart reads what they belong to.
  renameSync(w.at('films', 'Lake (1999)'), w.at('films', 'The Lake (1999)'));
  await w.scan();
  await w.again();
  assert.deepEqual(await ids(), before);
  rmSync(w.at('films', 'Road (2001)-trailer.mkv'));
  await w.scan();
  assert.deepEqual(await listed(w, road), []);
});

test('an extra that was there first is found by its film', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), { 'Lake (1999)/Trailers/Teaser.mkv': true });
  await w.scan();
  assert.deepEqual(await w.titles(), []);
  grow(w.at('films'), { 'Lake (1999)/Lake (1999).mkv': true });
  await w.scan();
  assert.deepEqual(await listed(w, await w.id('Lake')), [['trailer', 'Teaser']]);
});

test('the scan after an upgrade finds the extras of a library that was scanned before', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), { 'Lake (1999)/Lake (1999).mkv': true, 'Lake (1999)/Lake (1999)-trailer.mkv': true });
  await w.scan();
  const lake = await w.id('Lake');
  // As the version before left them.
  await w.db.write<CatalogTables, void>('grouped', async (tx) => {
    const old = { item: null, label: 'extra', probed: -1 };
    await tx.updateTable('catalog_file').set(old).where('name', 'like', '%-trailer.mkv').execute();
    await tx.deleteFrom('catalog_item').where('kind', '=', 'extra').execute();
    await tx.deleteFrom('catalog_extra').execute();
    await tx.updateTable('catalog_folder').set({ signature: 'placed by other rules', mtime: -1 }).execute();
  });
  await w.again();
  assert.deepEqual(await listed(w, lake), []);
  await w.scan({ quick: true });
  assert.deepEqual(await listed(w, lake), [['trailer', 'Trailer']]);
  assert.equal(await w.id('Lake'), lake);
});

test('no list, search or count knows of an extra, and it is played', async (t) => {
  const w = await house(t);
  const seen = w.seen();
  const lake = await w.id('Lake');
  const [trailer] = found(await seen.extras.of(lake));
  const { id, duration } = found(trailer);
  const page = found(await seen.item(id));
  assert.deepEqual(
    [page.kind, page.title, page.extra],
    ['extra', 'Trailer', { type: 'trailer', of: { id: lake, kind: 'movie', title: 'Lake' } }],
  );
  assert.deepEqual([Math.round(duration ?? 0), page.versions.length, page.links.media], [2, 1, `/media/${id}`]);
  assert.equal((await seen.file(id))?.relative, 'Lake (1999)/Lake (1999)-trailer.mkv');
  assert.equal((await seen.picture(id, 'thumb'))?.frameAt, 0);
  assert.equal((await seen.subject(id))?.kind, 'movie');
  assert.deepEqual([seen.isSeen(id), seen.extras.isExtra(id), seen.extras.isExtra(lake)], [true, true, false]);

  assert.deepEqual(
    (await seen.library({ ...all, q: 'trailer' })).items.map(({ title }) => title),
    [],
  );
  assert.equal((await seen.library({ ...all, q: 'teaser' })).total, 0);
  assert.deepEqual(await w.titles(), ['Adult', 'Lake', 'Mill', 'Pilot/1x1', 'Pilot/1x2', 'Pilot/2x1', 'Road']);
  const shown = await seen.recent({ limit: 50 });
  assert.deepEqual(shown.items.map(({ title }) => title).toSorted(), ['Adult', 'Lake', 'Mill', 'Pilot', 'Road']);
  assert.equal(shown.items.find(({ kind }) => kind === 'show')?.episodes, 3);
  assert.deepEqual(
    w.catalog.background.libraries().map(({ items }) => items),
    [4, 1],
  );
  const subjects = await w.catalog.background.changedSince(0, 100);
  assert.equal(subjects.length, 7, 'work in the background sees films and episodes only');
  assert.equal(await w.catalog.background.subject(id), undefined);
});

test('a Profile sees the extras of what it may see, and no others', async (t) => {
  const w = await house(t);
  const kids = w.seen({ rating: 7, unrated: false }, 'viewer', 'kid');
  const [adult, show] = [await w.id('Adult'), await w.id('Pilot')];
  const [hidden] = found(await w.seen().extras.of(adult));
  const { id } = found(hidden);
  assert.equal(await kids.extras.of(adult), undefined);
  assert.deepEqual(
    [
      kids.isSeen(id),
      kids.watched.duration(id),
      await kids.item(id),
      await kids.file(id),
      await kids.picture(id, 'thumb'),
    ],
    [false, undefined, undefined, undefined, undefined],
  );
  assert.deepEqual([await kids.subject(id), await kids.cards([id])], [undefined, []]);
  assert.deepEqual(await listed(w, show, kids), [
    ['trailer', 'Teaser'],
    ['featurette', 'Making of', 1],
  ]);
  const gagReel = found((await w.seen().extras.of(show))?.find(({ season }) => season === 2));
  assert.equal(kids.isSeen(gagReel.id), false, 'that of a season without an episode for this Profile');
  const apart = w.seen({ libraries: [] }, 'viewer', 'guest');
  assert.deepEqual([await apart.extras.of(show), apart.isSeen(gagReel.id)], [undefined, false]);
});

test('the title of an extra leaves out that of its film', () => {
  const titled = (
    title: string,
    owners: readonly string[],
    type: 'trailer' | 'deleted-scene' | 'other' = 'trailer',
  ) => {
    const extra = { type, folder: '', home: '' };
    return extraTitle({ title, detail: { studios: [], people: [], ids: {}, evidence: [], extra } }, owners);
  };
  for (const [title, expected] of [
    ['Quiet Lake (1999)', 'Trailer'],
    ['Quiet Lake - On the ice', 'On the ice'],
    ['Quiet Lakes', 'Quiet Lakes'],
    ['Pilot S01E02', 'Trailer'],
    ['Pilot S01E02 - Dock', 'Dock'],
    ['trailer', 'Trailer'],
  ] as const)
    assert.equal(titled(title, ['Quiet Lake', 'Pilot']), expected);
  assert.equal(titled('On the ice', []), 'On the ice');
  assert.equal(titled('Quiet Lake', ['Quiet Lake'], 'deleted-scene'), 'Deleted scene');
  assert.equal(titled('Quiet Lake', ['Quiet Lake'], 'other'), 'Extra');
});
