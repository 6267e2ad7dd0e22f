/** Faults of disks, files and readers: a scan survives and reports each, and loses and doubles no item. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../../../../test/until.ts';
import { found, grow, openWorld, makeVideo } from '../../testing/world.ts';

test('an unusable file is listed with the reason, and found when it is repaired', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  const long = `${'Long '.repeat(45)}(2001)`;
  grow(w.at('films'), {
    'Good (2001)/Good (2001).mp4': true,
    'Empty (2002)/Empty (2002).mp4': '',
    'Broken (2003)/Broken (2003).mkv': 'no video at all',
    'Show S01E01.mp4': true,
    [`${long}/${long}.mp4`]: true,
    '$RECYCLE.BIN/x (2001).mp4': true,
    '.hidden/x (2001).mp4': true,
  });
  grow(w.at('shows'), { 'One/what is this.mp4': true, 'One/One S01E01.mp4': true });
  makeVideo(w.at('films', 'Cut (2004)/Cut (2004).mp4'));
  truncateSync(w.at('films', 'Cut (2004)/Cut (2004).mp4'), 700);
  mkdirSync(w.at('films', 'Loop'));
  symlinkSync('..', w.at('films', 'Loop/again'));
  symlinkSync(w.at('films', 'Good (2001)/Good (2001).mp4'), w.at('films', 'Link (2005).mp4'));
  execFileSync('sh', ['-c', 'printf x > "$(printf \'%s/Odd\\377 (2006).mp4\' "$1")"', 'sh', w.at('films')]);
  await w.scan();
  const unplaced = async () =>
    Object.fromEntries(
      (await w.catalog.admin.unplaced({ offset: 0, limit: 50 })).items.map(({ file, reason }) => [file, reason]),
    );
  assert.deepEqual(await unplaced(), {
    'Empty (2002)/Empty (2002).mp4': 'the file is empty',
    'Broken (2003)/Broken (2003).mkv': 'the file holds no video or sound',
    'Cut (2004)/Cut (2004).mp4': 'the file is damaged or incomplete',
    'Show S01E01.mp4': 'it is named as an episode, and the library is for films',
    'One/what is this.mp4': 'the name contains no season, episode number or date',
    'Loop/again': 'it is a link, and links are not followed',
    'Link (2005).mp4': 'it is a link, and links are not followed',
    'Odd\ufffd (2006).mp4': 'its name is not valid text, so it cannot be opened',
  });
  assert.deepEqual(
    (await w.titles()).map((title) => title.slice(0, 8)),
    ['Good', 'Long Lon', 'One/1x1'],
  );
  const [change, files] = [await w.change(), await w.files()];
  await w.scan();
  assert.equal(await w.change(), change);
  assert.deepEqual(await w.files(), files);
  makeVideo(w.at('films', 'Empty (2002)/Empty (2002).mp4'));
  rmSync(w.at('films', 'Link (2005).mp4'));
  rmSync(w.at('films', 'Broken (2003)'), { recursive: true });
  await w.scan();
  assert.deepEqual(
    (await w.titles()).map((title) => title.slice(0, 8)),
    ['Empty', 'Good', 'Long Lon', 'One/1x1'],
  );
  assert.equal(Object.keys(await unplaced()).length, 5);
});

test('a folder with .ignore is skipped with its subfolders, and scanned after its removal', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), {
    'A/Alpha (2001)/Alpha (2001).mp4': true,
    'A/Beta (2002)/Beta (2002).mp4': true,
    'Gamma (2003)/Gamma (2003).mp4': true,
  });
  await w.scan();
  const id = await w.id('Alpha');
  writeFileSync(w.at('films', 'A/.ignore'), '');
  await w.scan();
  assert.deepEqual(await w.titles(), ['Gamma']);
  await w.scan();
  rmSync(w.at('films', 'A/.ignore'));
  await w.scan();
  assert.deepEqual(await w.titles(), ['Alpha', 'Beta', 'Gamma']);
  assert.equal(await w.id('Alpha'), id);
});

test('an unreadable folder keeps its items, is reported, and is scanned when readable', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), { 'Alpha (2001)/Alpha (2001).mp4': true, 'Beta (2002)/Beta (2002).mp4': true });
  const shut = (name: string) =>
    void (w.disk.looks = (looked) =>
      looked.map((one) => (one.path.startsWith(name) ? { path: one.path, state: 'denied' } : one)));
  const files = async () => (await w.catalog.admin.unplaced({ offset: 0, limit: 9 })).items.map(({ file }) => file);
  // One that was never read before, then one that was.
  shut('Alpha');
  await w.scan();
  assert.deepEqual([await w.titles(), await files()], [['Beta'], ['Alpha (2001)/']]);
  w.disk.looks = (looked) => looked;
  await w.scan({ quick: true });
  assert.deepEqual([await w.titles(), await files()], [['Alpha', 'Beta'], []]);
  shut('Beta');
  await w.scan();
  assert.deepEqual([await w.titles(), await files()], [['Alpha', 'Beta'], ['Beta (2002)/']]);
});

test('a file that hangs or crashes its reader is reported and affects no other; a hung one is retried', async (t) => {
  const w = await openWorld(
    t,
    { films: 'movies' },
    undefined,
    new URL('../../probe/testing/wild-helper.ts', import.meta.url),
  );
  grow(w.at('films'), {
    'Alpha (2001)/Alpha (2001).mp4': true,
    'Spin (2002)/spin (2002).mp4': true,
    'Die (2003)/die (2003).mp4': true,
    'Beta (2004)/Beta (2004).mp4': true,
  });
  await w.scan();
  assert.deepEqual(await w.titles(), ['Alpha', 'Beta']);
  const reasons = async () =>
    (await w.catalog.admin.unplaced({ offset: 0, limit: 9 })).items.map(({ reason }) => reason);
  assert.deepEqual(await reasons(), ['the file could not be examined safely', 'the file did not answer in time']);
  const probes = w.probes();
  await w.scan({ quick: true });
  assert.ok(w.probes() > probes, 'the file that timed out is probed again');
  assert.deepEqual([(await reasons()).length, await w.titles()], [2, ['Alpha', 'Beta']]);
});

test('a library that is missing or an empty mount point at the start is offline and keeps its items', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), { 'Alpha (2001)/Alpha (2001).mp4': true });
  await w.scan();
  execFileSync('mv', [w.at('films'), w.at('parked')]);
  await w.again();
  await w.catalog.start(() => {});
  await until('the library is offline', () => w.catalog.background.libraries()[0]?.isOnline === false);
  assert.deepEqual(await w.titles(), ['(Alpha)']);
  const item = found(await w.seen().item(await w.id('Alpha')));
  assert.deepEqual([item.available, item.links], [false, {}]);
  mkdirSync(w.at('films'));
  assert.match(await w.scan(), /cannot be reached/);
  rmSync(w.at('films'), { recursive: true });
  execFileSync('mv', [w.at('parked'), w.at('films')]);
  await w.scan();
  assert.equal(w.catalog.background.libraries()[0]?.isOnline, true);
  assert.deepEqual(await w.titles(), ['Alpha']);
});

test('a scan cancelled in the middle keeps what it found, and the next one finds the rest', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  const names = Array.from({ length: 300 }, (_, i) => `Film ${String(i).padStart(3, '0')} (2001)`);
  grow(w.at('films'), Object.fromEntries(names.map((name) => [`${name}/${name}.mp4`, true as const])));
  const stop = new AbortController();
  const scanning = w.scan({ signal: stop.signal });
  await until('the first films', async () => (await w.seen().library({ view: 'all', offset: 0, limit: 1 })).total > 0, {
    everyMs: 0,
  });
  stop.abort();
  await assert.rejects(scanning);
  const before = (await w.seen().library({ view: 'all', offset: 0, limit: 1 })).total;
  assert.ok(before > 0 && before < 300, String(before));
  await w.scan();
  assert.equal((await w.seen().library({ view: 'all', offset: 0, limit: 1 })).total, 300);
  assert.equal(new Set((await w.files()).map(({ folder }) => folder)).size, 300);
});
