/**
 * Graphics hardware from outside: testing it by the API, and what an Owner and a viewer see when it fails on a film.
 * The program is a stand-in for an ffmpeg with accelerators; everything else is the real server.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type AcceleratedFfmpeg, endHung, installFfmpeg } from './stand-ins/ffmpeg.ts';
import { until, WAIT_LIMIT_MS } from './until.ts';
import { PASSWORD, type Reply, type World, startWorld } from './world.ts';

/** A player that takes H.264 only, so that the film is converted. */
const CLIENT = 'containers=mp4&videoCodecs=h264&audioCodecs=aac&quality=original';
const FREE = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true } as const;

let base: string;
let standIn: AcceleratedFfmpeg;
let house: World;
let owner: string;
let film: string;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

interface Row {
  name: string;
  encode: { passed: boolean; reason?: string };
  codecs: string[];
  decodes: string[];
  lastFailure?: { at: string; reason: string };
}
interface HardwareBody {
  state: string;
  effective: string;
  why: string;
  progress?: { name: string; number: number; of: number };
  accelerators: Row[];
}
interface Session {
  id: string;
  accelerator?: string;
  reasons: { code: string; detail: string }[];
}
const ask = async (method: string, path: string, body?: unknown, token = owner): Promise<Reply> =>
  house.call({ token }, method, `/api/v1${path}`, body);
const done = async <T>(reply: Promise<Reply>): Promise<T> => {
  const { status, body, text } = await reply;
  assert.ok(status < 300, `${status} ${text}`);
  return body as T;
};
const hardware = () => done<HardwareBody>(ask('GET', '/hardware'));
const choose = (accelerator: string) =>
  done(ask('PUT', '/configuration/transcoding.accelerator', { value: accelerator }));
const rowOf = ({ accelerators }: { accelerators: Row[] }, name: string): Row | undefined =>
  accelerators.find((row) => row.name === name);
const test503 = async (body: object): Promise<{ error: unknown; accelerators: Row[] }> => {
  const reply = await ask('POST', '/transcoder/test', body);
  assert.equal(reply.status, 503, reply.text);
  return reply.body as unknown as { error: unknown; accelerators: Row[] };
};

