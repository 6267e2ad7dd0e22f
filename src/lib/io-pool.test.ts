/** A library that hangs counts as away, and delays no other library. */
import assert from 'node:assert/strict';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { plant } from '../../test/faults/planted.ts';
import { until } from '../../test/until.ts';
import { Failure } from './failure.ts';
import { inRoot, openRoot, readBounded, writeWhole } from './files.ts';
import { close, open } from './files/calls.ts';
import * as real from './io-pool.ts';
import { createProcesses } from './process.ts';
import { quietLog } from './process/testing.ts';

const isAway = (error: unknown): boolean =>
  error instanceof Failure && error.kind === 'unavailable' && error.message === 'this library is not responding';

/** Eight opens of a FIFO without a writer, each of which would hold a thread of the pool (it has four here). */
async function hang(t: TestContext, door: typeof real): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'io-pool-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  for (const folder of ['dead', 'alive']) mkdirSync(join(base, folder));
  const fifo = join(base, 'dead/fifo');
  await processes.run({ program: 'mkfifo', args: [fifo], timeoutMs: 60_000, writes: [join(base, 'dead')] });
  writeFileSync(join(base, 'alive/film'), 'film');
  // Its time passes when the test says so, and not while this process is blocked.
  let now = 0;
  const pool = door.createIoPool({ threads: 4, deadlineMs: 150, clock: { now: () => now, monotonic: () => now } });
  const dead = pool.forLibrary('dead');
  const alive = await openRoot(join(base, 'alive'), pool.forLibrary('alive'));
  let late = 0;
  const hung = Array.from({ length: 8 }, () =>
    dead.run(
      () => open(fifo, constants.O_RDONLY),
      (fd) => {
        late += 1;
        void close(fd);
      },
    ),
  );
  const ends = Promise.allSettled(hung);
  t.after(async () => {
    pool.close();
    await processes.close();
    await alive.close();
    rmSync(base, { recursive: true, force: true });
  });
  const release = openSyncLater(fifo);
  try {
    const reading = readBounded(inRoot(alive, 'film'), 100);
    let isRead = false;
    reading.then(
      () => (isRead = true),
      () => {},
    );
    while (!isRead) {
      assert.equal(pool.forLibrary('alive').load().waiting, 0, 'one library waits for another');
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await reading).toString(), 'film', 'another library answers at once');
    await writeWhole(join(base, 'own'), 'written');
    assert.equal(readFileSync(join(base, 'own'), 'utf8'), 'written');
    now += 150;
    for (const end of await ends) assert.ok(end.status === 'rejected' && isAway(end.reason));
    assert.ok(dead.isAway());
    await assert.rejects(
      dead.run(() => assert.fail('it is not even tried')),
      isAway,
    );
    assert.equal((await readBounded(inRoot(alive, 'film'), 100)).toString(), 'film');
  } finally {
    release();
  }
  await until('the library is back', () => !dead.isAway());
  assert.equal(await dead.run(() => Promise.resolve('back')), 'back');
  assert.ok(late >= 1, 'what came too late was closed');
}

/** Opening both ends lets every hung open return. */
const openSyncLater = (fifo: string) => (): void => {
  const fd = openSync(fifo, constants.O_RDWR);
  setTimeout(() => closeSync(fd), 200);
};

test('eight hung opens of one library hold up neither another nor a write', (t) => hang(t, real));
test('planted: a library may use every slot', async (t) => {
  const broken = plant(t, { file: 'lib/io-pool.ts', from: 'Math.max(1, Math.floor(threads / 6))', to: '64' });
  const door = (await import(broken('lib/io-pool.ts').href)) as typeof real;
  await assert.rejects(hang(t, door), /one library waits for another/);
});

test('the bounds hold, one library and all together, and libraries take turns', async () => {
  const pool = real.createIoPool({ threads: 24 });
  let running = 0;
  const [most, mostOf] = [{ all: 0 }, new Map<string, number>()];
  const now = new Map<string, number>();
  const work = (name: string) => async (): Promise<void> => {
    running += 1;
    now.set(name, (now.get(name) ?? 0) + 1);
    most.all = Math.max(most.all, running);
    mostOf.set(name, Math.max(mostOf.get(name) ?? 0, now.get(name) ?? 0));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    now.set(name, (now.get(name) ?? 0) - 1);
  };
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all(names.flatMap((name) => Array.from({ length: 50 }, () => pool.forLibrary(name).run(work(name)))));
  assert.equal(most.all, 18);
  assert.deepEqual([...mostOf.values()], [4, 4, 4, 4, 4, 4]);
  await assert.rejects(
    pool.forLibrary('a').run(() => Promise.reject(new Error('its own'))),
    /its own/,
  );
  assert.deepEqual(pool.forLibrary('a').load(), { outstanding: 0, waiting: 0 });
  pool.close();
  await assert.rejects(
    pool.forLibrary('a').run(() => Promise.resolve(1)),
    isAway,
  );
});
