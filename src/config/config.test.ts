/** Saving by an Owner: what is refused, what is live, what waits, what survives, and that secrets stay secret. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { FailureKind } from '../contract/kernel/failure.ts';
import { SettingRow } from '../contract/config/configuration.ts';
import type { Database, Transaction } from '../lib/db/index.ts';
import { eachEngine, openTemporaryDatabase } from '../lib/db/testing.ts';
import { Failure } from '../lib/failure.ts';
import { createConfig, type Config } from './config.ts';
import type { Environment } from './environment.ts';
import { ConfigurationRefused } from './faults.ts';
import { loadBoot } from './load.ts';
import type { SettingKey } from './setting.ts';
import { configMigrations } from './store.ts';
import { SETTINGS } from '../settings.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const TOKEN = 't0k3n'.repeat(8);
const TRUSTED = JSON.stringify({ domain: 'home', token: TOKEN, address: '192.168.1.2', termsAccepted: true });
interface Rows {
  config_setting: { key: string; text: string; sealed: number; saved_at: number };
}

/** Makes a separate data folder; `open` starts the server on it. */
async function place(t: TestContext, db: Database) {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-config-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const open = async (env: Environment = {}, now = NOW): Promise<Config> => {
    const clock = { now: () => now, monotonic: () => 0 };
    return createConfig({
      boot: await loadBoot({ settings: SETTINGS, env: { SERVICE_DATA_DIR: folder, ...env }, clock }),
      db,
      clock,
    });
  };
  const refusal = async (env: Environment = {}, now = NOW): Promise<string> => {
    const error: unknown = await open(env, now).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ConfigurationRefused, String(error));
    return error.message;
  };
  const rows = (): Promise<Rows['config_setting'][]> =>
    db.tables<Rows>().selectFrom('config_setting').selectAll().orderBy('key').execute();
  return { folder, open, refusal, rows };
}

/** Tests on SQLite alone what does not depend on the engine. */
const onSqlite = (name: string, work: (t: TestContext, db: Database) => Promise<void>): void =>
  void test(name, async (t) => work(t, await openTemporaryDatabase(t, configMigrations)));

const rowOf = (config: Config, key: string): SettingRow =>
  config.all().find((row) => row.key === key) ?? assert.fail(key);
/** The longest sample that a setting accepts, so that finding it elsewhere means something. */
const longest = (key: SettingKey): string =>
  SETTINGS.declared(key)
    .samples()
    .good.reduce((one, other) => (other.length > one.length ? other : one));
const fails =
  (kind: FailureKind, reason: RegExp = /./) =>
  (error: unknown): boolean =>
    error instanceof Failure && error.kind === kind && reason.test(error.message);

eachEngine('a saved setting is there after a restart', configMigrations, async (t, db) => {
  const { open } = await place(t, db);
  const config = await open();
  assert.deepEqual(await config.save('playback.mode', 'direct'), { restartRequired: false });
  assert.deepEqual(await config.save('tls.hosts', '["Media.Home"]'), { restartRequired: true });
  const again = await open();
  assert.equal(again.get('playback.mode'), 'direct');
  assert.deepEqual(again.get('tls.hosts'), ['media.home']);
  assert.equal(rowOf(again, 'tls.hosts').pending, false);
});

onSqlite('a live setting takes effect at once and is told to listeners', async (t, db) => {
  const { open } = await place(t, db);
  const config = await open();
  const heard: unknown[] = [];
  const stop = config.on('logging.level', (level) => heard.push(level));
  config.on('logging.level', () => assert.fail('one listener that fails harms no other'));
  await config.save('logging.level', 'debug');
  assert.equal(config.get('logging.level'), 'debug');
  await config.save('logging.level', 'debug');
  await config.reset('logging.level');
  stop();
  await config.save('logging.level', 'warn');
  assert.deepEqual(heard, ['debug', 'info']);
});

onSqlite('a restart setting keeps its running value, and shows what is saved as pending', async (t, db) => {
  const { open } = await place(t, db);
  const config = await open();
  assert.deepEqual(await config.save('backup.retention', '9'), { restartRequired: true });
  assert.equal(config.get('backup.retention'), 7);
  const row = rowOf(config, 'backup.retention');
  assert.deepEqual([row.value, row.source, row.pending, row.default], ['9', 'owner', true, '7']);
  assert.deepEqual(await config.reset('backup.retention'), { restartRequired: false });
  assert.deepEqual(
    [rowOf(config, 'backup.retention').source, rowOf(config, 'backup.retention').pending],
    ['default', false],
  );
});

