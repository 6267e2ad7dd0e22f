/** The stages and results of tasks are said in the language that is spoken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskRemarkTexts } from '../../contract/ops/task-remarks.ts';
import { taskRemarksGerman } from './de/server-task-remarks.ts';

test('a remark without German words, or words that name other values, do not compile', () => {
  // @ts-expect-error a reason is missing
  const missing: TaskRemarkTexts & { 'a-new-reason': () => string } = taskRemarksGerman;
  // @ts-expect-error a value that the remark does not carry
  const other: TaskRemarkTexts = { ...taskRemarksGerman, albums: ({ tracks }: { tracks: number }) => String(tracks) };
  assert.ok(missing && other);
});

test('German says the numbers of a remark', () => {
  assert.equal(
    taskRemarksGerman.scanned({ added: 3, changed: 4, moved: 5, missing: 6 }),
    '3 neu, 4 geändert, 5 verschoben, 6 verschwunden',
  );
  assert.equal(taskRemarksGerman.albums({ count: 1 }), '1 Album');
  assert.equal(taskRemarksGerman['videos-of']({ done: 2, total: 5 }), '2 von 5 Videos');
});
