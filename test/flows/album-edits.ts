/** Tracks that are edited in their album: one of them, and several that were selected. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { passes } from '../until.ts';
import { violations } from './axe.ts';
import type { Home } from './browser.ts';
import { openSignedIn } from './places.ts';

export async function trackIsEdited(t: TestContext, home: Home, album: string): Promise<void> {
  const view = await openSignedIn(home);
  t.after(view.close);
  const { page } = view;
  await page.goto(`/album/${album}`);
  const tracks = () => page.locator('main ol li').allTextContents();
  await passes(async () => assert.match((await tracks()).join(), /Part 1[\s\S]*Part 2/));
  await page.getByRole('button', { name: 'More: Part 1' }).click();
  await page.getByRole('menuitem', { name: 'Edit metadata' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit “Part 1”' });
  await dialog.getByLabel('Artists', { exact: true }).fill('Ada Voss\nA guest, and others');
  await dialog.getByLabel('Track', { exact: true }).fill('9');
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await passes(async () =>
    assert.match((await tracks()).join(), /Part 2[\s\S]*9[\s\S]*Part 1[\s\S]*A guest, and others/),
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await passes(async () => assert.match((await tracks()).join(), /^1[\s\S]*Part 1[\s\S]*Part 2/));
}

export async function tracksAreEditedTogether(t: TestContext, home: Home, album: string): Promise<void> {
  const view = await openSignedIn(home);
  t.after(view.close);
  const { page } = view;
  await page.goto(`/album/${album}`);
  const rows = page.locator('main ol li');
  await rows.first().hover();
  await page.getByRole('checkbox', { name: 'Select Part 1' }).click();
  // While something is selected a click on a track selects it and does not play.
  await rows
    .last()
    .getByRole('button', { name: /^Select / })
    .first()
    .click();
  const count = await rows.count();
  await page.keyboard.press('Control+a');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await bar.getByText(`${count} selected`).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Audio player' }).count(), 0);
  assert.deepEqual(await violations(page), []);
  await bar.getByRole('button', { name: 'Edit metadata' }).click();
  const dialog = page.getByRole('dialog', { name: `Edit ${count} items` });
  await dialog.getByLabel('Set the artists').fill('The guests');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('Artists: The Oscillators → The guests').first().waitFor();
  await dialog.getByRole('button', { name: `Change ${count} items` }).click();
  // An album that names no artists has those of its tracks.
  const artist = page.getByRole('main').getByRole('link', { name: 'The guests' });
  await artist.waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await artist.waitFor({ state: 'detached' });
}
