/** Which Host headers name this machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnHost } from './own-host.ts';

const known = { machine: 'attic.example', hosts: ['media.home.example', '10.0.0.9'] };
const rows: [host: string, is: boolean][] = [
  ['127.0.0.1:38128', true],
  ['192.168.1.5', true],
  ['[::1]:38128', true],
  ['[fd00::5]', true],
  ['localhost', true],
  ['LOCALHOST:1', true],
  ['app.localhost', true],
  ['nas.local:38128', true],
  ['attic.example', true],
  ['Attic:38128', true],
  ['media.home.example:443', true],
  ['media.home.example.', true],
  ['evil.example', false],
  ['attic.example.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['local', false],
  ['localhost.evil.example', false],
  ['evil.example:38128', false],
  ['home.example', false],
  ['x.media.home.example', false],
  ['1.2.3', false],
  ['', false],
  ['0x7f.1', false],
  ['[evil]', false],
];
for (const [host, is] of rows)
  test(`the host "${host}" ${is ? 'is' : 'is not'} this machine`, () => assert.equal(isOwnHost(host, known), is));

test('a machine without a name matches no host', () => assert.equal(isOwnHost('', { machine: '', hosts: [] }), false));
