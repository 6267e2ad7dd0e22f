/** A certificate that a real authority renews, as clients of a listener see it. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { z } from 'zod';
import { until } from '../../../test/until.ts';
import { endpoint } from '../../contract/kernel/endpoint.ts';
import type { ServerSentEvent } from '../../http/handle.ts';
import { createServer } from '../../http/server.ts';
import { handle } from '../../http/testing.ts';
import { silentLog } from '../../lib/log.ts';
import { createServedTls } from '../served-tls.ts';
import { startAuthority } from './testing-authority.ts';
import { adviceOn, createInstance } from './testing-instance.ts';

const NAME = 'film.duckdns.org';

const long = endpoint({
  method: 'GET',
  path: '/api/v1/long',
  summary: 'Long',
  access: 'public',
  result: { events: z.strictObject({ n: z.int() }) },
});

function shake(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false }, () =>
      resolve(socket.on('error', () => {})),
    );
    socket.once('error', reject);
  });
}
const serialOf = (socket: TLSSocket): string => socket.getPeerX509Certificate()?.serialNumber ?? '';

test('a renewed certificate is served without a restart, and a response that is being sent completes', async (t) => {
  const authority = await startAuthority();
  // The folder is removed last, when nothing writes into it.
  const endings: (() => Promise<void> | void)[] = [() => authority.close()];
  t.after(async () => {
    for (const end of endings.toReversed()) await end();
  });
  let isDue = false;
  const instance = createInstance({ ...authority, api: authority.services.url }, { instead: adviceOn(() => isDue) });
  endings.push(() => instance.close());
  await instance.certificates.start();
  await instance.until(({ state }) => state === 'issued');
  const issued = (): string => new X509Certificate(instance.certificates.current()?.chain ?? '').serialNumber;

  const steps: (() => void)[] = [];
  const stream = async function* (): AsyncGenerator<ServerSentEvent> {
    for (let n = 1; n <= 3; n += 1) {
      yield { data: { n } };
      if (n < 3) await new Promise<void>((resolve) => void steps.push(resolve));
    }
  };
  const served = createServedTls(instance.certificates.current);
  const server = createServer({
    mounted: [handle(long, stream)],
    doors: { identify: async () => undefined, current: (by) => by, log: silentLog },
    tls: { of: (host) => (host === NAME ? served() : undefined) },
  });
  endings.push(() => server.close(0));
  const at = await server.listen({ host: '127.0.0.1', port: 0 });
  const port = typeof at === 'object' && at !== null ? at.port : 0;

  const before = await shake(port);
  const first = serialOf(before);
  assert.equal(first, issued());
  let got = '';
  let isEnded = false;
  before.on('data', (chunk: Buffer) => void (got += chunk.toString('latin1')));
  before.on('end', () => void (isEnded = true));
  before.write(`GET ${long.path} HTTP/1.1\r\nhost: ${NAME}\r\nconnection: close\r\n\r\n`);
  await until('the first part', () => got.includes('{"n":1}'));

  isDue = true;
  instance.pass(7 * 3_600_000);
  await until('the renewed certificate', () => issued() !== first);
  const after = await shake(port);
  endings.push(() => void after.destroy());
  assert.equal(serialOf(after), issued());
  for (const n of [2, 3]) {
    await until('the server to wait', () => steps.length > 0);
    steps.shift()?.();
    await until(`part ${n}`, () => got.includes(`{"n":${n}}`));
  }
  await until('the response to be complete', () => isEnded);
  assert.ok(got.endsWith('0\r\n\r\n'), 'the response was cut');
});
