/**
 * A SAML identity provider in a browser, from another site and over TLS: an Owner tests it, links a Profile, signs in,
 * proves again and removes the link; a stranger and a rogue answer get nothing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type SamlTestProvider, startSamlProvider } from '../../src/identity/outside/saml/testing-provider.ts';
import { violations } from './axe.ts';
import { closeAll, type Home, openHome, openView, OWNER, type View } from './browser.ts';

let home: Home;
let provider: SamlTestProvider;
const closing: (() => unknown)[] = [];
before(async () => {
  provider = await startSamlProvider({ after: (close) => void closing.push(close as () => unknown) });
  home = await openHome({
    isSecure: true,
    env: { SERVICE_REQUIRE_MFA: 'false' },
    envOf: (url) => ({
      SERVICE_AUTH_URL: url,
      SERVICE_SAML_METADATA_URL: provider.metadata,
    }),
  });
});
after(async () => {
  await closeAll();
  for (const close of closing) await close();
});

/** The page of the provider breaks no rule of ours. Its certificate keeps a service worker out. */
const open = (): Promise<View> => openView(home, { isWithoutWorker: true, expected: /inline|Content Security|policy/ });

/** Signs in at the provider, whose pages are not ours. */
async function atProvider(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in there' });
  // The page that leads there has fields for names, too.
  await button.waitFor();
  await page.getByLabel('Name').fill(name);
  await button.click();
}

test('a SAML provider is tested, linked, signed in with, and proves again', async () => {
  const view = await open();
  const { page } = view;
  const made = await view.context.request.post('/api/v1/setup', {
    data: { ...OWNER, transport: 'cookie' },
    headers: { origin: home.url },
  });
  assert.equal(made.status(), 201, await made.text());

  await page.goto('/settings/configuration?q=SAML');
  await page.getByRole('link', { name: `${home.url}/saml/metadata` }).waitFor();
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('The metadata of the identity provider is valid').waitFor();
  assert.deepEqual(await violations(page), []);

  await page.goto('/account');
  await page.getByRole('button', { name: `Link with ${provider.host}` }).click();
  await atProvider(page, 'ada-1');
  const dialog = page.getByRole('dialog', { name: 'Link this identity?' });
  await dialog.getByText('ada-1').first().waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByRole('button', { name: 'Remove link' }).waitFor();
  assert.equal(new URL(page.url()).search, '');

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goto('/history');
  await page.getByRole('button', { name: `Sign in with ${provider.host}` }).click();
  // The provider remembers the person, and the page is the one that was asked for.
  await page.getByRole('heading', { name: 'History' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/history');

  // A step that the provider has proved before: after ten minutes, here at once by an older time of authentication.
  provider.idp.twist = { draft: ({ issuedAt }) => ({ authenticatedAt: issuedAt - 11 * 60_000 }) };
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goto('/account');
  await page.getByRole('button', { name: `Sign in with ${provider.host}` }).click();
  // The provider has answered when the page is there.
  await page.getByRole('button', { name: 'Remove link' }).waitFor();
  provider.idp.twist = {};
  await page.getByRole('button', { name: 'Remove link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click();
  await page.getByRole('button', { name: `Confirm with ${provider.host}` }).click();
  // Asked to authenticate again, it does not go by what it remembers.
  await atProvider(page, 'ada-1');
  await page.getByText('Confirmed').first().waitFor();
  assert.equal(new URL(page.url()).search, '');
  await page.getByRole('button', { name: 'Remove link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click();
  await page.getByRole('button', { name: `Link with ${provider.host}` }).waitFor();
  await view.close();
});

test('a stranger, and an answer that is not the provider’s, open nothing', async () => {
  const view = await open();
  const { page } = view;
  await page.goto('/sign-in');
  await page.getByRole('button', { name: `Sign in with ${provider.host}` }).click();
  await atProvider(page, 'eve-1');
  await page.getByText('No profile is linked to this identity').waitFor();
  assert.deepEqual(await violations(page), []);
  const { stranger } = provider.idp.keys;
  provider.idp.twist = { signing: () => ({ key: stranger.privateKey, certificate: stranger.certificate }) };
  await page.getByRole('button', { name: `Sign in with ${provider.host}` }).click();
  await page.getByText('The identity provider did not confirm the sign-in').waitFor();
  const { status } = await page.evaluate(async () => ({ status: (await fetch('/api/v1/me')).status }));
  assert.equal(status, 401);
  provider.idp.twist = {};
  await view.close();
});
