/**
 * A draft from picture subtitles with the real tesseract: how far it is and ending it, what it is not sure of, setting
 * that right by keyboard, applying it, and taking it back.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { closeAll, type Home, openView, untilPage } from './browser.ts';
import { isScratched, makePicturedFilm, PICTURED } from './pictured-film.ts';
import { openSettledHome, signIn } from './places.ts';
import { passes } from '../until.ts';

let home: Home;
let texts: string[];
let id: string;
const base = mkdtempSync(join(tmpdir(), 'drafts-'));
const bin = join(base, 'bin');
before(async () => {
  // The real program, which reads nothing while it is held: on a slow page, the draft would be ready before it is seen.
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'tesseract'),
    `#!/bin/sh\ncase " $* " in *" --list-langs "*) ;; *) while [ -e '${join(bin, 'held')}' ]; do sleep 0.05; done ;; ` +
      'esac\nexec /usr/bin/tesseract "$@"\n',
    { mode: 0o755 },
  );
  const opened = await openSettledHome({
    env: { SERVICE_TESSERACT: join(bin, 'tesseract') },
    prepare: async ({ media }) => {
      texts = await makePicturedFilm(media);
    },
  });
  home = opened.home;
  const { token } = opened;
  const found = await ask<{ items: { id: string }[] }>(home.server, 'GET', '/api/v1/library?q=silent%20reel', {
    token,
  });
  id = found.body.items[0]?.id ?? '';
});
after(async () => {
  await closeAll();
  rmSync(base, { recursive: true, force: true });
});

const subtitle = () => join(home.media, PICTURED.folder, `${PICTURED.name}.en.srt`);

test('read from the pictures with progress, set right where it is uncertain, applied, and taken back', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto(`/subtitles/${id}/edit?language=en`);
  await page.getByText('There is no English subtitle yet').waitFor();
  await page.getByText('A draft can read them into text').first().waitFor();

  const draft = page.getByRole('region', { name: 'Draft' });
  const begin = () => page.getByRole('button', { name: 'From images' }).click();
  const progress = draft.getByRole('progressbar', { name: 'Reading images, English' });
  writeFileSync(join(bin, 'held'), '');
  await begin();
  await progress.waitFor();
  await draft.getByRole('button', { name: 'Cancel' }).click();
  await draft.getByText('Cancelled', { exact: true }).waitFor();
  await begin();
  await progress.waitFor();
  rmSync(join(bin, 'held'));
  await draft.getByRole('button', { name: 'Use the draft' }).click();

  // Every line is there, the clear ones to the letter, and what was scratched is marked with how sure it is.
  const grid = page.getByRole('grid', { name: 'Lines' });
  await grid.getByRole('row').nth(2).waitFor();
  await passes(async () => assert.equal(await grid.getAttribute('aria-rowcount'), String(texts.length + 1)));
  const row = (n: number) => grid.locator(`[aria-rowindex="${n + 2}"]`);
  await passes(async () => assert.match((await row(0).textContent()) ?? '', new RegExp(texts[0] ?? '-')));
  const bad = texts.findIndex((_, n) => isScratched(n));
  await row(bad)
    .getByText(/uncertain word/)
    .waitFor();
  await passes(async () => assert.match((await row(bad).textContent()) ?? '', /\(\d+% certain\)/));
  await page.getByText(/^Underlined words may be wrong/).waitFor();
  const filter = page.getByRole('group', { name: 'Filter lines' }).locator('label', { hasText: 'Uncertain' });
  const uncertain = async () => Number(/\d+/.exec((await filter.textContent()) ?? '')?.[0] ?? 0);
  const before = await passes(async () => {
    const count = await uncertain();
    assert.ok(count >= texts.filter((_, n) => isScratched(n)).length, `${count} uncertain`);
    return count;
  });

  // To the first of them, its words set right, and back to the list; then one that is right as it is.
  await grid.getByRole('row').nth(1).focus();
  await page.keyboard.press('u');
  await untilPage(page, `document.activeElement?.getAttribute('aria-rowindex') === '${bad + 2}'`);
  await page.keyboard.press('e');
  await untilPage(page, "document.activeElement?.tagName === 'TEXTAREA'");
  await page.keyboard.press('Control+a');
  await page.keyboard.type(texts[bad] ?? '');
  await untilPage(
    page,
    `document.querySelector('[aria-rowindex="${bad + 2}"]')?.textContent.includes(${JSON.stringify(texts[bad])})`,
  );
  await passes(async () => assert.equal(await uncertain(), before - 1));
  await page.keyboard.press('Escape');
  await untilPage(page, `document.activeElement?.getAttribute('aria-rowindex') === '${bad + 2}'`);
  await page.keyboard.press('u');
  await untilPage(page, `Number(document.activeElement?.getAttribute('aria-rowindex')) > ${bad + 2}`);
  await page.keyboard.press('r');
  await untilPage(page, `document.querySelector('fieldset')?.textContent.includes('Uncertain ${before - 2}')`);
  await untilPage(page, "document.querySelector('[aria-busy=true]') === null");

  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: /^Apply to English/ });
  await dialog.getByText('There is no current subtitle, so nothing is replaced.').waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Saved the English subtitle').waitFor();
  const written = readFileSync(subtitle(), 'utf8');
  assert.equal(written.match(/-->/g)?.length, texts.length);
  assert.ok(written.startsWith(`1\n00:00:01,000 --> 00:00:02,600\n${texts[0]}\n`), written.slice(0, 80));
  assert.match(written, new RegExp(`00:00:${String(1 + 2 * bad).padStart(2, '0')},000 --> .*\n${texts[bad]}\n`));

  await page
    .getByRole('status', { name: 'Notifications' })
    .locator('div', { hasText: 'Saved the' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await page.getByText(/^Undone/).waitFor();
  assert.equal(existsSync(subtitle()), false, 'there was none before');
  await untilPage(page, `document.querySelector('fieldset')?.textContent.includes('Uncertain ${before - 2}')`);
  await view.close();
});
