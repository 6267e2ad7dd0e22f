/**
 * The real server is killed at every named crash point that it passes, while it does real work, and started again:
 * every acknowledged write is there, no file is half written, and nothing lies about.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CRASH_POINTS, type CrashPoint } from '../../src/lib/crash.ts';
import type { StandIns } from '../stand-ins/index.ts';
import { makeVideo, openWorld, type World } from '../subtitles/world.ts';
import { BARE } from './bare.ts';
import type { Child } from './child.ts';
import { crash, type Drive, lookedOver, restarted } from './crash.ts';
import { filesWrong } from './damage.ts';
import {
  copyHousehold,
  editSubtitle,
  expect,
  fetchSubtitle,
  type Household,
  idle,
  listed,
  makeHousehold,
  startProviders,
  save,
  settle,
  watch,
} from './household.ts';
import { runUntilKilled } from './killed-program.ts';
import { MIGRATIONS, migrationsSeen, OLD, takeBack } from './old.ts';

const FILMS = 40;
const reached = new Set<CrashPoint>();
const isOf =
  (...areas: string[]) =>
  (point: CrashPoint): boolean =>
    areas.some((area) => point.startsWith(area));

const nothing: Drive = async () => {};
/** A setting that is sealed: its key file is made by the first save. */
const secrets: Drive = async (house, child) => {
  await settle(house, child);
  await save(house, child, 'server.name', `House ${Date.now()}`);
  await house.ask(child, 'PUT', '/api/v1/configuration/backup.key', {
    body: { value: 'a backup key of the test household' },
  });
};
/** Saves and progress without end. */
const saves: Drive = async (house, child) => {
  const [film] = await listed(house, child, 'movies');
  for (let n = 0; n < 12; n++) {
    await save(house, child, 'server.name', `House ${n} ${Date.now()}`);
    if (film) await watch(house, child, film.id, 1 + (n % 30));
  }
};
/** Films that have no subtitle yet. */
const fetches: Drive = async (house, child) => {
  await idle(house, child);
  const all = await listed(house, child, 'movies');
  const rest = all.filter(({ id }) => house.ledger.fetched.get(id)?.acknowledged === undefined);
  let fetched = 0;
  for (const { id } of rest) {
    // Files from a crash without a reply are refused now, and not counted.
    await fetchSubtitle(house, child, id);
    if (house.ledger.fetched.get(id)?.acknowledged !== undefined && ++fetched === 2) return;
  }
};
/** Fetched ones, changed in place and under another name, and taken back. */
const edits: Drive = async (house, child) => {
  await idle(house, child);
  const all = (await listed(house, child, 'movies')).filter(
    ({ id }) => house.ledger.fetched.get(id)?.acknowledged !== undefined,
  );
  for (const { id } of all.slice(0, 3))
    for (const how of ['shift', 'role', 'restore'] as const) await editSubtitle(house, child, id, how);
};
/** Fetches missing subtitles and looks for upgrades, both on demand and as a task. */
const maintains: Drive = async (house, child) => {
  await idle(house, child);
  expect(await house.ask(child, 'POST', '/api/v1/subtitle-library/maintain', { body: { limit: 3 } }), 200);
  expect(await house.ask(child, 'POST', '/api/v1/tasks/subtitle-upkeep', { body: {} }), 202);
  await idle(house, child);
};
const pictures: Drive = async (house, child) => {
  for (const { id } of (await listed(house, child, 'movies')).slice(0, 4))
    await house.ask(child, 'GET', `/api/v1/art/${id}?kind=thumb&width=320&v=${Date.now()}`);
};

test('killed at every point of the very first start', async (t) => {
  for (const at of CRASH_POINTS.filter(isOf('db.migrate.', 'files.create.', 'files.write.'))) {
    const house = makeHousehold({ films: 2, episodes: 2 });
    t.after(house.remove);
    const hasDied = await crash(house, { at, drive: secrets });
    if (hasDied) reached.add(at);
    assert.deepEqual(await restarted(house, { drive: settle }), [], at);
  }
});

