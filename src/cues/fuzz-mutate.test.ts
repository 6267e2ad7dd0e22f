/**
 * Damaged valid files: pieces cut, doubled, swapped or moved, numbers and marks changed. Closer to real uploads than
 * random text, and deeper inside each reader.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/fast-check.ts';
import { changeCues, type Changes } from './change/change.ts';
import { convert } from './convert.ts';
import { inOrder, plainText, type Cue, type Format, type SubtitleDocument } from './cue.ts';
import { checkDocument, tried } from './fuzz-checks.ts';
import { FORMAT_IDS, subtitleFormat } from './formats.ts';
import { readText } from './read.ts';

const RICH: SubtitleDocument = readText(
  `WEBVTT

REGION
id:r
width:40%

STYLE
::cue(.red) { color: red }

1
00:00:01.000 --> 00:00:02.500 line:0 position:10%,line-left align:left
<v Bob>- Hello, <i>Tom &amp; Anna</i>.
- <c.red>[SIGHS]</c> No.

00:00:03.000 --> 00:00:04.000 region:r
<ruby>漢<rt>kan</rt></ruby> <b><u>and</u></b> <00:00:03.500><c.yellow>late</c>

00:00:05.000 --> 00:00:06.000
JOHN: One &lt; two
`,
  'vtt',
);

/** Files written by hand, with what the format's writer does not make. */
const BY_HAND: Partial<Record<Format, string>> = {
  srt:
    '\ufeff1\r\n00:00:01,000 --> 00:00:02,000 X1:100 X2:200 Y1:10 Y2:40\r\n{\\an8}<font color=red>a</font>\r\n\r\n' +
    '00:00:03.5 --> 00:00:04.5\r\n{i}b{/i}\r\n',
  vtt:
    'WEBVTT - x\nKind: captions\n\nNOTE a\nb\n\nid\n00:01.000 --> 00:02.000 vertical:rl size:50%\n' +
    '<lang en>x</lang>\n',
  ass:
    '[Script Info]\nPlayResX: 640\nPlayResY: 480\nWrapStyle: 2\n[V4+ Styles]\n' +
    'Format: Name, Bold, Italic, Alignment\nStyle: A,-1,0,8\n[Events]\n' +
    'Format: Layer, Start, End, Style, Name, Text\nComment: 0,0:00:00.00,0:00:01.00,A,,x\n' +
    'Dialogue: 1,0:00:01.00,0:00:02.00,A,Bob,{\\pos(1,2)\\k20}a\\Nb{\\rB}\\h{\\p1}m 0 0{\\p0}\n',
  ssa:
    '[Script Info]\n[V4 Styles]\nFormat: Name, Alignment\nStyle: *Default,6\n[Events]\n' +
    'Format: Marked, Start, End, Style, Text\n' +
    'Dialogue: Marked=0,0:00:01.00,0:00:02.00,*Default,{\\a6\\c&HFF&}a\\Nb\n',
  microdvd: '{1}{1}25\n{25}{50}{y:i}a|/b\n{60}{}{C:$0000ff}c\n',
  ttml:
    '<?xml version="1.0"?><tt xmlns:tts="x" frameRate="25" timeBase="smpte"><head><styling><style id="a" ' +
    'tts:fontStyle="italic"/></styling><layout><region id="r" tts:origin="10% 10%" tts:extent="80% ' +
    '20%"/></layout></head><body region="r" timeContainer="seq"><div begin="1s"><p dur="00:00:01:05" ' +
    'style="a">a<br/><span begin="1s" end="2s">b</span></p><p end="3s">c &lt;</p></div></body></tt>',
  sami:
    '<SAMI><HEAD><STYLE><!--\n.ENCC {lang: en-US}\n.FRCC {lang: fr}\n' +
    '--></STYLE></HEAD><BODY><SYNC Start=1000><P Class=ENCC>a<br>b<P Class=FRCC>c<SYNC Start=2000><P ' +
    'Class=ENCC>&nbsp;</BODY></SAMI>',
};

/** Valid files of a format: what its writer makes, its sample, and one by hand. */
const seedsOf = (format: Format): string[] => {
  const { head, tail, cue } = subtitleFormat(format).sample;
  const sample = head + cue(1000, 2000, 'a') + cue(3000, 4000, 'b') + tail;
  return [convert(RICH, format), sample, BY_HAND[format] ?? sample];
};
const SEEDS = new Map(FORMAT_IDS.map((format) => [format, seedsOf(format)]));

