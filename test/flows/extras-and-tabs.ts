/**
 * Steps of the household flow: extras and versions of a film, a phrase that is remembered, the dashboard without its
 * server, and a second tab.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { until } from '../until.ts';
import { appears, hasPlayed, NOTE_BEGIN, openView, OWNER, settled, untilPage } from './browser.ts';
import { runTask, type SettledHome, signIn } from './places.ts';

const SPOKEN_AT = 9;

/** Puts a trailer and a subtitle next to a film, and a featurette into a season. */
export async function addExtras({ media }: { media: string }): Promise<void> {
  const film = join(media, 'Films', 'The Cartographer (2012)');
  const [video = assert.fail()] = readdirSync(film).filter((name) => name.endsWith('.mp4'));
  const season = join(media, 'Shows', 'Harbour Lights (2016)', 'Season 02');
  for (const place of [join(film, 'Trailers'), join(season, 'Featurettes')]) {
    mkdirSync(place);
    copyFileSync(join(film, video), join(place, 'On the border.mp4'));
  }
  writeFileSync(
    join(film, video.replace(/mp4$/, 'en.srt')),
    `1\n00:00:0${SPOKEN_AT},400 --> 00:00:11,000\nEvery border was drawn in pencil.\n`,
  );
}

/** A film has its trailer, its versions with their sizes, and one row of buttons on a phone. */
export async function filmHasItsTrailer({ home, ids, token }: SettledHome): Promise<void> {
  const find = '/api/v1/library?q=cartographer';
  const { body } = await ask<{ items: { id: string }[] }>(home.server, 'GET', find, { token });
  const { id } = body.items[0] ?? assert.fail();
  const item = await ask<{ versions: { id: string; size: number; label: string }[] }>(
    home.server,
    'GET',
    `/api/v1/items/${id}`,
    { token },
  );
  const [, other = assert.fail()] = item.body.versions;
  const phone = await openView(home, { width: 360, height: 780, locale: 'de-DE' });
  await signIn(phone, home);
  await phone.page.goto(`/item/${id}`);
  await settled(phone.page);
  const box = async (name: string) =>
    (await phone.page.locator('main').getByRole('button', { name, exact: true }).first().boundingBox()) ??
    assert.fail(name);
  const [list, more] = [await box('Merkliste'), await box('Mehr')];
  assert.ok(more.y < list.y + list.height && list.y < more.y + more.height, 'the menu is next to the list button');
  await phone.page.getByRole('button', { name: 'Version: 1080p' }).click();
  await phone.page.getByRole('menuitemradio', { name: new RegExp(`^${other.label}`) }).click();
  await phone.page.locator('main').getByRole('button', { name: 'Mehr', exact: true }).first().click();
  const size = `${Math.round(other.size / 1000)} kB`;
  await phone.page.getByRole('menuitem', { name: `Herunterladen (${size})` }).waitFor();
  await phone.page.keyboard.press('Escape');
  await phone.page.getByRole('heading', { name: 'Trailer und Extras' }).waitFor();
  await phone.close();

  const view = await openView(home, { realTime: 'plays' });
  await signIn(view, home);
  const { page } = view;
  await page.goto(`/show/${ids.show}?season=1`);
  await settled(page);
  assert.equal(await page.getByRole('heading', { name: 'Trailers and extras' }).count(), 0, 'of another season');
  await page.goto(`/show/${ids.show}?season=2`);
  await page.getByRole('link', { name: 'Play On the border' }).waitFor();
  await page.goto(`/item/${id}`);
  await page.getByRole('link', { name: 'Play On the border' }).click();
  await page.locator('video').waitFor({ state: 'attached' });
  await untilPage(page, hasPlayed());
  await page.goto('/history');
  await settled(page);
  assert.equal(await page.getByText('On the border').count(), 0, 'a trailer is not watched');
  await view.close();
}

/** The palette leads to the search, and a line of dialogue plays the film from shortly before it. */
export async function phrasePlaysItsSecond({ home, token }: Omit<SettledHome, 'ids'>): Promise<void> {
  await runTask(home, token, 'dialogue-index');
  const view = await openView(home, { realTime: 'plays' });
  await signIn(view, home);
  const { page } = view;
  await page.addInitScript(NOTE_BEGIN);
  await page.goto('/history');
  await settled(page);
  await page.keyboard.press('/');
  const field = page.getByRole('dialog').getByRole('combobox');
  await field.fill('Borderland');
  await page.getByRole('option', { name: /^Borderland\s*Film · \d{4}$/ }).waitFor();
  await field.fill('border was drawn');
  const spoken = page.getByRole('option', { name: /^“Every border was drawn in pencil.*The Cartographer · / });
  await spoken.click();
  await untilPage(page, `location.pathname.startsWith('/play/') && location.search === '?start=${SPOKEN_AT - 3}'`);
  await page.goto('/history');
  await settled(page);
  await page.keyboard.press('/');
  await field.fill('border was drawn');
  await page.getByRole('option', { name: 'Search everything for “border was drawn”' }).click();
  const line = page.getByRole('main').getByRole('link', { name: /Every border was drawn in pencil/ });
  await line.waitFor();
  await page.getByRole('button', { name: 'Dialogue 1', exact: true }).waitFor();
  assert.equal(await line.locator('mark').count(), 3);
  await line.press('Enter');
  const start = SPOKEN_AT - 3;
  await untilPage(page, hasPlayed(start + 0.5));
  const begun = await page.evaluate<number>('globalThis.begunAt');
  assert.ok(Math.abs(begun - start) < 0.5, `the film begins at ${begun} s`);
  assert.match(page.url(), new RegExp(`/play/[0-9a-f]+\\?start=${start}$`));
  await view.close();
}

