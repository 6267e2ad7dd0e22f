/** Files over a real connection: whole, in ranges, cut, and with disks and clients that misbehave. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage, request as ask } from 'node:http';
import { get as getSecurely } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../../test/until.ts';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { MEDIA } from '../contract/kernel/surface.ts';
import { ownCertificate } from './certificate.ts';
import { type FakeFile, fakeFile, handle, replyOf, startTestServer } from './testing.ts';

const SAME = 'Tue, 02 Jan 2024 03:04:05 GMT';
const bytesRoute = endpoint({
  method: 'GET',
  path: '/media/file',
  surface: MEDIA,
  summary: 'A file',
  access: { role: 'viewer', via: 'stream' },
  result: { bytes: ['video/*'], ranged: true },
});
const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, i) => i & 0xff));

async function serving(t: TestContext, make: () => FakeFile) {
  const files: FakeFile[] = [];
  const ways = await startTestServer(t, [
    handle(bytesRoute, () => {
      const file = make();
      files.push(file);
      return file;
    }),
  ]);
  const fetch_ = (headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer; isWhole: boolean }>(
      (resolve, reject) => {
        ask(
          {
            port: ways.port,
            path: '/media/file',
            method,
            agent: false,
            headers: { authorization: 'Bearer viewer', ...headers },
          },
          (response) => {
            const chunks: Buffer<ArrayBuffer>[] = [];
            const done = () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: Buffer.concat(chunks),
                isWhole: response.complete,
              });
            response
              .on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk))
              .on('error', done)
              .on('end', done);
          },
        )
          .on('error', reject)
          .end();
      },
    );
  return { ...ways, files, fetch: fetch_ };
}

test('a file goes out whole, in one part, in several, or not at all', async (t) => {
  const { fetch: go, files } = await serving(t, () => fakeFile(CONTENT));
  const whole = await go();
  assert.deepEqual(
    [
      whole.status,
      whole.headers['content-length'],
      whole.headers['content-type'],
      whole.headers.etag,
      whole.headers['last-modified'],
      whole.headers['accept-ranges'],
    ],
    [200, '1000', 'video/mp4', '"abc"', SAME, 'bytes'],
  );
  assert.deepEqual(whole.body, CONTENT);

  const part = await go({ range: 'bytes=100-199' });
  assert.deepEqual(
    [part.status, part.headers['content-range'], part.headers['content-length']],
    [206, 'bytes 100-199/1000', '100'],
  );
  assert.deepEqual(part.body, CONTENT.subarray(100, 200));

  const beyond = await go({ range: 'bytes=1000-' });
  assert.deepEqual(
    [beyond.status, beyond.headers['content-range'], beyond.body.toString()],
    [416, 'bytes */1000', '{"error":"no such range","reason":"no-such-range"}'],
  );
  assert.equal((await go({ range: 'bytes=0-9', 'if-range': '"old"' })).status, 200);
  assert.equal((await go({ range: 'bytes=0-9', 'if-range': '"abc"' })).status, 206);
  assert.equal(
    (await go({ range: 'bytes=1000-', 'if-range': '"old"' })).status,
    200,
    'a range that does not count cannot be refused',
  );
  assert.equal((await go({ range: 'bytes=1000-', 'if-none-match': '"abc"' })).status, 304, '304 comes before 416');
  assert.equal((await go({ range: 'bytes=0-9', 'if-match': '"x"' })).status, 412);
  assert.equal(
    files.every(({ isClosed }) => isClosed),
    true,
    'every file is closed',
  );
});

test('HEAD tells the whole without reading, and knows no ranges', async (t) => {
  const { fetch: go, files } = await serving(t, () => fakeFile(CONTENT));
  const head = await go({ range: 'bytes=0-9' }, 'HEAD');
  assert.deepEqual(
    [head.status, head.headers['content-length'], head.headers['content-range'], head.body.length],
    [200, '1000', undefined, 0],
  );
  assert.deepEqual([files[0]?.reads, files[0]?.isClosed], [0, true]);
});

