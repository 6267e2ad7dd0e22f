/**
 * Passkeys in a browser with the virtual device that Chromium has for it: as the first second factor, excluded a second
 * time, to sign in by a button and by the field of the name, refused without verification, to prove again, renamed and
 * removed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { violations } from './axe.ts';
import { closeAll, type Home, openHome, openView, OWNER, replyLast, settled, untilPage, type View } from './browser.ts';

let home: Home;
let view: View;
let device: CDPSession;
let authenticatorId: string;
let codes: string[] = [];
before(async () => {
  home = await openHome();
  const made = await ask(home.server, 'POST', '/api/v1/setup', { body: OWNER });
  assert.equal(made.status, 201);
  // The code of pages is held back by a route, which the service worker would pass by.
  view = await openView(home, { isWithoutWorker: true });
  // Remembers how the page asks for passkeys, and how many of its questions have been answered.
  await view.page.addInitScript(`{
    const get = navigator.credentials.get.bind(navigator.credentials);
    window.askedFor = [];
    window.answered = 0;
    navigator.credentials.get = (options) => {
      window.askedFor.push(options.mediation ?? 'dialog');
      return get(options).finally(() => (window.answered += 1));
    };
  }`);
  device = await view.context.newCDPSession(view.page);
  await device.send('WebAuthn.enable');
  ({ authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  }));
});
after(async () => {
  await view?.close();
  await closeAll();
});

/**
 * Whether the device has verified its person. If it has, the virtual device answers at once when a page of sign-in
 * offers passkeys in its field; if not, it refuses.
 */
const verify = (isUserVerified: boolean) =>
  device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
/**
 * Waits until the device has answered these questions of the page, and the page asks nothing more. A question that is
 * still open would be answered as soon as the device is verified, before a test clicks.
 */
const answered = (...questions: readonly ('conditional' | 'dialog')[]): Promise<void> =>
  untilPage(view.page, `window.askedFor.join() === '${questions.join()}' && window.answered === ${questions.length}`);
const signOut = async (): Promise<void> => {
  await view.page.goto('/account');
  await view.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await view.page.waitForURL(/\/sign-in/);
};
const byPassword = async (): Promise<void> => {
  await view.page.getByLabel('Name').fill(OWNER.name);
  await view.page.getByLabel('Password').fill(OWNER.password);
  await view.page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
const part = () => view.page.getByRole('region', { name: 'Passkeys' });

test('a passkey is the second factor that a new Owner needs, and comes with recovery codes', async () => {
  const { page } = view;
  await page.goto('/sign-in');
  // No Profile has one yet, so none is offered.
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
  await byPassword();
  await page.waitForURL(/\/welcome/);
  await page.getByRole('button', { name: 'Use an app' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await dialog.locator('li code').first().waitFor();
  codes = await dialog.locator('li code').allTextContents();
  assert.equal(codes.length, 10);
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await untilPage(page, `location.pathname === '/'`);
});

test('a device that has a passkey of this Profile makes no second one', async () => {
  const { page } = view;
  await page.goto('/account');
  await part().getByRole('button', { name: 'Add a passkey' }).click();
  await part().getByText('This device already has a passkey for this profile.').waitFor();
  assert.equal(await part().locator('li').count(), 1);
  assert.deepEqual(await violations(page), []);
});

test('a passkey signs in where the page was asked for, and without verification it does not', async () => {
  const { page } = view;
  await verify(false);
  await signOut();
  await page.goto('/history');
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.waitFor();
  assert.deepEqual(await violations(page), []);
  await answered('conditional');
  await button.click();
  await answered('conditional', 'dialog', 'conditional');
  assert.match(page.url(), /\/sign-in/);
  await verify(true);
  await button.click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.goto('/account');
  await part().getByText('not used yet').waitFor({ state: 'detached' });
});

test('a passkey is offered where the name is typed', async () => {
  const { page } = view;
  await verify(false);
  await signOut();
  assert.equal(await page.getByLabel('Name').getAttribute('autocomplete'), 'username webauthn');
  await answered('conditional');
  await verify(true);
  await page.goto('/sign-in');
  // The virtual device chooses it without a click.
  await untilPage(page, `location.pathname === '/'`);
  assert.deepEqual(await page.evaluate('window.askedFor'), ['conditional']);
});

test('a passkey signs in once, however long the code of the next page takes', async () => {
  const { page } = view;
  await verify(false);
  await signOut();
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.waitFor();
  await settled(page);
  await answered('conditional');
  await verify(true);
  const sent: string[] = [];
  page.on('request', (request) => {
    const [, step] = /\/passkeys\/login\/(\w+)$/.exec(request.url()) ?? [];
    if (step !== undefined) sent.push(step);
  });
  const release = await replyLast(page, '**/*.js');
  await button.click();
  await untilPage(page, `location.pathname === '/'`);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await settled(page);
  await release();
  assert.deepEqual(sent, ['begin', 'finish']);
});

test('the password alone asks for a recovery code', async () => {
  const { page } = view;
  await verify(false);
  await signOut();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await byPassword();
  await page.getByLabel('Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await untilPage(page, `location.pathname === '/'`);
  await verify(true);
});

test('a passkey proves again that it is the same person, renames itself, and goes as the last factor', async () => {
  const { page } = view;
  // Ten minutes later the proof is no longer recent. Waits for the server, which writes too.
  const db = new DatabaseSync(join(home.data, 'matinee.db'), { timeout: 60_000 });
  db.exec('update identity_session set proved_at = proved_at - 660000');
  db.close();
  await home.restart();
  await page.goto('/account');
  await settled(page);
  await part()
    .getByRole('button', { name: /^Rename / })
    .click();
  const rename = page.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByLabel('Name').fill('My laptop');
  await rename.getByRole('button', { name: 'Save' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByRole('button', { name: 'Use a passkey' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await part().getByText('My laptop').waitFor();
  await part().getByRole('button', { name: 'Remove My laptop' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove My laptop' });
  await asked.getByText('It is your only second factor.').waitFor();
  await asked.getByRole('button', { name: 'Remove', exact: true }).click();
  // The session can only enrol now.
  await page.waitForURL(/\/welcome/);
  await page.getByRole('button', { name: 'Use an app' }).click();
  await page.getByRole('heading', { name: 'Scan with an authenticator app' }).waitFor();
});
