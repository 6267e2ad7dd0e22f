/** A database that a test gets again holds what its migrations make, and nothing of the test before. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { columns, table } from './columns.ts';
import { openTemporaryPostgres } from './testing.ts';
import type { Database, Migration } from './types.ts';

/** A table with a row, and one that refers to it. */
function countedMigration(): { migrations: readonly Migration[]; runs(): number } {
  let runs = 0;
  const up: Migration['up'] = async (db, engine) => {
    runs++;
    const c = columns(engine);
    await table(db, engine, 'one')
      .addColumn('id', c.id, (col) => col.primaryKey())
      .execute();
    await table(db, engine, 'other')
      .addColumn('one', c.id, (col) => col.references('one.id'))
      .execute();
    await sql`insert into one values ('made')`.execute(db);
  };
  return { migrations: [{ id: 'counted-001', up }], runs: () => runs };
}

const write = (db: Database, ...statements: readonly string[]): Promise<void> =>
  db.write('safe', async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
const valuesOf = async (db: Database, query: string): Promise<unknown[]> =>
  (await sql.raw<object>(query).execute(db.tables())).rows.flatMap((row) => Object.values(row));

/** Works with a database that is handed back at the end. */
const opened = (t: TestContext, migrations: readonly Migration[], work: (db: Database) => Promise<void>) =>
  t.test('opened', async (s) => work(await openTemporaryPostgres(s, migrations)));

test('rows of one test are not there in the next, and those of the migrations are, which ran once', async (t) => {
  const { migrations, runs } = countedMigration();
  for (let n = 0; n < 3; n++)
    await opened(t, migrations, async (db) => {
      assert.deepEqual(await valuesOf(db, 'select id from one'), ['made']);
      assert.deepEqual(await valuesOf(db, 'select one from other'), []);
      assert.deepEqual(await valuesOf(db, 'select id from migration'), ['counted-001']);
      await write(db, "insert into one values ('left')", "insert into other values ('left'), ('made')");
      await write(db, ...(n === 1 ? ['delete from other', 'delete from one', 'delete from migration'] : []));
    });
  assert.equal(runs(), 1);
});

for (const [what, statement] of [
  ['another column', 'alter table one add column more text'],
  ['a column that must be given', 'alter table other alter column one set not null'],
  ['another table', 'create table more (id text)'],
  ['a table less', 'drop table other'],
  ['a trigger', 'create trigger more before insert on one execute function suppress_redundant_updates_trigger()'],
] as const)
  test(`a database with ${what} is not used again`, async (t) => {
    const { migrations, runs } = countedMigration();
    await opened(t, migrations, (db) => write(db, statement));
    await opened(t, migrations, async (db) => assert.deepEqual(await valuesOf(db, 'select id from one'), ['made']));
    assert.equal(runs(), 2);
  });

test('other migrations get an empty database, and so do those that failed', async (t) => {
  const [one, other] = [countedMigration(), countedMigration()];
  const bad: Migration = { id: 'counted-002', up: () => Promise.reject(new Error('no')) };
  await opened(t, one.migrations, async () => {});
  await opened(t, other.migrations, async () => {});
  await t.test('failed', (s) => assert.rejects(openTemporaryPostgres(s, [...one.migrations, bad]), /could not be/));
  await opened(t, one.migrations, async (db) => assert.deepEqual(await valuesOf(db, 'select id from one'), ['made']));
  assert.deepEqual([one.runs(), other.runs()], [3, 1]);
});

test('a test that loads the module late is told, because engines of later tests would not be closed', async () => {
  const late = import.meta.resolve('./testing-pglite.ts') + '?late';
  await assert.rejects(import(late), /import it outside/);
});
