/**
 * Segments that are being sent end with the right to them, over real sockets.
 *
 * The film has segments that are larger than sockets and buffers hold, so that one that nobody reads stays open. Each
 * change is made while two Viewers have the same segment open: the one it concerns is cut, the other comes whole.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { until } from './until.ts';
import { PASSWORD, type Reply, type World, world } from './world.ts';

const run = promisify(execFile);
/** Far above what an end takes, far below the half minute at which everything is looked at. */
const SOON_MS = 5_000;
const FREE = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true } as const;
const COPIED = 'containers=mp4&videoCodecs=h264&audioCodecs=aac';
const CONVERTED = `${COPIED}&maxAudioChannels=1`;

let house: World;
let port: number;
let owner: string;
let film: string;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

interface Person {
  id: string;
  token: string;
}
interface Stream {
  reply: IncomingMessage;
  closed: Promise<void>;
  session: string;
  url: string;
}

const ask = async (method: string, path: string, body?: unknown, token = owner): Promise<Reply> => house.call({ token }, method, `/api/v1${path}`, body);
const done = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  assert.ok(status < 300, `${status} ${text}`);
  return body;
};
const allow = ({ id }: Person, policy: object) => done(ask('PUT', `/profiles/${id}`, { policy: { ...FREE, ...policy } }));

async function viewer(name: string): Promise<Person> {
  const { id } = (await done(ask('POST', '/profiles', { name, password: PASSWORD, policy: FREE }))) as { id: string };
  const signed = await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD });
  return { id, token: String(signed.body['token']) };
}

/** Opens the first video segment, reads its first byte, and no more until `finish`. */
async function open({ token }: Person, query: string): Promise<Stream> {
  const body = await done(ask('GET', `/items/${film}/playback?${query}`, undefined, token));
  const url = (body['urls'] as { hls: string }).hls.replace('master.m3u8', 'v0-0.m4s');
  const reply = await new Promise<IncomingMessage>((resolve, reject) => void get({ host: '127.0.0.1', port, path: url, agent: false }, resolve).on('error', reject));
  assert.equal(reply.statusCode, 200);
  const closed = new Promise<void>((resolve) => reply.once('close', () => resolve()));
  reply.on('error', () => {});
  await new Promise<void>((resolve) => reply.once('readable', () => (reply.read(1), resolve())));
  return { reply, closed, session: String(body['session']), url };
}

/** Reads to the end, and tells whether that is the end of the segment. */
async function isWhole({ reply, closed }: Stream): Promise<boolean> {
  reply.resume();
  await closed;
  return reply.complete;
}
/** Whether the server cuts a stream soon. What is buffered is read, because a reader learns of the end behind it. */
async function isCut(stream: Stream): Promise<boolean> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), SOON_MS);
  const end = await Promise.race([isWhole(stream), late.promise]);
  clearTimeout(timer);
  return end === false;
}

before(async () => {
  house = await world(together, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: async (media) => {
      await mkdir(join(media, 'Films', 'Film (2020)'), { recursive: true });
      // Filler makes 100 Mbit/s of a small picture in an instant: 48 MiB in four seconds.
      await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=s=320x180:r=25:d=8', '-f', 'lavfi', '-i', 'sine=d=8', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '100', '-keyint_min', '100', '-b:v', '100M', '-maxrate', '100M', '-bufsize', '100M', '-x264-params', 'nal-hrd=cbr:filler=1', '-c:a', 'aac', '-ac', '2', join(media, 'Films', 'Film (2020)', 'Film (2020).mkv')]);
    },
  });
  owner = String((await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token']);
  await house.start();
  await done(ask('PUT', '/configuration/libraries', { value: JSON.stringify([{ name: 'Films', path: join(house.media, 'Films'), kind: 'movies' }]) }));
  port = ((await house.http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo).port;
  film = await until('the film', async () => ((await done(ask('GET', '/library')))['items'] as { id: string }[])[0]?.id);
});
after(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What is done to Kim, and what Kim's player gets from then on. */
const CHANGES: readonly { name: string; query?: string; make(kim: Person, stream: Stream): Promise<unknown>; status: number }[] = [
  { name: 'an Owner who stops it', make: (_, { session }) => done(ask('DELETE', `/playback-sessions/${session}`)), status: 410 },
  { name: 'taking the library', make: (kim) => allow(kim, { libraries: [] }), status: 404 },
  { name: 'closing the viewing window', make: (kim) => allow(kim, { windows: [{ days: ['monday'], start: '03:00', end: '04:00', timeZone: 'Etc/UTC' }] }), status: 403 },
  { name: 'signing out', make: ({ token }) => done(ask('DELETE', '/session', undefined, token)), status: 401 },
  { name: 'removing the profile', make: ({ id }) => done(ask('DELETE', `/profiles/${id}`)), status: 401 },
  { name: 'taking conversions from one who has its sound converted', query: CONVERTED, make: (kim) => allow(kim, { transcode: false }), status: 410 },
];

describe('a segment', () => {
  for (const [n, { name, query = COPIED, make, status }] of CHANGES.entries()) {
    test(`ends within a second of ${name}`, async () => {
      const [kim, lou] = [await viewer(`Kim ${n}`), await viewer(`Lou ${n}`)];
      const [mine, others] = [await open(kim, query), await open(lou, query)];
      await allow(kim, { download: false });
      assert.deepEqual([mine.reply.destroyed, others.reply.destroyed], [false, false]);
      await make(kim, mine);
      assert.equal(await isCut(mine), true, 'it continued');
      assert.equal((await house.call(undefined, 'GET', mine.url)).status, status);
      assert.equal(await isWhole(others), true, 'another stream was cut');
    });
  }

  test('continues while what was taken is another right', async () => {
    const kim = await viewer('Kim copied');
    const stream = await open(kim, COPIED);
    await allow(kim, { download: false, transcode: false });
    assert.equal(await isWhole(stream), true);
    const refused = await ask('GET', `/items/${film}/playback?${CONVERTED}`, undefined, kim.token);
    assert.deepEqual([refused.status, (refused.body['reasons'] as { code: string }[]).map(({ code }) => code).includes('policy-transcode')], [403, true]);
  });
});
