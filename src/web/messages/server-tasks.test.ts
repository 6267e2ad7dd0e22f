/** The stages and results of tasks are said in the language that is spoken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskRemarkTexts } from '../../contract/ops/task-remarks.ts';
import { TASK_ERRORS, type TaskErrorTexts } from '../../contract/ops/task-errors.ts';
import { settled, speak } from './catalogue.ts';
import { taskErrorsGerman } from './de/server-task-errors.ts';
import { taskRemarksGerman } from './de/server-task-remarks.ts';
import { taskErrorText } from './server-tasks.ts';

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

test('an error without German words does not compile; one of an earlier version is said as stored', async () => {
  // @ts-expect-error a reason is missing
  const missing: TaskErrorTexts & { 'a-new-reason': () => string } = taskErrorsGerman;
  assert.ok(missing);
  assert.deepEqual(Object.keys(taskErrorsGerman), Object.keys(TASK_ERRORS));
  const why = { reason: 'given-up', values: { deaths: 3 } } as const;
  assert.equal(taskErrorText({ error: 'as it is', why }), 'as it is');
  await speak(['de']);
  await settled();
  assert.equal(
    taskErrorText({ error: 'as it is', why }),
    'der Server wurde dabei 3 Mal beendet, darum wurde die Aufgabe aufgegeben',
  );
  assert.equal(taskErrorText({ error: 'an old sentence' }), 'an old sentence');
  await speak(['en']);
  await settled();
});
