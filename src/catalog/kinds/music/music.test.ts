/** Albums, artists, lyrics and queues, scanned from real files of sound. */
import assert from 'node:assert/strict';
import { assertLinear } from '../../../../test/linear.ts';
import { renameSync } from 'node:fs';
import { test } from 'node:test';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import type { Album } from '../../../contract/catalog/music.ts';
import { flac, type FlacTags } from '../../testing/sound.ts';
import { until } from '../../../../test/until.ts';
import { grow, makeNfo, openWorld, type World } from '../../testing/world.ts';
import { discOf, readTrackNames } from './names.ts';

const never = new AbortController().signal;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4' + '2mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const track = (TITLE: string, TRACKNUMBER: string, tags: FlacTags = {}, picture?: Uint8Array) =>
  flac({ TITLE, TRACKNUMBER, ...tags }, picture);

const musicOf = (world: World, policy: Partial<Policy> = {}) =>
  world.catalog.musicSeenBy({ profile: 'p1', role: 'viewer', policy: { ...OWNER_POLICY, ...policy } });

async function albums(world: World, policy = {}): Promise<Album[]> {
  const seen = world.seen(policy);
  const { items } = await seen.library({ view: 'music', sort: 'title', offset: 0, limit: 100 });
  const pages = await Promise.all(items.map(({ id }) => seen.page('albums', id)));
  return pages.filter((page) => page !== undefined);
}
const told = ({ title, artists, discs }: Album) =>
  [
    artists?.join(' + '),
    title,
    discs.map(({ number, tracks }) => `${number}[${tracks.map((one) => one.title).join()}]`).join(' '),
  ].join(': ');

test('albums are what tags and folders say', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  const album = (ALBUM: string, more: FlacTags = {}) => ({ ALBUM, ...more });
  grow(world.at('Music'), {
    // Guests and years do not divide an album; discs in folders are one.
    'Band/Two Discs/CD1/01.flac': track(
      'One',
      '1',
      album('Two Discs', { ALBUMARTIST: 'Band', ARTIST: 'Band; Guest', DATE: '1999' }),
    ),
    'Band/Two Discs/Disc 2/01.flac': track(
      'Two',
      '1',
      album('Two Discs', {
        ALBUMARTIST: 'Band',
        ARTIST: ['Band', 'Other/Name'],
        DATE: '2004',
        DISCNUMBER: '2',
        DISCSUBTITLE: 'Live',
      }),
    ),
    // No album artist is stated: it is the one that all tracks share, or there is none.
    'x/Shared/1.flac': track('A', '1', album('Shared', { ARTIST: 'Solo' })),
    'x/Shared/2.flac': track('B', '2', album('Shared', { ARTIST: ['Solo', 'Guest'] })),
    'x/Mixed/1.flac': track('C', '1', album('Mixed', { ARTIST: 'Solo' })),
    'x/Mixed/2.flac': track('D', '2', album('Mixed', { ARTIST: 'Guest' })),
    'x/Sampler/1.flac': track('E', '1', album('Sampler', { ARTIST: 'Solo', COMPILATION: '1' })),
    // One release in two folders, and two albums of one name.
    'r1/1.flac': track(
      'F',
      '1',
      album('Release', { ARTIST: 'Solo', MUSICBRAINZ_ALBUMID: '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a11' }),
    ),
    'r2/2.flac': track(
      'G',
      '2',
      album('Release', { ARTIST: 'Solo', MUSICBRAINZ_ALBUMID: '8a1b5a3e-5f9d-4d1e-9d0f-2b9a5f3c1a11' }),
    ),
    'h1/1.flac': track('H', '1', album('Hits', { ALBUMARTIST: 'Solo' })),
    'h2/1.flac': track('I', '1', album('Hits', { ALBUMARTIST: 'Band' })),
    // No tags.
    'AC_DC/1980 - Back (1980)/03 - Shook.flac': flac({}),
  });
  await world.scan();
  assert.deepEqual((await albums(world)).map(told).sort(), [
    'AC_DC: Back: 1[Shook]',
    'Band: Hits: 1[I]',
    'Band: Two Discs: 1[One] 2[Two]',
    'Solo: Hits: 1[H]',
    'Solo: Release: 1[F,G]',
    'Solo: Shared: 1[A,B]',
    'Various Artists: Mixed: 1[C,D]',
    'Various Artists: Sampler: 1[E]',
  ]);
  const discs = (await albums(world)).find(({ title }) => title === 'Two Discs')?.discs;
  assert.deepEqual(
    discs?.map(({ title, tracks }) => [title, tracks[0]?.artists]),
    [
      [undefined, ['Band', 'Guest']],
      ['Live', ['Band', 'Other/Name']],
    ],
  );
  const music = musicOf(world);
  const all = await music.artists({ role: 'all', offset: 0, limit: 100 });
  assert.deepEqual(
    all.items.map(({ name, albums: own, appearsOn }) => `${name} ${own} ${appearsOn}`),
    ['AC_DC 1 0', 'Band 2 0', 'Guest 0 3', 'Other/Name 0 1', 'Solo 3 2'],
  );
  const tracksOf = async (name: string, page = { offset: 0, limit: 100 }) => {
    const found = await music.artistTracks(all.items.find((one) => one.name === name)?.id ?? '', page);
    return [found?.total, ...(found?.items ?? []).map(({ title, album }) => `${album?.title}: ${title}`)];
  };
  assert.deepEqual(
    await tracksOf('Solo'),
    [7, 'Hits: H', 'Release: F', 'Release: G', 'Shared: A', 'Shared: B', 'Mixed: C', 'Sampler: E'],
    'own albums, and only the own tracks of others',
  );
  assert.deepEqual(await tracksOf('Guest'), [3, 'Two Discs: One', 'Mixed: D', 'Shared: B']);
  assert.deepEqual(await tracksOf('Solo', { offset: 1, limit: 1 }), [7, 'Release: F']);
  assert.equal(await music.artistTracks('0000000000000000', { offset: 0, limit: 100 }), undefined);
  const change = await world.change();
  await world.scan();
  assert.equal(await world.change(), change, 'a second scan changes nothing');
  const found = await world.seen().library({ view: 'music', artist: 'solo', offset: 0, limit: 10 });
  assert.deepEqual(found.items.map(({ title }) => title).sort(), ['Hits']);
  assert.ok(found.facets.artists.some(({ value }) => value === 'Solo'));
});

