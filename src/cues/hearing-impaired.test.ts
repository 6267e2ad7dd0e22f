/** Detection of SDH by content: marks, dialogue that is no mark, and the required share of marks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spansOf, type Cue } from './cue.ts';
import { detectHearingImpaired, marksOf } from './hearing-impaired.ts';

const cuesOf = (texts: readonly string[]): Cue[] =>
  texts.map((text, n) => ({ start: n * 1000, end: n * 1000 + 900, spans: spansOf(text) }));
const plain = Array.from({ length: 100 }, (_, n) => `This is what they said, number ${n}.`);

test('marks of a line', () => {
  for (const [line, expected] of [
    ['[DOOR SLAMS]', ['bracket']],
    ['[door slams] What was that?', ['bracket']],
    ['(laughing)', ['bracket']],
    ['- (SIGHS) Yes.', ['bracket']],
    ['(Frank) sighs', []],
    ['JOHN: Come here.', ['label']],
    ['- MAN #2 (ON TV): Hi', ['label']],
    ['MRS. O’BRIEN:', ['label']],
    ['♪ la la la ♪', ['music']],
    ['# la la la #', ['music']],
    ['[John] ♪ la ♪', ['bracket', 'music']],
    ['（田中）はい', ['bracket']],
    ['【音楽】', ['bracket']],
    ['[MAN]: Hello', ['bracket']],
    ['Dr. Smith: the time is ten', []],
    ['The time is: now', []],
    ['It is 10:30', []],
    ['NOTE:this', []],
    ['I said (quietly) no', []],
    ['We (that is, you) go', []],
    ['# 1 in the charts', []],
    ['A: yes', []],
    ['', []],
    ['[', []],
    ['[...]', []],
    ['[12]', []],
    ['((((((', []],
    ['(a [b', []],
    ['WARNING: THIS IS A VERY LONG SENTENCE THAT GOES ON: YES', ['label']],
  ] as const)
    assert.deepEqual(
      marksOf(line, { labels: true }).map((mark) => mark.kind),
      expected,
      line,
    );
});

test('marks have their offsets', () => {
  assert.deepEqual(marksOf('- [SIGHS] JOHN: no', { labels: true }), [{ kind: 'bracket', from: 2, to: 9 }]);
  const line = '- JOHN: [sighs] no';
  assert.deepEqual(
    marksOf(line, { labels: true }).map(({ from, to }) => line.slice(from, to)),
    ['JOHN:', '[sighs]'],
  );
});

test('files', () => {
  const mixed = (marks: readonly string[]): Cue[] => cuesOf([...plain, ...marks]);
  for (const [what, cues, expected] of [
    ['ordinary', cuesOf(plain), false],
    ['SDH', mixed(['[DOOR OPENS]', 'ANNA: Hello?', '[music playing]\nWho is there?', '(gasps)']), true],
    [
      'a doctor and an aside',
      mixed(['Dr. Smith: the time is ten', 'The answer: no', 'I said (quietly) no', 'Bob: hi', 'Anna: hi']),
      false,
    ],
    ['one sign in brackets', mixed(['[Two years later]']), false],
    ['a song', mixed(['♪ la la ♪', '♪ la la la ♪', '♪ la ♪']), false],
    ['all capitals', cuesOf(plain.map((text) => `JOHN: ${text}`.toUpperCase())), false],
    [
      'all capitals with sounds',
      cuesOf(plain.map((text, n) => (n % 10 === 0 ? `[BANG] ${text}` : text).toUpperCase())),
      true,
    ],
    ['short and marked', cuesOf(['[BANG]', 'Hello', 'JOHN: Yes']), true],
    ['nothing', [], false],
  ] as const)
    assert.equal(detectHearingImpaired(cues).is, expected, what);
});

test('the evidence', () => {
  const found = detectHearingImpaired(cuesOf([...plain, '[BANG]', 'ANNA: Yes', '♪ la ♪', '(sighs)']));
  assert.deepEqual(found.evidence, { brackets: 2, labels: 1, music: 1, cues: 104, examples: [100, 101, 102, 103] });
  assert.equal(found.ratio, 4 / 104);
});
