/**
 * Trusted HTTPS at home in a browser: set up, mended, changed and turned off by keyboard, at a real certificate
 * authority and a stand-in of the DNS service.
 */
import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { createNameQuestions } from '../../src/lib/net.ts';
import { startAuthority, type TestAuthority } from '../../src/remote/certificates/testing-authority.ts';
import { DNS_TOKENS } from '../../src/remote/dns/testing-services.ts';
import { GIVEN, type HomeOptions, NAMES, startTrustedHome, type TrustedHome } from '../trusted-home.ts';
import { violations, violationsInThemes } from './axe.ts';
import { appears, closeBrowser, openView, settled, type View, type ViewNeeds } from './browser.ts';
import { inTheme, signIn } from './places.ts';

const DASHBOARD = join(import.meta.dirname, '../../dist/web');
const PAGE = '/settings/trusted-https';

after(closeBrowser);

async function openAuthority(t: TestContext): Promise<TestAuthority> {
  const authority = await startAuthority();
  t.after(() => authority.close());
  return authority;
}

const startHome = (t: TestContext, options: HomeOptions): Promise<TrustedHome> =>
  startTrustedHome(t, { ...options, dashboard: DASHBOARD });

/** Opens the page about HTTPS at home, as its Owner. */
async function openPage({ port }: TrustedHome, needs: ViewNeeds = {}, scheme = 'https'): Promise<View> {
  const home = { url: `${scheme}://localhost:${port}` };
  const view = await openView(home, { ...needs, isWithoutWorker: true });
  await signIn(view, home);
  await view.page.goto(PAGE);
  await settled(view.page);
  return view;
}

