/** Conversions: what survives from each format to each other, and that browsers get nothing unsafe. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert, mediaType } from './convert.ts';
import { plainText, type SubtitleDocument } from './cue.ts';
import { detectFormat } from './detect.ts';
import { FORMAT_IDS } from './formats.ts';
import { toAss } from './formats/ass.ts';
import { toSrt } from './formats/srt.ts';
import { toVtt } from './formats/vtt.ts';
import { readText } from './read.ts';

const SRT = `1
00:00:01,000 --> 00:00:02,500
<i>Tom & Anna</i> <b>run</b>
<u>fast</u>

2
00:00:03,000 --> 00:00:04,000
{\\an8}<font color="#ffff00">A sign</font> <font color="#ff8800">and</font> 1 < 2
`;
const VTT = `WEBVTT

STYLE
::cue(.cff8800) { color: #ff8800; }
::cue(.yellow) { color: #ffff00; }

1
00:00:01.000 --> 00:00:02.500
<i>Tom &amp; Anna</i> <b>run</b>
<u>fast</u>

2
00:00:03.000 --> 00:00:04.000 line:0
<c.yellow>A sign</c> <c.cff8800>and</c> 1 &lt; 2
`;
const ASS_EVENTS = `Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}Tom & Anna{\\i0} {\\b1}run{\\b0}\\N{\\u1}fast{\\u0}
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\an8}{\\c&H00FFFF&}A sign{\\c} {\\c&H0088FF&}and{\\c} 1 < 2
`;

test('golden: SRT, WebVTT and ASS with the same content', () => {
  const srt = readText(SRT, 'srt');
  assert.equal(toSrt(srt), SRT);
  assert.equal(toVtt(srt), VTT);
  assert.ok(toAss(srt).endsWith(ASS_EVENTS));
  assert.equal(toVtt(readText(VTT, 'vtt')), VTT);
  assert.equal(toSrt(readText(VTT, 'vtt')), SRT);
  assert.ok(toAss(readText(VTT, 'vtt')).endsWith(ASS_EVENTS));
  const ass = readText(toAss(srt), 'ass');
  assert.equal(toSrt(ass), SRT);
  assert.equal(toVtt(ass), VTT.replace('\n1\n', '\n').replace('\n2\n', '\n'));
});

test('properties of WebVTT stay in WebVTT', () => {
  const file = `WEBVTT

STYLE
::cue(v) { color: lime }

REGION
id:r
width:40%
lines:3
regionanchor:0%,100%
viewportanchor:10%,90%
scroll:up

intro
00:00:01.000 --> 00:00:02.000 line:5%,start position:10%,line-left size:35% align:left
<v.loud Mary>Hi <lang fr>salut</lang></v>

00:00:03.000 --> 00:00:04.000 region:r
<ruby>漢<rt>kan</rt></ruby> <00:00:03.500><c.x>late</c>

00:00:05.000 --> 00:00:06.000 vertical:rl line:1 align:end
x
`;
  assert.equal(toVtt(readText(file, 'vtt')), file);
});

test('positions between SRT, ASS and WebVTT', () => {
  for (const anchor of [1, 2, 3, 4, 5, 6, 7, 8, 9] as const) {
    const document: SubtitleDocument = {
      format: 'srt',
      warnings: [],
      cues: [
        {
          start: 0,
          end: 1000,
          spans: [{ kind: 'text', text: 'a' }],
          ...(anchor === 2 ? {} : { placement: { anchor } }),
        },
      ],
    };
    const there = readText(toVtt(document), 'vtt');
    assert.equal(toSrt(there), toSrt(document), `anchor ${anchor} over WebVTT`);
    assert.equal(toSrt(readText(toAss(document), 'ass')), toSrt(document), `anchor ${anchor} over ASS`);
  }
});

test('speakers are kept in formats that have a field for them', () => {
  const vtt = readText('WEBVTT\n\n00:00.000 --> 00:01.000\n<v Anna, Bob>Hi</v>', 'vtt');
  assert.match(toAss(vtt), /,Default,Anna {2}Bob,0,0,0,,Hi\n$/);
  const ass = readText(toAss(vtt), 'ass');
  assert.equal(ass.cues[0]?.speaker, 'Anna  Bob');
  assert.match(toVtt(ass), /<v Anna Bob>Hi<\/v>/);
  assert.match(toSrt(ass), /\nHi\n$/);
});

test('the output has nothing that a browser could run or load', () => {
  const evil: SubtitleDocument = {
    format: 'vtt',
    warnings: [],
    styles: [
      '::cue { background: url(http://x/y) }',
      '@import "x";',
      '::cue { color: red } </style><script>',
      'body { display: none }',
      '::cue(b) { content: "\\3c" }',
      '::cue(b) { color: lime }',
    ],
    regions: [
      {
        id: 'a\n\n00:00 --> x',
        width: 1,
        lines: 1,
        regionAnchor: { x: 0, y: 0 },
        viewportAnchor: { x: 0, y: 0 },
        scroll: false,
      },
    ],
    cues: [
      {
        start: 0,
        end: 1000,
        id: 'x --> y',
        spans: [{ kind: 'text', text: '<script>alert(1)</script> & --> \n\n00:00:00.000 --> 00:00:01.000\r\nX' }],
        settings: { region: 'a\n\n00:00 --> x' },
      },
      {
        start: 0,
        end: 1000,
        id: '<b>',
        spans: [
          {
            kind: 'voice',
            name: 'x><img src=x onerror=y>\n\nz',
            classes: ['a b', 'c>d', 'ok'],
            children: [{ kind: 'text', text: 'hi' }],
          },
        ],
      },
      {
        start: 0,
        end: 1000,
        spans: [
          {
            kind: 'color',
            color: 'red;}</style>',
            children: [{ kind: 'language', language: 'en><x', children: [{ kind: 'text', text: 'plain' }] }],
          },
        ],
        speaker: '<i>me</i>',
      },
    ],
  };
  assert.equal(
    toVtt(evil),
    `WEBVTT

STYLE
::cue(b) { color: lime }

00:00:00.000 --> 00:00:01.000
&lt;script&gt;alert(1)&lt;/script&gt; &amp; --&gt;   00:00:00.000 --&gt; 00:00:01.000  X

00:00:00.000 --> 00:00:01.000
<v.ok x&gt;&lt;img src=x onerror=y&gt; z>hi</v>

00:00:00.000 --> 00:00:01.000
<v &lt;i&gt;me&lt;/i&gt;>plain</v>
`,
  );
});

test('cues come out in order, and the layers of an outline once', () => {
  const ass = readText(
    '[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:05.00,0:00:06.00,late\n' +
      'Dialogue: 1,0:00:01.00,0:00:02.00,{\\bord3}same\nDialogue: 0,0:00:01.00,0:00:02.00,same\n' +
      'Dialogue: 0,0:00:01.00,0:00:02.00,{\\an8}same\n',
    'ass',
  );
  assert.deepEqual(
    readText(toSrt(ass), 'srt').cues.map((cue) => plainText(cue.spans)),
    ['same', 'same', 'late'],
  );
});

test('writing what was read twice changes nothing', () => {
  for (const target of FORMAT_IDS) {
    const once = convert(readText(SRT, 'srt'), target);
    assert.equal(convert(readText(once, target), target), once, target);
  }
});

test('formats are known by their content, whatever the name says', () => {
  for (const [text, extension, format] of [
    [SRT, '.vtt', 'srt'],
    [VTT, '.srt', 'vtt'],
    ['[Script Info]\n', 'srt', 'ass'],
    ['[Script Info]\n[V4 Styles]\n', 'ass', 'ssa'],
    ['{1}{2}x', '', 'microdvd'],
    ['{0}{25}x', '.sub', 'microdvd'],
    ['<?xml version="1.0"?><tt xmlns="x">', '', 'ttml'],
    ['<tt:tt xmlns:tt="x">', 'xml', 'ttml'],
    ['<SAMI>\n', '', 'sami'],
    ['junk\n\n00:01.0 --> 00:02.0\nx', undefined, 'srt'],
    ['', '.srt', 'srt'],
    ['just text', 'srt', 'srt'],
    ['just text', undefined, undefined],
    ['<html>', '.xml', undefined],
    ['just text', 'vtt', undefined],
    ['\u0001\u0002\u0003', 'srt', undefined],
    ['', '__proto__', undefined],
  ] as const)
    assert.equal(detectFormat(text, extension), format, JSON.stringify([text.slice(0, 20), extension]));
  for (const format of FORMAT_IDS) assert.match(mediaType(format), /charset=utf-8$/);
});

test('a style inside the same style is written once in SRT, however it is placed', () => {
  const red = convert(readText('WEBVTT\n\n00:00:01.000 --> 00:00:02.000 line:0\n<c.red><c.red>!', 'vtt'), 'srt');
  assert.equal(convert(readText(red, 'srt'), 'srt'), red);
  const placed = readText('WEBVTT\n\n00:00:01.000 --> 00:00:02.000 line:0\n<i><i>!', 'vtt');
  const once = convert(placed, 'srt');
  assert.equal(once, '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>!</i>\n');
  assert.equal(convert(readText(once, 'srt'), 'srt'), once);
});

test('a line of white space is no line, in any tags', () => {
  const document: SubtitleDocument = {
    format: 'vtt',
    warnings: [],
    cues: [
      {
        start: 0,
        end: 1000,
        spans: [
          { kind: 'bold', children: [{ kind: 'text', text: 'a' }, { kind: 'break' }] },
          { kind: 'text', text: ' ' },
          { kind: 'break' },
          { kind: 'italic', children: [{ kind: 'text', text: 'b' }] },
        ],
      },
    ],
  };
  const once = toSrt(document);
  assert.equal(once, '1\n00:00:00,000 --> 00:00:01,000\n<b>a</b>\n<i>b</i>\n');
  assert.equal(toSrt(readText(once, 'srt')), once);
});

test('a spoken line of times with an arrow does not begin a cue of SRT', () => {
  const document: SubtitleDocument = {
    format: 'vtt',
    warnings: [],
    cues: [
      {
        start: 0,
        end: 1000,
        spans: [
          { kind: 'text', text: 'a' },
          { kind: 'break' },
          { kind: 'text', text: '31:59:59.9-> 22:24:59.092' },
          { kind: 'break' },
          { kind: 'text', text: 'x -> y' },
        ],
      },
    ],
  };
  const once = toSrt(document);
  assert.equal(once, '1\n00:00:00,000 --> 00:00:01,000\na\n31:59:59.9-\u2060> 22:24:59.092\nx -> y\n');
  assert.equal(readText(once, 'srt').cues.length, 1);
});
