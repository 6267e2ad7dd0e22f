/** Tests start the helpers that the product is built with. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { HELPERS } from '../tools/helpers.ts';
import { builtHelper } from './built-helpers.ts';
import { childrenOf } from './processes.ts';
import { until } from './until.ts';
import { PASSWORD, startWorld } from './world.ts';

test('each helper of the build has a module, and others stay as they are', () => {
  for (const [name, { source }] of Object.entries(HELPERS)) {
    const built = builtHelper(new URL(`../${source}`, import.meta.url));
    assert.equal(basename(built.pathname), `${name}-helper.js`);
    assert.ok(existsSync(built), name);
  }
  const other = new URL('../src/lib/process/testing-helper.ts', import.meta.url);
  assert.equal(builtHelper(other), other);
});

test('a world reads its library with built helpers', async (t) => {
  const world = await startWorld(t, {
    fill: async (media) => {
      await mkdir(join(media, 'Film (2001)'));
      await writeFile(join(media, 'Film (2001)', 'Film (2001).mkv'), 'no film');
    },
  });
  await world.start();
  const { body } = await world.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  await world.call({ token: String(body['token']) }, 'POST', '/api/v1/tasks/scan', {});
  const modules = await until('a helper', () => {
    const found = childrenOf(process.pid).flatMap(({ command }) =>
      command.filter((argument) => /-(helper|reader)\.(js|ts)$|\bhelper\.ts$/.test(argument)),
    );
    return found.length > 0 ? found : undefined;
  });
  assert.deepEqual(
    modules.filter((module) => !module.endsWith('-helper.js')),
    [],
  );
});
