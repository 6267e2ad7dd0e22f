/**
 * Other flows of a household: signing in with a code, searching with a typo, browsing by
 * keyboard, a child that sees only its library, settings that take effect at once or after a restart, a key that is
 * shown once, and confirming one's identity again.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { TOTP } from 'otpauth';
import { ask } from '../faults/child.ts';
import { violations } from './axe.ts';
import {
  addExtras,
  filmHasItsTrailer,
  frameStays,
  phrasePlaysItsSecond,
  secondTabFollows,
  tabsOpenTogether,
} from './extras-and-tabs.ts';
import { childAsks } from './asking.ts';
import { householdDeviceOpens } from './household-device.ts';
import {
  filterKeepsFocus,
  longPressSelects,
  selectionIsMarked,
  showIsContinued,
  watchedShowIsOffered,
} from './lists.ts';
import { directoryIsConnected } from './directory.ts';
import { outsideSignsIn } from './outside.ts';
import { advance, closeAll, type Home, openView, OWNER, settled, untilPage } from './browser.ts';
import { type Ids, inTheme, openSettledHome, signIn } from './places.ts';
import { passes } from '../until.ts';

let home: Home;
let ids: Ids;
let token: string;
before(async () => {
  ({ home, ids, token } = await openSettledHome({
    prepare: addExtras,
  }));
});
after(closeAll);

test('a television signs in with a code that a phone approves', async () => {
  const viewer = { name: 'Ivy', password: 'nine tall green garden doors' };
  const made = await ask<{ id: string }>(home.server, 'POST', '/api/v1/profiles', {
    token,
    body: { ...viewer, role: 'viewer' },
  });
  assert.equal(made.status, 201);
  const television = await openView(home, { width: 1920, height: 1080 });
  await television.page.goto('/history');
  await television.page.getByRole('button', { name: 'Use another device' }).click();
  const shown = television.page.getByRole('img', { name: /^Code: / });
  await shown.waitFor();
  assert.deepEqual(await violations(television.page), []);
  const code = ((await shown.textContent()) ?? '').replace(/\D/g, '');
  assert.match(code, /^\d{6}$/);

  const phone = await openView(home, { width: 390, height: 844, isTouch: true });
  await signIn(phone, home);
  await phone.page.goto('/account');
  const part = phone.page.getByRole('region', { name: 'Connect a device' });
  await part.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
  await part.getByRole('button', { name: 'Continue' }).click();
  await part.getByRole('alert').filter({ hasText: 'No device waits with this code' }).waitFor();
  await part.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await part.getByRole('button', { name: 'Continue' }).click();
  const dialog = phone.page.getByRole('dialog', { name: /^Sign in: / });
  await dialog.getByLabel('Sign in as').selectOption({ label: viewer.name });
  assert.deepEqual(await violations(phone.page), []);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await phone.page.getByText(/^Signed in: /).waitFor();

  // It asks every two seconds.
  await advance(television.page, 2_000);
  await television.page.getByRole('heading', { name: 'History' }).waitFor();
  await television.page.goto('/account');
  await television.page.getByRole('heading', { name: viewer.name }).waitFor();
  await ask(home.server, 'DELETE', `/api/v1/profiles/${made.body.id}`, { token });
  await phone.close();
  await television.close();
});

test('signing in: a wrong password says so, a second factor is asked for and taken', async () => {
  const name = 'Joan';
  const password = 'seven green glass bottles';
  assert.equal(
    (await ask(home.server, 'POST', '/api/v1/profiles', { token, body: { name, password, role: 'owner' } })).status,
    201,
  );
  const session = await ask<{ token: string }>(home.server, 'POST', '/api/v1/session', { body: { name, password } });
  const { body } = await ask<{ secret: string }>(home.server, 'POST', '/api/v1/me/mfa', {
    token: session.body.token,
    body: {},
  });
  const totp = new TOTP({ secret: body.secret });
  assert.equal(
    (await ask(home.server, 'PUT', '/api/v1/me/mfa', { token: session.body.token, body: { code: totp.generate() } }))
      .status,
    204,
  );

  const view = await openView(home);
  const { page } = view;
  await page.goto('/history');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('something else entirely');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: /\S/ }).or(page.locator('[aria-invalid=true]')).first().waitFor();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // A step counts once, so this is the next one: good now, and when its time comes while it is on its way.
  await page.getByLabel('Code').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/history', 'it goes on where it was asked to sign in');
  await view.close();
});

test('a household device shows a picker, and opens Viewers with nothing and with a PIN', () =>
  householdDeviceOpens({ home, token, ids }));

test('a child asks for a film and for more time, an Owner approves, and the child watches', () =>
  childAsks({ home, token, ids }));

test('search finds what was meant, and a show leads to its episode', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto('/search');
  await page
    .getByRole('searchbox')
    .or(page.getByRole('combobox'))
    .or(page.locator('input'))
    .first()
    .fill('harbuor lihgts');
  await page.locator('main a[href^="/show/"]', { hasText: 'Harbour Lights' }).first().press('Enter');
  await page.getByRole('heading', { name: 'Harbour Lights', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/show/${ids.show}`);
  await page
    .getByRole('link', { name: /The pilot boat$/ })
    .last()
    .click();
  await page.getByRole('heading', { name: 'The pilot boat', level: 1 }).waitFor();
  await view.close();
});

test('a remembered phrase plays the film at its second', () => phrasePlaysItsSecond({ home, token }));

test('an entry is removed from the watch history, and brought back', async () => {
  await ask(home.server, 'PUT', `/api/v1/items/${ids.film}/progress`, {
    token,
    body: { position: 1, session: 'an-evening', sequence: 1 },
  });
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto('/history');
  const remove = page.getByRole('button', { name: / from watch history$/ });
  await remove.first().waitFor();
  const before = await remove.count();
  const label = await remove.first().getAttribute('aria-label');
  await remove.first().click();
  await passes(async () => assert.equal(await remove.count(), before - 1, `${label}`));
  await page.getByRole('button', { name: 'Undo' }).click();
  await passes(async () => assert.equal(await remove.count(), before));
  assert.equal(await remove.first().getAttribute('aria-label'), label, 'in its place');
  await view.close();
});

test('the shelves are walked by keyboard alone', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto('/library');
  await settled(page);
  await page.locator('main a[href^="/item/"], main a[href^="/show/"]').first().focus();
  const focused = () => page.evaluate<string>("document.activeElement?.getAttribute('href') ?? ''");
  const leaves = (before: string, what: string) =>
    passes(async () => {
      const now = await focused();
      assert.ok(now !== '' && now !== before, `${what}: ${now}`);
      return now;
    });
  const first = await leaves('', 'the first one');
  await page.keyboard.press('ArrowRight');
  const second = await leaves(first, 'right is the next one');
  await page.keyboard.press('ArrowDown');
  await leaves(second, 'down is the row below');
  await page.keyboard.press('ArrowUp');
  await passes(async () => assert.equal(await focused(), second, 'and up is back'));
  // The buttons of the card with the focus come next, and nothing moves when they appear.
  await page.keyboard.press('Tab');
  await passes(async () => assert.match(await focused(), /^\/play\//));
  await page.keyboard.press('Shift+Tab');
  await passes(async () => assert.equal(await focused(), second));
  await page.keyboard.press('Enter');
  await untilPage(page, `location.pathname === '${second.split('?')[0]}'`);
  await view.close();
});

test('a filter keeps the focus when its button is replaced, and the number of items is announced', () =>
  filterKeepsFocus({ home, ids, token }));

test('films are selected by mouse and keyboard, marked at once, and are as before after Undo', () =>
  selectionIsMarked({ home, ids, token }));

test('on a phone a long press selects, and a tap opens as before', () => longPressSelects({ home, ids, token }));
test('a show is played from where it was left, in its page and on its card', () =>
  showIsContinued({ home, ids, token }));

test('a watched show is next up again for a Profile that watches shows again', () =>
  watchedShowIsOffered({ home, ids, token }));

test('the chosen or the system theme applies before the first paint; a film is dark in both', async () => {
  const view = await openView(home, { theme: 'light' });
  await signIn(view, home);
  const { page } = view;
  const ground = (where: string) =>
    page
      .locator(where)
      .evaluate((one: object) =>
        (globalThis as unknown as { getComputedStyle(one: object): { getPropertyValue(name: string): string } })
          .getComputedStyle(one)
          .getPropertyValue('--bg')
          .trim(),
      );
  const [light, dark] = ['#faf8f5', '#0e0f13'];
  await page.goto('/account');
  await settled(page);
  const becomes = (where: string, colour: string | undefined, what: string) =>
    passes(async () => assert.equal(await ground(where), colour, what));
  await becomes('html', light, 'the system is light');
  await inTheme(page, 'dark');
  await becomes('html', dark, 'the system turned to dark');
  await inTheme(page, 'light');
  await page.getByText('Dark', { exact: true }).click();
  await untilPage(page, "document.documentElement.dataset.theme === 'dark'");
  await page.reload({ waitUntil: 'commit' });
  await untilPage(page, "document.documentElement.dataset.theme === 'dark'");
  await settled(page);
  await becomes('html', dark, 'chosen here, and kept');
  await page.getByText('Light', { exact: true }).click();
  await untilPage(page, "document.documentElement.dataset.theme === 'light'");
  await page.goto(`/play/${ids.film}`);
  await page.locator('[data-theme=dark] video').waitFor({ state: 'attached' });
  await becomes('[data-theme=dark]', dark, 'a film is dark');
  await becomes('html', light, 'and the rest as chosen');
  await view.close();
});

test('a film has its trailer, its versions with their sizes, and one row of buttons on a phone', () =>
  filmHasItsTrailer({ home, ids, token }));

test('the frame stays without the server, and the page comes back by itself', () => frameStays({ home, ids, token }));

test('a second tab follows: what is watched, the theme, and who is signed in', () =>
  secondTabFollows({ home, ids, token }));

test('two tabs that are opened at the same time both show their page', () => tabsOpenTogether({ home, ids, token }));

test('a Viewer sees the libraries it was given, and nothing of the others', async () => {
  const password = 'three small wooden boats';
  const none = { libraries: [], rating: 'all', windows: [], remote: false, transcode: false, download: false };
  const made = await ask<{ id: string }>(home.server, 'POST', '/api/v1/profiles', {
    token,
    body: { name: 'Kim', password, policy: none },
  });
  assert.equal(made.status, 201);
  const view = await openView(home);
  await signIn(view, home, { name: 'Kim', password });
  const { page } = view;
  await page.goto('/library');
  await settled(page);
  assert.equal(await page.locator('main a[href^="/item/"], main a[href^="/show/"]').count(), 0);
  // On a large screen, what is there instead is in the middle and can be read from afar.
  await page.setViewportSize({ width: 2560, height: 1440 });
  const empty = page.getByRole('heading', { name: 'There is no library yet' });
  const { y = 0, height = 0 } = (await empty.boundingBox()) ?? {};
  assert.ok(y > 1440 * 0.35 && y < 1440 * 0.65, `at ${y} of 1440`);
  assert.ok(height > 48, `${height} pixels high`);
  assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
  await page.goto(`/item/${ids.film}`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  const { body } = await ask<{ items: { id: string }[] }>(home.server, 'GET', '/api/v1/libraries', { token });
  assert.equal(
    (
      await ask(home.server, 'PUT', `/api/v1/profiles/${made.body.id}`, {
        token,
        body: { policy: { ...none, libraries: body.items.map(({ id }) => id) } },
      })
    ).status,
    200,
  );
  await page.goto(`/item/${ids.film}`);
  await page.getByRole('heading', { name: 'The Lighthouse Keeper', level: 1 }).waitFor();
  await view.close();
});

test('a setting takes effect at once, or says that it waits for a restart', async () => {
  const view = await openView(home, { expected: /fetch|net::/ });
  await signIn(view, home);
  const { page } = view;
  await page.goto('/');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'General', level: 1 }).waitFor();
  // By keyboard: the focus stays in the field when the button that was pressed goes away.
  const name = page.getByLabel('Server name', { exact: true });
  await name.fill('Beach house');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Saved: Server name', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  await untilPage(page, "document.activeElement?.labels?.[0]?.textContent === 'Server name'");
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Restored: Server name').waitFor();
  await passes(async () => assert.equal(await name.inputValue(), ''));
  // A search finds what is not on this page, by its name and by its key, and keeps the focus.
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  for (const words of ['watch history', 'logging.playback_retention']) {
    await search.fill(words);
    await page.waitForURL((url) => url.searchParams.get('q') === words);
    await page.getByText('logging.playback_retention', { exact: true }).waitFor();
    await untilPage(page, "document.activeElement?.type === 'search'");
  }
  await search.fill('dlna');
  await page.getByText('Not in this version yet: DLNA.').waitFor();
  await page.goto('/settings/configuration?q=logging.playback_retention');
  await page.getByRole('heading', { name: 'Advanced', level: 1 }).waitFor();
  await page.getByLabel('Keep the watch history for', { exact: true }).fill('900');
  await page.getByLabel('Unit of: Keep the watch history for').selectOption('hours');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It takes effect after a restart').waitFor();
  await page.getByText('Restart pending').waitFor();
  await home.restart();
  await page.reload();
  await page.getByLabel('Keep the watch history for', { exact: true }).waitFor();
  await passes(async () =>
    assert.equal(await page.getByLabel('Keep the watch history for', { exact: true }).inputValue(), '900'),
  );
  await page.getByText('Restart pending').waitFor({ state: 'detached' });
  // Set from outside, it is shown and locked.
  await page.goto('/settings/configuration?q=paths.media');
  await passes(async () => assert.ok(await page.getByRole('textbox', { name: 'Media folder' }).isDisabled()));
  await view.close();
});

test('a key is shown once, and after ten minutes it asks who it is', async () => {
  const view = await openView(home, { expected: /fetch/ });
  await signIn(view, home);
  const { page } = view;
  await page.goto('/settings/keys');
  // Ten minutes later the proof is no longer recent.
  // Waits for the server, which writes too.
  const db = new DatabaseSync(join(home.data, 'matinee.db'), { timeout: 60_000 });
  const [column] = db.prepare("select name from pragma_table_info('identity_session') where name like '%prove%'").all();
  assert.ok(column, 'a session remembers when it was proved');
  db.exec(`update identity_session set "${String(column['name'])}" = "${String(column['name'])}" - 660000`);
  db.close();
  await home.restart();
  await page.reload();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Kitchen');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor();
  await page.getByRole('dialog', { name: 'Confirm your identity' }).getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const secret =
    (await page
      .getByRole('dialog', { name: /Kitchen/ })
      .locator('code')
      .textContent()) ?? '';
  assert.equal((await ask(home.server, 'GET', '/api/v1/library?limit=1', { token: secret })).status, 200);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Kitchen').first().waitFor();
  await page.reload();
  await page.getByText('Kitchen').first().waitFor();
  assert.equal(await page.getByText(secret).count(), 0, 'it is shown this once');
  await view.close();
});

test('an identity provider is set up and tested, linked, signed in with and unlinked', (t) => outsideSignsIn(t, home));

test('a directory is connected, makes and deactivates a Profile, and its token is ended', () =>
  directoryIsConnected(home));
