/** A change in one tab reaches the others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionFor, isIdentityWrite } from './tabs.ts';

test('a sign-out, another Profile and a changed one reach the other tabs', () => {
  const [ada, bob, out] = ['a', 'b', undefined].map((profile) => ({ profile }));
  assert.ok(ada && bob && out);
  for (const [message, state, action] of [
    [{ kind: 'signed-out' }, ada, 'leave'],
    [{ kind: 'signed-out' }, out, 'nothing'],
    [{ kind: 'session', profile: 'a' }, ada, 'nothing'],
    [{ kind: 'session', profile: 'a' }, bob, 'switch'],
    [{ kind: 'session', profile: 'a' }, out, 'enter'],
    [{ kind: 'identity' }, ada, 'read'],
    [{ kind: 'identity' }, out, 'nothing'],
    [{ kind: 'sound' }, ada, 'nothing'],
  ] as const)
    assert.equal(actionFor(message, state), action, JSON.stringify([message, state]));
});

test('only writes that no event of the server covers are sent to them', () => {
  for (const path of ['/api/v1/me/preferences', '/api/v1/profiles', '/api/v1/api-keys/0123456789abcdef'])
    assert.ok(isIdentityWrite(path, 'PUT'), path);
  assert.ok(!isIdentityWrite('/api/v1/me', 'GET'));
  for (const path of ['/api/v1/items/0123456789abcdef/progress', '/api/v1/session/step-up', '/api/v1/message'])
    assert.ok(!isIdentityWrite(path, 'POST'), path);
});
