/** Playlists in the browser: made from a card, put into another order with the keyboard alone, and played through. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { passes } from '../until.ts';
import { violations } from './axe.ts';
import { advance, closeAll, openView, settled, untilPage, type View } from './browser.ts';
import { pictureGivesWay, pictureIsChanged } from './collection-pictures.ts';
import { openSettledHome, type SettledHome, signIn } from './places.ts';

let house: SettledHome;
let view: View;
before(async () => {
  house = await openSettledHome();
  view = await openView(house.home);
  await signIn(view, house.home);
});
after(closeAll);

const read = async <T>(path: string): Promise<T> =>
  (await ask<T>(house.home.server, 'GET', `/api/v1${path}`, { token: house.token })).body;
interface Entries {
  items: { entry: string; item: { id: string; title: string } }[];
}
const orderOf = async (playlist: string) =>
  (await read<Entries>(`/playlists/${playlist}/items`)).items.map(({ item }) => item.title);

test('a playlist is made from a card, ordered with the keyboard, and played from entry to entry', async () => {
  const { page, complaints } = view;
  await page.goto('/library?view=movies&sort=title');
  await settled(page);
  const first = page.locator('main li').first();
  await first.hover();
  await page.keyboard.press('Tab');
  await first.getByRole('button', { name: /^Menu|^More/ }).click();
  await page.getByRole('menuitem', { name: 'Add to playlist' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' });
  await dialog.getByLabel('Playlist').selectOption({ label: 'New playlist' });
  await dialog.getByLabel('Name').fill('Tonight');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const made = (await read<{ items: { id: string; name: string }[] }>('/playlists')).items.find(
    ({ name }) => name === 'Tonight',
  );
  assert.ok(made);
  const films = (await read<{ items: { id: string }[] }>('/library?view=movies&sort=title')).items.map(({ id }) => id);
  assert.equal(
    (
      await ask(house.home.server, 'POST', `/api/v1/playlists/${made.id}/items`, {
        token: house.token,
        body: { ids: films.slice(1, 3) },
      })
    ).status,
    201,
  );
  const before = await orderOf(made.id);
  assert.equal(before.length, 3);
  const [a = '', b = '', c = ''] = before;

  await page.goto('/playlists');
  await settled(page);
  await page.getByRole('link', { name: /Tonight/ }).click();
  await settled(page);
  const handle = (title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true });
  await handle(a).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await untilPage(page, `document.activeElement.getAttribute('aria-pressed') === 'true'`);
  await page.keyboard.press('Enter');
  await passes(async () => assert.deepEqual(await orderOf(made.id), [b, c, a]));
  // Escape puts an entry back.
  await handle(c).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await passes(async () => assert.deepEqual(await page.locator('[data-entry] strong').allInnerTexts(), [b, c, a]));
  assert.deepEqual(await orderOf(made.id), [b, c, a]);
  // Dragging does the same as the keys.
  const [from, to] = [await handle(a).boundingBox(), await handle(b).boundingBox()];
  assert.ok(from && to);
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 2, { steps: 4 });
  await page.mouse.up();
  await passes(async () => assert.deepEqual(await orderOf(made.id), before));

  await page.getByRole('button', { name: `Remove ${b} from the playlist` }).click();
  await passes(async () => assert.deepEqual(await orderOf(made.id), [a, c]));
  await page.getByRole('button', { name: 'Undo' }).click();
  await passes(async () => assert.deepEqual(await orderOf(made.id), before));

  // Deleting asks nothing, because it is undone at once, or later on the page of all playlists.
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete playlist' }).click();
  await untilPage(page, `location.pathname === '/playlists'`);
  await page.getByRole('button', { name: 'Restore “Tonight”' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /Tonight/ }).click();
  await settled(page);
  assert.deepEqual(await orderOf(made.id), before);

  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await untilPage(page, `location.pathname === '/play/${films[0]}'`);
  const video = page.locator('video');
  await video.waitFor();
  await untilPage(page, `document.querySelector('video')?.readyState > 0`);
  await page.keyboard.press('Shift+N');
  await untilPage(page, `location.pathname === '/play/${films[1]}'`);
  assert.deepEqual(complaints.splice(0), []);
});

test('a smart playlist is made with a nested group, shows what matches while it is edited, and is played', async () => {
  const { page, complaints } = view;
  await page.goto('/playlists');
  await settled(page);
  await page.getByRole('link', { name: 'New smart playlist' }).click();
  await settled(page);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const count = page.getByRole('region', { name: 'Preview' }).getByRole('status');
  assert.equal(await save.isDisabled(), true, 'without a name');
  await page.getByLabel('Name').fill('Films to see');
  const first = page.getByRole('group', { name: 'Condition 1', exact: true });
  await first.getByLabel('Field').selectOption({ label: 'Type' });
  await first.getByLabel('Value').selectOption({ label: 'Film' });
  const films = (await read<{ total: number }>('/library?view=movies')).total;
  await passes(async () => assert.match(await count.innerText(), RegExp(`^${films} items? match`)));
  await page.getByRole('button', { name: 'Add group' }).click();
  const inner = page.getByRole('region', { name: 'Group 2', exact: true });
  await inner.getByLabel('Exclude what matches').check();
  const second = page.getByRole('group', { name: 'Condition 2.1', exact: true });
  await second.getByLabel('Field').selectOption({ label: 'Title' });
  await second.getByLabel('Comparison').selectOption({ label: 'begins with' });
  const titles = (await read<{ items: { title: string }[] }>('/library?view=movies&sort=title')).items.map(
    ({ title }) => title,
  );
  const [left = ''] = titles;
  await second.getByLabel('Value').fill(left.toUpperCase());
  const rest = titles.filter((title) => !title.toLowerCase().startsWith(left.toLowerCase()));
  await passes(async () => assert.match(await count.innerText(), RegExp(`^${rest.length} items? match`)));
  // With the keyboard alone the focus goes to what is new, and stays near what was removed.
  const isFocused = (name: string, kind: 'select' | 'button') =>
    untilPage(page, `document.activeElement?.matches('[aria-label="${name}"] ${kind}')`);
  await inner.getByRole('button', { name: 'Add condition' }).press('Enter');
  await isFocused('Condition 2.2', 'select');
  await page.getByRole('group', { name: 'Condition 2.2', exact: true }).getByRole('button').press('Enter');
  await isFocused('Condition 2.1', 'button');
  // On a phone the rules fill the window; what matches is seen above the navigation.
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate('scrollTo(0, 0)');
  await untilPage(
    page,
    `(() => {
      const { top, bottom } = document.querySelector('section p[role=status]').getBoundingClientRect();
      const bars = [...document.querySelectorAll('nav')].map((one) => one.getBoundingClientRect());
      return top > 0 && bars.every((bar) => bar.height === 0 || bar.top > innerHeight || bottom <= bar.top + 1);
    })()`,
  );
  await page.setViewportSize(size);
  await save.click();
  await untilPage(page, '/^\\/smart-playlist\\/[0-9a-f]{16}$/.test(location.pathname)');
  await settled(page);
  assert.equal(await page.locator('h1').innerText(), 'Films to see');
  const list = (await read<{ items: { id: string; name: string }[] }>('/smart-playlists')).items.find(
    ({ name }) => name === 'Films to see',
  );
  const items = (await read<Entries>(`/smart-playlists/${list?.id}/items`)).items.map(({ item }) => item);
  assert.deepEqual(
    items.map(({ title }) => title),
    rest,
  );
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await untilPage(page, `location.pathname === '/play/${items[0]?.id}'`);
  await untilPage(page, `document.querySelector('video')?.readyState > 0`);
  await page.keyboard.press('Shift+N');
  await untilPage(page, `location.pathname === '/play/${items[1]?.id}'`);
  assert.deepEqual(complaints.splice(0), []);
});

test('a collection is made from a card, ordered, renamed and deleted, each with its way back', async () => {
  // A slow machine has as long for each way back as a fast one.
  const timed = await openView(house.home);
  await signIn(timed, house.home);
  const { page } = timed;
  await page.goto('/library?view=movies&sort=title');
  await settled(page);
  const first = page.locator('main li').first();
  await first.hover();
  await first.getByRole('button', { name: /^Menu|^More/ }).click();
  await page.getByRole('menuitem', { name: 'Add to collection' }).click();
  const adding = page.getByRole('dialog', { name: 'Add to collection' });
  await adding.getByLabel('Name').or(adding.getByLabel('Collection')).first().waitFor();
  const choice = adding.getByLabel('Collection');
  if (await choice.isVisible()) await choice.selectOption({ label: 'New collection' });
  await adding.getByLabel('Name').fill('Rainy days');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await adding.waitFor({ state: 'detached' });
  const named = async (name: string) =>
    (await read<{ items: { id: string; name: string }[] }>('/collections')).items.find((one) => one.name === name);
  const made = await named('Rainy days');
  assert.ok(made);
  const entriesOf = async () =>
    (await read<Entries>(`/collections/${made.id}/items`)).items.map(({ item }) => item.title);
  // The others by the bar of a selection.
  const cards = page.locator('main li');
  await cards.nth(1).hover();
  await cards
    .nth(1)
    .getByRole('button', { name: /^Menu|^More/ })
    .click();
  await page.getByRole('menuitem', { name: 'Select', exact: true }).click();
  await cards.nth(2).click();
  await page.getByRole('button', { name: 'Add to collection' }).click();
  await adding.getByLabel('Collection').selectOption({ label: 'Rainy days' });
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await adding.waitFor({ state: 'detached' });
  await passes(async () => assert.equal((await entriesOf()).length, 3));
  const [a = '', b = '', c = ''] = await entriesOf();

  await page.goto('/collections');
  await settled(page);
  await page.getByRole('link', { name: /Rainy days/ }).click();
  await settled(page);
  await page.getByRole('button', { name: `Move ${c}`, exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await passes(async () => assert.deepEqual(await entriesOf(), [c, a, b]));
  await page.getByRole('button', { name: `Remove ${a} from the collection` }).click();
  await passes(async () => assert.deepEqual(await entriesOf(), [c, b]));
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await passes(async () => assert.deepEqual(await entriesOf(), [c, a, b]));

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('dialog', { name: 'Edit collection' });
  await editor.getByLabel('Name').fill('Wet days');
  assert.deepEqual(await violations(page), []);
  await editor.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Wet days' }).waitFor();
  await pictureIsChanged(page, house, made.id, b);

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Show on home' }).click();
  await page.getByText('“Wet days” is the first row of home').waitFor();
  await page.goto('/');
  await settled(page);
  const row = page.locator('main section', { has: page.getByRole('heading', { name: 'Wet days' }) });
  await passes(async () => assert.equal(await row.locator('li').count(), 3));
  await row.getByRole('link', { name: 'Wet days' }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remove from home' }).click();
  await page.getByText('“Wet days” is no longer on home').waitFor();
  assert.equal((await read<{ preferences: { home?: unknown[] } }>('/me')).preferences.home?.length ?? 0, 0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  const home = async () => (await read<{ preferences: { home?: { row: string }[] } }>('/me')).preferences.home;
  await passes(async () => assert.deepEqual(await home(), [{ row: `collection:${made.id}` }]));
  await ask(house.home.server, 'PUT', '/api/v1/me/preferences', { token: house.token, body: { home: [] } });
  assert.deepEqual(await violations(page), []);

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete collection' }).click();
  await untilPage(page, `location.pathname === '/collections'`);
  assert.equal(await named('Wet days'), undefined);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await passes(async () => assert.equal((await named('Wet days'))?.id, made.id));
  assert.deepEqual(await entriesOf(), [c, a, b]);
  // With the pointer on it, a notification stays.
  await page.mouse.move(0, 0);
  await advance(page, 7_000);
  assert.equal(
    await page.getByRole('status', { name: 'Notifications' }).getByRole('button').count(),
    0,
    'a way back is never over',
  );
  await timed.close();
});

/** Whether the words of each row of home end where its buttons begin. */
const WORDS_APART = `(() => {
  const rows = [...document.querySelectorAll('dialog [data-row]')];
  const range = document.createRange();
  return rows.length > 0 && rows.every((row) => {
    range.selectNodeContents(row.querySelector('label'));
    return range.getBoundingClientRect().right <= row.querySelector('[data-way]').getBoundingClientRect().left;
  });
})()`;

