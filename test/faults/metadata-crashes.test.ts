/**
 * The server is killed while it reads metadata: a film has its old words and picture or its new ones, and what was
 * removed by hand stays removed. Killed in a bulk edit, it has edited all items or none. A picture that was being
 * written leaves a temporary file, which the next purge removes.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import sharp from 'sharp';
import { isStray } from '../../src/lib/files.ts';
import { grow } from '../../src/catalog/testing/world.ts';
import type { CrashPoint } from '../../src/lib/crash.ts';
import { chance } from '../chance.ts';
import { EXAMPLE_FILMS, EXAMPLE_SHOWS, type MetadataFixtures } from '../stand-ins/metadata-fixtures.ts';
import { fakeMetadata, METADATA_TOKEN } from '../stand-ins/metadata.ts';
import { startElsewhere, startStandIn } from '../stand-ins/server.ts';
import { until } from '../until.ts';
import { ask, type Child, type ChildNeeds, startServerProcess } from './child.ts';
import { arm } from './crash.ts';

interface Shown {
  plot?: string;
  images?: { poster?: string };
}
interface Film {
  id: string;
  year?: number;
}
const PASSWORD = 'four warm brown bread rolls';
const ROUNDS = 4;
const PIER = 'The Long Pier (2001)';

async function open(t: TestContext, films: readonly string[] = [PIER]) {
  const home = mkdtempSync(join(tmpdir(), 'matinee-metadata-'));
  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
  grow(folders.media, Object.fromEntries(films.map((name) => [`${name}/${basename(name)}.mp4`, true])));
  const elsewhere = await startElsewhere();
  const [pier] = structuredClone(EXAMPLE_FILMS);
  assert.ok(pier);
  const film: Record<string, unknown> = pier;
  const pictures = new Map<string, Buffer>();
  const fixtures: MetadataFixtures = { films: [film], shows: EXAMPLE_SHOWS, picture: (path) => pictures.get(path) };
  /** Changes the plot and the poster of the film at the provider. */
  const publish = async (edition: number): Promise<void> => {
    const background = { r: edition * 40, g: 90, b: 200 - edition * 30 };
    pictures.set(
      `/pier-${edition}.png`,
      await sharp({ create: { width: 20, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    );
    Object.assign(film, { overview: `Edition ${edition}.`, poster_path: `/pier-${edition}.png` });
  };
  await publish(0);
  const standIn = await startStandIn(() => fakeMetadata(() => performance.now(), fixtures), {
    elsewhere: elsewhere.url,
  });
  const orders = join(home, 'orders.json');
  const children: Child[] = [];
  t.after(async () => {
    for (const child of children) await child.kill();
    await standIn.close();
    await elsewhere.close();
    rmSync(home, { recursive: true, force: true });
  });
  const start = async ({ isOffline = false, ...more }: Partial<ChildNeeds> & { isOffline?: boolean } = {}) => {
    const child = await startServerProcess({
      ...folders,
      ...more,
      isShortLived: true,
      env: {
        SERVICE_REQUIRE_MFA: 'false',
        SERVICE_SCAN_INTERVAL: '0s',
        CRASH_ORDERS: orders,
        SERVICE_METADATA_URL: standIn.url,
        SERVICE_METADATA_IMAGE_URL: standIn.url.replace('/3', '/t/p'),
        ...(!isOffline && { SERVICE_METADATA_TOKEN: METADATA_TOKEN }),
      },
    });
    children.push(child);
    assert.ok(await child.ready, child.output());
    return child;
  };
  /**
   * Returns what a crash left. The server that is asked has no provider, because the next refresh would repair half a
   * film before the test sees it.
   */
  const left = async (token: string): Promise<Shown> => {
    const child = await start({ isOffline: true });
    const film = await filmOf(child, token);
    assert.equal(await child.stop(), 0);
    return film;
  };
  /** Returns the temporary files in the folder of pictures. */
  const strays = (): string[] => readdirSync(join(folders.data, 'pictures')).filter(isStray);
  return { start, publish, left, strays, orders };
}

const setUp = async (child: Child): Promise<string> => {
  const { status, body } = await ask<{ token: string }>(child, 'POST', '/api/v1/setup', {
    body: { name: 'Ada', password: PASSWORD },
  });
  assert.equal(status, 201);
  return body.token;
};
const filmsOf = async (child: Child, token: string): Promise<Film[]> =>
  (await ask<{ items: Film[] }>(child, 'GET', '/api/v1/library', { token })).body.items;
const filmOf = async (child: Child, token: string): Promise<Shown & { id: string }> => {
  const id = (await filmsOf(child, token))[0]?.id;
  assert.ok(id, 'the film is in the library');
  return (await ask<Shown & { id: string }>(child, 'GET', `/api/v1/items/${id}`, { token })).body;
};
const refreshed = (child: Child, token: string): Promise<void> =>
  done(child, token, 'refresh-metadata', { mode: 'all', images: true });
/** Runs a task to its end. */
const done = async (child: Child, token: string, name: string, body: object = {}): Promise<void> => {
  const task = await ask<{ id: string }>(child, 'POST', `/api/v1/tasks/${name}`, { token, body });
  assert.equal(task.status, 202);
  await until(
    `the task ${name} to end`,
    async () =>
      (await ask<{ state: string }>(child, 'GET', `/api/v1/tasks/${task.body.id}`, { token })).body.state === 'done',
  );
};
const pairOf = ({ plot, images }: Shown): string => JSON.stringify([plot, images?.poster]);

test('killed between facts and the row of their match, and between the row and the removal', async (t) => {
  const { start, left } = await open(t);
  const first = await start({ crash: { at: 'metadata.match.layered' } });
  const token = await setUp(first);
  await ask(first, 'POST', '/api/v1/tasks/scan', { token, body: {} }).catch(() => {});
  assert.equal((await first.ended).signal, 'SIGKILL');

  const described = await left(token);
  assert.equal(described.plot, 'Edition 0.');
  assert.ok(described.images?.poster, 'words and picture came together');
  const second = await start({ crash: { at: 'metadata.none.recorded' } });
  const film = await filmOf(second, token);
  await refreshed(second, token);
  await ask(second, 'POST', `/api/v1/items/${film.id}/match`, { token, body: { none: true } }).catch(() => {});
  assert.equal((await second.ended).signal, 'SIGKILL');

  const third = await start();
  await refreshed(third, token);
  const { plot, images } = await filmOf(third, token);
  assert.deepEqual([plot, images?.poster], [undefined, undefined], 'the removal is finished');
});

test('with facts written before the picture, a film is found with half of both', async (t) => {
  const { start, left } = await open(t);
  const first = await start({ fault: 'facts-in-parts', crash: { at: 'metadata.match.layered' } });
  const token = await setUp(first);
  await ask(first, 'POST', '/api/v1/tasks/scan', { token, body: {} }).catch(() => {});
  assert.equal((await first.ended).signal, 'SIGKILL');
  const { plot, images } = await left(token);
  assert.deepEqual([plot, images?.poster], ['Edition 0.', undefined]);
});

test('killed at any moment of a refresh, a film has all old facts or all new ones', async (t) => {
  const { start, publish, left } = await open(t);
  const random = chance(20_261_123);
  let child = await start();
  const token = await setUp(child);
  await until('the film to be described', async () => {
    const { body } = await ask<{ items: { id: string }[] }>(child, 'GET', '/api/v1/library', { token });
    return body.items.length > 0 && (await filmOf(child, token)).plot === 'Edition 0.';
  });
  for (let edition = 1; edition <= ROUNDS; edition++) {
    const old = pairOf(await filmOf(child, token));
    await publish(edition);
    const body = { mode: 'all', images: true };
    await ask(child, 'POST', '/api/v1/tasks/refresh-metadata', { token, body });
    await setTimeout(random() * 120);
    await child.kill();
    const found = pairOf(await left(token));
    child = await start();
    await refreshed(child, token);
    const film = await filmOf(child, token);
    assert.equal(film.plot, `Edition ${edition}.`);
    assert.ok([old, pairOf(film)].includes(found), `${found} is neither ${old} nor ${pairOf(film)}`);
    assert.notEqual(pairOf(film), old);
  }
  assert.equal(await child.stop(), 0);
});

/**
 * Kills a server in a bulk edit of three films at each of these points, layers at the second film. Returns the years
 * after each restart. The server that was looked at is the one that dies next.
 */
async function yearsAfterBulkEdits(
  t: TestContext,
  points: readonly CrashPoint[],
  fault?: string,
): Promise<unknown[][]> {
  const { start, orders } = await open(t, [PIER, 'The Lamp (2002)', 'The Mill (2003)']);
  const needs = { isOffline: true, ...(fault !== undefined && { fault }) };
  let child = await start(needs);
  const token = await setUp(child);
  await done(child, token, 'scan');
  const ids = (await filmsOf(child, token)).map(({ id }) => id);
  assert.equal(ids.length, 3);
  const found: unknown[][] = [];
  for (const at of points) {
    await arm(child, orders, { at, nth: at === 'catalog.edit.layered' ? 2 : 1 });
    const body = { ids, set: { year: 1999 } };
    const answer = await ask(child, 'POST', '/api/v1/metadata/bulk', { token, body }).catch(() => undefined);
    assert.equal(answer, undefined, 'killed before it answered');
    assert.equal((await child.ended).signal, 'SIGKILL');
    child = await start(needs);
    found.push((await filmsOf(child, token)).map(({ year }) => year).toSorted());
  }
  return found;
}

test('killed in a bulk edit, all items are edited or none', async (t) => {
  const before = [2001, 2002, 2003];
  const points = ['catalog.edit.recorded', 'catalog.edit.layered'] as const;
  assert.deepEqual(await yearsAfterBulkEdits(t, points), [before, before]);
  await t.test('with items edited one after the other, half an edit is found', async (s) => {
    const [years = []] = await yearsAfterBulkEdits(s, ['catalog.edit.layered'], 'edit-in-parts');
    assert.equal(years.filter((year) => year === 1999).length, 1);
  });
});

/** Kills a server while it writes a poster. Returns the temporary files before and after the next purge. */
async function leftByPoster(t: TestContext, fault?: string): Promise<{ killed: number; purged: number; film: Shown }> {
  const { start, strays } = await open(t);
  const needs = fault === undefined ? {} : { fault };
  const first = await start({ ...needs, crash: { at: 'files.write.written', path: '/pictures/' } });
  const token = await setUp(first);
  await ask(first, 'POST', '/api/v1/tasks/scan', { token, body: {} }).catch(() => {});
  assert.equal((await first.ended).signal, 'SIGKILL');
  const killed = strays().length;
  const next = await start({ ...needs, isOffline: true });
  const film = await filmOf(next, token);
  await done(next, token, 'purge');
  return { killed, purged: strays().length, film };
}

test('killed while a poster is written, the next purge removes what is left of it', async (t) => {
  const { killed, purged, film } = await leftByPoster(t);
  assert.deepEqual([film.plot, film.images?.poster], [undefined, undefined], 'neither words nor a picture');
  assert.deepEqual([killed, purged], [1, 0]);
  await t.test('with no sweep, the file is found lying', async (s) => {
    const found = await leftByPoster(s, 'no-sweep');
    assert.deepEqual([found.killed, found.purged], [1, 1]);
  });
});

const LANTERN = [1, 2, 3].map((number) => `Lantern Street (2010)/Season 1/Lantern Street S01E0${number}`);
interface Orders {
  items: { order: string; type?: string }[];
  chosen: string | null;
}
/** Returns the plots of the show's episodes. */
async function plotsOf(child: Child, token: string, show: string): Promise<(string | undefined)[]> {
  interface Page {
    seasons: { episodes: Shown[] }[];
  }
  const { body } = await ask<Page>(child, 'GET', `/api/v1/shows/${show}`, { token });
  return body.seasons.flatMap(({ episodes }) => episodes.map(({ plot }) => plot));
}

/** Kills a server between the choice of an order and its facts. Returns the plots after it and after the next run. */
async function plotsAfterChoice(t: TestContext, fault?: string) {
  const { start } = await open(t, LANTERN);
  const needs = fault === undefined ? {} : { fault };
  const first = await start({ ...needs, crash: { at: 'metadata.order.chosen' } });
  const token = await setUp(first);
  await done(first, token, 'scan');
  await refreshed(first, token);
  const { body } = await ask<{ items: { id: string }[] }>(first, 'GET', '/api/v1/shows', { token });
  const show = body.items[0]?.id ?? '';
  const before = await plotsOf(first, token, show);
  const orders = (child: Child) => ask<Orders>(child, 'GET', `/api/v1/items/${show}/episode-order`, { token });
  const dvd = (await orders(first)).body.items.find(({ type }) => type === 'dvd')?.order;
  await ask(first, 'PUT', `/api/v1/items/${show}/episode-order`, { token, body: { order: dvd } }).catch(() => {});
  assert.equal((await first.ended).signal, 'SIGKILL');

  const offline = await start({ ...needs, isOffline: true });
  const killed = await plotsOf(offline, token, show);
  assert.equal(await offline.stop(), 0);
  const next = await start(needs);
  await done(next, token, 'refresh-metadata', { mode: 'missing', images: false });
  const { chosen } = (await orders(next)).body;
  return { before, killed, after: await plotsOf(next, token, show), isChosen: chosen === dvd };
}

test('killed between the choice of an order of episodes and its facts, the next run applies it', async (t) => {
  const usual = ['Kit comes home.', 'It rains.', 'It burns.'];
  const ordered = ['It burns.', 'Kit comes home.', undefined];
  assert.deepEqual(await plotsAfterChoice(t), { before: usual, killed: usual, after: ordered, isChosen: true });
  await t.test('with a show that is not marked, the choice is found without its facts', async (s) => {
    const found = await plotsAfterChoice(s, 'order-unmarked');
    assert.deepEqual([found.after, found.isChosen], [usual, true]);
  });
});
