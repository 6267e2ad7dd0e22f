/** Reasons for and against a subtitle are said in German with their values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, speak } from './catalogue.ts';
import { evidenceText } from './server-evidence.ts';

test('German says what was measured; an unknown reason stays as it is stored', async () => {
  await speak(['de']);
  await settled();
  for (const [english, german] of [
    ['the same year', 'dasselbe Jahr'],
    [
      'this timing is better than the others by a z-score of 12.3; 7.0 is needed',
      'diese Zeiten sind um einen z-Wert von 12,3 besser als andere; nötig ist 7,0',
    ],
    [
      'during 81 % of the lines someone speaks; 60 % is needed, and chance gives 40 %',
      'während 81 % der Zeilen wird gesprochen; nötig sind 60 %, der Zufall ergibt 40 %',
    ],
    [
      'the shift changes 2 times along the film; its least sure part stands out by 4.5',
      'die Verschiebung wechselt im Film 2 Mal; der unsicherste Teil hebt sich um 4,5 ab',
    ],
    [
      'stretched to 104.27 % and moved by −1.24 s, then +0.40 s to fit the speech',
      'auf 104,27 % gestreckt und um −1,24 s, dann +0,40 s verschoben, passend zur Sprache',
    ],
    [
      'the timing could not be confirmed: the timing would break more than 6 times',
      'die Zeiten ließen sich nicht bestätigen: die Verschiebung müsste mehr als 6-mal wechseln',
    ],
    ["for another edition (director's cut)", "für eine andere Fassung (director's cut)"],
    ['an unknown reason', 'an unknown reason'],
  ] as const)
    assert.equal(evidenceText(english), german);
  await speak(['en']);
  await settled();
  assert.equal(evidenceText('the same year'), 'the same year');
});
