/** Changes of timing: the new time of every cue, the notes, and which cue became which. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { inOrder, spansOf, type Cue, type SubtitleDocument } from '../cue.ts';
import { convert } from '../convert.ts';
import { readText } from '../read.ts';
import { changeCues } from './change.ts';
import { unpaired } from './rows.ts';
import type { Timing } from './timing.ts';

const cue = (start: number, end: number, text = 'a'): Cue => ({ start, end, spans: spansOf(text) });
const doc = (...cues: Cue[]): SubtitleDocument => ({ format: 'srt', warnings: [], cues });
const times = (document: SubtitleDocument): [number, number][] => document.cues.map(({ start, end }) => [start, end]);
const moved = (timing: Timing, ...cues: Cue[]): [number, number][] =>
  times(changeCues(doc(...cues), { timing }).document);

test('an offset moves every cue and notes it', () => {
  const changed = changeCues(doc(cue(1000, 2000), cue(3000, 4000)), { timing: { offset: 1500 } });
  assert.deepEqual(times(changed.document), [
    [2500, 3500],
    [4500, 5500],
  ]);
  assert.deepEqual(changed.rows, [
    { kind: 'matched', current: [0], proposed: [0] },
    { kind: 'matched', current: [1], proposed: [1] },
  ]);
  assert.deepEqual(changed.notes, ['2 cues moved.']);
  assert.deepEqual(changeCues(doc(cue(0, 1)), { timing: { offset: 0 } }).notes, ['No cue had to move.']);
  assert.deepEqual(changeCues(doc(cue(0, 1)), {}).notes, []);
});

test('cues before zero are clamped, stay readable and are counted', () => {
  const changed = changeCues(doc(cue(500, 2000), cue(2000, 5000), cue(2100, 2200), cue(9000, 9500)), {
    timing: { offset: -6000 },
  });
  assert.deepEqual(times(changed.document), [
    [0, 100],
    [0, 500],
    [0, 500],
    [3000, 3500],
  ]);
  assert.deepEqual(
    changed.rows.map(({ current, proposed }) => [current?.[0], proposed?.[0]]),
    [
      [0, 1],
      [1, 2],
      [2, 0],
      [3, 3],
    ],
  );
  assert.equal(changed.notes[1], '3 cues would have begun before the video and now begin at 0.');
  assert.match(
    changeCues(doc(cue(500, 2000)), { timing: { offset: -600 } }).notes[1] ?? '',
    /^1 cue .* begins at 0\.$/,
  );
});

test('a time beyond 36 hours is refused', () => {
  const late = doc(cue(36 * 3_600_000 - 1000, 36 * 3_600_000));
  assert.throws(() => changeCues(late, { timing: { offset: 1 } }), { kind: 'invalid', message: /36 hours/ });
  assert.throws(() => changeCues(late, { timing: { framerate: { from: 25, to: 24 } } }), { kind: 'invalid' });
  assert.throws(
    () =>
      changeCues(doc(cue(10_000_000, 10_000_001)), {
        timing: {
          anchors: [
            { at: 0, offset: 0 },
            { at: 1, offset: 120_000 },
          ],
        },
      }),
    { kind: 'invalid' },
  );
});

test('one anchor shifts; two correct a rate before, between and after them', () => {
  assert.deepEqual(moved({ anchors: [{ at: 5000, offset: -200 }] }, cue(1000, 2000), cue(9000, 9500)), [
    [800, 1800],
    [8800, 9300],
  ]);
  // From 25 to 23.976 with a shift of 1.5 s, given by two lines.
  const ratio = 25 / (24_000 / 1001);
  const right = (time: number): number => Math.round(time * ratio + 1500);
  const at = [600_000, 5_000_000];
  const anchors = at.map((time) => ({ at: time, offset: right(time) - time }));
  for (const time of [10_000, 600_000, 2_000_000, 5_000_000, 7_000_000]) {
    const [start, end] = moved({ anchors }, cue(time, time + 2000))[0] ?? [0, 0];
    assert.ok(Math.abs(start - right(time)) <= 1 && Math.abs(end - right(time + 2000)) <= 1, `${time}: ${start}`);
  }
});

test('three anchors are two lines', () => {
  const anchors = [
    { at: 10_000, offset: 0 },
    { at: 20_000, offset: 1000 },
    { at: 30_000, offset: 1000 },
  ];
  const points = [5000, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000];
  assert.deepEqual(
    moved({ anchors }, ...points.map((time) => cue(time, time))).map(([start]) => start),
    [4500, 10_000, 15_500, 21_000, 26_000, 31_000, 41_000],
  );
});

test('anchors that contradict each other are refused', () => {
  for (const anchors of [
    [],
    [
      { at: 0, offset: 0 },
      { at: 0, offset: 5 },
    ],
    [
      { at: 0, offset: 2000 },
      { at: 1000, offset: 0 },
    ],
    [
      { at: 0, offset: 1000 },
      { at: 1000, offset: 0 },
    ],
    [{ at: Number.NaN, offset: 0 }],
    Array.from({ length: 9 }, (_, at) => ({ at, offset: 0 })),
  ]) {
    assert.throws(
      () => changeCues(doc(cue(0, 1)), { timing: { anchors } }),
      { kind: 'invalid' },
      JSON.stringify(anchors),
    );
  }
});

test('a frame rate multiplies times by from / to', () => {
  assert.deepEqual(moved({ framerate: { from: 25, to: 24 } }, cue(24_000, 48_000)), [[25_000, 50_000]]);
  assert.throws(() => changeCues(doc(), { timing: { framerate: { from: 0, to: 25 } } }), { kind: 'invalid' });
});

test('an alignment moves by segments of cues in order of time', () => {
  const cues = [cue(0, 100), cue(1000, 1100), cue(2000, 2100), cue(3000, 3100), cue(4000, 4100)];
  const alignment = {
    ratio: 1,
    segments: [
      { from: 1, to: 1, offset: 10 },
      { from: 3, to: 4, offset: 500 },
    ],
  };
  assert.deepEqual(
    moved({ alignment }, ...cues.toReversed()).map(([start]) => start),
    [10, 1010, 2010, 3500, 4500],
  );
  assert.deepEqual(
    moved({ alignment: { ratio: 2, segments: [] } }, ...cues).map(([start]) => start),
    [0, 2000, 4000, 6000, 8000],
  );
  assert.deepEqual(
    moved({ alignment: { ratio: 1.5, segments: [{ from: 0, to: 4, offset: -100 }] } }, cue(1000, 2000)),
    [[1400, 2900]],
  );
});

test('times inside a cue move with it', () => {
  const vtt = readText('WEBVTT\n\n00:01.000 --> 00:04.000\n<i>one <00:02.000>two</i> <00:00.100>x', 'vtt');
  const { document } = changeCues(vtt, { timing: { offset: -1000 } });
  assert.match(
    convert(document, 'vtt'),
    /\n00:00\.000 --> 00:03\.000\n<i>one <00:00:01\.000>two<\/i> <00:00:00\.000>x/,
  );
});

test('a script keeps every line that was not changed byte for byte', () => {
  const script =
    '[Script Info]\r\n; by hand\r\nPlayResX: 640\r\n\r\n[Events]\r\nFormat: Layer, Start, End, Style, Text\r\n' +
    'Comment: 0,0:00:00.00,0:00:01.00,x,note\r\nDialogue: 0,0:00:01.00,0:00:02.00, A ,{\\fad(1,2)\\k30}one\r\n' +
    'Dialogue: 0,0:00:05.00,0:00:06.00,A,two\r\n[Fonts]\r\nabc';
  const ass = readText(script, 'ass');
  assert.equal(convert(changeCues(ass, {}).document, 'ass'), script);
  assert.equal(
    convert(
      changeCues(ass, {
        timing: {
          alignment: {
            ratio: 1,
            segments: [
              { from: 0, to: 0, offset: 0 },
              { from: 1, to: 1, offset: 1000 },
            ],
          },
        },
      }).document,
      'ass',
    ),
    script.replace('0:00:05.00,0:00:06.00', '0:00:06.00,0:00:07.00'),
  );
});

test('unpaired rows are in order of time and claim no correspondence', () => {
  assert.deepEqual(unpaired([cue(0, 1), cue(2000, 3000)], [cue(0, 1), cue(1000, 1500), cue(3000, 3500)]), [
    { kind: 'unpaired-current', current: [0] },
    { kind: 'unpaired-proposed', proposed: [0] },
    { kind: 'unpaired-proposed', proposed: [1] },
    { kind: 'unpaired-current', current: [1] },
    { kind: 'unpaired-proposed', proposed: [2] },
  ]);
  assert.deepEqual(unpaired([], []), []);
});

const anyCue = fc
  .record({ start: fc.nat(7_200_000), length: fc.nat(8000) })
  .map(({ start, length }) => cue(start, start + length));
const anyTiming: fc.Arbitrary<Timing> = fc.oneof(
  fc.record({ offset: fc.integer({ min: -120_000, max: 120_000 }) }),
  fc.record({
    framerate: fc.record({ from: fc.constantFrom(23.976, 24, 25, 29.97), to: fc.constantFrom(23.976, 24, 25, 30) }),
  }),
  fc.integer({ min: -120_000, max: 120_000 }).map((offset) => ({
    anchors: [
      { at: 1000, offset },
      { at: 3_600_000, offset: -offset },
    ],
  })),
);

test('with any timing every cue occurs once, in order, at 0 or later, and never backwards', () => {
  fc.assert(
    fc.property(fc.array(anyCue, { maxLength: 40 }), anyTiming, (cues, timing) => {
      const document = doc(...cues);
      const before = structuredClone(document);
      const changed = changeCues(document, { timing });
      assert.deepEqual(document, before);
      assert.equal(changed.document.cues.length, cues.length);
      assert.deepEqual(inOrder(changed.document.cues), changed.document.cues);
      for (const { start, end } of changed.document.cues)
        assert.ok(start >= 0 && end >= start && Number.isInteger(start) && Number.isInteger(end));
      assert.deepEqual(
        changed.rows.map((row) => row.current?.[0]),
        cues.map((_, n) => n),
      );
      assert.deepEqual(
        changed.rows.map((row) => row.proposed?.[0]).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
        cues.map((_, n) => n),
      );
    }),
  );
});
