/** WebVTT in segments: every cue in each segment that it touches, however the text comes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCueReader, cueSegment } from './vtt.ts';

const TEXT =
  'WEBVTT\n\nSTYLE\n::cue { color: white }\n\nNOTE not shown\n\n1\n00:00:01.000 --> 00:00:03.500 line:0\none\n' +
  'two\n\n00:00:29.000 --> 00:00:31.000\nover the edge\n\n00:00:30.000 --> 00:00:30.000\nno time at all\n\n' +
  '100:00:00.000 --> 100:00:01.000\nfar\n';

const read = (size: number) => {
  const reader = createCueReader();
  for (let at = 0; at < TEXT.length; at += size) reader.push(TEXT.slice(at, at + size));
  reader.end();
  return reader;
};

test('cues are read piece by piece', () => {
  for (const size of [1, 10, 1000]) {
    const { head, cues } = read(size);
    assert.deepEqual(head, ['STYLE\n::cue { color: white }']);
    assert.deepEqual(
      cues.map(({ start, end }) => [start, end]),
      [
        [1, 3.5],
        [29, 31],
        [30, 30],
        [360_000, 360_001],
      ],
      `in pieces of ${size}`,
    );
    assert.equal(cues[0]?.text, '1\n00:00:01.000 --> 00:00:03.500 line:0\none\ntwo');
  }
});

test('a cue is in every segment that it touches, and styles are in all', () => {
  const { head, cues } = read(1000);
  const segment = (from: number, to: number) => cueSegment({ head, cues, from, to, partStart: 0 });
  assert.equal(
    segment(0, 30),
    'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\nSTYLE\n::cue { color: white }\n\n1\n' +
      '00:00:01.000 --> 00:00:03.500 line:0\none\ntwo\n\n00:00:29.000 --> 00:00:31.000\nover the edge\n\n',
  );
  assert.match(segment(30, 60), /over the edge[^]*no time at all/);
  assert.doesNotMatch(segment(31, 60), /over the edge|no time at all|far/);
  assert.match(segment(60, Number.POSITIVE_INFINITY), /far/);
});

test('the map says where a part begins, on a clock of 33 bits', () => {
  const at = (partStart: number) =>
    /MPEGTS:(\d+)/.exec(cueSegment({ head: [], cues: [], from: 0, to: 1, partStart }))?.[1];
  assert.deepEqual([at(10.5), at(2 ** 33 / 90_000 + 1)], ['945000', '90000']);
});
