/** A stop that is asked for before the server is ready is as clean as one after it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { domain } from '../src/domain.ts';
import { DOMAINS } from '../src/domains.ts';
import { until } from './until.ts';
import { startWorld } from './world.ts';

test('a signal during the start stops it, and is no failed start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stop-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['data', 'cache', 'media']) mkdirSync(join(folder, name));
  // A database that takes the connection and says nothing holds the start.
  const database = createServer();
  t.after(() => database.close());
  database.listen(0, '127.0.0.1');
  const connected = once(database, 'connection') as Promise<[Socket]>;
  await once(database, 'listening');
  const { port } = database.address() as AddressInfo;

  const env = {
    PATH: process.env['PATH'],
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_CACHE_DIR: join(folder, 'cache'),
    SERVICE_MEDIA_DIR: join(folder, 'media'),
    SERVICE_LISTEN: '127.0.0.1:0',
    SERVICE_TLS_ENABLED: 'false',
    SERVICE_DATABASE_URL: `postgres://matinee:secret@127.0.0.1:${port}/matinee`,
  };
  const server = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url))], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => server.kill('SIGKILL'));
  let said = '';
  for (const pipe of [server.stdout, server.stderr]) pipe.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exit = once(server, 'close') as Promise<[number | null, string | null]>;
  const [socket] = await connected;
  server.kill('SIGTERM');
  await Promise.race([until('the server takes the signal', () => said.includes('stop.begun')), exit]);
  socket.destroy();
  database.close();
  assert.deepEqual(await exit, [0, null], said);
  assert.match(said, /stop\.done/);
  assert.doesNotMatch(said, /could not start|database\.url/);
});

/** Returns a domain whose start waits until it is woken, and what it did. */
function fakeSlowDomain() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
  const steps: string[] = [];
  const slow = domain({
    name: 'slow',
    uses: [],
    open: async () => ({
      door: {},
      startBackground: async () => {
        begin();
        await woken;
        // Long enough for a close that does not wait to come first.
        await setTimeout(200);
        steps.push('started');
      },
      close: () => void steps.push('closed'),
    }),
  });
  return { slow, begun, wake, steps };
}

test('a close during the start begins nothing more, and waits for the domain that is being started', async (t) => {
  const { slow, begun, wake, steps } = fakeSlowDomain();
  const late = domain({
    name: 'late',
    uses: [],
    open: async () => ({ door: {}, startBackground: () => void steps.push('late') }),
  });
  const house = await startWorld(t, { domains: [...DOMAINS, slow, late] });
  const starting = house.start();
  await begun;
  const closing = house.close();
  wake();
  await Promise.all([starting, closing]);
  assert.deepEqual(steps, ['started', 'closed']);
});

test('a domain that never ends its start does not hold the close', async (t) => {
  const { slow, begun, wake, steps } = fakeSlowDomain();
  const house = await startWorld(t, { domains: [...DOMAINS, slow] });
  const starting = house.start();
  await begun;
  await house.close();
  assert.deepEqual(steps, ['closed']);
  wake();
  await starting;
});
