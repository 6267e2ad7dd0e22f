/**
 * Open byte streams end with the permission that opened them, over real sockets.
 *
 * Each change is made while two Viewers have the same film open and read no further: the stream of the one it concerns
 * ends, the stream of the other continues to its last byte.
 */
import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { until } from './until.ts';
import { clip, PASSWORD, type World, world } from './world.ts';

/** More than sockets and buffers hold, so that a stream nobody reads stays open. */
const FILM_BYTES = 48 * 1024 * 1024;
/** Far above what a review takes, far below the half minute at which everything is reviewed. */
const SOON_MS = 5_000;
const FREE = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true } as const;
const ELSEWHEN = [{ days: ['monday'], start: '03:00', end: '04:00', timeZone: 'Etc/UTC' }];

let house: World;
let port: number;
let owner: string;
let film: string;
let library: string;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

interface Person {
  id: string;
  token: string;
}
interface Stream {
  reply: IncomingMessage;
  /** Whether the server still holds the connection. */
  isOpen(): boolean;
}
/** The server's side of each connection, by the client's port. */
const connections = new Set<number>();

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await house.call({ token: owner }, method, `/api/v1${path}`, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
};
const allow = (person: Person, policy: object) => ask('PUT', `/profiles/${person.id}`, { policy: { ...FREE, ...policy } });
const link = async ({ token }: Person, purpose: 'media' | 'download') => {
  const { body } = await house.call({ token }, 'GET', `/api/v1/items/${film}/playback`);
  return String((body['urls'] as Record<string, string>)[purpose]);
};

async function viewer(name: string): Promise<Person> {
  const { id } = (await ask('POST', '/profiles', { name, password: PASSWORD, policy: FREE })) as { id: string };
  const signed = await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD });
  return { id, token: String(signed.body['token']) };
}

/** Opens a stream and reads its first bytes, and no more until `finish`. */
async function open(path: string, token?: string): Promise<Stream> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }, resolve).on('error', reject);
  });
  assert.equal(reply.statusCode, 200, path);
  reply.on('error', () => {});
  await new Promise<void>((resolve) => reply.once('readable', () => (reply.read(1), resolve())));
  const own = reply.socket.localPort ?? 0;
  return { reply, isOpen: () => connections.has(own) };
}

/** Reads to the end; whether that is the end of the file. */
async function finish({ reply }: Stream): Promise<boolean> {
  const closed = reply.closed ? Promise.resolve() : new Promise<void>((resolve) => reply.once('close', () => resolve()));
  reply.resume();
  await closed;
  return reply.complete;
}

/** Whether the server ends a stream long before it would look again by itself. */
async function ends(stream: Stream): Promise<boolean> {
  const begun = performance.now();
  while (stream.isOpen() && performance.now() - begun < SOON_MS) await new Promise((resolve) => setTimeout(resolve, 10));
  return !stream.isOpen() && !(await finish(stream));
}

