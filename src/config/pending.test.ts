/** Settings that wait for a restart are put back as a whole, and faults of a start are known before it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Database } from '../lib/db/index.ts';
import { eachEngine, openTemporaryDatabase } from '../lib/db/testing.ts';
import { SETTINGS } from '../settings.ts';
import { createConfig, type Config } from './config.ts';
import type { Environment } from './environment.ts';
import { ConfigurationRefused } from './faults.ts';
import { loadBoot, type Boot } from './load.ts';
import { configMigrations, configStore } from './store.ts';
import type { OwnerTexts } from './pending.ts';

const clock = { now: () => Date.parse('2030-01-01T00:00:00Z'), monotonic: () => 0 };
const TRUSTED = JSON.stringify({
  domain: 'home',
  token: 't0k3n'.repeat(8),
  address: '192.168.1.2',
  termsAccepted: true,
});

async function place(t: TestContext, db: Database) {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-waiting-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const boot = (env: Environment = {}): Promise<Boot> =>
    loadBoot({ settings: SETTINGS, env: { SERVICE_DATA_DIR: folder, ...env }, clock });
  const open = async (env: Environment = {}, putBack?: OwnerTexts): Promise<Config> =>
    createConfig({ boot: await boot(env), db, putBack, clock });
  return { boot, open, rows: () => configStore(db).all() };
}

const onSqlite = (name: string, work: (t: TestContext, db: Database) => Promise<void>): void =>
  void test(name, async (t) => work(t, await openTemporaryDatabase(t, configMigrations)));

eachEngine(
  'what waits can be put back to what is in force, secrets and unset ones too',
  configMigrations,
  async (t, db) => {
    const { open, rows } = await place(t, db);
    const key = 'integrations.subtitles_a.api_key';
    const first = await open();
    await first.saveAll({ listen: '127.0.0.1:1000', [key]: 'old' });
    const running = await open();
    await running.saveAll({ listen: '127.0.0.1:2000', [key]: 'new', 'logging.playback_retention': '900h' });
    await running.save('server.name', 'Attic');
    assert.deepEqual(running.pending().sort(), [key, 'listen', 'logging.playback_retention'].sort());
    const inForce = running.inForce();
    assert.deepEqual([...inForce].sort(), [
      [key, 'old'],
      ['listen', '127.0.0.1:1000'],
      ['logging.playback_retention', ''],
    ]);

    const back = await open({}, inForce);
    assert.deepEqual([back.get('listen').port, back.get(key), back.get('server.name')], [1000, 'old', 'Attic']);
    assert.deepEqual((await rows()).map((row) => row.key).sort(), [key, 'listen', 'server.name']);
    assert.doesNotMatch(JSON.stringify(await rows()), /"old"|"new"/, 'a secret is sealed again');
    const later = await open();
    assert.deepEqual([later.get('listen').port, later.get(key), later.pending()], [1000, 'old', []]);
  },
);

onSqlite('nothing is put back where the whole would be refused', async (t, db) => {
  const { open, rows } = await place(t, db);
  const config = await open();
  await config.saveAll({ 'server.name': 'Attic', 'tls.dns_a': TRUSTED });
  const before = await rows();
  await assert.rejects(open({ SERVICE_TLS_ENABLED: 'false' }, new Map([['server.name', '']])), ConfigurationRefused);
  assert.deepEqual(await rows(), before);
});

onSqlite('the faults of another start are known before it', async (t, db) => {
  const { open, boot } = await place(t, db);
  const config = await open();
  await config.save('tls.dns_a', TRUSTED);
  assert.deepEqual(config.faultsFrom(await boot()), []);
  assert.deepEqual(config.faultsFrom(await boot({ SERVICE_TLS_ENABLED: 'false' })), [
    'tls.dns_a (SERVICE_DNS_A_HTTPS): needs tls.enabled',
  ]);
});