before(async () => {
  base = mkdtempSync(join(tmpdir(), 'hardware-'));
  standIn = await installFfmpeg(join(base, 'stand-in'));
  await standIn.behave({ vaapi: { mode: 'ok' } });
  house = await startWorld(together, {
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_FFMPEG: standIn.program },
    hardware: {
      place: { platform: 'linux', devices: standIn.devices },
      sizes: { trial: { width: 320, height: 180 }, speed: { width: 480, height: 270, frames: 48 } },
      trialMs: WAIT_LIMIT_MS,
    },
    fill: async (media) => {
      const folder = join(media, 'Films', 'Film (2020)');
      await mkdir(folder, { recursive: true });
      await promisify(execFile)('ffmpeg', [
        '-nostdin',
        '-v',
        'error',
        '-f',
        'lavfi',
        '-i',
        'testsrc2=s=160x90:r=10:d=8',
        '-c:v',
        'mpeg4',
        '-g',
        '10',
        '-q:v',
        '2',
        join(folder, 'Film (2020).mkv'),
      ]);
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
  film = await until(
    'the film',
    async () => (await done<{ items: { id: string }[] }>(ask('GET', '/library'))).items[0]?.id,
  );
  await choose('vaapi');
});
after(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(base, { recursive: true, force: true });
});

test('a test passes with 200, and fails with 503 and the reason of every row', async () => {
  assert.deepEqual(
    [(await hardware()).state, (await hardware()).why],
    ['untested', 'Video is converted by the processor, because no accelerator has been tested yet.'],
  );
  const passed = await done<HardwareBody>(ask('POST', '/transcoder/test', { accelerator: 'vaapi' }));
  assert.deepEqual(
    [passed.state, passed.effective, passed.why],
    ['tested', 'vaapi', 'Video is converted by vaapi, which passed its test.'],
  );
  assert.deepEqual(
    [rowOf(passed, 'vaapi')?.codecs, rowOf(passed, 'vaapi')?.decodes],
    [
      ['h264', 'hevc'],
      ['h264', 'hevc', 'av1', 'vp9'],
    ],
  );
  await standIn.behave({ vaapi: { mode: 'denied' } });
  const denied = await test503({ accelerator: 'vaapi' });
  assert.equal(denied.error, 'vaapi did not pass its test');
  assert.deepEqual(rowOf(denied, 'vaapi')?.encode, {
    passed: false,
    reason: 'the server may not use the device: add its user to the group that owns it (usually render)',
    why: { reason: 'forbidden', values: {} },
  });
  assert.deepEqual(
    [(await hardware()).effective, rowOf(await hardware(), 'vaapi')?.encode],
    ['none', rowOf(denied, 'vaapi')?.encode],
  );
  // If no name is sent, it tests what the settings choose.
  assert.deepEqual(
    [(await test503({})).error, rowOf(await test503({ accelerator: 'rkmpp' }), 'rkmpp')?.encode.reason],
    ['no accelerator that the settings allow passed its test', 'this ffmpeg was built without its encoder'],
  );
  assert.equal((await ask('POST', '/transcoder/test', { accelerator: 'warp' })).status, 400);
});

test('a second test is refused while one runs, and the first one is not disturbed', async () => {
  await standIn.behave({ vaapi: { mode: 'hangs' } });
  const first = ask('POST', '/transcoder/test', { accelerator: 'vaapi' });
  const running = await until('the test', async () => {
    const view = await hardware();
    return view.progress && view;
  });
  assert.deepEqual([running.state, running.progress], ['testing', { name: 'vaapi', number: 1, of: 1 }]);
  const second = await ask('POST', '/transcoder/test', {});
  assert.deepEqual(
    [second.status, second.body],
    [409, { error: 'a test is running already; wait until it is done', reason: 'testing' }],
  );
  await endHung();
  const { status, body } = await first;
  assert.deepEqual([status, rowOf(body as unknown as HardwareBody, 'vaapi')?.encode.reason], [503, 'ffmpeg crashed']);
});

test('a film on which hardware fails continues, and Owner, viewer and diagnostics see why', async () => {
  await standIn.behave({ vaapi: { mode: 'ok' } });
  await done(ask('POST', '/transcoder/test', { accelerator: 'vaapi' }));
  const people = await Promise.all(
    ['Kim', 'Lou'].map(async (name) => {
      await done(ask('POST', '/profiles', { name, password: PASSWORD, policy: FREE }));
      return String(
        (await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD })).body['token'],
      );
    }),
  );
  const [kim, lou] = people as [string, string];
  // It dies in the second segment. The film is so small that hardware is fast enough for it, however busy the machine
  // is.
  await standIn.behave({ vaapi: { mode: 'dies', frames: 30 } });
  const plan = await done<{ session: string; mode: string; urls: { hls: string }; reasons: { code: string }[] }>(
    ask('GET', `/items/${film}/playback?${CLIENT}`, undefined, kim),
  );
  assert.deepEqual([plan.mode, plan.reasons.map(({ code }) => code).includes('hardware-failed')], ['transcode', false]);
  const query = new URL(plan.urls.hls, 'http://localhost').search;
  const segment = async (k: number) => (await house.call(undefined, 'GET', `/hls/${film}/v0-${k}.m4s${query}`)).status;
  const shown = async () =>
    (await done<{ items: Session[] }>(ask('GET', '/playback-sessions'))).items.find(({ id }) => id === plan.session);
  for (let k = 0; k < 4; k++) assert.equal(await segment(k), 200, `segment ${k}`);
  const told = {
    code: 'hardware-failed',
    detail:
      'The graphics hardware failed on this film (vaapi: it stopped with an error), so the processor converts it.',
  };
  assert.deepEqual((await shown())?.reasons.at(-1), told);
  assert.equal((await shown())?.accelerator, undefined);
  const own = await done<Session>(ask('GET', `/playback-sessions/${plan.session}`, undefined, kim));
  assert.deepEqual(own.reasons.at(-1), told, 'its viewer reads it too');
  assert.equal((await ask('GET', `/playback-sessions/${plan.session}`, undefined, lou)).status, 404, 'and nobody else');
  assert.equal((await ask('GET', `/playback-sessions/${'0'.repeat(16)}`)).status, 404);
  const { findings } = await done<{ findings: { level: string; subject: string; sentence: string }[] }>(
    ask('GET', '/diagnostics'),
  );
  const finding = findings.find(({ sentence }) => sentence.startsWith('vaapi failed while a film was played'));
  assert.deepEqual([finding?.level, finding?.subject], ['warning', 'Video conversion']);
  assert.match(
    finding?.sentence ?? '',
    /\(it stopped with an error\) at 2026-11-20T[\d:.]+Z, and the processor took over\./,
  );
  assert.equal(rowOf(await hardware(), 'vaapi')?.lastFailure?.reason, 'it stopped with an error');
  // A plan that is made now says so from the beginning, and says it once.
  const again = await done<{ session: string; reasons: { code: string }[] }>(
    ask('GET', `/items/${film}/playback?${CLIENT}&session=${plan.session}`, undefined, kim),
  );
  assert.equal(again.reasons.filter(({ code }) => code === 'hardware-failed').length, 1);
  assert.equal((await shown())?.reasons.filter(({ code }) => code === 'hardware-failed').length, 1);
});
