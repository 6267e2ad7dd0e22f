/** The address of a server that moves, as this page would reach it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedAddress } from './moved.ts';

test('a move keeps the name by which the server was reached, and leaves out the usual port', () => {
  const at = { hostname: 'media.home' };
  assert.equal(movedAddress({}, at), undefined);
  assert.equal(movedAddress({ moves: { scheme: 'https', port: 8443 } }, at), 'https://media.home:8443');
  assert.equal(movedAddress({ moves: { scheme: 'https', port: 443 } }, at), 'https://media.home');
  assert.equal(movedAddress({ moves: { scheme: 'http', port: 443 } }, at), 'http://media.home:443');
});
