/** Damaged pages: each is found by the check, and a verified copy that was made before brings everything back. */
import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { chance } from '../../../../test/chance.ts';
import { columns, table } from '../columns.ts';
import { openSqlite } from '../sqlite.ts';
import { DatabaseUnusable } from '../types.ts';
import type { Database, Migration, Transaction } from '../types.ts';
import { keepCopy, listCopies, restoreCopy } from './copies.ts';

interface Tables {
  note: { id: number; name: string; text: string };
}
const notes: Migration = {
  id: 'note-001-notes',
  up: async (db, engine) => {
    const c = columns(engine);
    await table(db, engine, 'note')
      .addColumn('id', c.integer, (col) => col.primaryKey())
      .addColumn('name', c.text, (col) => col.notNull())
      .addColumn('text', c.text, (col) => col.notNull())
      .execute();
    await db.schema.createIndex('note_name').on('note').column('name').execute();
  },
};
const PAGE = 4096;
const DAY_MS = 86_400_000;

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'matinee-damage-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}
const namesOf = async (db: Database): Promise<string[]> =>
  (await db.tables<Tables>().selectFrom('note').select('name').orderBy('id').execute()).map(({ name }) => name);
const clockAt = (at: number) => ({ now: () => at, monotonic: () => 0 });
const isDamage = (error: unknown): boolean =>
  error instanceof DatabaseUnusable && error.reason === 'corrupt' && !error.message.includes('\n');

/** A database of some two hundred pages: tables, an index, and texts that need overflow pages. */
async function filled(file: string): Promise<string[]> {
  const db = await openSqlite({ file, migrations: [notes] });
  await db.write('safe', async (tx: Transaction<Tables>) => {
    for (let id = 1; id <= 300; id++)
      await tx
        .insertInto('note')
        .values({
          id,
          name: `name ${(id * 7919) % 1000} ${'n'.repeat(150)}`,
          text: 'x'.repeat(id % 10 === 0 ? 10_000 : 700),
        })
        .execute();
  });
  const names = await namesOf(db);
  await db.close();
  return names;
}

test('a page that is overwritten anywhere is found by the check, in place and by a copy', async (t) => {
  const path = await folder(t);
  const file = join(path, 'a.db');
  const names = await filled(file);
  const whole = await readFile(file);
  const random = chance();
  const pages = whole.length / PAGE;
  assert.ok(pages > 150);
  const db = await openSqlite({ file, migrations: [notes] });
  await db.check();
  const copy = join(path, 'whole.db');
  await db.snapshot(copy);
  const missed: number[] = [];
  // Page 1 would be refused at the next start.
  for (let i = 0; i < 40; i++) {
    const page = 1 + Math.floor(random() * (pages - 1));
    const noise = Buffer.from(Array.from({ length: PAGE }, () => Math.floor(random() * 256)));
    const handle = await open(file, 'r+');
    await handle.write(noise, 0, PAGE, page * PAGE);
    await db.check().then(
      () => missed.push(page),
      (error: unknown) => assert.ok(isDamage(error), String(error)),
    );
    if (i < 5) await assert.rejects(db.snapshot(join(path, 'bad.db')), isDamage);
    await handle.write(whole, page * PAGE, PAGE, page * PAGE);
    await handle.close();
  }
  assert.deepEqual(missed, []);
  await db.check();
  assert.deepEqual(
    (await readdir(path)).filter((name) => name.includes('bad')),
    [],
  );
  await db.close();
  const back = await openSqlite({ file: copy, migrations: [notes] });
  assert.deepEqual(await namesOf(back), names);
  await back.close();
});

test('a copy that fails its check never replaces an older one, and the older one restores', async (t) => {
  const path = await folder(t);
  const file = join(path, 'a.db');
  const names = await filled(file);
  const start = Date.parse('2026-11-01T12:00:00Z');
  const db = await openSqlite({ file, migrations: [notes] });
  await keepCopy({ file, clock: clockAt(start), snapshot: db.snapshot });
  const whole = await readFile(file);
  await writeFile(join(path, 'verified', '20261102T000000000Z.db.part'), 'left by a killed process');
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(PAGE, 0xab), 0, PAGE, 50 * PAGE);
  await handle.close();
  for (let day = 1; day <= 3; day++)
    await assert.rejects(keepCopy({ file, clock: clockAt(start + day * DAY_MS), snapshot: db.snapshot }), isDamage);
  assert.deepEqual(await readdir(join(path, 'verified')), ['20261101T120000000Z.db']);
  await assert.rejects(
    restoreCopy({ file, clock: clockAt(start) }),
    (error) => error instanceof DatabaseUnusable && error.reason === 'in-use',
  );
  await db.close();
  const { aside } = await restoreCopy({ file, clock: clockAt(start + 4 * DAY_MS) });
  assert.notDeepEqual(await readFile(join(aside, 'a.db')), whole);
  const back = await openSqlite({ file, migrations: [notes] });
  await back.check();
  assert.deepEqual(await namesOf(back), names);
  await back.close();
});

test('two copies are kept, the newest and one that is up to two weeks older', async (t) => {
  const file = join(await folder(t), 'a.db');
  const db = await openSqlite({ file, migrations: [notes] });
  const start = Date.parse('2026-11-01T12:00:00Z');
  const ages: number[][] = [];
  for (let day = 0; day <= 32; day++) {
    await keepCopy({ file, clock: clockAt(start + day * DAY_MS), snapshot: db.snapshot });
    ages.push((await listCopies(file)).map(({ at }) => (at - start) / DAY_MS));
  }
  assert.deepEqual(
    [ages[0], ages[1], ages[14], ages[15], ages[16], ages[28], ages[29]],
    [[0], [1, 0], [14, 0], [15, 14], [16, 14], [28, 14], [29, 28]],
  );
  await db.close();
});

test('a database knows whether the process before was killed', async (t) => {
  const file = join(await folder(t), 'a.db');
  const first = await openSqlite({ file, migrations: [notes] });
  assert.equal(first.wasCutOff, false);
  await first.write(
    'safe',
    async (tx: Transaction<Tables>) =>
      void (await tx.insertInto('note').values({ id: 1, name: 'a', text: '' }).execute()),
  );
  const [database, log] = [await readFile(file), await readFile(`${file}-wal`)];
  await first.close();
  const second = await openSqlite({ file, migrations: [notes] });
  assert.equal(second.wasCutOff, false);
  await second.close();
  // As a kill leaves them.
  await writeFile(file, database);
  await writeFile(`${file}-wal`, log);
  const third = await openSqlite({ file, migrations: [notes] });
  assert.equal(third.wasCutOff, true);
  assert.deepEqual(await namesOf(third), ['a']);
  await third.close();
});
