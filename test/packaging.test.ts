/**
 * Packages name only existing things: paths that are copied, scripts that are run, settings that are set.
 *
 * No container engine is needed: the steps of the Containerfile are read, and its stages are followed by hand.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { SETTINGS } from '../src/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFile(join(ROOT, name), 'utf8');
const KNOWN = new Set<string>(SETTINGS.all.map(({ env }) => env));

interface Step {
  word: string;
  rest: string;
}
const steps = (text: string): Step[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }));

test('the Containerfile copies what is there, and runs scripts that are there', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  const ignored = (await read('.containerignore')).split('\n');
  const stages = new Set<string>();
  for (const { word, rest } of steps(await read('Containerfile'))) {
    const stage = /\bAS (\w+)$/.exec(rest);
    if (word === 'FROM') {
      assert.match(rest, /^docker\.io\/library\/node:26-bookworm-slim( AS \w+)?$/);
      if (stage?.[1]) stages.add(stage[1]);
    }
    if (word === 'COPY') {
      const from = /^--from=(\w+) /.exec(rest)?.[1];
      const paths = rest
        .replace(/^--from=\w+ /, '')
        .split(' ')
        .slice(0, -1);
      if (from === undefined)
        for (const path of paths) assert.ok(existsSync(join(ROOT, path)) && !ignored.includes(path), `COPY ${path}`);
      else assert.ok(stages.has(from), `COPY from ${from}`);
    }
    for (const [, name = ''] of word === 'RUN' ? rest.matchAll(/npm run (\w+)/g) : [])
      assert.ok(name in scripts, `npm run ${name}`);
  }
});

test('it runs as a separate user, reports its health, and keeps its data', async () => {
  const all = steps(await read('Containerfile'));
  const last = all.slice(all.findLastIndex(({ word }) => word === 'FROM'));
  const one = (word: string) => last.find((step) => step.word === word)?.rest ?? '';
  assert.equal(one('USER'), 'node');
  assert.deepEqual(JSON.parse(one('VOLUME')), ['/config', '/cache', '/backups']);
  assert.deepEqual(JSON.parse(one('HEALTHCHECK').replace(/^.*CMD /, '')), ['node', 'packaging/health.mjs']);
  assert.deepEqual(JSON.parse(one('ENTRYPOINT')).slice(2), ['node', 'dist/server/main.js']);
  assert.ok(
    last.findIndex(({ word }) => word === 'USER') > last.findLastIndex(({ word }) => word === 'RUN'),
    'nothing is installed as that user',
  );
});

test('every variable that is set is a setting', async () => {
  for (const file of [
    'Containerfile',
    'compose.yaml',
    'packaging/matinee.service',
    'bin/demo',
    'packaging/health.mjs',
  ]) {
    for (const [name] of (await read(file)).matchAll(/\bSERVICE_[A-Z_]+\b/g))
      assert.ok(name === 'SERVICE_' || KNOWN.has(name), `${file} sets ${name}`);
  }
});

test('compose bounds what a break-in could do', async () => {
  const { services } = parse(await read('compose.yaml')) as { services: { matinee: Record<string, unknown> } };
  const { matinee } = services;
  assert.equal(matinee['read_only'], true);
  assert.deepEqual(matinee['cap_drop'], ['ALL']);
  assert.deepEqual(matinee['security_opt'], ['no-new-privileges:true']);
  assert.ok(!('privileged' in matinee) && !('network_mode' in matinee));
});

test('the unit of systemd is bounded, and lets JavaScript compile', async () => {
  const unit = await read('packaging/matinee.service');
  for (const line of [
    'DynamicUser=yes',
    'ProtectSystem=strict',
    'PrivateTmp=yes',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'RestartPreventExitStatus=2',
  ])
    assert.ok(unit.split('\n').includes(line), line);
  assert.ok(!/^MemoryDenyWriteExecute=yes/m.test(unit));
  for (const [, path = ''] of unit.matchAll(/\/opt\/matinee\/(docs\/[\w.-]+)/g))
    assert.ok(existsSync(join(ROOT, path)), path);
});

test('`bin/start` never runs what was built of other sources', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'matinee-start-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  };
  await mkdir(join(home, 'bin'));
  await cp(join(ROOT, 'bin/start'), join(home, 'bin/start'));
  await put('package.json', '{"type":"module"}');
  await put('package-lock.json', '{}');
  await put('src/main.ts', 'console.log("sources", ...process.argv.slice(2));');
  await put(
    'tools/server.ts',
    "import { mkdirSync, writeFileSync } from 'node:fs'; mkdirSync('dist/server', { recursive: true }); " +
      "writeFileSync('dist/server/main.js', `console.log('built ${process.hrtime.bigint()}', " +
      '...process.argv.slice(2), process.env.UV_THREADPOOL_SIZE);`);',
  );
  const started = () =>
    execFileSync(join(home, 'bin/start'), ['config', 'check'], {
      encoding: 'utf8',
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
    }).trim();
  assert.equal(started(), 'sources config check', 'nothing can be built');
  await put('node_modules/vite/package.json', '{}');
  const first = started();
  assert.match(first, /^built \d+ config check 24$/);
  assert.equal(started(), first, 'built once');
  const later = new Date(Date.now() + 60_000);
  await utimes(join(home, 'src/main.ts'), later, later);
  assert.notEqual(started(), first, 'built anew');
  await put('tools/server.ts', 'process.exit(1);');
  assert.equal(started(), 'sources config check', 'what cannot be built is run as it is');
});