test('home is arranged with the keyboard: a list is pinned, rows move and are hidden, and all is reset', async () => {
  const { page } = view;
  await page.goto('/');
  await settled(page);
  const headings = () => page.locator('main section h2').allInnerTexts();
  const usual = await headings();
  await page.getByRole('button', { name: 'Arrange home' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Arrange home' });
  await dialog.getByLabel('Pin a playlist…').selectOption({ label: 'Tonight' });
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 360, height: 780 });
  await untilPage(page, WORDS_APART);
  await page.setViewportSize(size);
  await dialog.getByRole('button', { name: 'Move Tonight down' }).focus();
  const below = (await dialog.locator('li').allInnerTexts()).length;
  for (let row = 1; row < below; row++) await page.keyboard.press('Enter');
  // The last row cannot go further down; the focus is on the other button, and not lost.
  await untilPage(page, `document.activeElement.getAttribute('aria-label') === 'Move Tonight up'`);
  await page.keyboard.press('Enter');
  await dialog.getByRole('switch', { name: 'Recently added' }).press('Space');
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const arranged = async () => {
    const shown = await headings();
    assert.equal(shown.includes('Recently added'), false, shown.join());
    assert.equal(shown.indexOf('Tonight'), shown.indexOf('Libraries') - 1, shown.join());
  };
  await passes(arranged);
  await page.reload();
  await settled(page);
  await passes(arranged);
  await page.getByRole('button', { name: 'Arrange home' }).click();
  const rowsOf = () =>
    dialog.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
  await dialog.locator('[data-row]').first().waitFor();
  const [top = '', second = '', ...others] = (await rowsOf()).map(String);
  const handle = (row: string) => dialog.locator(`[data-row="${row}"] button[aria-pressed]`).first();
  // Escape puts a lifted row back, and leaves the dialog open.
  await handle(second).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await passes(async () => assert.deepEqual(await rowsOf(), [second, top, ...others]));
  await page.keyboard.press('Escape');
  await passes(async () => assert.deepEqual(await rowsOf(), [top, second, ...others]));
  // The focus stays on what was used last.
  await dialog.locator(`[data-row="${second}"] [data-way=up]`).press('Enter');
  await dialog.locator(`[data-row="${second}"] [data-way=down]`).press('Enter');
  await handle(top).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await passes(async () => assert.deepEqual(await rowsOf(), [second, top, ...others]));
  await untilPage(page, `document.activeElement.closest('[data-row]')?.dataset.row === '${top}'`);
  await handle(top).press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await passes(async () => assert.deepEqual(await rowsOf(), [top, second, ...others]));
  const [from, to] = [await handle(top).boundingBox(), await handle(second).boundingBox()];
  assert.ok(from && to);
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + to.height, { steps: 4 });
  await page.mouse.up();
  await passes(async () => assert.deepEqual(await rowsOf(), [second, top, ...others]));
  // Reading the page again shows that it was saved.
  await page.reload();
  await settled(page);
  await page.getByRole('button', { name: 'Arrange home' }).click();
  await passes(async () => assert.deepEqual(await rowsOf(), [second, top, ...others]));
  await dialog.getByRole('button', { name: 'Reset to default' }).click();
  await passes(async () => assert.deepEqual(await headings(), usual));
});

test('a damaged or missing picture of a collection gives way to the posters of its items', () =>
  pictureGivesWay(house));
