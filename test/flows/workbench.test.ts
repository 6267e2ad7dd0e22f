/**
 * The workbench, on a film with speech in it: a subtitle is fetched, a badly timed file takes its place and is brought
 * to the speech, and every step is taken back to the last byte. By mouse, by keyboard alone, and on a phone.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { closeAll, type Home, openView, settled, untilPage, type View } from './browser.ts';
import { openSettledHome, signIn } from './places.ts';
import { type Line, makeSpokenFilm, SPOKEN, srtOf } from './spoken-film.ts';
import { passes } from '../until.ts';

const LATE_S = 4.2;
let home: Home;
let token: string;
let lines: Line[];
let id: string;
before(async () => {
  ({ home, token } = await openSettledHome({
    prepare: async (house) => {
      lines = await makeSpokenFilm(house);
    },
  }));
  const found = await ask<{ items: { id: string }[] }>(home.server, 'GET', '/api/v1/library?q=harbour%20voices', {
    token,
  });
  id = found.body.items[0]?.id ?? '';
});
after(closeAll);

const subtitle = () => join(home.media, SPOKEN.folder, `${SPOKEN.name}.en.srt`);
const digest = () => createHash('sha256').update(readFileSync(subtitle())).digest('hex');
const fileOf = (text: string) => ({ name: 'late.srt', mimeType: 'application/x-subrip', buffer: Buffer.from(text) });
/** Seconds of the first line in the file. */
function firstStart(): number {
  const [, hours = '', minutes = '', seconds = '', ms = ''] =
    /(\d\d):(\d\d):(\d\d),(\d{3}) -->/.exec(readFileSync(subtitle(), 'utf8')) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(ms) / 1000;
}
async function bench(view: View): Promise<Page> {
  const { page } = view;
  await page.goto(`/subtitles/${id}`);
  await page.getByRole('link', { name: 'Editor for English' }).click();
  await page.getByRole('grid', { name: 'Lines' }).getByRole('row').nth(2).waitFor();
  // Replies that come later move the waveform and the lines.
  await settled(page);
  return page;
}
const panel = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
async function apply(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Apply to English/ });
  await dialog.getByText(`${SPOKEN.name}.en.srt`).waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Saved the English subtitle').waitFor();
}
async function restore(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Restore' }).click();
  await page
    .getByRole('dialog', { name: /^Restore the preserved/ })
    .getByRole('button', { name: 'Restore' })
    .click();
  await page.getByText('Restored', { exact: true }).waitFor();
}

