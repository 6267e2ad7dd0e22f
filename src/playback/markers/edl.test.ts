/** Edit lists as programs write them, and invalid ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_EDL_BYTES, markersOfEdl, secondsOf } from './edl.ts';

const cuts = (text: string) => markersOfEdl(text).map(({ start, end }) => [start, end]);

test('times are seconds or hours, minutes and seconds, and never frames', () => {
  for (const [text, seconds] of [
    ['0', 0],
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['90', 90],
    ['5400.25', 5400.25],
    ['01:02', 62],
    ['1:02:03.250', 3723.25],
    ['00:00:00.001', 0.001],
    ['100:00:00', 360_000],
    ['1000000', 1_000_000],
    ['#300', undefined],
    ['1:#3', undefined],
    ['-1', undefined],
    ['1:60', undefined],
    ['1:75:00', undefined],
    ['1e9', undefined],
    ['1000001', undefined],
    ['NaN', undefined],
    ['', undefined],
    ['1:2:3:4', undefined],
    ['0x10', undefined],
    ['12.', undefined],
    ['.5', undefined],
    ['١٢', undefined],
  ] as const)
    assert.equal(secondsOf(text), seconds, text);
});

test('cuts and commercial breaks become commercials; mutes, scenes and frames do not', () => {
  for (const [text, expected] of [
    ['5.3\t7.1\t0', [[5.3, 7.1]]],
    ['5.3 7.1 3', [[5.3, 7.1]]],
    [
      '5.3 7.1 1\n15 16.7 0\n420 822 3\n1 255.3 2',
      [
        [15, 16.7],
        [420, 822],
      ],
    ],
    [
      '00:04:15.2 00:05:00 3\r\n00:10:00 00:12:30.5 0\r\n',
      [
        [255.2, 300],
        [600, 750.5],
      ],
    ],
    ['#127 #170 0\n10 20 3', [[10, 20]]],
    ['\uFEFF10 20 3', [[10, 20]]],
    ['10 20 3 Commercial', [[10, 20]]],
    ['20 10 3\n30 30 0', []],
    ['10 20', []],
    ['10 20 4', []],
    ['10 20 33', []],
    ['10 20 -1', []],
    ['a b c', []],
    ['', []],
    [
      '100 200 3\n10 20 3',
      [
        [10, 20],
        [100, 200],
      ],
    ],
    ['10 20 3\n15 30 0\n30 40 3', [[10, 40]]],
    ['10 20 3\r15 30 0', [[10, 30]]],
  ] as const)
    assert.deepEqual(cuts(text), expected, text);
  assert.deepEqual(markersOfEdl('10 20 3'), [
    { kind: 'commercial', start: 10, end: 20, source: 'sidecar', state: 'published' },
  ]);
});

test('a hostile list is read in a bounded time and marks nothing', () => {
  const begun = process.cpuUsage();
  const whole = (piece: string) => piece.repeat(Math.ceil(MAX_EDL_BYTES / piece.length)).slice(0, MAX_EDL_BYTES);
  for (const piece of [' ', '\n', '1', '9 ', ':', '1:1:1', '#', '\u0000', '\uFFFD', '1 2 \t'])
    assert.deepEqual(cuts(whole(piece)), [], JSON.stringify(piece));
  assert.deepEqual(
    cuts(Array.from({ length: 300 }, (_, n) => `${n * 10} ${n * 10 + 1} 3`).join('\n')),
    [],
    'more cuts than a film has',
  );
  assert.ok(process.cpuUsage(begun).user < 2_000_000, 'microseconds of processor time');
});
