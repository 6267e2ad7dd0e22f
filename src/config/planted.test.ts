/**
 * Planted faults: each takes one guard out of a copy of a module and shows that what the other tests
 * demand would then fail. A guard whose text is no longer there fails here, so none is forgotten.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { replaced } from '../../test/faults/replaced.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import type { Fault } from './faults.ts';
import { loadBoot } from './load.ts';
import { configMigrations } from './store.ts';
import { SETTINGS } from '../settings.ts';

/** The module `name` of this folder with every `guard` replaced, its imports pointing back here. */
async function without<M>(
  t: TestContext,
  name: string,
  guards: readonly (readonly [guard: string, fault: string])[],
): Promise<M> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-planted-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  let text = await readFile(new URL(name, import.meta.url), 'utf8');
  for (const [from, to] of guards) text = replaced(text, { file: name, from, to });
  text = text.replace(/(?<= from ')(?!node:)[^']+/g, (to) =>
    to.startsWith('.') ? new URL(to, import.meta.url).href : import.meta.resolve(to),
  );
  await writeFile(join(folder, name), text);
  return (await import(pathToFileURL(join(folder, name)).href)) as M;
}

test("without the name authenticated, a sealed secret opens in another's place", async (t) => {
  const { openSealer } = await without<typeof import('./seal.ts')>(t, 'seal.ts', [['\\0${name}', '']]);
  const sealer = openSealer({
    folder: await mkdtemp(join(tmpdir(), 'matinee-planted-')).then(
      (folder) => (t.after(() => rm(folder, { recursive: true })), folder),
    ),
  });
  assert.equal(await sealer.open('b', await sealer.seal('a', 'secret')), 'secret');
});

test('without judging the whole, a save that breaks it goes through', async (t) => {
  const { createConfig } = await without<typeof import('./config.ts')>(t, 'config.ts', [
    ['if (first) throw', 'if (false) throw'],
  ]);
  const config = await createConfig({
    boot: await loadBoot({ settings: SETTINGS, env: { SERVICE_DATA_DIR: '/nowhere' } }),
    db: await openTemporaryDatabase(t, configMigrations),
  });
  await config.save('dlna.enabled', 'true');
});

test('without the check of sources, a managed setting is overwritten', async (t) => {
  const { createConfig } = await without<typeof import('./config.ts')>(t, 'config.ts', [
    ['if (isManaged(layers, one.key)) throw', 'if (false) throw'],
  ]);
  const config = await createConfig({
    boot: await loadBoot({
      settings: SETTINGS,
      env: { SERVICE_DATA_DIR: '/nowhere', SERVICE_PLAYBACK_MODE: 'direct' },
    }),
    db: await openTemporaryDatabase(t, configMigrations),
  });
  await config.save('playback.mode', 'compatible');
});

test('without the count of aliases, a small file stands for a large one', async (t) => {
  const { readYaml } = await without<typeof import('./yaml.ts')>(t, 'yaml.ts', [['++aliases > MAX_ALIASES', 'false']]);
  const faults: Fault[] = [];
  readYaml(SETTINGS, `version: 1\nserver: { name: &n x }\ntls: { hosts: [${'*n,'.repeat(101)}] }\n`, faults);
  assert.deepEqual(faults, []);
});

test('without the refusal of tags, a tag passes', async (t) => {
  const { readYaml } = await without<typeof import('./yaml.ts')>(t, 'yaml.ts', [
    ['if (given.tag !== undefined)', 'if (false)'],
  ]);
  const faults: Fault[] = [];
  readYaml(SETTINGS, 'version: 1\nserver: { name: !!str x }\n', faults);
  assert.deepEqual(faults, []);
});
