/**
 * Comics in the reader: whole pages, pages as wide as the window, and pages one below the other; with fingers, keys and
 * a remote control.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { passes, until } from '../until.ts';
import { type Home, settled, untilPage, type View } from './browser.ts';
import { openSignedIn } from './places.ts';

interface Flow {
  name: string;
  run(home: Home, idOf: (title: string) => string): Promise<void>;
}
export const comicFlows: Flow[] = [];
const flow = (name: string, run: Flow['run']): void => void comicFlows.push({ name, run });

const swipe = (page: Page, to: 1 | -1): Promise<unknown> =>
  page.evaluate(`(() => {
    const target = document.querySelector('[data-first]');
    for (const [type, list, clientX] of [['touchstart', 'touches', 600], ['touchend', 'changedTouches', ${600 + to * 200}]])
      target.dispatchEvent(new TouchEvent(type, {
        bubbles: true, [list]: [new Touch({ identifier: 1, target, clientX, clientY: 300 })],
      }));
  })()`);
const top = (page: Page): Promise<number> => page.evaluate("document.querySelector('[data-first]').scrollTop");
/** Returns how far the pages on show can be scrolled. */
const room = (page: Page): Promise<number> =>
  page.evaluate(
    "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('[data-first]'))",
  );
const saved = (page: Page) => page.waitForResponse((reply) => reply.url().endsWith('/reader/progress') && reply.ok());
const progressOf = async ({ context }: View, id: string) =>
  (await (await context.request.get(`/api/v1/books/${id}/reader/progress`)).json()) as {
    part: number;
    finished: boolean;
    percent: number;
  };
/** An empty page has no storage. */
const SCROLLED = "try { localStorage['matinee.reader'] = JSON.stringify({ isScrolled: true }) } catch {}";
const ARE_LOADED = "[...document.querySelectorAll('[data-first] > :first-child img')].every((image) => image.complete)";