test('killed at every point of an upgrade', async (t) => {
  const house = await settledHousehold(t, 6);
  const file = join(house.data, 'matinee.db');
  for (const [at, nth] of [
    ...CRASH_POINTS.filter(isOf('db.migrate.')).map((point) => [point, 1] as const),
    ['db.migrate.applied', 2] as const,
  ]) {
    await takeBack(house.data, OLD);
    assert.ok(await crash(house, { at, nth, drive: nothing }), `${at} is passed`);
    reached.add(at);
    assert.ok(
      [OLD, MIGRATIONS.length].includes(migrationsSeen(file)),
      `${at}: neither the old database nor the new one`,
    );
    assert.deepEqual(await restarted(house), [], `${at} ${nth}`);
    assert.ok(readdirSync(join(house.data, 'before-upgrade')).length > 0, 'the old database is kept');
  }
});

test('killed at every point of saving settings', async (t) => {
  const house = await settledHousehold(t, 3);
  for (const at of CRASH_POINTS.filter(isOf('config.')))
    for (const nth of [1, 5]) {
      assert.ok(await crash(house, { at, nth, drive: saves }), `${at} is passed`);
      reached.add(at);
      assert.deepEqual(await lookedOver(house), [], `${at} ${nth}`);
    }
  assert.deepEqual(await restarted(house), [], 'it stops and starts as before');
});

test('killed at every point of fetching a subtitle', async (t) => {
  const standIns = await startProviders(FILMS);
  t.after(() => standIns.close());
  const house = await settledHousehold(t, FILMS, standIns);
  for (const at of CRASH_POINTS.filter(
    isOf('subtitles.fetch.', 'files.create.', 'files.write.opened', 'files.write.written', 'files.write.synced'),
  ))
    for (const nth of [1, 2]) {
      assert.ok(await crash(house, { at, nth, drive: fetches }), `${at} is passed`);
      reached.add(at);
      assert.deepEqual(await lookedOver(house), [], `${at} ${nth}`);
    }
  assert.deepEqual(await restarted(house), [], 'it stops and starts as before');
});

test('killed at every point of changing a subtitle and of taking it back', async (t) => {
  const standIns = await startProviders(FILMS);
  t.after(() => standIns.close());
  const house = await fetchedHousehold(t, standIns);
  assert.deepEqual(await lookedOver(house, { drive: fetches }), []);
  for (const at of CRASH_POINTS.filter(
    isOf('subtitles.write.', 'subtitles.apply.', 'subtitles.restore.', 'files.write.renamed'),
  ))
    // The second apply is under another name.
    for (const nth of at.startsWith('subtitles.apply.') ? [1, 2] : [1]) {
      assert.ok(await crash(house, { at, nth, drive: edits }), `${at} is passed`);
      reached.add(at);
      assert.deepEqual(await lookedOver(house), [], `${at} ${nth}`);
    }
  assert.deepEqual(await restarted(house), [], 'it stops and starts as before');
});

test('killed at every point of upkeep', async (t) => {
  const standIns = await startProviders(FILMS);
  t.after(() => standIns.close());
  for (const at of CRASH_POINTS.filter(isOf('subtitles.maintain.'))) {
    // Looks for better are made once a day, so each has a separate server.
    const house = await fetchedHousehold(t, standIns);
    assert.ok(await crash(house, { at, drive: maintains }), `${at} is passed`);
    reached.add(at);
    assert.deepEqual(await restarted(house, { drive: maintains }), [], at);
  }
});

test('killed while a picture is made', async (t) => {
  const house = await settledHousehold(t, 4);
  for (const at of CRASH_POINTS.filter(isOf('files.write.'))) {
    rmSync(join(house.cache, 'art'), { recursive: true, force: true });
    assert.ok(await crash(house, { at, drive: pictures }), `${at} is passed`);
    reached.add(at);
    assert.deepEqual(await lookedOver(house, { drive: pictures }), [], at);
  }
  assert.deepEqual(await restarted(house), [], 'it stops and starts as before');
});

