/**
 * Playback sessions over real sockets: who plays what is shown to Owners, and what is stopped, revoked or too much ends
 * within a second and says so. Each stream is read no further than its first bytes, so that it stays open.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CLOSED_WINDOWS,
  done,
  FREE,
  isCut,
  isWhole,
  makeLongFilm,
  type Stream,
  fakeStreaming,
  type Viewer,
} from './streaming.ts';
import { until } from './until.ts';
import { PASSWORD } from './world.ts';

const SRT = '1\n00:00:00,500 --> 00:00:01,500\nGood evening.\n';
const server = fakeStreaming({
  fill: async (media) => {
    await makeLongFilm(media, 'Films', 'Film (2020)');
    await writeFile(join(media, 'Films/Film (2020)/Film (2020).en.srt'), SRT);
  },
  count: 1,
});
const { ask, open, viewer } = server;

async function plan({ token }: Viewer, query = ''): Promise<{ session: string; url: string }> {
  const { session, urls } = await server.plan(server.film, query, token);
  return { session, url: urls.media };
}
const sessions = async () =>
  (await done(ask('GET', '/playback-sessions')))['items'] as {
    id: string;
    profile: { id: string; name: string };
    device: string;
    item: { id: string };
    way: string;
    position: number;
    duration: number;
    active: boolean;
  }[];

test('an Owner sees who plays what, from the first byte on, and where they are', async () => {
  const kim = await viewer('Kim');
  const { session, url } = await plan(kim);
  assert.deepEqual(await sessions(), [], 'a plan alone is no playback');
  const stream = await open(url);
  const [shown] = await sessions();
  assert.deepEqual(
    [shown?.id, shown?.profile, shown?.device, shown?.item.id, shown?.way, shown?.position, shown?.active],
    [session, { id: kim.id, name: 'Kim' }, "Kim's tablet", server.film, 'direct', 0, true],
  );
  await done(ask('PUT', `/items/${server.film}/progress`, { position: 1.2, session, sequence: 1 }, kim.token));
  await until('the position', async () => ((await sessions())[0]?.position === 1.2 ? true : undefined));
  await done(
    ask('PUT', `/items/${server.film}/progress`, { position: 1.4, session: 'another-session', sequence: 1 }, kim.token),
  );
  assert.equal((await sessions())[0]?.position, 1.2, 'what another player reports is not where this one is');
  assert.equal((await ask('GET', '/playback-sessions', undefined, kim.token)).status, 403);
  await done(ask('DELETE', `/playback-sessions/${session}`, undefined, kim.token));
  assert.equal(await isCut(stream), true);
  assert.deepEqual(await sessions(), []);
});

test('the timing audit of subtitles waits while something is played', async () => {
  await until('the inventory', async () => (await done(ask('GET', '/subtitle-audit')))['pending'] === 1);
  const kim = await viewer('Kim watches');
  const { session, url } = await plan(kim);
  const stream = await open(url);
  const { id } = await done(ask('POST', '/tasks/audit', {}));
  const task = () => done(ask('GET', `/tasks/${String(id)}`));
  const WAITS = /waiting while something is played/;
  const reached = await until('it waits, or is done', async () => {
    const now = await task();
    return now['state'] === 'done' || WAITS.test(String(now['detail'])) ? now : undefined;
  });
  assert.match(String(reached['detail']), WAITS);
  assert.equal((await done(ask('GET', '/subtitle-audit')))['pending'], 1, 'nothing is judged meanwhile');
  await done(ask('DELETE', `/playback-sessions/${session}`, undefined, kim.token));
  assert.equal(await isCut(stream), true);
  await until('the end', async () => (await task())['state'] === 'done');
  assert.equal((await done(ask('GET', '/subtitle-audit')))['pending'], 0);
});

test('progress stays on the timeline of its session', async () => {
  const kim = await viewer('Kim reports');
  const { session } = await plan(kim);
  const report = async (position: number, more = {}) =>
    done(ask('PUT', `/items/${server.film}/progress`, { position, ...more }, kim.token)) as Promise<{
      position: number;
      watched: boolean;
    }>;
  // The film has two seconds.
  assert.deepEqual(
    [(await report(1.3, { session, sequence: 3 })).watched, (await report(60, { session, sequence: 4 })).watched],
    [false, true],
  );
  assert.equal(
    (await ask('PUT', `/items/${server.film}/progress`, { position: 1, session, sequence: 4 }, kim.token)).status,
    409,
    'a late report',
  );
  const shown = await until('the end', async () =>
    (await sessions()).find(({ id, position }) => id === session && position > 1.3),
  );
  assert.ok(shown.position <= 2.1, `${shown.position} is beyond the end`);
  await done(ask('DELETE', `/playback-sessions/${session}`, undefined, kim.token));
});

test('an Owner stops a stream within a second, and its player is told why', async () => {
  const [kim, lou] = [await viewer('Kim stopped'), await viewer('Lou plays')];
  const [mine, others] = [await plan(kim), await plan(lou)];
  const [stream, other] = [await open(mine.url), await open(others.url)];
  assert.equal(
    (await ask('DELETE', `/playback-sessions/${mine.session}`, undefined, lou.token)).status,
    404,
    'it is not hers',
  );
  assert.equal((await ask('DELETE', `/playback-sessions/${'0'.repeat(16)}`)).status, 404);
  assert.equal((await ask('DELETE', `/playback-sessions/${mine.session}`)).status, 204);
  assert.equal(await isCut(stream), true, 'it continued');
  const again = await server.house.call(undefined, 'GET', mine.url);
  assert.deepEqual(
    [again.status, again.body],
    [410, { error: 'playback was stopped by the owner of this server', reason: 'playback-ended' }],
  );
  assert.equal((await ask('DELETE', `/playback-sessions/${mine.session}`)).status, 404, 'it has ended already');
  const next = await plan(kim, `session=${mine.session}`);
  assert.notEqual(next.session, mine.session, 'what was stopped is not taken up again');
  assert.equal(await isWhole(other), true, 'another stream was cut');
});

test('a session is bound to its item and its Profile, and so is its ticket', async () => {
  const [kim, lou] = [await viewer('Kim bound'), await viewer('Lou bound')];
  const [mine, others] = [await plan(kim), await plan(lou)];
  const exchanged = mine.url.replace(mine.session, others.session);
  const reply = await server.house.call(undefined, 'GET', exchanged);
  assert.deepEqual([reply.status, reply.body], [404, { error: 'no such session', reason: 'no-such-playback' }]);
  assert.equal(
    (await server.house.call({ token: lou.token }, 'GET', `/media/${server.film}?session=${mine.session}`)).status,
    404,
  );
  assert.equal(
    (await server.house.call(undefined, 'GET', mine.url.replace(server.film, 'f'.repeat(16)))).status,
    401,
    'a link to one item opens no other',
  );
  assert.equal(
    (await plan(lou, `session=${mine.session}`)).session === mine.session,
    false,
    'a plan does not take over the session of somebody else',
  );
});

test('the seventh stream of a profile is refused with a sentence, until one of them ends', async () => {
  const kim = await viewer('Kim many');
  // A device plays one film at a time: these are seven.
  const devices = await Promise.all(
    Array.from({ length: 7 }, () =>
      server.house.call(undefined, 'POST', '/api/v1/session', { name: 'Kim many', password: PASSWORD }),
    ),
  );
  const plans = await Promise.all(devices.map(({ body }) => plan({ ...kim, token: String(body['token']) })));
  const streams: Stream[] = [];
  for (const { url } of plans.slice(0, 6)) streams.push(await open(url));
  const last = plans[6]?.url ?? '';
  const refused = await server.house.call(undefined, 'GET', last);
  assert.deepEqual(
    [refused.status, refused.body],
    [409, { error: 'this profile plays 6 streams already; stop one of them first', reason: 'limit' }],
  );
  const planned = await ask('GET', `/items/${server.film}/playback`, undefined, kim.token);
  assert.deepEqual([planned.status, planned.body['reason']], [409, 'limit']);
  await done(ask('DELETE', `/playback-sessions/${plans[0]?.session}`, undefined, kim.token));
  streams.push(await open(last));
  for (const { reply } of streams) reply.destroy();
});

/** Actions that end the streams of a Profile, and the later replies to the player. */
const ENDS: readonly { name: string; make(kim: Viewer): Promise<unknown>; status: number }[] = [
  { name: 'signing out', make: ({ token }) => done(ask('DELETE', '/session', undefined, token)), status: 401 },
  {
    name: 'an Owner who takes the library',
    make: ({ id }) => done(ask('PUT', `/profiles/${id}`, { policy: { ...FREE, libraries: [] } })),
    status: 404,
  },
  {
    name: 'the viewing window',
    make: ({ id }) => done(ask('PUT', `/profiles/${id}`, { policy: { ...FREE, windows: CLOSED_WINDOWS } })),
    status: 403,
  },
  { name: 'the removal of the profile', make: ({ id }) => done(ask('DELETE', `/profiles/${id}`)), status: 401 },
];
for (const [n, { name, make, status }] of ENDS.entries()) {
  test(`a session ends with ${name}`, async () => {
    const [kim, lou] = [await viewer(`Kim ends ${n}`), await viewer(`Lou ends ${n}`)];
    const [mine, others] = [await plan(kim), await plan(lou)];
    const [stream, other] = [await open(mine.url), await open(others.url)];
    await make(kim);
    assert.equal(await isCut(stream), true, 'it continued');
    assert.deepEqual(
      (await sessions()).filter(({ id }) => id === mine.session || id === others.session).map(({ id }) => id),
      [others.session],
    );
    assert.equal((await server.house.call(undefined, 'GET', mine.url)).status, status);
    other.reply.destroy();
  });
}