flow('a comic is read from right to left, two pages at a time', async (home, idOf) => {
  const view = await openSignedIn(home);
  const { page } = view;
  await page.goto(`/reader/${idOf('Moon')}`);
  await page.getByText('Page 1 of 5').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await page.getByText('Page 2 of 5').waitFor();
  await page.getByRole('button', { name: 'Reading settings' }).click();
  await page.getByText('Two', { exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Page 3 of 5').waitFor();
  const [second, third] = [page.getByAltText('Page 2 of 5'), page.getByAltText('Page 3 of 5')];
  await untilPage(page, "[...document.querySelectorAll('img[alt]')].every((image) => image.complete)");
  const [right, left] = [await second.boundingBox(), await third.boundingBox()];
  assert.ok(right && left && left.x < right.x, 'the second page is to the right of the third');
  await page.keyboard.press('ArrowLeft');
  await page.getByText('Page 5 of 5').waitFor();

  // A finger that moves a zoomed page does not turn it.
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await swipe(page, -1);
  await page.getByText('Page 5 of 5').waitFor();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await swipe(page, -1);
  await page.getByText('Page 3 of 5').waitFor();

  // The direction that is chosen is kept.
  await page.getByRole('button', { name: 'Reading settings' }).click();
  await page.getByText('Left to right').click();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByText(/Page [23] of 5/).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText('Page 5 of 5').waitFor();
  await view.close();
});

flow('a scrolled comic is continued at its page, also if pages are much higher than the window', async (home, idOf) => {
  const view = await openSignedIn(home);
  const { page } = view;
  await page.addInitScript(SCROLLED);
  await page.goto(`/reader/${idOf('Tall')}`);
  await page.getByText('Page 1 of 3').waitFor();
  await untilPage(page, "document.querySelector('img[alt]')?.naturalHeight > 0");
  const saved = page.waitForResponse(
    (reply) =>
      reply.url().endsWith('/reader/progress') && reply.ok() && /"part":1\b/.test(reply.request().postData() ?? ''),
  );
  // With the wheel, as a reader does: a place that a program scrolls to is left again when a picture is loaded.
  await page.mouse.move(640, 400);
  await passes(async () => {
    await page.mouse.wheel(0, 400);
    assert.ok(await page.getByText('Page 2 of 3').isVisible());
  });
  await saved;
  await page.reload();
  await page.getByText('Page 2 of 3').waitFor();
  await page.keyboard.press('End');
  await page.getByText('Page 3 of 3').waitFor();
  await view.close();
});

flow('a comic is as wide as the window: keys go down its pages, and turn them at their ends', async (home, idOf) => {
  const view = await openSignedIn(home);
  const { page } = view;
  await page.goto(`/reader/${idOf('Moon')}`);
  await page.getByText(/^Page \d of 5/).waitFor();
  await page.keyboard.press('Home');
  await page.getByText('Page 1 of 5').waitFor();
  assert.equal(await room(page), 0, 'a whole page');
  await page.getByRole('button', { name: 'Reading settings' }).click();
  await page.getByText('Page width').click();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByText('Page 1 of 5').waitFor();
  await untilPage(page, ARE_LOADED);
  await passes(async () => assert.ok((await room(page)) > 500, 'the choice is kept'));
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('ArrowDown');
  await passes(async () => assert.equal(await top(page), 80));
  // Nine tenths of what is between the bars.
  const end = await room(page);
  for (const [key, to] of [
    ['Space', 692],
    ['PageDown', end],
    ['PageUp', end - 612],
    ['PageDown', end],
  ] as const) {
    await page.keyboard.press(key);
    await passes(async () => assert.ok(Math.abs((await top(page)) - to) <= 2, `${key} ${await top(page)} ${to}`));
  }
  await page.getByText('Page 1 of 5').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByText('Page 2 of 5').waitFor();
  await passes(async () => assert.equal(await top(page), 0, 'a page begins at its top'));
  await page.keyboard.press('PageUp');
  await page.getByText('Page 1 of 5').waitFor();
  await passes(async () => assert.ok((await top(page)) >= (await room(page)) - 4, 'and ends at its end'));

  // Sideways, pages are turned at once, from right to left or as it was chosen.
  const isRightToLeft = (await page.getAttribute('[data-first]', 'dir')) === 'rtl';
  await page.keyboard.press(isRightToLeft ? 'ArrowLeft' : 'ArrowRight');
  await page.getByText('Page 2 of 5').waitFor();
  await swipe(page, isRightToLeft ? 1 : -1);
  await page.getByText('Page 3 of 5').waitFor();
  await passes(async () => assert.equal(await top(page), 0));

  // The place in a page is kept, also for a smaller window.
  const sent = saved(page);
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, 500);
  await sent;
  const before = await top(page);
  assert.ok(before > 0);
  await page.reload();
  await page.getByText('Page 3 of 5').waitFor();
  await untilPage(page, ARE_LOADED);
  await passes(async () => assert.ok(Math.abs((await top(page)) - before) <= 2, `${await top(page)} ${before}`));
  await page.getByRole('button', { name: 'Reading settings' }).click();
  await page.getByText('Two', { exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Page 3 of 5').waitFor();
  assert.equal(await page.locator('[data-first] img[alt]:not([alt=""])').count(), 2);
  await page.setViewportSize({ width: 390, height: 500 });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await view.close();
});

/** The place on the line down to which pages are read: its page, and the share of its height that is above. */
const READ = `(() => {
  const box = document.querySelector('[data-first]');
  // Bars lie over the edges of the box.
  const bars = ['paddingTop', 'paddingBottom'].map((name) => Number.parseFloat(getComputedStyle(box)[name]));
  const line = box.getBoundingClientRect().top + bars[0] + (box.clientHeight - bars[0] - bars[1]) * 0.3;
  const pages = [...document.querySelectorAll('[data-first] img[alt]')].map((image) => image.getBoundingClientRect());
  const page = pages.findIndex(({ bottom }) => bottom > line);
  return page + (line - pages[page].top) / pages[page].height;
})()`;

flow('a scrolled comic is continued where it was in its page, on another device as well', async (home, idOf) => {
  const view = await openSignedIn(home);
  const { page } = view;
  await page.addInitScript(SCROLLED);
  const id = idOf('Tall');
  await page.goto(`/reader/${id}`);
  await page.getByText(/^Page \d of 3/).waitFor();
  for (const at of [1.4, 2.6]) {
    await page.getByRole('slider').fill(String(Math.floor(at) + 1));
    await page.getByText(`Page ${Math.floor(at) + 1} of 3`).waitFor();
    await untilPage(page, `document.querySelectorAll('img[alt]')[${Math.floor(at)}].complete`);
    await passes(async () => assert.ok(Math.abs((await page.evaluate<number>(READ)) - Math.floor(at)) < 0.1));
    const sent = saved(page);
    await page.evaluate(`(() => {
      const box = document.querySelector('[data-first]');
      const { top, height } = document.querySelectorAll('img[alt]')[${Math.floor(at)}].getBoundingClientRect();
      box.scrollTop += top + ${at % 1} * height - box.clientHeight * 0.3;
    })()`);
    await sent;
    const read = await page.evaluate<number>(READ);
    assert.ok(Math.abs(read - at) < 0.01, `${read} ${at}`);
    await page.reload();
    await page.getByText(`Page ${Math.floor(at) + 1} of 3`).waitFor();
    const isThere = async (on: Page) => {
      const now = await on.evaluate<number>(READ);
      assert.ok(Math.abs(now - read) < 0.002, `${now} ${read}`);
    };
    await passes(() => isThere(page));
    const phone = await openSignedIn(home, { width: 390, height: 700, isTouch: true });
    await phone.page.addInitScript(SCROLLED);
    await phone.page.goto(`/reader/${id}`);
    await phone.page.getByText(`Page ${Math.floor(at) + 1} of 3`).waitFor();
    await passes(() => isThere(phone.page));
    // Turned, it shows the same.
    await phone.page.setViewportSize({ width: 700, height: 390 });
    await passes(() => isThere(phone.page));
    await phone.close();
  }
  // A window that changes its size does not take another device's place back.
  const phone = await openSignedIn(home, { width: 390, height: 700, isTouch: true });
  await phone.page.addInitScript(SCROLLED);
  await phone.page.goto(`/reader/${id}`);
  await phone.page.getByText('Page 3 of 3').waitFor();
  const turned = saved(phone.page);
  await phone.page.getByRole('slider').fill('1');
  await turned;
  await page.setViewportSize({ width: 1000, height: 700 });
  await untilPage(page, 'innerWidth === 1000');
  // A report would be pending.
  await settled(page);
  assert.equal((await progressOf(view, id)).part, 0);
  await phone.close();
  const sent = saved(page);
  await page.keyboard.press('End');
  await sent;
  const place = await progressOf(view, id);
  assert.deepEqual([place.finished, place.percent], [true, 100], 'it is read at its end');
  await view.close();
});

flow('the place in a page of a scrolled comic survives a look at whole pages', async (home, idOf) => {
  const view = await openSignedIn(home);
  const { page } = view;
  await page.addInitScript(SCROLLED);
  await page.goto(`/reader/${idOf('Tall')}`);
  await page.getByText(/^Page \d of 3/).waitFor();
  await page.getByRole('slider').fill('2');
  await page.getByText('Page 2 of 3').waitFor();
  await untilPage(page, "document.querySelectorAll('img[alt]')[1].complete");
  await passes(async () => assert.ok(Math.abs((await page.evaluate<number>(READ)) - 1) < 0.1));
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, 700);
  let read = 0;
  await until('the wheel to come to rest', async () => {
    const before = read;
    read = await page.evaluate<number>(`new Promise((resolve) => requestAnimationFrame(() => resolve(${READ})))`);
    return read > 1.05 && read === before;
  });
  assert.ok(read < 1.95, `${read}`);
  await settled(page);
  const choose = async (layout: string): Promise<void> => {
    await page.getByRole('button', { name: 'Reading settings' }).click();
    await page.getByText(layout, { exact: true }).click();
    await page.keyboard.press('Escape');
  };
  await choose('Pages');
  await untilPage(page, "document.querySelectorAll('[data-first] > :first-child img').length === 1");
  await page.getByText('Page 2 of 3').waitFor();
  await choose('Scrolled');
  await passes(async () => {
    const now = await page.evaluate<number>(READ);
    assert.ok(Math.abs(now - read) < 0.002, `${now} ${read}`);
  });
  // A page that was turned to since then begins at its top.
  await choose('Pages');
  await page.getByRole('slider').fill('3');
  await page.getByText('Page 3 of 3').waitFor();
  await choose('Scrolled');
  await passes(async () => assert.ok(Math.abs((await page.evaluate<number>(READ)) - 2) < 0.1));
  await view.close();
});

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()");

/** The key of a remote control, which no keyboard has. */
const goBack = (page: Page): Promise<unknown> =>
  page.evaluate(`document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'GoBack', bubbles: true, cancelable: true }))`);

flow('a remote control reaches the controls of the reader', async (home, idOf) => {
  const view = await openSignedIn(home, { width: 1920, height: 1080 });
  const { page } = view;
  await page.addInitScript("Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (SmartTV)' })");
  await page.goto(`/reader/${idOf('Moon')}`);
  await page.getByText(/^Page \d of 5/).waitFor();
  await page.keyboard.press('Home');
  await page.getByText('Page 1 of 5').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('Page 2 of 5').waitFor();
  await page.keyboard.press('Enter');
  await passes(async () => assert.equal(await focused(page), 'Close the book'));
  // Not the one that is disabled.
  for (const name of ['Zoom in', 'Reading settings']) {
    await page.keyboard.press('ArrowRight');
    await passes(async () => assert.equal(await focused(page), name));
  }
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reading settings' });
  await dialog.waitFor();
  assert.equal(
    await page.evaluate("document.activeElement.closest('fieldset').querySelector('legend').textContent"),
    'Layout',
  );
  await page.keyboard.press('ArrowDown');
  assert.equal(
    await page.evaluate("document.activeElement.closest('fieldset').querySelector('legend').textContent"),
    'Fit',
  );
  await page.keyboard.press('ArrowRight');
  await passes(async () => assert.ok(await dialog.getByLabel('Page width').isChecked()));
  await goBack(page);
  await dialog.waitFor({ state: 'detached' });
  await passes(async () => assert.equal(await focused(page), 'Reading settings'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  assert.ok(['Next page', 'Go to page', 'Previous page'].includes(await focused(page)), 'the lower bar');
  await page.getByText('Page 2 of 5').waitFor();
  await goBack(page);
  await page.getByText('Page 2 of 5').waitFor({ state: 'detached' });
  assert.ok(page.url().includes('/reader/'), 'the book is open');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByText('Page 3 of 5').waitFor();
  await passes(async () => assert.equal(await focused(page), 'Close the book'));
  await page.keyboard.press('Escape');
  await page.getByText('Page 3 of 5').waitFor({ state: 'detached' });
  await untilPage(page, "document.activeElement.matches('[data-arrows=own]')");
  await page.keyboard.press('Escape');
  await page.waitForURL('**/book/**');
  await view.close();
});