test('a badly timed file is aligned, compared and applied, and undone to the last byte', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  try {
    await page.goto(`/subtitles/${id}`);
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await page.getByText(/English from (SubDL|SubSource|OpenSubtitles)/).waitFor();
    assert.ok(existsSync(subtitle()));
    const original = digest();

    await page.getByRole('link', { name: 'Editor for English' }).click();
    await page.getByRole('grid', { name: 'Lines' }).getByRole('row').nth(2).waitFor();
    await panel(page, 'Source');
    await page.getByLabel('Subtitle file').setInputFiles(fileOf(srtOf(lines, LATE_S)));
    await page.getByRole('switch', { name: 'Align to the speech' }).check();
    await page.getByText('The lines were aligned to the speech.').waitFor();
    await passes(async () => {
      const moved = (await page.locator('li', { hasText: 'All lines' }).locator('strong').textContent()) ?? '';
      const shift = Number(moved.replace('−', '-').replace(' s', ''));
      assert.ok(Math.abs(shift + LATE_S) < 0.1, `late by ${LATE_S} s, moved by ${moved}`);
    });
    assert.equal(digest(), original, 'a preview writes nothing');

    // Compared: every line of both sides, and choosing one brings the film there with the line over it.
    const grid = page.getByRole('grid', { name: 'Lines' });
    await passes(async () => assert.ok(Number(await grid.getAttribute('aria-rowcount')) > lines.length));
    await grid.getByRole('row').nth(4).click();
    await untilPage(
      page,
      "document.querySelector('video')?.currentTime > 1 && " +
        "document.querySelector('[data-cue]')?.textContent.length > 0",
    );

    await page.keyboard.press('Control+Enter');
    await apply(page);
    const applied = digest();
    assert.notEqual(applied, original);
    assert.ok(Math.abs(firstStart() - (lines[0]?.start ?? 0)) < 0.1, `starts at ${firstStart()}`);

    await restore(page);
    assert.equal(digest(), original, 'the exact original bytes');
    // The toast of the restore takes it back, too.
    await page
      .getByRole('status', { name: 'Notifications' })
      .locator('div', { hasText: 'Restored' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await page.getByText(/^Undone/).waitFor();
    assert.equal(digest(), applied);
    await restore(page);
    assert.equal(digest(), original);
    await view.close();
  } catch (error) {
    await page.screenshot({ path: join(process.env['TMPDIR'] ?? '/tmp', 'matinee-workbench-failed.png') });
    throw error;
  }
});

test('by keyboard alone: shift, edit, apply, undo; and leaving with work asks', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const page = await bench(view);
  const original = digest();
  const start = firstStart();
  await page.keyboard.press(']');
  await page.keyboard.press('}');
  await page.getByText(/moved by \+0\.600 s/).waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(/moved by \+0\.100 s/).waitFor();
  // The first line is anchored where the film is, half a second on; taken back, the shift is there again.
  await page.keyboard.press('j');
  await untilPage(page, "document.activeElement?.getAttribute('aria-rowindex') === '2'");
  await page.keyboard.press('l');
  await page.keyboard.press('a');
  await page.getByLabel(/^The line of .* starts at$/).waitFor();
  await page.getByText(/moved by \+1\.100 s/).waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(/moved by \+0\.100 s/).waitFor();
  // Its words, and back to the list.
  await page.keyboard.press('e');
  await untilPage(page, "document.activeElement?.tagName === 'TEXTAREA'");
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Spoken by a keyboard.');
  await page.getByText(/1 reworded/).waitFor();
  await untilPage(page, "document.querySelector('[aria-busy=true]') === null");

  // The back key of the browser waits for an answer.
  await page.evaluate('history.back()');
  const leave = page.getByRole('dialog', { name: /^Leave without applying/ });
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await leave.waitFor({ state: 'detached' });
  assert.match(new URL(page.url()).pathname, /\/edit$/);
  await page.getByRole('link', { name: 'All subtitles of this item' }).click();
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await leave.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+Enter');
  await apply(page);
  assert.match(readFileSync(subtitle(), 'utf8'), /Spoken by a keyboard\./);
  assert.ok(Math.abs(firstStart() - start - 0.1) < 0.002);
  await page.getByRole('status', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/^Undone/).waitFor();
  assert.equal(digest(), original, 'undone to the last byte');
  await page.getByText(/1 reworded/).waitFor();
  await view.close();
});

