/** A call that the server wants more for ends where it should: asked for once, sent again, or led to sign-in. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { barrier, proof, send } from './send.ts';

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
  barrier.set('none');
});

/** Answers each call with the next status and members; the last one stays. */
function server(...replies: readonly [status: number, members?: object][]): string[] {
  const calls: string[] = [];
  globalThis.fetch = (async (path: string, init?: RequestInit) => {
    calls.push(`${init?.method} ${path}`);
    const [status, members = {}] = replies[Math.min(calls.length, replies.length) - 1] ?? [500];
    return Response.json({ error: 'no', ...members }, { status });
  }) as typeof fetch;
  return calls;
}
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
};

test('without a session the way leads to sign-in', async () => {
  server([401]);
  const reply = await send('/api/v1/libraries', { method: 'GET' });
  assert.equal(reply.status, 401);
  assert.equal(barrier.get(), 'signed-out');
});
test('a wrong password at sign-in or in the account is no lost session', async () => {
  for (const path of ['/api/v1/session', '/api/v1/session/step-up', '/api/v1/me/password', '/api/v1/me/mfa']) {
    server([401]);
    await send(path, { method: 'POST' });
    assert.equal(barrier.get(), 'none', path);
  }
  server([401]);
  await send('/api/v1/session', { method: 'GET' });
  assert.equal(barrier.get(), 'signed-out');
});
test('fresh proof is asked for once for all calls that wait, and each is sent again', async () => {
  const calls = server([403, { stepUpRequired: true }], [403, { stepUpRequired: true }], [200]);
  const both = Promise.all([
    send('/api/v1/tasks/scan', { method: 'POST', body: '{}' }),
    send('/api/v1/libraries', { method: 'POST', body: '{}' }),
  ]);
  await settled();
  const asked = proof.get();
  assert.ok(asked);
  asked.settle(true);
  assert.deepEqual(
    (await both).map(({ status }) => status),
    [200, 200],
  );
  assert.equal(calls.length, 4);
  assert.equal(proof.get(), undefined);
});
test('without the proof nothing is sent again', async () => {
  const calls = server([403, { stepUpRequired: true }], [200]);
  const one = send('/api/v1/tasks/scan', { method: 'POST', body: '{}' });
  await settled();
  proof.get()?.settle(false);
  assert.equal((await one).status, 403);
  assert.equal(calls.length, 1);
});
test('who must enrol a second factor is led there', async () => {
  server([403, { mfaEnrollmentRequired: true }]);
  await send('/api/v1/library', { method: 'GET' });
  assert.equal(barrier.get(), 'enrol');
});
test('any other refusal is handed back as it is', async () => {
  const calls = server([403, { error: 'not for viewers' }]);
  assert.equal((await send('/api/v1/profiles', { method: 'GET' })).status, 403);
  assert.equal(calls.length, 1);
  assert.equal(barrier.get(), 'none');
});