test('a hidden album changes no artist, no count and no queue', async (t) => {
  const world = await openWorld(t, { Music: 'music', Adult: 'music' });
  grow(world.at('Music'), {
    'a/1.flac': track('A', '1', { ALBUM: 'Open', ARTIST: 'Solo' }),
    'a/2.flac': track('B', '2', { ALBUM: 'Open', ARTIST: ['Solo', 'Guest'] }),
  });
  await world.scan();
  const child = {
    libraries: world.catalog.background
      .libraries()
      .filter(({ name }) => name === 'Music')
      .map(({ id }) => id),
  };
  const view = async () => {
    const music = musicOf(world, child);
    const { items } = await music.artists({ role: 'all', offset: 0, limit: 100 });
    const pages = await Promise.all(items.map(({ id }) => music.artist(id)));
    const tracks = await Promise.all(items.map(({ id }) => music.artistTracks(id, { offset: 0, limit: 100 })));
    const page = await world.seen(child, 'viewer', 'child').library({ view: 'music', offset: 0, limit: 100 });
    return JSON.stringify({ items, pages, tracks, page, albums: await albums(world, child) });
  };
  const before = await view();
  grow(world.at('Adult'), {
    'b/1.flac': track('X', '1', { ALBUM: 'Secret', ARTIST: 'Guest' }),
    'b/2.flac': track('Y', '2', { ALBUM: 'Secret', ARTIST: 'Hidden' }),
  });
  await world.scan();
  const everything = await musicOf(world).artists({ role: 'all', offset: 0, limit: 100 });
  assert.deepEqual(
    everything.items.map(({ name }) => name),
    ['Guest', 'Hidden', 'Solo'],
  );
  assert.equal(await view(), before);
  const hidden = everything.items.find(({ name }) => name === 'Hidden')?.id ?? '';
  const secret = (await albums(world)).find(({ title }) => title === 'Secret');
  const id = secret?.discs[0]?.tracks[0]?.id ?? '';
  const seen = world.seen(child, 'viewer', 'child');
  assert.equal(await musicOf(world, child).artist(hidden), undefined);
  assert.equal(await musicOf(world, child).artistTracks(hidden, { offset: 0, limit: 100 }), undefined);
  assert.equal(await musicOf(world, child).queue(id), undefined);
  assert.equal(await musicOf(world, child).lyrics(id, never), 'no-item');
  assert.equal(await seen.page('albums', secret?.id ?? ''), undefined);
  assert.equal((await musicOf(world).queue(id))?.length, 2);
});

