/** An upgrade that is killed leaves the old database or the new one, whole, and nothing lying about. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { CRASH_POINTS } from '../crash.ts';
import { openSqlite } from './sqlite.ts';
import { DatabaseUnusable } from './types.ts';
import type { Migration } from './types.ts';
import { keepFolder } from './upgrade.ts';

const ROWS = 300;
/** Written out again in the child, which cannot be given functions. */
const first: Migration = {
  id: 'a-001',
  up: async (db) => void (await sql`create table a (id integer primary key, text text not null) strict`.execute(db)),
};
const second: Migration = {
  id: 'b-001',
  up: async (db) => void (await sql`create table b as select id, text || '!' as text from a`.execute(db)),
};
const third: Migration = {
  id: 'a-002',
  up: async (db) => void (await sql`alter table a add column more integer not null default 7`.execute(db)),
};

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'matinee-upgrade-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A database of the old version with its rows, some of them still in the log, as a killed server leaves it. */
async function old(file: string): Promise<void> {
  const db = await openSqlite({ file, migrations: [first] });
  await db.write('safe', async (tx) => {
    await sql`
      insert into a (text) with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      select 'row ' || i from n
    `.execute(tx);
  });
  await db.close();
}

const here = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
const SCRIPT = `
  import { sql } from ${here('../../../node_modules/kysely/dist/index.js')};
  import { armCrash } from ${here('../crash.ts')};
  import { openSqlite } from ${here('./sqlite.ts')};
  const [file, point, nth] = process.argv.slice(1);
  const run = (id, text) => ({ id, up: (db) => sql.raw(text).execute(db) });
  if (point !== 'none') armCrash(point, Number(nth));
  process.stdout.write('go');
  const db = await openSqlite({ file, migrations: [
    run('a-001', 'create table a (id integer primary key, text text not null) strict'),
    run('b-001', "create table b as select id, text || '!' as text from a"),
    run('a-002', 'alter table a add column more integer not null default 7'),
  ] });
  await db.close();
`;

/**
 * Upgrades in another process. `afterMs` kills it at that time after it has begun. Returns the signal that ended it.
 */
function upgradeElsewhere(file: string, point: string, nth = 1, afterMs?: number): Promise<NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, file, point, String(nth)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.once('data', () => void (afterMs !== undefined && setTimeout(() => child.kill('SIGKILL'), afterMs)));
    child.once('error', reject);
    child.once('close', (code, signal) => (code ? reject(new Error(`the child ended with ${code}`)) : resolve(signal)));
  });
}

/** Lists faults of the database after the process was killed and after the next start. */
async function wrongs(file: string, isFresh: boolean): Promise<string[]> {
  const found: string[] = [];
  const home = join(file, '..');
  const exists = (await readdir(home)).includes('a.db');
  if (!exists && !isFresh) return ['the database is gone'];
  if (exists) {
    // Writable, so that SQLite may do what it does after any death.
    const raw = new DatabaseSync(file);
    try {
      const tables = raw
        .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%' order by name")
        .all()
        .map((row) => String(row['name']))
        .join();
      const columns = raw.prepare('select * from a').columns().length;
      if (tables + columns !== 'a,migration2' && tables + columns !== 'a,b,migration3')
        found.push(`between two versions: ${tables} ${columns}`);
      if (!isFresh && raw.prepare('select count(*) as n from a').get()?.['n'] !== ROWS) found.push('rows are missing');
      if (raw.prepare('pragma integrity_check').get()?.['integrity_check'] !== 'ok') found.push('damaged');
    } catch (error) {
      found.push(`unreadable: ${String(error)}`);
    } finally {
      raw.close();
    }
  }
  const db = await openSqlite({ file, migrations: [first, second, third] }).catch(
    (error: unknown) => void found.push(`does not open: ${String(error)}`),
  );
  await db?.close();
  const names = (await readdir(home)).filter((name) => !['a.db', 'a.db.lock', 'before-upgrade'].includes(name));
  found.push(...names.map((name) => `stray: ${name}`));
  const live = await stat(file);
  const kept = await readdir(keepFolder(file)).catch(() => []);
  if (kept.length !== (isFresh ? 0 : 1)) found.push(`${kept.length} old ones kept`);
  for (const name of kept) {
    const path = join(keepFolder(file), name);
    if ((await stat(path)).ino === live.ino) found.push(`${name} is the database itself`);
    const raw = new DatabaseSync(path, { readOnly: true });
    if (raw.prepare('select group_concat(id) as ids from migration').get()?.['ids'] !== 'a-001')
      found.push(`${name} is not the old one`);
    raw.close();
  }
  return found;
}

