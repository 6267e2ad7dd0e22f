/** Tabs: one part on show, tied to its tab, and the keys that move between them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useState } from 'preact/hooks';
import { assertFocus, nameOf, openPage } from '../../lib/testing-page.ts';
import { Tabs } from './tabs.tsx';

const TABS = [
  { id: 'a', label: 'First' },
  { id: 'b', label: 'Second' },
  { id: 'c', label: 'Third' },
] as const;

const Shown = () => {
  const [value, setValue] = useState('a');
  return (
    <Tabs label="Parts" tabs={TABS} value={value} onValue={setValue}>
      <p>Part {value}</p>
    </Tabs>
  );
};

test('a tab shows its part, which has its name, and is the only one that Tab reaches', async (t) => {
  const page = await openPage(t, <Shown />);
  page.get('tablist', 'Parts');
  const state = () =>
    page.all('tab').map((one) => `${one.textContent} ${one.getAttribute('aria-selected')} ${one.tabIndex}`);
  assert.deepEqual(state(), ['First true 0', 'Second false -1', 'Third false -1']);
  assert.equal(nameOf(page.get('tabpanel')), 'First');
  await page.click(page.get('tab', 'Third'));
  assert.deepEqual(state(), ['First false -1', 'Second false -1', 'Third true 0']);
  assert.equal(nameOf(page.get('tabpanel')), 'Third');
  assert.equal(page.get('tabpanel').textContent, 'Part c');
  for (const tab of page.all('tab')) assert.equal(tab.getAttribute('aria-controls'), page.get('tabpanel').id);
});

test('arrow keys move between tabs, and past the ends to what is next to them', async (t) => {
  const page = await openPage(t, <Shown />);
  page.get('tab', 'First').focus();
  const chosen = () => page.all('tab').find((one) => one.getAttribute('aria-selected') === 'true');
  for (const [key, name, isLeft] of [
    ['ArrowLeft', 'First', true],
    ['ArrowRight', 'Second', false],
    ['ArrowRight', 'Third', false],
    ['ArrowRight', 'Third', true],
    ['ArrowDown', 'Third', true],
    ['ArrowLeft', 'Second', false],
  ] as const) {
    assert.equal(await page.press(key), isLeft, key);
    assert.equal(chosen()?.textContent, name);
    assertFocus(chosen());
  }
});
