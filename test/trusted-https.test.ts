/** Trusted HTTPS at home on the whole server, with a real certificate authority and stand-ins of both DNS services. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { test } from 'node:test';
import { createNameQuestions } from '../src/lib/net.ts';
import { startAuthority, type TestAuthority } from '../src/remote/certificates/testing-authority.ts';
import { DNS_TOKENS } from '../src/remote/dns/testing-services.ts';
import { ADDRESS, GIVEN, NAMES, startTrustedHome, type TrustedHome, type TrustedStatus } from './trusted-home.ts';
import { until } from './until.ts';

const AT = '/api/v1/settings/trusted-https';

/** Shakes hands with the home listener, as a browser that opens a name does. */
function shake(port: number, servername?: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] },
      ...(servername !== undefined && { servername }),
    });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Returns the certificate that a name gets. */
async function certificateAt(port: number, servername?: string): Promise<X509Certificate> {
  const socket = await shake(port, servername);
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw);
}

const reasonOf = ({ checks }: TrustedStatus, name: string): string => {
  const { state = '', text } = checks.find((one) => one.name === name) ?? {};
  return `${state} ${text?.reason}`;
};
const orders = (authority: TestAuthority, before: readonly string[]): number =>
  authority.services.asked.slice(before.length).filter((path) => path.includes('txt=') && !path.includes('clear'))
    .length;

for (const kind of ['dns_a', 'dns_b'] as const)
  test(`${kind}: the name gets a trusted certificate at once, and every other name the own one`, async (t) => {
    const authority = await startAuthority();
    t.after(() => authority.close());
    const home = await startTrustedHome(t, { authority });
    const { world, port } = home;
    const name = NAMES[kind];
    const own = await certificateAt(port, name);
    assert.deepEqual(await home.status(), { state: 'off', managed: false, checks: [] });

    const saved = await home.call('PUT', GIVEN[kind]);
    assert.equal(saved.status, 202, saved.text);
    assert.equal(saved.body['url'], `https://${name}:38128`);
    await until('the name to be ready', async () => (await home.status()).state === 'ready');
    const status = await home.status();
    assert.deepEqual(
      ['address', 'certificate', 'name'].map((one) => reasonOf(status, one)),
      ['ok address-published', 'ok certificate-valid', 'ok name-leads-here'],
    );
    for (const { sentence } of status.checks) assert.match(sentence, /^[A-Z].*\.$/);
    assert.deepEqual(authority.services.records.get(`A ${name}`), [ADDRESS]);
    assert.equal(authority.services.records.get(`TXT _acme-challenge.${name}`), undefined, 'the proof was left');

    const trusted = await certificateAt(port, name);
    assert.equal(trusted.subjectAltName, `DNS:${name}`);
    assert.equal((await certificateAt(port, name.toUpperCase())).serialNumber, trusted.serialNumber);
    for (const other of [undefined, 'localhost', `x.${name}`, 'elsewhere.duckdns.org'])
      assert.equal((await certificateAt(port, other)).serialNumber, own.serialNumber, `${other} gets another one`);
    const configuration = await world.call(home.owner, 'GET', '/api/v1/configuration');
    const shown = [JSON.stringify(await home.status()), configuration.text, world.lines.join('')];
    for (const text of shown) assert.ok(!text.includes(DNS_TOKENS[kind]), 'the token is shown');

    await world.close();
    const before = [...authority.services.asked];
    const again = await startTrustedHome(t, { authority, after: world });
    await until('it to be served again', async () => (await again.status()).state === 'ready');
    assert.equal((await certificateAt(again.port, name)).serialNumber, trusted.serialNumber);
    assert.equal(orders(authority, before), 0, 'it was proved again');

    assert.equal((await again.call('DELETE')).status, 204);
    assert.equal((await certificateAt(again.port, name)).serialNumber, own.serialNumber);
    assert.deepEqual(await again.status(), { state: 'off', managed: false, checks: [] });
    assert.equal((await again.call('DELETE')).status, 204, 'and once more is no failure');
  });