const POINTS = CRASH_POINTS.filter((point) => point.startsWith('db.migrate.'));

test('killed at every point of an upgrade', async (t) => {
  const home = await folder(t);
  for (const [point, nth] of [...POINTS.map((p) => [p, 1] as const), ['db.migrate.applied', 2] as const]) {
    const file = join(home, `${point}-${nth}`, 'a.db');
    await mkdir(join(file, '..'));
    await old(file);
    assert.equal(await upgradeElsewhere(file, point, nth), 'SIGKILL', point);
    assert.deepEqual(await wrongs(file, false), [], `${point} ${nth}`);
  }
});

test('killed at every point of the very first start', async (t) => {
  const home = await folder(t);
  for (const point of POINTS.filter((p) => p !== 'db.migrate.folded')) {
    const file = join(home, point, 'a.db');
    await mkdir(join(file, '..'));
    assert.equal(await upgradeElsewhere(file, point), 'SIGKILL', point);
    assert.deepEqual(await wrongs(file, true), [], point);
  }
});

test('killed at a random moment', async (t) => {
  const home = await folder(t);
  for (const [i, afterMs] of [0, 1, 2, 4, 8, 16, 32].entries()) {
    const file = join(home, `${i}`, 'a.db');
    await mkdir(join(file, '..'));
    await old(file);
    await upgradeElsewhere(file, 'none', 1, afterMs);
    assert.deepEqual(await wrongs(file, false), [], `after ${afterMs} ms`);
  }
});

test('killed while the log is folded in, with the file half changed', async (t) => {
  const home = await folder(t);
  const file = join(home, 'a.db');
  await mkdir(join(home, 'dead'));
  const dead = join(home, 'dead', 'a.db');
  await old(file);
  const raw = new DatabaseSync(file);
  raw.exec(
    "pragma journal_mode = delete; pragma cache_size = 1; begin; update a set text = 'half' where id < 250; " +
      'create table b (id)',
  );
  for (const end of ['', '-journal']) await copyFile(file + end, dead + end);
  raw.close();
  assert.notEqual((await stat(`${dead}-journal`)).size, 0);
  const db = await openSqlite({ file: dead, migrations: [first] });
  assert.equal(
    (await sql<{ n: number }>`select count(*) as n from a where text like 'row %'`.execute(db.tables())).rows[0]?.n,
    ROWS,
  );
  await db.close();
  assert.deepEqual(await wrongs(dead, false), []);
});

test('the check finds the faults it is there for', async (t) => {
  const home = await folder(t);
  const faults: [what: RegExp, plant: (file: string, raw: DatabaseSync) => Promise<void> | void][] = [
    [
      /between two versions/,
      (_file, raw) =>
        raw.exec("create table b as select id, text from a; insert into migration (id, at) values ('b-001', 1)"),
    ],
    [/rows are missing/, (_file, raw) => raw.exec('delete from a where id > 250')],
    [/stray: a\.db\.half/, (file) => void new DatabaseSync(`${file}.half`).exec('create table x (y)')],
  ];
  for (const [i, [what, plant]] of faults.entries()) {
    const file = join(home, `${i}`, 'a.db');
    await mkdir(join(file, '..'));
    await old(file);
    const raw = new DatabaseSync(file);
    await plant(file, raw);
    raw.close();
    assert.match((await wrongs(file, false)).join('; '), what);
  }
});

