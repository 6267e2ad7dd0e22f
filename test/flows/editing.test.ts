/** Editing in the browser: a fact is set and locked, taken back by Undo, and several items are changed by a preview. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeClip } from '../../src/catalog/testing/world.ts';
import { ask } from '../faults/child.ts';
import { EXAMPLE_SHOWS } from '../stand-ins/metadata-fixtures.ts';
import { fakeMetadata, METADATA_TOKEN } from '../stand-ins/metadata.ts';
import { startElsewhere, type StandIn, startStandIn } from '../stand-ins/server.ts';
import { passes } from '../until.ts';
import { violations } from './axe.ts';
import { closeAll, openView, settled, untilPage, type View } from './browser.ts';
import { openSettledHome, runTask, type SettledHome, signIn } from './places.ts';

/** Works of the metadata provider: one that is certain, and two of the same name and year. */
const PIER = {
  id: 101,
  title: 'The Long Pier',
  release_date: '2001-05-04',
  overview: 'Two sisters rebuild a pier.',
  poster_path: '/pier.png',
  credits: { cast: [{ id: 1, name: 'Ann First', character: 'Mia', order: 0 }] },
};
const TWINS = [
  { id: 102, title: 'Twins', release_date: '1999-01-01', overview: 'Two sisters run a ferry.', poster_path: '/a.png' },
  { id: 103, title: 'Twins', release_date: '1999-06-01', overview: 'Two brothers sell umbrellas.' },
];

let house: SettledHome;
let view: View;
let provider: StandIn;
let elsewhere: Awaited<ReturnType<typeof startElsewhere>>;
before(async () => {
  elsewhere = await startElsewhere();
  provider = await startStandIn(
    () => fakeMetadata(() => performance.now(), { films: [PIER, ...TWINS], shows: EXAMPLE_SHOWS }),
    {
      elsewhere: elsewhere.url,
    },
  );
  house = await openSettledHome({
    env: {
      SERVICE_METADATA_URL: provider.url,
      SERVICE_METADATA_IMAGE_URL: provider.url.replace(/\/3$/, '/t/p'),
      SERVICE_METADATA_TOKEN: METADATA_TOKEN,
    },
    prepare: async ({ media }) => {
      for (const name of ['The Long Pier (2001)', 'Twins (1999)']) {
        mkdirSync(join(media, 'Films', name));
        copyFileSync(makeClip('mkv'), join(media, 'Films', name, `${name}.mkv`));
      }
      const season = join(media, 'Shows', 'Lantern Street (2010)', 'Season 1');
      mkdirSync(season, { recursive: true });
      for (const n of [1, 2]) copyFileSync(makeClip('mkv'), join(season, `Lantern Street S01E0${n}.mkv`));
    },
  });
  await runTask(house.home, house.token, 'refresh-metadata');
  view = await openView(house.home);
  await signIn(view, house.home);
});
after(async () => {
  await closeAll();
  await provider?.close();
  await elsewhere?.close();
  assert.deepEqual(provider.leaks, []);
});

interface Facts {
  values: { title: string; year: number | null; genres: string[] };
  locked: string[];
  without: { title?: string };
}
const read = async <T>(path: string): Promise<T> =>
  (await ask<T>(house.home.server, 'GET', `/api/v1${path}`, { token: house.token })).body;
const factsOf = (id: string) => read<Facts>(`/items/${id}/metadata`);

