/** SRT as it is found: each row is a fault that files have, and what people expect to see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSrt } from './srt.ts';
import { LIMITS } from '../limits.ts';
import { readText } from '../read.ts';
import { readSrt } from './read-srt.ts';
import { looseTime } from './time.ts';

/** `start-end text` of every cue, as SRT would write the text. */
function rows(text: string): string[] {
  const document = readSrt(text);
  return document.cues.map(
    (cue) =>
      `${cue.start}-${cue.end} ${toSrt({ ...document, cues: [{ ...cue, start: 0, end: 1 }] })
        .split('\n')
        .slice(2)
        .join('\n')
        .trim()}`,
  );
}

test('defects of real files', () => {
  const two = ['1000-2000 a', '3000-4000 b'];
  for (const [what, text, expected] of [
    ['plain', '1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n', two],
    [
      'BOM and CRLF',
      '\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\na\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nb',
      two,
    ],
    ['CR', '1\r00:00:01,000 --> 00:00:02,000\ra\r\r2\r00:00:03,000 --> 00:00:04,000\rb', two],
    [
      'doubled line ends',
      '1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\na\r\r\n\r\r\n2\r\r\n00:00:03,000 --> 00:00:04,000\r\r\nb\r\r\n',
      two,
    ],
    ['no numbers', '00:00:01,000 --> 00:00:02,000\na\n\n00:00:03,000 --> 00:00:04,000\nb', two],
    ['no blank lines', '1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\nb', two],
    ['dots', '1\n00:00:01.000 --> 00:00:02.000\na\n\n2\n00:00:03.000 --> 00:00:04.000\nb', two],
    ['no hours', '1\n00:01,000 --> 00:02,000\na\n\n2\n00:03.000 --> 00:04.000\nb', two],
    [
      'no spaces, short arrow, spaces within',
      '1\n00:00:01,000-->00:00:02,000\na\n\n2\n00: 00:03, 000 -> 00:00:04,000\nb',
      two,
    ],
    ['short and long fractions', '1\n0:0:1,0 --> 0:0:2\na\n\n2\n00:00:03,0009 --> 00:00:04,000\nb', two],
    [
      'garbage first',
      'Subtitles by X\nhttp://x\n\n1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb',
      two,
    ],
    [
      'a bad line of times',
      '1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n\nx\n00:zz --> 1\nc',
      ['1000-2000 a', '3000-4000 b\nx\n00:zz --\u2060> 1\nc'],
    ],
    [
      'a number as text',
      '1\n00:00:01,000 --> 00:00:02,000\nborn in\n1984\n\n2\n00:00:03,000 --> 00:00:04,000\n7\n\n3\n' +
        '00:00:05,000 --> 00:00:06,000\nc',
      ['1000-2000 born in\n1984', '3000-4000 7', '5000-6000 c'],
    ],
    [
      'a number as text, no blank lines',
      '1\n00:00:01,000 --> 00:00:02,000\n1984\n2\n00:00:03,000 --> 00:00:04,000\nb',
      ['1000-2000 1984', '3000-4000 b'],
    ],
    [
      'a blank line inside',
      '1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n\n2\n00:00:03,000 --> 00:00:04,000\nc',
      ['1000-2000 a\nb', '3000-4000 c'],
    ],
    ['coordinates', '1\n00:00:01,000 --> 00:00:02,000 X1:100 X2:600 Y1:050 Y2:090\na', ['1000-2000 {\\an8}a']],
    [
      'a negative duration',
      '1\n00:00:05,000 --> 00:00:04,000\nshort\n\n2\n00:00:05,500 --> 00:00:07,000\nb',
      ['5000-5500 short', '5500-7000 b'],
    ],
    ['a negative time', '1\n-00:00:01,000 --> 00:00:02,000\na', ['0-2000 a']],
    ['long hours', '1\n30:00:01,000 --> 030:00:02,000\na', ['108001000-108002000 a']],
    ['three digits of seconds', '1\n00:00:001,000 --> 00:00:002,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb', two],
    ['nothing', '', []],
    ['no cue', 'hello\n\nworld', []],
  ] as const)
    assert.deepEqual(rows(text), expected, what);
});

