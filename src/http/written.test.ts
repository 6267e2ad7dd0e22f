/** A reply that is written out already goes to the client as it is, whole, and under the same headers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { written } from '../lib/json/written.ts';
import { handle, startTestServer } from './testing.ts';

const reply = endpoint({
  method: 'GET',
  path: '/api/v1/written',
  summary: 'Written',
  access: { role: 'viewer', via: 'library' },
  result: z.strictObject({ text: z.string() }),
});

test('JSON that was made elsewhere is sent as it is, and its length said', async (t) => {
  const long = JSON.stringify({ text: 'é'.repeat(400_000) });
  const short = JSON.stringify({ text: `é字${'x'.repeat(90_000)}` });
  let json: string | Uint8Array = long;
  const { port } = await startTestServer(t, [handle(reply, async () => written<{ text: string }>(json))]);
  const { mock } = t.mock.method(JSON, 'parse');
  for (json of [Buffer.from(long), long, short]) {
    const bytes = Buffer.from(json);
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/written`, {
        method,
        headers: { authorization: 'Bearer viewer' },
      });
      assert.deepEqual(
        [
          answer.status,
          answer.headers.get('content-type'),
          answer.headers.get('cache-control'),
          answer.headers.get('content-length'),
        ],
        [200, 'application/json; charset=utf-8', 'no-store', String(bytes.byteLength)],
      );
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(method === 'GET' ? bytes : Buffer.alloc(0)));
    }
  }
  assert.equal(
    mock.calls.filter(({ arguments: [text] }) => String(text).length > 1_000).length,
    0,
    'it was not read on the way',
  );
});
