/**
 * The flow of a directory: an Owner connects it in the dashboard, it makes and deactivates a Profile over SCIM, which
 * is marked as its own, and the Owner ends its token.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { violations } from './axe.ts';
import { type Home, openView, settled } from './browser.ts';
import { signIn } from './places.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Connects a directory and lets it work. `shoot` takes pictures of what is seen on the way. */
export async function directoryIsConnected(
  home: Home,
  shoot: (page: Page, name: string) => Promise<void> = async () => {},
): Promise<void> {
  const view = await openView(home);
  const { page } = view;
  await signIn(view, home);
  await page.goto('/settings/directory');
  await page.getByRole('heading', { name: 'No directory is connected' }).waitFor();
  await page.getByText(`${home.url}/scim/v2`).waitFor();
  assert.deepEqual(await violations(page), []);
  await shoot(page, 'directory-none');

  // Reached and pressed by keys alone.
  const create = page.getByRole('button', { name: 'Create token' });
  await create.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create token' });
  await dialog.getByLabel('Expires after').selectOption('30');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'Directory token' });
  const secret = (await shown.locator('code').textContent()) ?? '';
  assert.match(secret, /^mat_dir_[\w-]{43}$/);
  assert.deepEqual(await violations(page), []);
  await shoot(page, 'directory-token');
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Not used yet').waitFor();

  const scim = (method: string, path: string, body?: object) =>
    ask(home.server, method, `/scim/v2${path}`, { token: secret, body });
  const made = await scim('POST', '/Users', { schemas: [USER], userName: 'grace@example.org', displayName: 'Grace' });
  assert.equal(made.status, 201);
  const { id } = JSON.parse(made.bytes.toString()) as { id: string };
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: 'grace@example.org' });
  await row.getByText('Active').waitFor();
  await page.getByText('Last used').waitFor();
  await settled(page);
  await shoot(page, 'directory-connected');

  assert.equal(
    (
      await scim('PATCH', `/Users/${id}`, {
        schemas: [PATCH],
        Operations: [{ op: 'replace', value: { active: false } }],
      })
    ).status,
    200,
  );
  await page.goto('/settings/profiles');
  const card = page.getByRole('region', { name: 'Grace' });
  await card.getByText('From the directory').waitFor();
  await card.getByText('The directory has deactivated this profile').waitFor();
  assert.deepEqual(await violations(page), []);
  await shoot(page, 'directory-profiles');
  await card.getByRole('button', { name: 'Edit Grace', exact: true }).click();
  const editor = page.getByRole('dialog', { name: 'Edit Grace' });
  assert.equal(await editor.getByLabel('Name').getAttribute('readonly'), '');
  await editor.getByLabel('Allow downloads').check();
  await editor.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved Grace').waitFor();

  await page.goto('/settings/directory');
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByRole('dialog', { name: 'Revoke the token?' }).getByRole('button', { name: 'Revoke token' }).click();
  await page.getByRole('heading', { name: 'No directory is connected' }).waitFor();
  assert.equal((await scim('GET', '/Users')).status, 401);
  await view.close();
}
