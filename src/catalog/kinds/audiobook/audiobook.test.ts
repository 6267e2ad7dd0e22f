/** Audiobooks scanned from real files: people, series, order, chapters, and what a move keeps. */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import type { Item } from '../../../contract/catalog/items.ts';
import { flac, type FlacTags } from '../../testing/sound.ts';
import { grow, openWorld, type World } from '../../testing/world.ts';
import { bookPlace, readBookNames } from './names.ts';

async function books(world: World): Promise<Item[]> {
  const { items } = await world.seen().library({ view: 'audiobooks', sort: 'title', offset: 0, limit: 100 });
  const pages = await Promise.all(items.map(({ id }) => world.seen().item(id)));
  return pages.filter((page) => page !== undefined);
}
const part = (TITLE: string, tags: FlacTags = {}) => flac({ TITLE, ...tags });
/** Returns a FLAC file whose header says that it is of so many seconds at 8 kHz. */
function ofSeconds(bytes: Buffer, seconds: number): Buffer {
  bytes.writeUInt32BE(seconds * 8000, 22);
  return bytes;
}
const told = ({ title, audiobook, chapters }: Item): string => {
  const { authors = [], narrators = [], series, files = [] } = audiobook ?? {};
  const people = `${authors.join('+')}/${narrators.join('+')}`;
  const shown = [title, people, `${series?.name ?? ''} ${series?.position ?? ''}`, files.length];
  return [...shown, chapters.map((one) => one.title).join()].join(': ');
};

test('a folder is one book, its files in order, with people and series from tags, metadata and names', async (t) => {
  const world = await openWorld(t, { Books: 'audiobooks' });
  const tagged = {
    ALBUM: 'Tagged',
    ALBUMARTIST: 'A. Writer',
    NARRATOR: 'N. One; N. Two',
    SERIES: 'Saga',
    'SERIES-PART': '1.5',
  };
  grow(world.at('Books'), {
    'x/one/b.flac': part('First', { ...tagged, TRACKNUMBER: '1' }),
    'x/one/a.flac': part('Second', { ...tagged, TRACKNUMBER: '2' }),
    'Author/Series/02 - Named (1999) {Reader}/2.flac': part('Two'),
    'Author/Series/02 - Named (1999) {Reader}/10.flac': part('Ten'),
    'Author/Discs/CD1/1.flac': part('D1'),
    'Author/Discs/CD2/1.flac': part('D2'),
    'Author/Described/1.flac': part('Only', { ALBUM: 'Wrong' }),
    'Author/Described/metadata.json': JSON.stringify({
      title: 'Right',
      authors: ['Known'],
      narrators: ['Voice'],
      series: ['Cycle #3'],
      publishedYear: '1887',
    }),
  });
  await world.scan();
  assert.deepEqual((await books(world)).map(told), [
    'Discs: Author/:  : 2: D1,D2',
    'Named: Author/Reader: Series 2: 2: Two,Ten',
    'Right: Known/Voice: Cycle 3: 1: ',
    'Tagged: A. Writer/N. One+N. Two: Saga 1.5: 2: First,Second',
  ]);
  const [discs, named] = await books(world);
  assert.deepEqual(named?.audiobook?.files, [
    { index: 0, start: 0, duration: 1 },
    { index: 1, start: 1, duration: 1 },
  ]);
  assert.deepEqual([named?.year, named?.duration, discs?.duration], [1999, 2, 2]);
  const change = await world.change();
  await world.scan();
  assert.equal(await world.change(), change, 'a second scan changes nothing');
  const { items } = await world.seen().library({ view: 'audiobooks', artist: 'author', offset: 0, limit: 10 });
  assert.equal(items.length, 2);
});

const OPF = `<?xml version="1.0"?><!DOCTYPE package [<!ENTITY x "y">]>
<package xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf"><metadata>
  <dc:title>Packaged</dc:title><dc:creator opf:role="aut">P. Writer</dc:creator>
  <dc:creator opf:role="nrt">P. Voice</dc:creator><dc:date>2003-04-05</dc:date>
  <meta name="calibre:series" content="Boxes"/><meta name="calibre:series_index" content="2.0"/>
</metadata></package>`;

