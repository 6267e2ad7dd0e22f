/** Menus: opened by their button, moved through with the keys, closed by everything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import x from 'lucide/dist/esm/icons/x.mjs';
import { assertFocus, openPage, type Page } from '../../lib/testing-page.ts';
import { Menu, type MenuItem } from './menu.tsx';

function itemsOf(names: readonly string[]): { chosen: string[]; items: MenuItem[] } {
  const chosen: string[] = [];
  return { chosen, items: names.map((label) => ({ label, onChoose: () => chosen.push(label) })) };
}
const focused = () => document.activeElement?.textContent;
const button = (page: Page) => page.get('button', 'More');
const isOpen = (page: Page): boolean => page.all('menu').length > 0;

test('a button opens its menu with the focus on the first item, and closes it', async (t) => {
  const { items } = itemsOf(['Rename', 'Remove']);
  const page = await openPage(t, <Menu label="More" items={items} />);
  assert.equal(button(page).getAttribute('aria-haspopup'), 'menu');
  assert.equal(button(page).getAttribute('aria-expanded'), 'false');
  await page.click(button(page));
  assert.equal(button(page).getAttribute('aria-expanded'), 'true');
  page.get('menu', 'More');
  assert.deepEqual(page.texts('menuitem'), ['Rename', 'Remove']);
  assert.equal(focused(), 'Rename');
  await page.click(button(page));
  assert.ok(!isOpen(page));
});

test('the keys move through a menu and around its ends', async (t) => {
  const { items } = itemsOf(['A', 'B', 'C']);
  const page = await openPage(t, <Menu label="More" items={items} />);
  await page.click(button(page));
  for (const [key, name] of [
    ['ArrowDown', 'B'],
    ['ArrowDown', 'C'],
    ['ArrowDown', 'A'],
    ['ArrowUp', 'C'],
    ['Home', 'A'],
    ['End', 'C'],
  ] as const) {
    assert.equal(await page.press(key), false, `${key} does not scroll the page`);
    assert.equal(focused(), name, key);
  }
  assert.equal(await page.press('z'), true, 'other keys are left alone');
  assert.equal(focused(), 'C');
});

test('Escape and Tab close a menu and return the focus to its button', async (t) => {
  for (const [key, isLeft] of [
    ['Escape', false],
    // The focus then moves on from the button.
    ['Tab', true],
  ] as const) {
    const { chosen, items } = itemsOf(['A', 'B']);
    let heard = 0;
    const page = await openPage(
      t,
      <div key={key} onKeyDown={() => heard++}>
        <Menu label="More" items={items} />
      </div>,
    );
    await page.click(button(page));
    assert.equal(await page.press(key), isLeft);
    assert.ok(!isOpen(page), key);
    assertFocus(button(page));
    assert.equal(heard, 0, 'a dialog around the menu stays open');
    assert.deepEqual(chosen, []);
    await page.draw(null);
  }
});

test('a choice closes the menu first, so that what it opens returns the focus to the button', async (t) => {
  let focusAtChoice: Element | null = null;
  const items = [{ label: 'Rename', onChoose: () => (focusAtChoice = document.activeElement) }];
  const page = await openPage(t, <Menu label="More" items={items} />);
  await page.click(button(page));
  await page.click(page.get('menuitem', 'Rename'));
  assert.ok(!isOpen(page));
  assert.ok(focusAtChoice === button(page));
});

test('a press elsewhere, scrolling and another size of the window close a menu', async (t) => {
  const { items } = itemsOf(['A']);
  const page = await openPage(
    t,
    <>
      <Menu label="More" items={items} />
      <p>Elsewhere</p>
    </>,
  );
  const elsewhere = document.querySelector('p');
  for (const [at, event] of [
    [elsewhere, 'pointerdown'],
    [document, 'scroll'],
    [window, 'resize'],
  ] as const) {
    await page.click(button(page));
    assert.ok(isOpen(page));
    await page.after(() => at?.dispatchEvent(new Event(event, { bubbles: true })));
    assert.ok(!isOpen(page), event);
  }
  await page.click(button(page));
  await page.after(() => page.get('menuitem').dispatchEvent(new Event('pointerdown', { bubbles: true })));
  assert.ok(isOpen(page), 'a press inside');
  await page.after(() => button(page).dispatchEvent(new Event('pointerdown', { bubbles: true })));
  assert.ok(isOpen(page), 'a press on its button, whose click closes it');
});

test('of a choice among several, the one taken is marked and has the focus', async (t) => {
  const items = ['A', 'B', 'C'].map((label) => ({ label, isChosen: label === 'B', onChoose: () => {} }));
  const page = await openPage(t, <Menu label="Sort" icon={x} isRound items={items} />);
  await page.click(page.get('button', 'Sort'));
  assert.deepEqual(
    page.all('menuitemradio').map((one) => one.getAttribute('aria-checked')),
    ['false', 'true', 'false'],
  );
  assert.equal(focused(), 'B');
});
