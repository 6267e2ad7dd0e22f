/** Undo and redo of the settings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRESH, shiftTo, type WorkbenchSettings } from '../model/settings.ts';
import { historyReducer, startHistory, type SettingsHistory, type HistoryChange } from './steps.ts';

const shifted = (ms: number): WorkbenchSettings => ({ ...FRESH, timing: shiftTo(ms) });
const after = (...changes: readonly HistoryChange[]): SettingsHistory =>
  changes.reduce(historyReducer, startHistory(FRESH));

test('a change is undone and made again', () => {
  const set = { type: 'set', next: shifted(100) } as const;
  assert.deepEqual(after(set).now, shifted(100));
  assert.deepEqual(after(set, { type: 'undo' }).now, FRESH);
  assert.deepEqual(after(set, { type: 'undo' }, { type: 'redo' }).now, shifted(100));
  assert.equal(after({ type: 'undo' }).now, FRESH);
});
test('another change discards what could be made again', () => {
  const history = after({ type: 'set', next: shifted(1) }, { type: 'undo' }, { type: 'set', next: shifted(2) });
  assert.deepEqual(history.future, []);
  assert.equal(historyReducer(history, { type: 'redo' }), history);
});
test('changes of a group are one step; the same settings are none', () => {
  const typed = [1, 2, 3].map((ms) => ({ type: 'set', next: shifted(ms), group: 'line 1' }) as const);
  assert.equal(after(...typed).past.length, 1);
  assert.equal(after(...typed, { type: 'set', next: shifted(4), group: 'line 2' }).past.length, 2);
  assert.equal(after({ type: 'set', next: (now) => now }).past.length, 0);
});
test('steps are bounded', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ type: 'set', next: shifted(n + 1) }) as const);
  assert.equal(after(...many).past.length, 201);
});
