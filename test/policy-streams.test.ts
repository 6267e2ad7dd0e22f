/**
 * Open byte streams end with the permission that opened them, over real sockets.
 *
 * Each change is made while two Viewers have the same film open and read no further: the stream of the one it concerns
 * ends, the stream of the other continues to its last byte.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  CLOSED_WINDOWS,
  done,
  isWhole,
  makeLongFilm,
  SOON_MS,
  type Stream,
  fakeStreaming,
  type Viewer,
} from './streaming.ts';
import { isForProfiles } from '../src/contract/kernel/endpoint.ts';
import { until } from './until.ts';

/** The server's side of each connection, by the client's port. */
const connections = new Set<number>();
const server = fakeStreaming({
  count: 2,
  libraries: ['Films', 'Others'],
  fill: async (media) => {
    await makeLongFilm(media, 'Films', 'Film (2020)');
    await makeLongFilm(media, 'Others', 'Other (2021)');
  },
  opened: ({ http }) =>
    void http.server.server.on('connection', (socket) => {
      const { remotePort = 0 } = socket;
      connections.add(remotePort);
      socket.once('close', () => connections.delete(remotePort));
    }),
});
const { allow, open, viewer } = server;
let [film, library] = ['', ''];

const ask = (method: string, path: string, body?: unknown) => done(server.ask(method, path, body));
const link = async ({ token }: Viewer, purpose: 'media' | 'download') =>
  (await server.plan(film, '', token)).urls[purpose];

/** Whether the server still holds the connection of a stream. */
const isOpen = ({ port }: Stream): boolean => connections.has(port);

/** Whether the server ends a stream that is not read long before it would look again by itself. */
async function ends(stream: Stream): Promise<boolean> {
  const begun = performance.now();
  while (isOpen(stream) && performance.now() - begun < SOON_MS) await new Promise((resolve) => setTimeout(resolve, 10));
  return !isOpen(stream) && !(await isWhole(stream));
}

/** The film of a library, once the scan has found it. */
async function filmOf(name: string): Promise<{ film: string; library: string }> {
  const listed = async () =>
    ((await ask('GET', '/libraries')) as { items: { id: string; name: string }[] }).items.find(
      (one) => one.name === name,
    )?.id;
  const own = await until(`the library ${name}`, listed);
  const id = await until(
    `the film of ${name}`,
    async () => ((await ask('GET', `/library?library=${own}`)) as { items: { id: string }[] }).items[0]?.id,
  );
  return { film: id, library: own };
}

/** One change: what it concerns is opened by Kim, the same by Lou, whom it does not concern. */
interface Change {
  name: string;
  path?: 'media' | 'download';
  isLinked?: boolean;
  make(kim: Viewer): Promise<unknown>;
}
const rule = (kim: Viewer, access: string) => ask('PUT', `/profiles/${kim.id}/items/${film}`, { access });
const CHANGES: Change[] = [
  { name: 'taking the library', make: (kim) => allow(kim, { libraries: [] }) },
  { name: 'lowering the age', make: (kim) => allow(kim, { rating: 12, unrated: false }) },
  { name: 'hiding what is unrated', make: (kim) => allow(kim, { unrated: false }) },
  { name: 'hiding the film', make: (kim) => rule(kim, 'hidden') },
  {
    name: 'hiding the film behind a signed link',
    isLinked: true,
    make: (kim) => rule(kim, 'hidden'),
  },
  { name: 'closing the viewing window', make: (kim) => allow(kim, { windows: CLOSED_WINDOWS }) },
  { name: 'taking downloads', path: 'download', make: (kim) => allow(kim, { download: false }) },
  { name: 'taking the library of a signed link', isLinked: true, make: (kim) => allow(kim, { libraries: [] }) },
  {
    name: 'taking downloads of a signed link',
    path: 'download',
    isLinked: true,
    make: (kim) => allow(kim, { download: false }),
  },
  { name: 'removing the profile', make: (kim) => ask('DELETE', `/profiles/${kim.id}`) },
];