/** The frame stays without the server, and the page comes back by itself: from a lost network, and from a restart. */
export async function frameStays({ home }: SettledHome): Promise<void> {
  const view = await openView(home, { expected: /Failed to fetch|ERR_|dynamically imported/ });
  await signIn(view, home);
  const { page, context } = view;
  await page.goto('/');
  await settled(page);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await context.setOffline(true);
  const history = page.getByRole('navigation').getByRole('link', { name: 'Watch history' });
  await history.click();
  const lost = page.getByRole('main').getByRole('heading', { name: 'Cannot reach the server', level: 1 });
  await lost.waitFor();
  assert.equal(await history.getAttribute('aria-current'), 'page');
  await page.reload();
  await lost.waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).waitFor();
  assert.equal(await history.getAttribute('aria-current'), 'page');
  await context.setOffline(false);
  const isBack = (name: string) => appears(page.getByRole('main').getByRole('heading', { name, level: 1 }));
  await isBack('Watch history');

  await home.server.stop();
  // Its code has never been loaded here, and the worker does not keep it. No event says that the server is back.
  await page.goto('/collections');
  await lost.waitFor();
  await home.restart();
  await isBack('Collections');
  await view.close();
}

/** A second tab follows what is watched, the theme, and who is signed in. */
export async function secondTabFollows({ home, ids }: SettledHome): Promise<void> {
  const view = await openView(home);
  await signIn(view, home);
  const { page, context } = view;
  const second = await context.newPage();
  await page.goto('/account');
  await second.goto(`/item/${ids.film}`);
  await settled(page);
  await settled(second);
  const theme = await second.evaluate<string>('document.documentElement.dataset.theme');
  const [word, value] = theme === 'light' ? (['Dark', 'dark'] as const) : (['Light', 'light'] as const);
  await page.getByText(word, { exact: true }).click();
  await untilPage(second, `document.documentElement.dataset.theme === '${value}'`);
  await page.goto(`/item/${ids.film}`);
  await page.getByRole('button', { name: 'Mark as watched' }).click();
  await second.getByRole('button', { name: 'Watched', exact: true }).waitFor();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await second.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await second.getByRole('button', { name: 'Watched', exact: true }).count(), 0);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Name').fill(OWNER.name);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await second.getByRole('navigation', { name: 'Main' }).first().waitFor();
  await view.close();
}

/** Counts the notices of other tabs about their session. A script for a page. */
const COUNT_SESSIONS = `{
  globalThis.sessions = 0;
  new BroadcastChannel('matinee').addEventListener('message', ({ data }) => {
    if (data.kind === 'session') globalThis.sessions += 1;
  });
}`;

/**
 * Two tabs that are opened at the same time, as a browser does that brings back its tabs, show their pages. The second
 * learns of the session from the first while it reads the session itself, and reads it again while it reads its item.
 */
export async function tabsOpenTogether({ home, ids }: SettledHome): Promise<void> {
  const view = await openView(home);
  await signIn(view, home);
  const { page, context } = view;
  const second = await context.newPage();
  const held: Route[] = [];
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await second.route('**/api/v1/me', async (route) => {
    held.push(route);
    await gate.promise;
    if (held.indexOf(route) > 0) await asked.promise;
    await route.continue();
  });
  await second.route(`**/api/v1/items/${ids.film}`, async (route) => {
    asked.resolve();
    // Both replies about the session have come by then.
    await untilPage(page, 'globalThis.sessions >= 2');
    await route.continue();
  });
  await second.goto(`/item/${ids.film}`, { waitUntil: 'commit' });
  await until('the second tab reads its session', () => held.length === 1);
  await page.goto('/account');
  await settled(page);
  await page.evaluate(COUNT_SESSIONS);
  gate.resolve();
  await settled(second);
  await second.getByRole('heading', { name: 'The Lighthouse Keeper', level: 1 }).waitFor();
  await view.close();
}