eachEngine('reset and a blank text go back to the next source', configMigrations, async (t, db) => {
  const { open, rows } = await place(t, db);
  const config = await open();
  await config.save('server.name', '  Films at home ');
  assert.equal(config.get('server.name'), 'Films at home');
  await config.save('server.name', '  ');
  assert.equal(config.get('server.name'), undefined);
  assert.deepEqual(await config.reset('server.name'), { restartRequired: false });
  assert.deepEqual(await rows(), []);
});

onSqlite('managed settings are read-only and win over what was saved', async (t, db) => {
  const { open, rows } = await place(t, db);
  await (await open()).save('playback.mode', 'direct');
  const config = await open({ SERVICE_PLAYBACK_MODE: 'compatible' });
  assert.equal(config.get('playback.mode'), 'compatible');
  const row = rowOf(config, 'playback.mode');
  assert.deepEqual([row.source, row.managed, row.value], ['environment', true, 'compatible']);
  await assert.rejects(config.save('playback.mode', 'automatic'), fails('conflict'));
  await assert.rejects(config.save('playback.mode', 'nonsense'), fails('conflict'));
  await assert.rejects(config.reset('playback.mode'), fails('conflict'));
  assert.equal((await rows())[0]?.text, 'direct');
  assert.equal((await open()).get('playback.mode'), 'direct', 'the saved one is back when the other is gone');
});

onSqlite('what is needed before the database opens cannot be saved in it', async (t, db) => {
  const { open, rows } = await place(t, db);
  const config = await open();
  for (const key of ['paths.data', 'database.url']) {
    assert.equal(rowOf(config, key).managed, true);
    await assert.rejects(config.save(key, '/elsewhere'), fails('conflict'));
    await assert.rejects(config.reset(key), fails('conflict'));
  }
  assert.deepEqual(await rows(), []);
});

onSqlite('unknown keys are missing, bad values invalid, and nothing is written', async (t, db) => {
  const { open, rows } = await place(t, db);
  const config = await open();
  for (const key of ['nothing', '__proto__', 'playback', 'constructor', '']) {
    await assert.rejects(config.save(key, 'x'), fails('missing'));
    await assert.rejects(config.reset(key), fails('missing'));
  }
  for (const { key } of SETTINGS.all) {
    if (key === 'paths.data' || key === 'database.url') continue;
    for (const text of SETTINGS.declared(key)
      .samples()
      .bad.filter((bad) => bad.trim() === bad)
      .slice(0, 3)) {
      const repeats = (error: unknown): boolean =>
        fails('invalid')(error) && (text.length < 12 || !String(error).includes(text)) && String(error).includes(key);
      await assert.rejects(config.save(key, text), repeats, `${key} took ${text.slice(0, 60)}`);
    }
  }
  assert.deepEqual(await rows(), []);
});

onSqlite('a save that breaks the whole is refused before anything is written', async (t, db) => {
  const { open, rows } = await place(t, db);
  const config = await open();
  await assert.rejects(config.save('dlna.enabled', 'true'), fails('invalid', /^dlna\.enabled needs dlna\.url$/));
  await assert.rejects(config.save('remote.gateway', 'true'), fails('invalid'));
  await assert.rejects(config.save('remote.mode', 'https'), fails('invalid'));
  await assert.rejects(config.save('integrations.media_compat.enabled', 'true'), fails('invalid'));
  await assert.rejects(config.saveAll({ 'playback.mode': 'direct', 'dlna.enabled': 'true' }), fails('invalid'));
  await assert.rejects(config.saveAll({ 'playback.mode': 'direct', nothing: 'x' }), fails('missing'));
  assert.deepEqual(await rows(), []);
  assert.equal(config.get('playback.mode'), undefined);

  await config.saveAll({ 'dlna.url': 'http://192.168.1.2:38128', 'dlna.enabled': 'true' });
  await assert.rejects(config.reset('dlna.url'), fails('conflict', /needs dlna\.url/));
  await config.saveAll({
    'remote.mode': 'https',
    'remote.dns_a_domain': 'home',
    'remote.dns_a_token': TOKEN,
    'auth.url': 'https://home.duckdns.org',
  });
  await assert.rejects(config.save('auth.url', 'https://other.duckdns.org'), fails('invalid'));
  await assert.rejects(config.reset('remote.dns_a_token'), fails('conflict'));
  await assert.rejects(config.save('tls.dns_a', TRUSTED), fails('invalid'));
  await assert.rejects(config.save('remote.gateway', 'true'), fails('invalid', /needs remote\.proxy_token/));
  await config.saveAll({ 'remote.gateway': 'true', 'remote.proxy_token': TOKEN });
  await assert.rejects(config.reset('remote.proxy_token'), fails('conflict'));
  await assert.rejects(config.save('remote.mode', 'off'), fails('invalid', /remote\.gateway/));
  const again = await open();
  assert.equal(again.get('remote.gateway'), true);
});

