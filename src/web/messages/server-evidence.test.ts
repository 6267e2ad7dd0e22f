/** Reasons for and against a subtitle have an English fragment, and are said in German with their values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidenceDetail, type EvidenceReason, TIMING_REFUSALS } from '../../contract/subtitles/evidence-reasons.ts';
import { settled, speak } from './catalogue.ts';
import { evidenceText, refusalText } from './server-evidence.ts';

const CASES: readonly (readonly [EvidenceReason, string, string])[] = [
  [{ reason: 'same-year', values: {} }, 'the same year', 'dasselbe Jahr'],
  [
    { reason: 'distinct', values: { found: 12.3, needed: 7 } },
    'this timing is better than the others by a z-score of 12.3; 7.0 is needed',
    'diese Zeiten sind um einen z-Wert von 12,3 besser als andere; nötig ist 7,0',
  ],
  [
    { reason: 'spoken', values: { hit: 81, needed: 60, chance: 40 } },
    'during 81 % of the lines someone speaks; 60 % is needed, and chance gives 40 %',
    'während 81\u00a0% der Zeilen wird gesprochen; nötig sind 60\u00a0%, der Zufall ergibt 40\u00a0%',
  ],
  [
    { reason: 'breaks', values: { count: 2, found: 4.5 } },
    'the shift changes 2 times along the film; its least sure part stands out by 4.5',
    'die Verschiebung wechselt im Film 2-mal; der unsicherste Teil hebt sich um 4,5 ab',
  ],
  [
    { reason: 'moved', values: { reference: 'speech', ratio: 1.0427, shifts: '-1240 400' } },
    'stretched to 104.27 % and moved by −1.24 s, then +0.40 s to fit the speech',
    'auf 104,27\u00a0% gestreckt und um −1,24\u00a0s, dann +0,40\u00a0s verschoben, passend zur Sprache',
  ],
  [
    { reason: 'unconfirmed', values: { refusal: 'too-many-breaks' } },
    'the timing could not be confirmed: the timing would break more than 3 times',
    'die Zeiten ließen sich nicht bestätigen: die Verschiebung müsste mehr als 3-mal wechseln',
  ],
  [
    { reason: 'other-edition', values: { edition: "director's cut" } },
    "for another edition (director's cut)",
    "für eine andere Fassung (director's cut)",
  ],
  [
    { reason: 'other-language', values: { confidence: 97 } },
    'the text is in another language than its name says; the confidence is 0.97',
    'der Text ist in einer anderen Sprache, als sein Name sagt; die Sicherheit ist 97\u00a0%',
  ],
];

test('German says what was measured; a reason of an earlier version stays as it is stored', async () => {
  await speak(['de']);
  await settled();
  for (const [why, english, german] of CASES) {
    assert.equal(evidenceDetail(why), english);
    assert.equal(evidenceText({ detail: english, why }), german);
  }
  assert.equal(evidenceText({ detail: 'the same year' }), 'the same year');
  const reason = TIMING_REFUSALS.drift;
  assert.match(refusalText({ reason, why: 'drift' }), /^die Zeiten laufen/);
  assert.equal(refusalText({ reason }), reason);
  await speak(['en']);
  await settled();
  assert.equal(evidenceText({ detail: 'as sent', why: { reason: 'same-year', values: {} } }), 'as sent');
});
