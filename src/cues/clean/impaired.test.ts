/** Text for the hearing-impaired: removed marks, corrected spaces, and no lost word of speech. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { changeCues } from '../change/change.ts';
import { plainText, spansOf, type Cue, type SubtitleDocument } from '../cue.ts';
import { convert } from '../convert.ts';
import { readText } from '../read.ts';
import { MORE_MARKED, MORE_SPEECH } from './impaired-more.ts';
import { MARKED as SOME_MARKED, SPEECH as SOME_SPEECH } from './impaired-table.ts';

const SPEECH = [...SOME_SPEECH, ...MORE_SPEECH];
const MARKED = [...SOME_MARKED, ...MORE_MARKED];

const docOf = (texts: readonly string[]): SubtitleDocument => ({
  format: 'srt',
  warnings: [],
  cues: texts.map((text, n): Cue => ({ start: n * 3000, end: n * 3000 + 2000, spans: spansOf(text) })),
});
/** Returns the rest of each cue, '' if it is removed. */
function cleaned(texts: readonly string[]): string[] {
  const { document, rows } = changeCues(docOf(texts), { removeHearingImpaired: true });
  return rows.map((row) => (row.proposed ? plainText(document.cues[row.proposed[0] ?? -1]?.spans ?? []) : ''));
}
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Lines of a file for the hard of hearing around the tested line: the rule removes most there. */
const AROUND = [
  'JOHN: Come here.',
  'MARY: No.',
  '[door slams]',
  'JOHN: Why?',
  'MARY: Because.',
  '(sighs)',
  'MAN: Hello there.',
  '[phone ringing]',
  'Man: Hello.',
  'Woman: Good morning.',
  'Boy: Look.',
];

test('the set is large, and of many languages', () => {
  assert.ok(SPEECH.length + MARKED.length >= 900, String(SPEECH.length + MARKED.length));
  assert.equal(new Set(SPEECH).size, SPEECH.length);
});

test('speech that looks like marks stays, alone and in a file for the hard of hearing', () => {
  // `Man: Hello.` is a speaker only in files that write speakers so; lines of that form are tested without it.
  for (const around of [[], AROUND.filter((line) => !/^(?:Man|Woman|Boy):/.test(line))]) {
    const after = cleaned([...around, ...SPEECH]).slice(around.length);
    assert.deepEqual(
      SPEECH.map((line, n) => [line, after[n]]).filter(([before, now]) => before !== now),
      [],
    );
  }
  for (const line of SPEECH) assert.deepEqual(cleaned([line]), [line]);
});

test('marks are removed, speech stays and its spaces are corrected', () => {
  const after = cleaned([...AROUND, ...MARKED.map(([before]) => before)]).slice(AROUND.length);
  assert.deepEqual(
    MARKED.map(([before, spoken], n) => [before, after[n] ?? '', spoken]).filter(([, now, spoken]) => now !== spoken),
    [],
  );
});

test('the spoken words are the same before and after, in order', () => {
  const lines: (readonly [string, string])[] = [...SPEECH.map((line) => [line, line] as const), ...MARKED];
  for (const around of [[], AROUND]) {
    const after = cleaned([...around, ...lines.map(([before]) => before)]).slice(around.length);
    for (const [n, [before, spoken]] of lines.entries()) {
      const left = wordsOf(after[n] ?? '');
      let at = 0;
      for (const word of wordsOf(spoken)) {
        at = left.indexOf(word, at) + 1;
        assert.ok(at > 0, `${JSON.stringify(before)} lost ${JSON.stringify(word)}: ${JSON.stringify(after[n])}`);
      }
    }
  }
});