test('a router that drops private addresses is named as the cause, and an Owner is told', async (t) => {
  const authority = await startAuthority();
  t.after(() => authority.close());
  const dropping = createNameQuestions({
    resolver: authority.resolver,
    system: await authority.startDroppingResolver(),
  });
  const home = await startTrustedHome(t, { authority, questions: { addressesHere: dropping.addressesHere } });
  assert.equal((await home.call('PUT', GIVEN.dns_a)).status, 202);
  await until('the check of the name', async () => reasonOf(await home.status(), 'name') === 'failed name-dropped');
  const status = await home.status();
  assert.equal(status.state, 'failing');
  assert.match(status.checks.find(({ name }) => name === 'name')?.sentence ?? '', /router drops .* rebind protection/);
  const { body } = await home.world.call(home.owner, 'GET', '/api/v1/diagnostics');
  const found = (body['findings'] as { code: string; level: string }[]).find(
    ({ code }) => code === 'trusted-name-dropped',
  );
  assert.equal(found?.level, 'warning');
});

test('what is not private, not accepted or not a name is refused before anything is asked', async (t) => {
  const answers: Record<string, string[]> = {
    'nas.fritz.box': ['192.168.178.5'],
    'two.home': ['192.168.1.5', '192.168.1.6'],
    'public.example': ['8.8.8.8'],
    localhost: ['127.0.0.1'],
  };
  const home = await startTrustedHome(t, { questions: { hostAddresses: async (host) => answers[host] ?? [] } });
  const put = async (over: object) => {
    const { status, body } = await home.call('PUT', { ...GIVEN.dns_a, ...over });
    return `${status} ${String(body['reason'])}`;
  };
  const addresses = ['8.8.8.8', '127.0.0.1', '169.254.1.1', '100.64.0.1', '172.32.0.1', '::1', 'fd00::1', '0.0.0.0'];
  const hosts = ['two.home', 'public.example', 'localhost', 'unknown.home', '-', ' ', 'a b', 'http://192.168.1.1'];
  for (const address of [...addresses, ...hosts])
    assert.equal(await put({ address }), '400 address-not-private', address);
  assert.equal(await put({ termsAccepted: false }), '400 terms-not-accepted');
  for (const over of [{ domain: 'Film' }, { domain: 'a.b' }, { provider: 'dns_b' }])
    assert.equal(await put(over), '400 name-not-allowed', JSON.stringify(over));
  assert.equal(await put({ token: 'short' }), '400 token-not-allowed');
  assert.equal(await put({ token: undefined }), '400 token-missing');
  assert.equal((await put({ provider: 'dns_c' })).slice(0, 3), '400');
  // The terms of the usual authority are known without asking it.
  const off = { state: 'off', managed: false, checks: [], termsUrl: 'https://letsencrypt.org/repository/' };
  assert.deepEqual([await home.status(), home.world.asked], [off, []]);

  assert.equal(await put({ address: 'nas.fritz.box' }), '202 undefined');
  assert.equal((await home.call('GET')).body['address'], '192.168.178.5');
});

test('only an Owner with a recent proof sets it up, and no API key', async (t) => {
  const { world, owner } = await startTrustedHome(t);
  const key = await world.call(owner, 'POST', '/api/v1/api-keys', { name: 'k', scopes: ['admin'] });
  const asKey = { token: String(key.body['secret']) };
  assert.equal((await world.call(asKey, 'GET', AT)).status, 200);
  assert.equal((await world.call(asKey, 'PUT', AT, GIVEN.dns_a)).status, 403);
  assert.equal(
    (await world.call(asKey, 'PUT', '/api/v1/configuration/tls.dns_a', { value: JSON.stringify(GIVEN.dns_a) })).status,
    403,
  );
  assert.equal((await world.call(undefined, 'PUT', AT, GIVEN.dns_a)).status, 401);
  world.clock.pass(11 * 60_000);
  assert.equal((await world.call(owner, 'PUT', AT, GIVEN.dns_a)).body['reason'], 'step-up-required');
});