before(async () => {
  house = await world(together, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: async (media) => {
      await clip(join(media, 'Films', 'Film (2020)', 'Film (2020).mp4'));
      await truncate(join(media, 'Films', 'Film (2020)', 'Film (2020).mp4'), FILM_BYTES);
      await clip(join(media, 'Others', 'Other (2021)', 'Other (2021).mp4'));
      await truncate(join(media, 'Others', 'Other (2021)', 'Other (2021).mp4'), FILM_BYTES);
    },
  });
  owner = String((await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token']);
  await house.start();
  await ask('PUT', '/configuration/libraries', { value: JSON.stringify(['Films', 'Others'].map((name) => ({ name, path: join(house.media, name), kind: 'movies' }))) });
  house.http.server.server.on('connection', (socket) => {
    const { remotePort = 0 } = socket;
    connections.add(remotePort);
    socket.once('close', () => connections.delete(remotePort));
  });
  const address = (await house.http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo;
  port = address.port;
});
after(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The film of a library, once the scan has found it. */
async function filmOf(name: string): Promise<{ film: string; library: string }> {
  const listed = async () => ((await ask('GET', '/libraries')) as { items: { id: string; name: string }[] }).items.find((one) => one.name === name)?.id;
  const own = await until(`the library ${name}`, listed);
  const id = await until(`the film of ${name}`, async () => ((await ask('GET', `/library?library=${own}`)) as { items: { id: string }[] }).items[0]?.id);
  return { film: id, library: own };
}

/** One change: what it concerns is opened by Kim, the same by Lou, whom it does not concern. */
interface Change {
  name: string;
  path?: 'media' | 'download';
  isLinked?: boolean;
  make(kim: Person): Promise<unknown>;
}
const CHANGES: Change[] = [
  { name: 'taking the library', make: (kim) => allow(kim, { libraries: [] }) },
  { name: 'lowering the rating', make: (kim) => allow(kim, { rating: 'family' }) },
  { name: 'closing the viewing window', make: (kim) => allow(kim, { windows: ELSEWHEN }) },
  { name: 'taking downloads', path: 'download', make: (kim) => allow(kim, { download: false }) },
  { name: 'taking the library of a signed link', isLinked: true, make: (kim) => allow(kim, { libraries: [] }) },
  { name: 'taking downloads of a signed link', path: 'download', isLinked: true, make: (kim) => allow(kim, { download: false }) },
  { name: 'removing the profile', make: (kim) => ask('DELETE', `/profiles/${kim.id}`) },
];

describe('an open stream', () => {
  for (const [n, { name, path = 'media', isLinked = false, make }] of CHANGES.entries()) {
    test(`ends within a second of ${name}`, async () => {
      ({ film, library } = await filmOf('Films'));
      const [kim, lou] = [await viewer(`Kim ${n}`), await viewer(`Lou ${n}`)];
      const openAs = async (person: Person) => (isLinked ? open(await link(person, path)) : open(`/${path}/${film}`, person.token));
      const [mine, others] = [await openAs(kim), await openAs(lou)];
      await allow(kim, { transcode: false });
      assert.deepEqual([mine.isOpen(), others.isOpen()], [true, true]);
      await make(kim);
      assert.equal(await ends(mine), true, 'it continued');
      assert.equal(await finish(others), true, 'another stream was cut');
    });
  }

  test('continues while what was taken is another right than the one that opened it', async () => {
    const kim = await viewer('Kim');
    const stream = await open(`/media/${film}`, kim.token);
    await allow(kim, { download: false, transcode: false, remote: false, libraries: [library] });
    assert.equal(await finish(stream), true);
  });

  test('ends when a rescan rates the item above what its viewer may see', async () => {
    const [kim, lou] = [await viewer('Kim rated'), await viewer('Lou rated')];
    await allow(kim, { rating: 'teen' });
    await writeFile(join(house.media, 'Films', 'Film (2020)', 'Film (2020).nfo'), '<movie><title>Film</title><year>2020</year><mpaa>PG</mpaa></movie>');
    await ask('POST', '/tasks/scan', {});
    await until('the film to be seen', async () => (await house.call({ token: kim.token }, 'GET', `/api/v1/items/${film}`)).status === 200);
    const [mine, others] = [await open(`/media/${film}`, kim.token), await open(`/media/${film}`, lou.token)];
    await writeFile(join(house.media, 'Films', 'Film (2020)', 'Film (2020).nfo'), '<movie><title>Film</title><year>2020</year><mpaa>R</mpaa></movie>');
    await ask('POST', '/tasks/scan', {});
    await until('the film to be hidden', async () => (await house.call({ token: kim.token }, 'GET', `/api/v1/items/${film}`)).status === 404);
    assert.equal(await ends(mine), true, 'it continued');
    assert.equal(await finish(others), true, 'another stream was cut');
  });

  test('ends when its library is removed, and the others continue', async () => {
    const kim = await viewer('Kim removed');
    const other = await filmOf('Others');
    const [mine, others] = [await open(`/media/${other.film}`, kim.token), await open(`/media/${film}`, owner)];
    await ask('DELETE', `/libraries/${other.library}`);
    assert.equal(await ends(mine), true, 'it continued');
    assert.equal(await finish(others), true, 'another stream was cut');
  });
});