test('a file is taken up where it is dropped, and one that is no subtitle is refused with what to do', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const page = await bench(view);
  const drop = async (name: string, text: string) => {
    const data = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], ` +
        `${JSON.stringify(name)})); return data; })()`,
    );
    await page.dispatchEvent('main', 'dragover', { dataTransfer: data });
    await page.getByText('Drop the subtitle here').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: data });
    await page.getByText('Drop the subtitle here').waitFor({ state: 'detached' });
  };
  await drop('dropped.srt', srtOf(lines.slice(0, 3), 1));
  await panel(page, 'Source');
  await page.getByText('The file dropped.srt').waitFor();
  await page.getByText(/^3 lines/).waitFor();
  await drop('photo.srt', '');
  await page.getByRole('status', { name: 'Notifications' }).getByText(/empty/).waitFor();
  await page.getByText('The file dropped.srt').waitFor();
  // Letters that run to the left do so here too, and a line says its language to whoever reads it aloud.
  await drop('right.srt', '1\n00:00:01,000 --> 00:00:02,000\nمرحبا بكم.\n');
  await untilPage(
    page,
    `[...document.querySelectorAll('[role=row] [lang=en]')].some(
      (one) => one.textContent.includes('مرحبا') && getComputedStyle(one).direction === 'rtl')`,
  );
  await view.context.close();
});

test('a server that does not answer is said so, nothing set is lost, and it is asked again', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const page = await bench(view);
  await view.context.setOffline(true);
  await page.keyboard.press(']');
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await passes(async () =>
    assert.ok(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled(), 'it cannot be applied'),
  );
  await view.context.setOffline(false);
  await again.click();
  await page.getByText(/moved by \+0\.100 s/).waitFor();
  await again.waitFor({ state: 'detached' });
  await view.context.close();
});

test('an alignment is made in the background, and reviewed as a draft', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const page = await bench(view);
  await page.getByRole('button', { name: 'Run in the background' }).click();
  await panel(page, 'Source');
  await page.getByRole('button', { name: 'Use the draft' }).click();
  await page.getByText('The draft', { exact: true }).waitFor();
  await panel(page, 'Timing');
  await page.getByText('The lines already match the speech.').waitFor();
  await view.close();
});

test('by mouse in the waveform: a line is dragged, an anchor is set, and a closer look is asked for', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const page = await bench(view);
  const wave = page.getByRole('slider', { name: 'Position in the film' });
  const box = await wave.boundingBox();
  assert.ok(box);
  const x = (seconds: number) => box.x + (seconds / 480) * box.width;
  const foot = box.y + box.height - 8;
  const [line] = lines;
  assert.ok(line);
  const detailed = page.waitForRequest(
    (request) => request.url().endsWith('/audio') && /"from"/.test(request.postData() ?? ''),
  );
  await page.mouse.move(x((line.start + line.end) / 2), foot);
  await page.mouse.down();
  await page.mouse.move(x((line.start + line.end) / 2) + 30, foot, { steps: 5 });
  await page.mouse.up();
  const by = (30 / box.width) * 480;
  await page.getByLabel(/^The line of .* starts at$/).waitFor();
  await passes(async () => {
    const said = (await page.getByText(/moved by [+−][\d.]+ s/).textContent()) ?? '';
    const moved = Number(/moved by \+([\d.]+) s/.exec(said)?.[1]);
    assert.ok(Math.abs(moved - by) < 0.5, `dragged by ${by.toFixed(2)} s: ${said}`);
  });
  // A second one, for another line, by pressing with Shift.
  const other = lines[40];
  assert.ok(other);
  await page.getByLabel('Search lines').fill(other.text);
  await page.getByRole('grid', { name: 'Lines' }).getByRole('row').nth(3).click();
  await page.keyboard.down('Shift');
  await page.mouse.click(x(240), box.y + box.height / 2);
  await page.keyboard.up('Shift');
  await untilPage(page, "document.querySelectorAll('ul li input').length >= 2");
  await page.mouse.move(x(240), box.y + box.height / 2);
  await page.keyboard.down('Control');
  for (let n = 0; n < 6; n++) await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  await detailed;
  await view.context.close();
});

test('by finger in the waveform: two bring it closer, one moves it along, a tap goes there', async () => {
  const view = await openView(home, { width: 390, height: 844, isTouch: true });
  await signIn(view, home);
  const page = await bench(view);
  const wave = page.getByRole('slider', { name: 'Position in the film' });
  await wave.scrollIntoViewIfNeeded();
  const debug = await view.context.newCDPSession(page);
  const box = await wave.boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  const at = (part: number) => box.x + part * box.width;
  type Fingers = readonly number[];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', fingers: Fingers) =>
    debug.send('Input.dispatchTouchEvent', { type, touchPoints: fingers.map((part, id) => ({ x: at(part), y, id })) });
  /** From some places to others, in steps as fingers make them. */
  const slide = async (from: Fingers, to: Fingers) => {
    await touch('touchStart', from);
    for (let step = 1; step <= 8; step++)
      await touch(
        'touchMove',
        from.map((part, n) => part + (((to[n] ?? part) - part) * step) / 8),
      );
    await touch('touchEnd', []);
  };
  /** A tap goes to a time. */
  const tapTo = async (part: number, wanted: number, what: string): Promise<void> => {
    await touch('touchStart', [part]);
    await touch('touchEnd', []);
    await passes(async () => {
      const value = Number(await wave.getAttribute('aria-valuenow'));
      assert.ok(Math.abs(value - wanted) <= 8, `${what}: ${value} for ${wanted}`);
    });
  };
  await tapTo(0.25, 120, 'the whole film is in view');
  const detailed = page.waitForRequest(
    (request) => request.url().endsWith('/audio') && /"from"/.test(request.postData() ?? ''),
  );
  await slide([0.4, 0.6], [0.1, 0.9]);
  await detailed;
  await tapTo(0.5, 240, 'what is between the fingers stays');
  await tapTo(0.02, 240 - (0.48 * 480) / 4, 'four times as close');
  // Both to one side move it along, and so does one.
  await slide([0.3, 0.7], [0.5, 0.9]);
  await tapTo(0.5, 216, 'moved by two');
  await slide([0.3], [0.8]);
  await tapTo(0.5, 156, 'moved by one');
  await page.getByRole('button', { name: 'Go to the lines' }).click();
  await untilPage(page, "document.activeElement?.getAttribute('role') === 'row'");
  await page.getByRole('grid', { name: 'Lines' }).getByRole('row').nth(2).click();
  await page.getByRole('button', { name: 'Set anchor' }).click();
  await wave.scrollIntoViewIfNeeded();
  const now = await wave.boundingBox();
  assert.ok(now);
  await page.touchscreen.tap(now.x + now.width / 2, now.y + now.height / 2);
  await page.getByLabel(/^The line of .* starts at$/).waitFor();
  await view.context.close();
});

test('a file that changes meanwhile is read again, and what was set stays', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const page = await bench(view);
  await page.keyboard.press(']');
  await page.getByText(/moved by \+0\.100 s/).waitFor();
  const { body } = await ask<{ fingerprint: string }>(
    home.server,
    'GET',
    `/api/v1/subtitle-library/${id}/inspect?language=en`,
    { token },
  );
  const other = await ask(home.server, 'POST', `/api/v1/subtitle-library/${id}/apply`, {
    token,
    body: { language: 'en', fingerprint: body.fingerprint, offsetMilliseconds: 1000 },
  });
  assert.equal(other.status, 200);
  await page.keyboard.press(']');
  await page.getByText(/has changed and was reloaded/).waitFor();
  await page.getByText(/moved by \+0\.200 s/).waitFor();
  await page.getByRole('button', { name: 'OK' }).click();
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('dialog', { name: /^Apply to English/ })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await view.context.close();
});

test('on a phone: shift, apply, freeze and restore', async () => {
  const view = await openView(home, { width: 360, height: 740, theme: 'light' });
  await signIn(view, home);
  const page = await bench(view);
  const start = firstStart();
  await page.getByRole('button', { name: 'Later by 500 milliseconds' }).click();
  await page.getByText(/moved by \+0\.500 s/).waitFor();
  await untilPage(page, "document.querySelector('[aria-busy=true]') === null");
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await apply(page);
  assert.ok(Math.abs(firstStart() - start - 0.5) < 0.002);
  await page.goto(`/subtitles/${id}`);
  await settled(page);
  const card = page
    .getByRole('list', { name: 'Languages' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'English' }) });
  const isFree = await card.getByRole('switch', { name: 'May be replaced' }).isChecked();
  await card.getByRole('switch', { name: 'May be replaced' }).click();
  await page.getByText(isFree ? 'The English subtitle is frozen' : 'The English subtitle may be replaced').waitFor();
  await card.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('The preserved English subtitle is restored').waitFor();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await view.close();
});
