/** Checkpoints: made in a thread, with a log that stays bounded and never begins again on the main thread. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { until } from '../../../../test/until.ts';
import { columns, table } from '../columns.ts';
import { createFlusher } from '../flush.ts';
import { openSqlite } from '../sqlite.ts';
import type { Database, Migration, Transaction } from '../types.ts';
import type { CheckpointLimits } from './checkpoints.ts';

interface Tables {
  note: { id: number; text: string };
}
const notes: Migration = {
  id: 'note-001-notes',
  up: async (db, engine) => {
    const c = columns(engine);
    await table(db, engine, 'note')
      .addColumn('id', c.integer, (col) => col.primaryKey())
      .addColumn('text', c.text, (col) => col.notNull())
      .execute();
  },
};
/** Bytes of a log that holds one frame: its header, and the header and page of the frame. */
const ONE_FRAME = 32 + 24 + 4096;

interface Opened {
  db: Database;
  file: string;
  write(times: number): Promise<void>;
  written(): number;
  size(): Promise<number>;
  /** How often the log has begun again, as its header counts. */
  restarts(): Promise<number>;
  /** Frames in the log, and how many of them are folded in, as the index in shared memory has them. */
  frames(): Promise<{ all: number; folded: number }>;
}

async function opened(t: TestContext, limits: Partial<CheckpointLimits>): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-checkpoints-'));
  const file = join(folder, 'a.db');
  const problems: unknown[] = [];
  const db = await openSqlite({
    file,
    migrations: [notes],
    report: (error) => void problems.push(error),
    checkpoints: { lookMs: 1, idleMs: 20, slowSyncMs: 1e9, ...limits },
  });
  t.after(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
    assert.deepEqual(problems, []);
  });
  let written = 0;
  return {
    db,
    file,
    written: () => written,
    write: async (times) => {
      for (let i = 0; i < times; i++)
        await db.write(
          'grouped',
          async (tx: Transaction<Tables>) =>
            void (await tx
              .insertInto('note')
              .values({ id: ++written, text: 'x'.repeat(3000) })
              .execute()),
        );
    },
    size: async () => (await stat(`${file}-wal`)).size,
    restarts: async () => {
      const log = await readFile(`${file}-wal`);
      // Between two instants the log is empty: the thread has cut it and not begun it again.
      return log.length < 16 ? 0 : log.readUInt32BE(12);
    },
    frames: async () => {
      const index = await readFile(`${file}-shm`);
      return { all: index.readUInt32LE(16), folded: index.readUInt32LE(96) };
    },
  };
}

const countOf = async (db: Database): Promise<number> =>
  (await db.tables<Tables>().selectFrom('note').select('id').execute()).length;

test('a checkpoint follows writes, and the next write does not restart the log on the main thread', async (t) => {
  const { write, restarts, frames } = await opened(t, { passiveBytes: 20_000, resetBytes: 1e9 });
  const before = await restarts();
  for (let round = 0; round < 3; round++) {
    await write(20);
    // SQLite would begin the log again with the next write, and sync its header there.
    await until('everything to be folded in', async () => {
      const { all, folded } = await frames();
      if (all !== folded) await write(1);
      return all > 20 && all === folded;
    });
    await write(1);
    const { all, folded } = await frames();
    assert.ok(all > folded);
    assert.equal(await restarts(), before);
  }
});

test('a log is emptied in a quiet moment, its first frame written by the thread, and nothing is lost', async (t) => {
  const { db, file, write, written, size, restarts } = await opened(t, {
    passiveBytes: 20_000,
    resetBytes: 100_000,
    quietMs: 5,
  });
  for (let round = 0; round < 3; round++) {
    await write(60);
    await until('the log to be emptied', async () => (await size()) === ONE_FRAME);
    const before = await restarts();
    await write(1);
    assert.equal(await restarts(), before);
    assert.ok((await size()) > ONE_FRAME);
  }
  assert.equal(await countOf(db), written());
  await until('the thread to end', () => process.getActiveResourcesInfo().every((name) => name !== 'MessagePort'));
  const other = new DatabaseSync(file, { readOnly: true });
  assert.deepEqual(
    other
      .prepare('pragma integrity_check')
      .all()
      .map((row) => Object.values(row)[0]),
    ['ok'],
  );
  other.close();
});