test('the page of an album tells an Owner its rating', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  grow(world.at('Music'), { 'a/1.flac': track('A', '1', { ALBUM: 'Open', ARTIST: 'Solo' }) });
  await world.scan();
  const id = (await albums(world))[0]?.id ?? '';
  await world.catalog.admin.ratings.set(id, 'FSK 12');
  assert.deepEqual((await albums(world))[0]?.certification, { rating: 'FSK 12', age: 12, set: 'FSK 12' });
  const viewer = (await world.seen({}, 'viewer').page('albums', id)) as Album;
  assert.deepEqual([viewer.title, viewer.certification], ['Open', undefined]);
});

test('a moved album keeps its ids and what was played', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  grow(world.at('Music'), {
    'old/1.flac': track('A', '1', { ALBUM: 'Open', ARTIST: 'Solo' }),
    'old/2.flac': track('B', '2', { ALBUM: 'Open', ARTIST: 'Solo' }),
    'new/keep.flac': track('C', '1', { ALBUM: 'Else', ARTIST: 'Solo' }),
  });
  await world.scan();
  const ids = async () =>
    (await albums(world)).map(({ id, discs }) => [id, ...discs.flatMap(({ tracks }) => tracks.map((one) => one.id))]);
  const before = await ids();
  const [, , second = ''] = before[1] ?? [];
  await world.catalog.watching.progress('p1', second, { position: 0.5, sequence: 1, session: 'session-1' }, 1);
  for (const name of ['1', '2'])
    renameSync(world.at('Music', 'old', `${name}.flac`), world.at('Music', 'new', `0${name}.flac`));
  await world.scan();
  assert.deepEqual(await ids(), before);
  assert.equal((await world.seen().item(second))?.userData.position, 0.5);
});

test('a retagged album keeps its id, and a track that leaves it does not take it along', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  const three = (ALBUM: string, more: FlacTags = {}) =>
    Object.fromEntries(
      ['1', '2', '3'].map((number) => [`a/${number}.flac`, track(number, number, { ALBUM, ARTIST: 'Solo', ...more })]),
    );
  grow(world.at('Music'), three('Fisrt'));
  await world.scan();
  const [before] = await albums(world);
  grow(world.at('Music'), three('First', { ALBUMARTIST: 'Solo' }));
  await world.scan();
  assert.deepEqual((await albums(world)).map(told), ['Solo: First: 1[1,2,3]']);
  assert.equal((await albums(world))[0]?.id, before?.id, 'another title and album artist');
  // All files change, and the first one belongs to another album now.
  const left = three('First', { ALBUMARTIST: 'Solo', COMMENT: 'again' });
  grow(world.at('Music'), { ...left, 'a/1.flac': track('1', '1', { ALBUM: 'Another', ALBUMARTIST: 'Solo' }) });
  await world.scan();
  const after = await albums(world);
  assert.deepEqual(after.map(told), ['Solo: Another: 1[1]', 'Solo: First: 1[2,3]']);
  assert.equal(after[1]?.id, before?.id);
});

test('a track that is moved away leaves its album to the others', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  grow(world.at('Music'), {
    'old/1.flac': track('A', '1', { ALBUM: 'Open', ARTIST: 'Solo' }),
    'old/2.flac': track('B', '2', { ALBUM: 'Open', ARTIST: 'Solo' }),
    'new/0.flac': track('C', '1', { ALBUM: 'Else', ARTIST: 'Solo' }),
  });
  await world.scan();
  const open = (await albums(world)).find(({ title }) => title === 'Open');
  renameSync(world.at('Music', 'old', '2.flac'), world.at('Music', 'new', '2.flac'));
  await world.scan();
  const after = (await albums(world)).filter(({ title }) => title === 'Open');
  assert.deepEqual(after.map(told).sort(), ['Solo: Open: 1[A]', 'Solo: Open: 1[B]']);
  assert.equal(after.find((one) => told(one).endsWith('1[A]'))?.id, open?.id);
});

