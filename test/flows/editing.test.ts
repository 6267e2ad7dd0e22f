/** Editing in the browser: a fact is set and locked, taken back by Undo, and several items are changed by a preview. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { passes } from '../until.ts';
import { violations } from './axe.ts';
import { closeBrowser, openView, type View } from './browser.ts';
import { openSettledHome, runTask, type SettledHome, settled, signIn } from './places.ts';

let house: SettledHome;
let view: View;
before(async () => {
  house = await openSettledHome();
  view = await openView(house.home);
  await signIn(view, house.home);
});
after(async () => {
  await closeBrowser();
  await house.home.close();
});

interface Facts {
  values: { title: string; year: number | null; genres: string[] };
  locked: string[];
  without: { title?: string };
}
const read = async <T>(path: string): Promise<T> =>
  (await ask<T>(house.home.server, 'GET', `/api/v1${path}`, { token: house.token })).body;
const factsOf = (id: string) => read<Facts>(`/items/${id}/metadata`);

test('a title is edited and locked, stays after a scan, and is taken back by Undo', async () => {
  const { page } = view;
  const id = house.ids.film;
  const { values } = await factsOf(id);
  await page.goto(`/item/${id}`);
  await settled(page);
  const open = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit metadata' }).click();
    return page.getByRole('dialog', { name: `Edit “${(await factsOf(id)).values.title}”` });
  };
  const dialog = await open();
  const title = dialog.getByLabel('Title', { exact: true });
  await title.fill('The evening film');
  const lock = dialog.getByRole('button', { name: 'Lock: Title' });
  assert.equal(await lock.getAttribute('aria-pressed'), 'true', 'what is typed is locked');
  assert.deepEqual(await violations(page), []);
  // The keyboard alone is enough.
  await title.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'The evening film' }).waitFor();
  await runTask(house.home, house.token, 'scan');
  assert.deepEqual((await factsOf(id)).locked, ['title']);
  assert.equal((await factsOf(id)).without.title, values.title);

  // Unlocking shows the value of the files before it is saved.
  const again = await open();
  await again.getByRole('button', { name: 'Lock: Title' }).click();
  assert.equal(await again.getByLabel('Title', { exact: true }).inputValue(), values.title);
  await again.getByRole('button', { name: 'Save' }).click();
  await again.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: values.title }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'The evening film' }).waitFor();
  await passes(async () => assert.deepEqual((await factsOf(id)).locked, ['title']));
});

test('a bulk edit shows what will change, and changes exactly that', async () => {
  const { page } = view;
  await page.goto('/library?view=movies&sort=title');
  await settled(page);
  const films = (await read<{ items: { id: string; title: string }[] }>('/library?view=movies&sort=title')).items;
  await page.locator('main li a[href]').first().focus();
  await page.keyboard.press('Control+a');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Edit metadata' }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`^Edit ${films.length} item`) });
  await dialog.getByLabel('Add genres').fill('Matinee, Late show');
  await dialog.getByLabel('Set the year').fill('1999');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const preview = dialog.getByRole('region', { name: 'Preview of the changes' });
  for (const { title } of films) await preview.getByText(title, { exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.ok(!(await factsOf(films[0]?.id ?? '')).values.genres.includes('Matinee'), 'a preview changes nothing');
  await dialog.getByRole('button', { name: `Change ${films.length} item` }).click();
  await dialog.waitFor({ state: 'detached' });
  for (const { id } of films) {
    const { values } = await factsOf(id);
    assert.deepEqual([values.year, values.genres.slice(-2)], [1999, ['Matinee', 'Late show']]);
  }
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await passes(async () => assert.ok(!(await factsOf(films[0]?.id ?? '')).values.genres.includes('Matinee')));
});

test('a picture is uploaded and restored', async () => {
  const { page } = view;
  const id = house.ids.film;
  await page.goto(`/item/${id}`);
  await settled(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Change pictures' }).click();
  const dialog = page.getByRole('dialog', { name: /^Pictures of/ });
  const shot = await page.screenshot({ clip: { x: 0, y: 0, width: 60, height: 90 } });
  await dialog.locator('input[type=file]').setInputFiles({ name: 'poster.png', mimeType: 'image/png', buffer: shot });
  await dialog.getByRole('button', { name: 'Use this picture: Uploaded', pressed: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 780 });
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Restore the original' }).click();
  await dialog.getByRole('button', { name: 'Restore the original' }).waitFor({ state: 'detached' });
});