onSqlite('of two saves that only fail together, one is refused', async (t, db) => {
  const { open } = await place(t, db);
  const config = await open();
  const results = await Promise.allSettled([config.save('tls.dns_a', TRUSTED), config.save('tls.enabled', 'false')]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  await open();
});

onSqlite('a live setting whose need still waits for the restart waits with it', async (t, db) => {
  const { open } = await place(t, db);
  const config = await open();
  config.on('integrations.media_compat.enabled', () => assert.fail('told too early'));
  await config.save('tls.dns_a', TRUSTED);
  assert.deepEqual(await config.save('integrations.media_compat.enabled', 'true'), { restartRequired: true });
  assert.equal(config.get('integrations.media_compat.enabled'), false);
  assert.equal(rowOf(config, 'integrations.media_compat.enabled').pending, true);
  assert.equal((await open()).get('integrations.media_compat.enabled'), true);
});

onSqlite('an Owner may fill in a set step by step, and its feature needs all of it', async (t, db) => {
  const { open } = await place(t, db);
  const config = await open();
  await config.save('integrations.subtitles_c.api_key', 'key');
  await config.save('integrations.subtitles_c.username', 'user');
  await open();
  await config.save('integrations.subtitles_c.password', 'pass');
  const again = await open();
  assert.equal(again.get('integrations.subtitles_c.password'), 'pass');
  await again.reset('integrations.subtitles_c.api_key');
});

onSqlite('a set that is half managed cannot lose its other half', async (t, db) => {
  const { open, refusal } = await place(t, db);
  const env = { SERVICE_WEBHOOK_TOKEN: 'token' };
  assert.match(await refusal(env), /integrations\.webhook\.token/);
  await (await open()).save('integrations.webhook.url', 'https://hook.example.org');
  const config = await open(env);
  await assert.rejects(config.reset('integrations.webhook.url'), fails('conflict'));
});

onSqlite('a SCIM token ends in the future, and within 90 days when it is saved', async (t, db) => {
  const { open, refusal } = await place(t, db);
  const config = await open();
  const key = 'integrations.scim.token_expires_at';
  const day = 86_400_000;
  const at = (ms: number): string => new Date(ms).toISOString();
  await assert.rejects(config.save(key, at(NOW)), fails('invalid', /future/));
  await assert.rejects(config.save(key, at(NOW - 1)), fails('invalid', /future/));
  await assert.rejects(config.save(key, at(NOW + 90 * day + 1)), fails('invalid', /90 days/));
  await config.saveAll({ 'integrations.scim.token': TOKEN, [key]: at(NOW + 90 * day) });
  const later = await open({}, NOW + 100 * day);
  await later.save('server.name', 'Still here');
  await assert.rejects(later.save('integrations.scim.token', TOKEN), fails('invalid', /future/));
  assert.match(await refusal({ SERVICE_SCIM_TOKEN: TOKEN, SERVICE_SCIM_TOKEN_EXPIRES_AT: at(NOW) }), /future/);
});

eachEngine('secrets are sealed in the database and never in a row', configMigrations, async (t, db) => {
  const { open, rows } = await place(t, db);
  const config = await open();
  for (const { key, secret } of SETTINGS.all) {
    if (secret && key !== 'database.url') await config.save(key, longest(key));
  }
  const stored = await rows();
  assert.ok(stored.length === 14 && stored.every(({ sealed }) => sealed === 1));
  for (const { key, text } of stored) {
    const plain = longest(key as SettingKey);
    assert.ok(!text.includes(plain) && !text.includes(Buffer.from(plain).toString('base64url').slice(0, 8)), key);
  }
  const shown = (await open()).all();
  for (const row of shown.filter(({ secret }) => secret)) {
    assert.ok(!('value' in row) && !('default' in row), row.key);
    assert.equal(row.configured, row.key !== 'database.url', row.key);
  }
});

eachEngine(
  'sealed rows that were swapped, changed or unsealed by hand are refused',
  configMigrations,
  async (t, db) => {
    const { open, refusal, rows } = await place(t, db);
    const config = await open();
    await config.save('integrations.webhook.token', 'webhook-secret');
    await config.save('integrations.subtitles_a.api_key', 'subtitle-secret');
    const [a, b] = await rows();
    assert.ok(a && b);
    const put = (key: string, over: Partial<Rows['config_setting']>): Promise<void> =>
      db.write(
        'safe',
        async (tx: Transaction<Rows>) =>
          void (await tx.updateTable('config_setting').set(over).where('key', '=', key).execute()),
      );
    await put(a.key, { text: b.text });
    await put(b.key, { text: a.text });
    const swapped = (await refusal()).split('\n');
    assert.equal(swapped.length, 2);
    for (const line of swapped)
      assert.match(line, /^integrations\..* \(SERVICE_.*\), as saved by an Owner: was damaged or changed/);
    await put(a.key, { text: a.text });
    await put(b.key, { text: 'plain-secret', sealed: 0 });
    assert.match(await refusal(), /was damaged or changed/);
    await put(b.key, { text: b.text, sealed: 1 });
    assert.equal((await open()).get('integrations.webhook.token'), 'webhook-secret');
  },
);

eachEngine('a lost key file is a clear fault, and the environment is a way out', configMigrations, async (t, db) => {
  const { folder, open, refusal, rows } = await place(t, db);
  await (await open()).save('backup.key', 'correct horse battery staple');
  const before = await rows();
  await rm(join(folder, 'master.key'));
  assert.match(
    await refusal(),
    /^backup\.key \(SERVICE_BACKUP_KEY\), as saved by an Owner: .*master\.key that is missing/,
  );
  const config = await open({ SERVICE_BACKUP_KEY: 'another horse battery staple' });
  assert.equal(config.get('backup.key'), 'another horse battery staple');
  assert.deepEqual(await rows(), before, 'the sealed secret is kept for the day the key file is found');
});

onSqlite('a saved value that no longer fits, or a setting of another version', async (t, db) => {
  const { open, refusal } = await place(t, db);
  const put = (key: string, text: string): Promise<void> =>
    db.write(
      'safe',
      async (tx: Transaction<Rows>) =>
        void (await tx.insertInto('config_setting').values({ key, text, sealed: 0, saved_at: 1 }).execute()),
    );
  await put('from.the.future', 'x');
  await open();
  await put('playback.mode', 'sideways-marker');
  const message = await refusal();
  assert.match(message, /^playback\.mode \(SERVICE_PLAYBACK_MODE\), as saved by an Owner: must be one of/);
  assert.ok(!message.includes('sideways-marker'));
  await open({ SERVICE_PLAYBACK_MODE: 'direct' });
});

test('a save that could not be written changes nothing', async (t) => {
  const db = await openTemporaryDatabase(t, configMigrations);
  const failing: Database = {
    ...db,
    tables: () => db.tables(),
    write: () => Promise.reject(new Error('the disk is full')),
  };
  const { folder } = await place(t, db);
  const config = await createConfig({
    boot: await loadBoot({ settings: SETTINGS, env: { SERVICE_DATA_DIR: folder } }),
    db: failing,
  });
  config.on('playback.mode', () => assert.fail('told of what was not saved'));
  await assert.rejects(config.save('playback.mode', 'direct'), /disk is full/);
  assert.equal(config.get('playback.mode'), undefined);
  assert.equal(rowOf(config, 'playback.mode').source, 'default');
});

test("the rows are the contract's", async (t) => {
  const db = await openTemporaryDatabase(t, configMigrations);
  const config = await (await place(t, db)).open({ SERVICE_TLS_HOSTS: '["media.home"]' });
  const rows = config.all();
  assert.deepEqual(
    rows.map(({ key }) => key),
    SETTINGS.all.map(({ key }) => key),
  );
  for (const row of rows) SettingRow.parse(row);
  assert.equal(rowOf(config, 'tls.hosts').value, '["media.home"]');
  assert.deepEqual(rowOf(config, 'playback.mode').allowed, ['automatic', 'direct', 'compatible']);
  assert.ok(!('value' in rowOf(config, 'playback.mode')), 'unset');
});

test('without libraries listed, the media folder is one of mixed kind', async (t) => {
  const db = await openTemporaryDatabase(t, configMigrations);
  const { open } = await place(t, db);
  const config = await open({ SERVICE_MEDIA_DIR: '/srv/media' });
  assert.deepEqual(config.libraries(), [{ name: 'Media', path: '/srv/media', kind: 'mixed' }]);
  await config.save('libraries', '[{"name":"Films","path":"/srv/films/","kind":"movies"}]');
  assert.deepEqual(config.libraries(), [{ name: 'Films', path: '/srv/films', kind: 'movies' }]);
});
