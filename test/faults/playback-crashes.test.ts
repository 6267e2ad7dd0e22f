/**
 * The real server is killed at every step of what playback writes: segments, walked indexes, preview pictures, sessions
 * and markers. After the next start the same session plays on with whole segments, and no stray file remains.
 *
 * One server is both what is looked at after a crash and what is killed next, so that each point costs one start.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { get as openStream, type IncomingMessage } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { CRASH_POINTS, type CrashPoint } from '../../src/lib/crash.ts';
import { until } from '../until.ts';
import type { CrashOrder } from './arm.ts';
import { ask, type Child } from './child.ts';
import { arm } from './crash.ts';
import { databaseWrong, walk } from './damage.ts';
import { listed, makeHousehold, PASSWORD, scan } from './household.ts';
import {
  encodersBelow,
  type Get,
  isRunning,
  makeFilm,
  plan,
  type PlannedPlayback,
  playWhole,
  RATE,
  type Segments,
  segmentsOf,
  wanted,
} from './viewer.ts';

const SECONDS = 5;
const PICTURES = SECONDS * RATE;
/** Nothing is written yet before the first of them; what they leave differs. */
const STEPS = ['files.write.written', 'files.write.renamed'] as const;
const house = makeHousehold({ films: 0 });
const orders = join(house.home, 'orders.json');
const reached = new Set<CrashPoint>();
const ids = new Map<string, string>();
let child: Child;

const path = (title: string, extension = 'mkv'): string =>
  join(house.media, `${title} (2001)`, `${title} (2001).${extension}`);
const get: Get = async (at) => house.ask(child, 'GET', at);
const idOf = (title: string): string => ids.get(title) ?? assert.fail(`${title} is not in the library`);

before(async () => {
  const models = {
    Converted: join(house.home, 'converted.mkv'),
    Copied: join(house.home, 'copied.mkv'),
    Recording: join(house.home, 'recording.ts'),
  };
  await Promise.all([
    makeFilm(models.Converted, { video: 'mpeg4', seconds: SECONDS }),
    makeFilm(models.Copied, { video: 'h264', seconds: SECONDS }),
    makeFilm(models.Recording, { video: 'h264', seconds: SECONDS }),
    makeFilm(path('Large'), { video: 'h264', seconds: SECONDS, size: '1280x720', isNoise: true }),
    makeFilm(path('Held'), { video: 'mpeg4', seconds: 90, size: '480x270', isNoise: true }),
  ]);
  // Each crash has a separate film that is not cached yet.
  for (const [name, model, count] of [
    ['Converted', models.Converted, 5],
    ['Copied', models.Copied, 3],
    ['Recording', models.Recording, 2],
  ] as const) {
    for (let n = 0; n < count; n++) {
      const to = path(`${name} ${'ABCDE'[n]}`, model.split('.').at(-1));
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(model, to);
    }
  }
  await start();
  const made = await ask<{ token: string }>(child, 'POST', '/api/v1/setup', {
    body: { name: 'Ada', password: PASSWORD },
  });
  house.ledger.token = made.body.token;
  await scan(house, child);
  for (const { id, title } of await listed(house, child, 'movies')) ids.set(title, id);
  assert.equal(ids.size, 12);
});
after(() => house.remove());

/** Starts the server, which may be armed later, or at once. */
async function start(env: Record<string, string> = {}): Promise<boolean> {
  child = await house.start({ env: { CRASH_ORDERS: orders, ...env } });
  return child.ready;
}
async function ended(at: string): Promise<void> {
  let end: Awaited<Child['ended']> | undefined;
  void child.ended.then((how) => (end = how));
  await until(`the death of the server at ${at}`, () => end !== undefined);
  assert.equal(end?.signal, 'SIGKILL', child.output());
}

