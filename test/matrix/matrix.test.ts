/**
 * The access matrix: both listeners, 15 principals, every route, against the committed files home.txt and public.txt.
 * `npm run docs` writes them; a change of one is a change of who may do what.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isForProfiles } from '../../src/contract/kernel/endpoint.ts';
import type { MountedEndpoint } from '../../src/http/handle.ts';
import { observe, observeRoutes, PLACES } from './observe.ts';
import { type Listeners, PRINCIPALS, startListeners } from './principals.ts';

let listeners: Listeners;
const closing: (() => unknown)[] = [];
before(async () => {
  listeners = await startListeners({ after: (close) => void closing.push(close as () => unknown) });
});
after(async () => {
  for (const close of closing.toReversed()) await close();
});

const committed = (name: string) => readFile(join(import.meta.dirname, `${name}.txt`), 'utf8');
/** Lines of one text that the other lacks. */
const missingIn = (other: string, text: string): string[] => {
  const there = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !there.has(line));
};
async function differs(name: 'home' | 'public', place = PLACES[name]): Promise<{ observed: string[]; file: string[] }> {
  const [now, file] = [await observe(listeners, place(listeners)), await committed(name)];
  return { observed: missingIn(file, now), file: missingIn(now, file) };
}
const NONE = { observed: [], file: [] };

test('both listeners × 15 principals × all routes are as committed', async (t) => {
  assert.equal(PRINCIPALS.length, 15);
  for (const name of ['home', 'public'] as const)
    assert.deepEqual(await differs(name), NONE, `test/matrix/${name}.txt: run npm run docs and review the change`);
  t.diagnostic(`${2 * PRINCIPALS.length * listeners.world.mounted.length} cells`);
});

test('a home port that is forwarded has the public table', async () => {
  assert.deepEqual(await differs('public', PLACES.forwarded), NONE);
});

test('outside, nothing is administered: no endpoint of Owners exists there', () => {
  const there = listeners.world.mounted.filter(({ endpoint }) => endpoint.reach === 'everywhere');
  assert.ok(there.length > 100, `${there.length} endpoints`);
  for (const { endpoint } of there)
    assert.ok(
      endpoint.access === 'public' || (isForProfiles(endpoint.access) && endpoint.access.role === 'viewer'),
      `${endpoint.method} ${endpoint.path} is for Owners, and exists outside`,
    );
});

test('planted: a reach that is turned round is found', async () => {
  const { world } = listeners;
  const file = await committed('public');
  const isFound = async (method: string, path: string): Promise<boolean> => {
    const mounted = world.mounted.map((one): MountedEndpoint => {
      const { endpoint } = one;
      const reach = endpoint.reach === 'home' ? 'everywhere' : 'home';
      return endpoint.method === method && endpoint.path === path ? { ...one, endpoint: { ...endpoint, reach } } : one;
    });
    const changed = mounted.filter((one, at) => one !== world.mounted[at]);
    assert.equal(changed.length, 1, path);
    const http = listeners.serveOutside(mounted);
    const [row = ''] = await observeRoutes(listeners, { ...PLACES.public(listeners), http }, changed);
    await http.close(0);
    const cells = (text: string) => text.replaceAll(/ +/g, ' ');
    return !cells(file).split('\n').includes(cells(row));
  };
  assert.equal(await isFound('GET', '/api/v1/profiles'), true);
  assert.equal(await isFound('POST', '/api/v1/setup'), true);
  assert.equal(await isFound('GET', '/api/v1/albums'), true);
  assert.equal(await isFound('POST', '/api/v1/session'), true);
});
