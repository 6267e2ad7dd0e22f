/** Every writer: properties that the target can hold survive, and only others are left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { convert } from '../convert.ts';
import { plainText, spansOf, type Cue, type Span, type SubtitleDocument } from '../cue.ts';
import { detectFormat } from '../detect.ts';
import { FORMAT_IDS, SUBTITLE_FORMAT_TABLE } from '../formats.ts';
import { readText } from '../read.ts';

const text = (value: string): Span => ({ kind: 'text', text: value });
const DOCUMENT: SubtitleDocument = {
  format: 'srt',
  warnings: [],
  language: 'de',
  title: 'A & B',
  cues: [
    {
      start: 1000,
      end: 2500,
      spans: [{ kind: 'italic', children: [text('Tom & Anna')] }, { kind: 'break' }, text('1 < 2 "x"')],
    },
    {
      start: 3000,
      end: 4000,
      placement: { anchor: 8 },
      speaker: 'Bob',
      spans: [{ kind: 'color', color: '#ffff00', children: [text('A sign')] }],
    },
    { start: 5000, end: 6000, spans: [{ kind: 'bold', children: [text('one')] }, text(' and two')] },
  ],
};

test('golden: TTML', () => {
  assert.equal(
    convert(DOCUMENT, 'ttml'),
    `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="de" xml:space="preserve">
  <head>
    <metadata>
      <ttm:title>A &amp; B</ttm:title>
      <ttm:agent xml:id="a1" type="person"><ttm:name type="full">Bob</ttm:name></ttm:agent>
    </metadata>
    <layout>
      <region xml:id="r1" tts:displayAlign="before" tts:textAlign="center"/>
    </layout>
  </head>
  <body>
    <div>
      <p begin="00:00:01.000" end="00:00:02.500"><span tts:fontStyle="italic">Tom &amp; Anna</span><br/>1 &lt; 2 &quot;x&quot;</p>
      <p begin="00:00:03.000" end="00:00:04.000" region="r1" ttm:agent="a1"><span tts:color="#ffff00">A sign</span></p>
      <p begin="00:00:05.000" end="00:00:06.000"><span tts:fontWeight="bold">one</span> and two</p>
    </div>
  </body>
</tt>
`,
  );
});

test('golden: SAMI', () => {
  assert.equal(
    convert(DOCUMENT, 'sami'),
    `<SAMI>
<HEAD>
<TITLE>A &amp; B</TITLE>
<STYLE TYPE="text/css"><!--
P { text-align: center; }
.DECC { Name: DECC; lang: de; SAMIType: CC; }
--></STYLE>
</HEAD>
<BODY>
<SYNC Start=1000><P Class=DECC><i>Tom &amp; Anna</i><br>1 &lt; 2 "x"
<SYNC Start=2500><P Class=DECC>&nbsp;
<SYNC Start=3000><P Class=DECC><font color="#ffff00">A sign</font>
<SYNC Start=4000><P Class=DECC>&nbsp;
<SYNC Start=5000><P Class=DECC><b>one</b> and two
<SYNC Start=6000><P Class=DECC>&nbsp;
</BODY>
</SAMI>
`,
  );
});

test('golden: MicroDVD', () => {
  assert.equal(
    convert({ ...DOCUMENT, frameRate: 25 }, 'microdvd'),
    '{1}{1}25.000\n{25}{63}{y:i}Tom & Anna|1 < 2 "x"\n{75}{100}{P:0}{C:$00ffff}A sign\n{125}{150}one and two\n',
  );
  assert.match(convert(DOCUMENT, 'microdvd'), /^\{1\}\{1\}23\.976\n/);
  const tricky: SubtitleDocument = {
    format: 'srt',
    warnings: [],
    cues: ['a|b', '{y:i}x', '/x', '25', '{1}{2}x'].map((value, n) => ({
      start: n * 1000,
      end: n * 1000 + 500,
      spans: spansOf(value),
    })),
  };
  assert.deepEqual(
    readText(convert(tricky, 'microdvd'), 'microdvd').cues.map(({ spans }) => plainText(spans)),
    ['a¦b', '{\u2060y:i}x', '\u2060/x', '25', '{1}{2}x'],
  );
});

test('cues that begin in one frame are ordered by their end, and a name of control characters is none', () => {
  const close: SubtitleDocument = {
    format: 'srt',
    warnings: [],
    cues: [
      { start: 0, end: 2500, spans: [text('a')] },
      { start: 1, end: 1000, spans: [text('b')] },
    ],
  };
  assert.equal(convert({ ...close, frameRate: 25 }, 'microdvd'), '{1}{1}25.000\n{0}{25}b\n{0}{63}a\n');
  assert.doesNotMatch(
    convert({ ...close, cues: close.cues.map((cue) => ({ ...cue, speaker: '\u0001' })) }, 'ttml'),
    /agent/,
  );
});

test('golden: SSA', () => {
  const ssa = convert(DOCUMENT, 'ssa');
  assert.match(ssa, /\[V4 Styles\]/);
  assert.ok(
    ssa.endsWith(
      'Dialogue: Marked=0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}Tom & Anna{\\i0}\\N1 < 2 "x"\n' +
        'Dialogue: Marked=0,0:00:03.00,0:00:04.00,Default,Bob,0,0,0,,{\\an8}{\\c&H00FFFF&}A sign{\\c}\n' +
        'Dialogue: Marked=0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\b1}one{\\b0} and two\n',
    ),
  );
  assert.equal(readText(ssa, 'ssa').format, 'ssa');
  assert.equal(convert(readText(ssa, 'ssa'), 'ssa'), ssa);
});

test('written files are detected by their content', () => {
  for (const format of FORMAT_IDS) assert.equal(detectFormat(convert(DOCUMENT, format)), format);
});

test('SAMI shows one text at a time: equal starts become one cue, an overlap ends', () => {
  const cue = (start: number, end: number, value: string): Cue => ({ start, end, spans: spansOf(value) });
  const back = readText(
    convert(
      { ...DOCUMENT, cues: [cue(0, 1000, 'a'), cue(0, 2000, 'b'), cue(1500, 3000, 'c'), cue(5000, 5000, 'none')] },
      'sami',
    ),
    'sami',
  );
  assert.deepEqual(
    back.cues.map(({ start, end, spans }) => [start, end, plainText(spans)]),
    [
      [0, 1500, 'a\nb'],
      [1500, 3000, 'c'],
    ],
  );
});

const words = fc.constantFrom(
  'Hello',
  'a b',
  'Tom & Anna',
  '1 < 2',
  '"x"',
  'é',
  '漢字',
  'שלום',
  '- no',
  '5 > 4',
  "it's",
  '100 %',
  'x;y',
);
const wrapper = fc.constantFrom('italic' as const, 'bold' as const, 'underline' as const, 'color' as const);
const anySpan: fc.Arbitrary<Span> = fc.oneof(
  { weight: 3, arbitrary: words.map(text) },
  fc
    .tuple(wrapper, words)
    .map(([kind, value]): Span =>
      kind === 'color' ? { kind, color: '#ff8800', children: [text(value)] } : { kind, children: [text(value)] },
    ),
);
const anyCue = fc.record({
  lines: fc.array(fc.array(anySpan, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  length: fc.integer({ min: 500, max: 5000 }),
  gap: fc.integer({ min: 100, max: 9000 }),
  anchor: fc.constantFrom(undefined, 8 as const, 1 as const, 5 as const),
  speaker: fc.constantFrom(undefined, 'Bob'),
});
const anyDocument = fc.array(anyCue, { maxLength: 8 }).map((parts): SubtitleDocument => {
  let at = 0;
  const cues = parts.map(({ lines, length, gap, anchor, speaker }): Cue => {
    const start = at + gap;
    at = start + length;
    const spans = lines.flatMap((line, n): Span[] => [
      ...(n > 0 ? [{ kind: 'break' } as const] : []),
      ...line.flatMap((span, each) => (each > 0 ? [text(' '), span] : [span])),
    ]);
    return { start, end: at, spans, ...(anchor ? { placement: { anchor } } : {}), ...(speaker ? { speaker } : {}) };
  });
  return { format: 'srt', cues, warnings: [] };
});

test('read(write(document)) is the document, as far as the target holds it', () => {
  for (const { id: target, keeps } of SUBTITLE_FORMAT_TABLE) {
    const { styles, positions, precisionMs: step, speaker } = keeps;
    fc.assert(
      fc.property(anyDocument, (document) => {
        const written = convert(document, target);
        const back = readText(written, target);
        assert.equal(convert(back, target), written);
        assert.equal(back.cues.length, document.cues.length);
        document.cues.forEach((cue, n) => {
          const now = back.cues[n];
          assert.ok(
            now && Math.abs(now.start - cue.start) <= step && Math.abs(now.end - cue.end) <= step,
            `${target}: times`,
          );
          assert.equal(plainText(now.spans), plainText(cue.spans), target);
          if (speaker)
            assert.equal(
              now.speaker ?? (now.spans[0]?.kind === 'voice' ? now.spans[0].name : undefined),
              cue.speaker,
              target,
            );
        });
        // Looks and positions are compared in SRT, which holds both.
        const asSrt = (each: SubtitleDocument, from: SubtitleDocument): string =>
          convert(
            {
              ...each,
              cues: each.cues.map((cue, n) => ({
                ...cue,
                start: from.cues[n]?.start ?? 0,
                end: from.cues[n]?.end ?? 0,
              })),
            },
            'srt',
          ).replaceAll(positions === 'none' ? /\{\\an\d\}/g : positions === 'top' ? /\{\\an[1-6]\}/g : /(?!)/g, '');
        if (styles === 'spans') assert.equal(asSrt(back, document), asSrt(document, document), target);
      }),
      { numRuns: 150 },
    );
  }
});

test('a line with a single look keeps it in MicroDVD', () => {
  for (const [spans, expected] of [
    [[{ kind: 'italic', children: [text('a'), { kind: 'break' }, text('b')] }], '{Y:i}a|b'],
    [[text('a'), { kind: 'break' }, { kind: 'bold', children: [text('b')] }], 'a|{y:b}b'],
    [[{ kind: 'italic', children: [text('a ')] }, text('b')], 'a b'],
    [
      [{ kind: 'bold', children: [{ kind: 'italic', children: [text('a')] }, { kind: 'break' }, text('b')] }],
      '{Y:b}{y:i}a|b',
    ],
  ] satisfies [Span[], string][])
    assert.ok(
      convert({ format: 'srt', warnings: [], cues: [{ start: 0, end: 1, spans }] }, 'microdvd').includes(
        `}${expected}\n`,
      ),
      expected,
    );
});

test('ruby survives in TTML and WebVTT, and is in parentheses elsewhere', () => {
  const vtt = readText('WEBVTT\n\n00:01.000 --> 00:02.000\n<ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby>!', 'vtt');
  const ttml = convert(vtt, 'ttml');
  assert.match(
    ttml,
    /<span tts:ruby="container"><span tts:ruby="base">漢<\/span><span tts:ruby="text">kan<\/span><span tts:ruby="base">字<\/span><span tts:ruby="text">ji<\/span><\/span>!/,
  );
  assert.match(convert(readText(ttml, 'ttml'), 'vtt'), /<ruby>漢<rt>kan<\/rt>字<rt>ji<\/rt><\/ruby>!/);
  for (const target of ['srt', 'sami', 'microdvd', 'ass'] as const)
    assert.match(convert(vtt, target), /漢\(kan\)字\(ji\)!/, target);
});
