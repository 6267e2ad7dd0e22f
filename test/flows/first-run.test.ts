/**
 * The main job, as a household does it: set up in the browser, scan, watch a film with a subtitle, fetch the one
 * that is missing, and see it in the player.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { closeBrowser, openHome, openView, OWNER, replyLast, untilPage } from './browser.ts';
import { passes } from '../until.ts';

after(closeBrowser);

const FILM = 'The Lighthouse Keeper';
interface Media {
  currentTime: number;
  error: { message: string } | null;
}
const time = (page: Page) => page.locator('video').evaluate((video: Media) => video.currentTime);
/** Text drawn over the picture at the moment. */
const cue = (page: Page) => page.locator('[data-cue]');

async function playsPast(page: Page, seconds: number): Promise<void> {
  await untilPage(page, `(document.querySelector('video')?.currentTime ?? 0) > ${seconds}`);
  assert.equal(await page.locator('video').evaluate((video: Media) => video.error?.message ?? ''), '');
}

test('wizard, scan, play with a subtitle, fetch the missing one, and see it', async () => {
  const home = await openHome();
  const view = await openView(home);
  const { page } = view;
  try {
    await page.goto('/');
    await page.getByLabel('Your name').fill(OWNER.name);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
    const secret = await passes(async () => {
      const text = ((await page.locator('p code').first().textContent()) ?? '').replaceAll(' ', '');
      assert.match(text, /^[A-Z2-7]{16,}$/);
      return text;
    });
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await passes(async () => assert.equal(await codes.count(), 10));
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
    // The Profile is read again now; nothing may conclude meanwhile that no one is signed in.
    await replyLast(page, '**/api/v1/me');
    await page.getByRole('button', { name: 'Confirm' }).click();

    await page.getByRole('heading', { name: 'Where are your films and shows?' }).waitFor();
    await page.getByText(home.media).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Which subtitle language?' }).waitFor();
    await page.getByLabel('Language', { exact: true }).selectOption({ label: 'English' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('progressbar', { name: 'Scan' }).waitFor();
    await page.getByRole('heading', { name: 'All set' }).waitFor();
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('heading', { name: 'Recently added' }).waitFor();

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.goto('/settings/configuration?q=subtitles.language');
    await page.getByLabel('Language', { exact: true }).waitFor();
    await passes(async () => assert.equal(await page.getByLabel('Language', { exact: true }).inputValue(), 'en'));

    await page.goto('/search?q=lighthouse');
    await page.getByRole('link', { name: FILM }).first().click();
    await page.getByRole('heading', { name: FILM, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Play' }).first().click();
    await playsPast(page, 0);
    await page.keyboard.press('c');
    await playsPast(page, 3);
    await cue(page).filter({ hasText: /\S/ }).first().waitFor();

    await page.keyboard.press('Escape');
    await page.goto('/subtitles');
    await page.getByRole('link', { name: FILM }).click();
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await page.getByText(/English from/).waitFor();
    assert.ok(existsSync(join(home.media, 'Films/The Lighthouse Keeper (2019)/The Lighthouse Keeper (2019).en.srt')));
    await page.getByRole('link', { name: 'Watch now' }).click();
    await playsPast(page, (await time(page).catch(() => 0)) + 1);
    await cue(page).filter({ hasText: /\S/ }).first().waitFor();
    await view.close();
  } catch (error) {
    await page.screenshot({ path: join(process.env['TMPDIR'] ?? '/tmp', 'matinee-flow-failed.png') });
    throw error;
  } finally {
    await home.close();
  }
});
