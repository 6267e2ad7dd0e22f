/** Checks the clean-up rules on any text, drawn at random from pieces that matter to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { changeCues, type Changes } from '../change/change.ts';
import { inOrder, spansOf, type Cue } from '../cue.ts';
import { readText } from '../read.ts';
import { MARKED, SPEECH } from './impaired-table.ts';
import { cue, docOf } from './testing.ts';

/** Pieces that mean something to some rule, so that random joins reach its corners. */
const PIECES = [
  '[',
  ']',
  '(',
  ')',
  '（',
  '）',
  '【',
  '】',
  '♪',
  '#',
  '¶',
  '-',
  '--',
  '>>',
  ':',
  '：',
  '\n',
  ' ',
  '  ',
  '.',
  '..',
  '...',
  ',',
  '!',
  '?',
  "'",
  "''",
  '"',
  '<',
  '>',
  '{',
  '}',
  '\\N',
  '{\\an8}',
  '&',
  '&amp;',
  '&lt;',
  'amp;',
  'quot;',
  '|',
  'l',
  'I',
  'II',
  'Il',
  'lI',
  "l'm",
  'heIlo',
  'â',
  '€',
  '™',
  'Ã',
  '©',
  'Â',
  'JOHN',
  'JOHN:',
  'MAN:',
  'Man:',
  'MARY: ',
  'sighs',
  'laughing',
  'DOOR SLAMS',
  'music playing',
  'I',
  'you',
  'is',
  'Yes',
  'no',
  'NASA',
  '10:30',
  '田中',
  '音',
  'Subtitles by ',
  'Tom',
  'www.addic7ed.com',
  'Traduzione: ',
  'Support us and become VIP member',
  'osdb.link',
  'the',
  'a',
  'é',
  '\u200b',
  '\ufeff',
  '\u2060',
  '\ud800',
  '5',
  ' - ',
  '< i >',
  '</',
];
const anyText = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
      fc.string({ maxLength: 4 }),
      fc.constantFrom(...SPEECH, ...MARKED.map(([before]) => before)),
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));
const anyCues = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0, 50, 200, 1000, -500, -3000),
      length: fc.constantFrom(10, 400, 600, 2000),
      text: fc.oneof(anyText, fc.constantFrom('a', 'a\nb', 'b\nc', 'b', 'c')),
      isTop: fc.boolean(),
    }),
    { maxLength: 14 },
  )
  .map((parts) => {
    let at = 5000;
    return parts.map(({ gap, length, text, isTop }): Cue => {
      const start = Math.max(0, at + gap);
      at = start + length;
      return {
        start,
        end: at,
        spans: isTop ? [{ kind: 'italic', children: spansOf(text) }] : spansOf(text),
        ...(isTop && length === 10 ? { placement: { anchor: 8 as const } } : {}),
      };
    });
  });
const anyRules = fc.record({
  removeCredits: fc.boolean(),
  mergeRepeated: fc.boolean(),
  removeHearingImpaired: fc.boolean(),
  fixCommonErrors: fc.boolean(),
  fixOverlaps: fc.boolean(),
  language: fc.constantFrom(undefined, 'en', 'fr', 'ja'),
});

test('cleaning what is clean changes nothing, whatever the text and the rules', () => {
  fc.assert(
    fc.property(anyCues, anyRules, (cues, rules) => {
      const once = changeCues(docOf(cues), rules);
      const twice = changeCues(once.document, rules);
      assert.deepEqual(twice.document, once.document);
      assert.deepEqual(twice.notes, []);
    }),
    { numRuns: 1500 },
  );
});

test('a rule that moves an end passes on the cues in order of time', () => {
  const rules = { mergeRepeated: true, fixOverlaps: true };
  const once = changeCues(docOf([cue(0, 1000, 'p'), cue(0, 1600, 'q'), cue(1000, 3600, 'p')]), rules);
  assert.deepEqual(changeCues(once.document, rules).document, once.document);
});

test('every change is visible: rows name each cue once, and an unchanged document has no notes', () => {
  fc.assert(
    fc.property(anyCues, anyRules, (cues, rules) => {
      const given = inOrder(cues);
      const { document, rows, notes } = changeCues(docOf(cues), rules);
      assert.deepEqual(
        rows.flatMap(({ current }) => current ?? []).toSorted((a, b) => a - b),
        given.map((_, n) => n),
      );
      assert.deepEqual(
        rows.flatMap(({ proposed }) => proposed ?? []).toSorted((a, b) => a - b),
        document.cues.map((_, n) => n),
      );
      for (const { kind, current, proposed } of rows)
        assert.equal(kind, proposed === undefined ? 'removed' : (current?.length ?? 0) > 1 ? 'merged' : 'matched');
      assert.deepEqual(inOrder(document.cues), document.cues);
      for (const { start, end } of document.cues) assert.ok(end >= start);
      const isSame = JSON.stringify(document.cues) === JSON.stringify(given);
      assert.equal(notes.length === 0, isSame);
    }),
    { numRuns: 600 },
  );
});

test('a cue that no rule changes is the same object, so that a script keeps its line', () => {
  const script =
    '[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:01.00,0:00:02.00,A,{\\fad(1,2)}one\n' +
    'Dialogue: 0,0:00:05.00,0:00:06.00,A,{\\k20}[SIGHS] two\n';
  const ass = readText(script, 'ass');
  const { document } = changeCues(ass, {
    removeHearingImpaired: true,
    fixCommonErrors: true,
    fixOverlaps: true,
    mergeRepeated: true,
    removeCredits: true,
  });
  assert.equal(document.cues[0], ass.cues[0]);
});

test('work grows no faster than the text', () => {
  const units = [
    '[',
    '(',
    ']',
    '[a]',
    '(a)',
    'A:',
    'JOHN: ',
    '♪',
    '# ',
    '-',
    '- a\n',
    ':',
    ' ',
    '. ',
    '.',
    ',',
    "'",
    '&amp;',
    '&',
    '<',
    '< i >',
    '{',
    '\\N',
    'l',
    'I',
    '|',
    'Ã',
    'â€',
    'a\n',
    'by ',
    'www.',
    'subtitles ',
    'é',
    '（',
    '>>',
  ];
  const all: Changes = {
    removeCredits: true,
    mergeRepeated: true,
    removeHearingImpaired: true,
    fixCommonErrors: true,
    fixOverlaps: true,
  };
  const cost = (unit: string, size: number): number => {
    let steps = 0;
    const exec = RegExp.prototype.exec;
    const slice = String.prototype.slice;
    RegExp.prototype.exec = function (text) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const result = Reflect.apply(exec, this, [text]) as RegExpExecArray | null;
      steps += (result ? result.index + result[0].length : text.length) - from + 1;
      return result;
    };
    String.prototype.slice = function (...args) {
      const result = Reflect.apply(slice, this, args) as string;
      steps += result.length + 1;
      return result;
    };
    try {
      changeCues(docOf([cue(0, 1000, 'a'), cue(2000, 3000, unit.repeat(Math.floor(size / unit.length)))]), all);
    } finally {
      RegExp.prototype.exec = exec;
      String.prototype.slice = slice;
    }
    return steps;
  };
  for (const unit of units) {
    const [small, large] = [cost(unit, 4000), cost(unit, 16_000)];
    assert.ok(large <= small * 5 + 20_000, `${JSON.stringify(unit)}: ${small} for 4,000 and ${large} for 16,000`);
  }
});
