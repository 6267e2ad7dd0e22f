/** Moves, copies and removals of folders keep ids, progress and history. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { openTemporaryDatabase, openTemporaryPostgres } from '../../../lib/db/testing.ts';
import { found, grow, makeNfo, openWorld, makeVideo, type World, worldMigrations } from '../../testing/world.ts';

const FILMS = {
  'Alpha (2001)/Alpha (2001).mp4': true,
  'Beta (2002)/Beta (2002).mkv': true,
  'Gamma (2003)/Gamma (2003).mp4': true,
} as const;
const SHOW = {
  'One/tvshow.nfo': makeNfo('tvshow', { title: 'One', plot: 'A show.' }),
  'One/Season 1/One S01E01.mkv': true,
  'One/Season 1/One S01E02.mkv': true,
  'One/Season 2/One S02E01.mkv': true,
  'One/Season 2/One S02E02.mkv': true,
} as const;

const move = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
};

/** Watches part of an item. Returns a check that it is still the same item with the same progress. */
async function mark(w: World, title: string): Promise<(now: string) => Promise<void>> {
  const id = await w.id(title);
  await w.catalog.watching.progress('p1', id, { position: 60, session: 's', sequence: 1 }, 600);
  return async (now) => {
    assert.equal(await w.id(now), id, `${now} is what ${title} was`);
    assert.equal((await w.seen().item(id))?.userData.position, 60);
    assert.deepEqual(
      (await w.catalog.watching.history('p1')).map(({ item }) => item).filter((one) => one === id),
      [id],
    );
  };
}

for (const [engine, open] of [
  ['sqlite', openTemporaryDatabase],
  ['postgres', openTemporaryPostgres],
] as const) {
  test(`an unchanged library changes nothing, quick or full (${engine})`, async (t) => {
    const w = await openWorld(t, { films: 'movies', shows: 'shows' }, await open(t, worldMigrations));
    grow(w.at('films'), FILMS);
    grow(w.at('shows'), SHOW);
    assert.equal(await w.scan(), '7 new, 0 changed, 0 moved, 0 gone');
    assert.deepEqual(await w.titles(), ['Alpha', 'Beta', 'Gamma', 'One/1x1', 'One/1x2', 'One/2x1', 'One/2x2']);
    const [change, probes, files] = [await w.change(), w.probes(), await w.files()];
    assert.equal(probes, 7);
    for (const quick of [true, false]) {
      assert.equal(await w.scan({ quick }), '0 new, 0 changed, 0 moved, 0 gone');
      assert.equal(await w.change(), change);
    }
    // Every folder is placed again, and nothing has to be written.
    await w.again();
    await w.db.write(
      'safe',
      async (tx) =>
        void (await tx
          .updateTable('catalog_folder' as never)
          .set({ signature: '', mtime: -1 } as never)
          .execute()),
    );
    await w.scan();
    assert.equal(await w.change(), change);
    assert.equal(w.probes(), 0);
    assert.deepEqual(await w.files(), files);
  });
}

test('a renamed film folder, a renamed file, a file in another folder and in another library', async (t) => {
  const w = await openWorld(t, { films: 'movies', more: 'movies' });
  grow(w.at('films'), FILMS);
  grow(w.at('more'), { 'Other (1990)/Other (1990).mp4': true });
  await w.scan();
  const checks = await Promise.all(['Alpha', 'Beta', 'Gamma'].map((title) => mark(w, title)));
  const [alpha, beta, gamma] = checks.map((check) => found(check));
  const probes = w.probes();
  move(w.at('films', 'Alpha (2001)'), w.at('films', 'Alpha Renamed (2001)'));
  renameSync(
    w.at('films', 'Alpha Renamed (2001)/Alpha (2001).mp4'),
    w.at('films', 'Alpha Renamed (2001)/Alpha Renamed (2001).mp4'),
  );
  renameSync(w.at('films', 'Beta (2002)/Beta (2002).mkv'), w.at('films', 'Beta (2002)/Beta (2002) - Remaster.mkv'));
  move(w.at('films', 'Gamma (2003)/Gamma (2003).mp4'), w.at('more', 'Gamma (2003)/Gamma (2003).mp4'));
  await w.scan();
  await found(alpha)('Alpha Renamed');
  await found(beta)('Beta');
  await found(gamma)('Gamma');
  assert.equal(w.probes(), probes, 'nothing was looked into again');
  const more = found(w.catalog.background.libraries().find(({ name }) => name === 'more'));
  assert.equal((await w.seen().item(await w.id('Gamma')))?.library, more.id);
  assert.equal((await w.titles()).length, 4);
  assert.equal(await w.scan(), '0 new, 0 changed, 0 moved, 0 gone');
});

