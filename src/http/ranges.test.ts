/** Ranges, validators and files over a real connection, row by row of RFC 9110. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage, request as ask } from 'node:http';
import { get as getSecurely } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../../test/until.ts';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { attachment, firstByteOf, isRangeFresh, judge, readDate, readRanges } from './ranges.ts';
import { ownCertificate } from './certificate.ts';
import { type FakeFile, fakeFile, handle, replyOf, road } from './testing.ts';

const MOST = Array.from({ length: 32 }, (_, i) => `${i * 10}-${i * 10}`).join(',');
const RANGES: readonly [
  header: string | undefined,
  size: number,
  expected: [number, number][] | undefined,
  why: string,
][] = [
  [undefined, 100, undefined, 'no header'],
  ['bytes=0-0', 100, [[0, 0]], 'the first byte'],
  ['bytes=0-', 100, [[0, 99]], 'all of it'],
  ['bytes=10-19', 100, [[10, 19]], 'a piece'],
  ['bytes=90-200', 100, [[90, 99]], 'an end beyond the end'],
  ['bytes=99-', 100, [[99, 99]], 'the last byte'],
  ['bytes=-1', 100, [[99, 99]], 'a suffix of one'],
  ['bytes=-100', 100, [[0, 99]], 'a suffix of all'],
  ['bytes=-500', 100, [[0, 99]], 'a suffix of more than all'],
  ['bytes=-0', 100, [], 'a suffix of nothing'],
  ['bytes=100-', 100, [], 'beyond the end'],
  ['bytes=100-200,300-400', 100, [], 'all beyond the end'],
  ['bytes=0-0,100-', 100, [[0, 0]], 'one of two beyond the end'],
  [
    'bytes=0-1,50-51',
    100,
    [
      [0, 1],
      [50, 51],
    ],
    'two',
  ],
  [
    'bytes=50-51,0-1',
    100,
    [
      [50, 51],
      [0, 1],
    ],
    'two, in the order asked',
  ],
  ['bytes=0-10,5-20', 100, [[0, 20]], 'overlapping'],
  ['bytes=0-9,10-19', 100, [[0, 19]], 'touching'],
  ['bytes=0-9,20-29,5-25', 100, [[0, 29]], 'one that joins two'],
  [
    'bytes=0-9, 20-29 ,-5',
    100,
    [
      [0, 9],
      [20, 29],
      [95, 99],
    ],
    'with spaces',
  ],
  ['bytes=,0-1,,', 100, [[0, 1]], 'empty elements of the list'],
  ['BYTES=0-1', 100, [[0, 1]], 'a unit in capitals'],
  ['bytes=0-0', 0, [], 'an empty file'],
  ['bytes=-1', 0, [], 'a suffix of an empty file'],
  ['lines=0-1', 100, undefined, 'another unit'],
  ['bytes 0-1', 100, undefined, 'no equals sign'],
  ['bytes=', 100, undefined, 'nothing'],
  ['bytes=-', 100, undefined, 'a hyphen'],
  ['bytes=5', 100, undefined, 'no hyphen'],
  ['bytes=9-5', 100, undefined, 'the end before the start'],
  ['bytes=0-1,9-5', 100, undefined, 'one that is not valid spoils all'],
  ['bytes=a-b', 100, undefined, 'letters'],
  ['bytes=1-2-3', 100, undefined, 'two hyphens'],
  ['bytes=0x1-2', 100, undefined, 'hexadecimal'],
  ['bytes=1.5-2', 100, undefined, 'a fraction'],
  ['bytes=99999999999999999999-', 100, [], 'a start of more digits than a number has'],
  [`bytes=${'9'.repeat(3000)}-`, 100, [], 'a start of more digits than any file'],
  [`bytes=${'0'.repeat(30)}5-${'9'.repeat(400)}`, 100, [[5, 99]], 'leading zeros, and an end of any length'],
  [`bytes=-${'9'.repeat(400)}`, 100, [[0, 99]], 'a suffix of any length'],
  [
    'bytes=9007199254740993-9007199254740992',
    100,
    undefined,
    'the end before the start by one, beyond what a number tells apart',
  ],
  ['bytes=9007199254740992-9007199254740993', 100, [], 'beyond the end, by the same numbers'],
  [`bytes=${MOST}`, 1000, Array.from({ length: 32 }, (_, i) => [i * 10, i * 10]), 'as many as allowed'],
  [`bytes=${MOST},999-999`, 1000, undefined, 'one too many'],
];
test('ranges are read as section 14 has them', () => {
  for (const [header, size, expected, why] of RANGES) assert.deepEqual(readRanges(header, size), expected, why);
});

test('no set of ranges sends a byte twice', () => {
  for (const [header, size] of RANGES) {
    const ranges = readRanges(header, size) ?? [];
    const seen = new Set<number>();
    for (const [first, last] of ranges)
      for (let at = first; at <= last; at++) assert.ok(seen.size < seen.add(at).size, `${header} sends ${at} twice`);
  }
});

const AT = Date.UTC(1994, 10, 6, 8, 49, 37);
test('dates are read in three forms only', () => {
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'sun, 06 nov 1994 08:49:37 gmt',
  ])
    assert.equal(readDate(text), AT, text);
  for (const text of [
    undefined,
    '',
    '0',
    '5',
    '2024-01-02',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 25:49:37 GMT',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'yesterday',
  ])
    assert.equal(readDate(text), undefined, text ?? 'none');
});

const MODIFIED = Date.UTC(2024, 0, 2, 3, 4, 5, 678);
const SAME = 'Tue, 02 Jan 2024 03:04:05 GMT';
const BEFORE = 'Tue, 02 Jan 2024 03:04:04 GMT';
const CONDITIONS: readonly [headers: IncomingMessage['headers'], expected: string, why: string][] = [
  [{}, 'send', 'no condition'],
  [{ 'if-none-match': '"abc"' }, 'unchanged', 'the tag that it has'],
  [{ 'if-none-match': 'W/"abc"' }, 'unchanged', 'a weak tag is compared weakly'],
  [{ 'if-none-match': '"x", "abc"' }, 'unchanged', 'one of several'],
  [{ 'if-none-match': '*' }, 'unchanged', 'any'],
  [{ 'if-none-match': '"x"' }, 'send', 'another tag'],
  [{ 'if-none-match': '"x"', 'if-modified-since': SAME }, 'send', 'the date is not looked at beside a tag'],
  [{ 'if-modified-since': SAME }, 'unchanged', 'not since then'],
  [{ 'if-modified-since': BEFORE }, 'send', 'since then'],
  [{ 'if-modified-since': '0' }, 'send', 'what is no date is no condition'],
  [{ 'if-match': '"abc"' }, 'send', 'the tag that it has'],
  [{ 'if-match': '*' }, 'send', 'any'],
  [{ 'if-match': 'W/"abc"' }, 'failed', 'a weak tag never matches strongly'],
  [{ 'if-match': '"x"' }, 'failed', 'another tag'],
  [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'failed', 'If-Match is asked first'],
  [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 'unchanged', 'then If-None-Match'],
  [{ 'if-match': '"abc"', 'if-unmodified-since': BEFORE }, 'send', 'the date is not looked at beside If-Match'],
  [{ 'if-unmodified-since': SAME }, 'send', 'unmodified'],
  [{ 'if-unmodified-since': BEFORE }, 'failed', 'modified'],
  [{ 'if-unmodified-since': BEFORE, 'if-none-match': '"abc"' }, 'failed', '412 comes before 304'],
];
test('conditions are judged in the order of section 13.2.2', () => {
  for (const [headers, expected, why] of CONDITIONS)
    assert.equal(judge({ headers }, { etag: 'abc', modified: MODIFIED }), expected, why);
  assert.equal(
    judge({ headers: { 'if-modified-since': SAME } }, { etag: 'abc' }),
    'send',
    'without a date of ours there is nothing to compare',
  );
});

test('If-Range holds for our strong tag and our very date only', () => {
  const rows: [string | undefined, boolean][] = [
    [undefined, true],
    ['"abc"', true],
    ['"x"', false],
    ['W/"abc"', false],
    [SAME, true],
    [BEFORE, false],
    ['Tue, 02 Jan 2024 03:04:06 GMT', false],
    ['abc', false],
    ['', false],
  ];
  for (const [header, expected] of rows)
    assert.equal(isRangeFresh(header, { etag: 'abc', modified: MODIFIED }), expected, header ?? 'none');
});

test('a name in a header is plain, and whole for those who can read it', () => {
  assert.equal(
    attachment('Amélie "x" 100%.mkv'),
    `attachment; filename="Am_lie _x_ 100_.mkv"; filename*=UTF-8''Am%C3%A9lie%20%22x%22%20100%25.mkv`,
  );
  assert.ok(!attachment('a\r\nx: y').includes('\n'));
  assert.equal(
    attachment('film\u202e4pm.mkv'),
    `attachment; filename="film4pm.mkv"; filename*=UTF-8''film4pm.mkv`,
    'nothing turns the name around',
  );
  assert.equal(
    attachment('half \ud83d.srt'),
    `attachment; filename="half _.srt"; filename*=UTF-8''half%20%EF%BF%BD.srt`,
    'half a character is no reason to fail',
  );
});

const bytesRoute = endpoint({
  method: 'GET',
  path: '/media/file',
  surface: 'media',
  summary: 'A file',
  access: { role: 'viewer', via: 'stream' },
  result: { bytes: ['video/*'], ranged: true },
});
const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, i) => i & 0xff));

async function serving(t: TestContext, make: () => FakeFile) {
  const files: FakeFile[] = [];
  const ways = await road(t, [
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

test('the first byte is told from a header that asks for one place', () => {
  for (const [header, expected] of [
    [undefined, 0],
    ['bytes=7-', 7],
    ['bytes=7-9', 7],
    ['bytes=-7', 0],
    ['bytes=x', 0],
    ['lines=7-', 0],
  ] as const)
    assert.equal(firstByteOf(header), expected, String(header));
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
  const r = await road(
    t,
    [
      handle(bytesRoute, () => {
        const file = fakeFile(bytes);
        files.push(file);
        return file;
      }),
    ],
    { tls },
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
