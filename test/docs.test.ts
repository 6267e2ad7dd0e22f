/** The documents in docs/ match the code, and everything that the guides name exists. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { documents } from '../tools/docs.ts';
import { startWorld } from './world.ts';
import { SETTINGS } from '../src/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFile(join(ROOT, name), 'utf8');

test('the generated documents match the code', async (t) => {
  const { mounted } = await startWorld(t);
  for (const [name, now] of Object.entries(documents(mounted))) {
    assert.ok(
      (await read(join('docs', name))) === now,
      `docs/${name} is out of date: run npm run docs and review the change`,
    );
  }
});

async function guides(): Promise<string[]> {
  const docs = (await readdir(join(ROOT, 'docs')))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...docs];
}

test('every link between the guides leads somewhere', async () => {
  for (const guide of await guides()) {
    for (const [, to = ''] of (await read(guide)).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
      assert.ok(existsSync(join(ROOT, dirname(guide), to)), `${guide} links to ${to}`);
  }
});

test('every variable that a guide names is a setting', async () => {
  const known = new Set<string>([...SETTINGS.all.map(({ env }) => env), 'SERVICE_CONFIG_FILE']);
  for (const guide of await guides()) {
    for (const [name] of (await read(guide)).matchAll(/\bSERVICE_[A-Z0-9_]+\b/g)) {
      assert.ok(
        name.endsWith('_') || known.has(name) || known.has(name.replace(/_FILE$/, '')),
        `${guide} names ${name}`,
      );
    }
  }
});

test('every script that a guide names exists', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  for (const guide of await guides()) {
    for (const [, name = ''] of (await read(guide)).matchAll(/\bnpm run ([a-z:-]+)/g))
      assert.ok(name in scripts, `${guide} names npm run ${name}`);
  }
});

test('every dependency has its reason', async () => {
  const { dependencies, devDependencies } = JSON.parse(await read('package.json')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const text = await read('docs/dependencies.md');
  const rows = [...text.matchAll(/^\| `([^`]+)` \| (.{20,}) \|$/gm)].map((m) => m[1] ?? '');
  assert.deepEqual([...rows].sort(), Object.keys({ ...dependencies, ...devDependencies }).sort());
});

test('no dependency runs an install script', async () => {
  const { allowScripts = {} } = JSON.parse(await read('package.json')) as { allowScripts?: Record<string, boolean> };
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: true; integrity?: string; link?: true; version?: string }>;
  };
  for (const [name, one] of Object.entries(packages)) {
    assert.ok(one.hasInstallScript !== true || allowScripts[name.replace('node_modules/', '')] === false, name);
    if (name.startsWith('node_modules/') && one.link !== true)
      assert.match(one.integrity ?? '', /^sha512-/, `${name} has no integrity`);
  }
});
