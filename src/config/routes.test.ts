/** Which settings an API key may change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPES } from '../contract/kernel/endpoint.ts';
import { makePrincipal, startTestServer } from '../http/testing.ts';
import type { Config } from './index.ts';
import { configRoutes } from './routes.ts';
import { SETTINGS } from '../settings.ts';

test('an API key changes no sign-in method, no remote access and no program', async (t) => {
  const changed: string[] = [];
  const note = async (key: string) => (changed.push(key), { restartRequired: false });
  const isPersonOnly = (key: string) => SETTINGS.of(key)?.personOnly === true;
  const { port, tokens } = await startTestServer(
    t,
    configRoutes({ all: () => [], save: note, reset: note, isPersonOnly } as unknown as Config, {
      recorded: () => async () => {},
    }),
  );
  tokens.set('key', makePrincipal({ via: new Set(SCOPES), recent: false, credential: 'e'.repeat(16) }));
  const ask = async (token: string, method: string, key: string) => {
    const body =
      method === 'PUT'
        ? {
            body: JSON.stringify({ value: 'x' }),
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          }
        : { headers: { authorization: `Bearer ${token}` } };
    return (await fetch(`http://127.0.0.1:${port}/api/v1/configuration/${key}`, { method, ...body })).status;
  };
  const refused: string[] = [];
  for (const { key } of SETTINGS.all) {
    const [saved, reset] = [await ask('key', 'PUT', key), await ask('key', 'DELETE', key)];
    assert.equal(saved, reset, key);
    assert.ok(saved === 202 || saved === 403, `${key}: ${saved}`);
    if (saved === 403) refused.push(key);
    assert.equal(await ask('owner', 'PUT', key), 202, key);
  }
  for (const key of [
    'security.require_mfa',
    'auth.url',
    'binaries.ffmpeg',
    'integrations.oidc.issuer',
    'integrations.saml.metadata_xml',
    'integrations.scim.token',
    'remote.mode',
    'remote.proxy_token',
  ])
    assert.ok(refused.includes(key), key);
  for (const key of ['subtitles.language', 'scanning.interval', 'libraries', 'server.name'])
    assert.ok(!refused.includes(key), key);
  assert.equal(changed.length, SETTINGS.all.length + 2 * (SETTINGS.all.length - refused.length));
});
