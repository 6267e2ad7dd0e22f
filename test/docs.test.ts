/** The documents in docs/ match the code, and everything that the guides name exists. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { documents } from '../tools/docs.ts';
import { SUBTITLE_PROVIDERS } from '../src/contract/subtitles/providers.ts';
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

/** Every English text of the dashboard, as a pattern: what a function is given may be any text, or `…` in a guide. */
const shownTexts = async (): Promise<RegExp[]> => {
  const texts: RegExp[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(new RegExp(`^${RegExp.escape(value)}$`));
    else if (typeof value === 'function') {
      const given = new Proxy({}, { get: () => GIVEN });
      const text = String((value as (given: unknown) => unknown)(given));
      texts.push(new RegExp(`^${text.split(GIVEN).map(RegExp.escape).join('.+')}$`));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const name of await readdir(join(ROOT, 'src/web/messages/en')))
    collect(await import(`../src/web/messages/en/${name}`));
  return texts;
};
const GIVEN = '\u0000';

/** Returns the labels of the parts of the settings. Modules of the dashboard are checked as code of a browser. */
async function settingsParts(): Promise<string[]> {
  const load = async <T>(module: string): Promise<T> => (await import(`../src/web/${module}`)) as T;
  const { speak } = await load<{ speak(languages: string[]): Promise<void> }>('messages/catalogue.ts');
  const { SETTINGS_LABELS } = await load<{ SETTINGS_LABELS: Record<string, () => string> }>(
    'lib/navigation/destinations.ts',
  );
  await speak(['en']);
  return Object.values(SETTINGS_LABELS).map((label) => label());
}

test('everything that a guide for newcomers quotes from the dashboard is there under that name', async () => {
  const texts = await shownTexts();
  const parts = await settingsParts();
  for (const guide of (await guides()).filter((name) => name.startsWith('docs/from-'))) {
    const quoted = [...(await read(guide)).matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text.split(' → '));
    assert.ok(quoted.length > 2, guide);
    for (const [page = '', ...rest] of quoted) {
      for (const label of [page, ...rest])
        assert.ok(
          texts.some((text) => text.test(label)),
          `${guide} names ${label}`,
        );
      if (page === 'Settings') assert.ok(parts.includes(rest[0] ?? ''), `${guide}: ${rest[0]} is not in the settings`);
    }
    assert.doesNotMatch((await read(guide)).replaceAll(/\*\*[^*]+\*\*/g, ''), / → /, `${guide}: every path is bold`);
  }
});

test('the guide links to the page of each provider where its key is had', async () => {
  const guide = await read('docs/subtitles.md');
  for (const [name, { title, keyPage }] of Object.entries(SUBTITLE_PROVIDERS)) {
    const row = guide.split('\n').find((line) => line.startsWith(`| ${title} | \`integrations.${name}\` |`));
    assert.ok(row?.includes(`(${keyPage})`), title);
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
