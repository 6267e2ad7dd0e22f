/** Notes about drafts are said in German, with their values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DraftNote, draftText } from '../../contract/subtitles/draft-notes.ts';
import { settled, speak } from './catalogue.ts';
import { draftMessage } from './server-drafts.ts';

const CASES: readonly (readonly [DraftNote, string, string])[] = [
  [{ reason: 'preparing', values: {} }, 'It is being prepared.', 'Wird vorbereitet.'],
  [
    { reason: 'failed', values: { failure: 'model-not-configured', message: 'no transcription model is configured' } },
    'No transcription model is configured.',
    'Es ist kein Modell für die Transkription eingestellt.',
  ],
  [
    { reason: 'picture-defect', values: { defect: 'object-outside', count: 3 } },
    'An object lies outside the picture (3 times).',
    'Ein Bildteil liegt außerhalb des Bildes (3-mal).',
  ],
  [
    { reason: 'cues-repeat', values: { count: 2 } },
    '2 cues repeat themselves, as where nothing is said, and are marked as hardly sure.',
    '2 Untertitel wiederholen sich, wie an Stellen, an denen nichts gesagt wird, und gelten als sehr unsicher.',
  ],
];

test('German has own words for each note; a draft of an earlier version is shown as it is stored', async () => {
  await speak(['de']);
  await settled();
  for (const [note, english, german] of CASES) {
    assert.equal(draftText([note]), english);
    assert.equal(draftMessage({ message: english, notes: [note] }), german);
  }
  assert.equal(draftMessage({ message: 'As it was stored.' }), 'As it was stored.');
  await speak(['en']);
  await settled();
  assert.equal(draftMessage({ message: 'Abc.', notes: [CASES[0]?.[0] as DraftNote] }), 'Abc.');
});
