/**
 * The real server is killed 25 times at a random moment, while it scans, fetches, changes and
 * maintains subtitles, saves and upgrades, and the household lives on: each crash is judged by what was acknowledged
 * before it and what the last one left.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { chance, SEED } from '../chance.ts';
import type { Child } from './child.ts';
import { type Drive, driven } from './crash.ts';
import { damage } from './damage.ts';
import {
  editSubtitle,
  fetchSubtitle,
  idle,
  listed,
  makeHousehold,
  startProviders,
  save,
  scan,
  settle,
  watch,
} from './household.ts';
import { MIGRATIONS, migrationsSeen, OLD, takeBack } from './old.ts';

const FILMS = 60;
const MOST = 110;
const ROUNDS = 25;

/** The delays are the same every time; what they meet is each machine's own. */
const random = chance();

/** New films appear before it scans, and it scans again and again. */
const scans: Drive = async (house, child) => {
  for (let i = 0; i < 20; i++) {
    for (let n = 0; n < 4 && house.films.length < MOST; n++) house.add();
    await scan(house, child);
  }
};
const fetches: Drive = async (house, child) => {
  await idle(house, child);
  for (const { id } of await listed(house, child, 'movies'))
    if (house.ledger.fetched.get(id)?.acknowledged === undefined) await fetchSubtitle(house, child, id);
};
/** Changes and restores any subtitle repeatedly. */
const edits: Drive = async (house, child) => {
  await idle(house, child);
  const films = (await listed(house, child, 'movies')).filter(({ id }) => house.ledger.fetched.has(id)).slice(0, 12);
  for (let n = 0; n < 40; n++)
    for (const { id } of films)
      await editSubtitle(house, child, id, (['shift', 'role', 'restore'] as const)[n % 3] ?? 'shift');
};
/** Upkeep without end: what it writes is judged by what is there, not by an answer. */
const maintains: Drive = async (house, child) => {
  await idle(house, child);
  for (let n = 0; n < 40; n++) {
    const { status, body } = await house.ask(child, 'POST', '/api/v1/subtitle-library/maintain', {
      body: { limit: 5 },
    });
    assert.ok([200, 409, 503].includes(status), JSON.stringify(body));
  }
};
const saves: Drive = async (house, child) => {
  const films = await listed(house, child, 'movies');
  for (let n = 0; n < 500; n++) {
    await save(
      house,
      child,
      n % 2 ? 'server.name' : 'playback.subtitles',
      n % 2 ? `House ${n} ${Date.now()}` : n % 4 ? 'on' : 'off',
    );
    const film = films[n % 7];
    if (film) await watch(house, child, film.id, 1 + (n % 25));
  }
};

test(`killed at ${ROUNDS} random moments (seed ${SEED})`, async (t) => {
  const standIns = await startProviders(MOST);
  t.after(() => standIns.close());
  const house = makeHousehold({ films: FILMS, episodes: 5, standIns });
  t.after(house.remove);
  let child: Child = await house.start();
  assert.ok(await child.ready, child.output());
  await settle(house, child);
  // The very first scan is among what is killed.
  await child.kill();
  /** The server of the round before, if it was left running. */
  let running: Child | undefined;

  const kinds: [string, Drive][] = [
    ['scan', scans],
    ['fetch', fetches],
    ['edit', edits],
    ['save', saves],
    ['maintain', maintains],
    ['edit', edits],
    ['upgrade', saves],
  ];
  for (let round = 0; round < ROUNDS; round++) {
    const [kind, drive] = kinds[round % kinds.length] ?? ['save', saves];
    if (kind === 'upgrade') {
      await running?.kill();
      running = undefined;
      await takeBack(house.data, OLD);
      // The older version knew nothing of subtitles: theirs is what is lost by this test, and not by the server.
      for (const lost of [house.ledger.fetched, house.ledger.shown, house.ledger.originals]) lost.clear();
    }
    child = running ?? (await house.start());
    running = undefined;
    // An upgrade happens before it answers; all else after.
    if (kind !== 'upgrade') assert.ok(await child.ready, child.output());
    const done = driven(house, child, drive);
    const afterMs = Math.floor(random() * (kind === 'upgrade' ? 500 : 400));
    await Promise.race([new Promise((resolve) => setTimeout(resolve, afterMs)), child.ended]);
    await child.kill();
    await done;
    const how = `round ${round}, ${kind}, after ${afterMs} ms`;
    if (kind === 'upgrade')
      assert.ok([OLD, MIGRATIONS.length].includes(migrationsSeen(join(house.data, 'matinee.db'))), how);
    child = await house.start();
    assert.ok(await child.ready, `${how}: ${child.output()}`);
    assert.deepEqual(await damage(house, child), [], how);
    // Half of the time it ends as it should. Otherwise it is the one that the next round kills.
    if (random() < 0.5) assert.equal(await child.stop(), 0, how);
    else running = child;
  }
});