test('a step that fails leaves the old database and its copy nowhere', async (t) => {
  const home = await folder(t);
  const file = join(home, 'a.db');
  await old(file);
  const bad: Migration = {
    id: 'b-009',
    up: async (db) => {
      await sql`create table half (x integer)`.execute(db);
      throw new Error('no');
    },
  };
  const dangling: Migration = {
    id: 'b-010',
    up: async (db) => {
      await sql`create table child (a integer references a (id)) strict`.execute(db);
      await sql`insert into child values (99999)`.execute(db);
    },
  };
  for (const migration of [bad, dangling]) {
    await assert.rejects(
      openSqlite({ file, migrations: [first, second, migration] }),
      (error) => error instanceof DatabaseUnusable && error.reason === 'upgrade',
    );
    assert.deepEqual((await readdir(home)).sort(), ['a.db', 'a.db.lock']);
  }
  const db = await openSqlite({ file, migrations: [first] });
  assert.equal((await sql<{ n: number }>`select count(*) as n from a`.execute(db.tables())).rows[0]?.n, ROWS);
  await db.close();
});

test('rows that others point to survive a rebuilt table, and rowids stay', async (t) => {
  const file = join(await folder(t), 'a.db');
  const parent: Migration = {
    id: 'p-001',
    up: async (db) => {
      await sql`create table p (id text primary key) strict`.execute(db);
      await sql`create table c (p text not null references p (id) on delete cascade) strict`.execute(db);
      await sql`create virtual table words using fts5 (text)`.execute(db);
    },
  };
  const db = await openSqlite({ file, migrations: [parent] });
  await db.write('safe', async (tx) => {
    await sql`insert into p values ('x'), ('y'), ('z')`.execute(tx);
    await sql`insert into c values ('z')`.execute(tx);
    await sql`delete from p where id = 'x'`.execute(tx);
    await sql`insert into words (rowid, text) values (5, 'hello')`.execute(tx);
  });
  await db.close();
  const rebuilt: Migration = {
    id: 'p-002',
    up: async (tx) => {
      await sql`create table p2 (id text primary key, more integer) strict`.execute(tx);
      await sql`insert into p2 (rowid, id) select rowid, id from p`.execute(tx);
      await sql`drop table p`.execute(tx);
      await sql`alter table p2 rename to p`.execute(tx);
    },
  };
  const after = await openSqlite({ file, migrations: [parent, rebuilt] });
  assert.deepEqual((await sql`select rowid as n, id from p order by rowid`.execute(after.tables())).rows, [
    { n: 2, id: 'y' },
    { n: 3, id: 'z' },
  ]);
  assert.deepEqual((await sql`select p from c`.execute(after.tables())).rows, [{ p: 'z' }]);
  assert.deepEqual((await sql`select rowid as n from words where words match 'hello'`.execute(after.tables())).rows, [
    { n: 5 },
  ]);
  await after.close();
});

test('the newest three old ones are kept', async (t) => {
  const file = join(await folder(t), 'a.db');
  const migrations: Migration[] = [first];
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => (now += 86_400_000), monotonic: () => 0 };
  await (await openSqlite({ file, migrations, clock })).close();
  for (let i = 1; i <= 5; i++) {
    migrations.push({ id: `m-00${i}`, up: async () => {} });
    await (await openSqlite({ file, migrations: [...migrations], clock })).close();
  }
  const kept = await readdir(keepFolder(file));
  assert.deepEqual(kept.map((name) => name.slice(-8)).sort(), ['m-002.db', 'm-003.db', 'm-004.db']);
  assert.match(kept[0] ?? '', /^2026\d{4}T\d{9}Z-/);
});
