/** The measures: each row is a fault and the warning it must give. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spansOf, type Cue } from './cue.ts';
import { measureQuality } from './quality.ts';

const cue = (start: number, end: number, text = 'Hello there.', more: Partial<Cue> = {}): Cue => ({
  start,
  end,
  spans: spansOf(text),
  ...more,
});

test('warnings', () => {
  for (const [what, cues, expected] of [
    ['good', [cue(0, 2000)], []],
    ['too fast', [cue(0, 1000, 'a'.repeat(30))], ['too-fast']],
    ['Chinese counts double', [cue(0, 1000, '你好吗我不知道你好吗我不知道')], ['too-fast']],
    ['too short', [cue(0, 400, 'Hi')], ['too-short']],
    ['too long', [cue(0, 11_000)], ['too-long']],
    ['one long line that wraps into two rows', [cue(0, 5000, 'a'.repeat(84))], []],
    ['two lines that each fit a row', [cue(0, 5000, `${'a'.repeat(48)}\n${'b'.repeat(48)}`)], []],
    ['two lines of which one takes two rows', [cue(0, 5000, `${'a'.repeat(51)}\nb`)], ['long-line']],
    ['one line of three rows', [cue(0, 9000, 'a'.repeat(101))], ['long-line']],
    ['two Chinese lines that fit', [cue(0, 9000, `${'你'.repeat(25)}\n${'好'.repeat(25)}`)], []],
    ['two Chinese lines of three rows', [cue(0, 9000, `${'你'.repeat(26)}\n${'好'.repeat(12)}`)], ['long-line']],
    ['three short lines', [cue(0, 5000, 'a\nb\nc')], []],
    ['many lines', [cue(0, 5000, 'a\nb\nc\nd')], ['many-lines']],
    ['negative', [cue(1000, 500)], ['negative']],
    ['empty', [cue(0, 1000, '')], ['empty']],
    ['after the end', [cue(59_000, 61_000)], ['after-end']],
  ] as const)
    assert.deepEqual([...(measureQuality(cues, 60_000).warnings.get(0) ?? [])], expected, what);
});

test('characters count as people see them, whatever they are made of', () => {
  for (const [text, width] of [
    ['abc', 3],
    ['cafe\u0301', 4],
    ['\u00e9', 1],
    ['e\u0301\u0323\u0302', 1],
    ['a\u00adb\u200bc\u2060d\ufeff', 4],
    ['\u202bשלום\u202c', 4],
    ['שָׁלוֹם', 4],
    ['\u200fمرحبا', 5],
    ['ﻣﺮﺣﺒﺎ', 5],
    ['你好', 4],
    ['한국', 4],
    ['\u1112\u1161\u11ab', 2],
    ['ｶﾅ', 2],
    ['カナ', 4],
    ['ＡＢ', 4],
    ['「は」', 6],
    ['ภาษาไทย', 7],
    ['ก็', 1],
    ['नमस्ते', 4],
    ['👍🏽', 2],
    ['👨\u200d👩\u200d👧', 2],
    ['❤\ufe0f', 1],
    ['♪ la', 4],
    ['𠮷', 2],
    ['ﬁn', 2],
    ['', 0],
  ] as const)
    assert.equal(measureQuality([cue(0, 5000, text)]).longestLine, width, `${text} (${text.length})`);
});

test('overlaps and gaps', () => {
  const quality = measureQuality(
    [
      cue(5000, 6000),
      cue(0, 2000),
      cue(1500, 3000),
      cue(3040, 4000),
      cue(0, 2000, 'Sign', { placement: { anchor: 8 } }),
    ],
    10_000,
  );
  assert.deepEqual(
    [...quality.warnings],
    [
      [2, ['overlap']],
      [3, ['short-gap']],
    ],
  );
  assert.deepEqual(
    [quality.overlaps, quality.first, quality.last, quality.longestGap, quality.coverage],
    [1, 0, 6000, 1000, 0.6],
  );
});

test('nothing to measure', () => {
  assert.deepEqual(measureQuality([], 1000), {
    cues: 0,
    speed: { median: 0, p95: 0 },
    overlaps: 0,
    longestLine: 0,
    longestGap: 0,
    warnings: new Map(),
  });
});

test('100,000 cues', () => {
  const quality = measureQuality(Array.from({ length: 100_000 }, (_, n) => cue(n * 1000, n * 1000 + 900)));
  assert.deepEqual([quality.cues, quality.overlaps, quality.speed.median], [100_000, 0, 13.3]);
});