test('killed while it makes its certificate', async (t) => {
  const house = makeHousehold({ films: 0 });
  t.after(house.remove);
  const tls = { SERVICE_TLS_ENABLED: 'true' };
  for (const at of CRASH_POINTS.filter(isOf('files.write.'))) {
    rmSync(join(house.data, 'tls'), { recursive: true, force: true });
    assert.ok(await crash(house, { at, env: tls, drive: nothing }), `${at} is passed`);
    reached.add(at);
    const child = await house.start({ env: tls });
    assert.ok(await child.ready, child.output());
    const certificate = readFileSync(join(house.data, 'tls/certificate.pem'), 'latin1');
    assert.match(certificate, /BEGIN PRIVATE KEY[\s\S]+END CERTIFICATE-----\n$/);
    assert.equal(await statusOverTls(child, '/api/v1/setup', certificate), 200, at);
    assert.equal(await child.stop(), 0, child.output());
    assert.deepEqual(filesWrong(house), [], at);
  }
  assert.deepEqual(await restarted(house), [], 'it starts without TLS');
});

/** Returns the status of a request to a server that must have this certificate. */
const statusOverTls = ({ port }: Child, path: string, certificate: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { port, path, ca: certificate, checkServerIdentity: () => undefined, agent: false };
    get(options, (reply) => resolve(reply.resume().statusCode)).on('error', reject);
  });

test('killed while a file is hidden, both names or one', async (t) => {
  // No route of the server hides files yet; the writer is driven by itself.
  const home = mkdtempSync(join(tmpdir(), 'matinee-hide-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  for (const at of CRASH_POINTS.filter(isOf('files.hide.'))) {
    const path = join(home, `${at}.srt`);
    writeFileSync(path, 'a subtitle');
    const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
    const child = spawn(process.execPath, ['--import', here('./arm.ts'), here('./writer.ts'), 'hide', path], {
      env: { ...BARE, CRASH_AT: at },
      stdio: 'ignore',
    });
    assert.equal(
      await new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal))),
      'SIGKILL',
      at,
    );
    reached.add(at);
    const names = readdirSync(home).filter((name) => name.startsWith(at));
    assert.ok(names.length > 0 && names.every((name) => readFileSync(join(home, name), 'utf8') === 'a subtitle'), at);
  }
});

test('killed while a plan hides subtitle files, each has one of its names', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'matinee-hiding-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const media = join(home, 'media/Film (2001)');
  await makeVideo(join(media, 'Film (2001).mkv'), { seconds: 20 });
  for (const at of CRASH_POINTS.filter(isOf('subtitles.cleanup.'))) {
    for (const name of ['Film (2001).en.srt', 'Film (2001).en.vtt']) {
      rmSync(join(media, `${name}.hidden`), { force: true });
      writeFileSync(join(media, name), name);
    }
    await opened(home, (world) => world.scan());
    assert.equal((await runUntilKilled('hider', [home], { moment: { point: at } })).signal, 'SIGKILL', at);
    reached.add(at);
    await opened(home, async () => {});
    assert.deepEqual(
      readdirSync(media)
        .map((name) => name.replace('.hidden', ''))
        .sort(),
      ['Film (2001).en.srt', 'Film (2001).en.vtt', 'Film (2001).mkv'],
      at,
    );
  }
});

