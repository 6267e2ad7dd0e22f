/**
 * `npm run screens`: a picture of every page in both themes and three widths, into docs/screens, to be looked at.
 *
 * `npm run screens -- FOLDER [NAME ...]` takes them elsewhere, or only those pages.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { calm, closeBrowser, openHome, openView, settled, untilPage } from './browser.ts';
import { inTheme, places, settleHome, signIn } from './places.ts';
import { addShelves } from './shelves.ts';

const [folder = fileURLToPath(new URL('../../docs/screens', import.meta.url)), ...names] = process.argv.slice(2);
const SIZES = [
  [360, 740],
  [1280, 800],
  [1920, 1080],
] as const;

mkdirSync(folder, { recursive: true });
const home = await openHome({ env: { SERVICE_REQUIRE_MFA: 'false' } });
try {
  const shoot = async (page: Parameters<typeof inTheme>[0], name: string) => {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['dark', 'light'] as const) {
        await inTheme(page, colorScheme);
        const bytes = await page.screenshot();
        // A palette makes it a quarter of the size, without a visible difference at this width.
        await sharp(bytes)
          .resize({ width: Math.min(width, 960) })
          .png({ palette: true, quality: 70, effort: 7, colours: 96 })
          .toFile(join(folder, `${name}-${colorScheme}-${width}.png`));
      }
    }
  };
  const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
  const isWanted = (name: string) => names.length === 0 || names.includes(name);
  if (isWanted('welcome')) {
    const first = await openView(home);
    await first.page.goto('/welcome');
    await settled(first.page);
    await calm(first.page);
    await shoot(first.page, 'welcome');
    await first.context.close();
  }
  const { ids, token } = await settleHome(home);
  const all = { ...ids, ...(await addShelves(home, token, ids.film, capital)) };
  for (const place of places(all).filter(({ name }) => isWanted(name))) {
    const view = await openView(home, { realTime: 'plays' });
    if (place.isSignedOut !== true) await signIn(view, home);
    await view.page.goto(place.href);
    await settled(view.page);
    await calm(view.page);
    if (place.name.startsWith('workbench'))
      await untilPage(view.page, "!document.querySelector('[aria-label=Waveform]')?.textContent.includes('Listening')");
    if (place.name === 'player') await untilPage(view.page, "document.querySelector('video')?.currentTime > 5");
    await shoot(view.page, place.name);
    await view.context.close();
  }
} finally {
  await closeBrowser();
  await home.close();
}