interface Mutation {
  at: number;
  length: number;
  how: 'cut' | 'double' | 'swap' | 'digit' | 'insert' | 'graft' | 'case';
  piece: string;
}
const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 10_000 }),
  length: fc.integer({ min: 1, max: 40 }),
  how: fc.constantFrom(
    'cut' as const,
    'double' as const,
    'swap' as const,
    'digit' as const,
    'insert' as const,
    'graft' as const,
    'case' as const,
  ),
  piece: fc.constantFrom(
    '\n',
    '\n\n',
    '\r',
    '<',
    '>',
    '{',
    '}',
    '&',
    '-->',
    '|',
    ',',
    ':',
    '"',
    '=',
    '\\',
    '\\N',
    '</',
    '/>',
    '999999',
    '-1',
    '0',
    '%',
    '\u0000',
    '\ufeff',
    '\ud800',
    ' ',
  ),
});

function mutated(text: string, other: string, mutations: readonly Mutation[]): string {
  let out = text;
  for (const { at, length, how, piece } of mutations) {
    const from = out.length === 0 ? 0 : at % out.length;
    const part = out.slice(from, from + length);
    const [head, tail] = [out.slice(0, from), out.slice(from + length)];
    const graft = other.slice(at % other.length, (at % other.length) + length);
    if (how === 'cut') out = head + tail;
    else if (how === 'double') out = head + part + part + tail;
    else if (how === 'swap') out = tail + part + head;
    else if (how === 'digit') out = head + part.replaceAll(/\d/g, (digit) => String((Number(digit) + at) % 10)) + tail;
    else if (how === 'insert') out = head + piece + part + tail;
    else if (how === 'graft') out = head + graft + part + tail;
    else out = head + (at % 2 === 0 ? part.toUpperCase() : part.toLowerCase()) + tail;
  }
  return out;
}

const ALL: Changes = {
  removeCredits: true,
  mergeRepeated: true,
  removeHearingImpaired: true,
  fixCommonErrors: true,
  fixOverlaps: true,
  timing: { offset: -1500 },
};

/** Returns texts and times of cues, as exactly as a format counts. A word joiner keeps text from being a tag. */
const said = (cues: readonly Cue[], format: Format): string[] => {
  const step = format === 'vtt' ? 1 : 10;
  return inOrder(cues)
    .map(
      ({ start, end, spans }) =>
        `${Math.round(start / step)} ${Math.round(end / step)} ${plainText(spans).replaceAll('\u2060', '').trim()}`,
    )
    .filter((line) => /^\d+ \d+ ./s.test(line))
    .toSorted();
};

for (const format of FORMAT_IDS) {
  test(`${format}: a valid file that was damaged is read soundly or refused, and can be changed`, () => {
    const seeds = SEEDS.get(format) ?? [];
    for (const seed of seeds) assert.ok(readText(seed, format).cues.length > 0);
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.constantFrom(...[...SEEDS.values()].flat()),
        fc.array(anyMutation, { minLength: 1, maxLength: 6 }),
        (seed, other, mutations) => {
          const text = mutated(seed, other, mutations);
          tried(() => readText(text, format));
          const document = tried(() => readText(text.replaceAll('\0', ''), format));
          if (!document) return;
          checkDocument(document);
          const changed = tried(() => changeCues(document, ALL));
          if (!changed) return;
          assert.deepEqual(inOrder(changed.document.cues), changed.document.cues);
          assert.equal(changed.rows.flatMap(({ current }) => current ?? []).length, document.cues.length);
          for (const target of FORMAT_IDS) convert(changed.document, target);
          if (document.script)
            assert.deepEqual(
              said(readText(convert(changed.document, document.format), document.format).cues, document.format),
              said(changed.document.cues, document.format),
            );
        },
      ),
      { numRuns: 400 },
    );
  });
}

test('a script that was damaged is written back as it was', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...seedsOf('ass'), ...seedsOf('ssa')),
      fc.array(anyMutation, { minLength: 1, maxLength: 6 }),
      (seed, mutations) => {
        const text = mutated(seed, seedsOf('srt')[0] ?? '', mutations).replaceAll('\0', '');
        const document = tried(() => readText(text, 'ass'));
        if (document) assert.equal(convert(document, 'ass'), text);
      },
    ),
    { numRuns: 400 },
  );
});
