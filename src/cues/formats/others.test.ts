/** MicroDVD, SAMI and TTML: what each says, and what is wrong with files of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../convert.ts';
import { toSrt } from './srt.ts';
import { toVtt } from './vtt.ts';
import { readText } from '../read.ts';
import { readMicroDvd } from './read-microdvd.ts';
import { readSami } from './read-sami.ts';
import { ttmlTime } from '../ttml/ttml.ts';
import type { Format, SubtitleDocument } from '../cue.ts';

const rows = (document: SubtitleDocument): string[] =>
  document.cues.map(
    (cue) =>
      `${cue.start}-${cue.end} ${toSrt({ ...document, cues: [{ ...cue, start: 0, end: 1 }] })
        .split('\n')
        .slice(2)
        .join('|')
        .replace(/\|+$/, '')}`,
  );

test('MicroDVD: frames, rates and tags', () => {
  assert.deepEqual(
    rows(
      readMicroDvd('{1}{1}25\n{25}{50}a|b\n{75}{100}{y:i}c|d\n{75}{100}{Y:bi}c|d\n{75}{100}/c\n{75}{100}{c:$0000ff}c'),
    ),
    [
      '1000-2000 a|b',
      '3000-4000 <i>c</i>|d',
      '3000-4000 <b><i>c|d</i></b>',
      '3000-4000 <i>c</i>',
      '3000-4000 <font color="#ff0000">c</font>',
    ],
  );
  assert.deepEqual(rows(readMicroDvd('{24}{48}a', 24)), ['1000-2000 a']);
  assert.deepEqual(rows(readMicroDvd('{1}{1}23,976\n{24}{48}a', 24)), ['1000-2000 a'], 'the caller knows better');
  const guessed = readMicroDvd('{24}{48}a\nnot a cue\n{48}{24}b');
  assert.deepEqual(rows(guessed), ['1001-2002 a', '2002-3002 b']);
  assert.deepEqual(
    guessed.warnings.map(({ code }) => code),
    ['no-frame-rate', 'bad-line', 'negative-duration'],
  );
  assert.deepEqual(rows(readMicroDvd('{1}{1}25\n{25}{}a\n{30}{}b')), ['1000-1200 a', '1200-2200 b']);
  assert.deepEqual(rows(readMicroDvd('{10}{20}{p:0}top', 10)), ['1000-2000 {\\an8}top']);
});

test('SAMI: starts, classes, clearing cues', () => {
  const text =
    '<SAMI><HEAD><STYLE TYPE="text/css"><!--\n.ENCC {Name: English; lang: en-US;}\n' +
    '.KRCC { Name: Korean; lang: ko-KR; }\n--></STYLE></HEAD><BODY>\n' +
    '<SYNC Start=1000><P Class=ENCC>Hello &amp; <i>bye</i><br>x\n<SYNC start="1000"><P class=\'KRCC\'>안녕\n' +
    '<SYNC Start=2500><P Class=ENCC>&nbsp;\n' +
    '<SYNC Start=2500><P Class=KRCC>&nbsp;<Sync Start=bad><P Class=ENCC>lost\n' +
    '<SYNC Start=4000><P Class=ENCC><font color="red">R</font></BODY></SAMI>';
  const english = readSami(text);
  assert.deepEqual(rows(english), ['1000-2500 Hello & <i>bye</i>|x', '4000-5000 <font color="#ff0000">R</font>']);
  assert.equal(english.language, 'en-US');
  assert.deepEqual(english.warnings.map(({ code }) => code).toSorted(), [
    'bad-timing',
    'missing-end',
    'more-languages',
  ]);
  assert.deepEqual(rows(readSami(text, 'ko')), ['1000-2500 안녕']);
  assert.deepEqual(
    rows(readSami('<SYNC Start=1>a<SYNC Start=2000>b')),
    ['1-2000 a', '2000-3000 b'],
    'without paragraphs',
  );
});

test('TTML: times', () => {
  const clock = { frameRate: 25, subFrameRate: 1, tickRate: 10_000_000 };
  for (const [text, ms] of [
    ['00:00:01', 1000],
    ['00:00:01.5', 1500],
    ['00:00:01:12', 1480],
    ['1.5s', 1500],
    ['250ms', 250],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['50f', 2000],
    ['15000000t', 1500],
    ['x', undefined],
    ['1:2:3', 3_723_000],
    ['', undefined],
  ] as const)
    assert.equal(ttmlTime(text, clock), ms, text);
});

test('TTML: nesting, styles, regions, agents', () => {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xml:lang="de" ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001">
 <tt:head><tt:metadata><ttm:title>Film</ttm:title><ttm:agent xml:id="bob" type="person"><ttm:name type="full">Bob</ttm:name></ttm:agent></tt:metadata>
  <tt:styling><tt:style xml:id="it" tts:fontStyle="italic"/><tt:style xml:id="both" style="it" tts:fontWeight="bold"/></tt:styling>
  <tt:layout><tt:region xml:id="top" tts:displayAlign="before" tts:origin="10% 5%" tts:extent="80% 20%"><tt:style tts:textAlign="center"/></tt:region><tt:region xml:id="low" tts:displayAlign="after" tts:textAlign="center" tts:origin="10% 70%" tts:extent="80% 25%"/></tt:layout></tt:head>
 <tt:body region="low"><tt:div begin="10s">
  <tt:p begin="1s" end="2s" ttm:agent="bob">One<tt:br/>
     two &lt;3</tt:p>
  <tt:p begin="24f" dur="1s" region="top"><tt:span style="both">x</tt:span> <tt:span tts:textDecoration="underline">y</tt:span></tt:p>
  <tt:p begin="bad" end="2s">lost</tt:p>
  <tt:p begin="5s" end="9s"><tt:span begin="0s" end="1s">a</tt:span><tt:span begin="1s" end="2s">b</tt:span></tt:p>
  <tt:p xml:space="preserve" begin="20s" end="21s">p
 q</tt:p>
 </tt:div></tt:body></tt:tt>`;
  const document = readText(text, 'ttml');
  assert.deepEqual(rows(document), [
    '11000-12000 One|two <3',
    '11001-12001 {\\an8}<b><i>x</i></b> <u>y</u>',
    '15000-16000 a',
    '16000-17000 b',
    '30000-31000 p| q',
  ]);
  assert.deepEqual([document.language, document.title, document.cues[0]?.speaker], ['de', 'Film', 'Bob']);
  assert.match(toVtt(document), /<v Bob>One\ntwo &lt;3<\/v>/);
  assert.deepEqual(
    document.warnings.map(({ code }) => code),
    ['bad-timing'],
  );
});

test('TTML: declarations, bombs and broken XML are refused', () => {
  for (const text of [
    '<!DOCTYPE tt><tt/>',
    '<!DOCTYPE tt [<!ENTITY a "b">]><tt><body><p begin="0s" end="1s">&a;</p></body></tt>',
    '<?xml version="1.0"?>\n<!doctype tt SYSTEM "file:///etc/passwd"><tt/>',
    '<tt><!ENTITY x "y"></tt>',
    '<tt>',
    '</tt>',
    '<tt></tt></tt>',
    '<tt',
    '<tt a="',
    '<!-- x',
    '<tt><![CDATA[x</tt>',
    '',
    'text',
    `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`,
    `<tt a="${'x'.repeat(10_000)}"/>`,
  ])
    assert.throws(() => readText(text, 'ttml'), { name: 'Failure', kind: 'invalid' }, text.slice(0, 60));
  // Refused for what it is, not because something else is wrong with it.
  for (const text of ['<!DOCTYPE tt><tt/>', '<tt/><!doctype tt>', '<tt><!ENTITY x "y"></tt>'])
    assert.throws(() => readText(text, 'ttml'), { message: /document type/ }, text);
  const harmless = readText(
    '<tt><body><p begin="0s" end="1s"><![CDATA[<!DOCTYPE>&amp;]]>&nbsp;&unknown;<!-- <!DOCTYPE --></p></body></tt>',
    'ttml',
  );
  assert.deepEqual(rows(harmless), ['0-1000 <!DOCTYPE>&amp;\u00a0&unknown;']);
});

test('every format reads 100,000 cues', () => {
  const many = (unit: (n: number) => string): string => Array.from({ length: 100_000 }, (_, n) => unit(n)).join('');
  const files: Partial<Record<Format, string>> = {
    vtt: `WEBVTT\n\n${many(() => '00:01.000 --> 00:02.000\na\n\n')}`,
    microdvd: `{1}{1}25\n${many(() => '{25}{50}a\n')}`,
    ttml: `<tt><body><div>${many(() => '<p begin="1s" end="2s">a</p>')}</div></body></tt>`,
    sami: `<SAMI><BODY>${many((n) => `<SYNC Start=${n + 1}><P>a`)}</BODY>`,
    ass: `[Events]\nFormat: Start, End, Text\n${many(() => 'Dialogue: 0:00:01.00,0:00:02.00,a\n')}`,
  };
  for (const [format, text] of Object.entries(files))
    assert.equal(readText(text, format as Format).cues.length, 100_000, format);
});

test('SAMI: a hundred thousand pieces at one time are one cue, there and back', () => {
  const document = readSami(`<SAMI><BODY>${'<SYNC Start=1><P>a\n'.repeat(100_000)}<SYNC Start=5000><P>&nbsp;</BODY>`);
  assert.equal(document.cues.length, 1);
  assert.equal(document.cues[0]?.spans.length, 199_999);
  const same = Array.from({ length: 100_000 }, () => ({
    start: 1,
    end: 5000,
    spans: [{ kind: 'text' as const, text: 'a' }],
  }));
  assert.equal(readSami(convert({ format: 'srt', warnings: [], cues: same }, 'sami')).cues.length, 1);
});
