/** The flow of a household device: approved in its own browser, then a picker with a PIN, at TV and phone widths. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { violations } from './axe.ts';
import { openView, settled, untilPage } from './browser.ts';
import { passes } from '../until.ts';
import { type SettledHome, signIn } from './places.ts';

const PASSWORD = 'seven cold grey river stones';

/** Called at each step with something to see. Tests have no need of it. */
type Look = (page: Page, name: string) => Promise<void>;

export async function householdDeviceOpens(
  { home, token, ids }: SettledHome,
  look: Look = async () => {},
): Promise<void> {
  for (const name of ['Mia', 'Noah']) {
    const body = { name, password: PASSWORD, policy: { libraries: 'all', rating: 'all' } };
    assert.equal((await ask(home.server, 'POST', '/api/v1/profiles', { token, body })).status, 201);
  }
  const view = await openView(home, { width: 1920, height: 1080 });
  const { page } = view;
  await signIn(view, home);

  // The Owner sets a PIN, and makes this browser a household device.
  await page.goto('/settings/profiles');
  await page.getByRole('button', { name: 'Sign-in methods of Noah' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Set PIN' }).click();
  await page.getByRole('dialog').getByLabel('PIN', { exact: true }).fill('4071');
  await look(page, 'pin-dialog');
  await page.getByRole('button', { name: 'Set PIN', exact: true }).last().click();
  await page.getByText('PIN set').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  // Faces are chosen in the list of Profiles, and shown in the picker.
  await page.getByRole('button', { name: 'Picture and colour of Noah' }).click();
  const choose = page.getByRole('dialog').getByRole('button', { name: 'Fox' });
  await choose.click();
  await passes(async () => assert.equal(await choose.getAttribute('aria-pressed'), 'true'));
  await page.getByRole('button', { name: 'Done' }).click();
  await page.goto('/settings/sessions');
  await page.getByRole('button', { name: 'Make this a household device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Living room TV');
  await dialog.getByLabel('Mia').selectOption('nothing');
  await dialog.getByLabel('Noah').selectOption('pin');
  await look(page, 'approve');
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Approve and sign out' }).click();

  // The picker comes in place of the sign-in page, at both widths.
  await page.getByRole('heading', { name: 'Who is watching?' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Ada' }).count(), 0, 'Owners are not in it');
  // The arrows of a remote control begin at the first of them.
  await untilPage(page, "document.activeElement?.textContent === 'Mia'");
  for (const [width, height] of [
    [1920, 1080],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await settled(page);
    await look(page, 'picker');
    assert.deepEqual(await violations(page), []);
  }
  await page.goto('/');
  await page.getByRole('button', { name: 'Mia' }).press('Enter');
  // Another page must not cut off the request that opens the Profile.
  await page.getByRole('heading', { name: 'Who is watching?' }).waitFor({ state: 'detached' });
  await page.goto(`/item/${ids.film}`);
  await settled(page);
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Mia', level: 1 }).waitFor();
  assert.equal(await page.getByLabel('Current password').count(), 0);
  await look(page, 'account');
  await page.getByRole('button', { name: 'Switch profile' }).click();

  // The PIN: a wrong one says so; keys are enough, for a remote control.
  await page.getByRole('button', { name: 'Noah' }).click();
  const press = async (digits: string): Promise<void> => {
    for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
    await page.getByRole('button', { name: 'Open' }).click();
  };
  await settled(page);
  await look(page, 'pin');
  await press('0000');
  await page.getByText('The PIN is wrong').waitFor();
  await untilPage(page, "document.activeElement?.matches('form input')");
  await look(page, 'pin-wrong');
  assert.deepEqual(await violations(page), []);
  await press('4071');
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in');
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Noah', level: 1 }).waitFor();

  // Removed from afar, it is an ordinary browser again.
  const devices = await ask<{ items: { id: string }[] }>(home.server, 'GET', '/api/v1/household/devices', { token });
  for (const { id } of devices.body.items)
    assert.equal((await ask(home.server, 'DELETE', `/api/v1/household/devices/${id}`, { token })).status, 204);
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await view.close();
}