test('an OPF describes a book, a JSON next to it wins, and cue sheets name chapters', async (t) => {
  const world = await openWorld(t, { Books: 'audiobooks' });
  const cue =
    'FILE "1.flac" WAVE\n TRACK 01 AUDIO\n  TITLE "Start"\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 01 00:40:37';
  grow(world.at('Books'), {
    'A/One/1.flac': ofSeconds(part('1', { ALBUM: 'Wrong' }), 100),
    'A/One/2.flac': ofSeconds(part('2', { ALBUM: 'Wrong' }), 50),
    'A/One/metadata.opf': OPF,
    'A/One/1.cue': cue,
    'A/Two/1.flac': part('1', { ALBUM: 'Wrong' }),
    'A/Two/metadata.opf': OPF,
    'A/Two/metadata.json': JSON.stringify({ title: 'Chosen', narrators: [], series: ['Other #7'] }),
    'A/Three/1.flac': part('1', { ALBUM: 'Three' }),
    'A/Three/metadata.opf': `<package>${'<metadata>'.repeat(300)}`,
    'A/Three/1.cue': 'FILE "1.flac" WAVE\n TRACK 01 AUDIO\n  INDEX 01 99:99:99',
  });
  await world.scan();
  const [chosen, packaged, three] = await books(world);
  assert.deepEqual(
    [chosen, packaged, three].map((one) => one && told(one)),
    [
      'Chosen: P. Writer/P. Voice: Other 7: 1: ',
      'Packaged: P. Writer/P. Voice: Boxes 2: 2: Start,Track 2',
      'Three: A/:  : 1: ',
    ],
  );
  assert.deepEqual(
    [packaged?.year, packaged?.chapters.map(({ start, end }) => [start, end])],
    [
      2003,
      [
        [0, 40 + 37 / 75],
        [40 + 37 / 75, 100],
      ],
    ],
  );
});

test('a moved book keeps its id and place, and a hidden one is nowhere', async (t) => {
  const world = await openWorld(t, { Books: 'audiobooks', Other: 'audiobooks' });
  grow(world.at('Books'), { 'Author/Old/1.flac': part('One'), 'Author/Old/2.flac': part('Two') });
  await world.scan();
  const [before] = await books(world);
  assert.ok(before);
  await world.catalog.watching.progress('p1', before.id, { position: 1.5, sequence: 1, session: 'session-1' }, 2);
  renameSync(world.at('Books', 'Author', 'Old'), world.at('Books', 'Author', 'New'));
  await world.scan();
  const [after] = await books(world);
  assert.deepEqual([after?.id, after?.title, after?.userData.position], [before.id, 'New', 1.5]);
  const child = {
    libraries: world.catalog.background
      .libraries()
      .slice(0, 1)
      .map(({ id }) => id),
  };
  const view = async () => {
    const seen = world.seen(child, 'viewer', 'child');
    return JSON.stringify([
      await seen.library({ view: 'audiobooks', offset: 0, limit: 10 }),
      await seen.library({ view: 'all', q: 'one', offset: 0, limit: 10 }),
      await seen.recent({ limit: 10 }),
    ]);
  };
  const seenBefore = await view();
  grow(world.at('Other'), { 'Author/Secret/1.flac': part('One') });
  await world.scan();
  assert.equal((await books(world)).length, 2);
  assert.equal(await view(), seenBefore);
});

test('places keep their file and offset when files are converted, added and removed', async (t) => {
  const world = await openWorld(t, { Books: 'audiobooks' });
  const file = (name: string, seconds: number) => ({
    [`Author/Book/${name}`]: ofSeconds(part(name, { ALBUM: 'Book', ARTIST: 'Author' }), seconds),
  });
  grow(world.at('Books'), { ...file('1.flac', 100), ...file('2.flac', 100), ...file('3.flac', 100) });
  await world.scan();
  const [book] = await books(world);
  assert.ok(book);
  const { watching } = world.catalog;
  const report = (profile: string, position: number) =>
    watching.progress(profile, book.id, { position, session: `${profile}-session`, isPlaceKept: true }, 300);
  await report('p1', 150);
  await report('p2', 210);
  const places = async () => {
    await world.scan();
    const own = async (profile: string) => [
      (await watching.rows(profile)).get(book.id)?.position,
      ...(await watching.listening.places(profile, book.id)).map(({ position }) => position),
    ];
    return [await own('p1'), await own('p2')].map((all) => all.join(' ')).join(', ');
  };
  assert.equal(await places(), '150 150, 210 210');
  rmSync(world.at('Books', 'Author', 'Book', '1.flac'));
  grow(world.at('Books'), file('1.flac', 130));
  assert.equal(await places(), '180 180, 240 240', 'the first file became longer');
  grow(world.at('Books'), file('0.flac', 20));
  assert.equal(await places(), '200 200, 260 260', 'a file was added before it');
  rmSync(world.at('Books', 'Author', 'Book', '1.flac'));
  assert.equal(await places(), '70 70, 130 130', 'the file before it was removed');
  rmSync(world.at('Books', 'Author', 'Book', '2.flac'));
  assert.equal(await places(), '20 20, 30 30', 'the file that was heard was removed: the next one begins');
  grow(world.at('Books'), file('3.oga', 100));
  rmSync(world.at('Books', 'Author', 'Book', '3.flac'));
  assert.equal(await places(), '20 20, 30 30', 'the file was converted');
  assert.equal((await books(world))[0]?.id, book.id);
});

