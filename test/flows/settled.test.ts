/** The mark of a page that is done: whatever is held keeps it away, and the page is complete once it comes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { until } from '../until.ts';
import { closeAll, openView, settled, untilPage, type View, withHeldTimers } from './browser.ts';
import { openSettledHome, type SettledHome, signIn } from './places.ts';

let house: SettledHome;
let view: View;
before(async () => {
  house = await openSettledHome();
  // The worker would load code past the routes.
  view = await openView(house.home, { isWithoutWorker: true });
  await signIn(view, house.home);
});
after(async () => {
  await view?.close();
  await closeAll();
});

const pendingIn = (page: Page) => page.evaluate<string>('document.documentElement.dataset.pending');
const isPending = (page: Page, kind: string) =>
  untilPage(page, `document.documentElement.dataset.pending.split(' ').includes('${kind}')`);
const shown = (page: Page, what: string) => page.evaluate<number>(`document.querySelectorAll('${what}').length`);

/** Holds the requests of an address. Returns those that came, and a function that lets them through. */
async function hold(page: Page, address: string | RegExp): Promise<{ held: Route[]; release: () => Promise<void> }> {
  const held: Route[] = [];
  const { promise: isReleased, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    held.push(route);
    await isReleased;
    await route.fallback();
  });
  return {
    held,
    release: async () => {
      resolve();
      await page.unroute(address);
    },
  };
}

test('a reply that is on its way keeps a page from being settled', async () => {
  const { page } = view;
  const { held, release } = await hold(page, /\/api\/v1\/library\?/);
  await page.goto('/library?view=movies&sort=title');
  await until('the list to be asked for', () => held.length > 0);
  await isPending(page, 'call');
  assert.equal(await shown(page, 'main li'), 0);
  await release();
  await settled(page);
  assert.ok((await shown(page, 'main li')) > 0, 'the list is drawn after the page is settled');
});

test('code that is on its way keeps a page from being settled', async () => {
  const { page } = view;
  await page.goto('/about');
  await settled(page);
  const { held, release } = await hold(page, '**/*.js');
  await page.evaluate(`(() => {
    history.pushState(null, '', '/collections');
    dispatchEvent(new PopStateEvent('popstate'));
  })()`);
  await until('the code to be asked for', () => held.length > 0);
  assert.match(await pendingIn(page), /import/);
  await release();
  await settled(page);
  assert.equal(await shown(page, 'main a[href^="/collection/"]'), 1);
});

test('typing waits for its pause to the millisecond, and then for its reply', async () => {
  const { page } = view;
  await page.goto('/search');
  await settled(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    const query = new URL(request.url()).searchParams.get('q');
    if (query !== null && request.url().includes('/api/')) asked.push(query);
  });
  await withHeldTimers(page, async () => {
    await page.getByRole('searchbox').pressSequentially('light');
    await untilPage(page, "document.documentElement.dataset.pending === 'timer'");
    await page.clock.runFor(119);
    await untilPage(page, "document.documentElement.dataset.pending === 'timer'");
    assert.deepEqual(asked, []);
    await page.clock.runFor(1);
    await until('the search to be sent', () => asked.length > 0);
  });
  await settled(page);
  assert.deepEqual([...new Set(asked)], ['light']);
  assert.ok((await shown(page, 'main li')) > 0, 'the results are drawn after the page is settled');
});
