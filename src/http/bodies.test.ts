/** Bytes that are at hand or come as a stream: whole, in one range, and cut where they end before their length. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { endpoint } from '../contract/kernel/endpoint.ts';
import { MEDIA } from '../contract/kernel/surface.ts';
import type { Body } from './handle.ts';
import { handle, startTestServer } from './testing.ts';

const LETTERS = Buffer.from('abcdefghijklmnopqrstuvwxyz');
const FORMS = {
  'at hand': { bytes: LETTERS },
  'as a stream of known length': { bytes: pieces(LETTERS), size: 26 },
  'as a stream of unknown length': { bytes: pieces(LETTERS) },
  'as a stream that ends early': { bytes: pieces(LETTERS.subarray(0, 20)), size: 26 },
  'from a route without ranges': { bytes: LETTERS },
};
type Form = keyof typeof FORMS;

function pieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: async function* () {
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    },
  };
}

async function served(t: TestContext) {
  const query = z.strictObject({ form: z.enum(Object.keys(FORMS) as [Form, ...Form[]]) });
  const answer = ({ form }: { form: Form }): Body => ({ type: 'video/mp4', etag: 'one', ...FORMS[form] });
  const ranged = endpoint({
    method: 'GET',
    path: '/media/bytes',
    surface: MEDIA,
    summary: 'Bytes',
    access: { role: 'viewer', via: 'stream' },
    query,
    result: { bytes: ['video/mp4'], ranged: true },
    fails: ['no-such-range'],
  });
  const plain = endpoint({
    method: 'GET',
    path: '/media/plain',
    surface: MEDIA,
    summary: 'Bytes',
    access: { role: 'viewer', via: 'stream' },
    query,
    result: { bytes: ['video/mp4'] },
  });
  const { port } = await startTestServer(t, [handle(ranged, answer), handle(plain, answer)]);
  return async (form: Form, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await fetch(
      `http://127.0.0.1:${port}/media/${form === 'from a route without ranges' ? 'plain' : 'bytes'}` +
        `?form=${encodeURIComponent(form)}`,
      { method, headers: { authorization: 'Bearer owner', ...headers } },
    );
    return [reply.status, await reply.text(), reply.headers.get('content-length'), reply.headers.get('content-range')];
  };
}

test('bytes at hand and streams of known length come whole and in ranges', async (t) => {
  const ask = await served(t);
  for (const form of ['at hand', 'as a stream of known length'] as const) {
    assert.deepEqual(await ask(form), [200, 'abcdefghijklmnopqrstuvwxyz', '26', null], form);
    assert.deepEqual(await ask(form, { range: 'bytes=5-9' }), [206, 'fghij', '5', 'bytes 5-9/26'], form);
    assert.deepEqual(await ask(form, { range: 'bytes=-3' }), [206, 'xyz', '3', 'bytes 23-25/26'], form);
    assert.deepEqual(await ask(form, { range: 'bytes=7-' }), [206, 'hijklmnopqrstuvwxyz', '19', 'bytes 7-25/26'], form);
    assert.deepEqual(
      await ask(form, { range: 'bytes=26-' }),
      [416, '{"error":"no such range","reason":"no-such-range"}', '50', 'bytes */26'],
      form,
    );
    assert.deepEqual(
      await ask(form, { range: 'bytes=0-1,4-5' }),
      [200, 'abcdefghijklmnopqrstuvwxyz', '26', null],
      form,
    );
    assert.deepEqual(
      await ask(form, { range: 'bytes=0-1', 'if-range': '"one"' }),
      [206, 'ab', '2', 'bytes 0-1/26'],
      form,
    );
    assert.deepEqual(
      await ask(form, { range: 'bytes=0-1', 'if-range': '"two"' }),
      [200, 'abcdefghijklmnopqrstuvwxyz', '26', null],
      form,
    );
    assert.deepEqual(await ask(form, { range: 'bytes=0-1', 'if-none-match': '"one"' }), [304, '', null, null], form);
    assert.deepEqual(await ask(form, { range: 'bytes=0-1' }, 'HEAD'), [200, '', '26', null], form);
  }
});

test('a stream of unknown length comes whole, and a route without ranges knows none', async (t) => {
  const ask = await served(t);
  assert.deepEqual(await ask('as a stream of unknown length', { range: 'bytes=5-9' }), [
    200,
    'abcdefghijklmnopqrstuvwxyz',
    null,
    null,
  ]);
  assert.deepEqual(await ask('from a route without ranges', { range: 'bytes=5-9' }), [
    200,
    'abcdefghijklmnopqrstuvwxyz',
    '26',
    null,
  ]);
});

test('a stream that ends before its length is cut, so that no client takes it for whole', async (t) => {
  const ask = await served(t);
  await assert.rejects(ask('as a stream that ends early'), 'it was taken for whole');
  assert.deepEqual(await ask('as a stream that ends early', { range: 'bytes=3-12' }), [
    206,
    'defghijklm',
    '10',
    'bytes 3-12/26',
  ]);
});
