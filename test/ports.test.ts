/**
 * A held port belongs to the test: servers listen there one after the other, and it is free after its release. A port
 * that was only looked for is refused by the architecture.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { guessedPorts } from './architecture/check.ts';
import { read } from './architecture/read.ts';
import { openPort } from './ports.ts';
import { until } from './until.ts';

/** Listens there, lets a client read, and closes again. */
async function serve(port: number): Promise<void> {
  const server = createServer((socket) => void socket.end('served'));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  assert.equal(await text(connect(port, '127.0.0.1')), 'served');
  server.close();
  await once(server, 'close');
}

test('servers listen at a held port again and again, and nothing answers between them', async () => {
  const { port, release } = await openPort();
  for (let run = 0; run < 3; run++) {
    await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
    await serve(port);
  }
  release();
});

/** Whether a connection comes from a port, as the system lists it. */
const isBound = (port: number): boolean =>
  readFileSync('/proc/self/net/tcp', 'latin1').includes(
    ` 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 0100007F:`,
  );

test('the system has a held port until it is released', async () => {
  const { port, release } = await openPort();
  assert.ok(isBound(port));
  await serve(port);
  assert.ok(isBound(port), 'the connection is still there after a server has ended');
  release();
  await until('the end of the connection', () => !isBound(port));
});

test('the architecture forbids a port that was listened at and closed', () => {
  const guesses = [
    'async function portOf() {\n  const server = createServer().listen(0);\n  const { port } = server.address();\n' +
      '  await new Promise((resolve) => server.close(resolve));\n  return port;\n}\n',
    'const got = async () => {\n  const all = [createServer()];\n  for (const one of all) one.listen(0);\n' +
      '  const ports = all.map((one) => one.address().port);\n  for (const one of all) one.close();\n' +
      '  return ports;\n};\n',
  ];
  for (const text of guesses) {
    for (const at of ['../test/x.ts', 'remote/testing-x.ts'])
      assert.match(
        guessedPorts(read({ at, text })).join('\n'),
        /^[^\n]+: (portOf|got) returns a port that it has closed[^\n]+$/,
      );
  }
  const open =
    'async function startX() {\n  const server = createServer().listen(0);\n  const { port } = server.address();\n' +
    '  return { port, close: () => server.close() };\n}\n';
  assert.deepEqual(guessedPorts(read({ at: '../test/x.ts', text: open })), []);
});
