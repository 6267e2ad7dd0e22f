/** The picture of a collection in the browser, when its file is damaged or missing. */
import assert from 'node:assert/strict';
import sharp from 'sharp';
import { ask } from '../faults/child.ts';
import { openView, untilPage } from './browser.ts';
import { type SettledHome, signIn } from './places.ts';

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
