/** A secret is sent only to the host it was entered for: a change of its address removes it, and says so. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { secret, setting } from '../src/config/index.ts';
import { SETTINGS } from '../src/settings.ts';
import { PASSWORD, startWorld, type Reply, type World, type WorldOptions } from './world.ts';

interface Row {
  key: string;
  value?: string;
  default?: string;
  secret: boolean;
  configured: boolean;
  belongsTo?: string[];
  type: string;
}
type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

async function open(
  t: TestContext,
  env: WorldOptions['env'] = {},
): Promise<{ house: World; ask: Ask; row: (key: string) => Promise<Row>; rows: () => Promise<Row[]> }> {
  const house = await startWorld(t, { env: { SERVICE_REQUIRE_MFA: 'false', ...env } });
  const token = String(
    (await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
  );
  const ask: Ask = (method, path, body) => house.call({ token }, method, `/api/v1/configuration${path}`, body);
  const rows = async () => (await ask('GET', '')).body['settings'] as Row[];
  return { house, ask, rows, row: async (key) => (await rows()).find((each) => each.key === key) ?? assert.fail(key) };
}
const SECRET = 'a-secret-of-32-characters-or-more';
/** Which secrets there are of hosts; written once more here, so that one that loses its address is noticed. */
const BELONGING: Record<string, string[]> = {
  'integrations.metadata.token': ['integrations.metadata.url'],
  'integrations.subtitles_a.api_key': ['integrations.subtitles_a.url'],
  'integrations.subtitles_b.api_key': ['integrations.subtitles_b.url'],
  'integrations.subtitles_c.api_key': ['integrations.subtitles_c.url'],
  'integrations.subtitles_c.username': ['integrations.subtitles_c.url'],
  'integrations.subtitles_c.password': ['integrations.subtitles_c.url'],
  'integrations.oidc.client_secret': ['integrations.oidc.issuer'],
  'integrations.mcp.client_secret': ['integrations.mcp.authorization_server', 'integrations.mcp.introspection_url'],
  'integrations.webhook.token': ['integrations.webhook.url'],
  'remote.dns_a_token': ['acme.dns_a_url'],
  'tls.dns_a': ['acme.dns_a_url', 'acme.dns_b_url'],
};
/** Values that secrets of another form have. */
const VALUES: Record<string, string> = {
  'tls.dns_a': JSON.stringify({
    provider: 'dns_a',
    domain: 'home',
    token: SECRET,
    address: '192.168.1.20',
    termsAccepted: true,
  }),
};
const secretOf = (key: string): string => VALUES[key] ?? SECRET;
/** Secrets that are sent to no address of another setting, with the reason. */
const SENT_NOWHERE: Record<string, string> = {
  'backup.key': 'it encrypts files here',
  'database.url': 'the host is a part of it',
  'integrations.scim.token': 'others send it to this server',
  'remote.proxy_token': 'the gateway sends it to this server',
};
/** Addresses next to a secret, in the same part of the settings, to which it is not sent, with the reason. */
const NOT_SENT_TO: Record<string, string> = {
  'integrations.metadata.image_url': 'pictures are fetched without the token',
  'integrations.oidc.redirect_url': 'this server',
  'integrations.mcp.resource_url': 'this server',
};

test('every secret that is sent to a configured host says which address it belongs to', async (t) => {
  const { rows } = await open(t);
  assert.deepEqual(
    Object.fromEntries((await rows()).filter((row) => row.belongsTo).map(({ key, belongsTo }) => [key, belongsTo])),
    BELONGING,
  );
});

test('every secret states where it is sent, and every address next to one is among those', () => {
  const all = SETTINGS.all as readonly {
    key: string;
    secret: boolean;
    belongsTo: readonly string[];
    type: { kind: string };
  }[];
  const partOf = (key: string) => key.slice(0, key.lastIndexOf('.'));
  for (const { key, belongsTo } of all.filter(({ secret }) => secret)) {
    assert.equal(belongsTo.length === 0, key in SENT_NOWHERE, key);
    const beside = all.filter(({ key: other, type }) => type.kind === 'url' && partOf(other) === partOf(key));
    for (const { key: address } of beside)
      assert.ok(belongsTo.includes(address) || address in NOT_SENT_TO, `${key} and ${address}`);
  }
  const declare = {
    key: 'x.key',
    env: 'X_KEY',
    group: { id: 'x', title: 'X' },
    title: 'Key',
    restart: true,
    doc: 'Key.',
  };
  assert.throws(
    () => setting({ ...declare, type: secret({ max: 9 }), samples: () => ({ good: [], bad: [] }) }),
    /belongsTo says/,
  );
});

