/**
 * A server whose database is gone does not offer set-up again, and says what to do; the commands that it names do it.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { type App, createApp } from '../src/app.ts';
import { loadBoot } from '../src/config/index.ts';
import { systemClock as clock } from '../src/lib/clock.ts';
import { DatabaseUnusable } from '../src/lib/db/index.ts';
import { openPostgres } from '../src/lib/db/postgres.ts';
import { openPglite } from '../src/lib/db/testing-pglite.ts';
import { createLog } from '../src/lib/log.ts';
import { recoverCommand } from '../src/recover.ts';
import { resetCommand, restoreCommand } from '../src/restore.ts';
import { builtHelper } from './built-helpers.ts';
import { PASSWORD } from './world.ts';
import { SETTINGS } from '../src/settings.ts';

const log = createLog({ level: 'error', write: () => {} });

interface House {
  data: string;
  file: string;
  open(): Promise<App>;
  /** The line with which a start is refused. */
  refused(): Promise<string>;
  run(command: typeof resetCommand, ...args: string[]): Promise<{ status: number; said: string }>;
}

async function house(t: TestContext): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-lost-'));
  const [data, cache, media] = ['data', 'cache', 'media'].map((name) => join(folder, name)) as [string, string, string];
  await mkdir(media);
  const boot = await loadBoot({
    settings: SETTINGS,
    env: { SERVICE_DATA_DIR: data, SERVICE_CACHE_DIR: cache, SERVICE_MEDIA_DIR: media, SERVICE_TLS_ENABLED: 'false' },
    clock,
  });
  const open = () =>
    createApp({ boot, clock, log, version: '0.0.0', threads: 24, dashboard: media, helperModule: builtHelper });
  const apps: App[] = [];
  t.after(async () => {
    for (const app of apps) await app.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    data,
    file: join(data, 'matinee.db'),
    open: async () => {
      const app = await open();
      apps.push(app);
      return app;
    },
    refused: async () => {
      try {
        apps.push(await open());
      } catch (error) {
        assert.ok(error instanceof DatabaseUnusable, String(error));
        assert.ok(!error.message.includes('\n'));
        return error.message;
      }
      assert.fail('it started');
    },
    run: async (command, ...args) => {
      const lines: string[] = [];
      return { status: await command({ args, boot, print: (line) => void lines.push(line) }), said: lines.join('\n') };
    },
  };
}

const ask = async (app: App, url: string, name = 'Ada') => {
  const reply = await app.http.server.inject({
    method: 'POST',
    url,
    remoteAddress: '192.168.1.20',
    headers: { host: 'localhost', 'content-type': 'application/json' },
    payload: JSON.stringify({ name, password: PASSWORD }),
  });
  return reply.statusCode;
};

async function setUp({ open, data }: House): Promise<void> {
  const app = await open();
  assert.equal(await ask(app, '/api/v1/setup'), 201);
  assert.ok(existsSync(join(data, 'set-up.txt')), 'it is written before the first Owner is acknowledged');
  await app.close();
}

test('a server that was set up and lost its database is refused, whatever is left of it', async (t) => {
  const at = await house(t);
  await setUp(at);
  const kept = `${at.file}.kept`;
  await rename(at.file, kept);
  assert.match(
    await at.refused(),
    /missing or empty.*\(set-up\.txt, master\.key\).*restore a backup.*npm start -- reset/,
  );
  assert.ok(!existsSync(at.file));
  await writeFile(at.file, '');
  assert.match(await at.refused(), /missing or empty/);
  new DatabaseSync(at.file).close();
  assert.match(await at.refused(), /missing or empty/);
  await rm(at.file);
  // As an older version left it.
  await rm(join(at.data, 'set-up.txt'));
  assert.match(await at.refused(), /\(master\.key\)/);
  await rename(join(at.data, 'master.key'), join(at.data, 'key.kept'));
  await mkdir(join(at.data, 'tls'));
  assert.match(await at.refused(), /\(tls\)/);
  await rename(join(at.data, 'key.kept'), join(at.data, 'master.key'));

  await rename(kept, at.file);
  const app = await at.open();
  assert.equal(await ask(app, '/api/v1/session'), 201);
  await app.close();
  assert.ok(existsSync(join(at.data, 'set-up.txt')), 'the file of an older version is written at its next start');
});

