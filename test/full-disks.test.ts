/** A disk that fills up is reported early, and features that only need the cache continue without it. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFfmpeg } from '../src/lib/ffmpeg/index.ts';
import { createProcesses } from '../src/lib/process.ts';
import { quietLog } from '../src/lib/process/testing.ts';
import { createRoomCheck, roomFinding, type FolderSetting } from '../src/ops/disk.ts';
import { fakeClock, makeHousehold, PASSWORD, startWorld } from './world.ts';
import { builtHelper } from './built-helpers.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

test('the data disk is told of before it is full', () => {
  const level = (setting: FolderSetting, free: number, total: number) => roomFinding(setting, { free, total }).level;
  assert.deepEqual(
    [2 * GIB, GIB - 1, 64 * MIB, 64 * MIB - 1, 0].map((free) => level('paths.data', free, 20 * GIB)),
    ['ok', 'warning', 'warning', 'error', 'error'],
  );
  assert.deepEqual(
    [6 * GIB, 4 * GIB].map((free) => level('paths.data', free, 100 * GIB)),
    ['ok', 'warning'],
    'a twentieth',
  );
  assert.equal(level('paths.data', 11 * GIB, 8000 * GIB), 'ok', 'a large disk is not warned of for ever');
  assert.deepEqual([level('paths.cache', 0, GIB), level('paths.media', 0, GIB)], ['warning', 'warning']);
});

test('the data disk is asked once in a while, and one that does not answer has no room', async () => {
  let [asked, at] = [0, 0];
  const hasRoom = createRoomCheck({
    read: () => (asked++ < 1 ? Promise.resolve({ free: GIB, total: GIB }) : Promise.reject(new Error('gone'))),
    now: () => at,
  });
  assert.deepEqual([await hasRoom(), await hasRoom(), asked], [true, true, 1]);
  at = 6_000;
  assert.deepEqual([await hasRoom(), asked], [false, 2]);
});

test('a server whose data disk is nearly full says so to Owners and is not ready', async (t) => {
  let free = 10 * GIB;
  const w = await startWorld(t, {
    room: (path) => Promise.resolve({ free: path.endsWith('/data') ? free : 10 * GIB, total: 100 * GIB }),
  });
  const { owner } = await makeHousehold(w);
  await w.start();
  const findings = async () =>
    (
      (await w.call(owner, 'GET', '/api/v1/diagnostics')).body['findings'] as {
        subject: string;
        level: string;
        sentence: string;
      }[]
    ).filter(({ subject }) => subject === 'Data folder');
  assert.deepEqual(
    (await findings()).map(({ level }) => level),
    ['ok'],
  );
  free = 10 * MIB;
  const [finding] = await findings();
  assert.deepEqual(
    [finding?.level, finding?.sentence],
    ['error', 'Only 10 MiB are free there. Changes cannot be saved once it is full. Free some space there.'],
  );
  const ready = await w.call(undefined, 'GET', '/readyz');
  assert.deepEqual([ready.status, ready.body], [503, { error: 'not ready', reason: 'not-ready' }]);
  assert.equal((await w.call(undefined, 'GET', '/healthz')).status, 200);
});

test('a server starts on a full data disk, reads, and refuses what it cannot save', async (t) => {
  const env = { SERVICE_REQUIRE_MFA: 'false' };
  const folder = await mkdtemp(join(tmpdir(), 'matinee-full-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const before = await startWorld(t, { env, after: { folder, clock: fakeClock() } });
  const { body } = await before.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const owner = { token: String(body['token']) };
  await before.start();
  await before.close();
  // The engine cannot make its index there, as on a full disk.
  const index = join(folder, 'data', 'matinee.db-shm');
  await mkdir(index);
  const full = await startWorld(t, { env, after: before, room: async () => ({ free: 0, total: GIB }) });
  await full.start();
  assert.equal((await full.call(owner, 'GET', '/api/v1/library')).status, 200);
  const refused = await full.call(owner, 'PUT', '/api/v1/configuration/server.name', { value: 'House' });
  assert.deepEqual([refused.status, refused.body['reason']], [503, 'disk-full'], refused.text);
  assert.equal((await full.call(undefined, 'GET', '/readyz')).status, 503);
  const { findings } = (await full.call(owner, 'GET', '/api/v1/diagnostics')).body as {
    findings: { code: string; subject: string; level: string }[];
  };
  assert.equal(findings.find(({ subject }) => subject === 'Data folder')?.level, 'error');
  assert.equal(findings.find(({ code }) => code === 'database-read-only')?.level, 'error');
  assert.ok(full.lines.some((line) => line.includes('database.failed')));
  await full.close();
  await rm(index, { recursive: true });
  const again = await startWorld(t, { env, after: full });
  await again.start();
  const saved = await again.call(owner, 'PUT', '/api/v1/configuration/server.name', { value: 'House' });
  assert.equal(saved.status, 202, saved.text);
});

test('a program that only writes to its pipes runs where no private folder can be made', async (t) => {
  const w = await startWorld(t);
  const temporary = join(w.folder, 'work');
  const processes = await createProcesses({ log: quietLog, temporary, helperModule: builtHelper });
  t.after(() => processes.close());
  rmSync(temporary, { recursive: true });
  writeFileSync(temporary, 'no folder');
  const { ffmpeg } = await createFfmpeg({ processes }).capabilities();
  assert.ok(ffmpeg !== null);
});