describe('an open stream', () => {
  for (const [n, { name, path = 'media', isLinked = false, make }] of CHANGES.entries()) {
    test(`ends within a second of ${name}`, async () => {
      ({ film, library } = await filmOf('Films'));
      const [kim, lou] = [await viewer(`Kim ${n}`), await viewer(`Lou ${n}`)];
      const openAs = async (person: Viewer) =>
        isLinked ? open(await link(person, path)) : open(`/${path}/${film}`, person.token);
      const [mine, others] = [await openAs(kim), await openAs(lou)];
      await allow(kim, { transcode: false });
      assert.deepEqual([isOpen(mine), isOpen(others)], [true, true]);
      await make(kim);
      assert.equal(await ends(mine), true, 'it continued');
      assert.equal(await isWhole(others), true, 'another stream was cut');
    });
  }

  test('continues while what was taken is another right than the one that opened it', async () => {
    const kim = await viewer('Kim');
    const stream = await open(`/media/${film}`, kim.token);
    await allow(kim, { download: false, transcode: false, remote: false, libraries: [library] });
    assert.equal(await isWhole(stream), true);
  });

  test('ends when a rescan rates the item above what its viewer may see', async () => {
    const [kim, lou] = [await viewer('Kim rated'), await viewer('Lou rated')];
    await allow(kim, { rating: 13 });
    await writeFile(
      join(server.house.media, 'Films', 'Film (2020)', 'Film (2020).nfo'),
      '<movie><title>Film</title><year>2020</year><mpaa>PG</mpaa></movie>',
    );
    await ask('POST', '/tasks/scan', {});
    await until(
      'the film to be seen',
      async () => (await server.house.call({ token: kim.token }, 'GET', `/api/v1/items/${film}`)).status === 200,
    );
    const [mine, others] = [await open(`/media/${film}`, kim.token), await open(`/media/${film}`, lou.token)];
    await writeFile(
      join(server.house.media, 'Films', 'Film (2020)', 'Film (2020).nfo'),
      '<movie><title>Film</title><year>2020</year><mpaa>R</mpaa></movie>',
    );
    await ask('POST', '/tasks/scan', {});
    await until(
      'the film to be hidden',
      async () => (await server.house.call({ token: kim.token }, 'GET', `/api/v1/items/${film}`)).status === 404,
    );
    assert.equal(await ends(mine), true, 'it continued');
    assert.equal(await isWhole(others), true, 'another stream was cut');
  });

  test('ends when an Owner rates the item by hand above the age of its viewer', async () => {
    const [kim, lou] = [await viewer('Kim by hand'), await viewer('Lou by hand')];
    const rate = (rating: string | null) => ask('PUT', `/items/${film}/certification`, { rating });
    await rate('6');
    await allow(kim, { rating: 6 });
    const [mine, others] = [await open(`/media/${film}`, kim.token), await open(`/media/${film}`, lou.token)];
    assert.equal(mine.reply.statusCode, 200);
    await rate('FSK 12');
    assert.equal(await ends(mine), true, 'it continued');
    assert.equal(await isWhole(others), true, 'another stream was cut');
    await rate(null);
  });

  test('is refused for a hidden item as for one that does not exist, by every route', async () => {
    const kim = await viewer('Kim hidden');
    await rule(kim, 'hidden');
    const { house } = server;
    const routes = house.mounted.filter(
      ({ endpoint: { method, path, access } }) =>
        method === 'GET' &&
        isForProfiles(access) &&
        access.role === 'viewer' &&
        /^\/(api\/v1\/(items|shows|subtitle-library)|media|subtitle|download|trickplay|hls)\/\{id\}/.test(path),
    );
    assert.ok(routes.length >= 8, `${routes.length} routes`);
    for (const { endpoint } of routes) {
      const answer = async (id: string) => {
        const path = endpoint.path
          .replace('{id}', id)
          .replace('{kind}', 'poster')
          .replaceAll(/\{\w+\}/g, 'index.m3u8');
        const { status, text } = await house.call({ token: kim.token }, 'GET', path);
        return [status, text.replaceAll(id, 'id')];
      };
      assert.deepEqual(await answer(film), await answer('0'.repeat(16)), endpoint.path);
    }
  });

  test('ends when its library is removed, and the others continue', async () => {
    const kim = await viewer('Kim removed');
    const other = await filmOf('Others');
    const [mine, others] = [await open(`/media/${other.film}`, kim.token), await open(`/media/${film}`, server.owner)];
    await ask('DELETE', `/libraries/${other.library}`);
    assert.equal(await ends(mine), true, 'it continued');
    assert.equal(await isWhole(others), true, 'another stream was cut');
  });
});
