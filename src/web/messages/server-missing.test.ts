/** Why a subtitle is missing is said in the language that is spoken, and a search of an earlier version as stored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MISSING_REASONS,
  type MissingReason,
  type MissingReasonTexts,
  missingText,
} from '../../contract/subtitles/missing-reasons.ts';
import { settled, speak } from './catalogue.ts';
import { missingReasonsGerman } from './de/server-missing.ts';
import { missingReasonText } from './server-missing.ts';

const GIVEN: readonly [MissingReason, string, string][] = [
  [
    { reason: 'none-offered', values: {} },
    'no provider has a subtitle for this video in this language',
    'kein Anbieter hat einen Untertitel für dieses Video in dieser Sprache',
  ],
  [
    { reason: 'provider-failed', values: { fault: 'hostile', message: 'the archive is encrypted' } },
    'the archive is encrypted',
    'die Antwort des Anbieters ist nicht sicher',
  ],
  [
    { reason: 'refused', values: { code: 'timing', message: 'a sentence of a later version' } },
    'a sentence of a later version',
    'die Zeiten passen nicht zum Ton',
  ],
  [
    {
      reason: 'refused',
      values: { code: 'timing', message: 'a cue would move beyond 36 hours', refusal: 'beyond-limit' },
    },
    'a cue would move beyond 36 hours',
    'die Zeiten ließen sich nicht bestätigen: ein Untertitel läge nach mehr als 36 Stunden',
  ],
  [{ reason: 'part-without', values: { part: 2 } }, 'part 2 has none', 'Teil 2 hat keinen'],
];

test('a reason without German words does not compile', () => {
  // @ts-expect-error a reason is missing
  const missing: MissingReasonTexts & { 'a-new-reason': () => string } = missingReasonsGerman;
  assert.ok(missing);
  assert.deepEqual(Object.keys(missingReasonsGerman), Object.keys(MISSING_REASONS));
});

test('reasons are said in English and German; one of another version as the server says it', async () => {
  assert.deepEqual(
    GIVEN.map(([why]) => missingText(why)),
    GIVEN.map(([, english]) => english),
  );
  await speak(['de']);
  await settled();
  assert.deepEqual(
    GIVEN.map(([why, reason]) => missingReasonText({ reason, why })),
    GIVEN.map(([, , german]) => german),
  );
  const why = { reason: 'of-a-later-version', values: {} } as unknown as MissingReason;
  assert.equal(missingReasonText({ reason: 'it is new', why }), 'it is new');
  assert.equal(missingReasonText({ reason: 'it is old' }), 'it is old');
  await speak(['en']);
  await settled();
  assert.equal(missingReasonText({ reason: 'as it is', why: { reason: 'none-offered', values: {} } }), 'as it is');
});
