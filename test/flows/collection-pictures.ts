/** The picture of a collection in the browser, when its file is damaged or missing. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { ask } from '../faults/child.ts';
import { passes } from '../until.ts';
import { violations } from './axe.ts';
import { openView, untilPage } from './browser.ts';
import { type SettledHome, signIn } from './places.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** It gives way to the posters of the items, on the page of all collections and on its own. */
export async function pictureGivesWay(house: SettledHome): Promise<void> {
  const { home, ids, token } = house;
  // The worker would load the picture past the route.
  const other = await openView(home, { isWithoutWorker: true });
  await signIn(other, home);
  const { page, context } = other;
  const path = `/api/v1/collections/${ids.collection}`;
  const uploaded = await context.request.put(`${path}/picture`, {
    data: await sharp({ create: { width: 400, height: 600, channels: 3, background: '#753' } })
      .png()
      .toBuffer(),
    headers: { 'content-type': 'image/png', origin: home.url },
  });
  assert.equal(uploaded.status(), 200);
  const card = `document.querySelector('main a[href="/collection/${ids.collection}"] img')`;
  const head = `document.querySelector('h1')?.closest('header')?.querySelector('img')`;
  const shows = (image: string, part: string) =>
    untilPage(page, `${image}?.complete && ${image}.naturalWidth > 0 && ${image}.currentSrc.includes('${part}')`);
  const picture = `/collections/${ids.collection}/picture`;
  const look = async (part: string) => {
    await page.goto('/collections');
    await shows(card, part);
    await page.goto(`/collection/${ids.collection}`);
    await shows(head, part);
  };
  await look(picture);
  let asked = 0;
  const replies = [
    { contentType: 'image/png', body: 'damaged' },
    { status: 404, json: {} },
  ];
  for (const reply of replies) {
    await page.route(`**${picture}*`, (route) => {
      asked++;
      return route.fulfill(reply);
    });
    await look('/art/');
    await page.unroute(`**${picture}*`);
  }
  assert.ok(asked >= 2 * replies.length, `${asked} requests`);
  // It is back with its file, and gone when another is chosen.
  await look(picture);
  const { status } = await ask(home.server, 'PUT', path, { token, body: { picture: null } });
  assert.equal(status, 200);
  await look('/art/');
  await other.close();
}

/** Chooses the poster of the last item as the picture of a collection, uploads one, and takes that back. */
export async function pictureIsChanged(
  page: Page,
  { home, token }: SettledHome,
  collection: string,
  item: string,
): Promise<void> {
  const read = async <T>(path: string): Promise<T> =>
    (await ask<T>(home.server, 'GET', `/api/v1${path}`, { token })).body;
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Change picture' }).click();
  const pictures = page.getByRole('dialog', { name: 'Pictures of “Wet days”' });
  // With the hidden field for a file, Enter would open the dialog of the system.
  await untilPage(page, "document.activeElement?.matches('dialog button[aria-pressed=true]')");
  const shownNow = async () => {
    const { picture, cover } = await read<{ picture?: string; cover?: string }>(`/collections/${collection}`);
    return { uploaded: picture !== undefined, cover };
  };
  // Undo leads back to the latest change also if the collection has not been read again since.
  const change = Promise.withResolvers<void>();
  const address = `**/api/v1/collections/${collection}`;
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') await change.promise;
    await route.fallback();
  });
  await pictures.getByRole('button', { name: item, exact: true }).click();
  const entry = (await read<{ items: { entry: string }[] }>(`/collections/${collection}/items`)).items[2]?.entry;
  await passes(async () => assert.deepEqual(await shownNow(), { uploaded: false, cover: entry }));
  await pictures.getByRole('button', { name: item, exact: true, pressed: true }).waitFor();
  await pictures.locator('input[type=file]').setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: PNG });
  await passes(async () => assert.equal((await shownNow()).uploaded, true));
  change.resolve();
  await page.unroute(address);
  await pictures.getByRole('button', { name: 'Uploaded', exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  // One that cannot be loaded is replaced by a tile.
  const image = "document.querySelector('h1')?.closest('header')?.querySelector('img')";
  await untilPage(page, `${image}?.complete && ${image}.currentSrc.includes('/collections/${collection}/picture')`);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await passes(async () => assert.deepEqual(await shownNow(), { uploaded: false, cover: entry }));
}
