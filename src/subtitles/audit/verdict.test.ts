/** Verdicts of the timing audit: what each result of an alignment and of a detected language becomes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alignment } from '../../cues/align/types.ts';
import { alignmentOfJudgement, timingView, unjudged, verdictByAlignment, withLanguage } from './verdict.ts';

const measured = { ratio: 1, segments: [], evidence: [{ kind: 'speech', detail: 'x', points: 3 }] };
const refused = (reason: 'weak' | 'no-speech' | 'too-few-cues' | 'mismatch'): Alignment => ({
  ...measured,
  outcome: 'refused',
  reason,
  refusal: reason === 'mismatch' ? 'fits-nowhere' : 'not-distinct',
});
const moved = (ratio: number, ...offsets: number[]): Alignment => ({
  ...measured,
  outcome: 'moved',
  ratio,
  segments: offsets.map((offset, n) => ({ from: n * 10, to: n * 10 + 9, offset })),
  cues: [],
});

test('an alignment becomes a verdict, and a refusal never becomes more than it says', () => {
  const verdicts: [Alignment, string][] = [
    [{ ...measured, outcome: 'fits' }, 'fits'],
    [moved(1, 2500), 'shifted'],
    [moved(25 / 24, -300), 'rate'],
    [moved(1, 0, 4000), 'cut'],
    [moved(25 / 24, 0, 4000), 'cut'],
    [refused('mismatch'), 'mismatch'],
    [refused('weak'), 'unknown'],
    [refused('no-speech'), 'unknown'],
    [refused('too-few-cues'), 'unknown'],
  ];
  for (const [alignment, verdict] of verdicts) assert.equal(verdictByAlignment(alignment, 'speech').verdict, verdict);
  const { facts } = verdictByAlignment(refused('weak'), 'embedded');
  assert.deepEqual(
    [facts.why, facts.reason, facts.reference, facts.evidence],
    ['weak', 'no offset fits clearly better than others', 'embedded', measured.evidence],
  );
});

test('a reply says by how much, and only of what moving puts right', () => {
  const at = Date.UTC(2026, 10, 21);
  const view = (alignment: Alignment) => timingView({ ...verdictByAlignment(alignment, 'speech'), at });
  assert.equal(view(moved(1, 2500.4)).shiftMilliseconds, 2500);
  assert.equal(view(moved(1, 2500)).ratio, undefined);
  assert.equal(view(moved(25 / 24, 0)).ratio, 25 / 24);
  assert.equal(view(moved(1, 0, 4000, 9000)).parts, 3);
  const { reason, shiftMilliseconds } = view(refused('mismatch'));
  assert.deepEqual(
    [reason, shiftMilliseconds],
    ['the cues match no speech: they may belong to another film or another cut', undefined],
  );
  assert.ok(alignmentOfJudgement(verdictByAlignment(moved(1, 2500), 'speech')));
  for (const one of [refused('mismatch'), refused('weak'), { ...measured, outcome: 'fits' as const }])
    assert.equal(alignmentOfJudgement(verdictByAlignment(one, 'speech')), undefined);
});

test('another language outweighs the timing, but only if it is certain', () => {
  const found = verdictByAlignment(moved(1, 2500), 'speech');
  const german = { language: 'de', confidence: 0.99, reliable: true, by: 'cld3' as const, agrees: false };
  const foreign = withLanguage(found, german);
  assert.equal(foreign.verdict, 'language');
  assert.equal(alignmentOfJudgement(foreign), undefined, 'moving it would not help');
  const view = timingView({ ...foreign, at: 0 });
  assert.equal(view.detected, 'de');
  assert.equal(view.evidence[0]?.kind, 'language');
  assert.equal(withLanguage(unjudged('no-audio'), german).verdict, 'language');
  for (const doubtful of [
    { ...german, agrees: true },
    { ...german, reliable: false },
    { ...german, confidence: 0.6 },
    undefined,
  ])
    assert.equal(withLanguage(found, doubtful), found);
});
