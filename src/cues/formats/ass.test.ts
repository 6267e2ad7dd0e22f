/** ASS and SSA: cues from lines, and lines that stay as they were. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAss } from './ass.ts';
import { toSrt } from './srt.ts';
import { plainText, type Cue } from '../cue.ts';
import { readAss } from './read-ass.ts';
import { assText, overridesOf } from './ass-text.ts';
import { PLAIN } from './looks.ts';

const SCRIPT = [
  '\ufeff[Script Info]',
  '; a comment',
  'Title: Film',
  'PlayResX: 640',
  'PlayResY: 480',
  'WrapStyle: 0',
  '',
  '[V4+ Styles]',
  'Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Underline, StrikeOut, Alignment, MarginL',
  'Style: Default,Arial,20,&H00FFFFFF,0,0,0,0,2,10',
  'Style: Top, Arial, 20, &H00FFFFFF, -1, -1, 0, 0, 8, 10',
  '',
  '[Events]',
  'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
  'Dialogue: 0,0:00:01.00,0:00:02.50,Default,Bob,0,0,0,,One, {\\i1}two{\\i0}\\Nthree\\hfour',
  'Dialogue: 3,0:00:03.00,0:00:04.00,Top,,0,0,0,,{\\pos(320,48)}Sign{\\r}plain{\\rDefault}none',
  'Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}',
  'Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,not shown',
  'Dialogue: broken',
  'Dialogue: 0,x,0:00:04.00,Default,,0,0,0,,bad time',
  '',
  '[Fonts]',
  'fontname: x.ttf',
  '#$%&',
  '',
].join('\r\n');

test('cues of a script', () => {
  const document = readAss(SCRIPT);
  assert.equal(document.title, 'Film');
  assert.deepEqual(
    document.cues.map((cue) => [
      cue.start,
      cue.end,
      plainText(cue.spans),
      cue.style,
      cue.speaker,
      cue.layer,
      cue.placement,
    ]),
    [
      [1000, 2500, 'One, two\nthree\u00a0four', 'Default', 'Bob', undefined, undefined],
      [3000, 4000, 'Signplainnone', 'Top', undefined, 3, { anchor: 8, point: { x: 50, y: 10 } }],
    ],
  );
  assert.match(toSrt(document), /\{\\an8\}<b><i>Signplain<\/i><\/b>none/);
  assert.deepEqual(
    document.warnings.map(({ code, line }) => `${code} ${line}`),
    ['drawing 17', 'bad-line 19', 'bad-timing 20'],
  );
});

test('unedited lines are written back byte for byte', () => {
  for (const text of [
    SCRIPT,
    SCRIPT.replaceAll('\r\n', '\n'),
    SCRIPT.replaceAll('\r\n', '\r'),
    '',
    'no script at all',
    SCRIPT.slice(0, -2),
    '[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,x',
  ]) {
    assert.equal(toAss(readAss(text)), text);
  }
});

test('an edit changes only its own line', () => {
  const document = readAss(SCRIPT);
  const [first, second] = document.cues as [Cue, Cue];
  const before = SCRIPT.split('\r\n');
  const edited = (cues: readonly Cue[]): string[] => toAss({ ...document, cues }).split('\r\n');
  const changes = (after: readonly string[]): string[] => after.filter((line) => !before.includes(line));
  assert.deepEqual(changes(edited([{ ...first, start: 1500, end: 2510 }, second])), [
    'Dialogue: 0,0:00:01.50,0:00:02.51,Default,Bob,0,0,0,,One, {\\i1}two{\\i0}\\Nthree\\hfour',
  ]);
  assert.deepEqual(changes(edited([{ ...first, spans: [{ kind: 'text', text: 'New {x}' }] }, second])), [
    'Dialogue: 0,0:00:01.00,0:00:02.50,Default,Bob,0,0,0,,New \\{x\\}',
  ]);
  const removed = edited([second]);
  assert.equal(removed.length, before.length - 1);
  assert.deepEqual(
    before.filter((line) => !removed.includes(line)),
    [before[14]],
  );
  const added = edited([
    first,
    second,
    { start: 9000, end: 9500, spans: [{ kind: 'italic', children: [{ kind: 'text', text: 'late' }] }] },
  ]);
  assert.deepEqual(changes(added), ['Dialogue: 0,0:00:09.00,0:00:09.50,Default,,0,0,0,,{\\i1}late{\\i0}']);
  assert.equal(
    added.indexOf('Dialogue: 0,0:00:09.00,0:00:09.50,Default,,0,0,0,,{\\i1}late{\\i0}') < added.indexOf('[Fonts]'),
    true,
    'among the events',
  );
});

test('SSA: its own alignment, field and stars', () => {
  const document = readAss(
    '[Script Info]\nScriptType: v4.00\n[V4 Styles]\nFormat: Name, Bold, Italic, Alignment\n' +
      'Style: Default,0,-1,6\n[Events]\n' +
      'Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n' +
      'Dialogue: Marked=0,0:00:01.00,0:00:02.00,*Default,NTP,0000,0000,0000,,hi\n',
  );
  assert.equal(document.format, 'ssa');
  assert.deepEqual(document.cues[0]?.placement, { anchor: 8 });
  assert.equal(document.cues[0]?.spans[0]?.kind, 'italic');
});

test('override tags', () => {
  const read = (text: string, context = {}): unknown => {
    const { spans, placement } = assText(text, { look: PLAIN, width: 100, height: 100, ...context });
    return [
      toSrt({ format: 'ass', warnings: [], cues: [{ start: 0, end: 1, spans }] })
        .split('\n')
        .slice(2)
        .join('\n')
        .trim(),
      placement,
    ];
  };
  for (const [text, expected, placement] of [
    ['{\\b1}a{\\b0}b', '<b>a</b>b', undefined],
    ['{\\b700}a{\\b400}b', '<b>a</b>b', undefined],
    ['{\\i1\\u1}a', '<i><u>a</u></i>', undefined],
    ['{\\s1}a', '<s>a</s>', undefined],
    ['{\\be1\\bord2\\blur3\\shad1\\fad(1,2)\\frz30\\iclip(1,2,3,4)}a', 'a', undefined],
    ['{\\c&H0000FF&}a{\\c}b', '<font color="#ff0000">a</font>b', undefined],
    ['{\\1c&HFF0000&}a', '<font color="#0000ff">a</font>', undefined],
    ['{\\3c&HFF0000&}a', 'a', undefined],
    ['{\\an5}a', '{\\an5}a', { anchor: 5 }],
    ['{\\a10}a', 'a', { anchor: 5 }],
    ['{\\pos(50,25)}a', 'a', { point: { x: 50, y: 25 } }],
    ['{\\move(10,20,30,40,1,2)}a', 'a', { point: { x: 10, y: 20 } }],
    ['{\\pos(x)}a', 'a', undefined],
    ['{\\t(0,100,\\i1)}a', 'a', undefined],
    ['{comment}a', 'a', undefined],
    ['{unclosed', '{unclosed', undefined],
    ['a\\nb', 'a b', undefined],
    ['{\\q2}a\\nb', 'a\nb', undefined],
    ['a\\N\\Nb\\N', 'a\nb', undefined],
    ['{\\p1}m 0 0{\\p0}a', 'a', undefined],
    ['{\\p2}m 0 0', '', undefined],
    ['\\{a\\}', '{a}', undefined],
    ['{\\k20}a{\\kf30}b', 'ab', undefined],
  ] as const) {
    const [srt, where] = read(text) as [string, unknown];
    assert.equal(srt, text === '{\\an5}a' ? 'a' : expected, text);
    assert.deepEqual(where, placement, text);
  }
  assert.deepEqual(overridesOf('\\i1\\t(0,1,\\b1\\c&H1&)\\an8'), ['i1', 't(0,1,\\b1\\c&H1&)', 'an8']);
});

test('a backslash at the end of a span does not make text of the override behind it', () => {
  const document = {
    format: 'srt' as const,
    warnings: [],
    cues: [
      {
        start: 0,
        end: 1000,
        spans: [
          { kind: 'italic' as const, children: [{ kind: 'text' as const, text: 'a\\' }] },
          { kind: 'text' as const, text: ' b' },
        ],
      },
    ],
  };
  const once = toAss(document);
  assert.equal(plainText(readAss(once).cues[0]?.spans ?? []), 'a\\\u2060 b');
  assert.equal(toAss({ ...document, cues: readAss(once).cues }), once);
});

test('a field that is named twice is changed once', () => {
  const script = '[Events]\nFormat: Start, End, Text, Text\nDialogue: 0:00:01.00,0:00:02.00,one,two\n';
  const document = readAss(script);
  assert.equal(
    toAss({
      ...document,
      cues: document.cues.map((cue) => ({ ...cue, spans: [{ kind: 'text' as const, text: 'new' }] })),
    }),
    script.replace('two', 'new'),
  );
});
