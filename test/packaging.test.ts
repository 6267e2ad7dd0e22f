/**
 * Packages name only existing things: paths, commands and settings. What the container is built from is tested by
 * `container.test.ts`.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { SETTINGS } from '../src/settings.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFile(join(ROOT, name), 'utf8');
const KNOWN = new Set<string>(SETTINGS.all.map(({ env }) => env));

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
  assert.match(unit, /^RestrictNamespaces=user net$/m, 'those in which a media program has no network');
  for (const [, path = ''] of unit.matchAll(/\/opt\/matinee\/(docs\/[\w.-]+)/g))
    assert.ok(existsSync(join(ROOT, path)), path);
});

test('the exposure of the unit is at most 1.6, and what keeps it from being lower has its reason in it', async (t) => {
  const unit = await read('packaging/matinee.service');
  const rating = (file: string) => {
    const args = ['security', '--offline=yes', '--no-pager', file];
    const text = execFileSync('systemd-analyze', args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    return {
      exposure: Number(/Overall exposure level for \S+: ([\d.]+)/.exec(text)?.[1]),
      open: [...text.matchAll(/^✗ ([A-Za-z]+)\S* /gm)].map(([, name = '']) => name),
    };
  };
  const { exposure, open } = rating(join(ROOT, 'packaging/matinee.service'));
  assert.ok(exposure <= 1.6, `${exposure}`);
  assert.deepEqual(
    open.filter((name) => !new RegExp(`^# +[^.]*\\b${name}\\b`, 'm').test(unit)),
    [],
    'without a reason',
  );
  // Planted: a unit that lets a media program make any namespace.
  const folder = await mkdtemp(join(tmpdir(), 'matinee-unit-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const wide = join(folder, 'matinee.service');
  await writeFile(wide, unit.replace('RestrictNamespaces=user net', 'RestrictNamespaces=user mnt pid net ipc'));
  assert.ok(rating(wide).exposure > 1.6);
});

test('`bin/start` never runs what was built of other sources', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'matinee-start-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  };
  await mkdir(join(home, 'bin'));
  for (const name of ['bin/start', 'bin/node.sh']) await cp(join(ROOT, name), join(home, name));
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

/** A folder with the real `bin/demo`, and in place of everything that it starts something that needs no time. */
async function demoFolder(t: TestContext, { make }: { make: string }) {
  const home = await mkdtemp(join(tmpdir(), 'matinee-demo-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text, { mode: 0o755 });
  };
  await mkdir(join(home, 'bin'));
  for (const name of ['bin/demo', 'bin/needs.sh', 'bin/node.sh']) await cp(join(ROOT, name), join(home, name));
  const stay = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);";
  await put('package.json', '{"type":"module"}');
  await put('package-lock.json', '{"packages":{"":{},"node_modules/one":{"version":"1.0.0"}}}');
  await put('node_modules/.package-lock.json', '{"packages":{"node_modules/one":{"version":"1.0.0"}}}');
  await put('node_modules/one/package.json', '{}');
  await put('tools/runtime/package.json', '{}');
  await put('tools/server.ts', '');
  await put('src/main.ts', '');
  await put(
    'programs/npm',
    '#!/bin/sh\n[ "$1" != --version ] || exec echo 11.0.0\n' +
      'echo "$*" >>npm.log\nmkdir -p dist/web dist/server; touch dist/web/index.html dist/server/main.js\n',
  );
  await put('demo/make.ts', make);
  await put(
    'test/stand-ins/run.ts',
    `for (let n = 0; n < 12; n++) console.log(\`SERVICE_\${n}='1'\`.replace(/\\d/, 'LIST')); ${stay}`,
  );
  await put('bin/start', `#!/usr/bin/env node\nconsole.log('{"event":"start.ready"}'); ${stay}`);
  const env = { PATH: [join(home, 'programs'), dirname(process.execPath), process.env['PATH']].join(':') };
  return { home, env: { ...env, SERVICE_LISTEN: '127.0.0.1:1', HOME: home } };
}