test('lyrics come from a file or the tags, and pictures from the folder or the file', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  grow(world.at('Music'), {
    'a/1.flac': track('A', '1', { ALBUM: 'Open', ARTIST: 'Solo', LYRICS: 'inside\nthe file' }, PNG),
    'a/2.flac': track(
      'B',
      '2',
      { ALBUM: 'Open', ARTIST: 'Solo', LYRICS: 'inside', REPLAYGAIN_ALBUM_GAIN: '-7.5 dB' },
      PNG,
    ),
    'a/2.lrc': '[la:en]\n[offset:+500]\n[00:02.50][00:01.00]La la\n[00:03:000]End',
    'a/3.flac': track('C', '3', { ALBUM: 'Open', ARTIST: 'Solo' }, PNG),
    'b/cover.png': PNG,
    'b/1.flac': track('D', '1', { ALBUM: 'Pictured', ARTIST: 'Solo' }, PNG),
  });
  await world.scan();
  const [open, pictured] = await albums(world);
  const ids = open?.discs[0]?.tracks.map(({ id }) => id) ?? [];
  const music = musicOf(world);
  const lyrics = await Promise.all(ids.map((id) => music.lyrics(id, never)));
  assert.deepEqual(lyrics, [
    { source: 'embedded', synced: false, lines: [{ text: 'inside' }, { text: 'the file' }] },
    {
      source: 'file',
      synced: true,
      language: 'en',
      lines: [
        { start: 0.5, text: 'La la' },
        { start: 2, text: 'La la' },
        { start: 2.5, text: 'End' },
      ],
    },
    undefined,
  ]);
  assert.equal(open?.gain?.gain, -7.5);
  for (const album of [open, pictured]) {
    const picture = await world.seen().picture(album?.id ?? '', 'poster');
    assert.ok(picture);
    const { bytes } = await world.catalog.art.make(picture, 160, never);
    assert.ok(bytes.length > 20, picture.relative);
  }
  assert.match((await world.seen().picture(pictured?.id ?? '', 'poster'))?.relative ?? '', /cover\.png/);
});

test('names of tracks and folders are read', () => {
  const read = (path: string) => {
    const folders = path.split('/');
    const stem = folders.pop() ?? '';
    const { title, number, disc, album, artist, year, albumFolder } = readTrackNames(folders, stem);
    return [artist, album, year, disc, number, title, albumFolder].map((one) => one ?? '').join('|');
  };
  const table: Record<string, string> = {
    'Artist/Album (1999)/01 Title': 'Artist|Album|1999||1|Title|Artist/Album (1999)',
    'Artist/1999 - Album/1-02. Title': 'Artist|Album|1999|1|2|Title|Artist/1999 - Album',
    'Artist/Album/CD 2/03 - Artist - Title': 'Artist|Album||2|3|Title|Artist/Album',
    'Artist - Album [2001]/Title': 'Artist|Album|2001|||Title|Artist - Album [2001]',
    '99 Luftballons': '||||99|Luftballons|',
    'Artist/Album (Deluxe) (2010) [FLAC]/7_Title_of_it':
      'Artist|Album (Deluxe)|2010|||7 Title of it|Artist/Album (Deluxe) (2010) [FLAC]',
  };
  table['Artist/Album (Deluxe) (2010) [FLAC]/7_Title_of_it'] =
    'Artist|Album (Deluxe)|2010||7|Title of it|Artist/Album (Deluxe) (2010) [FLAC]';
  for (const [path, expected] of Object.entries(table)) assert.equal(read(path), expected, path);
  assert.deepEqual(['CD1', 'Disc 02', 'disk-3', 'Live (CD 2)', 'CDs', 'Discovery'].map(discOf), [
    1,
    2,
    3,
    2,
    undefined,
    undefined,
  ]);
  for (const part of ['a', 'cd ', '-', '1 ', '[('])
    assertLinear(part, part.repeat(4_000), (text) => readTrackNames([text, text], text));
});

