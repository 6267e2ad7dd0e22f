/** The keyboard map: keys that work while typing, keys that a button handles, and a help that is complete. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { workbenchAction, workbenchKeys } from './keys.ts';
import { speak } from '../../messages/catalogue.ts';

before(() => speak(['en']));

const FREE = { isTyping: false, isOnControl: false };
test('the usual keys', () => {
  assert.deepEqual(workbenchAction({ key: 'j' }, FREE), { do: 'row', by: 1 });
  assert.deepEqual(workbenchAction({ key: ' ' }, FREE), { do: 'toggle' });
  assert.deepEqual(workbenchAction({ key: '[' }, FREE), { do: 'shift', by: -100 });
  assert.deepEqual(workbenchAction({ key: 'a' }, FREE), { do: 'anchor' });
  assert.deepEqual(workbenchAction({ key: 'Enter', ctrlKey: true }, FREE), { do: 'apply' });
  assert.deepEqual(workbenchAction({ key: 'Z', ctrlKey: true, shiftKey: true }, FREE), { do: 'redo' });
});
test('while text is typed only applying and leaving it are heard', () => {
  const typing = { isTyping: true, isOnControl: true };
  for (const key of ['j', ' ', '[', 'a', '/', '?', 'Enter', '0'])
    assert.equal(workbenchAction({ key }, typing), undefined, key);
  assert.equal(workbenchAction({ key: 'z', ctrlKey: true }, typing), undefined, "the field's own undo");
  assert.deepEqual(workbenchAction({ key: 'Enter', metaKey: true }, typing), { do: 'apply' });
  assert.deepEqual(workbenchAction({ key: 'Escape' }, typing), { do: 'toLine' });
  assert.equal(workbenchAction({ key: 'Escape' }, FREE), undefined);
});
test('a button keeps space and Enter, and the browser its own keys', () => {
  const onButton = { isTyping: false, isOnControl: true };
  assert.equal(workbenchAction({ key: ' ' }, onButton), undefined);
  assert.equal(workbenchAction({ key: 'Enter' }, onButton), undefined);
  assert.deepEqual(workbenchAction({ key: 'j' }, onButton), { do: 'row', by: 1 });
  for (const key of ['a', 's', 'p', 'f', 'l'])
    assert.equal(workbenchAction({ key, ctrlKey: true }, FREE), undefined, key);
  assert.equal(workbenchAction({ key: 'j', altKey: true }, FREE), undefined);
});
test('what the help shows does something', () => {
  const named: Readonly<Record<string, object>> = {
    Space: { key: ' ' },
    'Page Down': { key: 'PageDown' },
    'Page Up': { key: 'PageUp' },
    '−': { key: '-' },
    'Ctrl Z': { key: 'z', ctrlKey: true },
    'Ctrl Shift Z': { key: 'z', ctrlKey: true, shiftKey: true },
    'Ctrl Enter': { key: 'Enter', ctrlKey: true },
    Esc: { key: 'Escape' },
  };
  for (const [keys] of workbenchKeys())
    for (const key of keys)
      assert.ok(
        workbenchAction((named[key] ?? { key: key.length === 1 ? key.toLowerCase() : key }) as { key: string }, {
          ...FREE,
          isTyping: key === 'Esc',
        }),
        key,
      );
});
