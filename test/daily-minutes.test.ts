/**
 * Minutes for each day on the whole server, over real sockets: what plays ends when they are used up, also when it is
 * one long request, after a restart, and on the days of the time zone of the household.
 *
 * The test moves the clock and the timers with which the server counts, five seconds at a time.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { FREE, isCut, openStream, type PlannedStream, type Stream } from './streaming.ts';
import { until } from './until.ts';
import { fakeClock, makeClip, PASSWORD, startWorld, type TestClock, type World } from './world.ts';

/** How often the server counts. */
const COUNT_MS = 5_000;
/** More than a player takes in all steps of a test; the file has no blocks on the disk for it. */
const FILM_BYTES = 1024 * 1024 * 1024;
/** Bytes that the player takes in each step: more than sockets hold, so that the server reads on. */
const STEP_BYTES = 12 * 1024 * 1024;
const DAILY = { minutes: 2, timeZone: 'Europe/Zurich', resetsAt: '00:00' };

interface House {
  readonly world: World;
  /** Opens the film as a player that has it by one request. */
  play(): Promise<Stream & { session: string }>;
  /** Plans the film for a player that needs it repacked. Returns the names of its files, and what gets one. */
  repacked(): Promise<{ names: string[]; fetch(name: string): Promise<{ status: number; reason: unknown }> }>;
  /** Reason for which a plan is refused; undefined if it is made. */
  refusal(): Promise<unknown>;
  /** Seconds of today. */
  time(): Promise<{ used: number; left: number }>;
  /** Lets a player take its bytes for so many seconds. Returns those after which its stream was cut, if it was. */
  watch(stream: Stream, seconds: number): Promise<number | undefined>;
  /** Lets time pass without a player that takes bytes. */
  pass(seconds: number): void;
  report(stream: Stream & { session: string }, paused: boolean): Promise<void>;
  restart(): Promise<void>;
}

/** Makes a film of so many seconds that has few bits in each. */
async function makeSlowFilm(path: string, seconds: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const picture = ['-f', 'lavfi', '-i', `color=s=64x64:r=1:d=${seconds}`];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...picture, ...codec, path]);
}

async function openHouse(
  t: TestContext,
  start: string,
  [make, bytes] = [makeClip, FILM_BYTES] as [(path: string) => Promise<void>, number],
): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-daily-'));
  let passed = 0;
  const wall = fakeClock(Date.parse(start));
  const clock: TestClock = {
    now: wall.now,
    monotonic: () => passed,
    pass: (ms) => (wall.pass(ms), void (passed += ms)),
  };
  t.mock.timers.enable({ apis: ['setInterval'] });
  const env = { SERVICE_REQUIRE_MFA: 'false' };
  const listen = async (world: World): Promise<string> => {
    await world.start();
    return `http://127.0.0.1:${((await world.http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo).port}`;
  };
  const fill = async (media: string): Promise<void> => {
    const path = join(media, 'Film (2020)', 'Film (2020).mp4');
    await make(path);
    await truncate(path, bytes);
  };
  let world = await startWorld(t, { env, after: { folder, clock }, fill });
  t.after(() => rm(folder, { recursive: true, force: true }));
  let origin = await listen(world);
  const call = async (token: string | undefined, method: string, path: string, body?: unknown) => {
    const reply = await world.call(token === undefined ? undefined : { token }, method, `/api/v1${path}`, body);
    return { status: reply.status, ...reply.body } as { status: number } & Record<string, unknown>;
  };
  const owner = String((await call(undefined, 'POST', '/setup', { name: 'Ada', password: PASSWORD }))['token']);
  await call(owner, 'POST', '/tasks/scan', {});
  const film = await until('the film', async () => {
    const { items } = (await call(owner, 'GET', '/library')) as unknown as { items: { id: string }[] };
    return items[0]?.id;
  });
  const policy = { ...FREE, daily: DAILY };
  assert.equal((await call(owner, 'POST', '/profiles', { name: 'Mia', password: PASSWORD, policy })).status, 201);
  const child = String((await call(undefined, 'POST', '/session', { name: 'Mia', password: PASSWORD }))['token']);
  const plan = (containers = 'mp4') =>
    call(child, 'GET', `/items/${film}/playback?containers=${containers}&videoCodecs=h264&audioCodecs=aac`);

  const time: House['time'] = async () =>
    (await call(child, 'GET', '/me/time'))['limit'] as Awaited<ReturnType<House['time']>>;

  return {
    get world() {
      return world;
    },
    play: async () => {
      const { session, mode } = (await plan()) as unknown as PlannedStream;
      assert.equal(mode, 'direct');
      return { ...(await openStream(`${origin}/media/${film}?session=${session}`, child)), session };
    },
    repacked: async () => {
      const { session, mode } = (await plan('webm')) as unknown as PlannedStream;
      assert.notEqual(mode, 'direct');
      const get = (name: string) => world.call({ token: child }, 'GET', `/hls/${film}/${name}?session=${session}`);
      const { text } = await get('v0.m3u8');
      return {
        names: [...text.matchAll(/^v0-\d+\.m4s/gm)].map(([name]) => name),
        fetch: async (name) => {
          const { status, body } = await get(name);
          return { status, reason: body['reason'] };
        },
      };
    },
    refusal: async () => (await plan())['reason'],
    time,
    pass: (seconds) => (clock.pass(seconds * 1000), t.mock.timers.tick(seconds * 1000)),
    report: async (stream, paused) => {
      const body = { position: 1, paused, session: stream.session };
      assert.equal((await call(child, 'PUT', `/items/${film}/progress`, body)).status, 200);
    },
    watch: async (stream, seconds) => {
      for (let at = COUNT_MS / 1000; at <= seconds; at += COUNT_MS / 1000) {
        await take(stream);
        clock.pass(COUNT_MS);
        t.mock.timers.tick(COUNT_MS);
        if ((await time()).left === 0) return (await isCut(stream)) ? at : undefined;
      }
      return undefined;
    },
    restart: async () => {
      await world.close();
      world = await startWorld(t, { env, after: world });
      origin = await listen(world);
    },
  };
}

