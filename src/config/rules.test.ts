/** Rules between settings, judged at a start by environment and YAML alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../lib/failure.ts';
import { checkCommand } from './check.ts';
import type { Environment } from './environment.ts';
import { loadBoot } from './load.ts';
import { SETTINGS } from '../settings.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const noFile = (): Promise<Uint8Array> => Promise.reject(new Failure('missing', 'no file', { reason: 'no-such-file' }));
const TOKEN = 't0k3n'.repeat(8);
const trusted = {
  SERVICE_DNS_A_HTTPS: JSON.stringify({ domain: 'home', token: TOKEN, address: '192.168.1.2', termsAccepted: true }),
};
const remote = {
  SERVICE_REMOTE_MODE: 'https',
  SERVICE_DNS_A_DOMAIN: 'home',
  SERVICE_DNS_A_TOKEN: TOKEN,
  SERVICE_AUTH_URL: 'https://home.duckdns.org',
};
const mcp = {
  SERVICE_MCP_RESOURCE_URL: 'https://media.example.org/mcp',
  SERVICE_MCP_AUTHORIZATION_SERVER: 'https://id.example.org',
  SERVICE_MCP_INTROSPECTION_URL: 'https://id.example.org/introspect',
  SERVICE_MCP_CLIENT_ID: 'media',
  SERVICE_MCP_CLIENT_SECRET: 'secret',
};
const scim = { SERVICE_SCIM_TOKEN: TOKEN, SERVICE_SCIM_TOKEN_EXPIRES_AT: '2030-06-01T00:00:00Z' };
const subtitlesC = {
  SERVICE_SUBTITLES_C_API_KEY: 'k',
  SERVICE_SUBTITLES_C_USERNAME: 'u',
  SERVICE_SUBTITLES_C_PASSWORD: 'p',
};
const oidc = {
  SERVICE_OIDC_ISSUER: 'https://id.example.org',
  SERVICE_OIDC_CLIENT_ID: 'media',
  SERVICE_OIDC_REDIRECT_URL: 'https://media.example.org/oidc/callback',
};

const without = (env: Record<string, string>, name: string): Environment => ({ ...env, [name]: '' });

const good: readonly (readonly [what: string, env: Environment])[] = [
  ['DLNA with its address', { SERVICE_DLNA_ENABLED: 'true', SERVICE_DLNA_URL: 'http://192.168.1.2:38128' }],
  [
    'a library beside the data',
    { SERVICE_DATA_DIR: '/srv/data', SERVICE_LIBRARIES: '[{"name":"a","path":"/srv/data2","kind":"mixed"}]' },
  ],
  ['DLNA off without one', { SERVICE_DLNA_ENABLED: 'false' }],
  ['trusted HTTPS', trusted],
  ['remote access', remote],
  [
    'remote access through the gateway',
    { ...remote, SERVICE_PUBLIC_GATEWAY: '1', SERVICE_PROXY_TOKEN: 'x'.repeat(32) },
  ],
  ['compatible clients with trusted HTTPS', { ...trusted, SERVICE_MEDIA_COMPAT_ENABLED: 'true' }],
  ['all of MCP', mcp],
  ['SCIM', scim],
  ['the second subtitle provider', { SERVICE_SUBTITLES_B_API_KEY: 'k', SERVICE_SUBTITLES_B_PERSONAL_USE: 'true' }],
  ['the third subtitle provider', subtitlesC],
  ['OpenID Connect without a client secret', oidc],
  ['OpenID Connect with one', { ...oidc, SERVICE_OIDC_CLIENT_SECRET: 's' }],
  ['SAML by address', { SERVICE_SAML_METADATA_URL: 'https://id.example.org/saml' }],
  ['a webhook with its token', { SERVICE_WEBHOOK_URL: 'https://hook.example.org', SERVICE_WEBHOOK_TOKEN: 't' }],
];

const bad: readonly (readonly [what: string, env: Environment, key: string])[] = [
  [
    'a library of the data folder',
    { SERVICE_DATA_DIR: '/srv/data', SERVICE_LIBRARIES: '[{"name":"a","path":"/srv/data","kind":"mixed"}]' },
    'libraries',
  ],
  [
    'a library inside the cache',
    { SERVICE_CACHE_DIR: '/srv/cache', SERVICE_LIBRARIES: '[{"name":"a","path":"/srv/cache/art","kind":"mixed"}]' },
    'libraries',
  ],
  ['DLNA without its address', { SERVICE_DLNA_ENABLED: 'true' }, 'dlna.enabled'],
  ['trusted HTTPS without TLS', { ...trusted, SERVICE_TLS_ENABLED: 'false' }, 'tls.dns_a'],
  ['trusted HTTPS beside remote HTTPS', { ...trusted, ...remote }, 'tls.dns_a'],
  [
    'a gateway without remote access',
    { SERVICE_PUBLIC_GATEWAY: 'true', SERVICE_PROXY_TOKEN: 'x'.repeat(32) },
    'remote.gateway',
  ],
  ['a gateway without its token', { ...remote, SERVICE_PUBLIC_GATEWAY: 'true' }, 'remote.gateway'],
  ['remote access without a domain', without(remote, 'SERVICE_DNS_A_DOMAIN'), 'remote.mode'],
  ['remote access without a token', without(remote, 'SERVICE_DNS_A_TOKEN'), 'remote.mode'],
  ['remote access without auth.url', without(remote, 'SERVICE_AUTH_URL'), 'auth.url'],
  ...[
    'https://other.duckdns.org',
    'https://home.duckdns.org/',
    'https://home.duckdns.org:443',
    'https://home.duckdns.org:8443',
    'https://HOME.duckdns.org',
    'https://home.duckdns.org.example.org',
    'https://home.example.org',
  ].map((url) => [`remote access with auth.url ${url}`, { ...remote, SERVICE_AUTH_URL: url }, 'auth.url'] as const),
  [
    'compatible clients without trusted HTTPS',
    { SERVICE_MEDIA_COMPAT_ENABLED: 'true' },
    'integrations.media_compat.enabled',
  ],
  [
    'compatible clients with remote HTTPS only',
    { ...remote, SERVICE_MEDIA_COMPAT_ENABLED: 'true' },
    'integrations.media_compat.enabled',
  ],
  ...Object.keys(mcp).map((name) => [`MCP without ${name}`, without(mcp, name), 'integrations.mcp.'] as const),
  ['a SCIM token without an end', without(scim, 'SERVICE_SCIM_TOKEN_EXPIRES_AT'), 'integrations.scim.token'],
  ['an end without a SCIM token', without(scim, 'SERVICE_SCIM_TOKEN'), 'integrations.scim.token_expires_at'],
  [
    'a SCIM token that is over',
    { ...scim, SERVICE_SCIM_TOKEN_EXPIRES_AT: '2029-12-31T23:59:59Z' },
    'integrations.scim.token_expires_at',
  ],
  [
    'a SCIM token that ends now',
    { ...scim, SERVICE_SCIM_TOKEN_EXPIRES_AT: '2030-01-01T00:00:00Z' },
    'integrations.scim.token_expires_at',
  ],
  [
    'the second subtitle provider without the statement',
    { SERVICE_SUBTITLES_B_API_KEY: 'k' },
    'integrations.subtitles_b.api_key',
  ],
  [
    'the second subtitle provider with it denied',
    { SERVICE_SUBTITLES_B_API_KEY: 'k', SERVICE_SUBTITLES_B_PERSONAL_USE: 'false' },
    'integrations.subtitles_b.api_key',
  ],
  ...Object.keys(subtitlesC).map(
    (name) =>
      [`the third subtitle provider without ${name}`, without(subtitlesC, name), 'integrations.subtitles_c.'] as const,
  ),
  ...Object.keys(oidc).map(
    (name) => [`OpenID Connect without ${name}`, without(oidc, name), 'integrations.oidc.'] as const,
  ),
  ['a client secret alone', { SERVICE_OIDC_CLIENT_SECRET: 's' }, 'integrations.oidc.client_secret'],
  [
    'SAML by address and by document',
    { SERVICE_SAML_METADATA_URL: 'https://id.example.org/saml', SERVICE_SAML_METADATA_XML: '<a/>' },
    'integrations.saml.metadata_xml',
  ],
  ['a webhook token without an address', { SERVICE_WEBHOOK_TOKEN: 't' }, 'integrations.webhook.token'],
];

const check = async (env: Environment): Promise<{ status: number; lines: string[] }> => {
  const lines: string[] = [];
  const clock = { now: () => NOW, monotonic: () => 0 };
  return {
    status: await checkCommand({
      settings: SETTINGS,
      args: [],
      env,
      print: (line) => lines.push(line),
      readFile: noFile,
      clock,
    }),
    lines,
  };
};

for (const [what, env] of good) {
  test(`${what}: valid`, async () =>
    assert.deepEqual(await check(env), { status: 0, lines: ['configuration is valid'] }));
}
for (const [what, env, key] of bad) {
  test(`${what}: refused`, async () => {
    const { status, lines } = await check(env);
    assert.equal(status, 2);
    assert.equal(lines.length, 1, lines.join('\n'));
    const [line = ''] = lines;
    assert.ok(line.startsWith(key) && line.includes('(SERVICE_'), line);
    assert.ok(!line.includes(TOKEN));
  });
}

test('a rule that turns on a value that could not be read is not judged', async () => {
  const { lines } = await check({ SERVICE_DLNA_ENABLED: 'true', SERVICE_DLNA_URL: 'nowhere' });
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['dlna.url'],
  );
});

test('the command takes exactly one file', async () => {
  const lines: string[] = [];
  for (const args of [['a', 'b'], ['--help'], ['']])
    assert.equal(await checkCommand({ settings: SETTINGS, args, env: {}, print: (line) => lines.push(line) }), 2);
  assert.deepEqual(new Set(lines), new Set(['usage: config check [FILE]']));
});

test('the file given to the command replaces the configured one', async () => {
  const asked: string[] = [];
  const readFile = (path: string): Promise<Uint8Array> => (
    asked.push(path),
    Promise.resolve(Buffer.from('version: 1\nbogus: 1\n'))
  );
  const lines: string[] = [];
  assert.equal(
    await checkCommand({
      settings: SETTINGS,
      args: ['/etc/other.yaml'],
      env: { SERVICE_CONFIG_FILE: '/etc/service.yaml' },
      print: (line) => lines.push(line),
      readFile,
    }),
    2,
  );
  assert.deepEqual(asked, ['/etc/other.yaml']);
  assert.deepEqual(lines, ['bogus: is not a known key']);
});

test('what the command finds, a start finds', async () => {
  await assert.rejects(
    loadBoot({ settings: SETTINGS, env: { SERVICE_LISTEN: 'x' }, readFile: noFile }),
    /listen \(SERVICE_LISTEN\)/,
  );
});
