/** One timeline over several files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFilm, otherPartAt, partAfter, timelineOf } from './timeline.ts';

const parts = [
  { part: 0, start: 0, duration: 100 },
  { part: 1, start: 100, duration: 50 },
  { part: 2, start: 150, duration: 10 },
];

test('a stream has all of it, and so has a film in one file', () => {
  for (const timeline of [
    timelineOf({ parts, duration: 160 }, 1, true),
    timelineOf({ parts: parts.slice(0, 1), duration: 100 }, 0, false),
  ]) {
    assert.equal(timeline.offset, 0);
    assert.equal(otherPartAt(timeline, 120), undefined);
    assert.equal(partAfter(timeline), undefined);
  }
});
test('a file of several begins at its time, and jumps lead to the others', () => {
  const timeline = timelineOf({ parts, duration: 160 }, 1, false);
  assert.equal(timeline.offset, 100);
  assert.deepEqual(
    [0, 99.9, 100, 149, 150, 500].map((time) => otherPartAt(timeline, time)),
    [0, 0, undefined, undefined, 2, 2],
  );
  assert.equal(partAfter(timeline)?.part, 2);
  assert.equal(partAfter({ ...timeline, part: 2 }), undefined);
});
test('times are those of the film', () => {
  const video = { currentTime: 20, duration: 50 } as HTMLVideoElement;
  const jumps: [number, number][] = [];
  const film = createFilm(video, timelineOf({ parts, duration: 160 }, 1, false), (part, at) => jumps.push([part, at]));
  assert.deepEqual([film.time(), film.duration()], [120, 160]);
  film.seek(130);
  assert.equal(video.currentTime, 30);
  film.seek(10);
  film.seek(999);
  assert.deepEqual(jumps, [
    [0, 10],
    [2, 159.8],
  ]);
  assert.equal(video.currentTime, 30, 'the element is left alone');
});
