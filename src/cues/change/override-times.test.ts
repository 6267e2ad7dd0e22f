/**
 * Times inside ASS lines: which digits change with the pace, that no others do, and that a script says so when it is
 * written.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { convert } from '../convert.ts';
import { readText } from '../read.ts';
import { changeCues, type Changes } from './change.ts';
import { scaledTimes } from './override-times.ts';

test('only lengths, beginnings, fades, moves and changes are scaled', () => {
  for (const [before, after] of [
    ['{\\k20\\kf30}a{\\K10}b{\\ko5}c', '{\\k40\\kf60}a{\\K20}b{\\ko10}c'],
    ['{\\k 20}a', '{\\k 40}a'],
    ['{\\kt50\\k10}a', '{\\kt100\\k20}a'],
    ['{\\k}a{\\kfx}', '{\\k}a{\\kfx}'],
    ['{\\k12.5}a', '{\\k25}a'],
    ['{\\t(0,500,\\fs40)}', '{\\t(0,1000,\\fs40)}'],
    ['{\\t(0,500,1.5,\\clip(1,2,3,4)\\i1)\\k10}', '{\\t(0,1000,1.5,\\clip(1,2,3,4)\\i1)\\k20}'],
    ['{\\t(1.5,\\i1)}', '{\\t(1.5,\\i1)}'],
    ['{\\t(\\i1)}', '{\\t(\\i1)}'],
    ['{\\move(1,2,3,4)}', '{\\move(1,2,3,4)}'],
    ['{\\move(1,2,3,4, 100,200)}', '{\\move(1,2,3,4, 200,400)}'],
    ['{\\fad(100,200)}', '{\\fad(200,400)}'],
    ['{\\fade(100,200)}', '{\\fade(200,400)}'],
    ['{\\fade(255,32,224,0,500,2000,2200)}', '{\\fade(255,32,224,0,1000,4000,4400)}'],
    ['{\\fad(100)}', '{\\fad(100)}'],
    [
      '{\\pos(100,200)\\org(1,2)\\clip(m 1 2 l 3 4)\\fs20\\fscx120\\kern1\\fade1}',
      '{\\pos(100,200)\\org(1,2)\\clip(m 1 2 l 3 4)\\fs20\\fscx120\\kern1\\fade1}',
    ],
    ['\\{\\k20}', '\\{\\k20}'],
    ['{\\k20', '{\\k20'],
    ['k20 {k20} (\\k20)', 'k20 {k20} (\\k20)'],
    ['{\\t(0,500,\\i1}a{\\k20}', '{\\t(0,1000,\\i1}a{\\k40}'],
    ['{\\fad(100,200}a', '{\\fad(200,400}a'],
    ['', ''],
  ] as const)
    assert.equal(scaledTimes(before, 2), after, before);
});

test('syllables end together where their line ends, however short they are', () => {
  const line = (length: number): string => Array.from({ length: 300 }, () => `{\\k${length}}a`).join('');
  const sum = (text: string): number =>
    [...text.matchAll(/\\k(\d+)/g)].reduce((total, [, value]) => total + Number(value), 0);
  for (const [length, pace] of [
    [1, 25 / 23.976],
    [3, 25 / 23.976],
    [7, 23.976 / 25],
    [1, 0.96],
  ] as const)
    assert.ok(Math.abs(sum(scaledTimes(line(length), pace)) - 300 * length * pace) <= 1, `${length} ${pace}`);
});

const HEAD =
  '[Script Info]\r\n; by hand\r\n[Events]\r\n' +
  'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r\n';
const written = (lines: readonly string[], changes: Changes): string[] =>
  convert(changeCues(readText(HEAD + lines.join('\r\n'), 'ass'), changes).document, 'ass')
    .slice(HEAD.length)
    .split('\r\n');
const KARAOKE = 'Dialogue: 0,0:00:10.00,0:00:12.00,A,,0,0,0,fx,{\\blur2\\k100}la {\\kf100\\t(0,1000,\\fs40)}li{note}';

test('a change of rate scales a line; a shift, a cut end or another line does not', () => {
  assert.deepEqual(written([KARAOKE], { timing: { framerate: { from: 25, to: 20 } } }), [
    'Dialogue: 0,0:00:12.50,0:00:15.00,A,,0,0,0,fx,{\\blur2\\k125}la {\\kf125\\t(0,1250,\\fs40)}li{note}',
  ]);
  assert.deepEqual(
    written([KARAOKE], {
      timing: {
        anchors: [
          { at: 0, offset: 0 },
          { at: 100_000, offset: 100_000 },
        ],
      },
    }),
    [
      KARAOKE.replace('0:00:10.00,0:00:12.00', '0:00:20.00,0:00:24.00')
        .replace('k100', 'k200')
        .replace('kf100', 'kf200')
        .replace('1000', '2000'),
    ],
  );
  assert.deepEqual(
    written([KARAOKE], { timing: { alignment: { ratio: 2, segments: [{ from: 0, to: 0, offset: -5000 }] } } }),
    [
      KARAOKE.replace('0:00:10.00,0:00:12.00', '0:00:15.00,0:00:19.00')
        .replace('k100', 'k200')
        .replace('kf100', 'kf200')
        .replace('1000', '2000'),
    ],
  );
  assert.deepEqual(written([KARAOKE], { timing: { offset: 5000 } }), [
    KARAOKE.replace('0:00:10.00,0:00:12.00', '0:00:15.00,0:00:17.00'),
  ]);
  assert.deepEqual(
    written([KARAOKE, KARAOKE.replace('0:00:10.00,0:00:12.00', '0:00:11.00,0:00:13.00')], { fixOverlaps: true })[0],
    KARAOKE.replace('0:00:12.00', '0:00:10.92'),
  );
});

test('scaling there and back restores the line', () => {
  const ass = readText(HEAD + KARAOKE, 'ass');
  const there = changeCues(ass, { timing: { framerate: { from: 25, to: 20 } } }).document;
  assert.equal(
    convert(changeCues(there, { timing: { framerate: { from: 20, to: 25 } } }).document, 'ass'),
    HEAD + KARAOKE,
  );
});

test('removed words leave their overrides', () => {
  const line = (text: string): string => `Dialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,${text}`;
  for (const [before, after] of [
    ['{\\fad(200,300)\\blur2}[SIGHS] Hello {\\fs40}there', '{\\fad(200,300)\\blur2}Hello {\\fs40}there'],
    ['{\\k20}[SIGHS] {\\k30}yes {\\k10}man [laughs]', '{\\k20}{\\k30}yes {\\k10}man'],
    ['{\\fnArial}{\\i1}[SIGHS]{\\i0} No.', '{\\fnArial}{\\i1}{\\i0}No.'],
    ['{TL note}[SIGHS] a\\hb', '{TL note}a\\hb'],
    ['{\\i1}[SIGHS]{\\i0} No.', 'No.'],
  ] as const)
    assert.deepEqual(written([line(before)], { removeHearingImpaired: true }), [line(after)], before);
});

test('in any text only digits change, and at pace 1 none do', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '\\',
    '\\k',
    '\\K',
    '\\kf',
    '\\ko',
    '\\kt',
    '\\t(',
    '\\move(',
    '\\fad(',
    '\\fade(',
    '\\pos(',
    '(',
    ')',
    ',',
    '0',
    '25',
    '100',
    '1.5',
    ' ',
    'a',
    '\\N',
    '\\i1',
    '-',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.double({ min: 0.5, max: 2, noNaN: true }), (pieces, pace) => {
      const text = pieces.join('');
      const bare = (value: string): string => value.replaceAll(/-?[\d.]+/g, '');
      assert.equal(bare(scaledTimes(text, pace)), bare(text));
      if (!text.includes('.'))
        assert.equal(
          scaledTimes(text, 1).replaceAll(/(?<![\d])0+(?=\d)/g, ''),
          text.replaceAll(/(?<![\d])0+(?=\d)/g, ''),
        );
    }),
    { numRuns: 2000 },
  );
});
