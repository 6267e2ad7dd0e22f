/**
 * Content of an event stream: its own Profile's changes, and nothing of other Profiles or hidden libraries, neither by
 * events nor by numbers that go on.
 */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { listen as listenAt } from './heard.ts';
import { until } from './until.ts';
import { makeClip, PASSWORD, type World, startWorld } from './world.ts';
import { SOON_MS } from './streaming.ts';

const FREE = { rating: 'all', windows: [], remote: true, transcode: true, download: true } as const;

let house: World;
let port: number;
let owner: string;
const libraries = new Map<string, string>();
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

const ask = async (token: string, method: string, path: string, body?: unknown) => {
  const reply = await house.call({ token }, method, `/api/v1${path}`, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
};
async function viewer(name: string, own: readonly string[], more: object = {}): Promise<{ id: string; token: string }> {
  const policy = { ...FREE, libraries: own.map((one) => libraries.get(one)), ...more };
  const { id } = (await ask(owner, 'POST', '/profiles', { name, password: PASSWORD, policy })) as { id: string };
  const signed = await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD });
  return { id, token: String(signed.body['token']) };
}

const listen = (token: string, last?: number) => listenAt(port, token, last);

before(async () => {
  house = await startWorld(together, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: async (media) => {
      for (const name of ['Films', 'Others']) await makeClip(join(media, name, `${name} (2020)`, `${name} (2020).mp4`));
    },
  });
  owner = String(
    (await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
  );
  await house.start();
  await ask(owner, 'PUT', '/configuration/libraries', {
    value: JSON.stringify(['Films', 'Others'].map((name) => ({ name, path: join(house.media, name), kind: 'movies' }))),
  });
  await until('both films', async () => {
    const { items } = (await ask(owner, 'GET', '/libraries')) as {
      items: { id: string; name: string; items: number }[];
    };
    for (const { name, id } of items) libraries.set(name, id);
    return items.length === 2 && items.every((one) => one.items === 1);
  });
  await until('no task to be under way', async () =>
    ((await ask(owner, 'GET', '/tasks')) as { items: { state: string }[] }).items.every(
      ({ state }) => state !== 'running' && state !== 'queued',
    ),
  );
  port = ((await house.http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo).port;
  // Notifications are gathered: what is heard now includes the last of the first scans, so none of them comes later.
  const settled = await listen(owner);
  await makeClip(join(house.media, 'Others', 'First (2019)', 'First (2019).mp4'));
  await scan('Others');
  await until('the first scans to be told', () => settled.kinds().includes('catalog'));
  settled.close();
});
after(async () => {
  for (const close of closing.splice(0)) await close();
});
const filmOf = async (token: string) =>
  ((await ask(token, 'GET', '/library')) as { items: { id: string }[] }).items[0]?.id ?? '';
const scan = async (name: string) => {
  const { id } = (await ask(owner, 'POST', '/tasks/scan', { library: libraries.get(name) })) as { id: string };
  await until(
    'the scan to end',
    async () => ((await ask(owner, 'GET', `/tasks/${id}`)) as { state: string }).state === 'done',
  );
};

test('a viewer is notified only of its own watching and its own libraries', async () => {
  const [kim, lou] = [await viewer('Kim', ['Films']), await viewer('Lou', ['Others'])];
  const [one, other, boss] = [await listen(kim.token), await listen(lou.token), await listen(owner)];
  for (let n = 1; n <= 3; n++)
    await ask(lou.token, 'PUT', `/items/${await filmOf(lou.token)}/progress`, { position: n });
  await until('Lou to be told', () => other.kinds().filter((kind) => kind === 'watching').length === 3);
  await makeClip(join(house.media, 'Others', 'Second (2021)', 'Second (2021).mp4'));
  await scan('Others');
  await until('Lou to be told of the film', () => other.kinds().includes('catalog'));
  await until('the Owner to be told of the film', () => boss.kinds().includes('catalog'));
  await ask(owner, 'PUT', '/configuration/subtitles.language', { value: 'de' });
  await until('the Owner to be told of the setting', () => boss.kinds().includes('configuration'));

  // Kim's own change comes after all that, and is the first that Kim receives.
  await ask(kim.token, 'PUT', `/items/${await filmOf(kim.token)}/progress`, { position: 1 });
  await until('Kim to be told', () => one.kinds().length > 0);
  assert.deepEqual(one.kinds(), ['watching']);
  assert.equal((one.heard[1]?.id ?? 0) - (one.heard[0]?.id ?? 0), 1, 'the numbers tell of others');
  assert.deepEqual([...new Set(other.kinds())].sort(), ['catalog', 'watching']);
  assert.ok(!boss.kinds().includes('watching'), 'the Owner is told who watches');
  for (const each of [one, other, boss]) each.close();
});

test('a request is told to the Viewer that makes it and to Owners, and to no other Viewer', async () => {
  const [kim, lou] = [await viewer('Kit', ['Films']), await viewer('Lea', ['Films'])];
  const [one, other, boss] = [await listen(kim.token), await listen(lou.token), await listen(owner)];
  const { id } = (await ask(kim.token, 'POST', '/requests', { kind: 'item', words: 'a film' })) as { id: string };
  await until('both to be told', () => one.kinds().length === 1 && boss.kinds().includes('requests'));
  await ask(owner, 'PUT', `/requests/${id}`, { decision: 'declined', word: 'later' });
  await until('Kit to be told', () => one.kinds().length === 2);
  // Lea's own change comes after all that, and is the first that Lea receives.
  await ask(lou.token, 'PUT', `/items/${await filmOf(lou.token)}/progress`, { position: 1 });
  await until('Lea to be told', () => other.kinds().length > 0);
  assert.deepEqual([one.kinds(), other.kinds()], [['requests', 'requests'], ['watching']]);
  for (const each of [one, other, boss]) each.close();
});

test('a film above the rating, or one that goes away hidden, is told to those who may see it only', async () => {
  const [young, old] = [await viewer('Young', ['Films'], { rating: 7 }), await viewer('Old', ['Films'])];
  const [one, other] = [await listen(young.token), await listen(old.token)];
  await makeClip(join(house.media, 'Films', 'Hidden (2022)', 'Hidden (2022).mp4'));
  await writeFile(
    join(house.media, 'Films', 'Hidden (2022)', 'Hidden (2022).nfo'),
    '<movie><title>Hidden</title><year>2022</year><mpaa>R</mpaa></movie>',
  );
  await scan('Films');
  await until('Old to be told that it came', () => other.kinds().length > 0);
  const came = other.kinds().length;
  await rm(join(house.media, 'Films', 'Hidden (2022)'), { recursive: true });
  await scan('Films');
  await until('Old to be told that it went', () => other.kinds().length > came);
  // Young's policy changes last.
  await ask(owner, 'PUT', `/profiles/${young.id}`, { policy: { ...FREE, rating: 13, libraries: 'all' } });
  await until('Young to be told of the policy', () => one.kinds().length > 0);
  assert.deepEqual(one.kinds(), ['catalog']);
  for (const each of [one, other]) each.close();
});

test('a stream resumes from its own number, and a number of another Profile counts as missed', async () => {
  const [kim, lou] = [await viewer('Kim again', ['Films']), await viewer('Lou again', ['Films'])];
  const [first, foreign] = [await listen(kim.token), await listen(lou.token)];
  const from = first.heard[0]?.id ?? 0;
  first.close();
  const film = await filmOf(kim.token);
  for (let n = 1; n <= 2; n++) await ask(kim.token, 'PUT', `/items/${film}/progress`, { position: n });
  const resumed = await listen(kim.token, from);
  await until('what was missed', () => resumed.kinds().length === 2);
  assert.deepEqual(
    resumed.heard.slice(1).map(({ id, kind }) => [id - from, kind]),
    [
      [1, 'watching'],
      [2, 'watching'],
    ],
  );
  for (const last of [foreign.heard[0]?.id, 1, Number.MAX_SAFE_INTEGER]) {
    const strange = await listen(kim.token, last);
    await until('to be told that something was missed', () => strange.kinds().length > 0);
    assert.deepEqual(strange.kinds(), ['missed']);
    strange.close();
  }
  const same = await listen(kim.token, from + 2);
  await ask(kim.token, 'PUT', `/items/${film}/progress`, { position: 9 });
  await until('the next', () => same.kinds().length > 0);
  assert.deepEqual(same.kinds(), ['watching']);
  for (const each of [foreign, resumed, same]) each.close();
});

test('the reply to a change names the newest event of its caller, which the stream then brings', async () => {
  const [kim, lou] = [await viewer('Kim named', ['Films']), await viewer('Lou named', ['Films'])];
  const film = await filmOf(kim.token);
  const named = async (token: string, method: string, path: string, body?: unknown) => {
    const { headers } = await house.call({ token }, method, `/api/v1${path}`, body);
    const id = headers['last-event-id'];
    return id === undefined ? undefined : Number(id);
  };
  const watch = (token: string, position: number) => named(token, 'PUT', `/items/${film}/progress`, { position });
  assert.equal(await watch(kim.token, 1), undefined, 'a number is named to a caller without a stream');
  const [one, other] = [await listen(kim.token), await listen(lou.token)];
  const first = one.heard[0]?.id ?? 0;
  assert.equal(await watch(kim.token, 2), first + 1);
  await until('Kim to be told', () => one.kinds().length === 1);
  assert.equal(one.heard[1]?.id, first + 1);
  // Changes of others move neither number.
  for (const position of [3, 4]) await watch(lou.token, position);
  await until('Lou to be told', () => other.kinds().length === 2);
  assert.equal(await watch(kim.token, 5), first + 2);
  assert.equal(await named(kim.token, 'GET', `/items/${film}`), undefined, 'a read names one');
  const boss = await listen(owner);
  const key = String((await ask(owner, 'POST', '/api-keys', { name: 'writes', scopes: ['write'] }))['secret']);
  assert.equal(await watch(key, 6), undefined, 'a key that may not read events is told how many there are');
  assert.notEqual(await watch(owner, 7), undefined);
  boss.close();
  for (const each of [one, other]) each.close();
});

test('a key sees administration events only with its scope, and a stream ends with its role', async () => {
  const key = async (scopes: readonly string[]) =>
    String((await ask(owner, 'POST', '/api-keys', { name: 'k', scopes }))['secret']);
  const [weak, strong] = [await listen(await key(['stream'])), await listen(await key(['stream', 'admin']))];
  await ask(owner, 'PUT', '/configuration/subtitles.language', { value: 'fr' });
  await until('the strong key to be told', () => strong.kinds().includes('configuration'));
  await ask(owner, 'PUT', `/items/${await filmOf(owner)}/progress`, { position: 4 });
  await until('the weak key to be told', () => weak.kinds().length > 0);
  assert.deepEqual(weak.kinds(), ['watching']);
  const rae = await viewer('Rae', ['Films']);
  const as = await listen(rae.token);
  await ask(owner, 'PUT', `/profiles/${rae.id}`, { role: 'owner' });
  await until('the stream of the former role to end', () => as.isOver(), { withinMs: SOON_MS });
  assert.equal(weak.isOver(), false);
  for (const each of [weak, strong]) each.close();
});
