/** The flow of an identity provider in a browser: an Owner sets it up and tests it, links a Profile and signs in. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestProvider, TEST_CLIENT } from '../../src/identity/outside/oidc/testing-provider.ts';
import { ask } from '../faults/child.ts';
import { violations } from './axe.ts';
import { type Home, openView, OWNER } from './browser.ts';
import { signIn } from './places.ts';

/** Signs in and consents at the provider, whose pages are not ours. */
async function atProvider(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('x');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function configure(home: Home, issuer: string): Promise<void> {
  const session = await ask<{ token: string }>(home.server, 'POST', '/api/v1/session', { body: OWNER });
  const values = {
    issuer,
    client_id: TEST_CLIENT.id,
    client_secret: TEST_CLIENT.secret,
    redirect_url: `${home.url}/oidc/callback`,
  };
  for (const [name, value] of Object.entries(values)) {
    const path = `/api/v1/configuration/integrations.oidc.${name}`;
    const saved = await ask(home.server, 'PUT', path, { token: session.body.token, body: { value } });
    assert.equal(saved.status, 202, name);
  }
  await home.restart();
}

/** Links the Owner and signs in through the provider. `shoot` takes pictures of what is seen on the way. */
export async function outsideSignsIn(
  t: Pick<TestContext, 'after'>,
  home: Home,
  shoot: (page: Page, name: string) => Promise<void> = async () => {},
): Promise<void> {
  const issuer = await startTestProvider(t, { redirect: `${home.url}/oidc/callback` });
  const { host } = new URL(issuer);
  await configure(home, issuer);
  const view = await openView(home, { expected: /fetch|inline|Content Security|policy/ });
  const { page } = view;
  await signIn(view, home);

  await page.goto('/settings/configuration?q=OpenID');
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('The identity provider works').waitFor();
  await shoot(page, 'outside-settings');

  await page.goto('/account');
  await page.getByRole('button', { name: `Link with ${host}` }).click();
  await atProvider(page, 'ada-1');
  const dialog = page.getByRole('dialog', { name: 'Link this identity?' });
  await dialog.getByText('ada-1').waitFor();
  assert.deepEqual(await violations(page), []);
  await shoot(page, 'outside-link');
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByRole('button', { name: 'Remove link' }).waitFor();
  assert.equal(new URL(page.url()).search, '');
  await shoot(page, 'outside-linked');

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goto('/history');
  await page.getByRole('button', { name: `Sign in with ${host}` }).waitFor();
  await shoot(page, 'outside-sign-in');
  await page.getByRole('button', { name: `Sign in with ${host}` }).click();
  // The provider remembers the person, and the page is the one that was asked for.
  await page.getByRole('heading', { name: 'History' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/history');

  const other = await openView(home, { expected: /fetch|inline|Content Security|policy/ });
  await other.page.goto('/sign-in');
  await other.page.getByRole('button', { name: `Sign in with ${host}` }).click();
  await atProvider(other.page, 'eve-1');
  await other.page.getByText('No profile is linked to this identity').waitFor();
  await shoot(other.page, 'outside-unknown');
  await other.close();

  await page.goto('/account');
  await page.getByRole('button', { name: 'Remove link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click();
  // The provider does not say when it asked the person, so the change needs a new proof.
  await page.getByRole('button', { name: `Confirm with ${host}` }).click();
  await atProvider(page, 'ada-1');
  await page.getByText('Confirmed').first().waitFor();
  assert.equal(new URL(page.url()).search, '');
  await page.getByRole('button', { name: 'Remove link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click();
  await page.getByRole('button', { name: `Link with ${host}` }).waitFor();
  await view.close();
}
