/** The audio player while other pages are shown: lyrics are asked for once, and a book is read to music. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeEpub } from '../../src/lib/books/testing.ts';
import { ask } from '../faults/child.ts';
import { until } from '../until.ts';
import { type Home, settled, untilPage } from './browser.ts';
import { openSignedIn } from './places.ts';

export async function lyricsAreAskedForOnce(t: TestContext, home: Home, token: string, album: string): Promise<void> {
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true });
  t.after(view.close);
  const { page } = view;
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/lyrics') && asked.push(request.url())));
  await page.goto(`/album/${album}`);
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  const player = page.getByRole('region', { name: 'Audio player' });
  const track = player.getByRole('link', { name: /Part 1/ });
  await track.waitFor();
  await player.getByRole('button', { name: 'Pause' }).click();
  await track.click();
  await page.getByRole('heading', { level: 1, name: 'Part 1' }).waitFor();
  await until('the lyrics to be asked for', () => asked.length > 0);
  // Playing has all music read again. Then the page is left, and shown again.
  await settled(page);
  const again = page.waitForResponse((reply) => reply.url().includes(`/api/v1/albums/${album}`));
  await page.goBack();
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).waitFor();
  const id = /items\/([^/]+)/.exec(asked[0] ?? '')?.[1];
  const play = await ask(home.server, 'PUT', `/api/v1/items/${id}/progress`, { token, body: { position: 1 } });
  assert.equal(play.status, 200, JSON.stringify(play.body));
  await again;
  await track.click();
  await page.getByRole('heading', { level: 1, name: 'Part 1' }).waitFor();
  await settled(page);
  assert.equal(asked.length, 1, asked.join());
}

export async function musicPlaysOnToABook(t: TestContext, home: Home, token: string, album: string): Promise<void> {
  const folder = join(dirname(home.media), 'epubs');
  mkdirSync(folder);
  const parts = [{ title: 'Ebb', markup: '<h1>Ebb</h1><p>The tide goes out.</p>' }];
  writeFileSync(join(folder, 'Tide.epub'), makeEpub({ title: 'The Tide', parts }));
  const body = { name: 'Tides', path: folder, kind: 'books' };
  assert.equal((await ask(home.server, 'POST', '/api/v1/libraries', { token, body })).status, 201);
  const book = await until('the book', async () => {
    const reply = await ask<{ items: { id: string }[] }>(home.server, 'GET', '/api/v1/library?view=books', { token });
    return reply.body.items[0]?.id;
  });
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true });
  t.after(view.close);
  const { page } = view;
  await page.goto(`/album/${album}`);
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  const player = page.getByRole('region', { name: 'Audio player' });
  await player.getByRole('button', { name: 'Pause' }).waitFor();
  await page.evaluate('isSameDocument = true');
  await page.getByRole('link', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('The Tide');
  await page.locator(`main a[href="/book/${book}"]`).first().press('Enter');
  await page.getByRole('link', { name: 'Read', exact: true }).click();
  await untilPage(page, "document.querySelector('iframe')?.style.opacity === '1'");
  assert.equal(await page.evaluate('globalThis.isSameDocument'), true, 'the page is not loaded again');
  await page.getByRole('link', { name: 'Close the book' }).click();
  await player.getByRole('button', { name: 'Pause' }).waitFor();
}

export async function focusStaysAboveThePlayer(t: TestContext, home: Home, album: string): Promise<void> {
  const view = await openSignedIn(home, { realTime: 'plays', height: 420, isWithoutWorker: true });
  t.after(view.close);
  const { page } = view;
  await page.goto(`/album/${album}`);
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).press('Enter');
  const player = page.getByRole('region', { name: 'Audio player' });
  await player.getByRole('button', { name: 'Pause' }).waitFor();
  const tracks = await page.locator('main li[data-item]').count();
  for (let passed = 0; passed < tracks; passed++) {
    await page.keyboard.press('ArrowDown');
    const isClear = await player.evaluate((bar) => {
      const focused = bar.ownerDocument.activeElement?.closest('main li[data-item]');
      return focused && focused.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top + 1;
    });
    assert.equal(isClear, true, `track ${passed + 1} of ${tracks}`);
  }
  // The player follows the last track.
  await page.keyboard.press('ArrowDown');
  assert.ok(await player.evaluate((bar) => bar.contains(bar.ownerDocument.activeElement)));
}

export async function oneTabIsHeard(t: TestContext, home: Home, album: string): Promise<void> {
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true });
  t.after(view.close);
  const pages = [view.page, await view.context.newPage()] as const;
  for (const [at, page] of pages.entries()) {
    await page.goto(`/album/${album}`);
    await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('region', { name: 'Audio player' }).getByRole('link').first().click();
    // An album that ends would be silent by itself.
    if (at === 0) await page.getByRole('button', { name: 'Repeat is off' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  }
  const [first, second] = pages;
  await first.getByRole('button', { name: 'Play', exact: true }).click();
  await first.getByRole('button', { name: 'Pause' }).waitFor();
  await second.getByRole('button', { name: 'Play', exact: true }).waitFor();
}
