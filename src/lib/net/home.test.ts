/** Addresses at home: reached over https where a setting allows it, and never by a redirect. */
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { plant } from '../../../test/faults/planted.ts';
import * as real from '../net.ts';
import type { Net, NetRequest, Resolve } from '../net.ts';
import { certificate } from './testing.ts';

type Door = typeof real;
const faultOf = (error: unknown): unknown => (error instanceof Error && 'fault' in error ? error.fault : error);

async function serveTls(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer({ key: certificate.key, cert: certificate.cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function client(t: TestContext, resolve: Resolve, door: Door): Net {
  const net = door.createNet({ version: '1.2', ca: certificate.cert, resolve });
  t.after(() => net.close());
  return net;
}

async function atHome(t: TestContext, door: Door): Promise<void> {
  const port = await serveTls(t, (_, reply) => reply.end('reached'));
  const to =
    (address: string): Resolve =>
    () =>
      Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
  const url = `https://api.example.org:${port}/`;
  const faultFor = async (address: string, more: Partial<NetRequest>): Promise<unknown> =>
    client(t, to(address), door)
      .request({ url, timeoutMs: 150, ...more })
      .then(({ status }) => status, faultOf);
  // No service is at these addresses: whatever is not refused for its address was let through to the connection.
  for (const address of ['10.1.1.1', '172.31.0.1', '192.168.77.1', '100.64.0.9', 'fd00::77']) {
    assert.notEqual(await faultFor(address, { allowHome: true }), 'address', address);
    assert.equal(await faultFor(address, {}), 'address', address);
    assert.equal(await faultFor(address, { allowLoopback: true }), 'address', address);
    assert.equal(
      await faultFor(address, { allowHome: true, allowLoopback: true, url: `http://api.example.org:${port}/` }),
      'address',
      `http to ${address}`,
    );
  }
  for (const address of ['169.254.169.254', '127.0.0.1', '::1', 'fe80::1', '::ffff:10.1.1.1', '0.0.0.0', '224.0.0.1'])
    assert.equal(await faultFor(address, { allowHome: true }), 'address', address);
  assert.equal(await faultFor('127.0.0.1', { allowHome: true, allowLoopback: true, timeoutMs: 60_000 }), 200);
  assert.equal(await faultFor('10.1.1.1', { url: 'http://10.1.1.1/', allowHome: true }), 'address');
}
test('an address at home is reached over https, and only where a setting allows it', (t) => atHome(t, real));
test('planted: link-local addresses count as home', async (t) => {
  const broken = plant(t, {
    file: 'lib/net/address.ts',
    from: "listOf(['10.0.0.0/8', ",
    to: "listOf(['10.0.0.0/8', '169.254.0.0/16', ",
  });
  await assert.rejects(async () => atHome(t, (await import(broken('lib/net.ts').href)) as Door), assert.AssertionError);
});

async function homeByRedirect(t: TestContext, door: Door): Promise<void> {
  const port = await serveTls(t, (_, reply) => reply.writeHead(302, { location: '/inside' }).end());
  let asked = 0;
  // The first look-up leads here, as a public service would be; the second is that of the redirect.
  const resolve: Resolve = () => Promise.resolve([{ address: asked++ === 0 ? '127.0.0.1' : '10.1.1.1', family: 4 }]);
  const net = client(t, resolve, door);
  const request = { url: `https://api.example.org:${port}/`, allowHome: true, allowLoopback: true, redirects: 1 };
  const got = await net.request({ ...request, timeoutMs: 2_000 }).then(({ status }) => status, faultOf);
  assert.deepEqual([got, asked], ['address', 2]);
}
test('no redirect leads to an address at home', (t) => homeByRedirect(t, real));
test('planted: a redirect may lead home', async (t) => {
  const broken = plant(t, {
    file: 'lib/net/rules.ts',
    from: 'isLoopbackAllowed, isHomeAllowed: false }',
    to: 'isLoopbackAllowed, isHomeAllowed: true }',
  });
  await assert.rejects(
    async () => homeByRedirect(t, (await import(broken('lib/net.ts').href)) as Door),
    assert.AssertionError,
  );
});
