/** Why a clean-up leaves a file alone is said in the language that is spoken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  SKIPPED_REASONS,
  type SkippedReason,
  type SkippedReasonTexts,
} from '../../contract/subtitles/skipped-reasons.ts';
import { settled, speak } from './catalogue.ts';
import { skippedReasonsGerman } from './de/server-skipped.ts';
import { skippedText } from './server-skipped.ts';

test('a reason without German words does not compile', () => {
  // @ts-expect-error a reason is missing
  const missing: SkippedReasonTexts & { 'a-new-reason': () => string } = skippedReasonsGerman;
  assert.ok(missing);
  assert.deepEqual(Object.keys(skippedReasonsGerman), Object.keys(SKIPPED_REASONS));
});

test('reasons are said in German; one of another version as the server says it', async () => {
  const taken: SkippedReason = { reason: 'name-taken', values: {} };
  const failed: SkippedReason = { reason: 'failed', values: { failure: 'library-offline', message: 'it is away' } };
  assert.equal(skippedText({ reason: 'as it is', why: taken }), 'as it is');
  await speak(['de']);
  await settled();
  assert.equal(skippedText({ reason: '', why: taken }), 'eine ausgeblendete Datei dieses Namens gibt es schon');
  assert.notEqual(skippedText({ reason: 'it is away', why: failed }), 'it is away');
  const later = { reason: 'of-a-later-version', values: {} } as unknown as SkippedReason;
  assert.equal(skippedText({ reason: 'it is new', why: later }), 'it is new');
  await speak(['en']);
  await settled();
});