test('several parts are exactly what they say', async (t) => {
  const { fetch: go } = await serving(t, () => fakeFile(CONTENT));
  const { status, headers, body } = await go({ range: 'bytes=0-9,500-509,-5' });
  assert.equal(status, 206);
  const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  assert.ok(boundary.length >= 16);
  assert.equal(Number(headers['content-length']), body.length);
  assert.equal(headers['content-range'], undefined);
  const parts = body.toString('latin1').split(`\r\n--${boundary}`);
  assert.equal(parts.at(-1), '--\r\n');
  const read = parts.slice(1, -1).map((part) => {
    const { headers: own, body: content } = replyOf(`HTTP/1.1 206 x${part}`);
    return [own.get('content-range'), own.get('content-type'), Buffer.from(content, 'latin1')];
  });
  assert.deepEqual(read, [
    ['bytes 0-9/1000', 'video/mp4', CONTENT.subarray(0, 10)],
    ['bytes 500-509/1000', 'video/mp4', CONTENT.subarray(500, 510)],
    ['bytes 995-999/1000', 'video/mp4', CONTENT.subarray(995)],
  ]);
});

test('an empty file and a large one come whole', async (t) => {
  const size = 5 * 1024 * 1024 + 7;
  const { fetch: go, files } = await serving(t, () => fakeFile(files.length === 0 ? 0 : size));
  assert.deepEqual((await go()).headers['content-length'], '0');
  const { body } = await go();
  assert.equal(body.length, size);
  for (const at of [0, 524_287, 524_288, 1_572_865, size - 1]) assert.equal(body[at], at & 0xff, `byte ${at}`);
});

test('a file that shrank cuts the connection, so that half is not taken for all', async (t) => {
  const { fetch: go, files } = await serving(t, () => fakeFile(1_000_000, { actual: 600_000 }));
  const { status, body, isWhole } = await go();
  assert.deepEqual([status, isWhole, files[0]?.isClosed], [200, false, true]);
  assert.ok(body.length <= 600_000);
});

test('a file that cannot be read says so, as long as it can', async (t) => {
  const { fetch: go, told } = await serving(t, () =>
    fakeFile(1_000_000, { read: async () => Promise.reject(new Error('a bug')) }),
  );
  const { status, headers, body } = await go();
  assert.deepEqual(
    [status, headers.etag, body.toString()],
    [503, undefined, '{"error":"the file cannot be read","reason":"file-unavailable"}'],
  );
  assert.ok(told.includes('reply.failed: a bug'));
});

test('a client that leaves ends the reading and closes the file', async (t) => {
  const ways = await serving(t, () => fakeFile(1024 ** 3));
  const client = get({
    port: ways.port,
    path: '/media/file',
    agent: false,
    headers: { authorization: 'Bearer viewer' },
  });
  client.on('error', () => {});
  await new Promise<void>(
    (resolve) => void client.on('response', (response) => void response.once('data', () => resolve())),
  );
  client.destroy();
  const file = ways.files[0] as FakeFile;
  await file.closed;
  const { reads } = file;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(file.reads, reads, 'nothing is read for somebody who left');
});

