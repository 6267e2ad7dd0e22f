/** A subtitle is chosen from what the providers offer, where the server does not take one by itself. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import type { Fixtures } from '../stand-ins/index.ts';
import { passes } from '../until.ts';
import { closeAll, type Home, openView, settled, untilPage } from './browser.ts';
import { openSettledHome, runTask, signIn } from './places.ts';

let home: Home;
let token: string;
before(async () => {
  ({ home, token } = await openSettledHome({ prepare: async ({ fixtures }) => offerItalian(fixtures) }));
});
after(closeAll);

const ITALIAN = ['Le macchine tacciono ancora.', 'Non so che cosa sia successo.', 'Dobbiamo aspettare il mattino.'];
const QUIET = 'Quiet.Machines.2020.1080p.BluRay.x264-OTHER';
/** Offers a film's subtitles for another release, which cannot be confirmed, and one that a machine translated. */
function offerItalian({ items }: Fixtures): void {
  const lines = ITALIAN.map((text, n) => ({ start: 1 + n * 3, end: 3 + n * 3, text }));
  const offer = { language: 'it', releases: [QUIET], lines };
  items
    .find(({ title }) => title === 'Quiet Machines')
    ?.subtitles.push(
      { ...offer, providers: ['subtitles_a'], uploader: 'Carla' },
      { ...offer, providers: ['subtitles_b'], machineTranslated: true },
    );
}

test('a refused fetch leads to the candidates; one is used, taken back, opened and used again', async (t) => {
  const { id, file } = await passes(async () => {
    const { body } = await ask<{ items: { id: string; file: string }[] }>(
      home.server,
      'GET',
      '/api/v1/subtitle-library?q=quiet%20machines',
      { token },
    );
    return body.items[0] ?? assert.fail('the inventory follows the scan');
  });
  const place = join(home.media, file.replace(/\.mkv$|\.mp4$/, '.it.srt'));
  const view = await openView(home, { expected: /503|409/ });
  t.after(() => view.close());
  await signIn(view, home);
  const { page } = view;
  await page.goto(`/subtitles/${id}`);
  await settled(page);
  await page.getByLabel('Fetch a subtitle in').selectOption('it');
  await page.getByRole('button', { name: 'Fetch', exact: true }).click();
  const refused = page
    .getByRole('region', { name: 'Fetch a subtitle' })
    .getByRole('button', { name: 'Choose a subtitle' });
  // The second one is in the reply to the fetch.
  await refused.nth(1).waitFor();
  await refused.nth(1).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Choose a subtitle: Italian' });
  const rows = dialog.getByRole('listitem').filter({ hasText: QUIET });
  await rows.first().getByText('SubDL · by Carla').waitFor();
  await rows.first().getByText('Same title', { exact: true }).waitFor();
  await rows.first().getByText('Not chosen automatically').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await untilPage(page, "document.activeElement.textContent === 'Choose a subtitle'");

  // The best is used, and taken back.
  await refused.nth(1).click();
  await dialog.getByText('1 subtitle that cannot be used').click();
  await rows.nth(1).getByText('It was translated by a machine.').waitFor();
  assert.equal(await rows.nth(1).getByRole('button').count(), 0);
  await dialog.getByRole('button', { name: `Use anyway: ${QUIET}, SubDL` }).click();
  await page.getByText('The Italian subtitle is installed').waitFor();
  assert.ok(existsSync(place));
  await page.getByRole('button', { name: 'Undo' }).click();
  await passes(async () => assert.ok(!existsSync(place)));

  // A downloaded one shows its first lines, and is opened as a draft.
  await refused.first().click();
  await rows.first().getByText('First lines').click();
  await rows
    .first()
    .getByText(ITALIAN[0] ?? '')
    .waitFor();
  await dialog.getByRole('button', { name: /^Open in the editor/ }).click();
  await untilPage(page, '/edit\\?language=it&kind=normal&draft=[0-9a-f]{16}/.test(location.href)');
  await page
    .getByText(ITALIAN[1] ?? '')
    .first()
    .waitFor();
  assert.ok(!existsSync(place), 'a draft installs nothing');

  // A file of the user is shown before it is replaced.
  const own = '1\n00:00:01,000 --> 00:00:02,000\nQuesto l’ho scritto io.\n';
  writeFileSync(place, own);
  await runTask(home, token, 'scan');
  await page.goto(`/subtitles/${id}?choose=it`);
  await dialog.getByRole('button', { name: /^Use anyway/ }).click();
  const question = page.getByRole('dialog', { name: 'Replace your own file?' });
  await question.getByText('Questo l’ho scritto io.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(readFileSync(place, 'utf8'), own);
  await dialog.getByRole('button', { name: /^Use anyway/ }).click();
  await question.getByRole('button', { name: 'Replace' }).click();
  await page.getByText('The Italian subtitle is installed').waitFor();
  assert.match(readFileSync(place, 'utf8'), /tacciono/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await passes(async () => assert.equal(readFileSync(place, 'utf8'), own));
});

test('a film in two files has a tab for each part, and the workbench edits the part that was chosen', async (t) => {
  const { id } = await passes(async () => {
    const { body } = await ask<{ items: { id: string; parts?: unknown[] }[] }>(
      home.server,
      'GET',
      '/api/v1/subtitle-library?q=long%20winter',
      { token },
    );
    const [film] = body.items;
    assert.equal(film?.parts?.length, 2);
    return film;
  });
  const view = await openView(home);
  t.after(() => view.close());
  await signIn(view, home);
  const { page } = view;
  await page.goto(`/subtitles/${id}`);
  await settled(page);
  await page.getByText('Long Winter (2008) - cd1.mp4').waitFor();
  await page.getByRole('tab', { name: /^Part 1/ }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('Long Winter (2008) - cd2.mp4').waitFor();
  assert.match(page.url(), /part=2$/);
  await page.getByRole('link', { name: 'Editor for English' }).click();
  await page.getByText(/^Part 2 · English/).waitFor();
  assert.match(page.url(), /part=2/);
  await page.getByRole('link', { name: 'All subtitles of this item' }).click();
  await page.getByText('Long Winter (2008) - cd2.mp4').waitFor();
});
