/**
 * Many viewers on one machine: all who watch the same film in the same form share one encoder, and who would be one
 * too many is refused with a reason, while those who watch go on.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { videoEncodersOf } from './processes.ts';
import { until } from './until.ts';
import { PASSWORD, type Reply, type World, startWorld } from './world.ts';

const VIEWERS = 20;
/** Conversions that a profile may have at a time. */
const OF_A_PROFILE = 3;
/** Conversions of video that this machine takes at a time. */
const PLACES = Math.max(1, Math.floor(availableParallelism() / 2));
const FILMS = PLACES + 3;
/** Longer than encoders run ahead, so that each of them is held and alive. */
const SECONDS = 120;

let house: World;
let owner: string;
/** A token for each device. */
const devices: string[] = [];
const films: string[] = [];
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

const ask = async (method: string, path: string, body?: unknown, token = owner): Promise<Reply> =>
  house.call({ token }, method, `/api/v1${path}`, body);
const done = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  assert.ok(status < 300, `${status} ${text}`);
  return body;
};

before(async () => {
  house = await startWorld(together, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: async (media) => {
      const pathOf = (n: number) => join(media, 'Films', `Film ${n} (2020)`, `Film ${n} (2020).mkv`);
      for (let n = 0; n < FILMS; n++) await mkdir(join(media, 'Films', `Film ${n} (2020)`), { recursive: true });
      await promisify(execFile)('ffmpeg', [
        '-nostdin',
        '-v',
        'error',
        '-f',
        'lavfi',
        '-i',
        `testsrc2=s=160x90:r=8:d=${SECONDS}`,
        '-f',
        'lavfi',
        '-i',
        `sine=d=${SECONDS}`,
        '-c:v',
        'mpeg4',
        '-b:v',
        '600k',
        '-c:a',
        'aac',
        pathOf(0),
      ]);
      for (let n = 1; n < FILMS; n++) await copyFile(pathOf(0), pathOf(n));
    },
  });
  owner = String(
    (await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
  );
  await house.start();
  await done(
    ask('PUT', '/configuration/libraries', {
      value: JSON.stringify([{ name: 'Films', path: join(house.media, 'Films'), kind: 'movies' }]),
    }),
  );
  const policy = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true };
  for (let n = 0; n < Math.max(VIEWERS, FILMS); n++) {
    const name = `Viewer ${Math.floor(n / OF_A_PROFILE)}`;
    if (n % OF_A_PROFILE === 0) await done(ask('POST', '/profiles', { name, password: PASSWORD, policy }));
    devices.push(
      String((await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD })).body['token']),
    );
  }
  await until('the films', async () => {
    const { items } = (await done(ask('GET', '/library'))) as unknown as { items: { id: string }[] };
    films.splice(0, films.length, ...items.map(({ id }) => id));
    return films.length === FILMS ? true : undefined;
  });
});
afterEach(async () => {
  const { items } = (await done(ask('GET', '/playback-sessions'))) as unknown as { items: { id: string }[] };
  for (const { id } of items) await done(ask('DELETE', `/playback-sessions/${id}`));
  await until('the end of all encoders', () => encoders().length === 0);
});
after(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const encoders = () => videoEncodersOf(process.pid).map(({ pid }) => pid);
const plan = (film: number, device: number): Promise<Reply> =>
  ask(
    'GET',
    `/items/${films[film]}/playback?containers=mp4&videoCodecs=h264&audioCodecs=aac`,
    undefined,
    devices[device],
  );
/** Opens a film as far as its playlists, and returns what asks for its segments. */
async function open(film: number, device: number): Promise<(n: number) => Promise<Reply>> {
  const { mode, urls } = (await done(plan(film, device))) as unknown as { mode: string; urls: { hls: string } };
  assert.equal(mode, 'transcode');
  const segment = (n: number) => house.call(undefined, 'GET', urls.hls.replace('master.m3u8', `v0-${n}.m4s`));
  assert.equal((await house.call(undefined, 'GET', urls.hls)).status, 200);
  return segment;
}

test('twenty viewers of a converted film share one encoder, whenever they come', async () => {
  const first = await open(0, 0);
  const wanted = await first(0);
  assert.equal(wanted.status, 200);
  const [encoder] = encoders();
  const others = await Promise.all(Array.from({ length: VIEWERS - 1 }, (_, n) => open(0, n + 1)));
  for (const k of [0, 1, 2, 3]) {
    const replies = await Promise.all([first, ...others].map((segment) => segment(k)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1, `segment ${k} is the same for all`);
    assert.deepEqual(encoders(), [encoder], `segment ${k}`);
  }
  // Beyond what the encoder has made, the one who has the place may go; for the others there is none.
  const far = await others[0]?.(SECONDS / 2 - 1);
  assert.deepEqual([far?.status, far?.body['reason']], [503, 'too-busy']);
  assert.equal((await first(SECONDS / 2 - 1)).status, 200);
  assert.equal((await others[0]?.(4))?.status, 200, 'the others go on where they are');
});

test('of films started at the same time, those over the limit are refused and the others play', async () => {
  // All are planned while nothing runs yet. Of the first film there are segments already.
  const opened = await Promise.all(Array.from({ length: FILMS - 1 }, (_, n) => open(n + 1, n)));
  const replies = await Promise.all(opened.map((segment) => segment(0)));
  const playing = opened.filter((_, n) => replies[n]?.status === 200);
  const refused = replies.filter(({ status }) => status !== 200);
  assert.deepEqual([playing.length, refused.length], [PLACES, FILMS - 1 - PLACES]);
  for (const { status, body, headers } of refused) {
    assert.deepEqual(
      [status, body['error'], body['reason']],
      [503, 'this server is converting as many films as it can', 'too-busy'],
    );
    assert.match(String(headers['retry-after']), /^\d+$/);
  }
  assert.equal(encoders().length, PLACES);
  const late = await plan(FILMS - 1, FILMS - 1);
  assert.deepEqual([late.status, late.body['reason']], [409, 'busy'], 'a further plan says so at once');
  for (const segment of playing)
    for (const k of [1, 30, 2]) assert.equal((await segment(k)).status, 200, 'whoever plays may go anywhere');

  // A place that is given up is there for the next.
  const { items } = (await done(ask('GET', '/playback-sessions'))) as unknown as {
    items: { id: string; item: { id: string } }[];
  };
  const first = replies.findIndex(({ status }) => status === 200);
  for (const { id, item } of items)
    if (item.id === films[first + 1]) await done(ask('DELETE', `/playback-sessions/${id}`));
  const next = replies.findIndex(({ status }) => status !== 200);
  assert.equal((await opened[next]?.(0))?.status, 200);
});
