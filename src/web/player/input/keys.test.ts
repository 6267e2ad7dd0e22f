/** The keyboard map, and where it steps aside. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { actionOf, keyHelp, type Where } from './keys.ts';
import { speak } from '../../messages/catalogue.ts';

before(() => speak(['en']));

const keyboard: Where = { isShown: true, isRemote: false, isOnControl: false };
const remote: Where = { isShown: false, isRemote: true, isOnControl: false };

test('the letters that hands know', () => {
  assert.deepEqual(actionOf({ key: 'k' }, keyboard), { do: 'toggle' });
  assert.deepEqual(actionOf({ key: 'J' }, keyboard), { do: 'seek', by: -10 });
  assert.deepEqual(actionOf({ key: 'l' }, keyboard), { do: 'seek', by: 10 });
  assert.deepEqual(actionOf({ key: 'x' }, keyboard), { do: 'offset', by: 0.1 });
  assert.deepEqual(actionOf({ key: '7' }, keyboard), { do: 'jump', to: 0.7 });
  assert.deepEqual(actionOf({ key: 'N', shiftKey: true }, keyboard), { do: 'next' });
  assert.deepEqual(actionOf({ key: '?', shiftKey: true }, keyboard), { do: 'help' });
  assert.deepEqual(actionOf({ key: 'n' }, keyboard), { do: 'night' });
  assert.deepEqual(actionOf({ key: 'Z', shiftKey: true }, keyboard), { do: 'delay', by: -0.05 });
  assert.equal(actionOf({ key: 'w' }, keyboard), undefined);
});
test('space presses the button that has the focus, and plays elsewhere', () => {
  assert.deepEqual(actionOf({ key: ' ' }, keyboard), { do: 'toggle' });
  assert.equal(actionOf({ key: ' ' }, { ...keyboard, isOnControl: true }), undefined);
});
test("the browser's own combinations stay the browser's", () => {
  for (const held of ['ctrlKey', 'altKey', 'metaKey'] as const)
    assert.equal(actionOf({ key: 'f', [held]: true }, keyboard), undefined);
});
test('arrows seek with a keyboard; with a remote they seek only while the controls are hidden', () => {
  assert.deepEqual(actionOf({ key: 'ArrowRight' }, keyboard), { do: 'seek', by: 10 });
  assert.deepEqual(actionOf({ key: 'ArrowUp' }, keyboard), { do: 'volume', by: 0.05 });
  assert.deepEqual(actionOf({ key: 'ArrowLeft' }, remote), { do: 'seek', by: -10 });
  assert.deepEqual(actionOf({ key: 'ArrowDown' }, remote), { do: 'reveal' });
  assert.equal(actionOf({ key: 'ArrowDown' }, { ...remote, isShown: true }), undefined);
});
test('the keys of remotes come by name or by code', () => {
  assert.deepEqual(actionOf({ key: 'MediaPlayPause' }, remote), { do: 'toggle' });
  assert.deepEqual(actionOf({ key: 'Unidentified', keyCode: 461 }, remote), { do: 'back' });
  assert.deepEqual(actionOf({ key: 'Unidentified', keyCode: 417 }, remote), { do: 'seek', by: 30 });
});
test('the help lists every key of the keyboard that does something', () => {
  const listed = keyHelp()
    .flatMap(([keys]) => keys)
    .flatMap((name) =>
      name === 'Space'
        ? [' ']
        : name === '0–9'
          ? ['0', '9']
          : name === 'Page Up'
            ? ['PageUp']
            : name === 'Page Down'
              ? ['PageDown']
              : name === 'Esc'
                ? ['Escape']
                : ({ '←': ['ArrowLeft'], '→': ['ArrowRight'], '↑': ['ArrowUp'], '↓': ['ArrowDown'] }[name] ?? [name]),
    );
  const typed = [...'abcdefghijklmnopqrstuvwxyz0123456789,.<>?'];
  for (const key of typed) {
    const isListed = listed.some((name) => name.toLowerCase() === key) || /\d/.test(key);
    assert.equal(actionOf({ key }, keyboard) !== undefined, isListed, key);
    const shifted = actionOf({ key: key.toUpperCase(), shiftKey: true }, keyboard);
    if (/[a-z]/.test(key))
      assert.equal(shifted !== undefined, listed.includes(`Shift ${key.toUpperCase()}`), `Shift ${key}`);
  }
});