test('the library that a file moved to may be scanned before or long after the one it left', async (t) => {
  const w = await openWorld(t, { films: 'movies', more: 'movies' });
  grow(w.at('films'), FILMS);
  grow(w.at('more'), { 'Other (1990)/Other (1990).mp4': true });
  await w.scan();
  const [alpha, beta] = [await mark(w, 'Alpha'), await mark(w, 'Beta')];
  move(w.at('films', 'Alpha (2001)'), w.at('more', 'Alpha (2001)'));
  await w.scan({ library: 'more' });
  await alpha('Alpha');
  await w.scan({ library: 'films' });
  await alpha('Alpha');
  move(w.at('films', 'Beta (2002)'), w.at('more', 'Beta (2002)'));
  await w.scan({ library: 'films' });
  assert.deepEqual(await w.titles(), ['Alpha', 'Gamma', 'Other']);
  await w.scan({ library: 'more' });
  await beta('Beta');
});

test('a renamed show keeps everything; a season moved out of a show takes only itself', async (t) => {
  const w = await openWorld(t, { shows: 'shows' });
  grow(w.at('shows'), SHOW);
  await w.scan();
  const show = await w.id('One');
  const checks = await Promise.all(['One/1x1', 'One/2x2'].map((title) => mark(w, title)));
  const seasons = (await w.seen().page('shows', show))?.seasons.map(({ id }) => id);
  rmSync(w.at('shows', 'One/tvshow.nfo'));
  move(w.at('shows', 'One'), w.at('shows', 'Une'));
  await w.scan();
  assert.equal(await w.id('Une'), show);
  assert.deepEqual(
    (await w.seen().page('shows', show))?.seasons.map(({ id }) => id),
    seasons,
  );
  await found(checks[0])('Une/1x1');
  await found(checks[1])('Une/2x2');
  assert.deepEqual(await w.titles(), ['Une/1x1', 'Une/1x2', 'Une/2x1', 'Une/2x2']);
  move(w.at('shows', 'Une/Season 2'), w.at('shows', 'Zwei/Season 1'));
  await w.scan();
  assert.equal(await w.id('Une'), show);
  assert.deepEqual(await w.titles(), ['Une/1x1', 'Une/1x2', 'Zwei/2x1', 'Zwei/2x2']);
  await found(checks[1])('Zwei/2x2');
});

test('a copy is another item; a replaced file keeps its item and is probed again', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), FILMS);
  await w.scan();
  const alpha = await mark(w, 'Alpha');
  cpSync(w.at('films', 'Alpha (2001)/Alpha (2001).mp4'), w.at('films', 'Copy (2010)/Copy (2010).mp4'), {
    preserveTimestamps: true,
    recursive: true,
  });
  await w.scan();
  await alpha('Alpha');
  assert.deepEqual(await w.titles(), ['Alpha', 'Beta', 'Copy', 'Gamma']);
  const [probes, change] = [w.probes(), await w.change()];
  makeVideo(w.at('films', 'Alpha (2001)/Alpha (2001).mp4'));
  assert.match(await w.scan(), /0 new, 1 changed, 0 moved, 0 gone/);
  await alpha('Alpha');
  assert.equal(w.probes(), probes + 1);
  const changed = await w.catalog.background.changedSince(change, 10);
  assert.deepEqual(
    changed.map(({ title }) => title),
    ['Alpha'],
  );
});