const MAX_TABS = 60;
/** Moves the focus with the Tab key until an element has it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('it is not reached by keyboard');
}
async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, page.getByRole('button', { name, exact: true }));
  await page.keyboard.press(key);
}
const isWide = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth');

test('by keyboard: set up, told about the router, mended, and turned off', async (t) => {
  const authority = await openAuthority(t);
  const names = createNameQuestions({ system: authority.resolver });
  const dropping = createNameQuestions({ system: await authority.startDroppingResolver() });
  let isDropping = true;
  const addressesHere = (name: string) => (isDropping ? dropping : names).addressesHere(name);
  const home = await startHome(t, { authority, questions: { addressesHere } });
  const view = await openPage(home);
  const { page } = view;
  await page.getByText('Browsers warn about the certificate of this server').waitFor();
  assert.deepEqual(await violations(page), []);

  // The terms are not known before the authority is asked; its host is.
  await page
    .getByText(`The terms are those of the certificate authority at ${new URL(authority.directory).host}.`)
    .waitFor();
  await tabTo(page, page.getByRole('radio', { name: 'DuckDNS' }));
  await typeInto(page, 'Subdomain', 'https://Film.duckdns.org/');
  await page.getByText('You will open https://film.duckdns.org:38128').waitFor();
  await typeInto(page, 'Token', 'short');
  await typeInto(page, 'Private address of the server', '8.8.8.8');
  await press(page, 'Save and start');
  // The browser keeps a form without the terms, so nothing leaves it.
  assert.equal((await home.status()).state, 'off');
  await tabTo(page, page.getByRole('checkbox', { name: 'I have read the terms and accept them' }));
  await page.keyboard.press('Space');
  await press(page, 'Save and start');
  await page.getByText('This is not a token from DuckDNS. Copy the token again.').waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.getByLabel('Token', { exact: true }).focus();
  await typeInto(page, 'Token', DNS_TOKENS.dns_a);
  await press(page, 'Save and start');
  await page.getByText('Enter a private IPv4 address, or a name at home').waitFor();
  assert.deepEqual(
    [(await home.status()).state, authority.services.asked],
    ['off', []],
    'refused before anything is asked',
  );
  assert.deepEqual(await violations(page), []);
  await page.getByLabel('Private address of the server').focus();
  await typeInto(page, 'Private address of the server', '192.168.1.11');
  await press(page, 'Save and start');

  const router = page.getByRole('region', { name: 'Allow the name in the router' });
  await router.getByText('rebind-domain-ok=/film.duckdns.org/').waitFor();
  await page.getByText('This does not work as it should. The name is right at the DNS provider').waitFor();
  const checks = page.getByRole('region', { name: 'Checks' });
  assert.equal(await checks.getByRole('listitem').count(), 3);
  await settled(page);
  assert.deepEqual(await violations(page), []);

  // Saved again, the name is looked at again; the token is kept.
  isDropping = false;
  await press(page, 'Change');
  assert.equal(await page.getByLabel('Subdomain').inputValue(), 'film');
  await typeInto(page, 'Private address of the server', '192.168.1.10');
  await press(page, 'Save and start');
  await page.getByText('Devices in your home network open Matinee at this address without a warning.').waitFor();
  await page.getByRole('link', { name: 'https://film.duckdns.org:38128' }).waitFor();
  assert.equal(await router.count(), 0);
  assert.deepEqual(authority.services.records.get(`A ${NAMES.dns_a}`), ['192.168.1.10']);
  assert.deepEqual(await violations(page), []);

  await press(page, 'Turn off HTTPS at home');
  const dialog = page.getByRole('dialog', { name: 'Turn off HTTPS at home?' });
  await dialog.getByText('At DuckDNS the name leads to 192.168.1.10 until you change or delete it there.').waitFor();
  assert.equal(await dialog.getByRole('listitem').count(), 5);
  await dialog.getByText('Passkeys that were added at this name do not work until it is set up again.').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await home.status()).state, 'ready');
  await press(page, 'Turn off HTTPS at home');
  await tabTo(page, dialog.getByRole('button', { name: 'Turn off HTTPS at home' }));
  await page.keyboard.press('Enter');
  await page.getByText('Browsers warn about the certificate of this server').waitFor();
  assert.equal((await home.status()).state, 'off');
  await view.close();
});

test('in German on a phone and on a television, with a name of deSEC', async (t) => {
  const authority = await openAuthority(t);
  const home = await startHome(t, { authority });
  const phone = await openPage(home, { width: 360, height: 740, locale: 'de-DE' });
  const { page } = phone;
  await page.getByText('deSEC', { exact: true }).click();
  await page.getByLabel('Vollständiger Name').fill('film.example.dedyn.io');
  await page.getByLabel('Token', { exact: true }).fill(DNS_TOKENS.dns_b);
  await page.getByLabel('Private Adresse des Servers').fill(GIVEN.dns_b.address);
  await page.getByLabel('Ich habe die Nutzungsbedingungen gelesen').check();
  const enter = (theme: 'dark' | 'light') => inTheme(page, theme);
  assert.deepEqual(await violationsInThemes(page, ['light', 'dark'], enter), { light: [], dark: [] });
  assert.equal(await isWide(page), true);
  await page.getByRole('button', { name: 'Speichern und starten' }).click();
  // The page asks how far it is.
  await appears(page.getByText('Geräte im Heimnetz öffnen Matinee unter dieser Adresse ohne Warnung.'));
  await page.getByText('In diesem Netz führt der Name zu 192.168.1.10.').waitFor();
  await settled(page);
  assert.deepEqual(await violationsInThemes(page, ['light', 'dark'], enter), { light: [], dark: [] });
  assert.equal(await isWide(page), true);
  await phone.close();

  const television = await openPage(home, { width: 1920, height: 1080, locale: 'de-DE' });
  await television.page.getByRole('button', { name: 'HTTPS zu Hause ausschalten' }).focus();
  await television.page.keyboard.press('Enter');
  const dialog = television.page.getByRole('dialog', { name: 'HTTPS zu Hause ausschalten?' });
  await dialog.getByText('Bei deSEC führt der Name zu 192.168.1.10').waitFor();
  assert.deepEqual(await violations(television.page), []);
  await television.close();
});

test('it says what has to change first, and who else decides', async (t) => {
  const remote = {
    SERVICE_REMOTE_MODE: 'https',
    SERVICE_DNS_A_DOMAIN: 'film',
    SERVICE_DNS_A_TOKEN: 'a'.repeat(36),
    SERVICE_AUTH_URL: 'https://film.duckdns.org',
  };
  for (const { env, scheme, says, leads } of [
    { env: remote, scheme: 'https', says: 'A server has one or the other', leads: '/settings/remote' },
    {
      ...{ env: { SERVICE_TLS_ENABLED: 'false' }, scheme: 'http' },
      ...{ says: 'This server answers without HTTPS.', leads: '/settings/configuration?q=tls.enabled' },
    },
  ]) {
    const home = await startHome(t, { env });
    const view = await openPage(home, {}, scheme);
    const notice = view.page.getByText(says);
    await notice.waitFor();
    assert.equal(await view.page.getByLabel('Subdomain').count(), 0);
    assert.equal(await notice.getByRole('link').getAttribute('href'), leads);
    assert.deepEqual(await violations(view.page), []);
    await view.close();
  }
  const managed = await startHome(t, { env: { SERVICE_DNS_A_HTTPS: JSON.stringify(GIVEN.dns_a) } });
  const view = await openPage(managed);
  await view.page.getByText('SERVICE_DNS_A_HTTPS').waitFor();
  assert.equal(await view.page.getByRole('button', { name: 'Change' }).count(), 0);
  assert.equal(await view.page.getByRole('button', { name: 'Turn off HTTPS at home' }).count(), 0);
  await view.close();
});
