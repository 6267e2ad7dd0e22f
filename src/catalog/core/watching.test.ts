/** Progress, what is watched, continue watching, the list and the history, as reports of players come in. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createBus } from '../../lib/bus.ts';
import type { Database } from '../../lib/db/index.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { catalogMigrations } from '../store/migrations.ts';
import { watchingStore } from '../store/watching.ts';
import { historyId } from './watch-history.ts';
import { createWatching } from './watching.ts';
import { isContinued } from './watch-rows.ts';

const open = (db: Database) => {
  const clock = { time: 1_000, now: () => clock.time++, monotonic: () => 0 };
  const store = watchingStore(db);
  const make = () => createWatching({ store, bus: createBus(() => {}), clock });
  return { clock, make, store, watching: make() };
};
const each = (name: string, work: (world: ReturnType<typeof open>) => Promise<void>): void =>
  eachEngine(name, catalogMigrations, (_t: TestContext, db) => work(open(db)));
const LENGTH = 1_000;

each('a place is kept, and is there after a restart', async ({ watching, make }) => {
  await watching.progress('p', 'film', { position: 120, session: 'a', sequence: 1 }, LENGTH);
  const again = (await make().rows('p')).get('film');
  assert.deepEqual([again?.position, again?.watched, again && isContinued(again)], [120, 0, true]);
  assert.equal((await make().rows('other')).size, 0);
});

each('a rating is kept without a play, next to progress and list, and can be removed', async ({ watching, make }) => {
  assert.equal((await watching.rate('p', 'film', 7.5)).rating, 7.5);
  const seen = await watching.progress('p', 'film', { position: 120, session: 'a', sequence: 1 }, LENGTH);
  assert.equal(seen.rating, 7.5);
  assert.deepEqual([(await watching.rate('p', 'film', 0)).rating, seen.lastPlayedAt !== undefined], [0, true]);
  await watching.rate('p', 'other', 3);
  const row = (await make().rows('p')).get('other');
  assert.deepEqual([row?.rating, row?.last_played, row && isContinued(row)], [3, null, false]);
  assert.equal((await make().rows('q')).size, 0);
  assert.equal((await watching.rate('p', 'film', null)).rating, undefined);
});

each('a report that is late is refused and changes nothing; another session starts anew', async ({ watching }) => {
  await watching.progress('p', 'film', { position: 200, session: 'a', sequence: 5 }, LENGTH);
  for (const sequence of [4, 5])
    await assert.rejects(watching.progress('p', 'film', { position: 100, session: 'a', sequence }, LENGTH), {
      kind: 'conflict',
    });
  assert.equal((await watching.rows('p')).get('film')?.position, 200);
  assert.equal(
    (await watching.progress('p', 'film', { position: 50, session: 'b', sequence: 1 }, LENGTH)).position,
    50,
  );
});

each('in a book, the start on another device does not replace a place at once', async ({ watching }) => {
  const at = async (position: number, session: string, isPlaceKept = true) =>
    (await watching.progress('p', 'book', { position, session, isPlaceKept }, 40_000)).position;
  assert.equal(await at(5_000, 'phone'), 5_000);
  assert.deepEqual([await at(0, 'desk'), await at(9, 'desk'), await at(29, 'desk')], [5_000, 5_000, 5_000]);
  assert.equal(await at(31, 'desk'), 31, 'it is played from there');
  assert.equal(await at(5, 'desk'), 5, 'the same session may go back');
  assert.deepEqual([await at(50, 'phone'), await at(2, 'other')], [50, 2], 'a place in the first minute is no loss');
  assert.deepEqual([await at(900, 'other'), await at(3, 'film', false)], [900, 3]);
});

each('the last places of a book are kept by device and jump, and outlive a reset', async ({ watching, clock }) => {
  const at = (position: number, session: string, device?: string) =>
    watching.progress('p', 'book', { position, session, isPlaceKept: true, device }, 400_000);
  const places = async () =>
    (await watching.listening.places('p', 'book')).map(({ position, device }) => `${position} ${device ?? '-'}`);
  for (const position of [3, 5_000, 5_010, 5_020]) {
    await at(position, 'phone', 'Phone');
    clock.time += 10_000;
  }
  await at(90_000, 'phone', 'Phone');
  await at(7, 'desk', 'Desk');
  await at(100, 'desk', 'Desk');
  assert.deepEqual(await places(), ['100 Desk', '90000 Phone', '5020 Phone'], 'a start that is refused is no place');
  await watching.progress('p', 'book', { position: 0, watched: false, isPlaceKept: true }, 400_000);
  assert.deepEqual([(await watching.rows('p')).get('book')?.position, (await places()).length], [0, 3]);
  assert.deepEqual(await watching.listening.places('q', 'book'), []);
  await watching.progress('p', 'film', { position: 100, session: 'tv' }, 400_000);
  assert.deepEqual(await watching.listening.places('p', 'film'), []);

  for (let number = 1; number <= 25; number++) await at(number * 1_000, `session-${number}`);
  assert.deepEqual([(await places()).length, (await places())[0], (await places()).at(-1)], [20, '25000 -', '6000 -']);
  await watching.entries.removeItem('p', 'book');
  assert.deepEqual(await places(), [], 'removed history shows no places');
  await watching.entries.restoreItem('p', 'book');
  assert.equal((await places()).length, 20);
  await watching.forgetBefore(clock.time + 1);
  assert.deepEqual(await places(), []);
});

each('each book has its speed, and skips are equally long in all', async ({ watching: { listening } }) => {
  assert.deepEqual(await listening.preferences('p', 'one'), { speed: 1, skipBack: 15, skipForward: 30 });
  assert.deepEqual(await listening.prefer('p', 'one', { skipBack: 45, skipForward: 60 }), {
    ...{ speed: 1, skipBack: 45, skipForward: 60 },
  });
  await listening.prefer('p', 'one', { speed: 1.25 });
  assert.equal((await listening.prefer('p', 'two', { speed: 2 })).skipBack, 45);
  await listening.prefer('p', 'two', { skipBack: 10 });
  assert.deepEqual(await listening.preferences('p', 'one'), { speed: 1.25, skipBack: 45, skipForward: 60 });
  assert.deepEqual(await listening.preferences('p', 'three'), { speed: 1, skipBack: 10, skipForward: 60 });
  assert.deepEqual(await listening.preferences('q', 'one'), { speed: 1, skipBack: 15, skipForward: 30 });
});

each('where a marker says that the credits begin, an item is watched from there on', async ({ watching }) => {
  const at = async (position: number, credits: number | undefined) =>
    (await watching.progress('p', `film ${credits}`, { position, session: 'a', credits }, LENGTH)).watched;
  assert.deepEqual([await at(799, 800), await at(800, 800)], [false, true]);
  assert.deepEqual([await at(949, 950), await at(950, 950)], [false, true]);
  assert.deepEqual([await at(899, undefined), await at(900, undefined)], [false, true]);
});

each('at nine tenths it is watched, once a viewing, and begins at the start again', async ({ watching }) => {
  let sequence = 0;
  const at = (position: number, session = 'a') =>
    watching.progress('p', 'film', { position, session, sequence: ++sequence }, LENGTH);
  assert.equal((await at(899)).watched, false);
  const done = await at(900);
  assert.deepEqual([done.watched, done.position, done.playCount], [true, 0, 1]);
  assert.equal((await at(950)).playCount, 1);
  const again = await at(300, 'b');
  assert.deepEqual([again.watched, again.position], [true, 300]);
  assert.ok([...(await watching.rows('p')).values()].every(isContinued), 'what is watched once more can be continued');
  assert.equal((await at(920, 'b')).playCount, 2);
});

each('marked by hand: watched, unwatched, and no second count', async ({ watching }) => {
  const watched = await watching.progress('p', 'film', { position: 0, watched: true }, LENGTH);
  assert.deepEqual([watched.watched, watched.playCount], [true, 1]);
  assert.equal((await watching.progress('p', 'film', { position: 0, watched: true }, LENGTH)).playCount, 1);
  assert.deepEqual((await watching.progress('p', 'film', { position: 0, watched: false }, LENGTH)).watched, false);
  assert.equal((await watching.progress('p', 'film', { position: 995, watched: false }, LENGTH)).watched, false);
});

each('dismissed is off the row until it is played again; a short look never was on it', async ({ watching }) => {
  const row = async () => (await watching.rows('p')).get('film');
  await watching.progress('p', 'film', { position: 29, session: 'a', sequence: 1 }, LENGTH);
  assert.equal(isContinued((await row()) ?? assert.fail()), false);
  await watching.progress('p', 'film', { position: 300, session: 'a', sequence: 2 }, LENGTH);
  await watching.dismiss('p', 'film');
  assert.equal(isContinued((await row()) ?? assert.fail()), false);
  assert.equal((await row())?.position, 300);
  await watching.progress('p', 'film', { position: 310, session: 'a', sequence: 3 }, LENGTH);
  assert.equal(isContinued((await row()) ?? assert.fail()), true);
});

each('history has a line a viewing, the newest first, and is forgotten when it is old', async ({ watching, clock }) => {
  await watching.progress('p', 'one', { position: 100, session: 'a', sequence: 1 }, LENGTH);
  await watching.progress('p', 'two', { position: 100, session: 'b', sequence: 1 }, LENGTH);
  await watching.progress('p', 'one', { position: 950, session: 'a', sequence: 2 }, LENGTH);
  await watching.progress('p', 'one', { position: 40, session: 'c', sequence: 1 }, LENGTH);
  assert.deepEqual(
    (await watching.history('p')).map(({ item, position, watched }) => [item, position, watched]),
    [
      ['one', 40, 1],
      ['one', 950, 1],
      ['two', 100, 0],
    ],
  );
  await watching.forgetBefore(clock.time);
  assert.deepEqual(await watching.history('p'), []);
  assert.equal((await watching.rows('p')).size, 2);
});

each('many reports at once all count, the last one stays', async ({ watching, make }) => {
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      watching.progress('p', `item ${i % 3}`, { position: 100 + i, session: 'a', sequence: i }, LENGTH),
    ),
  );
  const rows = await make().rows('p');
  assert.deepEqual(
    [0, 1, 2].map((n) => rows.get(`item ${n}`)?.position),
    [127, 128, 129],
  );
  assert.deepEqual([...(await watching.rows('p'))].toSorted(), [...rows].toSorted());
});

each('the list keeps its order, and a Profile that is gone leaves nothing', async ({ watching, make }) => {
  await watching.list('p', 'one', true);
  const first = (await watching.rows('p')).get('one')?.listed;
  await watching.list('p', 'one', true);
  assert.equal((await watching.rows('p')).get('one')?.listed, first);
  assert.equal((await watching.list('p', 'one', false)).listed, false);
  await watching.progress('p', 'one', { position: 100, session: 'a', sequence: 1 }, LENGTH);
  await watching.forgetProfile('p', async () => {});
  assert.equal((await make().rows('p')).size, 0);
  assert.deepEqual(await watching.history('p'), []);
});

each('an entry of the history is removed and brought back, for its own Profile only', async ({ watching, make }) => {
  const all = () => true;
  await watching.progress('p', 'film', { position: 120, session: 'a', sequence: 1 }, LENGTH);
  await watching.progress('p', 'film', { position: 950, session: 'b', sequence: 1 }, LENGTH);
  await watching.progress('other', 'film', { position: 300, session: 'a', sequence: 1 }, LENGTH);
  const before = await watching.history('p');
  const [newest, oldest] = before;
  assert.ok(newest && oldest);
  const id = historyId(newest);
  assert.match(id, /^[0-9a-f]{16}$/);
  assert.notEqual(id, historyId(oldest));
  await assert.rejects(watching.entries.remove('nobody', id, all), { kind: 'missing' });
  await assert.rejects(
    watching.entries.remove('p', id, () => false),
    { kind: 'missing' },
    'an item that is hidden',
  );
  const version = watching.versionOf('p');
  await watching.entries.remove('p', id, all);
  assert.ok(watching.versionOf('p') > version, 'lists are read again');
  assert.deepEqual(await watching.history('p'), [oldest]);
  assert.equal((await watching.history('other')).length, 1);
  assert.equal((await watching.rows('p')).get('film')?.watched, 1, 'it stays watched');
  assert.deepEqual(await make().history('p'), [oldest], 'after a restart, too');
  await assert.rejects(watching.entries.remove('p', id, all), { kind: 'missing' });

  await assert.rejects(watching.entries.restore('other', id, all), { kind: 'missing' });
  await assert.rejects(
    watching.entries.restore('p', id, () => false),
    { kind: 'missing' },
  );
  await make().entries.restore('p', id, all);
  assert.deepEqual(await watching.history('p'), before, 'brought back after a restart');
  await assert.rejects(watching.entries.restore('p', id, all), { kind: 'missing' }, 'once');
});

each('removed entries are kept for a day, the last hundred of them', async ({ watching, make, clock, store }) => {
  const all = () => true;
  for (let n = 0; n < 103; n++)
    await watching.progress('p', 'film', { position: n, session: `s${n}`, sequence: 1 }, LENGTH);
  const entries = await watching.history('p');
  const ids = entries.map(historyId);
  for (const id of ids) await watching.entries.remove('p', id, all);
  const kept = async () => (await store.removedHistory('p', 0)).length;
  assert.deepEqual([await watching.history('p'), await kept()], [[], 100]);
  for (const id of ids.slice(0, 3)) await assert.rejects(watching.entries.restore('p', id, all), { kind: 'missing' });
  await watching.entries.restore('p', ids[3] ?? '', all);
  assert.deepEqual(await watching.history('p'), entries.slice(3, 4));
  clock.time += 24 * 3_600_000;
  await assert.rejects(make().entries.restore('p', ids[4] ?? '', all), { kind: 'missing' }, 'a day later');
  await watching.forgetBefore(0);
  assert.deepEqual([(await watching.history('p')).length, await kept()], [1, 0], 'upkeep deletes them');
});

each('a player that goes on writes its entry again, and bringing it back changes nothing', async ({ watching }) => {
  const report = (sequence: number, position: number) =>
    watching.progress('p', 'film', { position, session: 'a', sequence }, LENGTH);
  await report(1, 120);
  const [entry] = await watching.history('p');
  assert.ok(entry);
  await watching.entries.remove('p', historyId(entry), () => true);
  await report(2, 240);
  await watching.entries.restore('p', historyId(entry), () => true);
  assert.deepEqual(
    (await watching.history('p')).map(({ position }) => position),
    [240],
  );
});

each(
  'a hidden show is offered again once one of its episodes is played, not when it is marked',
  async ({ watching }) => {
    const isHidden = async () => (await watching.rows('p')).get('show')?.dismissed === 1;
    await watching.dismiss('p', 'show');
    await watching.progress('p', 'episode', { position: 0, watched: true, group: 'show' }, LENGTH);
    assert.equal(await isHidden(), true);
    await watching.progress('p', 'episode', { position: 5, session: 'a', sequence: 1, group: 'show' }, LENGTH);
    assert.equal(await isHidden(), false);
  },
);

each('all entries of an item are removed together, and brought back together', async ({ watching, clock }) => {
  for (const [item, session] of [
    ['film', 'a'],
    ['film', 'b'],
    ['other', 'a'],
  ] as const)
    await watching.progress('p', item, { position: 100, session, sequence: 1 }, LENGTH);
  const entries = await watching.history('p');
  await watching.entries.remove(
    'p',
    historyId(entries.find(({ session, item }) => item === 'film' && session === 'a') ?? assert.fail()),
    () => true,
  );
  clock.time += 1_000;
  await watching.entries.removeItem('p', 'film');
  assert.deepEqual(
    (await watching.history('p')).map(({ item }) => item),
    ['other'],
  );
  await assert.rejects(watching.entries.removeItem('p', 'film'), { kind: 'missing' });
  await assert.rejects(watching.entries.restoreItem('q', 'film'), { kind: 'missing' });
  await watching.entries.restoreItem('p', 'film');
  assert.deepEqual(
    (await watching.history('p')).map(({ item, session }) => `${item} ${session}`).toSorted(),
    ['film b', 'other a'],
    'not the one that was removed on its own before',
  );
  assert.equal((await watching.rows('p')).get('film')?.position, 100);
});

each('many items are marked at once, and undone exactly', async ({ watching, make }) => {
  const { changes } = watching;
  await watching.progress('p', 'begun', { position: 321.5, session: 'a', sequence: 7 }, LENGTH);
  await watching.progress('p', 'again', { position: 950, session: 'b', sequence: 1 }, LENGTH);
  await watching.progress('p', 'again', { position: 40, session: 'c', sequence: 1 }, LENGTH);
  await watching.list('p', 'begun', true);
  const rowsOf = async (of = watching) => {
    const rows = await of.rows('p');
    return ['begun', 'again', 'new'].map((item) => ({ ...rows.get(item) }));
  };
  const before = { rows: await rowsOf(), history: await watching.history('p') };
  const marked = await changes.mark('p', ['begun', 'again', 'new', 'begun'], 'watched');
  assert.equal(marked.changed, 2, 'what is watched already stays as it is, and one that is named twice counts once');
  assert.deepEqual(
    (await rowsOf()).map(({ watched, position, listed }) => [watched, position, typeof listed]),
    [
      [1, 0, 'number'],
      [1, 40, 'object'],
      [1, 0, 'object'],
    ],
  );
  assert.equal((await watching.history('p')).length, before.history.length + 2);
  assert.deepEqual(await rowsOf(), await rowsOf(make()), 'as it is on the disk');
  assert.deepEqual(await changes.mark('p', ['begun', 'again', 'new'], 'watched'), { changed: 0 });

  await assert.rejects(changes.undo('other', marked.id ?? ''), { kind: 'missing' });
  await changes.undo('p', marked.id ?? '');
  const [begun, again, fresh] = await rowsOf();
  assert.deepEqual([begun, again], before.rows.slice(0, 2), 'with the position, the count and the session');
  assert.deepEqual([fresh?.watched, fresh?.position, fresh?.play_count, fresh?.last_played], [0, 0, 0, null]);
  assert.deepEqual(await watching.history('p'), before.history);
  assert.deepEqual(await rowsOf(), await rowsOf(make()));
  await assert.rejects(changes.undo('p', marked.id ?? ''), { kind: 'missing' }, 'once');
});

each('the list is changed for many at once; undoing restores the places', async ({ watching }) => {
  const listed = async () =>
    [...(await watching.rows('p')).values()].flatMap((row) => (row.listed === null ? [] : [[row.item, row.listed]]));
  await watching.list('p', 'one', true);
  const first = await listed();
  const added = await watching.changes.mark('p', ['one', 'two', 'three'], 'listed');
  assert.deepEqual([added.changed, (await listed()).length], [2, 3]);
  const all = await listed();
  const removed = await watching.changes.mark('p', ['one', 'two', 'three'], 'unlisted');
  assert.deepEqual([removed.changed, await listed()], [3, []]);
  await watching.changes.undo('p', removed.id ?? '');
  assert.deepEqual((await listed()).toSorted(), all.toSorted());
  await watching.changes.undo('p', added.id ?? '');
  assert.deepEqual(await listed(), first);
});

each('undoing leaves what was watched in the meantime, and nothing of a change that fails stays', async (world) => {
  const { watching, make } = world;
  const { id = '' } = await watching.changes.mark('p', ['one', 'two'], 'watched');
  await watching.progress('p', 'one', { position: 500, session: 'a', sequence: 1 }, LENGTH);
  await watching.changes.undo('p', id);
  const rows = await watching.rows('p');
  assert.deepEqual(
    ['one', 'two'].map((item) => [rows.get(item)?.watched, rows.get(item)?.position]),
    [
      [1, 500],
      [0, 0],
    ],
  );
  const before = [...(await make().rows('p')).values()];
  const { now } = world.clock;
  let calls = 0;
  world.clock.now = () => {
    if (++calls > 2) throw new Error('planted');
    return now();
  };
  await assert.rejects(watching.changes.mark('p', ['three', 'four', 'five', 'six'], 'watched'), /planted/);
  world.clock.now = now;
  assert.deepEqual([...(await make().rows('p')).values()], before);
});

eachEngine('the history of a Profile has a size, and its oldest entries go', catalogMigrations, async (_t, db) => {
  const clock = { time: 1_000, now: () => clock.time++, monotonic: () => 0 };
  const watching = createWatching({ store: watchingStore(db, 5), bus: createBus(() => {}), clock });
  await watching.progress('q', 'film', { position: 60, session: 'other' }, LENGTH);
  for (let n = 0; n < 8; n++) await watching.progress('p', 'film', { position: 60 + n, session: `s${n}` }, LENGTH);
  const sessions = async () => (await watching.history('p')).map(({ session }) => session).sort();
  assert.deepEqual(await sessions(), ['s3', 's4', 's5', 's6', 's7']);
  await watching.progress('p', 'film', { position: 90, session: 's3' }, LENGTH);
  assert.equal((await sessions()).length, 5, 'a known session adds none');
  await watching.changes.mark('p', ['a', 'b', 'c', 'd'], 'watched');
  assert.equal((await sessions()).length, 5);
  assert.equal((await watching.history('q')).length, 1, 'that of another stays');
});
