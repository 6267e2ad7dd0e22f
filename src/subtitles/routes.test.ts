/** The routes: limits in bytes, and who asks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL } from '../../test/subtitles/world.ts';
import { Failure } from '../lib/failure.ts';
import type { Subtitles } from './index.ts';
import { subtitleRoutes } from './routes.ts';

const asked: unknown[] = [];
/** Stands for the operations, of which only what they are given matters here. */
const heard = new Proxy(
  {},
  { get: (_on, name) => (given: unknown) => (asked.push([name, given]), Promise.resolve()) },
) as Subtitles;
const mounted = subtitleRoutes(heard);
const call = async (name: string, given: unknown): Promise<void> => {
  const handler = mounted.find((one) => one.name === name)?.handler as
    | ((given: unknown, call: unknown) => unknown)
    | undefined;
  await handler?.(given, { signal: new AbortController().signal, by: { profile: 'p', name: 'Ada', via: 'session' } });
};
const ADA = { is: 'person', profile: 'p', name: 'Ada' };
const isInvalid = (error: unknown) => error instanceof Failure && error.kind === 'invalid';

test('the actor of a request is passed on', async () => {
  await call('fetch', { id: 'x', language: 'en' });
  assert.deepEqual(asked, [['fetch', { id: 'x', language: 'en', by: ADA }]]);
});

test('a search is limited in bytes, not in characters', async () => {
  await call('inventory', { ...ALL, q: 'é'.repeat(64) });
  await assert.rejects(call('inventory', { ...ALL, q: 'é'.repeat(65) }), isInvalid);
});
