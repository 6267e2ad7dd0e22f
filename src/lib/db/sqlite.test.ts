/** SQLite in particular: what is durable when, what is kept, what is refused. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { until } from '../../../test/until.ts';
import { Failure } from '../failure.ts';
import { createFlusher } from './flush.ts';
import { connect, createStatements, sqliteDialect } from './sqlite-driver.ts';
import { connectFile } from './sqlite-file.ts';
import { openSqlite } from './sqlite.ts';
import { makeFolder, noteIds, notes, type NoteTables, putNote } from './testing-sqlite.ts';
import { DatabaseUnusable } from './types.ts';
import type { Transaction, Unusable } from './types.ts';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const digest = async (path: string): Promise<string> => hashOf(await readFile(path));
const EMPTY = hashOf(new Uint8Array());

/** Hashes of the files in the folder by name. The lock file and SQLite's files for readers are empty. */
async function contentsOf(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path, { recursive: true })).sort();
  const all = await Promise.all(
    names.map(async (name) =>
      (await stat(join(path, name))).isFile() ? [[name, await digest(join(path, name))] as const] : [],
    ),
  );
  return Object.fromEntries(
    all.flat().filter(([name, hash]) => !/\.lock$|-shm$/.test(name) && !(name.endsWith('-wal') && hash === EMPTY)),
  );
}

const refusedAs = (reason: Unusable) => (error: unknown) =>
  error instanceof DatabaseUnusable &&
  error.reason === reason &&
  !error.message.includes('\n') &&
  !error.message.includes(tmpdir());

test('statements are prepared once, and the oldest makes room', async (t) => {
  const raw = new DatabaseSync(':memory:');
  const kept = createStatements(raw, 2);
  for (const n of [1, 2, 1, 3, 1, 2]) kept.get(`select ${n}`).run([]);
  assert.deepEqual([kept.misses, kept.size], [4, 2]);
  const connection = connect(raw);
  const db = new Kysely<NoteTables>({ dialect: sqliteDialect(connection) });
  raw.exec('create table note (id text, text text)');
  for (const id of ['a', 'b', 'c']) await db.selectFrom('note').selectAll().where('id', '=', id).execute();
  assert.equal(connection.statements.misses, 1);
  raw.exec("insert into note values ('a', 'x'); alter table note add column more integer");
  assert.deepEqual(await db.selectFrom('note').selectAll().where('id', '=', 'a').execute(), [
    { id: 'a', text: 'x', more: null },
  ]);
  t.after(() => raw.close());
});

test('every connection is guarded', async (t) => {
  const file = join(await makeFolder(t), 'a.db');
  for (const mode of ['write', 'read'] as const) {
    const db = connectFile(file, mode);
    const get = (name: string): unknown => Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0];
    assert.deepEqual(
      [get('foreign_keys'), get('trusted_schema'), get('busy_timeout'), get('mmap_size'), get('journal_mode')],
      [1, 0, 1000, 0, 'wal'],
    );
    if (mode === 'write') assert.equal(get('wal_autocheckpoint'), 0, 'a checkpoint would sync on the main thread');
    assert.throws(() => db.exec('pragma writable_schema = on; delete from sqlite_schema'));
    db.close();
  }
});

test('a link to the file is followed', async (t) => {
  const path = await makeFolder(t);
  await mkdir(join(path, 'real'));
  await symlink(join(path, 'real', 'a.db'), join(path, 'link.db'));
  await (await openSqlite({ file: join(path, 'real', 'a.db'), migrations: [notes] })).close();
  await (
    await openSqlite({ file: join(path, 'link.db'), migrations: [notes, { id: 'note-002', up: async () => {} }] })
  ).close();
  assert.deepEqual((await readdir(path)).sort(), ['link.db', 'real']);
  assert.equal((await lstat(join(path, 'link.db'))).isSymbolicLink(), true);
});

test('a safe write waits for a sync that began after it; a grouped one does not wait', async (t) => {
  const gates: (() => void)[] = [];
  const db = await openSqlite({
    file: join(await makeFolder(t), 'a.db'),
    migrations: [notes],
    aroundSync: () => new Promise((resolve) => void gates.push(resolve)),
  });
  let settled = 0;
  const first = db.write('safe', putNote('a')).then(() => settled++);
  await until('a sync to begin', () => gates.length >= 1);
  const second = db.write('safe', putNote('b')).then(() => settled++);
  await until('the second write to be seen', async () => (await noteIds(db)).includes('b'));
  await db.write('grouped', putNote('c'));
  assert.equal(settled, 0);
  gates[0]?.();
  await first;
  await until('a sync to begin', () => gates.length >= 2);
  assert.equal(settled, 1);
  gates[1]?.();
  await second;
  const closing = db.close();
  await until('a sync to begin', () => gates.length >= 3);
  gates[2]?.();
  await closing;
});