test('another host in an address removes the secrets of the old one; another path keeps them', async (t) => {
  // Trusted HTTPS needs it.
  const { house, ask, row } = await open(t, { SERVICE_TLS_ENABLED: 'true' });
  const save = async (key: string, value: string, cleared: string[] | undefined) => {
    const reply = await ask('PUT', `/${key}`, { value });
    assert.deepEqual([reply.status, reply.body['cleared']], [202, cleared], `${key} = ${value}: ${reply.text}`);
  };
  const isSet = async (key: string) => (await row(key)).configured;
  for (const [secret, addresses] of Object.entries(BELONGING)) {
    for (const address of addresses) {
      const others = Object.keys(BELONGING).filter((key) => key !== secret && BELONGING[key]?.includes(address));
      assert.deepEqual((await ask('DELETE', `/${address}`)).status, 202);
      await save(secret, secretOf(secret), undefined);
      if ((await row(address)).value === undefined) await save(address, 'https://one.example/a', undefined);
      else await save(address, 'https://one.example/a', [secret]);
      await save(secret, secretOf(secret), undefined);
      await save(address, 'https://one.example/b?c=d', undefined);
      await save(address, 'https://ONE.example:443/', undefined);
      assert.ok(await isSet(secret), `${secret}: the same host keeps it`);
      for (const other of ['https://two.example/', 'https://two.example:8443/', 'https://127.0.0.1/']) {
        await save(address, other, [secret]);
        assert.equal(await isSet(secret), false, `${secret} after ${other}`);
        await save(secret, secretOf(secret), undefined);
      }
      for (const other of others) assert.equal(await isSet(other), false);
      const reset = await ask('DELETE', `/${address}`);
      assert.deepEqual([reset.status, reset.body['cleared']], [202, [secret]], 'a reset is a change, too');
      assert.equal(await isSet(secret), false);
    }
  }
  assert.ok(!house.lines.join().includes(SECRET));
});

test('a new address and its secret in one change keep the secret, and remove the others of that address', async (t) => {
  const { house, row } = await open(t);
  const [url, key, name] = [
    'integrations.subtitles_c.url',
    'integrations.subtitles_c.api_key',
    'integrations.subtitles_c.username',
  ];
  await house.config.saveAll({ [key]: SECRET, [name]: 'ada' });
  assert.deepEqual((await house.config.saveAll({ [url]: 'https://one.example/', [key]: SECRET })).cleared, [name]);
  assert.deepEqual([(await row(key)).configured, (await row(name)).configured], [true, false]);
});

test('a secret that is managed outside holds its address at its host', async (t) => {
  const { ask, row } = await open(t, {
    SERVICE_SUBTITLES_B_API_KEY: SECRET,
    SERVICE_SUBTITLES_B_PERSONAL_USE: 'true',
    SERVICE_WEBHOOK_TOKEN: SECRET,
    SERVICE_WEBHOOK_URL: 'https://hook.example/',
  });
  const address = 'integrations.subtitles_b.url';
  const { value, default: usual } = await row(address);
  assert.equal(value, usual);
  const refused = await ask('PUT', `/${address}`, { value: 'https://two.example/' });
  assert.equal(refused.status, 409, refused.text);
  assert.match(String(refused.body['error']), /set by the environment/);
  assert.equal((await row(address)).value, usual);
  const moved = `${new URL(String(usual)).origin}/api/v2`;
  assert.equal((await ask('PUT', `/${address}`, { value: moved })).status, 202, 'another path is the same host');
  assert.equal((await ask('DELETE', `/${address}`)).status, 202);
});

test('a refused change of an address removes nothing', async (t) => {
  const { ask, row } = await open(t);
  await ask('PUT', '/integrations.webhook.url', { value: 'https://one.example/' });
  await ask('PUT', '/integrations.webhook.token', { value: SECRET });
  assert.equal((await ask('PUT', '/integrations.webhook.url', { value: 'ftp://two.example/' })).status, 400);
  assert.ok((await row('integrations.webhook.token')).configured);
});