/** Has the server killed at a point while it is driven there, and starts it again. */
async function killed(order: CrashOrder & { at: CrashPoint }, drive: () => Promise<unknown>): Promise<void> {
  await arm(child, orders, order);
  await drive().catch((error: unknown) => {
    // A request that the death of the server cut off.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  });
  await ended(order.at);
  reached.add(order.at);
  assert.ok(await start(), child.output());
}

/** Lists leftovers in the folders of the server. */
function strays(): string[] {
  const cache = walk(house.cache).filter(
    (one) =>
      !one.startsWith('compiled') &&
      !/^(streams\/[0-9a-f]{40}\/\d+\.m4s|indexes\/[0-9a-f]{40}\.\w+|trickplay\/[0-9a-f]{40}\.pictures|art\/.*|subtitles\/.*)$/.test(
        one,
      ),
  );
  return [
    ...cache,
    ...walk(house.data).filter((one) => one.includes('.part')),
    ...walk(house.media).filter((one) => !/\.(mkv|ts)$/.test(one)),
  ];
}
const sound = (at: string): void =>
  assert.deepEqual([...strays(), ...databaseWrong(join(house.data, 'matinee.db'))], [], at);

/** Starts to play a film, with everything that is asked for first. */
async function begun(title: string, mode: string): Promise<PlannedPlayback & Segments> {
  const planned = await plan(get, idOf(title));
  assert.equal(planned.mode, mode);
  return { ...planned, ...(await segmentsOf(get, planned)) };
}

test('killed at every step of keeping a segment', async () => {
  const points = [
    { at: 'playback.segment.made', nth: 2 },
    { at: 'files.write.opened', path: '/streams/' },
    { at: 'files.write.written', nth: 2, path: '/streams/' },
    { at: 'files.write.renamed', path: '/streams/' },
  ] as const;
  for (const [n, point] of points.entries()) {
    const playing = await begun(`Converted ${'ABCD'[n]}`, 'transcode');
    await killed(point, () => playWhole(get, playing));
    assert.equal(await playWhole(get, playing), PICTURES, `${point.at}: the same session plays to its end`);
    await until(`only whole segments after ${point.at}`, () => strays().length === 0);
    sound(point.at);
  }
});

test('killed while it clears away what an earlier crash left', async () => {
  const [stream = ''] = readdirSync(join(house.cache, 'streams'));
  const left = ['.matinee-0123456789abcdef.part', '.matinee-0123456789abcdee.part'].map((name) =>
    join(house.cache, 'streams', stream, name),
  );
  await child.kill();
  for (const name of left) writeFileSync(name, 'half of a segment');
  await start({ CRASH_AT: 'files.remove.unlinked', CRASH_PATH: '/streams/' });
  await ended('files.remove.unlinked');
  reached.add('files.remove.unlinked');
  assert.equal(left.filter((name) => existsSync(name)).length, 1);
  assert.ok(await start(), child.output());
  await until('the rest to be cleared away', () => strays().length === 0);
});

test('killed while it drops the segments of a file that was replaced', async () => {
  const playing = await begun('Converted E', 'transcode');
  await playWhole(get, playing);
  copyFileSync(path('Converted A'), join(house.home, 'new.mkv'));
  await killed({ at: 'files.remove.unlinked', path: '/streams/' }, async () => {
    renameSync(join(house.home, 'new.mkv'), path('Converted E'));
    await until('the change to be noticed', async () => (await get(playing.all[0] ?? '')).status === 409);
    await child.ended;
  });
  assert.equal((await get(playing.all[0] ?? '')).status, 409, 'its session is over');
  assert.equal(await playWhole(get, await begun('Converted E', 'transcode')), PICTURES);
  sound('a replaced file');
});

test('killed at every step of storing a walked index', async () => {
  for (const [n, at] of STEPS.entries()) {
    const title = `Recording ${'AB'[n]}`;
    await killed({ at, path: '/indexes/' }, async () => {
      await plan(get, idOf(title));
      await child.ended;
    });
    const walked = await until('a plan that copies', async () => {
      const planned = await plan(get, idOf(title));
      return planned.mode === 'remux' ? planned : undefined;
    });
    assert.equal(await playWhole(get, await segmentsOf(get, walked)), PICTURES, at);
    sound(at);
  }
});

test('killed at every step of keeping preview pictures', async () => {
  for (const [n, at] of STEPS.entries()) {
    const pictures = `/trickplay/${idOf(`Copied ${'AB'[n]}`)}`;
    await killed({ at, path: '/trickplay/' }, async () => {
      await get(`${pictures}/index.vtt`);
      await child.ended;
    });
    await until('the index', async () => (await get(`${pictures}/index.vtt`)).status === 200);
    const sheet = await wanted(get, `${pictures}/0.jpg`);
    assert.deepEqual(
      [sheet.readUInt16BE(0), sheet.readUInt16BE(sheet.length - 2)],
      [0xffd8, 0xffd9],
      `${at}: a whole picture`,
    );
    sound(at);
  }
});

const rows = (query: string): Record<string, unknown>[] => {
  const db = new DatabaseSync(join(house.data, 'matinee.db'), { readOnly: true });
  try {
    return db.prepare(query).all();
  } finally {
    db.close();
  }
};

test('killed at every step of storing a session', async () => {
  const sessionsOf = (id: string): number =>
    rows('select item from playback_session').filter(({ item }) => item === id).length;
  for (const [at, stored] of [
    ['playback.session.writing', 0],
    ['playback.session.written', 1],
  ] as const) {
    const id = idOf('Copied C');
    const had = sessionsOf(id);
    await killed({ at }, () => plan(get, id));
    assert.equal(sessionsOf(id) - had, stored, at);
    assert.equal(await playWhole(get, await begun('Copied C', 'remux')), PICTURES);
  }
  sound('sessions');
});

test('killed at every step of storing a marker', async () => {
  const markers = `/api/v1/items/${idOf('Copied A')}/markers`;
  const set = async (end: number): Promise<number> =>
    (await house.ask(child, 'PUT', markers, { body: { kind: 'intro', start: 1, end } })).status;
  const ends = async (): Promise<number[]> =>
    (JSON.parse((await wanted(get, markers)).toString()) as { markers: { end: number }[] }).markers.map(
      ({ end }) => end,
    );
  assert.equal(await set(2), 200);
  await killed({ at: 'playback.marker.writing' }, () => set(3));
  assert.deepEqual(await ends(), [2], 'what was there');
  await killed({ at: 'playback.marker.written' }, () => set(4));
  assert.deepEqual(await ends(), [4], 'what was committed');
});

/** Begins to read a path and stops after its first bytes. */
const halfRead = (at: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    openStream(
      `${child.url}${at}`,
      { headers: { authorization: `Bearer ${house.ledger.token}` }, agent: false },
      (reply) => {
        reply.on('error', () => {});
        reply.once('readable', () => resolve(reply));
      },
    ).on('error', reject);
  });

test(
  'killed with a segment, a file, an encoder and two plans under way, it continues each and leaves no encoder ' +
    'behind',
  async () => {
    const copied = await begun('Large', 'remux');
    const direct = await plan(get, idOf('Large'), 'containers=matroska&videoCodecs=h264&audioCodecs=aac');
    assert.equal(direct.mode, 'direct');
    const paths = [copied.all[0] ?? '', direct.urls.media];
    const wholes = await Promise.all(paths.map((one) => wanted(get, one)));
    const replies = await Promise.all(paths.map(halfRead));
    const held = await begun('Held', 'transcode');
    await wanted(get, held.all[0] ?? '');
    const encoders = encodersBelow(child.pid);
    assert.ok(encoders.length > 0);
    const plans = [await plan(get, idOf('Copied A')), await plan(get, idOf('Converted A'))];
    await child.kill();
    await until('the end of every encoder', () => !encoders.some(isRunning));

    assert.ok(await start(), child.output());
    for (const [n, reply] of replies.entries()) {
      const parts: Buffer[] = [];
      for (let part = reply.read() as Buffer | null; part !== null; part = reply.read() as Buffer | null)
        parts.push(part);
      reply.destroy();
      const [part, whole = Buffer.alloc(0)] = [Buffer.concat(parts), wholes[n]];
      assert.ok(
        part.length < whole.length && part.equals(whole.subarray(0, part.length)),
        'it was cut, and right so far',
      );
      assert.ok((await wanted(get, paths[n] ?? '')).equals(whole), basename(paths[n] ?? ''));
    }
    assert.equal(await playWhole(get, copied), PICTURES);
    for (const planned of plans) assert.equal(await playWhole(get, await segmentsOf(get, planned)), PICTURES);
    await wanted(get, held.all[20] ?? '');
  },
);

test('every crash point of playback was passed', () => {
  assert.deepEqual(
    CRASH_POINTS.filter((point) => /^(playback|files\.remove)\./.test(point) && !reached.has(point)),
    [],
  );
});