test('tags', () => {
  for (const [source, expected] of [
    ['<i>a</i>', '<i>a</i>'],
    ['<I>a</I>', '<i>a</i>'],
    ['<i>a', '<i>a</i>'],
    ['a</i>', 'a'],
    ['<b><i>a</b>b</i>', '<b><i>a</i></b><i>b</i>'],
    ['<em>a</em><strong>b</strong>', '<i>a</i><b>b</b>'],
    ['<font color="#FF0000">a</font>', '<font color="#ff0000">a</font>'],
    ["<font color='red' size=3>a</font>", '<font color="#ff0000">a</font>'],
    ['<font face="x">a</font>', 'a'],
    ['<font color=yellow>a<font color="nope">b</font>c</font>d', '<font color="#ffff00">abc</font>d'],
    ['{\\an8}a', '{\\an8}a'],
    ['{\\a6}a', '{\\an8}a'],
    ['{\\i1}a{\\i0}b', '<i>a</i>b'],
    ['{i}a{/i}b', '<i>a</i>b'],
    ['I <3 you', 'I <3 you'],
    ['a < b > c', 'a < b > c'],
    ['<unknown>a', '<\u2060unknown>a'],
    ['<<i>a</i>', '<<i>a</i>'],
    ['{x} {a', '{x} {a'],
    ['a<br>b', 'a\nb'],
    ['a<br/>b', 'a\nb'],
    ['<span class="x">a</span>', 'a'],
    ['&amp; &lt;', '&amp; &lt;'],
    ['<i></i>', ''],
    ['<i>a</i>\n<i>b</i>', '<i>a</i>\n<i>b</i>'],
    ['<i>a\nb</i>', '<i>a\nb</i>'],
  ] as const)
    assert.deepEqual(rows(`1\n00:00:00,000 --> 00:00:01,000\n${source}`), [`0-1000 ${expected}`], source);
});

test('times', () => {
  for (const [text, ms] of [
    ['00:00:01,500', 1500],
    ['100:00:00,000', 360_000_000],
    ['1:2', 62_000],
    ['00:00:005,500', 5500],
    ['00:01:123.4', 183_400],
    ['00:01:500', 1500],
    ['00:00:0005,500', undefined],
    ['00:00:01:500', 1500],
    ['', undefined],
    ['1', undefined],
    ['a:b', undefined],
    ['00:00:00:00:00', undefined],
    ['9'.repeat(50), undefined],
  ] as const)
    assert.equal(looseTime(text), ms, text);
});

test('warnings have a code and a line', () => {
  const { warnings } = readSrt(
    'junk\nmore\n\n1\n00:00:05,000 --> 00:00:04,000\na\n\nb\n\n00:00:01,000 --> 00:00:02,000\n',
  );
  assert.deepEqual(
    warnings.map(({ code, line }) => `${code} ${line}`),
    ['stray-text 2', 'bad-number 10', 'blank-line 5', 'negative-duration 5', 'empty-cue 10', 'unsorted 10'],
  );
});

test('limits are failures, not cut documents', () => {
  const cue = '00:00:01,000 --> 00:00:02,000\na\n\n';
  assert.equal(readText(cue.repeat(LIMITS.cues), 'srt').cues.length, LIMITS.cues, 'as many as allowed are read');
  assert.throws(() => readText(cue.repeat(LIMITS.cues + 1), 'srt'), {
    name: 'Failure',
    kind: 'invalid',
    message: /100,000 cues/,
  });
  assert.throws(() => readText('a'.repeat(LIMITS.bytes + 1), 'srt'), { kind: 'invalid', message: /4 MiB/ });
  assert.throws(() => readText(`00:00:01,000 --> 00:00:02,000\n${'a\0'.repeat(9)}`, 'srt'), {
    kind: 'invalid',
    message: /not text/,
  });
});
