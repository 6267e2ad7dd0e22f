/** The command palette: a field that keeps the focus, and a list that the keys choose from. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fakeServer, openServed } from '../../data/testing-server.tsx';
import { assertFocus, type Page } from '../../lib/testing-page.ts';
import { matching, pageCommand } from './commands.ts';
import { Palette } from './palette.tsx';

async function openPalette(t: TestContext): Promise<Page & { closings(): number; chosen(): string | undefined }> {
  const server = fakeServer();
  server.on('catalog', 'library', { items: [], total: 0 } as never);
  let closings = 0;
  const page = await openServed(t, { server }, <Palette onClose={() => closings++} />);
  t.after(() => history.replaceState(null, '', '/'));
  return {
    ...page,
    closings: () => closings,
    chosen: () => page.all('option').find((one) => one.getAttribute('aria-selected') === 'true')?.id,
  };
}

test('commands have every word of the text, and those that begin with it come first', () => {
  const commands = ['Library settings', 'Settings', 'Set up libraries'].map((label) =>
    pageCommand(label, label, '', { page: 'home' }),
  );
  const found = (text: string) => matching(commands, text).map(({ label }) => label);
  assert.deepEqual(found('set'), ['Settings', 'Set up libraries', 'Library settings']);
  assert.deepEqual(found('LIB set'), ['Library settings', 'Set up libraries']);
  assert.deepEqual(found('x'), []);
  assert.equal(found('').length, 3);
});

test('the arrow keys choose, around the ends, while the focus stays in the field', async (t) => {
  const page = await openPalette(t);
  const field = page.get('combobox');
  assertFocus(field);
  const ids = page.all('option').map(({ id }) => id);
  assert.ok(ids.length > 2);
  const isCurrent = (at: number) => {
    assert.equal(page.chosen(), ids.at(at));
    assert.equal(field.getAttribute('aria-activedescendant'), ids.at(at));
    assertFocus(field);
  };
  isCurrent(0);
  for (const [key, at] of [
    ['ArrowDown', 1],
    ['ArrowUp', 0],
    ['ArrowUp', -1],
    ['ArrowDown', 0],
  ] as const) {
    assert.equal(await page.press(key), false);
    isCurrent(at);
  }
  assert.equal(await page.press('Home'), true, 'the field keeps its own keys');
  assert.ok(page.get('listbox', 'Search and actions').contains(document.getElementById(ids[0] ?? '')));
});

test('Enter and a click close the palette and go where the command leads', async (t) => {
  const page = await openPalette(t);
  const [, second] = page.all('option');
  await page.press('ArrowDown');
  await page.press('Enter');
  assert.equal(page.closings(), 1);
  const { pathname } = location;
  history.replaceState(null, '', '/');
  assert.ok(second);
  await page.click(second);
  assert.equal(page.closings(), 2);
  assert.equal(location.pathname, pathname);
  assert.notEqual(pathname, '/');
});
