/** MPL2: real files, texts in other formats, and the limits of writing. The tests of the table cover the rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../convert.ts';
import { plainText, type Cue } from '../cue.ts';
import { detectFormat } from '../detect.ts';
import { readText } from '../read.ts';
import { markedText } from './write-srt.ts';

const shown = (cues: readonly Cue[]) => cues.map(({ start, end, spans }) => [start, end, markedText(spans)]);

test('times are tenths of a second, and marks style the line that they begin', () => {
  const { cues, warnings } = readText(
    '\ufeff[10][25]/Where|are you?\r\n[30][45] \\Here. | _under_line\r\n\r\n[50][60]/\\both|a/b|/ spaced\r\n',
    'mpl2',
  );
  assert.deepEqual(shown(cues), [
    [1000, 2500, '<i>Where</i>\nare you?'],
    [3000, 4500, '<b>Here.</b>\n<u>under_line</u>'],
    [5000, 6000, '<b><i>both</i></b>\na/b\n<i>spaced</i>'],
  ]);
  assert.deepEqual(warnings, []);
});

test('an end that is missing or too early is set from the length, and a line without times is left out', () => {
  const { cues, warnings } = readText('[0][]First\nnotes\n[8][]Second, until it is read\n[40][30]Back\n', 'mpl2');
  assert.deepEqual(
    cues.map(({ start, end, spans }) => [start, end, plainText(spans)]),
    [
      [0, 800, 'First'],
      [800, 2240, 'Second, until it is read'],
      [4000, 5000, 'Back'],
    ],
  );
  assert.deepEqual(
    warnings.map(({ code, line }) => [code, line]),
    [
      ['missing-end', 1],
      ['bad-line', 2],
      ['missing-end', 3],
      ['negative-duration', 4],
    ],
  );
});

test('neither MicroDVD, lyrics, scripts nor other brackets are MPL2', () => {
  for (const [text, format] of [
    ['[1][2]text', 'mpl2'],
    ['\n\n [100][]text', 'mpl2'],
    ['{1}{2}[3][4]text', 'microdvd'],
    ['{1}{1}25\n[3][4]text', 'microdvd'],
    ['[Script Info]\n[1][2]text', 'ass'],
    ['[00:12.00]a line of a song', undefined],
    ['[1] [2]text', undefined],
    ['[1a][2]text', undefined],
    ['[1234567890][2]text', undefined],
    ['words before\n[1][2]text', undefined],
  ] as const)
    assert.equal(detectFormat(text, 'mpl'), format, text);
});

test('text that would read as a mark or a line end stays text', () => {
  const document = readText('1\n00:00:01,000 --> 00:00:02,000\n/etc|hosts\n_a_\n\\o/\n', 'srt');
  const written = convert(document, 'mpl2');
  assert.equal(written, '[10][20]\u2060/etc¦hosts|\u2060_a_|\u2060\\o/\n');
  assert.equal(convert(readText(written, 'mpl2'), 'mpl2'), written);
});

test('a style of a part of a line is left out, and one of whole lines is kept', () => {
  const document = readText(
    '1\n00:00:01,040 --> 00:00:02,060\n<i>All</i> <i>of it</i>\n<b>part</b> of it\n{\\an8}<u>under</u>\n',
    'srt',
  );
  assert.equal(convert(document, 'mpl2'), '[10][21]/All of it|part of it|_under\n');
});

test('a cue over the limit of time is left out', () => {
  const { cues, warnings } = readText('[10][20]a\n[999999999][999999999]late', 'mpl2');
  assert.deepEqual([cues.length, warnings.map(({ code, line }) => `${code} ${line}`)], [1, ['over-limit 2']]);
});