test('a database without an Owner is refused where there was one, and accepted where there was none', async (t) => {
  const fresh = await house(t);
  await (await fresh.open()).close();
  // A set-up that was killed: the key is made just before the Owner is written.
  await writeFile(join(fresh.data, 'master.key'), `matinee-key-1 ${'0'.repeat(16)} ${'A'.repeat(43)}\n`);
  await mkdir(join(fresh.data, 'tls'));
  await (await fresh.open()).close();

  const at = await house(t);
  await setUp(at);
  await copyFile(fresh.file, at.file);
  assert.match(await at.refused(), /no Owner.*restore a backup/);
  await rm(join(at.data, 'set-up.txt'));
  const raw = new DatabaseSync(at.file);
  raw.exec(
    'insert into activity_entry (number, id, chain, at, kind, outcome, actor, count, details, hash) ' +
      `values (1, '0000000000000001', 'record', ${Date.now()}, 'sign-in', 'done', 'aaaaaaaaaaaaaaaa', 1, '{}', '')`,
  );
  raw.close();
  assert.match(await at.refused(), /no Owner/);
});

test('restore goes back to the verified copy, and reset to a first start; neither does so unasked', async (t) => {
  const at = await house(t);
  assert.deepEqual((await at.run(restoreCommand)).status, 2);
  await setUp(at);
  const app = await at.open();
  await mkdir(join(at.data, 'verified'));
  await app.db.snapshot(join(at.data, 'verified', '20261120T120000000Z.db'));
  assert.match((await at.run(restoreCommand, '--yes')).said, /stop it first/);
  assert.match((await at.run(resetCommand, '--yes')).said, /stop it first/);
  await app.close();

  await writeFile(at.file, 'noise');
  assert.match(await at.refused(), /npm start -- restore/);
  await rm(at.file);
  assert.match(await at.refused(), /npm start -- restore.*2026-11-20T12:00:00/);
  assert.equal((await at.run(recoverCommand, 'Ada')).status, 2);
  assert.ok(!existsSync(at.file), 'recover makes no database');
  await writeFile(at.file, 'noise');

  const shown = await at.run(restoreCommand);
  assert.deepEqual([shown.status, /20261120T120000000Z\.db/.test(shown.said), existsSync(at.file)], [0, true, true]);
  assert.match((await at.run(restoreCommand, '--yes', 'other.db')).said, /no copy of that name/);
  const done = await at.run(restoreCommand, '--yes');
  assert.equal(done.status, 0, done.said);
  const back = await at.open();
  assert.equal(await ask(back, '/api/v1/session'), 201);
  await back.close();

  const before = (await readdir(at.data)).sort();
  const told = await at.run(resetCommand);
  assert.match(told.said, /matinee\.db, set-up\.txt, master\.key, verified/);
  assert.deepEqual((await readdir(at.data)).sort(), before);
  assert.equal((await at.run(resetCommand, '--yes')).status, 0);
  const again = await at.open();
  assert.equal(await ask(again, '/api/v1/setup', 'Bea'), 201);
});

test('a copy that is damaged is not put back, and an older one is', async (t) => {
  const at = await house(t);
  await setUp(at);
  const app = await at.open();
  const folder = join(at.data, 'verified');
  await mkdir(folder);
  await app.db.snapshot(join(folder, '20261120T120000000Z.db'));
  await app.close();
  await writeFile(join(folder, '20261121T120000000Z.db'), 'noise');
  const { said } = await at.run(restoreCommand, '--yes');
  assert.match(said, /the copy of 2026-11-20/);
});

test('an empty PostgreSQL database is asked about before a table is made', async () => {
  const source = await openPglite();
  const refuse = () => Promise.reject(new DatabaseUnusable('lost', 'lost'));
  const migrations = [{ id: 'note-001', up: async () => {} }];
  await assert.rejects(openPostgres(source, { migrations, mayCreate: refuse }), /lost/);
  const other = await openPostgres(await openPglite(), { migrations });
  await other.close();
});
