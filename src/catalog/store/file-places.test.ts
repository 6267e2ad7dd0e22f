/** Places in several files, and where they are after files were converted, added, removed or all replaced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileLayout, placeAt, movedPosition } from './file-places.ts';

/** Reads `a:100 b:50`: files with their seconds. An id may have an extension, which its stem has not. */
const layout = (text: string): FileLayout =>
  text
    .split(' ')
    .filter(Boolean)
    .map((file) => {
      const [id = '', seconds = '0'] = file.split(':');
      return { id, stem: id.replace(/\.[^.]+$/, ''), duration: Number(seconds) };
    });

test('a position is in the file that is heard there', () => {
  const files = layout('a:100 b:50 c:25');
  const table: [number, string | undefined, number?][] = [
    [0, undefined],
    [99.5, 'a', 99.5],
    [100, 'b', 0],
    [160, 'c', 10],
    [175, 'c', 25],
  ];
  for (const [position, file, offset] of table)
    assert.deepEqual(placeAt(files, position), file === undefined ? undefined : { file, offset });
  assert.equal(placeAt(layout('a:100 b:0'), 20), undefined, 'no length, no place');
});

test('file and offset are kept, and the position follows', () => {
  const before = layout('a.mp3:100 b.mp3:50 c.mp3:25');
  const table: [change: string, place: [string, number], now: string, position: number | undefined][] = [
    ['the file before is longer', ['b.mp3', 20], 'a.mp3:103.5 b.mp3:50 c.mp3:25', 123.5],
    ['one was added before it', ['b.mp3', 20], 'intro.mp3:10 a.mp3:100 b.mp3:50 c.mp3:25', 130],
    ['one was added behind it', ['b.mp3', 20], 'a.mp3:100 b.mp3:50 c.mp3:25 d.mp3:9', 120],
    ['the file is shorter than the offset', ['b.mp3', 40], 'a.mp3:100 b.mp3:30 c.mp3:25', 130],
    ['the one before it was removed', ['b.mp3', 20], 'b.mp3:50 c.mp3:25', 20],
    ['its own file was removed', ['b.mp3', 20], 'a.mp3:100 c.mp3:25', 100],
    ['the last file was removed', ['c.mp3', 20], 'a.mp3:100 b.mp3:50', 150],
    ['all were converted', ['b.mp3', 20], 'a.m4a:100.2 b.m4a:50.1 c.m4a:25', 120.2],
    ['all were renamed and converted', ['b.mp3', 20], 'x.m4a:101 y.m4a:50 z.m4a:25', 121],
    ['all were joined', ['b.mp3', 20], 'whole.m4b:175', 120],
    ['all were joined, and the end was cut', ['c.mp3', 20], 'whole.m4b:160', 160],
    ['the length of a file is not known', ['b.mp3', 20], 'a.mp3:0 b.mp3:50', undefined],
    ['the file was never known', ['z.mp3', 20], 'a.mp3:100', undefined],
    ['no file is left', ['b.mp3', 20], '', undefined],
  ];
  for (const [change, [file, offset], now, position] of table)
    assert.equal(movedPosition({ file, offset }, layout(now), before), position, change);
});
