/** Reasons of accelerators are said in German, with their values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, speak } from './catalogue.ts';
import { translatedFinding } from './server-findings.ts';
import { trialWordsOf } from './server-trials.ts';

const encode = {
  reason: 'it failed on a film (it stopped answering) and is tested again',
  why: { reason: 'failed-on-film', values: { fault: 'silent' } },
} as const;

test('German has own words for a cause; a result of an earlier version stays as it is stored', async () => {
  assert.equal(trialWordsOf(encode), encode.reason);
  await speak(['de']);
  await settled();
  assert.equal(trialWordsOf(encode), 'bei einem Film ausgefallen (keine Antwort mehr), wird erneut getestet');
  assert.equal(trialWordsOf({ reason: 'as it was stored' }), 'as it was stored');
  const finding = (cause?: { reason: 'device-forbidden'; values: { device: string } }) =>
    translatedFinding({
      code: 'accelerator-unusable',
      subject: '',
      sentence: '',
      values: { accelerator: 'vaapi', why: 'as it was stored', cause },
    }).sentence;
  assert.match(finding(), /nicht bestanden hat: as it was stored\. Reiche das Gerät in einem Container/);
  assert.match(
    finding({ reason: 'device-forbidden', values: { device: '/dev/dri/renderD128' } }),
    /nicht bestanden hat: der Server darf \/dev\/dri\/renderD128 nicht verwenden:/,
  );
  await speak(['en']);
  await settled();
});
