/**
 * Several wanted subtitles, as an Owner keeps them: two languages and one for the hard of hearing are added, shown as
 * missing, fetched, deleted and taken back, and one library wants none.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { closeAll, type Home, openView, settled } from './browser.ts';
import { openSettledHome, signIn } from './places.ts';
import { passes } from '../until.ts';

let home: Home;
let token: string;
before(async () => {
  ({ home, token } = await openSettledHome({
    prepare: async ({ fixtures }) => {
      const moons = fixtures.items.find(({ title }) => title === 'Paper Moons') ?? assert.fail();
      moons.subtitles.push({ ...(moons.subtitles[0] ?? assert.fail()), hearingImpaired: true });
    },
  }));
});
after(closeAll);

test('two languages and one for the hard of hearing are wanted, fetched, deleted and taken back', async (t) => {
  const view = await openView(home);
  t.after(() => view.close());
  await signIn(view, home);
  const { page } = view;
  await page.goto('/subtitles');
  await settled(page);
  await page.getByRole('button', { name: 'Wanted subtitles' }).click();
  const dialog = page.getByRole('dialog', { name: 'Wanted subtitles' });
  await dialog.getByText('English is the default language').waitFor();
  for (const [language, kind] of [
    ['de', 'normal'],
    ['en', 'sdh'],
  ] as const) {
    await dialog.getByRole('button', { name: 'Add a language' }).click();
    await dialog.getByLabel('Language', { exact: true }).last().selectOption(language);
    await dialog.getByLabel('Kind', { exact: true }).last().selectOption(kind);
  }
  await dialog.getByRole('button', { name: 'Save' }).click();
  const columns = page.getByRole('region', { name: 'Coverage by library and language' }).getByRole('columnheader');
  await passes(async () =>
    assert.deepEqual((await columns.allTextContents()).slice(1), ['English', 'German', 'English, SDH']),
  );
  // Three columns fit a window of 1280 pixels without scrolling sideways.
  const table = page.getByRole('region', { name: 'Coverage by library and language' });
  await passes(async () =>
    assert.equal(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0),
  );
  const found = '/api/v1/subtitle-library?q=paper%20moons';
  const { body } = await ask<{ items: { id: string; file: string }[] }>(home.server, 'GET', found, { token });
  const { id, file } = body.items[0] ?? assert.fail();

  await page.goto(`/subtitles/${id}`);
  await settled(page);
  const card = page.getByRole('listitem').filter({
    has: page.getByRole('heading', { name: 'English, for the hard of hearing' }),
  });
  await card.getByText('Missing', { exact: true }).waitFor();
  await page.getByLabel('Fetch a subtitle in').selectOption('en');
  await page.getByLabel('Kind', { exact: true }).selectOption('sdh');
  await page.getByRole('button', { name: 'Fetch', exact: true }).click();
  await card.getByText('Installed', { exact: true }).waitFor();
  const workbench = card.getByRole('link', { name: 'Editor for English, for the hard of hearing' });
  assert.match((await workbench.getAttribute('href')) ?? '', /\?language=en&kind=sdh$/);
  const place = join(home.media, file.replace(/[.][^.]+$/, '.en.sdh.srt'));
  const bytes = readFileSync(place, 'utf8');

  await card.getByRole('button', { name: /^More for English, for the hard of hearing/ }).click();
  await page.getByRole('menuitem', { name: /^Delete file/ }).click();
  const question = page.getByRole('dialog', { name: /^Delete the subtitle/ });
  await question.getByText(file.replace(/[.][^.]+$/, '.en.sdh.srt')).waitFor();
  await question.getByRole('button', { name: 'Delete file' }).click();
  await card.getByText('Missing', { exact: true }).waitFor();
  assert.equal(existsSync(place), false);
  await page.getByRole('button', { name: /^Undo the deletion of English/ }).click();
  await card.getByText('Installed', { exact: true }).waitFor();
  assert.equal(readFileSync(place, 'utf8'), bytes);

  await page.goto('/settings/libraries');
  await page
    .getByRole('button', { name: /^Wanted subtitles in / })
    .first()
    .click();
  const own = page.getByRole('dialog', { name: /^Wanted subtitles in / });
  await own.getByText('A separate list').click();
  for (const name of ['English, for the hard of hearing', 'German', 'English'])
    await own.getByRole('button', { name: `Remove ${name}`, exact: true }).click();
  await own.getByText('no subtitle counts as missing').waitFor();
  await own.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Wanted subtitles: No subtitles are wanted').waitFor();
  await page.goto('/subtitles?status=wanted&q=paper%20moons');
  await page.getByText('No item matches these filters').waitFor();
});