/** Takes bytes as a player does that has shown those before. */
async function take({ reply }: Stream): Promise<void> {
  for (let left = STEP_BYTES; left > 0;) {
    const bytes = reply.read() as Buffer | null;
    if (bytes) left -= bytes.length;
    else await once(reply, 'readable');
  }
}

test('a film that is one long request ends with the minutes of the day, and no other begins', async (t) => {
  const house = await openHouse(t, '2026-11-20T12:00:00Z');
  // A film that begins between two counts is counted from the second on.
  assert.equal(await house.watch(await house.play(), 180), 120 + 5, 'seconds until it was cut');
  assert.equal(await house.refusal(), 'watch-time-over');
});

test('minutes that were used before a restart are used after it', async (t) => {
  const house = await openHouse(t, '2026-11-20T12:00:00Z');
  const stream = await house.play();
  assert.equal(await house.watch(stream, 65), undefined);
  stream.reply.destroy();
  await house.restart();
  assert.equal((await house.time()).used, 60);
  assert.equal(await house.watch(await house.play(), 180), 60 + 5, 'seconds until it was cut');
});

test('a day begins at midnight of the household: minutes are whole again, and what plays continues', async (t) => {
  // 23:58:30 in Zurich; in UTC the day is an hour longer.
  const house = await openHouse(t, '2026-11-20T22:58:30Z');
  const stream = await house.play();
  assert.equal(await house.watch(stream, 85), undefined);
  assert.equal((await house.time()).used, 80);
  assert.equal(await house.watch(stream, 30), undefined, 'midnight passes');
  assert.equal((await house.time()).used, 30);
  assert.equal(await house.watch(stream, 180), 90, 'seconds until it was cut');
});

/** A film of ten minutes with the same number of bytes in every second. */
const SLOW = { seconds: 600, bytes: 48 * 1024 * 1024 };
const openSlowHouse = (t: TestContext): Promise<House> =>
  openHouse(t, '2026-11-20T12:00:00Z', [(path) => makeSlowFilm(path, SLOW.seconds), SLOW.bytes]);

test('a player that takes all it can and reports a pause gets a file little faster than it plays', async (t) => {
  const house = await openSlowHouse(t);
  const stream = await house.play();
  await house.report(stream, true);
  let taken = 1;
  stream.reply.on('data', (bytes: Buffer) => void (taken += bytes.length));
  // As long as nothing is counted, it may have 90 seconds ahead, and then half as much again as has passed.
  for (let passed = 0; passed < 60; passed += 5) {
    const due = ((90 + 1.5 * passed) / SLOW.seconds) * SLOW.bytes;
    await until('the bytes of this time', () => taken >= due);
    const { used } = await house.time();
    assert.ok(used <= 1.5 * passed + 30, `${used} counted after ${passed}`);
    house.pass(5);
    if (passed % 20 === 0) await house.report(stream, true);
  }
  assert.ok((await house.time()).used >= 60, 'a pause that is reported takes nothing from what was sent');
  for (let passed = 60; passed < 120 && (await house.time()).left > 0; passed += 5) {
    const due = ((90 + 1.5 * passed) / SLOW.seconds) * SLOW.bytes;
    await until('the bytes of this time', async () => taken >= due || (await house.time()).left === 0);
    house.pass(5);
  }
  assert.ok(await isCut(stream));
  assert.equal(await house.refusal(), 'watch-time-over');
});

test('a film that is fetched piece by piece at once is counted at once, and ends', async (t) => {
  const house = await openSlowHouse(t);
  const { names, fetch } = await house.repacked();
  let sent = 0;
  for (const name of names) {
    const { status, reason } = await fetch(name);
    if (status !== 200) {
      assert.equal(reason, 'playback-ended');
      break;
    }
    sent += 1;
  }
  assert.ok(sent > 1 && sent < names.length / 2, `${sent} of ${names.length}`);
  assert.equal(await house.refusal(), 'watch-time-over');
});
