/** How far set-up of remote access is, from what the server knows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RemoteAccess } from '../../../../contract/remote/remote-access.ts';
import { addressOf, homeAddressIn, homeUrl, labelIn, nameIn, portIn, savedSetUp, stepsOf } from './steps.ts';

const AT = '2026-11-27T10:00:00.000Z';
type Check = RemoteAccess['checks'][number];
const certificate = (state: Check['state']): Check => ({
  ...{ name: 'certificate', state, sentence: '', at: AT },
  text: { reason: 'certificate-ordered', values: {} },
});
const on = (status: Partial<RemoteAccess>): RemoteAccess => ({
  ...{ mode: 'https', state: 'waiting', gateway: false, checks: [certificate('unknown')], terms: { accepted: false } },
  ...status,
});
const IN_FORCE = { isOn: true, isPending: false };
const stepsIn = (status: RemoteAccess, saved = IN_FORCE): string[] => Object.values(stepsOf(status, saved));

test('steps follow the settings, the terms, the certificate and a device outside', () => {
  const off: RemoteAccess = { mode: 'off', state: 'off', gateway: false, checks: [] };
  assert.deepEqual(stepsIn(off, { isOn: false, isPending: false }), ['next', 'later', 'later', 'later', 'later']);
  assert.deepEqual(stepsIn(off, { isOn: true, isPending: true }), ['next', 'later', 'later', 'later', 'later']);
  // Turned off, and still in force until the restart.
  assert.deepEqual(stepsIn(on({}), { isOn: false, isPending: true })[0], 'next');
  assert.deepEqual(stepsIn(on({})), ['done', 'next', 'unknown', 'later', 'later']);
  const terms = { accepted: true };
  assert.deepEqual(stepsIn(on({ terms })), ['done', 'done', 'unknown', 'next', 'later']);
  const failing = on({ terms, state: 'failing', checks: [certificate('failed')] });
  assert.deepEqual(stepsIn(failing), ['done', 'done', 'unknown', 'failed', 'later']);
  const open = on({ terms, state: 'open', checks: [certificate('ok')] });
  assert.deepEqual(stepsIn(open), ['done', 'done', 'unknown', 'done', 'next']);
  assert.deepEqual(stepsIn({ ...open, seen: AT }), ['done', 'done', 'done', 'done', 'done']);
  assert.deepEqual(stepsIn({ ...open, state: 'killed' }), ['done', 'done', 'unknown', 'done', 'later']);
});

test('what is saved is on or off, and waits for a restart if one of its settings does', () => {
  const mode = { key: 'remote.mode', value: 'https', pending: false };
  assert.deepEqual(savedSetUp([]), { isOn: false, isPending: false });
  assert.deepEqual(savedSetUp([mode]), IN_FORCE);
  assert.deepEqual(savedSetUp([{ ...mode, value: 'off', pending: true }]), { isOn: false, isPending: true });
  assert.deepEqual(savedSetUp([mode, { key: 'auth.url', pending: true }]), { isOn: true, isPending: true });
  assert.deepEqual(savedSetUp([mode, { key: 'logging.level', pending: true }]), IN_FORCE);
});

test('a subdomain is found in what people paste', () => {
  for (const text of ['film', ' Film ', 'film.duckdns.org', 'https://film.duckdns.org/'])
    assert.equal(labelIn(text), 'film');
  assert.equal(labelIn('film.example.org'), 'film.example.org');
  assert.equal(labelIn('duckdns.org'), 'duckdns.org');
  assert.equal(addressOf('film'), 'https://film.duckdns.org');
  assert.equal(nameIn(' https://Film.example.dedyn.io/ '), 'film.example.dedyn.io');
  assert.equal(homeUrl('film.duckdns.org', '38128'), 'https://film.duckdns.org:38128');
  for (const port of ['443', undefined]) assert.equal(homeUrl('film.duckdns.org', port), 'https://film.duckdns.org');
});

test('ports and home addresses are read', () => {
  assert.deepEqual([':8443', '[::1]:9443', '0.0.0.0:1', 'x', undefined].map(portIn), [
    '8443',
    '9443',
    '1',
    undefined,
    undefined,
  ]);
  for (const host of ['10.0.0.7', '192.168.1.20', '172.16.0.1', '172.31.255.4'])
    assert.equal(homeAddressIn(host), host);
  for (const host of ['localhost', '127.0.0.1', '172.32.0.1', '192.168.1', '11.0.0.1', 'nas.local', '8.8.8.8'])
    assert.equal(homeAddressIn(host), undefined, host);
});