test('it is read-only where it is managed; the older form without a provider is the first provider', async (t) => {
  const home = await startTrustedHome(t, { env: { SERVICE_DNS_A_HTTPS: JSON.stringify(GIVEN.dns_a) } });
  const status = await home.call('GET');
  assert.deepEqual(
    [status.body['managed'], status.body['provider'], status.body['name']],
    [true, 'dns_a', NAMES.dns_a],
  );
  for (const [method, body] of [
    ['PUT', GIVEN.dns_b],
    ['DELETE', undefined],
  ] as const) {
    const reply = await home.call(method, body);
    assert.deepEqual([reply.status, reply.body['reason']], [409, 'setting-managed'], method);
  }
});

test('it is refused next to remote access, without HTTPS, and its end while a setting needs it', async (t) => {
  const remote = {
    SERVICE_REMOTE_MODE: 'https',
    SERVICE_DNS_A_DOMAIN: 'film',
    SERVICE_DNS_A_TOKEN: 'a'.repeat(36),
    SERVICE_AUTH_URL: 'https://film.duckdns.org',
  };
  const reason = async ({ call }: TrustedHome, method: string, body?: unknown) => {
    const reply = await call(method, body);
    return `${reply.status} ${String(reply.body['reason'])}`;
  };
  assert.equal(await reason(await startTrustedHome(t, { env: remote }), 'PUT', GIVEN.dns_a), '409 remote-access-on');
  assert.equal(
    await reason(await startTrustedHome(t, { env: { SERVICE_TLS_ENABLED: 'false' } }), 'PUT', GIVEN.dns_a),
    '409 https-off',
  );
  const home = await startTrustedHome(t);
  assert.equal(await reason(home, 'PUT', GIVEN.dns_a), '202 undefined');
  const apps = '/api/v1/configuration/integrations.media_compat.enabled';
  assert.equal((await home.world.call(home.owner, 'PUT', apps, { value: 'true' })).status, 202);
  assert.equal(await reason(home, 'DELETE'), '409 setting-clash');
  assert.equal((await home.status()).state === 'off', false);
});

test('a change keeps the token of the same provider, and no other one', async (t) => {
  const { call, world } = await startTrustedHome(t);
  const put = async (over: object) => {
    const { domain, address, termsAccepted } = GIVEN.dns_a;
    const { status, body } = await call('PUT', { domain, address, termsAccepted, ...over });
    return [status, body['reason'] ?? body['name'], body['address']];
  };
  assert.deepEqual(await put({}), [400, 'token-missing', undefined], 'none is saved');
  assert.equal((await call('PUT', GIVEN.dns_a)).status, 202);
  assert.deepEqual(await put({ domain: 'other', address: '192.168.1.11' }), [202, 'other.duckdns.org', '192.168.1.11']);
  const elsewhere = { provider: 'dns_b', domain: GIVEN.dns_b.domain };
  assert.deepEqual(await put(elsewhere), [400, 'token-missing', undefined], 'it would leave for another provider');
  assert.equal((await call('GET')).body['name'], 'other.duckdns.org');
  await until('the token to be sent to its provider with the new name', () =>
    world.asked.some((url) => url.includes('domains=other') && url.includes(DNS_TOKENS.dns_a)),
  );
  assert.equal((await call('DELETE')).status, 204);
  assert.deepEqual(await put({}), [400, 'token-missing', undefined], 'and nothing is kept of it after its end');
});

test('a wrong token is a failed check, and the right one is tried at once', async (t) => {
  const authority = await startAuthority();
  t.after(() => authority.close());
  const home = await startTrustedHome(t, { authority });
  assert.equal((await home.call('PUT', { ...GIVEN.dns_a, token: 'x'.repeat(32) })).status, 202);
  await until('both to fail', async () => {
    const status = await home.status();
    return ['address', 'certificate'].every((name) => reasonOf(status, name) === 'failed dns-refused');
  });
  assert.equal((await home.status()).state, 'failing');
  assert.equal((await home.call('PUT', GIVEN.dns_a)).status, 202);
  await until('the name to be ready', async () => (await home.status()).state === 'ready');
});
