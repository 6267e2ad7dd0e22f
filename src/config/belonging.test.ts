/** An address that the environment changes while the server is stopped takes no saved secret with it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Transaction } from '../lib/db/index.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { createConfig, configMigrations, loadBoot, openSealer, type Config } from './index.ts';
import { SETTINGS } from '../settings.ts';

const SECRET = 'a-secret-of-32-characters-or-more';
const [URL_KEY, TOKEN] = ['integrations.webhook.url', 'integrations.webhook.token'] as const;

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-hosts-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const db = await openTemporaryDatabase(t, configMigrations);
  const open = async (url?: string): Promise<Config> =>
    createConfig({
      boot: await loadBoot({
        settings: SETTINGS,
        env: { SERVICE_DATA_DIR: folder, ...(url !== undefined && { SERVICE_WEBHOOK_URL: url }) },
      }),
      db,
    });
  return { folder, db, open };
}

test('a secret is left out while its address names another host, and is there again with its own', async (t) => {
  const { open } = await place(t);
  const first = await open('https://one.example/a');
  await first.save(TOKEN, SECRET);
  assert.equal((await open('https://one.example/b')).get(TOKEN), SECRET, 'another path');
  const other = await open('https://two.example/');
  assert.equal(other.get(TOKEN), undefined);
  assert.equal(other.all().find(({ key }) => key === TOKEN)?.configured, false);
  assert.equal((await open()).get(TOKEN), undefined, 'no address is another one, too');
  assert.equal((await open('https://one.example/')).get(TOKEN), SECRET);
});

test('a secret that was entered first belongs to the first address', async (t) => {
  const { open } = await place(t);
  const first = await open();
  await first.save(TOKEN, SECRET);
  assert.equal((await open('https://any.example/')).get(TOKEN), SECRET, 'it belongs to none yet');
  await first.save(URL_KEY, 'https://one.example/');
  assert.equal((await open()).get(TOKEN), SECRET);
  assert.equal((await open('https://two.example/')).get(TOKEN), undefined);
});

test('a secret that an earlier version has sealed stays', async (t) => {
  const { folder, db, open } = await place(t);
  const first = await open('https://one.example/');
  await first.save(TOKEN, SECRET);
  const text = await openSealer({ folder }).seal(TOKEN, SECRET);
  await db.write(
    'safe',
    async (tx: Transaction<{ config_setting: { key: string; text: string } }>) =>
      void (await tx.updateTable('config_setting').set({ text }).where('key', '=', TOKEN).execute()),
  );
  assert.equal((await open('https://two.example/')).get(TOKEN), SECRET);
});
