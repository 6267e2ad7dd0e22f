/**
 * The activity log in a browser: an Owner reads it in sentences, filters, exports and checks it, also one that was
 * changed without the server; people see a sign-in on another device until they mark it as seen.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { appendActivity } from '../../src/activity/index.ts';
import { openDatabase, type Transaction } from '../../src/lib/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { MIGRATIONS } from '../../src/migrations.ts';
import { ask } from '../faults/child.ts';
import { passes } from '../until.ts';
import { violations, violationsInThemes } from './axe.ts';
import { closeAll, type Home, openView, settled } from './browser.ts';
import { inTheme, openSettledHome, signIn } from './places.ts';

const CHILD = { name: 'Lotte', password: 'seven cold grey river stones' };
const DAY_MS = 86_400_000;
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
const THEMES = ['dark', 'light'] as const;

let home: Home;
let token: string;
let child: string;
before(async () => {
  ({ home, token } = await openSettledHome());
  const me = await ask<{ profile: { id: string } }>(home.server, 'GET', '/api/v1/session', { token });
  await home.server.stop();
  await writeEarlier(me.body.profile.id);
  await home.restart();
  const body = { ...CHILD, policy: { libraries: [], rating: 0, unrated: false } };
  child = (await ask<{ id: string }>(home.server, 'POST', '/api/v1/profiles', { token, body })).body.id;
  await nameServer('Attic');
});
after(closeAll);

async function nameServer(value: string): Promise<void> {
  const saved = await ask(home.server, 'PUT', '/api/v1/configuration/server.name', { token, body: { value } });
  assert.ok(saved.status < 300);
}

const databaseFile = (): string => join(home.data, 'matinee.db');

/** Writes entries of earlier days into the log of the stopped server. */
async function writeEarlier(actor: string): Promise<void> {
  const db = await openDatabase({
    file: databaseFile(),
    migrations: MIGRATIONS,
    clock: systemClock,
    mayCreate: () => Promise.reject(new Error('there is no database')),
  });
  await db.write('safe', async (tx: Transaction<never>) => {
    const now = Date.now();
    await appendActivity(tx, [{ kind: 'key-created', outcome: 'done', actor }], now - 40 * DAY_MS);
    await appendActivity(tx, [{ kind: 'key-revoked', outcome: 'done', actor }], now - 10 * DAY_MS);
  });
  await db.close();
}

