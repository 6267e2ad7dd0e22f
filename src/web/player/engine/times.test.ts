/** Times, chapters and where playing begins. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chapterAt, chapterStep, partOf, startAt } from './times.ts';

const chapters = [0, 60, 300].map((start) => ({ start, title: `at ${start}` }));

test('a part of the whole never leaves it', () => {
  assert.deepEqual([partOf(5, 10), partOf(-1, 10), partOf(11, 10), partOf(5, 0)], [0.5, 0, 1, 0]);
});
test('the chapter of a time', () => {
  assert.equal(chapterAt(chapters, 59)?.at, 0);
  assert.equal(chapterAt(chapters, 60)?.at, 1);
  assert.equal(chapterAt([{ start: 10, title: '' }], 5), undefined);
});
test('steps of chapters: forward to the next, back to the start of this one, then to the one before', () => {
  assert.equal(chapterStep(chapters, 10, 1), 60);
  assert.equal(chapterStep(chapters, 400, 1), undefined);
  assert.equal(chapterStep(chapters, 80, -1), 60);
  assert.equal(chapterStep(chapters, 61, -1), 0);
  assert.equal(chapterStep([], 61, -1), undefined);
});
test('playing begins where the address or the person says, and at the start when that is the end', () => {
  assert.equal(startAt({ asked: null, position: 400, duration: 1000 }), 400);
  assert.equal(startAt({ asked: '0', position: 400, duration: 1000 }), 0);
  assert.equal(startAt({ asked: '12.5', position: 400, duration: undefined }), 12.5);
  assert.equal(startAt({ asked: 'x', position: 995, duration: 1000 }), 0);
  assert.equal(startAt({ asked: '995', position: 400, duration: 1000 }), 995, 'a line that is spoken at the end');
  assert.equal(startAt({ asked: '1000', position: 400, duration: 1000 }), 0);
});