test('a sync that fails is told to the writer, and nothing is accepted afterwards', async (t) => {
  const path = await makeFolder(t);
  const reported: unknown[] = [];
  let isFailing = false;
  const db = await openSqlite({
    file: join(path, 'a.db'),
    migrations: [notes],
    report: (error) => void reported.push(error),
    aroundSync: (sync) => (isFailing ? Promise.reject(new Error('EIO')) : sync()),
  });
  await db.write('safe', putNote('a'));
  isFailing = true;
  const unavailable = (error: unknown): boolean => error instanceof Failure && error.kind === 'unavailable';
  await assert.rejects(db.write('safe', putNote('b')), unavailable);
  isFailing = false;
  await assert.rejects(db.write('grouped', putNote('c')), unavailable);
  assert.equal(reported.length, 1);
  await db.close();
});

test('a disk that is full refuses what is written, says so, and loses nothing that was taken', async (t) => {
  const path = await makeFolder(t);
  const reported: unknown[] = [];
  const db = await openSqlite({
    file: join(path, 'a.db'),
    migrations: [notes],
    report: (error) => void reported.push(error),
  });
  const limit = (pages: number) =>
    db.write<NoteTables, void>('safe', async (tx) => {
      await sql.raw(`pragma max_page_count = ${pages}`).execute(tx);
    });
  await db.write('safe', putNote('a'));
  await limit(1);
  const isFull = (error: unknown): boolean =>
    error instanceof Failure && error.kind === 'unavailable' && error.message === 'the disk of the database is full';
  for (const durability of ['safe', 'grouped'] as const)
    await assert.rejects(db.write(durability, putNote('b', 'x'.repeat(100_000))), isFull);
  assert.equal(reported.length, 2, 'the log hears of each');
  assert.deepEqual(await noteIds(db), ['a']);
  await limit(100_000);
  await db.write('safe', putNote('b', 'x'.repeat(100_000)));
  assert.deepEqual(await noteIds(db), ['a', 'b']);
  await assert.rejects(
    db.write('safe', putNote('b')),
    (error) => !(error instanceof Failure),
    'planted: what is no fault of the disk stays a bug',
  );
  await db.close();
});

test(
  'a database that another program holds is said to be held, and is written to afterwards',
  { timeout: 300_000 },
  async (t) => {
    const path = await makeFolder(t);
    const db = await openSqlite({ file: join(path, 'a.db'), migrations: [notes] });
    const other = new DatabaseSync(join(path, 'a.db'));
    other.exec('begin immediate');
    await assert.rejects(
      db.write('safe', putNote('a')),
      (error) => error instanceof Failure && error.kind === 'unavailable',
    );
    other.exec('rollback');
    other.close();
    await db.write('safe', putNote('a'));
    assert.deepEqual(await noteIds(db), ['a']);
    await db.close();
  },
);

test('grouped writes share one sync, soon', async () => {
  let syncs = 0;
  let synced = (): void => {};
  const done = new Promise<void>((resolve) => void (synced = resolve));
  const flusher = createFlusher(
    async () => {
      syncs++;
      synced();
    },
    () => {},
    5,
  );
  for (let i = 0; i < 50; i++) flusher.soon();
  await done;
  assert.equal(syncs, 1);
  await flusher.close();
});

test('a second server is refused, in this process and in another, until the first is gone', async (t) => {
  const path = await makeFolder(t);
  const file = join(path, 'a.db');
  const db = await openSqlite({ file, migrations: [notes] });
  await assert.rejects(openSqlite({ file, migrations: [notes] }), refusedAs('in-use'));
  const script = `import { openSqlite } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)};
    openSqlite({ file: process.argv[1], migrations: [] }).then(() => console.log('open'), (error) => console.log(error.reason));`;
  const told = await new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    child.once('error', reject);
    child.once('close', () => resolve(text.trim()));
  });
  assert.equal(told, 'in-use');
  await db.write('safe', putNote('still'));
  await db.close();
  const again = await openSqlite({ file, migrations: [notes] });
  assert.deepEqual(await noteIds(again), ['still']);
  await again.close();
});

