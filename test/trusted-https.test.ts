/** Trusted HTTPS at home on the whole server, with a real certificate authority and stand-ins of both DNS services. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createNameQuestions, createNet, type NameQuestions, type Net } from '../src/lib/net.ts';
import { startAuthority, type TestAuthority } from '../src/remote/certificates/testing-authority.ts';
import { DNS_TOKENS } from '../src/remote/dns/testing-services.ts';
import { until } from './until.ts';
import { fakeClock, PASSWORD, startWorld, type Reply, type World } from './world.ts';

const AT = '/api/v1/settings/trusted-https';
const ADDRESS = '192.168.1.10';

const GIVEN = {
  dns_a: { domain: 'film', token: DNS_TOKENS.dns_a, address: ADDRESS, termsAccepted: true },
  dns_b: {
    ...{ provider: 'dns_b', domain: 'film.example.dedyn.io', token: DNS_TOKENS.dns_b },
    ...{ address: ADDRESS, termsAccepted: true },
  },
} as const;
const NAMES = { dns_a: 'film.duckdns.org', dns_b: 'film.example.dedyn.io' } as const;

interface Status {
  state: string;
  managed: boolean;
  checks: { name: string; state: string; sentence: string; text: { reason: string } }[];
  certificate?: { state: string; notAfter?: string };
  url?: string;
}

interface Home {
  world: World;
  owner: { token: string };
  port: number;
  call(method: string, body?: unknown): Promise<Reply>;
  status(): Promise<Status>;
}

interface HomeOptions {
  authority?: TestAuthority;
  env?: Record<string, string>;
  after?: Pick<World, 'folder' | 'clock'>;
  questions?: Partial<NameQuestions>;
}

/** Starts a server that answers over TLS on loopback. Without an authority, nothing leaves it. */
async function startHome(t: TestContext, { authority, env = {}, after, questions }: HomeOptions = {}): Promise<Home> {
  const folder = after?.folder ?? (await mkdtemp(join(tmpdir(), 'matinee-home-')));
  const names = createNameQuestions({ resolver: authority?.resolver, system: authority?.resolver });
  const world = await startWorld(t, {
    after: after ?? { folder, clock: fakeClock(Date.now()) },
    ...(authority && { net: netTo(t, authority), questions: { ...names, ...questions } }),
    ...(!authority && questions && { questions: { ...silent, ...questions } }),
    env: {
      SERVICE_TLS_ENABLED: 'true',
      SERVICE_REQUIRE_MFA: 'false',
      ...(authority && {
        SERVICE_ACME_DIRECTORY: authority.directory,
        SERVICE_ACME_DNS_A_URL: authority.services.url,
        SERVICE_ACME_DNS_B_URL: authority.services.url,
      }),
      ...env,
    },
  });
  await world.start();
  const made = await world.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const signed =
    made.status === 201
      ? made
      : await world.call(undefined, 'POST', '/api/v1/session', { name: 'Ada', password: PASSWORD });
  const owner = { token: String(signed.body['token']) };
  const at = await world.http.listen({ host: '127.0.0.1', port: 0 });
  const call = (method: string, body?: unknown) => world.call(owner, method, AT, body);
  const status = async () => (await call('GET')).body as unknown as Status;
  return { world, owner, port: typeof at === 'object' && at !== null ? at.port : 0, call, status };
}

const silent: NameQuestions = {
  txt: async () => [],
  addresses: async () => [],
  addressesHere: async () => undefined,
  hostAddresses: async () => [],
};

function netTo(t: TestContext, { ca }: TestAuthority): Net {
  const net = createNet({ version: '0', ca });
  t.after(() => net.close());
  return net;
}

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

const reasonOf = ({ checks }: Status, name: string): string => {
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
    const home = await startHome(t, { authority });
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
    const again = await startHome(t, { authority, after: world });
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
  const home = await startHome(t, { authority, questions: { addressesHere: dropping.addressesHere } });
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
  const home = await startHome(t, { questions: { hostAddresses: async (host) => answers[host] ?? [] } });
  const put = async (over: object) => {
    const { status, body } = await home.call('PUT', { ...GIVEN.dns_a, ...over });
    return `${status} ${String(body['reason'])}`;
  };
  const addresses = ['8.8.8.8', '127.0.0.1', '169.254.1.1', '100.64.0.1', '172.32.0.1', '::1', 'fd00::1', '0.0.0.0'];
  const hosts = ['two.home', 'public.example', 'localhost', 'unknown.home', '-', ' ', 'a b', 'http://192.168.1.1'];
  for (const address of [...addresses, ...hosts])
    assert.equal(await put({ address }), '400 address-not-private', address);
  assert.equal(await put({ termsAccepted: false }), '400 terms-not-accepted');
  for (const over of [{ domain: 'Film' }, { domain: 'a.b' }, { token: 'short' }, { provider: 'dns_b' }])
    assert.equal(await put(over), '400 setting-invalid', JSON.stringify(over));
  assert.equal((await put({ provider: 'dns_c' })).slice(0, 3), '400');
  assert.deepEqual([await home.status(), home.world.asked], [{ state: 'off', managed: false, checks: [] }, []]);

  assert.equal(await put({ address: 'nas.fritz.box' }), '202 undefined');
  assert.equal((await home.call('GET')).body['address'], '192.168.178.5');
});

test('only an Owner with a recent proof sets it up, and no API key', async (t) => {
  const { world, owner } = await startHome(t);
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
  const home = await startHome(t, { env: { SERVICE_DNS_A_HTTPS: JSON.stringify(GIVEN.dns_a) } });
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

test('it is refused next to access from outside, without HTTPS, and its end while a setting needs it', async (t) => {
  const remote = {
    SERVICE_REMOTE_MODE: 'https',
    SERVICE_DNS_A_DOMAIN: 'film',
    SERVICE_DNS_A_TOKEN: 'a'.repeat(36),
    SERVICE_AUTH_URL: 'https://film.duckdns.org',
  };
  const reason = async ({ call }: Home, method: string, body?: unknown) => {
    const reply = await call(method, body);
    return `${reply.status} ${String(reply.body['reason'])}`;
  };
  assert.equal(await reason(await startHome(t, { env: remote }), 'PUT', GIVEN.dns_a), '409 remote-access-on');
  assert.equal(
    await reason(await startHome(t, { env: { SERVICE_TLS_ENABLED: 'false' } }), 'PUT', GIVEN.dns_a),
    '409 https-off',
  );
  const home = await startHome(t);
  assert.equal(await reason(home, 'PUT', GIVEN.dns_a), '202 undefined');
  const apps = '/api/v1/configuration/integrations.media_compat.enabled';
  assert.equal((await home.world.call(home.owner, 'PUT', apps, { value: 'true' })).status, 202);
  assert.equal(await reason(home, 'DELETE'), '409 setting-clash');
  assert.equal((await home.status()).state === 'off', false);
});

test('a wrong token is a failed check, and the right one is tried at once', async (t) => {
  const authority = await startAuthority();
  t.after(() => authority.close());
  const home = await startHome(t, { authority });
  assert.equal((await home.call('PUT', { ...GIVEN.dns_a, token: 'x'.repeat(32) })).status, 202);
  await until('both to fail', async () => {
    const status = await home.status();
    return ['address', 'certificate'].every((name) => reasonOf(status, name) === 'failed dns-refused');
  });
  assert.equal((await home.status()).state, 'failing');
  assert.equal((await home.call('PUT', GIVEN.dns_a)).status, 202);
  await until('the name to be ready', async () => (await home.status()).state === 'ready');
});
