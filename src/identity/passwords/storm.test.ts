/** A storm of sign-ins with made-up names from changing networks, and those who must get in all the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOOD, setUp, type World, openIdentityWorld } from '../testing-world.ts';
import { createAdmission } from './admission.ts';
import { HASHING_COST } from './hashing.ts';

/** Numbers from a fixed seed (Park and Miller). */
function numbers(seed: number): () => number {
  let at = seed;
  return () => (at = (at * 48_271) % 2_147_483_647);
}

/** Keeps `abreast` sign-ins with made-up names under way until it is stopped, each from another network. */
function storm(w: World, abreast: number): { stop(): Promise<number[]> } {
  const next = numbers(20_261_122);
  const statuses: number[] = [];
  let isOver = false;
  const one = async (): Promise<void> => {
    while (!isOver) {
      const [name, address] = [`nobody-${next()}`, `10.${next() % 256}.${next() % 256}.9`];
      statuses.push(
        (await w.call('POST', '/api/v1/session', { address, body: { name, password: 'no such password at all' } }))
          .status,
      );
    }
  };
  const all = Array.from({ length: abreast }, one);
  return { stop: async () => ((isOver = true), await Promise.all(all), statuses) };
}

test('a known device and an open session get in during a storm of made-up names', { timeout: 120_000 }, async (t) => {
  const w = await openIdentityWorld(t, { hashingCost: HASHING_COST });
  const token = await setUp(w);
  const first = await w.call('POST', '/api/v1/session', { body: { name: 'Ada', password: GOOD } });
  const device = first.cookies['matinee-device'] ?? '';
  assert.match(device, /^mat_dev_/);
  const raging = storm(w, 60);
  const inside: number[] = [];
  for (let n = 0; n < 8; n++) {
    inside.push(
      (
        await w.call('POST', '/api/v1/session', {
          headers: { 'sec-fetch-site': 'same-origin', cookie: `matinee-device=${device}` },
          body: { name: 'Ada', password: GOOD },
        })
      ).status,
    );
    inside.push((await w.call('POST', '/api/v1/session/step-up', { token, body: { password: GOOD } })).status);
  }
  const outside = await raging.stop();
  assert.deepEqual([...new Set(inside)].sort(), [200, 201]);
  // Strangers were still served, and those whose queue was full were refused.
  assert.deepEqual([...new Set(outside)].sort(), [401, 429]);
});

/** Jobs that end when the test ends them, and the order in which they began. */
function jobs() {
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const job = (name: string) => () =>
    new Promise<string>((resolve) => (begun.push(name), endings.set(name, () => resolve(name))));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string): Promise<void> => {
    await turn();
    endings.get(name)?.();
    await turn();
  };
  return { begun, job, end, turn };
}

test('a known caller waits for one stranger at most, and strangers for one known caller', async () => {
  const { begun, job, end, turn } = jobs();
  const admission = createAdmission();
  const all = [
    ...['s1', 's2', 's3', 's4'].map((name) => admission.run(undefined, job(name))),
    ...['k1', 'k2', 'k3'].map((name) => admission.run('device', job(name))),
  ];
  await turn();
  assert.deepEqual(begun, ['s1', 's2']);
  for (const name of ['s1', 's2', 'k1', 's3', 'k2', 's4', 'k3']) await end(name);
  assert.deepEqual(begun, ['s1', 's2', 'k1', 's3', 'k2', 's4', 'k3']);
  assert.equal((await Promise.all(all)).length, 7);
});

test('one known caller cannot take the places of the others, and a failed job gives its place back', async () => {
  const { begun, job, end } = jobs();
  const admission = createAdmission();
  const refused = (error: unknown) => (error as { kind: string }).kind;
  const greedy = Array.from({ length: 12 }, (_, n) => admission.run('greedy', job(`g${n}`)).catch(refused));
  const other = admission.run('other', job('other'));
  for (const name of [...Array.from({ length: 8 }, (_, n) => `g${n}`), 'other']) await end(name);
  assert.equal(await other, 'other');
  assert.equal((await Promise.all(greedy)).filter((one) => one === 'throttled').length, 4);
  assert.equal(begun.length, 9);
  await assert.rejects(
    admission.run('greedy', () => Promise.reject(new Error('no memory'))),
    /no memory/,
  );
  for (let n = 0; n < 8; n++) assert.equal(await admission.run('greedy', async () => n), n);
});