test('speech stays among any other speech and any marks', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        SPEECH.map((_, n) => n),
        { minLength: 1, maxLength: 30 },
      ),
      fc.shuffledSubarray(
        MARKED.map((_, n) => n),
        { maxLength: 30 },
      ),
      (speech, marked) => {
        const lines = [...speech.map((n) => SPEECH[n] ?? ''), ...marked.map((n) => MARKED[n]?.[0] ?? '')];
        assert.deepEqual(
          cleaned(lines).slice(0, speech.length),
          speech.map((n) => SPEECH[n]),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('no rule removes a spoken word, in any order of rules', () => {
  const rules = ['removeCredits', 'mergeRepeated', 'removeHearingImpaired', 'fixCommonErrors', 'fixOverlaps'] as const;
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...rules], { minLength: 1 }),
      fc.shuffledSubarray(
        SPEECH.map((_, n) => n),
        { minLength: 12, maxLength: 60 },
      ),
      fc.constantFrom(undefined, 'en', 'fr', 'ru'),
      (order, speech, language) => {
        const lines = speech.map((n) => SPEECH[n] ?? '');
        let document = docOf(lines);
        for (const rule of order) document = changeCues(document, { [rule]: true, language }).document;
        assert.deepEqual(
          document.cues.map((cue) => letters(plainText(cue.spans))),
          lines.map(letters),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test('marks are found through tags, and only empty tags are removed', () => {
  const srt =
    '1\n00:00:01,000 --> 00:00:02,000\n<i>[SIGHS]</i> <b>Yes</b> <font color="#ff0000">[he laughs]</font>\n\n2\n' +
    '00:00:03,000 --> 00:00:04,000\n{\\an8}<i>[music\nplaying]</i>\n\n3\n00:00:05,000 --> 00:00:06,000\n' +
    '- <i>JOHN: Come <b>here</b>.</i>\n- <i>[door</i> opens]\n\n4\n00:00:07,000 --> 00:00:08,000\n' +
    'JOHN: It is <i>10:30</i>.\n';
  assert.equal(
    convert(changeCues(readText(srt, 'srt'), { removeHearingImpaired: true }).document, 'srt'),
    '1\n00:00:01,000 --> 00:00:02,000\n<b>Yes</b>\n\n2\n00:00:05,000 --> 00:00:06,000\n' +
      '<i>Come </i><b><i>here</i></b><i>.</i>\n\n3\n00:00:07,000 --> 00:00:08,000\nIt is <i>10:30</i>.\n',
  );
});

test('a file in capitals keeps what looks like names and asides', () => {
  const lines = [
    'HELLO THERE, MY FRIEND.',
    'JOHN: WHAT A NAME.',
    'JOHN: WHAT A DAY.',
    '(WHAT A MESS)',
    '[BANG] RUN.',
    'THIS IS ALL IN CAPITALS.',
  ];
  assert.deepEqual(cleaned(lines), [
    'HELLO THERE, MY FRIEND.',
    'JOHN: WHAT A NAME.',
    'JOHN: WHAT A DAY.',
    '(WHAT A MESS)',
    'RUN.',
    'THIS IS ALL IN CAPITALS.',
  ]);
});

test('a title that begins like a speaker counts as one only in a file with speakers', () => {
  assert.deepEqual(cleaned(['I saw it twice.', 'ALIENS: The best of them.', 'No.']), [
    'I saw it twice.',
    'ALIENS: The best of them.',
    'No.',
  ]);
  assert.deepEqual(cleaned(['Man: The greatest predator.', 'No.']), ['Man: The greatest predator.', 'No.']);
  assert.deepEqual(cleaned(['Man: Hello.', 'Woman: Hi.', 'Man: So.']), ['Hello.', 'Hi.', 'So.']);
});

test('rows and notes list the changes', () => {
  const changed = changeCues(docOf(['[BANG]', 'Hello.', '(sighs) No.']), { removeHearingImpaired: true });
  assert.deepEqual(changed.rows, [
    { kind: 'removed', current: [0] },
    { kind: 'matched', current: [1], proposed: [0] },
    { kind: 'matched', current: [2], proposed: [1] },
  ]);
  assert.deepEqual(changed.notes, ['Text for the hard of hearing was removed from 2 cues.']);
});
