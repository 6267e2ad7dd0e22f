/** Checks of the page with the days of photos. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { advance, untilPage } from './browser.ts';

/** How long the grip of the scrubber stays after the page has scrolled. */
const STAYS_MS = 1_800;

/** On a phone the years of the scrubber cover no photo, and its grip does only while it is used. */
export async function scrubberGivesWay(page: Page): Promise<void> {
  const years = page.getByRole('slider', { name: 'Jump to a month' }).getByText('2024', { exact: true });
  assert.equal(await years.isVisible(), false);
  const grip = "document.querySelector('[role=slider] svg').parentElement";
  const takesTouches = `getComputedStyle(${grip}).pointerEvents === 'auto'`;
  await advance(page, STAYS_MS);
  await untilPage(page, `!(${takesTouches})`);
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (${takesTouches} ? resolve() : requestAnimationFrame(look));
    scrollBy(0, 200);
    look();
  })`);
  // For the keyboard it stays.
  await page.keyboard.press('Tab');
  await page.getByRole('slider', { name: 'Jump to a month' }).focus();
  await untilPage(page, takesTouches);
  const box = (await page.locator('[role=slider] svg').boundingBox()) ?? assert.fail();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, 500, { steps: 4 });
  await years.waitFor();
  await page.mouse.up();
  await years.waitFor({ state: 'hidden' });
  await page.evaluate('document.activeElement.blur()');
  await advance(page, STAYS_MS);
  await untilPage(page, `!(${takesTouches})`);
  await page.evaluate('scrollTo(0, 0)');
}

/** The days of 2024 are side by side with a heading for each; arrows lead through them, and down to the next row. */
export async function daysShareRows(page: Page): Promise<void> {
  const headings = page.locator('main h2');
  const tops = await headings.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops.slice(0, 3)).size, 1);
  assert.equal(new Set(tops.slice(2)).size, 3, 'another year begins a row, and so does a day that needs more than one');
  assert.equal(await headings.nth(1).innerText(), 'Sun, 30 Jun 2024');
  await untilPage(
    page,
    `[...document.querySelectorAll('main h2 > *')].every((one) => one.scrollWidth <= one.clientWidth)`,
  );
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'tram' }).focus();
  for (const [key, photo] of [
    ['ArrowRight', 'tower'],
    ['ArrowRight', 'snow'],
    ['ArrowLeft', 'tower'],
    ['ArrowDown', 'tree'],
  ] as const) {
    await page.keyboard.press(key);
    await untilPage(page, `document.activeElement.getAttribute('aria-label') === '${photo}'`);
  }
  await page.evaluate('document.activeElement.blur()');
  await page.evaluate('scrollTo(0, 0)');
}