test('a remote control stays in a menu, passes long texts, and Back closes what is open', async () => {
  const television = await openView(house.home, { width: 1920, height: 1080 });
  await signIn(television, house.home);
  const { page } = television;
  await page.addInitScript("Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (SmartTV)' })");
  const goBack = () =>
    page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'GoBack', bubbles: true, cancelable: true }))`);
  await page.goto('/library');
  await settled(page);
  await page.goto(`/item/${house.ids.film}`);
  await settled(page);
  const more = page.getByRole('button', { name: 'More', exact: true });
  await more.focus();
  await page.keyboard.press('Enter');
  for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
  await untilPage(page, "document.activeElement.textContent === 'Add to collection'");
  await goBack();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).pathname, `/item/${house.ids.film}`);
  assert.ok(await more.evaluate((button) => button === button.ownerDocument.activeElement));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit metadata' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const summary = dialog.getByLabel('Summary', { exact: true });
  await summary.focus();
  const hasSummary = () => summary.evaluate((field) => field === field.ownerDocument.activeElement);
  for (const [there, back] of [['ArrowDown', 'ArrowUp'] as const, ['ArrowUp', 'ArrowDown'] as const]) {
    await page.keyboard.press(there);
    assert.equal(await hasSummary(), false, there);
    await page.keyboard.press(back);
    assert.equal(await hasSummary(), true, back);
  }
  await goBack();
  await dialog.waitFor({ state: 'detached' });
  await goBack();
  await page.waitForURL('**/library');
  await television.close();
});

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
  // The failure is shown above the dialog, where it can be read and dismissed.
  const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await dialog.locator('input[type=file]').setInputFiles(broken);
  const said = dialog.getByText(/^This is no picture that can be read/);
  await said.waitFor();
  await dialog.getByRole('button', { name: 'Dismiss' }).last().click();
  await said.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 390, height: 780 });
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Restore the original' }).click();
  await dialog.getByRole('button', { name: 'Restore the original' }).waitFor({ state: 'detached' });
});

const filmCalled = async (title: string) =>
  (await read<{ items: { id: string }[] }>(`/library?q=${encodeURIComponent(title)}`)).items[0]?.id ?? '';

test('a film that could be one of two is refused, and matched by hand', async () => {
  const { page } = view;
  const id = await filmCalled('Twins');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/settings/unplaced');
  await settled(page);
  const row = page.getByRole('listitem').filter({ hasText: 'Films/Twins (1999)/Twins (1999).mkv' }).last();
  const candidates = row.getByRole('list', { name: 'Candidates' });
  assert.equal(await candidates.getByRole('button').count(), 2);
  await candidates.getByText('the title is the same · the year is the same').first().waitFor();
  // The poster comes from this server.
  const poster = candidates.locator('img');
  await poster.scrollIntoViewIfNeeded();
  await passes(async () =>
    assert.ok(await poster.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth)),
  );
  assert.deepEqual(await violations(page), []);
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 844 });
  // On a phone the words have the width, and the button is below them.
  await untilPage(
    page,
    `[...document.querySelectorAll('ul[aria-label="Candidates"] > li')].every((one) =>
      one.lastElementChild.getBoundingClientRect().top >= one.children[1].getBoundingClientRect().bottom)`,
  );
  await page.setViewportSize(size);
  await row.getByRole('button', { name: 'Search for others or choose none' }).click();
  const dialog = page.getByRole('dialog', { name: 'Match “Twins”' });
  await dialog.getByText('No candidate is certain.').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await candidates
    .getByRole('listitem')
    .filter({ hasText: 'Two brothers sell umbrellas.' })
    .getByRole('button', { name: 'Choose Twins (1999)' })
    .click();
  await page.getByText('Matched with “Twins”').waitFor();
  await candidates.waitFor({ state: 'detached' });
  await page.goto(`/item/${id}`);
  await page.getByText('Two brothers sell umbrellas.').first().waitFor();
});

test('a locked title stays when the metadata is refreshed, and an unlocked plot is renewed', async () => {
  const { page } = view;
  const id = await filmCalled('The Long Pier');
  await page.goto(`/item/${id}`);
  await page.getByText('Two sisters rebuild a pier.').first().waitFor();
  await page.getByText('Ann First').first().waitFor();
  const choose = async (entry: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Edit metadata');
  const dialog = page.getByRole('dialog', { name: 'Edit “The Long Pier”' });
  const typed = dialog.getByLabel('Title', { exact: true });
  await typed.fill('Our pier');
  // Escape asks first, however often it is pressed: a browser closes a dialog at the second one by itself.
  const leave = page.getByRole('dialog', { name: 'Discard your changes?' });
  for (let times = 0; times < 3; times++) {
    await page.keyboard.press('Escape');
    await leave.waitFor();
    await page.keyboard.press('Escape');
    await leave.waitFor({ state: 'detached' });
  }
  assert.equal(await typed.inputValue(), 'Our pier');
  await page.keyboard.press('Escape');
  assert.deepEqual(await violations(page), []);
  await leave.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  await choose('Edit metadata');
  assert.equal(await typed.inputValue(), 'The Long Pier');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await choose('Edit metadata');
  await typed.fill('Our pier');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Our pier' }).waitFor();

  Object.assign(PIER, { title: 'The Longest Pier', overview: 'Three sisters rebuild a pier.' });
  await choose('Refresh metadata');
  const refresh = page.getByRole('dialog', { name: 'Refresh “Our pier”' });
  assert.deepEqual(await violations(page), []);
  await refresh.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByText('Metadata refreshed').waitFor();
  await page.getByText('Three sisters rebuild a pier.').first().waitFor();
  await page.getByRole('heading', { level: 1, name: 'Our pier' }).waitFor();
  const facts = await factsOf(id);
  assert.deepEqual([facts.locked, facts.without.title], [['title'], 'The Longest Pier']);
});

test('the episodes of a show follow another order, and the usual one after Undo', async () => {
  const { page } = view;
  const { items } = await read<{ items: { id: string; title: string }[] }>('/library?view=shows&q=Lantern');
  await page.goto(`/show/${items[0]?.id}`);
  await page.getByText('Kit comes home.').first().waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Episode order…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Episode order of “Lantern Street”' });
  const order = dialog.getByLabel('Order', { exact: true });
  const save = dialog.getByRole('button', { name: 'Choose', exact: true });
  await order.waitFor();
  assert.ok(await save.isDisabled(), 'nothing else is chosen yet');
  assert.deepEqual(await order.getByRole('option').allTextContents(), [
    'As broadcast (usual)',
    'DVD order (2 episodes)',
    'Backwards (3 episodes)',
  ]);
  await order.selectOption({ label: 'DVD order (2 episodes)' });
  assert.deepEqual(await violations(page), []);
  await save.click();
  await page.getByText('It burns.').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('It rains.').first().waitFor();
  await page.getByText('It burns.').first().waitFor({ state: 'detached' });
});

test('a library is added with what was chosen, and says that its folder is not there', async () => {
  const { page } = view;
  const path = `${house.home.media}-elsewhere`;
  await page.goto('/settings/libraries');
  await page.getByRole('button', { name: 'Add library' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add library' });
  await dialog.getByLabel('Content', { exact: true }).selectOption('music');
  await dialog.getByLabel('Folder', { exact: true }).fill(path);
  await dialog.getByRole('button', { name: 'Add library' }).click();
  await page.getByText('but its folder is not available').waitFor();
  const { items } = await read<{ items: { id: string; path: string }[] }>('/libraries');
  const id = items.find((library) => library.path === path)?.id;

  // Empty pages lead to the folders.
  for (const [href, label] of [
    [`/library?library=${id}`, 'Check its folder'],
    ['/library?view=photos', 'Add folders'],
    ['/library?view=photos&by=folders', 'Add folders'],
    ['/artists', 'Add folders'],
  ] as const) {
    await page.goto(href);
    const link = page.getByRole('link', { name: label });
    assert.equal(await link.getAttribute('href'), '/settings/libraries');
  }

  // The address of a library that was removed says so.
  await ask(house.home.server, 'DELETE', `/api/v1/libraries/${id}`, { token: house.token });
  await page.goto(`/library?library=${id}`);
  await page.getByRole('heading', { name: 'This library is not here' }).waitFor();
  assert.deepEqual(await violations(page), []);
});