/** Starts `bin/demo` as a script may start it: in the background of a shell, which lets it ignore SIGINT. */
async function startDemo(t: TestContext, { home, env }: { home: string; env: Record<string, string> }) {
  const log = join(home, 'demo.log');
  // A demo that was started here before has left one.
  await rm(log, { force: true });
  const shell = spawn('sh', ['-c', 'bin/demo >demo.log 2>&1 & echo $!; wait $!; echo "ended $?"'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  shell.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const pid = Number(await until('the number of the demo', () => /^\d+/.exec(output)?.[0]));
  const isThere = () => existsSync(`/proc/${pid}`);
  t.after(() => isThere() && process.kill(pid, 'SIGKILL'));
  return {
    interrupt: () => process.kill(pid, 'SIGINT'),
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    ended: () => until('the end of the demo', () => /ended (\d+)/.exec(output)?.[1]),
  };
}

test('`bin/demo` in the background ends on SIGINT, and leaves an npm ci that was done by hand as it is', async (t) => {
  const folder = await demoFolder(t, {
    make: "import { writeFileSync } from 'node:fs'; writeFileSync(`${process.argv[2]}/made.json`, '{}');",
  });
  const demo = await startDemo(t, folder);
  await until('the demo is up', () => demo.log().includes('Ctrl-C stops everything'));
  demo.interrupt();
  assert.equal(await demo.ended(), '0', demo.log());
  const children = execFileSync('sh', ['-c', `grep -lsF ${folder.home} /proc/[0-9]*/environ || true`], {
    encoding: 'utf8',
  });
  assert.equal(children, '', 'nothing is left of it');
  assert.equal(readFileSync(join(folder.home, 'npm.log'), 'utf8'), 'run --silent build\n', 'no npm ci');
  // Another version than that of the lockfile is installed.
  await writeFile(
    join(folder.home, 'node_modules/.package-lock.json'),
    '{"packages":{"node_modules/one":{"version":"0.9.0"}}}',
  );
  await rm(join(folder.home, 'node_modules/.installed'));
  const second = await startDemo(t, folder);
  await until('the demo is up', () => second.log().includes('Ctrl-C stops everything'));
  second.interrupt();
  assert.equal(await second.ended(), '0');
  assert.match(readFileSync(join(folder.home, 'npm.log'), 'utf8'), /^ci /m);
});

test('`bin/demo` does not read in the log of an earlier demo that its server is ready', async (t) => {
  const folder = await demoFolder(t, { make: '' });
  await mkdir(join(folder.home, '.demo'));
  await writeFile(join(folder.home, '.demo/server.log'), '{"event":"start.ready"}\n');
  // bash runs this before each command: it keeps the log as it is when the server is started in the background.
  const trap = `trap 'case $BASH_COMMAND in bin/start*) cp .demo/server.log before.log ;; esac' DEBUG\n`;
  await writeFile(join(folder.home, 'trap.sh'), trap);
  const demo = await startDemo(t, {
    home: folder.home,
    env: { ...folder.env, BASH_ENV: join(folder.home, 'trap.sh') },
  });
  await until('the demo is up', () => demo.log().includes('Ctrl-C stops everything'));
  demo.interrupt();
  assert.equal(await demo.ended(), '0', demo.log());
  assert.equal(readFileSync(join(folder.home, 'before.log'), 'utf8'), '');
});

test('`bin/demo` ends on SIGINT while the library is made', async (t) => {
  const folder = await demoFolder(t, { make: "console.log('making'); setInterval(() => {}, 1000);" });
  const demo = await startDemo(t, folder);
  await until('the library is being made', () => demo.log().includes('making'));
  demo.interrupt();
  assert.equal(await demo.ended(), '0', demo.log());
});

test('the example of a gateway sets what the server asks for, with files where the server puts them', async () => {
  const conf = (await read('packaging/nginx-gateway.conf')).replaceAll(/^\s*#.*$/gm, '');
  const lines = conf.split('\n').map((line) => line.trim());
  for (const line of [
    'proxy_set_header X-Forwarded-For $remote_addr;',
    'include /etc/matinee/gateway-token.conf;',
    'proxy_pass http://unix:/var/lib/matinee/gateway/public.sock;',
    'default /var/lib/matinee/gateway/public.pem;',
    // Read at each handshake, because the path has a variable.
    'ssl_certificate $matinee_certificate;',
    'ssl_certificate_key $matinee_certificate;',
    'ssl_reject_handshake on;',
    'ssl_protocols TLSv1.2 TLSv1.3;',
  ])
    assert.ok(lines.includes(line), line);
  // A header that is added to a forged one would be two.
  assert.doesNotMatch(conf, /\$proxy_add_x_forwarded_for|\$http_x_/);
  const token = /proxy_set_header X-Matinee-Gateway "/.exec(await read('packaging/nginx-gateway.conf'));
  assert.ok(token, 'it says what the file with the token has');
  const [server, gateway] = [await read('packaging/matinee.service'), await read('packaging/matinee-gateway.service')];
  // The same dynamic user, and so the same private folder.
  for (const line of ['DynamicUser=yes', 'User=matinee', 'StateDirectoryMode=0700'])
    for (const unit of [server, gateway]) assert.ok(unit.split('\n').includes(line), line);
});