test('several books in one folder stay apart, by their tags or by the names before their numbers', async (t) => {
  const world = await openWorld(t, { Books: 'audiobooks' });
  const inAlbum = (ALBUM: string, TRACKNUMBER: string) => part(`${ALBUM} ${TRACKNUMBER}`, { ALBUM, TRACKNUMBER });
  grow(world.at('Books'), {
    'Tagged/a1.flac': inAlbum('Dawn', '1'),
    'Tagged/a2.flac': inAlbum('Dawn', '2'),
    'Tagged/b1.flac': inAlbum('Dusk', '1'),
    'Tagged/b2.flac': inAlbum('Dusk', '2'),
    'Discs/1.flac': inAlbum('Noon (Disc 1)', '1'),
    'Discs/2.flac': inAlbum('Noon (Disc 2)', '1'),
    'Chapters/1.flac': part('Arrival', { ALBUM: 'Arrival', TRACKNUMBER: '1' }),
    'Chapters/2.flac': part('Departure', { ALBUM: 'Departure', TRACKNUMBER: '2' }),
    'Named/North - 01.flac': part('x'),
    'Named/North - 02.flac': part('x'),
    'Named/South - 01.flac': part('x'),
    'Named/metadata.json': JSON.stringify({ title: 'South', authors: ['S. Writer'] }),
    'Shelf/East.m4b': inAlbum('East', '1'),
    'Shelf/East Part 2.m4b': inAlbum('West', '1'),
  });
  await world.scan();
  const all = (await books(world)).map(
    (book) => `${book.title}: ${book.artists?.join('+')}: ${book.audiobook?.files.length}`,
  );
  assert.deepEqual(all, [
    'Chapters: : 2',
    'Dawn: : 2',
    'Dusk: : 2',
    'East: Shelf: 1',
    'Noon: : 2',
    'North: Named: 2',
    'South: S. Writer: 1',
    'West: Shelf: 1',
  ]);
  const change = await world.change();
  await world.scan();
  assert.equal(await world.change(), change, 'a second scan changes nothing');
  assert.equal((await world.catalog.admin.unplaced({ offset: 0, limit: 10 })).items.length, 0, 'nothing is doubtful');
});