/** Opens a house, which settles what was left, and closes it again. */
async function opened(folder: string, work: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld({ folder });
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/**
 * Points of the tests of crashes of playback, metadata, certificates and the directory, of removing subtitles, of lists
 * and edits.
 */
const PASSED_ELSEWHERE = ['playback.', 'files.remove.', 'lists.', 'catalog.edit.', 'metadata.', 'remote.', 'identity.'];

test('every crash point there is was passed', () => {
  assert.deepEqual(
    CRASH_POINTS.filter((point) => !isOf(...PASSED_ELSEWHERE)(point) && !reached.has(point)),
    [],
    'each is passed here or where PASSED_ELSEWHERE says',
  );
});

test('with a fault planted, the same look finds the damage', async (t) => {
  const standIns = await startProviders(FILMS);
  t.after(() => standIns.close());

  // The first writes of a fetch keep the bytes as they came and as they are written; the third is into the library.
  await t.test('a file written in place is found half', async (s) => {
    const house = await settledHousehold(s, 3, standIns);
    assert.ok(await crash(house, { at: 'files.write.opened', nth: 3, fault: 'in-place', drive: fetches }));
    assert.match((await restarted(house, { fault: 'in-place' })).join('\n'), /\.srt: not a whole SubRip file/);
  });
  await t.test('what a killed writer left is found lying', async (s) => {
    const house = await settledHousehold(s, 3, standIns);
    assert.ok(await crash(house, { at: 'files.write.written', nth: 3, fault: 'no-sweep', drive: fetches }));
    assert.match((await restarted(house, { fault: 'no-sweep' })).join('\n'), /leftover media\/.*\.part/);
  });
  await t.test('a subtitle that was replaced and not preserved is found lost', async (s) => {
    const house = await fetchedHousehold(s, standIns);
    assert.ok(await crash(house, { at: 'subtitles.apply.recorded', fault: 'not-preserved', drive: edits }));
    assert.match((await restarted(house)).join('\n'), /preserved bytes [0-9a-f]{64} are lost/);
  });
  await t.test('a save that was acknowledged too early is found lost', async (s) => {
    const house = await settledHousehold(s, 3);
    const child = await house.start({ fault: 'early-answer' });
    assert.ok(await child.ready);
    await save(house, child, 'server.name', 'Never written');
    await child.kill();
    assert.match(
      (await restarted(house)).join('\n'),
      /setting server\.name: is undefined, acknowledged was Never written/,
    );
  });
  await t.test('a database upgraded where it lies is found between two versions', async (s) => {
    const house = await settledHousehold(s, 3);
    await takeBack(house.data, OLD - 2);
    assert.ok(await crash(house, { at: 'db.migrate.applied', fault: 'upgrade-in-place', drive: nothing }));
    const seen = migrationsSeen(join(house.data, 'matinee.db'));
    assert.ok(seen > OLD - 2 && seen < MIGRATIONS.length);
  });
});

/** Those that others are copies of, by number of films. */
const settledHouses = new Map<number, Promise<Household>>();
/** A settled household that has fetched two of its four subtitles. Others are copies of it. */
let fetchedHouse: Promise<Household> | undefined;
after(async () => {
  for (const house of settledHouses.values()) await (await house).remove();
  await (await fetchedHouse)?.remove();
});

/** A household with an Owner, an API key, a language, everything scanned, and some progress. */
async function settledHousehold(
  t: { after(work: () => Promise<void>): void },
  films: number,
  standIns?: StandIns,
): Promise<Household> {
  const first = settledHouses.get(films) ?? makeSettledHousehold(films);
  settledHouses.set(films, first);
  const house = copyHousehold(await first, standIns);
  t.after(house.remove);
  return house;
}

/** A copy of the household that has fetched subtitles. */
async function fetchedHousehold(t: { after(work: () => Promise<void>): void }, standIns: StandIns): Promise<Household> {
  const house = copyHousehold(await (fetchedHouse ??= makeFetchedHousehold(standIns)), standIns);
  t.after(house.remove);
  return house;
}

async function makeFetchedHousehold(standIns: StandIns): Promise<Household> {
  const house = await settledHousehold({ after: () => {} }, 4, standIns);
  assert.deepEqual(await restarted(house, { drive: fetches }), []);
  return house;
}

async function makeSettledHousehold(films: number): Promise<Household> {
  const house = makeHousehold({ films, episodes: 3 });
  const child: Child = await house.start();
  assert.ok(await child.ready, child.output());
  await settle(house, child);
  await idle(house, child);
  const all = await listed(house, child, 'movies');
  for (const [n, { id }] of all.slice(0, 5).entries()) await watch(house, child, id, n + 1);
  assert.equal(await child.stop(), 0);
  return house;
}
