/**
 * PostgreSQL's dialect in the process of a test (PGlite). An engine is used again by later tests, and so is a database
 * with the same migrations, as objects: creating the tables takes most of what such a test does.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, getTestContext } from 'node:test';
import { createLock } from '../lock.ts';
import { holdSession } from './postgres.ts';
import type { Lease, PostgresSource, PostgresSession } from './postgres-driver.ts';
import type { Migration } from './types.ts';
import { PARSERS } from './values.ts';

/**
 * A limit for a read within a write, which waits for ever, and no measure of speed: thirty writes in line take a slow
 * machine its time.
 */
const LONGEST_WAIT_MS = 60_000;

type Pglite = Awaited<ReturnType<typeof startPglite>>;

interface Engine {
  pglite: Pglite;
  /** Migrations that its database has seen, and what they made. */
  migrated?: { migrations: readonly Migration[]; shape: string };
}

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/pglite', import.meta.url));

/**
 * An empty database as its files, made once for each version of PGlite: that takes four times as long as reading them.
 */
async function emptyDatabase(): Promise<Blob> {
  const { PGlite } = await import('@electric-sql/pglite');
  const { version } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')), 'utf8'),
  ) as { version: string };
  const path = join(CACHE, `empty-${version}.tar`);
  const kept = await readFile(path).catch(() => undefined);
  if (kept) return new Blob([kept]);
  const fresh = await PGlite.create();
  const made = await fresh.dumpDataDir('none');
  await fresh.close();
  // Whole or not at all: another test file may be at it, too.
  await mkdir(CACHE, { recursive: true });
  const part = join(CACHE, `part-${process.pid}`);
  await writeFile(part, new Uint8Array(await made.arrayBuffer()));
  await rename(part, path);
  return made;
}

async function startPglite() {
  const { PGlite } = await import('@electric-sql/pglite');
  return PGlite.create({ parsers: PARSERS, loadDataDir: await emptyDatabase() });
}

/** Starting one takes a second, so those that a test is done with are emptied and used again. */
const idle: Engine[] = [];
// An idle one keeps a timer of ten seconds, and with it the process of the test. A hook that is added inside a test
// runs after that test, when engines of later ones do not exist yet.
if (getTestContext()) throw new Error('this module closes its engines after all tests: import it outside of them');
after(() => Promise.all(idle.splice(0).map(({ pglite }) => pglite.close())));

const run = async (pglite: Pglite, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await pglite.query(statement);
};

/** Everything in the schema by its object ids, which are never given twice, and all columns. */
const SHAPE = `select concat_ws('|',
  (select string_agg(oid::text, ' ' order by oid) from pg_class where relnamespace = 'public'::regnamespace),
  (select string_agg(concat(attrelid, '.', attnum, attname, atttypid, attnotnull, attisdropped), ' '
    order by attrelid, attnum) from pg_attribute
    where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)),
  (select string_agg(oid::text, ' ' order by oid) from pg_constraint where connamespace = 'public'::regnamespace),
  (select string_agg(oid::text, ' ' order by oid) from pg_proc where pronamespace = 'public'::regnamespace),
  (select string_agg(oid::text, ' ' order by oid) from pg_trigger)) as shape`;
const shapeOf = async (pglite: Pglite): Promise<string> =>
  (await pglite.query<{ shape: string }>(SHAPE)).rows[0]?.shape ?? '';

/** Tables that hold rows, or have held some since they were emptied. */
async function filledTables(pglite: Pglite, schema: 'public' | 'kept'): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = to_regnamespace('${schema}') and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  return rows.map(({ name }) => name);
}

/** Copies the rows that the migrations have made, so that the next test with them need not run them. */
async function keepMigrated(engine: Engine, migrations: readonly Migration[]): Promise<void> {
  if (engine.migrated) return;
  const { pglite } = engine;
  const filled = await filledTables(pglite, 'public');
  await run(pglite, [
    'create schema kept',
    ...filled.map((name) => `create table kept.${name} as table public.${name}`),
  ]);
  engine.migrated = { migrations: [...migrations], shape: await shapeOf(pglite) };
}

/** Brings the rows back to what the migrations have made. */
async function emptyTables(pglite: Pglite): Promise<void> {
  const filled = await filledTables(pglite, 'public');
  const kept = await filledTables(pglite, 'kept');
  await run(pglite, [
    // No foreign key is checked.
    'set session_replication_role = replica',
    ...(filled.length > 0 ? [`truncate ${filled.map((name) => `public.${name}`).join(', ')} cascade`] : []),
    ...kept.map((name) => `insert into public.${name} table kept.${name}`),
    'reset session_replication_role',
  ]);
}

async function dropAll(engine: Engine): Promise<void> {
  delete engine.migrated;
  await run(engine.pglite, [
    'drop schema if exists kept cascade',
    'drop schema public cascade',
    'create schema public',
  ]);
}

/** A database whose schema a test has changed is not used again, nor one whose migrations did not end. */
async function handBack(engine: Engine): Promise<void> {
  await run(engine.pglite, ['rollback', 'discard all']);
  if (engine.migrated && engine.migrated.shape !== (await shapeOf(engine.pglite))) delete engine.migrated;
  await (engine.migrated ? emptyTables(engine.pglite) : dropAll(engine));
  idle.push(engine);
}

const areSame = (one: readonly Migration[], other: readonly Migration[]): boolean =>
  one.length === other.length && one.every((migration, n) => migration === other[n]);

/** Takes an idle engine: one that has seen the migrations if there is one, or else one whose database is emptied. */
async function takeIdle(migrations: readonly Migration[]): Promise<Engine | undefined> {
  const at = idle.findIndex(({ migrated }) => migrated !== undefined && areSame(migrated.migrations, migrations));
  const [engine] = idle.splice(at, 1);
  if (at < 0 && engine?.migrated) await dropAll(engine);
  return engine;
}

export interface TemporaryPglite extends PostgresSource {
  /** Called once the migrations have run, and before anything else is written. */
  keepMigrated(): Promise<void>;
}

/** Opens a database that is empty, or as these migrations leave one. */
export async function openPglite(migrations: readonly Migration[] = []): Promise<TemporaryPglite> {
  const engine = (await takeIdle(migrations)) ?? { pglite: await startPglite() };
  const { pglite } = engine;
  const turns = createLock({
    longestWaitMs: LONGEST_WAIT_MS,
    sentence: 'a read waited for a write that never ended: is it made inside that write?',
  });
  const session: PostgresSession = {
    query: async (sql, values, arrays) => {
      const found = await pglite.query(sql, values, { rowMode: arrays ? 'array' : 'object' });
      return { rows: found.rows, affected: found.affectedRows ?? 0 };
    },
  };
  let isWriting: boolean | undefined;
  const lease = async (writes: boolean): Promise<Lease> => {
    const release = await turns.acquire();
    if (writes !== isWriting)
      await session.query(`set default_transaction_read_only = ${writes ? 'off' : 'on'}`, [], false);
    isWriting = writes;
    return { session, release };
  };
  await holdSession(session);
  return {
    writer: () => lease(true),
    reader: () => lease(false),
    close: () => handBack(engine),
    keepMigrated: () => keepMigrated(engine, migrations),
  };
}