test('a client that does not read holds two buffers and no more', async (t) => {
  const ways = await serving(t, () => fakeFile(1024 ** 3));
  const socket = await ways.socket();
  socket.pause();
  socket.write('GET /media/file HTTP/1.1\r\nhost: x\r\nauthorization: Bearer viewer\r\n\r\n');
  await until('the file to be opened', () => ways.files.length > 0);
  const file = ways.files[0] as FakeFile;
  // Reading stops when the system's own buffers are full, however often it is given the chance to go on.
  let last = -1;
  for (let same = 0; same < 50; same = file.reads === last ? same + 1 : 0) {
    last = file.reads;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(file.reads < 32, `${file.reads} reads of a mebibyte`);
  assert.equal(file.isClosed, false);
  socket.destroy();
  await file.closed;
});

test('a revoked credential closes an open download, whether its client reads or not', async (t) => {
  const ways = await serving(t, () => fakeFile(1024 ** 3));
  const socket = await ways.socket();
  socket.pause();
  socket.write('GET /media/file HTTP/1.1\r\nhost: x\r\nauthorization: Bearer viewer\r\n\r\n');
  await until('the first read', () => (ways.files[0]?.reads ?? 0) > 0);
  const file = ways.files[0] as FakeFile;
  // Planted: a review without a revocation must leave it alone, or the test below would prove nothing.
  ways.http.review();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(file.isClosed, false);
  ways.tokens.delete('viewer');
  ways.http.review();
  await file.closed;
  await new Promise<void>(
    (resolve) =>
      void socket
        .on('close', () => resolve())
        .on('error', () => {})
        .resume(),
  );
});

test('a disk that hangs does not keep a revoked client connected', async (t) => {
  const hanging = Promise.withResolvers<number>();
  const ways = await serving(t, () => fakeFile(1024 ** 2, { read: () => hanging.promise }));
  const socket = await ways.socket();
  socket
    .resume()
    .on('error', () => {})
    .write('GET /media/file HTTP/1.1\r\nhost: x\r\nauthorization: Bearer viewer\r\n\r\n');
  await until('the file to be opened', () => ways.files.length > 0);
  ways.tokens.delete('viewer');
  ways.http.review();
  await new Promise<void>((resolve) => void socket.on('close', () => resolve()));
  hanging.resolve(0);
  await ways.files[0]?.closed;
});

test('reads that return fewer bytes than asked for leave nothing out and send nothing twice', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 3_500_001 }, (_, i) => (i * 31 + (i >> 9)) & 0xff));
  const steps = [1, 65_535, 40_000, 65_536, 300_000, 7];
  let reads = 0;
  const ways = await serving(t, () =>
    fakeFile(bytes, {
      read: async (into, position) => {
        const step = steps[reads++ % steps.length] ?? 1;
        return bytes.copy(into, 0, position, Math.min(position + into.length, position + step));
      },
    }),
  );
  assert.ok((await ways.fetch({ range: 'bytes=3-' })).body.equals(bytes.subarray(3)));
  assert.ok((await ways.fetch({ range: 'bytes=0-9' })).body.equals(bytes.subarray(0, 10)));
});

test('a reply begins with its first bytes, while a read of those after them is under way', async (t) => {
  const rest = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const asked: number[] = [];
  const ways = await serving(t, () =>
    fakeFile(2 * 1024 ** 2, {
      read: async (into, position) => {
        asked.push(position);
        await (position === 0 ? first : rest).promise;
        return into.length;
      },
    }),
  );
  const reply = new Promise<IncomingMessage>((resolve, reject) =>
    get(
      { port: ways.port, path: '/media/file', agent: false, headers: { authorization: 'Bearer viewer' } },
      resolve,
    ).on('error', reject),
  );
  await until('two reads at once', () => asked.length === 2);
  first.resolve();
  let size = 0;
  (await reply).on('data', (chunk: Buffer) => void (size += chunk.length));
  await until('the first bytes', () => size === asked[1]);
  rest.resolve();
  await until('all bytes', () => size === 2 * 1024 ** 2);
});

test('over TLS every byte of a long file arrives in its place, and a cut ends it', { timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-tls-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const tls = await ownCertificate({
    folder,
    hosts: [],
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
  });
  const bytes = Buffer.from(Array.from({ length: 1_700_001 }, (_, i) => (i * 31 + (i >> 9)) & 0xff));
  const files: FakeFile[] = [];
  const r = await startTestServer(
    t,
    [
      handle(bytesRoute, () => {
        const file = fakeFile(bytes);
        files.push(file);
        return file;
      }),
    ],
    { tls: { own: tls } },
  );
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    getSecurely(
      {
        port: r.port,
        host: '127.0.0.1',
        path: '/media/file',
        rejectUnauthorized: false,
        headers: { range: 'bytes=3-', authorization: 'Bearer owner' },
      },
      resolve,
    ).on('error', reject),
  );
  const got: Buffer[] = [];
  for await (const chunk of reply) got.push(chunk as Buffer);
  assert.ok(Buffer.concat(got).equals(bytes.subarray(3)));
  await files[0]?.closed;
  const cut = await new Promise<IncomingMessage>((resolve, reject) =>
    getSecurely(
      {
        port: r.port,
        host: '127.0.0.1',
        path: '/media/file',
        rejectUnauthorized: false,
        headers: { authorization: 'Bearer owner' },
      },
      resolve,
    ).on('error', reject),
  );
  cut.once('data', () => cut.destroy());
  await files[1]?.closed;
});