test('names of books are read', () => {
  const read = (path: string) => {
    const folders = path.split('/');
    const name = folders.pop() ?? '';
    const { title, author, series, year, narrator } = readBookNames(folders, name);
    return [author, series?.name, series?.position, title, year, narrator].map((one) => one ?? '').join('|');
  };
  const table: Readonly<Record<string, string>> = {
    'Author/Series/01 - Title/1.mp3': 'Author|Series|1|Title||',
    'Author/Title (1887) {Reader}/1.mp3': 'Author|||Title|1887|Reader',
    'Author/Series/Book 2.5 - Title/1.mp3': 'Author|Series|2.5|Title||',
    'Author/Title.m4b': 'Author|||Title||',
    'Author/Title/Title.m4b': 'Author|||Title||',
    'Title.m4b': '|||Title||',
    'Author/Series/Vol. 1 - 1994 - Title - Subtitle {Reader}/1.mp3': 'Author|Series|1|Title - Subtitle|1994|Reader',
    'Author/Series/1994 - Book 2 - Title/1.mp3': 'Author|Series|2|Title|1994|',
    'Author/Series/(Vol 3) Title (Unabridged)/1.mp3': 'Author|Series|3|Title||',
    'Author/Series/02 Title.m4b': 'Author|Series|2|Title||',
    'Author/Series/Title, Book 4 {Reader}/1.mp3': 'Author|Series|4|Title||Reader',
    'Author/(1994) Title/1.mp3': 'Author|||Title|1994|',
    'Author/Title [B002V0QK4C]/1.mp3': 'Author|||Title||',
    'Author/Title {ASIN.B002V0QK4C}/1.mp3': 'Author|||Title||',
    'Author/Title/disk 001/1.mp3': 'Author|||Title||',
    'Author/Author - Title.m4b': 'Author|||Title||',
    'Author/Title - Author.m4b': 'Author|||Title||',
    'The Long Road - J. R. Writer.m4b': 'J. R. Writer|||The Long Road||',
    'Ann Writer - 1984.m4b': 'Ann Writer|||1984||',
    'Road - A Short History.m4b': '|||Road - A Short History||',
    'Author/11-22-63/1.mp3': 'Author|||11-22-63||',
    'Author/2001 - A Space Odyssey/1.mp3': 'Author|||2001 - A Space Odyssey||',
  };
  for (const [path, expected] of Object.entries(table)) assert.equal(read(path), expected, path);
  const places = ['Title Part 1.m4b', 'Title Part 2.m4b', 'Title (3 of 3).m4b'].map((name) =>
    bookPlace(['Author'], name),
  );
  assert.deepEqual(new Set(places), new Set(['Author/title']));
  assert.equal(bookPlace(['Author', 'Title', 'CD 2'], '01.mp3'), 'Author/Title');
  assert.notEqual(bookPlace(['Author'], 'One.m4b'), bookPlace(['Author'], 'Two.m4b'));
  assert.notEqual(bookPlace(['Author'], 'Title, Book 1.m4b'), bookPlace(['Author'], 'Title, Book 2.m4b'));
});

test('authors and narrators are edited as people, and come back when the edit is undone', async (t) => {
  const world = await openWorld(t, { Books: 'audiobooks' });
  grow(world.at('Books'), {
    'a/1.flac': part('One', { ALBUM: 'Tagged', ALBUMARTIST: 'A. Writer', NARRATOR: 'N. One', DATE: '1999' }),
    'Writer/Named/1.flac': part('Named'),
  });
  await world.scan();
  const edits = world.catalog.admin.edits;
  const told = async () =>
    (await books(world)).map(({ title, artists = [], audiobook, people }) => [
      `${title}: ${artists.join('+')}/${audiobook?.narrators.join('+')}`,
      people.map(({ name, job }) => `${name} ${job}`).join(', '),
    ]);
  const [named, tagged] = await books(world);
  const id = tagged?.id ?? '';
  const before = await told();
  assert.deepEqual(before, [
    ['Named: Writer/', 'Writer author'],
    ['Tagged: A. Writer/N. One', 'A. Writer author, N. One narrator'],
  ]);
  const { values, sources } = await edits.read(world.seen(), id);
  assert.deepEqual(
    values.people.map(({ name, job }) => [name, job]),
    [
      ['A. Writer', 'author'],
      ['N. One', 'narrator'],
    ],
  );
  assert.deepEqual([sources.title, sources.year, sources.people, sources.genres], ['tags', 'tags', 'tags', undefined]);
  assert.equal((await edits.read(world.seen(), named?.id ?? '')).sources.people, 'name');

  const people = [
    { name: 'B. Writer', job: 'author' as const },
    { name: 'N. Two', job: 'narrator' as const },
  ];
  const { change } = await edits.edit(world.seen(), id, { set: { people }, unlock: [] });
  const edited = ['Tagged: B. Writer/N. Two', 'B. Writer author, N. Two narrator'];
  assert.deepEqual((await told())[1], edited);
  const by = async (artist: string) =>
    (await world.seen().library({ view: 'audiobooks', artist, offset: 0, limit: 10 })).items.map((one) => one.id);
  assert.deepEqual([await by('B. Writer'), await by('A. Writer')], [[id], []]);
  const at = await world.change();
  await world.scan();
  assert.deepEqual([(await told())[1], await world.change()], [edited, at], 'a scan changes nothing');
  await edits.undo(world.seen(), change ?? '');
  assert.deepEqual(await told(), before);
});
