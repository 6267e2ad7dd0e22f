/**
 * Visits every page once, in one document and a pseudo-locale of German, in three widths and both themes: it can be
 * opened at its own address; axe finds nothing, nothing sticks out sideways; no word is hard-coded, none is in English,
 * no label is cut off; and neither the console nor the content security policy has anything to report.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openView, settled } from './browser.ts';
import { findEnglish } from './english.ts';
import { type PageCheck, type PagesHouse, visitPages } from './pages-house.ts';
import { NONE, tooWide, violationsOnce, WIDTHS } from './pages-themes.ts';
import { untilIdle } from './places.ts';
import { findWords, speakPseudo } from './pseudo-locale.ts';

/** Words that pages still hold in code, which only become fewer. */
const LEFT: Readonly<Record<string, number>> = {
  workbench: 90,
  'workbench-empty': 110,
  // Names of products.
  'settings-hardware': 3,
  subtitles: 1,
};

/** Widths at which words are looked at: the same elements are shown on a desktop and a television. */
const WORD_WIDTHS: readonly number[] = WIDTHS.slice(0, 2);

async function visitsEveryPage(house: PagesHouse, t: TestContext): Promise<void> {
  const { home, token } = house;
  const view = await openView(home, { isWithoutWorker: true, locale: 'de-DE' });
  const { page, complaints } = view;
  const [{ data }, { find }] = await Promise.all([speakPseudo(page), findEnglish(page)]);
  await visitPages(t, house, view, async ({ name, href }) => {
    // A task that runs shows its progress, in words of the server.
    if (name === 'settings-tasks') await untilIdle(home, token);
    await page.setViewportSize({ width: 1280, height: 800 });
    // Opened at its address, as after a reload; then looked at in every light.
    await page.goto(href);
    await settled(page);
    if (name === 'welcome-scan') {
      await page.getByRole('heading', { name: 'Alles bereit' }).waitFor();
      await settled(page);
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      assert.deepEqual(await violationsOnce(page, width), NONE, `${width} wide`);
      assert.deepEqual(await tooWide(page), [], `at ${width} it scrolls sideways`);
      if (!WORD_WIDTHS.includes(width)) continue;
      const { words, clipped } = await findWords(page, data);
      const left = LEFT[name] ?? 0;
      assert.ok(words.length <= left, `${words.length} words at ${width}, ${left} allowed:\n${words.join('\n')}`);
      assert.deepEqual(clipped, [], `at ${width}`);
    }
    assert.deepEqual(await find(), []);
    assert.equal(new URL(page.url()).pathname, new URL(href, home.url).pathname);
    assert.deepEqual(complaints.splice(0), []);
  });
  await view.close();
}

/** Returns the check that visits all pages, which only reads the house. */
export const visitChecks = (): PageCheck[] => [{ name: 'every page', run: visitsEveryPage }];
