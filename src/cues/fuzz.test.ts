/** Every reader on hostile input: it fails only as invalid, and what it reads is sound and bounded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/fast-check.ts';
import { decodeText } from './decode.ts';
import { detectFormat } from './detect.ts';
import { checkDocument, tried } from './fuzz-checks.ts';
import { FORMAT_IDS, SUBTITLE_FORMAT_TABLE, subtitleFormat } from './formats.ts';
import { readText } from './read.ts';
import { createVttStream } from './webvtt/stream.ts';

/** Pieces that mean something to some reader, so that random joins reach its corners. */
const PIECES = [
  '<',
  '>',
  '{',
  '}',
  '&',
  '-->',
  '->',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  ':',
  ',',
  '.',
  '|',
  '/',
  '\\',
  '"',
  "'",
  '=',
  '-',
  '♪',
  '\u0000',
  '\ufeff',
  '\ud800',
  '\udc00',
  '1',
  '99',
  '0',
  'WEBVTT',
  'STYLE',
  'REGION',
  'NOTE',
  'id:a',
  'region:a',
  '00:00:01,000',
  '00:00:01.000',
  '00:01.000',
  '00:00:01,000 --> 00:00:02,000\n',
  '00:00:01.000 --> 00:00:02.000 line:0\n',
  '99:59:59,999',
  '<i>',
  '</i>',
  '<b>',
  '<font color="#ff0000">',
  '</font>',
  '<v Bob>',
  '<ruby>',
  '<rt>',
  '<c.red>',
  '<00:01.000>',
  '&amp;',
  '&#x41;',
  '{\\an8}',
  '{\\pos(1,2)}',
  '{\\p1}',
  '\\N',
  '\\h',
  '{\\t(0,1,\\i1)}',
  '{\\c&HFF&}',
  '{\\r}',
  '[Script Info]\n',
  '[V4+ Styles]\n',
  '[Events]\n',
  'Format: Start, End, Text\n',
  'Dialogue: ',
  'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,text\n',
  'Style: a,b\n',
  '{1}{1}25\n',
  '{1}{2}',
  '{y:i}',
  '{Y:b}',
  '<SAMI>',
  '<SYNC Start=1000>',
  '<P Class=ENCC>',
  '&nbsp;',
  '<br>',
  '</BODY>',
  '<STYLE>',
  '.ENCC {lang:en}',
  '<?xml version="1.0"?>',
  '<tt>',
  '<tt xmlns="x">',
  '<body>',
  '<div>',
  '<p begin="1s" end="2s">',
  '</p>',
  '</div>',
  '</body>',
  '</tt>',
  '<span begin="1s">',
  '<br/>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '<!DOCTYPE x>',
  'text',
  'é',
  '漢',
  '\u202e',
  ...SUBTITLE_FORMAT_TABLE.flatMap(({ sample }) => [sample.head, sample.cue(1000, 2000, 'a')]),
];
const hostile = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...PIECES) },
      fc.string({ maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((parts) => parts.join(''));

for (const format of FORMAT_IDS) {
  test(`${format}: anything is read or refused, and what is read is sound`, () => {
    const { head } = subtitleFormat(format).sample;
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, isStarted) => {
        const document = tried(() => readText((isStarted ? head : '') + text.replaceAll('\0', ''), format));
        if (document) checkDocument(document);
        tried(() => readText(text, format));
      }),
      { numRuns: 800 },
    );
  });
}

test('ttml: well-formed documents of any nesting', () => {
  const inner = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('text', ' ', '&amp;', '<br/>', '\n', '<![CDATA[x]]>'),
      fc
        .tuple(
          fc.constantFrom('span', 'div', 'p', 'metadata'),
          fc.constantFrom(
            '',
            ' begin="1s"',
            ' begin="00:00:01:05" end="3s"',
            ' dur="2s" style="a"',
            ' begin="x"',
            ' xml:space="preserve"',
            ' tts:color="red"',
          ),
          fc.array(tie('node'), { maxLength: 3 }),
        )
        .map(([name, attributes, children]) => `<${name}${attributes}>${children.join('')}</${name}>`),
    ),
  })).node;
  fc.assert(
    fc.property(fc.array(inner, { maxLength: 5 }), (nodes) => {
      checkDocument(
        readText(
          '<tt><head><styling><style xml:id="a" style="a b"/><style xml:id="b" ' +
            `style="a"/></styling></head><body><div>${nodes.join('')}</div></body></tt>`,
          'ttml',
        ),
      );
    }),
    { numRuns: 200 },
  );
});

test('a stream cut anywhere has the same output as a whole one', () => {
  fc.assert(
    fc.property(
      hostile,
      fc.constantFrom('srt' as const, 'vtt' as const),
      fc.array(fc.nat({ max: 40 }), { maxLength: 20 }),
      (text, from, cuts) => {
        const run = (pieces: readonly string[]): string | undefined =>
          tried(() => {
            const stream = createVttStream({ from });
            return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
          });
        const pieces: string[] = [];
        let at = 0;
        for (const cut of cuts) pieces.push(text.slice(at, (at += cut)));
        assert.equal(run([...pieces, text.slice(at)]), run([text]));
      },
    ),
    { numRuns: 800 },
  );
});

test('detection and decoding never throw on bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const { text } = await decodeText(bytes);
      detectFormat(text, 'srt');
    }),
    { numRuns: 100 },
  );
});