test('the folder of an artist has a biography and pictures, and says nothing about others', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  const nfo = (name: string, biography: string) =>
    `<artist><name>${name}</name><biography>${biography}</biography></artist>`;
  const by = (ARTIST: string, more: FlacTags = {}) => track('One', '1', { ALBUM: 'Album', ARTIST, ...more });
  grow(world.at('Music'), {
    'Band/artist.nfo': nfo('Band', 'Three who play.'),
    'Band/artist.jpg': PNG,
    'Band/folder.jpg': PNG,
    'Band/fanart.png': PNG,
    'Band/Album/1.flac': by('Band; Guest'),
    // The folder has another name, and the NFO says whose it is.
    'B/artist.nfo': nfo('Bänd Two', 'Two who play.'),
    'B/Album/CD1/1.flac': by('Band Two', { ALBUM: 'Two' }),
    // A folder of a genre is not that of an artist.
    'Jazz/folder.jpg': PNG,
    'Jazz/artist.nfo': nfo('Somebody', 'Not this one.'),
    'Jazz/Album/1.flac': by('Solo', { ALBUM: 'Three' }),
  });
  await world.scan();
  const shown = async (policy: Partial<Policy> = {}) => {
    const music = musicOf(world, policy);
    const { items } = await music.artists({ role: 'all', offset: 0, limit: 20 });
    const pages = await Promise.all(items.map(({ id }) => music.artist(id)));
    return items.map(({ name, images }, at) =>
      [name, Object.keys(images).join('+'), pages[at]?.biography ?? '-'].join(': '),
    );
  };
  assert.deepEqual(await shown(), [
    'Band: poster+backdrop: Three who play.',
    'Band Two: : Two who play.',
    'Guest: : -',
    'Solo: : -',
  ]);
  const music = musicOf(world);
  const [band, two] = (await music.artists({ role: 'all', offset: 0, limit: 2 })).items.map(({ id }) => id);
  const picture = await music.artistPicture(band ?? '', 'poster');
  assert.deepEqual([picture?.relative, picture?.size], ['Band/artist.jpg', PNG.length]);
  assert.equal(await music.artistPicture(two ?? '', 'poster'), null);
  assert.equal(await music.artistPicture('0123456789abcdef', 'poster'), undefined);
  assert.equal(await musicOf(world, { libraries: [] }).artistPicture(band ?? '', 'poster'), undefined);

  // A changed folder is read again, although no track in it changed.
  grow(world.at('Music'), { 'Band/artist.nfo': nfo('Band', 'Four who play.') });
  renameSync(world.at('Music', 'Band', 'artist.jpg'), world.at('Music', 'Band', 'other.jpg'));
  await world.scan();
  assert.equal((await shown())[0], 'Band: poster+backdrop: Four who play.');
  assert.equal((await musicOf(world).artistPicture(band ?? '', 'poster'))?.relative, 'Band/folder.jpg');
});

test('an artist leads to the person of the same name in other works', async (t) => {
  const world = await openWorld(t, { Music: 'music', Films: 'movies' });
  grow(world.at('Music'), {
    'Jo Marsh/Album/1.flac': track('One', '1', { ALBUM: 'Album', ARTIST: 'Jo Marsh' }),
    'Solo/Album/1.flac': track('One', '1', { ALBUM: 'Other', ARTIST: 'Solo' }),
  });
  grow(world.at('Films'), {
    'Kind (2001)/Kind (2001).mp4': true,
    'Kind (2001)/movie.nfo': makeNfo('movie', { title: 'Kind', mpaa: 'R', director: 'Jo Marsh' }),
  });
  await world.scan();
  const person = async (policy: Partial<Policy> = {}) => {
    const music = musicOf(world, policy);
    const { items } = await music.artists({ role: 'all', offset: 0, limit: 20 });
    return Promise.all(items.map(async ({ id, name }) => `${name} ${(await music.artist(id))?.person?.works ?? 0}`));
  };
  await until('the credits of the film', async () => (await person()).join() === 'Jo Marsh 1,Solo 0');
  // A film that the Profile may not see leads nowhere.
  assert.deepEqual(await person({ rating: 7, unrated: true }), ['Jo Marsh 0', 'Solo 0']);
});