test('the log stays bounded while writes go on, and on a slow disk it is left alone for longer', async (t) => {
  const busy = await opened(t, { passiveBytes: 20_000, resetBytes: 50_000, quietMs: 1e9, busyBytes: 200_000 });
  const before = await busy.restarts();
  let largest = 0;
  await until('the log to be emptied twice', async () => {
    await busy.write(5);
    largest = Math.max(largest, await busy.size());
    return (await busy.restarts()) >= before + 2;
  });
  assert.ok(largest < 20 * 200_000, `the log grew to ${largest} bytes`);
  assert.equal(await countOf(busy.db), busy.written());

  const slow = await opened(t, {
    passiveBytes: 20_000,
    resetBytes: 20_000,
    quietMs: 0,
    busyBytes: 50_000,
    slowSyncMs: -1,
    slowQuietMs: 1e9,
    slowBytes: 1_000_000,
  });
  const start = await slow.restarts();
  while ((await slow.size()) < 900_000) await slow.write(5);
  await until('the log to be folded in', async () => (await slow.frames()).folded > 100);
  assert.equal(await slow.restarts(), start);
  await slow.write(40);
  await until('the log to be emptied', async () => (await slow.restarts()) > start);
});

test('a log that is being read is emptied later', async (t) => {
  const { file, write, size, restarts } = await opened(t, { passiveBytes: 20_000, resetBytes: 50_000, quietMs: 1 });
  const other = new DatabaseSync(file, { readOnly: true });
  await write(1);
  other.exec('begin; select * from note');
  const before = await restarts();
  await write(40);
  await until('an attempt to be made', () => process.getActiveResourcesInfo().includes('MessagePort'));
  await write(5);
  assert.equal(await restarts(), before);
  other.exec('rollback');
  other.close();
  await until('the log to be emptied', async () => (await size()) === ONE_FRAME);
});

test('a sync that fails in a checkpoint refuses every write from then on', () => {
  const reported: unknown[] = [];
  const flusher = createFlusher(
    async () => {},
    (error) => void reported.push(error),
  );
  flusher.check();
  flusher.fail(new Error('EIO'));
  assert.throws(() => flusher.check(), /could not confirm a write/);
  assert.equal(reported.length, 1);
});

/**
 * Writes in another process, with a checkpoint at every turn, until it has acknowledged `most` writes, and kills it
 * then.
 */
function killed(file: string, most: number): Promise<number[]> {
  const script = `import { openSqlite } from ${JSON.stringify(new URL('../sqlite.ts', import.meta.url).href)};
    const db = await openSqlite({ file: process.argv[1], migrations: [{ id: 'note-001-notes', up: async () => {} }], checkpoints: { lookMs: 1, passiveBytes: 1, resetBytes: 1, quietMs: 0, busyBytes: 1, slowSyncMs: 1e9 } });
    const from = Number(process.argv[2]);
    for (let i = from; ; i++) {
      await db.write(i % 3 ? 'grouped' : 'safe', async (tx) => void (await tx.insertInto('note').values({ id: i, text: 'x'.repeat(9000) }).execute()));
      process.stdout.write(i + '\\n');
    }`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file, String(most * 1000)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split('\n').length > most) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', () => resolve(text.split('\n').slice(0, -1).map(Number)));
  });
}

test('a process killed while the log is folded in and emptied has kept every write that it acknowledged', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-checkpoints-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.db');
  await (await openSqlite({ file, migrations: [notes] })).close();
  for (const most of [3, 40, 90, 200]) {
    const acknowledged = await killed(file, most);
    assert.ok(acknowledged.length >= most);
    const db = await openSqlite({ file, migrations: [notes] });
    const found = new Set((await db.tables<Tables>().selectFrom('note').select('id').execute()).map(({ id }) => id));
    assert.deepEqual(
      acknowledged.filter((id) => !found.has(id)),
      [],
      `after ${most}`,
    );
    await db.close();
  }
});