/** Checks a page on each screen in both themes. */
async function fits(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const found = await violationsInThemes(page, THEMES, (theme) => inTheme(page, theme));
    assert.deepEqual(found, { dark: [], light: [] }, `${name} ${size.width}`);
    const isWithin = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
    assert.equal(await page.evaluate(isWithin), true, `${name} scrolls sideways at ${size.width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Activity log' }).getByRole('listitem');

/** Waits until the log has exactly these entries, each given by words of it, the newest first. */
const shows = (page: Page, ...expected: RegExp[]): Promise<void> =>
  passes(async () => {
    const texts = await rowsOf(page).allInnerTexts();
    assert.equal(texts.length, expected.length, texts.join('\n'));
    for (const [n, words] of expected.entries()) assert.match(texts[n] ?? '', words);
  });

/** Saves what a link exports and returns its text. */
async function exported(page: Page, link: string, file: string): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).press('Enter');
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), file);
  return readFile(await saved.path(), 'utf8');
}

test('an Owner reads the log in sentences, filters it, and exports what is left', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto('/settings/activity');
  await settled(page);
  await rowsOf(page)
    .filter({ hasText: /Ada created Lotte \(Viewer\)/ })
    .waitFor();
  await rowsOf(page)
    .filter({ hasText: /Ada created the API key/ })
    .waitFor();
  await fits(page, 'log');

  const kind = page.getByLabel('Kind of entry');
  await kind.selectOption({ label: 'Profile created' });
  await page.waitForURL(/kind=profile-created/);
  await shows(page, /Ada created Lotte \(Viewer\)/);
  await page.getByLabel('About').selectOption({ label: 'Administration' });
  await passes(async () => assert.equal(await kind.inputValue(), '', 'a kind of another area is let go'));
  assert.equal(await kind.getByRole('option', { name: 'Profile created' }).count(), 0);
  await page.getByLabel('Outcome').selectOption({ label: 'Failed' });
  await page.getByText('No entry fits the filters').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await page.waitForURL(/\/settings\/activity$/);

  const time = page.getByLabel('Time');
  await kind.selectOption({ label: 'API key created' });
  await shows(page, /Ada created the API key/);
  await time.selectOption({ label: 'Last 30 days' });
  await page.getByText('No entry fits the filters').waitFor();
  await kind.selectOption({ label: 'API key revoked' });
  await shows(page, /Ada revoked the API key/);
  await time.selectOption({ label: 'Last 7 days' });
  await page.getByText('No entry fits the filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.getByLabel('Profile').selectOption({ label: 'Lotte' });
  await shows(page, /Ada created Lotte/);
  const cells = (await exported(page, 'Export as CSV', 'activity.csv')).trimEnd().split('\r\n');
  assert.equal(cells.length, 2, 'the head and the entry of the filter');
  assert.match(cells[0] ?? '', /^"id","at","category","kind"/);
  assert.match(cells[1] ?? '', /"security","profile-created"/);
  assert.ok(cells[1]?.includes(`"${child}"`));
  const lines = (await exported(page, 'Export as JSON', 'activity.jsonl')).trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { kind: string; profile: object });
  assert.deepEqual(
    entries.map(({ kind: of, profile }) => [of, profile]),
    [['profile-created', { id: child, name: 'Lotte' }]],
  );
  await view.close();
});

test('the log grows while it is on show, and loads earlier entries', async () => {
  const view = await openView(home);
  await signIn(view, home);
  const { page } = view;
  await page.goto('/settings/activity');
  await settled(page);
  const named = rowsOf(page).filter({ hasText: 'Ada changed the setting server.name' });
  const before = await named.count();
  // A setting is announced to Owners; the log is read again with it.
  await nameServer('Cellar');
  await passes(async () => assert.equal(await named.count(), before + 1));
  for (let more = 0; more < 60; more++)
    assert.equal(
      (await ask(home.server, 'PUT', `/api/v1/profiles/${child}`, { token, body: { name: CHILD.name } })).status,
      200,
    );
  await page.reload();
  await settled(page);
  assert.equal(await rowsOf(page).count(), 50);
  await page.getByRole('button', { name: 'Show earlier' }).press('Enter');
  await rowsOf(page)
    .filter({ hasText: /Ada created the API key/ })
    .waitFor();
  await view.close();
});

test('a sign-in on another device is counted in the menu and listed until it is marked as seen', async () => {
  const view = await openView(home);
  await signIn(view, home, CHILD);
  const { page } = view;
  await page.goto('/');
  await settled(page);
  const mark = page.getByRole('link', { name: /Lotte 1 new security event/ });
  assert.equal(await mark.count(), 0, 'the own sign-in is no news');
  const other = await openView(home, { width: 390, height: 844, isTouch: true });
  await signIn(other, home, CHILD);
  await mark.waitFor();
  await mark.press('Enter');
  const part = page.getByRole('region', { name: 'Security events' });
  const event = part.getByText('Lotte signed in on a new device');
  await event.waitFor();
  assert.equal((await part.innerText()).includes('set up the server'), false);
  await fits(page, 'account');
  await part.getByRole('button', { name: 'Mark all as seen' }).press('Enter');
  await part.getByText('No new events.').waitFor();
  await page.getByRole('link', { name: /new security event/ }).waitFor({ state: 'detached' });
  await page.reload();
  await part.getByText('No new events.').waitFor();
  await part.getByRole('button', { name: 'Show earlier events' }).press('Enter');
  await event.first().waitFor();
  assert.deepEqual(await violations(page), []);
  await page.goto('/settings/activity');
  await page.getByText('Only an owner can change').waitFor();
  assert.equal((await view.context.request.get('/api/v1/activity')).status(), 403);
  await other.close();
  await view.close();
});

test('the log and the events are in German on a phone', async () => {
  const view = await openView(home, { locale: 'de-DE', width: 360, height: 740, isTouch: true });
  await signIn(view, home);
  const { page } = view;
  await page.goto('/settings/activity');
  await settled(page);
  await page.getByLabel('Art des Eintrags').selectOption({ label: 'Einstellung geändert' });
  await page.getByText('Ada hat die Einstellung server.name geändert').first().waitFor();
  await page.getByRole('link', { name: 'Als CSV exportieren' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.goto('/account');
  await ask(home.server, 'POST', '/api/v1/session', { body: CHILD });
  const part = page.getByRole('region', { name: 'Sicherheitsereignisse' });
  await part.getByText('Lotte hat sich an einem neuen Gerät angemeldet').first().waitFor();
  await settled(page);
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await view.close();
});

test('the last check survives a restart, and a log that was changed without the server is said to be', async () => {
  const view = await openView(home, { isWithoutWorker: true });
  await signIn(view, home);
  const { page } = view;
  const checked = page.getByText(/^Checked .*: \d+ entries, none changed or removed outside the server\.$/);
  await page.goto('/settings/activity');
  await page.getByText('The log has not been checked yet.').waitFor();
  await page.getByRole('button', { name: 'Check now' }).press('Enter');
  await checked.waitFor();

  await page.goto('about:blank');
  await home.server.stop();
  const db = new DatabaseSync(databaseFile());
  const { changes } = db.prepare("update activity_entry set outcome = 'refused' where kind = 'profile-created'").run();
  const row = db.prepare("select number from activity_entry where kind = 'profile-created'").get();
  db.close();
  assert.equal(changes, 1);
  await home.restart();
  await page.goto('/settings/activity');
  await checked.waitFor();
  await page.getByRole('button', { name: 'Check now' }).press('Enter');
  await page.getByText(`the log is broken at entry ${row?.['number'] as number}. It was changed`).waitFor();
  await page.getByText('Stop the server and run “npm start -- audit verify” for details.').waitFor();
  await settled(page);
  await fits(page, 'broken');
  await page.goto('/settings/diagnostics');
  await page.getByText('npm start -- audit verify').first().waitFor();
  await view.close();
  const german = await openView(home, { locale: 'de-DE' });
  await signIn(german, home);
  await german.page.goto('/settings/activity');
  await german.page.getByText('Halte den Server an und führe „npm start -- audit verify“ aus').waitFor();
  await german.close();
});
