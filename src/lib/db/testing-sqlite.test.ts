/** A copied database is as the migrations make it, has its own time, shares nothing, and is that of its migrations. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { columns, table, type Migration } from './index.ts';
import { copyOfEarlier } from './testing-sqlite.ts';
import { upgrade } from './upgrade.ts';

function fakeMigration(id: string, name: string): { migration: Migration; runs(): number } {
  let runs = 0;
  const up: Migration['up'] = async (db, engine) => {
    runs++;
    await table(db, engine, name).addColumn('id', columns(engine).id).execute();
  };
  return { migration: { id, up }, runs: () => runs };
}

function makeFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-new-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'test.db');
}

function contentOf(file: string): { schema: unknown[]; seen: unknown[] } {
  const db = new DatabaseSync(file);
  try {
    return {
      schema: db.prepare('select type, name, sql from sqlite_schema order by name').all(),
      seen: db.prepare('select number, id, at from migration order by number').all(),
    };
  } finally {
    db.close();
  }
}

const open = (file: string, migrations: readonly Migration[], now: number): Promise<number> =>
  upgrade({ file, migrations, clock: { now: () => now, monotonic: () => now }, makeNew: copyOfEarlier });

test('the second database is a copy with its own time, and later writes of the first are not in it', async (t) => {
  const [first, second] = [makeFile(t), makeFile(t)];
  const { migration, runs } = fakeMigration('a-001', 'a');
  assert.equal(await open(first, [migration], 1), 1);
  const made = contentOf(first);
  const db = new DatabaseSync(first);
  db.exec('create table later (id integer)');
  db.close();
  assert.equal(await open(second, [migration], 2), 1);
  assert.equal(runs(), 1, 'the migration ran once');
  const copied = contentOf(second);
  assert.deepEqual(copied.schema, made.schema);
  assert.deepEqual(JSON.stringify([made.seen, copied.seen]), JSON.stringify([[{ ...row(1) }], [{ ...row(2) }]]));
});

const row = (now: number) => ({ number: 1, id: 'a-001', at: now });

test('other migrations of the same name are run, and so is an upgrade', async (t) => {
  const [first, second] = [makeFile(t), makeFile(t)];
  const [one, other, next] = [fakeMigration('a-001', 'a'), fakeMigration('a-001', 'b'), fakeMigration('a-002', 'c')];
  await open(first, [one.migration], 1);
  await open(second, [other.migration], 1);
  assert.equal(other.runs(), 1);
  assert.equal(await open(first, [one.migration, next.migration], 2), 1);
  assert.equal(next.runs(), 1);
  assert.notDeepEqual(contentOf(first).schema, contentOf(second).schema);
});

test('a server runs all migrations: without a maker of new databases, none is a copy', async (t) => {
  const { migration, runs } = fakeMigration('a-001', 'a');
  const needs = { migrations: [migration], clock: { now: () => 1, monotonic: () => 1 } };
  await open(makeFile(t), [migration], 1);
  assert.equal(await upgrade({ ...needs, file: makeFile(t) }), 1);
  assert.equal(runs(), 2);
});