test('a deleted file leaves the listings and comes back with its history', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), FILMS);
  grow(w.at('shows'), SHOW);
  await w.scan();
  const checks = await Promise.all(['Alpha', 'One/2x1'].map((title) => mark(w, title)));
  const id = await w.id('Alpha');
  move(w.at('films', 'Alpha (2001)'), w.at('away', 'Alpha (2001)'));
  move(w.at('shows', 'One'), w.at('away', 'One'));
  const change = await w.change();
  assert.match(await w.scan({ library: 'films' }), /1 gone/);
  // A library that held files and is empty now has a disk that is offline.
  assert.match(await w.scan({ library: 'shows' }), /cannot be reached/);
  assert.equal(await w.seen().item(id), undefined);
  assert.deepEqual(
    (await w.catalog.background.changedSince(change, 10)).map(({ title, gone }) => [title, gone]),
    [['Alpha', true]],
  );
  assert.deepEqual(await w.titles(), ['Beta', 'Gamma', '(One/1x1)', '(One/1x2)', '(One/2x1)', '(One/2x2)']);
  assert.equal((await w.catalog.findings()).length, 1);
  move(w.at('away', 'Alpha (2001)'), w.at('films', 'Alpha (2001)'));
  move(w.at('away', 'One'), w.at('shows', 'One'));
  await w.scan();
  await found(checks[0])('Alpha');
  await found(checks[1])('One/2x1');
  assert.equal((await w.catalog.findings()).length, 0);
});

test('removed files are forgotten after the grace period, and only in libraries that are online', async (t) => {
  const w = await openWorld(t, { films: 'movies', more: 'movies' });
  grow(w.at('films'), FILMS);
  grow(w.at('more'), { 'Other (1990)/Other (1990).mp4': true, 'Still (1991)/Still (1991).mp4': true });
  await w.scan();
  const [alpha, other] = [await w.id('Alpha'), await w.id('Other')];
  rmSync(w.at('films', 'Alpha (2001)'), { recursive: true });
  rmSync(w.at('more', 'Other (1990)'), { recursive: true });
  await w.scan();
  w.clock.ahead += 29 * 86_400_000;
  await w.run('purge');
  const change = await w.change();
  assert.equal((await w.files()).length, 5);
  w.clock.ahead += 2 * 86_400_000;
  move(w.at('more'), w.at('elsewhere'));
  await w.scan();
  await w.run('purge');
  assert.deepEqual(
    (await w.files()).map(({ name }) => name),
    ['Beta (2002).mkv', 'Gamma (2003).mp4', 'Other (1990).mp4', 'Still (1991).mp4'],
  );
  assert.deepEqual(
    (await w.catalog.background.goneSince(change, 10)).map(({ id }) => id),
    [alpha],
  );
  assert.equal((await w.catalog.background.subject(other))?.gone, true);
  assert.equal(await w.catalog.background.subject(alpha), undefined);
});

test('libraries renamed, moved, changed to another kind, removed and added again', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), FILMS);
  grow(w.at('shows'), SHOW);
  await w.scan();
  const [alpha, one] = [await mark(w, 'Alpha'), await mark(w, 'One/1x1')];
  const probes = w.probes();
  assert.equal(probes, 7);
  const shows = { name: 'shows', path: w.at('shows'), kind: 'shows' } as const;
  await w.again([{ name: 'Kino', path: w.at('films'), kind: 'movies' }, shows]);
  await alpha('Alpha');
  move(w.at('films'), w.at('new/films'));
  await w.again([{ name: 'Kino', path: w.at('new/films'), kind: 'movies' }, shows]);
  await w.scan();
  await alpha('Alpha');
  await w.again([shows]);
  assert.deepEqual(await w.titles(), ['One/1x1', 'One/1x2', 'One/2x1', 'One/2x2']);
  await w.scan();
  // Later than the purge, and earlier than the limit of history.
  w.clock.ahead += 31 * 86_400_000;
  await w.run('purge');
  await w.again([{ name: 'Kino', path: w.at('new/films'), kind: 'mixed' }, shows]);
  await w.scan();
  await alpha('Alpha');
  await one('One/1x1');
  assert.equal(w.probes(), 0, 'nothing is looked into again');
  await w.again([{ name: 'Kino', path: w.at('new/films'), kind: 'shows' }, shows]);
  await w.scan();
  assert.deepEqual(await w.titles(), ['One/1x1', 'One/1x2', 'One/2x1', 'One/2x2']);
  assert.equal((await w.catalog.admin.unplaced({ offset: 0, limit: 10 })).total, 3);
  await w.again([{ name: 'Kino', path: w.at('new/films'), kind: 'movies' }, shows]);
  await w.scan();
  await alpha('Alpha');
});

test('a growing file is noticed although its folder does not change', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), FILMS);
  const path = w.at('films', 'Alpha (2001)/Alpha (2001).mp4');
  utimesSync(path, new Date(), new Date());
  await w.scan();
  appendFileSync(path, Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
  w.clock.ahead += 60_000;
  assert.match(await w.scan({ quick: true }), /0 new, 1 changed/);
});
