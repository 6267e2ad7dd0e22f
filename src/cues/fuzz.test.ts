/**
 * Every reader on hostile input: it fails only as invalid, it is bounded, and its work grows with
 * its input and no faster. Work is counted, not timed: each string method is charged for the
 * characters that it may look at.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convert } from './convert.ts';
import { spansOf, type Format } from './cue.ts';
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

/** Runs `work` while every string method is charged for what it may look at. */
function counted(work: () => void, options = { patterns: true }): number {
  let cost = 0;
  const proto = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const saved = new Map<string, (...args: unknown[]) => unknown>();
  const whole = new Set([
    'split',
    'replaceAll',
    'replace',
    'trim',
    'trimEnd',
    'trimStart',
    'toLowerCase',
    'toUpperCase',
    'match',
    'matchAll',
    'search',
    'normalize',
  ]);
  for (const name of [
    ...whole,
    'indexOf',
    'lastIndexOf',
    'includes',
    'slice',
    'substring',
    'charCodeAt',
    'charAt',
    'startsWith',
    'endsWith',
  ]) {
    const original = proto[name];
    if (!original) continue;
    saved.set(name, original);
    proto[name] = function (this: string, ...args: unknown[]): unknown {
      const result = Reflect.apply(original, this, args);
      const from = typeof args[1] === 'number' ? args[1] : 0;
      if (whole.has(name)) cost += this.length;
      else if (name === 'indexOf')
        cost += ((result as number) < 0 ? this.length : (result as number)) - Math.min(from, this.length) + 1;
      else if (name === 'includes' || name === 'lastIndexOf') cost += this.length - Math.min(from, this.length) + 1;
      else if (typeof result === 'string') cost += result.length + 1;
      else cost++;
      return result;
    };
  }
  const exec = RegExp.prototype.exec;
  const testing = RegExp.prototype.test;
  const charged = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const result = Reflect.apply(exec, this, [text]) as RegExpExecArray | null;
    if (this.sticky) cost += (result?.[0].length ?? 0) + 1;
    else cost += (result ? result.index + result[0].length : text.length) - from + 1;
    return result;
  };
  if (options.patterns) {
    RegExp.prototype.exec = charged;
    RegExp.prototype.test = function (text) {
      return Reflect.apply(charged, this, [text]) !== null;
    };
  }
  try {
    work();
  } finally {
    for (const [name, original] of saved) proto[name] = original;
    RegExp.prototype.exec = exec;
    RegExp.prototype.test = testing;
  }
  return cost;
}

const UNITS: readonly string[] = [
  '<',
  '{',
  '&',
  '1',
  '-->',
  '->',
  '\n',
  '\r',
  '<i',
  '<i>',
  '</i>',
  '<b></i>',
  '<ruby><rt>',
  '<00:',
  '&#',
  '&amp',
  '{\\',
  '{\\i1',
  '{\\i1}',
  '\\N',
  '[',
  '(',
  '"',
  "<font color='",
  '<p ',
  '<sync ',
  '<SYNC Start=1>',
  '<SYNC Start=1><P>',
  '<!--',
  '<![CDATA[',
  '<a>',
  '<br/>',
  '<p begin="1s" end="2s">x</p>',
  '1\n',
  ' ',
  'a:',
  'a: ',
  '00:',
  '00:00:01,000 --> 00:00:02,000\n',
  '00:00.000 --> 00:01.000\n\n',
  '{1}{2}',
  '{1}{2}a|\n',
  '{y:i}',
  'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}x\n',
  'Dialogue: ',
  ',',
  'REGION\nid:a\n\n',
  'STYLE\na\n\n',
  'é',
  '♪',
  '->>',
  '\u2192 ',
  'x\n\n',
  ...SUBTITLE_FORMAT_TABLE.map(({ sample }) => sample.cue(1000, 2000, 'a')),
];
/** Returns the text before and after the repeated part, of a whole file and of one of its cues. */
function surroundings(format: Format): [before: string, after: string][] {
  const { head, tail, cue } = subtitleFormat(format).sample;
  const [opening = '', closing = ''] = cue(1000, 2000, '\0').split('\0');
  return [
    [head, tail],
    [head + opening, closing + tail],
  ];
}

test('work grows no faster than the input, for every reader and every repeated unit', () => {
  for (const format of FORMAT_IDS) {
    for (const [before, after] of surroundings(format))
      for (const unit of UNITS) {
        const cost = (size: number): number => {
          const text = before + unit.repeat(Math.floor(size / unit.length)) + after;
          return counted(() => {
            const document = tried(() => readText(text, format));
            if (!document) return;
            for (const target of FORMAT_IDS) convert(document, target);
            // Writing into the source: other times, other words, none of the old ones.
            if (document.script)
              for (const spans of [undefined, spansOf('new')])
                convert(
                  {
                    ...document,
                    cues: document.cues.map((cue) => ({
                      ...cue,
                      start: cue.start + 1,
                      end: cue.end + 1,
                      pace: 1.5,
                      ...(spans && { spans }),
                    })),
                  },
                  format,
                );
            detectFormat(text);
          });
        };
        const [small, large] = [cost(2_000), cost(8_000)];
        assert.ok(
          large <= small * 5 + 20_000,
          `${format} ${JSON.stringify(unit)}: ${small} for 2,000 and ${large} for 8,000`,
        );
      }
  }
});

test('four MiB of hostile text stay within a bounded work per character', () => {
  const most = 4 * 1024 * 1024;
  for (const format of FORMAT_IDS) {
    const [before, after] = surroundings(format)[1] ?? ['', ''];
    for (const unit of ['<', '{', '1', '-->']) {
      const text = (before + unit.repeat(most)).slice(0, most - 40) + after;
      const cost = counted(() => tried(() => readText(text, format)), { patterns: false });
      assert.ok(cost <= most * 60, `${format} ${unit}: ${cost}`);
    }
  }
});

test('the count itself sees quadratic work', () => {
  const quadratic = (size: number): number =>
    counted(() => {
      const text = '<'.repeat(size);
      for (let at = 0; at < size; at++) text.indexOf('>', at);
    });
  assert.ok(quadratic(4_000) > quadratic(1_000) * 10);
});
