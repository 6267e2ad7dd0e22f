/** Flows of lists of cards: filters, selecting several, and playing from a card. */
import assert from 'node:assert/strict';
import { ask } from '../faults/child.ts';
import { passes } from '../until.ts';
import { openView, settled, untilPage, withHeldTimers } from './browser.ts';
import { type SettledHome, signIn } from './places.ts';

export async function filterKeepsFocus({ home }: SettledHome): Promise<void> {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto('/library');
  await settled(page);
  const focused = () =>
    page.evaluate<string>(
      `(({ activeElement: one }) => one.closest('[data-filter]')?.dataset.filter + ' ' +
        (one.getAttribute('aria-haspopup') ?? 'chosen'))(document)`,
    );
  const announced = () =>
    untilPage(
      page,
      `[...document.querySelectorAll('[role=status]')]
        .some((one) => /^\\d+ items?\u00a0?$/.test(one.textContent))`,
    );
  await page.getByRole('button', { name: 'Genre', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Enter');
  await untilPage(page, "location.search.includes('genre=')");
  await passes(async () => assert.equal(await focused(), 'genre chosen'));
  await announced();
  await settled(page);
  assert.equal(await focused(), 'genre chosen', 'after the list was read, too');
  await page.keyboard.press('Enter');
  await untilPage(page, "!location.search.includes('genre=')");
  await passes(async () => assert.equal(await focused(), 'genre menu'));
  await settled(page);
  assert.equal(await focused(), 'genre menu');
  await page.getByRole('button', { name: 'Type', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Films' }).press('Enter');
  await untilPage(page, "location.search.includes('view=')");
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
  await passes(async () => assert.match(await focused(), /menu$/, 'the first filter, after all were taken away'));
  await view.close();
}

export async function selectionIsMarked({ home, ids, token }: SettledHome): Promise<void> {
  const states = async () => {
    const { body } = await ask<{ items: { id: string; title: string; userData: object }[] }>(
      home.server,
      'GET',
      '/api/v1/library?view=movies&limit=100',
      { token },
    );
    return body.items;
  };
  await ask(home.server, 'PUT', `/api/v1/items/${ids.film}/progress`, {
    token,
    body: { position: 7, session: 'left-halfway', sequence: 1 },
  });
  const before = await states();
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto('/library?view=movies');
  await settled(page);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const selected = (count: number) =>
    passes(async () => assert.match(await bar.innerText(), RegExp(`^${count} selected`)));
  const check = (at: number) => page.getByRole('checkbox', { name: `Select ${before[at]?.title}`, exact: true });
  const box = () => page.locator('main li').first().boundingBox();
  const place = await box();
  await page.locator('main li').first().hover();
  await page
    .getByRole('link', { name: /^(Play|Resume) / })
    .first()
    .waitFor();
  assert.deepEqual(await box(), place, 'nothing moves when the buttons appear');
  await check(0).click();
  await selected(1);
  await page
    .locator('main li')
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await selected(3);
  assert.equal(new URL(page.url()).pathname, '/library', 'a click selects');
  await page.keyboard.press('Control+a');
  await selected(before.length);
  await page.getByRole('button', { name: 'Mark as watched', exact: true }).click();
  await page.getByText(`Marked ${before.length} items as watched`).waitFor();
  assert.ok((await states()).every(({ userData }) => (userData as { watched: boolean }).watched));
  assert.equal(await bar.count(), 0, 'the selection has ended');
  await page.getByRole('button', { name: 'Undo' }).click();
  await passes(async () => assert.deepEqual(await states(), before));
  await page.locator('main li a').first().focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await selected(1);
  await page.keyboard.press('Escape');
  await passes(async () => assert.equal(await bar.count(), 0));
  await view.close();
}

export async function longPressSelects({ home }: SettledHome): Promise<void> {
  const view = await openView(home, { width: 360, height: 740, isTouch: true });
  await signIn(view, home);
  const { page } = view;
  await page.goto('/library?view=movies');
  await settled(page);
  const touch = await page.context().newCDPSession(page);
  const finger = async (type: 'touchStart' | 'touchEnd', at: number) => {
    const { x = 0, y = 0 } = (await page.locator('main li').nth(at).boundingBox()) ?? {};
    await touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? [{ x: x + 40, y: y + 60 }] : [],
    });
  };
  const selected = (count: number) =>
    page.getByRole('toolbar', { name: 'Selection' }).getByText(`${count} selected`).waitFor();
  // No time passes between them, or a slow machine would make it a long press.
  const tap = (at: number) =>
    withHeldTimers(page, async () => {
      await finger('touchStart', at);
      await finger('touchEnd', at);
    });
  await finger('touchStart', 0);
  await selected(1);
  await finger('touchEnd', 0);
  await tap(2);
  await selected(2);
  assert.equal(new URL(page.url()).pathname, '/library', 'a tap selects while something is selected');
  await page.getByRole('button', { name: 'End selection' }).tap();
  await tap(2);
  await untilPage(page, "location.pathname.startsWith('/item/')");
  await view.close();
}

export async function showIsContinued({ home, ids, token }: SettledHome): Promise<void> {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  const first = await ask<{ items: { playNext: { id: string; position: number } }[] }>(
    home.server,
    'GET',
    '/api/v1/shows',
    { token },
  );
  const next = first.body.items[0]?.playNext;
  assert.ok(next);
  await page.goto(`/show/${ids.show}`);
  await page.getByRole('link', { name: 'Play S1 E1', exact: true }).waitFor();
  await ask(home.server, 'PUT', `/api/v1/items/${next.id}/progress`, {
    token,
    body: { position: 4, session: 'first-episode', sequence: 1 },
  });
  await page.getByRole('link', { name: 'Continue S1 E1', exact: true }).waitFor();
  await page.goto('/library?view=shows');
  await page.locator('main li').first().hover();
  await page.getByRole('link', { name: 'Continue Harbour Lights, S1 E1' }).click();
  await untilPage(page, `location.pathname === '/play/${next.id}'`);
  await view.close();
}

/** A show that is watched completely leaves home, unless its Profile watches shows again. */
export async function watchedShowIsOffered({ home, ids, token }: SettledHome): Promise<void> {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  const marked = await ask<{ id: string }>(home.server, 'POST', '/api/v1/watching/changes', {
    token,
    body: { ids: [ids.show], mark: 'watched' },
  });
  await page.goto('/');
  await settled(page);
  const next = page.getByRole('region', { name: 'Next up' });
  assert.equal(await next.count(), 0);
  await page.getByRole('button', { name: 'Arrange home' }).click();
  const dialog = page.getByRole('dialog', { name: 'Arrange home' });
  await dialog.getByRole('switch', { name: 'Rewatch in Next up' }).press('Space');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await next
    .getByRole('link', { name: /Harbour Lights/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Arrange home' }).click();
  await dialog.getByRole('button', { name: 'Reset to default' }).click();
  await passes(async () => assert.equal(await next.count(), 0));
  await ask(home.server, 'DELETE', `/api/v1/watching/changes/${marked.body.id}`, { token });
  await view.close();
}
