/**
 * Files with one fault, in every format: what can be read is read, the rest is a warning, and writing the file back
 * loses nothing that was not read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from './convert.ts';
import { plainText } from './cue.ts';
import { LIMITS } from './limits.ts';
import { readSubtitle } from './read.ts';

const ASS = '[Script Info]\n\n[Events]\nFormat: Start, End, Text\n';
const tt = (body: string): string => `<tt><body><div>${body}</div></body></tt>`;

const FAULTY: readonly [name: string, extension: string, text: string, cues: string[], warnings: string[]][] = [
  [
    'a NUL in SRT',
    'srt',
    '1\n00:00:01,000 --> 00:00:02,000\na\0b\n\n2\n00:00:03,000 --> 00:00:04,000\nc\n',
    ['1000-2000 ab', '3000-4000 c'],
    ['bad-character 3'],
  ],
  [
    'a NUL in WebVTT is U+FFFD, as in browsers',
    'vtt',
    'WEBVTT\n\n00:01.000 --> 00:02.000\na\0b\n',
    ['1000-2000 a\ufffdb'],
    ['bad-character 4'],
  ],
  ['a NUL in TTML', 'ttml', tt('<p begin="1s" end="2s">a\0</p>'), ['1000-2000 a'], ['bad-character 1']],
  ['a NUL in ASS', 'ass', `${ASS}Dialogue: 0:00:01.00,0:00:02.00,a\0b\n`, ['1000-2000 ab'], ['bad-character 5']],
  [
    'a cue after 36 hours in SRT',
    'srt',
    '1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n99:59:59,999 --> 99:59:59,999\nend\n',
    ['1000-2000 a'],
    ['over-limit 6'],
  ],
  ['a cue that ends after 36 hours', 'srt', '1\n00:00:01,000 --> 99:59:59,999\na\n', [`1000-${LIMITS.time} a`], []],
  [
    'a cue after 36 hours in WebVTT',
    'vtt',
    'WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nlate\n99:59:59.999 --> 99:59:59.999\nend\n',
    ['1000-2000 a'],
    ['over-limit 6'],
  ],
  [
    'a cue after 36 hours in ASS',
    'ass',
    `${ASS}Dialogue: 0:00:01.00,0:00:02.00,a\nDialogue: 99:59:59.00,99:59:59.00,end\n`,
    ['1000-2000 a'],
    ['over-limit 6'],
  ],
  [
    'a cue after 36 hours in MicroDVD',
    'sub',
    '{1}{1}25\n{25}{50}a\n{9999999}{9999999}end\n',
    ['1000-2000 a'],
    ['over-limit 3'],
  ],
  [
    'a cue after 36 hours in TTML',
    'ttml',
    tt('<p begin="1s" end="2s">a</p><p begin="99:59:59.9" end="99:59:59.9">end</p>'),
    ['1000-2000 a'],
    ['over-limit 2'],
  ],
  [
    'a cue after 36 hours in SAMI',
    'smi',
    '<SAMI><BODY><SYNC Start=1000><P>a<SYNC Start=2000><P>&nbsp;<SYNC Start=359999000><P>end</BODY></SAMI>',
    ['1000-2000 a'],
    ['missing-end 1', 'over-limit 1'],
  ],
  [
    'three digits of seconds in SRT',
    'srt',
    '1\n00:00:001,000 --> 00:00:002,500\na\n',
    ['1000-2500 a'],
    ['loose-time 2'],
  ],
  [
    'commas in WebVTT',
    'vtt',
    'WEBVTT\n\none\n00:00:01,000 --> 00:00:02,000 align:start\na\n\n00:03.000 --> 00:04.000\nb\n',
    ['1000-2000 a', '3000-4000 b'],
    ['loose-time 3'],
  ],
  [
    'short fractions and single digits in WebVTT',
    'vtt',
    'WEBVTT\n\n00:00:01.5 --> 0:00:2.25\na\n\n00:03 --> 00:04\nb\n',
    ['1500-2250 a', '3000-4000 b'],
    ['loose-time 3', 'loose-time 6'],
  ],
  [
    'a note in WebVTT with such times stays a note',
    'vtt',
    'WEBVTT\n\nNOTE\n00:00:01,000 --> 00:00:02,000\na\n\n00:03.000 --> 00:04.000\nb\n',
    ['3000-4000 b'],
    ['bad-timing 3'],
  ],
  [
    'bare seconds in TTML',
    'ttml',
    tt('<p begin="1" end="2.5">a</p><p begin="3,5" dur="1">b</p>'),
    ['1000-2500 a', '3500-4500 b'],
    ['loose-time 1', 'loose-time 1', 'loose-time 2', 'loose-time 2'],
  ],
  [
    'a container in TTML whose time is malformed',
    'ttml',
    '<tt><body begin="soon"><div><p begin="1s" end="2s">a</p></div></body></tt>',
    ['1000-2000 a'],
    ['bad-timing 0'],
  ],
  [
    'no end in TTML',
    'ttml',
    tt('<p begin="1s" end="never">a</p><p begin="1.5s">b</p><p begin="9s" end="8s">c</p>'),
    ['1000-1500 a', '1500-2500 b', '9000-10000 c'],
    ['bad-timing 1', 'missing-end 1', 'missing-end 2', 'negative-duration 3'],
  ],
  [
    'default tags in MicroDVD',
    'sub',
    '{DEFAULT}{}{y:i}{p:0}\n{1}{1}25\n{25}{50}a\n{75}{100}{y:b}b\n',
    ['1000-2000 a', '3000-4000 b'],
    [],
  ],
  ['a frame before the first in MicroDVD', 'sub', '{1}{1}25\n{-25}{50}a\n', ['0-2000 a'], []],
  ['a time before the beginning in MPL2', 'mpl', '[-5][20]a\n[30][40]b\n', ['0-2000 a', '3000-4000 b'], []],
  [
    'a negative time in ASS',
    'ass',
    `${ASS}Dialogue: -0:00:01.00,0:00:02.00,a\nDialogue: 0:00:03.00,0:00:04.00,b\n`,
    ['0-2000 a', '3000-4000 b'],
    ['loose-time 5'],
  ],
];

for (const [name, extension, text, cues, warnings] of FAULTY) {
  test(name, async () => {
    const { document } = await readSubtitle(Buffer.from(text), { extension });
    assert.deepEqual(
      document.cues.map(({ start, end, spans }) => `${start}-${end} ${plainText(spans)}`),
      cues,
    );
    assert.deepEqual(
      document.warnings.map(({ code, line }) => `${code} ${line}`),
      warnings,
    );
    if (document.script) {
      const clean = document.format === 'vtt' ? text : text.replaceAll('\0', '');
      assert.equal(convert(document, document.format), clean, 'written back as it was');
    }
  });
}

test('the look of a default line applies to all cues of MicroDVD, and their own tags add to it', async () => {
  const text = '{default}{}{Y:i}{c:$0000ff}\n{1}{1}25\n{25}{50}a|b\n{75}{100}{y:b}c\n';
  const { document } = await readSubtitle(Buffer.from(text), { extension: 'sub' });
  assert.match(convert(document, 'srt'), /<i><font color="#ff0000">a\nb<\/font><\/i>[\s\S]*<b><i><font[^>]*>c/);
});

test('new times of a cue that browsers reject are written in their form', async () => {
  const text = 'WEBVTT\n\n00:00:01,000 --> 00:00:02,000 align:start\na\n\nlate\n99:00:00.000 --> 99:00:01.000\nend\n';
  const { document } = await readSubtitle(Buffer.from(text));
  const moved = document.cues.map((cue) => ({ ...cue, start: cue.start + 500 }));
  assert.equal(
    convert({ ...document, cues: moved }, 'vtt'),
    text.replace('00:00:01,000 --> 00:00:02,000', '00:00:01.500 --> 00:00:02.000'),
  );
});
