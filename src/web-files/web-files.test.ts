/**
 * The dashboard's files over the road: every page the one document, every file by its exact name, packed and kept as it
 * may be.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PAGES } from '../contract/dashboard/pages.ts';
import { startTestServer } from '../http/testing.ts';
import { createWebFiles } from './index.ts';
import { pageRoutes } from './routes.ts';

const SCRIPT = 'console.log("hello");\n'.repeat(100);

async function dashboard(t: TestContext, isBuilt = true) {
  const folder = mkdtempSync(join(tmpdir(), 'web-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (isBuilt) {
    mkdirSync(join(folder, 'assets'));
    mkdirSync(join(folder, 'app'));
    const files = {
      'index.html': `<!doctype html><title>Matinee</title>${' '.repeat(500)}`,
      'worker.js': SCRIPT,
      'secret.txt': 'secret',
      'assets/index-yQNXVZ4m.js': SCRIPT,
      'assets/plain.css': 'a{}',
      'assets/styled-worker-CkhJZR-_.js': SCRIPT,
      'assets/styled-worker.js': SCRIPT,
      'assets/font-CkhJZR-_.woff2': 'font',
      'app/icon.svg': `<svg>${' '.repeat(300)}</svg>`,
      'app/manifest.webmanifest': '{}',
      'app/icon-192.png': 'png',
    };
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    symlinkSync('/etc/passwd', join(folder, 'assets', 'link.js'));
  }
  const files = createWebFiles({ folder });
  const ways = await startTestServer(t, pageRoutes(files), { lost: () => files.document() });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>(
      (resolve, reject) => {
        request({ port: ways.port, path, method, agent: false, headers }, (response) => {
          const chunks: Buffer<ArrayBuffer>[] = [];
          response
            .on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk))
            .on('end', () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
            );
        })
          .on('error', reject)
          .end();
      },
    );
  return { folder, get };
}

test('every page is the document, asked for again each time and under the page rules', async (t) => {
  const { get } = await dashboard(t);
  for (const address of Object.values(PAGES)) {
    const { status, headers, body } = await get(`${address.replaceAll(/\{\w+\}/g, 'abc-1')}?whatever=1&whatever2=`);
    assert.deepEqual(
      [status, headers['content-type'], headers['cache-control'], body.toString().slice(0, 15)],
      [200, 'text/html; charset=utf-8', 'no-cache', '<!doctype html>'],
      address,
    );
    assert.match(String(headers['content-security-policy']), /script-src 'self'.*require-trusted-types-for 'script'/);
  }
  const { headers } = await get('/');
  assert.equal((await get('/', { 'if-none-match': String(headers['etag']) })).status, 304);
  const head = await get('/', {}, 'HEAD');
  assert.deepEqual(
    [head.status, head.headers['content-length'], head.body.length],
    [200, headers['content-length'], 0],
  );
});

test('a file with a digest in its name is kept for good, another is asked for again', async (t) => {
  const { get } = await dashboard(t);
  const rows = [
    ['/assets/index-yQNXVZ4m.js', 'text/javascript; charset=utf-8', true],
    ['/assets/font-CkhJZR-_.woff2', 'font/woff2', true],
    ['/assets/plain.css', 'text/css; charset=utf-8', false],
    ['/app/icon.svg', 'image/svg+xml', false],
    ['/app/manifest.webmanifest', 'application/manifest+json; charset=utf-8', false],
    ['/app/icon-192.png', 'image/png', false],
    ['/worker.js', 'text/javascript; charset=utf-8', false],
  ] as const;
  for (const [path, type, isKept] of rows) {
    const { status, headers } = await get(path);
    assert.deepEqual(
      [status, headers['content-type'], headers['cache-control']],
      [200, type, isKept ? 'public, max-age=31536000, immutable' : 'no-cache'],
      path,
    );
  }
});

test('only the worker for styled subtitles may compile WebAssembly, and it reaches this server alone', async (t) => {
  const { get } = await dashboard(t);
  const policy = async (path: string) => String((await get(path)).headers['content-security-policy']);
  assert.equal(
    await policy('/assets/styled-worker-CkhJZR-_.js'),
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'",
  );
  for (const path of ['/', '/assets/index-yQNXVZ4m.js', '/assets/styled-worker.js', '/worker.js'])
    assert.doesNotMatch(await policy(path), /wasm/, path);
});

test('text is packed for those who take it', async (t) => {
  const { get } = await dashboard(t);
  const script = '/assets/index-yQNXVZ4m.js';
  const br = await get(script, { 'accept-encoding': 'gzip, deflate, br' });
  assert.deepEqual([br.headers['content-encoding'], brotliDecompressSync(br.body).toString()], ['br', SCRIPT]);
  const gz = await get(script, { 'accept-encoding': 'gzip' });
  assert.deepEqual([gz.headers['content-encoding'], gunzipSync(gz.body).toString()], ['gzip', SCRIPT]);
  const plain = await get(script);
  assert.deepEqual([plain.headers['content-encoding'], plain.body.toString()], [undefined, SCRIPT]);
  assert.ok(br.body.length < plain.body.length / 5);
  assert.equal(new Set([br, gz, plain].map(({ headers }) => headers['etag'])).size, 3);
  assert.equal(
    (await get('/assets/font-CkhJZR-_.woff2', { 'accept-encoding': 'br' })).headers['content-encoding'],
    undefined,
  );
});

test('nothing else is there: no other file, no folder, no link, no way out', async (t) => {
  const { get, folder } = await dashboard(t);
  for (const path of [
    '/assets/missing.js',
    '/assets/link.js',
    '/assets/constructor',
    '/app/index.html',
    '/assets/secret.txt',
    '/secret.txt',
    '/index.html',
    '/assets',
  ])
    assert.equal((await get(path)).status, 404, path);
  for (const path of [
    '/assets/..%2fsecret.txt',
    '/assets/../secret.txt',
    '/app/..%2f..%2fetc%2fpasswd',
    '/assets/.env',
    '/assets/',
    '/item/..%2fx',
  ])
    assert.ok([400, 404].includes((await get(path)).status), path);
  writeFileSync(join(folder, 'assets', 'late.js'), 'x');
  assert.equal((await get('/assets/late.js')).status, 404, 'what came after the start is not served');
});

test('a person who goes to an address that leads nowhere gets the document, and a program JSON', async (t) => {
  const { get } = await dashboard(t);
  const visit = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };
  const lost = [
    '/nowhere',
    '/nowhere/at/all?x=1',
    '/library/',
    '/settings/configuration/more',
    '/item/UPPER',
    '/item/%3Cb%3E',
    '/old.html',
    '/apis',
    '/applause',
    '/.well-known/x',
  ];
  for (const path of lost) {
    const { status, headers, body } = await get(path, visit);
    assert.deepEqual(
      [status, headers['content-type'], headers['cache-control'], headers['etag'], body.toString().slice(0, 15)],
      [404, 'text/html; charset=utf-8', 'no-store', undefined, '<!doctype html>'],
      path,
    );
    assert.match(String(headers['content-security-policy']), /require-trusted-types-for 'script'/, path);
  }
  assert.equal(
    (await get('/nowhere', { accept: 'text/html' })).status,
    404,
    'an older browser does not say how it asks',
  );
  assert.match((await get('/nowhere', { accept: 'text/html' })).body.toString(), /^<!doctype html>/);
  const packed = await get('/nowhere', { ...visit, 'accept-encoding': 'br' });
  assert.match(brotliDecompressSync(packed.body).toString(), /^<!doctype html>/);
  assert.equal((await get('/nowhere', visit, 'HEAD')).body.length, 0);

  const programs = [
    '/api',
    '/api/v1/nowhere',
    '/api/v1/items/x?a=1',
    '/assets/gone.js',
    '/app/gone.svg',
    '/worker.js/x',
    '/media/x',
    '/mcp',
    '/healthz/x',
  ];
  for (const path of programs) {
    const { status, headers, body } = await get(path, visit);
    assert.deepEqual(
      [status, headers['content-type'], Object.keys(JSON.parse(body.toString()) as object)],
      [404, 'application/json; charset=utf-8', ['error', 'reason']],
      path,
    );
  }
  for (const [method, headers] of [
    ['GET', {}],
    ['GET', { accept: '*/*' }],
    ['GET', { accept: 'application/json' }],
    ['GET', { ...visit, 'sec-fetch-mode': 'cors' }],
    ['POST', visit],
    ['DELETE', visit],
  ] as const) {
    const reply = await get('/nowhere', headers, method);
    assert.deepEqual(
      [reply.status, reply.headers['content-type']],
      [404, 'application/json; charset=utf-8'],
      `${method} ${JSON.stringify(headers)}`,
    );
  }
  assert.equal((await get('/library', visit, 'POST')).status, 405, 'another method of a page is what it was');
});

test('without a built dashboard the pages say what to run', async (t) => {
  const { get } = await dashboard(t, false);
  const { status, headers, body } = await get('/settings');
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
  assert.match(body.toString(), /npm run build/);
  assert.equal((await get('/worker.js')).status, 404);
});
