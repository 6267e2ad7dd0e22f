/** Small pictures: what the file says, and which one belongs to a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileAt, tilesFrom } from './trickplay.ts';

const TEXT = `WEBVTT

00:00.000 --> 00:10.000
0.jpg?ticket=a#xywh=0,0,320,180

2
00:00:10.000 --> 00:00:20.000
0.jpg?ticket=a#xywh=320,0,320,180

01:00:00.000 --> 01:00:10.000
1.jpg#xywh=0,180,320,180
`;
test('sheets are relative to the file', () => {
  const tiles = tilesFrom(TEXT, 'https://tv.example/trickplay/ab/index.vtt?ticket=a');
  assert.deepEqual(
    tiles.map(({ start, end, url, x, y }) => [start, end, url, x, y]),
    [
      [0, 10, '/trickplay/ab/0.jpg?ticket=a', 0, 0],
      [10, 20, '/trickplay/ab/0.jpg?ticket=a', 320, 0],
      [3600, 3610, '/trickplay/ab/1.jpg', 0, 180],
    ],
  );
});
test('the picture of a time is the last one that began', () => {
  const tiles = tilesFrom(TEXT, 'https://tv.example/trickplay/ab/index.vtt');
  assert.deepEqual(
    [-5, 0, 9.99, 10, 500, 3600, 9999].map((time) => tileAt(tiles, time)?.start),
    [0, 0, 0, 10, 10, 3600, 3600],
  );
  assert.equal(tileAt([], 5), undefined);
});
test('other servers, empty places and nonsense are left out', () => {
  const text = [
    '00:00.000 --> 00:01.000\nhttps://elsewhere.example/0.jpg#xywh=0,0,9,9',
    '00:01.000 --> 00:02.000\n0.jpg#xywh=0,0,0,9',
    '00:02.000 --> 00:03.000\n0.jpg',
    '00:03.000 --> 00:04.000\njavascript:x#xywh=0,0,9,9',
    'x --> y\n0.jpg#xywh=0,0,9,9',
  ].join('\n\n');
  assert.deepEqual(tilesFrom(text, 'https://tv.example/trickplay/ab/index.vtt'), []);
});
