/** Times and texts survive the way to the server and back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalText, sortedCues, plainOf, shiftText, srtOf, parseTime, timeText } from './srt.ts';

test('times as people write them', () => {
  for (const [text, seconds] of [
    ['00:01:02.345', 62.345],
    ['1:02,5', 62.5],
    ['62.5', 62.5],
    [' 2:00:00 ', 7200],
    ['0', 0],
  ] as const)
    assert.equal(parseTime(text), seconds, text);
  for (const bad of ['', 'x', '1:75', '1:61:00', '-1', '1.2345', '1:2:3:4', '１'])
    assert.equal(parseTime(bad), undefined, bad);
});
test('every millisecond of a long film is read back as it was written', () => {
  for (let ms = 0; ms < 10_800_000; ms += 7919)
    assert.equal(Math.round((parseTime(timeText(ms / 1000)) ?? -1) * 1000), ms);
});
test('a cue never holds a blank line, which would end it', () => {
  assert.equal(normalText('one  \r\n\r\n \ntwo\r'), 'one\ntwo');
  assert.equal(
    srtOf([
      { start: 0.0004, end: 3599.9996, text: 'a\n\nb' },
      { start: 3600, end: 3601, text: 'c' },
    ]),
    '1\n00:00:00,000 --> 01:00:00,000\na\nb\n\n2\n01:00:00,000 --> 01:00:01,000\nc\n',
  );
});
test('order, shifts and marks', () => {
  assert.deepEqual(
    sortedCues([
      { start: 2, end: 3, text: 'b' },
      { start: 1, end: 9, text: 'c' },
      { start: 1, end: 2, text: 'a' },
    ]).map(({ text }) => text),
    ['a', 'c', 'b'],
  );
  assert.deepEqual([shiftText(2350), shiftText(-40), shiftText(0)], ['+2.350 s', '−0.040 s', '0.000 s']);
  assert.equal(plainOf('<i>1 < 2</i> <font color="red">x</font>'), '1 < 2 x');
});
