/**
 * WebVTT written back into its file: text that was not edited stays byte for byte, and edited cues have exactly their
 * new content.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { changeCues } from '../change/change.ts';
import { convert } from '../convert.ts';
import { toVtt } from '../formats/vtt.ts';
import { plainText, spansOf, type Cue, type Span, type SubtitleDocument } from '../cue.ts';
import { readText } from '../read.ts';

const FILE = `\ufeffWEBVTT - a film
Kind: captions

NOTE
made by hand

STYLE
::cue(.shout) { font-size: 120%; background: url(paper.png) }

REGION
id:low
width:40%

NOTE the first one

intro
00:01.000  -->  00:02.500 line:10% position:20% align:start
<v.loud Mary>Tom &amp; <c.shout>Anna</c>&nbsp;here</v>

2
00:03.000 --> 00:04.000\tregion:low
<00:03.500><c> word</c>
second <i>line</i>

NOTE between

00:59:59.000 --> 01:00:01.000
last
`;
const read = (text: string): SubtitleDocument => readText(text, 'vtt');
const edited = (document: SubtitleDocument, change: (cue: Cue, n: number) => Cue | undefined): string =>
  convert({ ...document, cues: document.cues.flatMap((cue, n) => change(cue, n) ?? []) }, 'vtt');
const line = (text: string): readonly Span[] => spansOf(text);

test('a file without edits is written unchanged', () => {
  for (const text of [
    FILE,
    FILE.replaceAll('\n', '\r\n'),
    FILE.replaceAll('\n', '\r'),
    FILE.slice(0, -1),
    `${FILE}\n\n`,
    'WEBVTT',
    'WEBVTT\n00:01.000 --> 00:02.000\na\n00:02.000 --> 00:03.000\nb',
    'no signature\n',
    '',
  ])
    assert.equal(convert(read(text), 'vtt'), text);
});

test('an edit changes only its own lines', () => {
  const document = read(FILE);
  assert.equal(
    edited(document, (cue, n) => (n === 0 ? { ...cue, start: 1200 } : cue)),
    FILE.replace('00:01.000  -->', '00:01.200  -->'),
  );
  assert.equal(
    edited(document, (cue, n) => (n === 2 ? { ...cue, end: 3_599_900, start: 3_000_000 } : cue)),
    FILE.replace('00:59:59.000 --> 01:00:01.000', '00:50:00.000 --> 00:59:59.900'),
  );
  assert.equal(
    edited(document, (cue, n) => (n === 2 ? { ...cue, spans: line('first & <last>\nof all') } : cue)),
    FILE.replace('last\n', 'first &amp; &lt;last&gt;\nof all\n'),
  );
  assert.equal(
    edited(document, (cue, n) => (n === 2 ? { ...cue, settings: { align: 'left' } } : cue)),
    FILE.replace('01:00:01.000', '01:00:01.000 align:left'),
  );
  assert.equal(
    edited(document, (cue, n) => (n === 2 ? { ...cue, placement: { anchor: 8 } } : cue)),
    FILE.replace('01:00:01.000', '01:00:01.000 line:0'),
  );
  assert.equal(
    edited(document, (cue, n) => (n === 1 ? undefined : cue)),
    FILE.replace(/2\n00:03[^]*<\/i>\n\n/, ''),
  );
  assert.equal(
    edited(document, (cue, n) => (n === 1 ? { ...cue, spans: [] } : cue)),
    FILE.replace(/2\n00:03[^]*<\/i>\n\n/, ''),
    'without a text it is gone',
  );
  const crlf = FILE.replaceAll('\n', '\r\n');
  assert.equal(
    edited(read(crlf), (cue, n) => (n === 2 ? { ...cue, spans: line('a\nb') } : cue)),
    crlf.replace('last\r\n', 'a\r\nb\r\n'),
  );
});

test('words change within the mark-up that is there', () => {
  const [first] = read(FILE).cues as [Cue];
  const without = changeCues(read(FILE.replace('Tom &amp; ', '[SIGHS] Tom &amp; ')), { removeHearingImpaired: true });
  assert.equal(convert(without.document, 'vtt'), FILE);
  assert.equal(plainText(first.spans), 'Tom & Anna\u00a0here');
  const moved = changeCues(read(FILE), { timing: { offset: 60_000 } });
  assert.match(
    convert(moved.document, 'vtt'),
    /\n2\n01:03\.000 --> 01:04\.000\tregion:low\n<00:01:03\.500><c> word<\/c>\nsecond <i>line<\/i>\n/,
  );
  assert.match(
    convert(moved.document, 'vtt'),
    /\nintro\n01:01\.000 {2}--> {2}01:02\.500 line:10% position:20% align:start\n<v\.loud Mary>Tom &amp; <c\.shout>Anna<\/c>&nbsp;here<\/v>\n/,
  );
  assert.match(convert(moved.document, 'vtt'), /\n01:00:59\.000 --> 01:01:01\.000\nlast\n$/);
});

test('a new cue is inserted in order of time, and its colour has a rule', () => {
  const document = read(FILE);
  const fresh: Cue = { start: 2600, end: 2900, spans: [{ kind: 'color', color: '#ff8800', children: line('new') }] };
  const written = convert(
    { ...document, cues: [...document.cues, fresh, { start: 9_000_000, end: 9_001_000, spans: line('end') }] },
    'vtt',
  );
  assert.equal(
    written,
    FILE.replace('intro\n', 'STYLE\n::cue(.cff8800) { color: #ff8800; }\n\nintro\n').replace(
      '\n2\n00:03',
      '\n00:00:02.600 --> 00:00:02.900\n<c.cff8800>new</c>\n\n2\n00:03',
    ) + '\n02:30:00.000 --> 02:30:01.000\nend\n',
  );
  assert.deepEqual(
    read(written).cues.map(({ start }) => start),
    [1000, 2600, 3000, 3_599_000, 9_000_000],
  );
  assert.equal(
    convert({ ...read('WEBVTT\n\nSTYLE\na\n'), cues: [fresh] }, 'vtt'),
    'WEBVTT\n\nSTYLE\na\n\nSTYLE\n::cue(.cff8800) { color: #ff8800; }\n\n00:00:02.600 --> 00:00:02.900\n' +
      '<c.cff8800>new</c>\n',
  );
  assert.equal(
    convert({ ...read('WEBVTT\n00:01.000 --> 00:02.000\na'), cues: [fresh] }, 'vtt').includes('cff8800>new'),
    true,
  );
});

test('a block without effect keeps none when the cues above it are removed', () => {
  const text =
    'WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:r\n\n' +
    '00:03.000 --> 00:04.000 region:r\nb\n';
  const document = read(text);
  assert.equal(document.styles, undefined);
  const written = edited(document, (cue, n) => (n === 0 ? undefined : cue));
  assert.equal(
    written,
    'WEBVTT\n\nNOTE\nSTYLE\n::cue { color: red }\n\nNOTE\nREGION\nid:r\n\n00:03.000 --> 00:04.000 region:r\nb\n',
  );
  assert.deepEqual(
    [read(written).styles, read(written).regions, read(written).cues[0]?.settings],
    [undefined, undefined, undefined],
  );
});

test('the output for browsers is still filtered', () => {
  assert.doesNotMatch(toVtt(read(FILE)), /url\(|made by hand/);
});

const anyBlock = fc.constantFrom(
  'NOTE x\ny',
  'STYLE\n::cue { color: red }',
  'REGION\nid:r',
  'stray',
  'id\n00:01.000 --> 00:02.000\n<i>a</i> b',
  '00:02.000 --> 00:03.000 line:0 region:r\n<c.x>a &amp; b</c>\nc',
  '00:00:03.000-->00:00:04.000\n<v A>x <00:03.500>y',
  '00:01.000 --> 00:02.000',
  '00:05.000 --> 00:06.000\n[SIGHS] <b>c</b>',
  'a --> b\n00:01.000 --> 00:02.000\nz',
  '00:07.000 --> 00:08.000\nd\n00:08.000 --> 00:09.000\ne &lt; f',
  '<ruby>k<rt>r</rt></ruby>\n00:09.000 --> 00:10.000\n<ruby>k<rt>r</rt></ruby>',
);
const anyFile = fc
  .record({
    blocks: fc.array(anyBlock, { maxLength: 8 }),
    gaps: fc.array(fc.constantFrom('\n\n', '\n\n\n', '\r\n\r\n'), { minLength: 9, maxLength: 9 }),
    head: fc.constantFrom('WEBVTT', 'WEBVTT x\nKind: y', '\ufeffWEBVTT'),
    tail: fc.constantFrom('', '\n', '\n\n'),
  })
  .map(
    ({ blocks, gaps, head, tail }) =>
      [head, ...blocks].map((block, n) => (n === 0 ? '' : gaps[n]) + block).join('') + tail,
  );
const anyWords = fc.constantFrom('', 'new', 'a', 'a b', 'x\ny', '1 < 2 & 3', 'é --> è', ' ', 'b c');
const anySpans: fc.Arbitrary<readonly Span[]> = fc.oneof(
  anyWords.map(line),
  anyWords.filter((words) => words.trim() !== '').map((words): Span[] => [{ kind: 'italic', children: line(words) }]),
);
const anyEdit = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'keep' as const }) },
  fc.constant({ kind: 'remove' as const }),
  fc.record({ kind: fc.constant('times' as const), by: fc.integer({ min: 0, max: 4_000_000 }) }),
  fc.record({ kind: fc.constant('words' as const), spans: anySpans }),
);

test('read, edited, written, read: exactly the edits, and every other line unchanged', () => {
  fc.assert(
    fc.property(
      anyFile,
      fc.array(anyEdit, { minLength: 12, maxLength: 12 }),
      fc.array(fc.record({ start: fc.nat(12_000), spans: anySpans }), { maxLength: 3 }),
      (text, edits, added) => {
        const document = read(text);
        const kept = document.cues.flatMap((cue, n): Cue[] => {
          const edit = edits[n % 12] ?? { kind: 'keep' };
          if (edit.kind === 'remove') return [];
          if (edit.kind === 'times') return [{ ...cue, start: cue.start + edit.by, end: cue.end + edit.by }];
          return [edit.kind === 'words' ? { ...cue, spans: edit.spans } : cue];
        });
        const cues = [...kept, ...added.map(({ start, spans }): Cue => ({ start, end: start + 500, spans }))];
        const written = convert({ ...document, cues }, 'vtt');
        const again = read(written);
        const said = (list: readonly Cue[], isUntouched: (cue: Cue) => boolean): string[] =>
          list
            .filter((cue) => plainText(cue.spans).trim() !== '' || isUntouched(cue))
            .map(({ start, end, spans, settings, id }) =>
              JSON.stringify([start, end, plainText(spans).trim(), settings, id]),
            )
            .toSorted();
        const empty = (cue: Cue): boolean =>
          document.cues.some(
            (before) =>
              before.origin?.line === cue.origin?.line &&
              cue.origin?.raw !== undefined &&
              before.spans.length === 0 &&
              plainText(cue.spans).trim() === '',
          );
        assert.deepEqual(
          said(again.cues, () => true),
          said(cues, empty),
        );
        assert.deepEqual([again.styles, again.regions], [document.styles, document.regions]);
        assert.equal(convert(again, 'vtt'), written);
        for (const note of text.match(/NOTE x|Kind: y|stray/g) ?? []) assert.ok(written.includes(note));
      },
    ),
    { numRuns: 1500 },
  );
});