test('what cannot be opened is refused by its cause, and not a byte is changed', async (t) => {
  const path = await makeFolder(t);
  const cases: [name: string, reason: Unusable, make: (file: string) => Promise<void>][] = [
    ['noise', 'corrupt', (file) => writeFile(file, Buffer.alloc(8192, 7))],
    ['text', 'corrupt', (file) => writeFile(file, 'hello')],
    [
      'torn',
      'corrupt',
      async (file) => {
        const raw = new DatabaseSync(file);
        raw.exec(
          'create table migration (number integer primary key, id text, at integer) strict; insert into ' +
            "migration (id, at) values ('old-001', 1); create table a (b text)",
        );
        raw.exec(
          'insert into a select hex(randomblob(500)) from (with recursive n(i) as (select 1 union all select i + ' +
            '1 from n where i < 200) select i from n)',
        );
        raw.close();
        const bytes = await readFile(file);
        bytes.fill(0xab, 12_288, 40_000);
        await writeFile(file, bytes);
      },
    ],
    [
      'foreign',
      'foreign',
      async (file) => {
        const raw = new DatabaseSync(file);
        raw.exec('create table theirs (a integer)');
        raw.close();
      },
    ],
    [
      'newer',
      'newer',
      async (file) => {
        await (await openSqlite({ file, migrations: [notes, { id: 'later-001', up: async () => {} }] })).close();
      },
    ],
    ['orphan', 'corrupt', (file) => writeFile(`${file}-wal`, Buffer.alloc(4096, 1))],
  ];
  for (const [name, reason, make] of cases) {
    const home = join(path, name);
    await mkdir(home);
    const file = join(home, 'a.db');
    await make(file);
    const before = await contentsOf(home);
    const migrations = name === 'torn' ? [{ id: 'old-001', up: async () => {} }, notes] : [notes];
    await assert.rejects(openSqlite({ file, migrations }), refusedAs(reason), name);
    assert.deepEqual(await contentsOf(home), before, name);
  }
  await assert.rejects(
    openSqlite({ file: join(path, 'no', 'such', 'folder', 'a.db'), migrations: [notes] }),
    refusedAs('unwritable'),
  );
});

test('a write within a write gives up rather than wait for ever', async (t) => {
  const db = await openSqlite({ file: join(await makeFolder(t), 'a.db'), migrations: [notes], longestWaitMs: 20 });
  await assert.rejects(
    db.write('safe', async (tx: Transaction<NoteTables>) => {
      await putNote('outer')(tx);
      await db.write('safe', putNote('inner'));
    }),
    (error) => error instanceof Failure && error.kind === 'unavailable',
  );
  await db.write('safe', putNote('after'));
  assert.deepEqual(await noteIds(db), ['after']);
  await db.close();
});

test('a copy is whole, taken while writes go on, never over another file, and leaves nothing else', async (t) => {
  const path = await makeFolder(t);
  const db = await openSqlite({ file: join(path, 'a.db'), migrations: [notes] });
  await db.write('safe', async (tx: Transaction<NoteTables>) => {
    for (let i = 0; i < 2000; i++) await putNote(`n${i}`, 'y'.repeat(200))(tx);
  });
  const copies = join(path, 'copies');
  await mkdir(copies);
  const making = db.snapshot(join(copies, 'one.db'));
  await db.write('safe', putNote('meanwhile'));
  await making;
  assert.deepEqual(await readdir(copies), ['one.db']);
  await assert.rejects(
    db.snapshot(join(copies, 'one.db')),
    (error) => error instanceof Failure && error.kind === 'conflict',
  );
  assert.deepEqual(await readdir(copies), ['one.db']);
  const copy = await openSqlite({ file: join(copies, 'one.db'), migrations: [notes] });
  const found = (await noteIds(copy)).length;
  assert.ok(found === 2000 || found === 2001);
  await copy.close();
  await db.tidy();
  await db.close();
  assert.deepEqual((await readdir(path)).sort(), ['a.db', 'a.db.lock', 'copies']);
});

test('the file and the files next to it are readable by their owner only', async (t) => {
  const path = await makeFolder(t);
  const db = await openSqlite({ file: join(path, 'a.db'), migrations: [notes] });
  await db.write('grouped', putNote('a'));
  for (const name of ['a.db', 'a.db-wal', 'a.db-shm'])
    assert.equal((await stat(join(path, name))).mode & 0o777, 0o600, name);
  await db.close();
});

test('a full disk is read, and writes are refused with the reason', async (t) => {
  const path = await makeFolder(t);
  const file = join(path, 'a.db');
  const first = await openSqlite({ file, migrations: [notes] });
  await first.write('safe', putNote('a'));
  await first.close();
  // The engine cannot make its index there, as on a full disk.
  await mkdir(`${file}-shm`);
  await assert.rejects(openSqlite({ file, migrations: [notes], room: async () => 1e9 }), refusedAs('unwritable'));
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const full = await openSqlite({ file, migrations: [notes], room: async () => 0, report });
  assert.deepEqual([full.isReadOnly, reported.length, await noteIds(full)], [true, 1, ['a']]);
  const refusal = { kind: 'unavailable', reason: 'disk-full' };
  await assert.rejects(full.write('safe', putNote('b')), refusal);
  await assert.rejects(full.check(), refusal);
  await full.close();
  await rmdir(`${file}-shm`);
  const again = await openSqlite({ file, migrations: [notes] });
  assert.deepEqual([again.isReadOnly, await noteIds(again)], [false, ['a']]);
  await again.close();
});
