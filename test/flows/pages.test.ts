/**
 * Opens every page, once, and looks at all of it. One house serves all tests, because its libraries and pictures take
 * longer to make than most pages to open.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { passes } from '../until.ts';
import { violationsInThemes } from './axe.ts';
import { calm, openView, OWNER, settled } from './browser.ts';
import { closePagesHouse, openPagesHouse, type PagesHouse } from './pages-house.ts';
import { NONE, themeChecks, THEMES, tooWide, WIDTHS } from './pages-themes.ts';
import { visitChecks } from './pages-visits.ts';
import { wordChecks } from './pages-words.ts';
import { inTheme, signIn } from './places.ts';

let house: PagesHouse;
before(async () => {
  house = await openPagesHouse();
});
after(() => closePagesHouse(house));
for (const { name, run } of [...visitChecks(), ...themeChecks(), ...wordChecks()]) test(name, (t) => run(house, t));

// After all others, because it stays damaged.
test('a damaged database is a notice on the home page of Owners only', async () => {
  const { home } = house;
  const viewer = { name: 'Vic', password: 'seven cold grey river stones' };
  const { body } = await ask<{ token: string }>(home.server, 'POST', '/api/v1/session', { body: OWNER });
  const policy = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true };
  assert.equal(
    (await ask(home.server, 'POST', '/api/v1/profiles', { token: body.token, body: { ...viewer, policy } })).status,
    201,
  );
  // State left by the last check; the next one comes a while after the start. Without a verified copy, which a long run
  // has by now.
  rmSync(join(home.data, 'verified'), { recursive: true, force: true });
  writeFileSync(
    join(home.data, 'database-check.json'),
    JSON.stringify({ checkedAt: Date.parse('2026-11-20T12:00:00Z'), isDamaged: true, hasRoom: true }),
  );
  await home.restart();
  for (const who of [OWNER, viewer]) {
    const view = await openView(home);
    await signIn(view, home, who);
    const { page } = view;
    await page.goto('/');
    await settled(page);
    await calm(page);
    const notice = page.getByRole('region', { name: 'Notice' });
    if (who === OWNER) {
      await passes(async () =>
        assert.match(await notice.innerText(), /database needs attention[\s\S]*damaged[\s\S]*restore a backup/),
      );
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(
          await violationsInThemes(page, THEMES, (theme) => inTheme(page, theme)),
          NONE,
          `${width} wide`,
        );
        assert.deepEqual(await tooWide(page), [], `at ${width} it scrolls sideways`);
      }
    } else assert.equal(await notice.count(), 0);
    await view.close();
  }
});
