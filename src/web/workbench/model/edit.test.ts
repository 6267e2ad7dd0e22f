/** An edit turns the lines on show into a new text, and loses none of them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { added, edited, faultOf, editedCues, removed, withSureness, withWords } from './edit.ts';
import { comparisonRows, unchanged, type WorkbenchCue } from './rows.ts';
import { FRESH, type WorkbenchSettings } from './settings.ts';
import { speak } from '../../messages/catalogue.ts';

before(() => speak(['en']));

const cue = (index: number, start: number, more: Partial<WorkbenchCue> = {}): WorkbenchCue => ({
  index,
  start,
  end: start + 2,
  text: `line ${index}`,
  warnings: [],
  ...more,
});
const current = [cue(0, 1), cue(1, 5), cue(2, 9)];
const shifted = current.map((one) => ({ ...one, start: one.start + 1, end: one.end + 1 }));
const rows = comparisonRows(unchanged(current), current, shifted);
const settings: WorkbenchSettings = {
  ...FRESH,
  timing: { kind: 'offset', ms: 1000 },
  rules: ['removeCredits'],
  role: 'sdh',
};
const cuesOf = ({ source }: WorkbenchSettings) => (source.kind === 'text' ? source.cues : []);

test('what the changes had made of the other lines is kept, and not done twice', () => {
  const { settings: next, at } = edited({ settings, rows }, 1, { start: 6, end: 7, text: 'Other\n\nwords' });
  assert.equal(at, 1);
  assert.deepEqual(
    { timing: next.timing, rules: next.rules, role: next.role },
    { timing: { kind: 'none' }, rules: [], role: 'sdh' },
  );
  assert.deepEqual(cuesOf(next), [
    { start: 2, end: 4, text: 'line 0', current: [0] },
    { current: [1], start: 6, end: 7, text: 'Other\nwords' },
    { start: 10, end: 12, text: 'line 2', current: [2] },
  ]);
});
test('a line that is moved past another is still the one that is chosen', () => {
  const { settings: next, at } = edited({ settings, rows }, 0, { start: 20, end: 21, text: 'line 0' });
  assert.equal(at, 2);
  assert.deepEqual(
    cuesOf(next).map(({ current: from }) => from),
    [[1], [2], [0]],
  );
});
test('lines are removed and added', () => {
  assert.deepEqual(
    cuesOf(removed({ settings, rows }, 1).settings).map(({ text }) => text),
    ['line 0', 'line 2'],
  );
  const { settings: next, at } = added({ settings, rows }, { start: 8, end: 9, text: 'New' });
  assert.equal(at, 2);
  assert.deepEqual(cuesOf(next)[2], { start: 8, end: 9, text: 'New', current: [] });
});
test('lines that claim no source stay without one', () => {
  const loose = comparisonRows(
    [
      { kind: 'unpaired-current', current: [0] },
      { kind: 'unpaired-proposed', proposed: [0] },
    ],
    current,
    shifted,
  );
  assert.deepEqual(
    editedCues(loose).map(({ current: from }) => from),
    [[]],
  );
  const { source } = edited({ settings, rows: loose }, 0, { start: 1, end: 2, text: 'x' }).settings;
  assert.equal(source.kind === 'text' && source.isPaired, false);
});
test('a fault names what would be right', () => {
  assert.deepEqual(Object.keys(faultOf({ text: ' \n' })), ['start', 'end', 'text']);
  assert.deepEqual(Object.keys(faultOf({ start: 2, end: 2, text: 'x' })), ['end']);
  assert.deepEqual(faultOf({ start: 1, end: 2, text: 'x' }), {});
});
test('sureness goes with the words, and ends where they are other words', () => {
  const words = [
    { cue: 0, text: 'line', confidence: 0.9 },
    { cue: 0, text: '0', confidence: 0.5 },
    { cue: 1, text: 'lime', confidence: 0.2 },
  ];
  const [first, second, third] = withWords(current, words);
  assert.equal(first?.confidence, 0.5);
  assert.deepEqual(
    first?.words?.map(({ text }) => text),
    ['line', '0'],
  );
  assert.equal(second?.words, undefined);
  assert.equal(third?.words, undefined);
  assert.deepEqual(
    withSureness(current, [
      { start: 1, end: 2, text: 'a', current: [0], confidence: 0.3 },
      { start: 1, end: 2, text: 'a', current: [] },
      { start: 1, end: 2, text: 'a', current: [] },
    ]).map(({ confidence }) => confidence),
    [0.3, undefined, undefined],
  );
});
