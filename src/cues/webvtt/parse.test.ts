/** WebVTT by the W3C's algorithm: what is a cue, what is not, and what each part means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, type Span } from '../cue.ts';
import { cueText, tokens } from './cue-text.ts';
import { readVtt } from './parse.ts';
import { timestampAt } from './settings.ts';

const HEAD = 'WEBVTT\n\n';
const TIMES = '00:00.000 --> 00:01.000';
const texts = (file: string): string[] => readVtt(file).cues.map((cue) => plainText(cue.spans));

test('the signature', () => {
  const body = `\n\n${TIMES}\na`;
  for (const [head, cues] of [
    ['WEBVTT', 1],
    ['\ufeffWEBVTT', 1],
    ['WEBVTT ', 1],
    ['WEBVTT\t', 1],
    ['WEBVTT - text', 1],
    ['WEBVTT\tx', 1],
    ['WEBVTT a --> b', 1],
    ['', 0],
    ['WEBVT', 0],
    ['webvtt', 0],
    ['WEBVTTx', 0],
    ['WEBVTT-', 0],
    [' WEBVTT', 0],
    ['\nWEBVTT', 0],
    ['\ufeff\ufeffWEBVTT', 0],
    ['FOO\nWEBVTT', 0],
    ['WEBVTT\f', 0],
  ] as const)
    assert.equal(readVtt(head + body).cues.length, cues, JSON.stringify(head));
  assert.equal(readVtt('').warnings.length, 0);
  assert.equal(readVtt('x').warnings[0]?.code, 'no-header');
});

test('the header', () => {
  assert.deepEqual(texts(`WEBVTT\nKind: captions\nLanguage: en\n\n${TIMES}\na`), ['a']);
  assert.deepEqual(texts(`WEBVTT\n${TIMES}\na`), ['a'], 'times end the header');
  assert.deepEqual(texts(`WEBVTT\nfoo\n${TIMES}\na`), ['a']);
  assert.deepEqual(readVtt(`WEBVTT\nfoo\n${TIMES}\na`).cues[0]?.id, undefined, 'the header is no identifier');
  assert.deepEqual(
    readVtt(`WEBVTT\nREGION\nid:a\n\n${TIMES} region:a\na`).regions,
    undefined,
    'no region in the header',
  );
  assert.deepEqual(texts('WEBVTT'), []);
  assert.deepEqual(texts('WEBVTT\n'), []);
});

test('line ends: LF, CR, CRLF and mixed; with and without the last', () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const file = ['WEBVTT', '', 'one', TIMES, 'a', 'b', '', 'two', TIMES, 'c'].join(end);
    for (const tail of ['', end, end + end])
      assert.deepEqual(texts(file + tail), ['a\nb', 'c'], JSON.stringify(end + tail));
  }
  assert.deepEqual(texts(`WEBVTT\r\r\n\r${TIMES}\na\r\nb\rc\n\nd`), ['a\nb\nc']);
});

test('NUL becomes the replacement character', () => {
  const cue = readVtt(`${HEAD}i\0d\n${TIMES}\na\0b`).cues[0];
  assert.equal(cue?.id, 'i\ufffdd');
  assert.equal(plainText(cue?.spans ?? []), 'a\ufffdb');
});

test('timestamps', () => {
  for (const [text, ms] of [
    ['00:00.000', 0],
    ['00:01.001', 1001],
    ['59:59.999', 3_599_999],
    ['00:00:00.500', 500],
    ['01:00:00.000', 3_600_000],
    ['100:00:00.000', 360_000_000],
    ['1:00:00.000', 3_600_000],
    ['60:00.000', undefined],
    ['0:00.000', undefined],
    ['000:00.000', undefined],
    ['00:60.000', undefined],
    ['00:60:00.000', undefined],
    ['00:00:60.000', undefined],
    ['00:00,000', undefined],
    ['00:00.00', undefined],
    ['00:00.0000', undefined],
    ['00:0.000', undefined],
    ['00:000.000', undefined],
    ['-00:00.000', undefined],
    ['00.000', undefined],
    ['', undefined],
    ['a0:00.000', undefined],
    ['00:00', undefined],
    ['00:00:00', undefined],
    ['00:00:0.000', undefined],
    ['60:00:00.000', 216_000_000],
  ] as const) {
    const at = timestampAt(text, 0);
    assert.equal(at?.end === text.length ? at.time : undefined, ms, text);
  }
});

test('timing lines', () => {
  for (const [line, isCue] of [
    ['00:00.000 --> 00:01.000', true],
    ['00:00.000-->00:01.000', true],
    [' \t00:00.000\t-->\f00:01.000  ', true],
    ['00:00.000 --> 00:01.000x', true],
    ['00:01.000 --> 00:00.000', true],
    ['00:00.000 -> 00:01.000', false],
    ['00:00.000 -- > 00:01.000', false],
    ['00:00.000 --> ', false],
    ['--> 00:01.000', false],
    ['00:00.000 x --> 00:01.000', false],
    ['00:00.000 --> x00:01.000', false],
    ['00:00 --> ', false],
    ['00:99,000 --> 01:01,000', false],
  ] as const)
    assert.equal(readVtt(`${HEAD}${line}\na`).cues.length, isCue ? 1 : 0, line);
});

test('blocks: identifiers, notes, arrows', () => {
  const ids = (body: string): (string | undefined)[] => readVtt(HEAD + body).cues.map((cue) => cue.id);
  assert.deepEqual(ids(`one\n${TIMES}\na`), ['one']);
  assert.deepEqual(ids(` spaces \n${TIMES}\na`), [' spaces ']);
  assert.deepEqual(ids(`one\ntwo\n${TIMES}\na`), [undefined], 'two lines before the times: the times begin a block');
  assert.deepEqual(ids(`NOTE\n${TIMES}\na`), ['NOTE'], 'a note with times on its second line is a cue');
  assert.deepEqual(ids(`NOTE a\nb\n\n${TIMES}\na`), [undefined]);
  assert.deepEqual(texts(`${HEAD}${TIMES}\na\n${TIMES}\nb`), ['a', 'b'], 'times end a cue');
  assert.deepEqual(
    texts(`${HEAD}${TIMES}\na\nx --> y\nb\n\n${TIMES}\nc`),
    ['a', 'c'],
    'so does any arrow, and what follows is lost',
  );
  assert.deepEqual(texts(`${HEAD}bad --> times\nid\n${TIMES}\nb`), ['b']);
  assert.deepEqual(texts(`${HEAD}${TIMES}\n\n${TIMES}\nb`), ['', 'b']);
  assert.deepEqual(texts(`${HEAD}\n\n\n\n${TIMES}\nb\n\n\nstray\n\n`), ['b']);
  assert.deepEqual(texts(`${HEAD}${TIMES}`), ['']);
});

test('styles and regions', () => {
  const file = readVtt(
    `${HEAD}STYLE\n::cue { color: red }\n\nSTYLE \t\n::cue(b) { x }\ny\n\nREGION\nid:fred width:40% lines:2\n` +
      `regionanchor:0%,100% viewportanchor:10%,90% scroll:up\n\nSTYLEX\nno\n\n${TIMES} region:fred\na\n\n` +
      `${TIMES} region:none\nb\n\nREGION\nid:late\n\n${TIMES} region:late\nc`,
  );
  assert.deepEqual(file.styles, ['::cue { color: red }', '::cue(b) { x }\ny']);
  assert.deepEqual(file.regions?.[0], {
    id: 'fred',
    width: 40,
    lines: 2,
    regionAnchor: { x: 0, y: 100 },
    viewportAnchor: { x: 10, y: 90 },
    scroll: true,
  });
  assert.deepEqual(
    file.cues.map((cue) => cue.settings?.region),
    ['fred', undefined, undefined],
    'a region behind a cue is none',
  );
  assert.deepEqual(
    readVtt(`${HEAD}STYLE\n${TIMES}\na`).cues.map((cue) => cue.id),
    ['STYLE'],
  );
});

test('region settings that are malformed are ignored', () => {
  const region = (text: string): unknown => readVtt(`${HEAD}REGION\n${text}\n`).regions?.[0];
  const plain = {
    id: '',
    width: 100,
    lines: 3,
    regionAnchor: { x: 0, y: 100 },
    viewportAnchor: { x: 0, y: 100 },
    scroll: false,
  };
  for (const text of [
    'width:101%',
    'width:50',
    'width:-1%',
    'width:',
    'lines:x',
    'lines:-1',
    'lines:1.5',
    'regionanchor:0%',
    'regionanchor:0%,101%',
    'regionanchor:0,0',
    'scroll:down',
    ':x',
    'x',
    'id=foo',
  ])
    assert.deepEqual(region(text), plain, text);
  assert.deepEqual(region('id:a id:b'), { ...plain, id: 'b' });
});

test('cue settings', () => {
  for (const [text, expected] of [
    ['vertical:rl', { vertical: 'rl' }],
    ['vertical:lr', { vertical: 'lr' }],
    ['vertical:xx', undefined],
    ['vertical:RL', undefined],
    ['VERTICAL:rl', undefined],
    ['vertical :rl', undefined],
    ['vertical: rl', undefined],
    ['line:0', { line: 0, snapToLines: true }],
    ['line:-1', { line: -1, snapToLines: true }],
    ['line:1.5', { line: 1.5, snapToLines: true }],
    ['line:50%', { line: 50, snapToLines: false }],
    ['line:50.5%', { line: 50.5, snapToLines: false }],
    ['line:0,start', { line: 0, snapToLines: true, lineAlign: 'start' }],
    ['line:0%,center', { line: 0, snapToLines: false, lineAlign: 'center' }],
    ['line:0,end', { line: 0, snapToLines: true, lineAlign: 'end' }],
    ['line:0,left', { line: 0, snapToLines: true }],
    ['line:0,', { line: 0, snapToLines: true }],
    ['line:101%', undefined],
    ['line:-1%', undefined],
    ['line:--1', undefined],
    ['line:1-', undefined],
    ['line:1.', undefined],
    ['line:.1', undefined],
    ['line:1.1.1', undefined],
    ['line:%', undefined],
    ['line:auto', undefined],
    ['line:', undefined],
    ['position:0%', { position: 0 }],
    ['position:100%', { position: 100 }],
    ['position:10.25%', { position: 10.25 }],
    ['position:50%,center', { position: 50, positionAlign: 'center' }],
    ['position:50%,line-left', { position: 50, positionAlign: 'line-left' }],
    ['position:50%,line-right', { position: 50, positionAlign: 'line-right' }],
    ['position:50', undefined],
    ['position:101%', undefined],
    ['position:-1%', undefined],
    ['position:50%,start', { position: 50 }],
    ['position:50%,', { position: 50 }],
    ['position:auto', undefined],
    ['position:5%5%', undefined],
    ['size:0%', { size: 0 }],
    ['size:50.5%', { size: 50.5 }],
    ['size:100%', { size: 100 }],
    ['size:101%', undefined],
    ['size:50', undefined],
    ['size:.5%', undefined],
    ['size:5.%', undefined],
    ['align:start', { align: 'start' }],
    ['align:center', { align: 'center' }],
    ['align:end', { align: 'end' }],
    ['align:left', { align: 'left' }],
    ['align:right', { align: 'right' }],
    ['align:middle', undefined],
    ['align:Start', undefined],
    ['align:start align:end', { align: 'end' }],
    ['align:start  \t size:5%', { align: 'start', size: 5 }],
    ['x:y align:end', { align: 'end' }],
    [':end', undefined],
    ['align=end', undefined],
    ['region:r', undefined],
  ] as const)
    assert.deepEqual(readVtt(`${HEAD}${TIMES} ${text}\na`).cues[0]?.settings, expected, text);
});

test('a cue that places itself leaves its region', () => {
  for (const [extra, region] of [
    ['', 'r'],
    [' align:end', 'r'],
    [' position:5%', 'r'],
    [' size:100%', 'r'],
    [' line:1', undefined],
    [' vertical:rl', undefined],
    [' size:50%', undefined],
    [' region:x', undefined],
    [' line:1 region:r', 'r'],
  ] as const) {
    assert.equal(
      readVtt(`${HEAD}REGION\nid:r\n\n${TIMES} region:r${extra}\na`).cues[0]?.settings?.region,
      region,
      extra,
    );
  }
});

test('entities', () => {
  for (const [text, expected] of [
    ['&amp;', '&'],
    ['&lt;&gt;', '<>'],
    ['&nbsp;', '\u00a0'],
    ['&lrm;&rlm;', '\u200e\u200f'],
    ['&amp', '&'],
    ['&lt x', '< x'],
    ['&copy;', '©'],
    ['&eacute', 'é'],
    ['&euro;', '€'],
    ['&euro', '&euro'],
    ['&ampx', '&x'],
    ['&', '&'],
    ['& ', '& '],
    ['&;', '&;'],
    ['&unknown;', '&unknown;'],
    ['&#65;', 'A'],
    ['&#x41;', 'A'],
    ['&#X41', 'A'],
    ['&#', '&#'],
    ['&#x', '&#x'],
    ['&#;', '&#;'],
    ['&#0;', '\ufffd'],
    ['&#xD800;', '\ufffd'],
    ['&#x110000;', '\ufffd'],
    ['&#150;', '–'],
    ['&#99999999999999999999;', '\ufffd'],
    ['&AMP;', '&'],
    ['&notin;', '∉'],
    ['&noti', '¬i'],
  ] as const)
    assert.equal(plainText(cueText(text)), expected, text);
});

test('tokens', () => {
  const start = (name: string, classes: string[] = [], annotation = ''): object => ({
    kind: 'start',
    name,
    classes,
    annotation,
  });
  for (const [text, expected] of [
    ['<i>', [start('i')]],
    ['<i.a.b>', [start('i', ['a', 'b'])]],
    ['<i..a.>', [start('i', ['a'])]],
    ['<.a>', [start('', ['a'])]],
    ['<v  Mary \t J >', [start('v', [], 'Mary J')]],
    ['<v.a\nMary>', [start('v', ['a'], 'Mary')]],
    ['<v a&amp;b>', [start('v', [], 'a&b')]],
    ['<i', [start('i')]],
    ['<', [start('')]],
    ['<>', [start('')]],
    ['< i>', [start('', [], 'i')]],
    ['</i>', [{ kind: 'end', name: 'i' }]],
    ['</', [{ kind: 'end', name: '' }]],
    ['</i', [{ kind: 'end', name: 'i' }]],
    ['</i.x>', [{ kind: 'end', name: 'i.x' }]],
    ['<00:01.000>', [{ kind: 'timestamp', text: '00:01.000' }]],
    ['<1', [{ kind: 'timestamp', text: '1' }]],
    ['a<b>c', [{ kind: 'text', text: 'a' }, start('b'), { kind: 'text', text: 'c' }]],
    ['<i<b>', [start('i<b')]],
  ] as const)
    assert.deepEqual(tokens(text), expected, text);
});

test('the tree', () => {
  const text = (value: string): Span => ({ kind: 'text', text: value });
  const cases: [string, Span[]][] = [
    ['<b><i>a</i></b>', [{ kind: 'bold', children: [{ kind: 'italic', children: [text('a')] }] }]],
    ['<b><i>a</b></i>b', [{ kind: 'bold', children: [{ kind: 'italic', children: [text('a')] }, text('b')] }]],
    ['</i>a', [text('a')]],
    ['<x>a</x>', [text('a')]],
    ['<I>a', [text('a')]],
    ['<c.red>a</c>', [{ kind: 'class', classes: ['red'], children: [text('a')] }]],
    ['<v.x Bob>a', [{ kind: 'voice', name: 'Bob', classes: ['x'], children: [text('a')] }]],
    ['<lang en-GB>a</lang>', [{ kind: 'language', language: 'en-GB', children: [text('a')] }]],
    [
      '<ruby>a<rt>b</rt></ruby>c',
      [{ kind: 'ruby', children: [text('a'), { kind: 'ruby-text', children: [text('b')] }] }, text('c')],
    ],
    [
      '<ruby>a<rt>b</ruby>c',
      [{ kind: 'ruby', children: [text('a'), { kind: 'ruby-text', children: [text('b')] }] }, text('c')],
    ],
    ['<rt>a</rt>', [text('a')]],
    ['a<00:00:01.500>b<bad><9>', [text('a'), { kind: 'timestamp', at: 1500 }, text('b')]],
    ['<u>a\nb', [{ kind: 'underline', children: [text('a'), { kind: 'break' }, text('b')] }]],
  ];
  for (const [source, expected] of cases) assert.deepEqual(cueText(source), expected, source);
});

test('a tree is never deeper than the model allows, and loses no text', () => {
  const spans = cueText(`${'<i>'.repeat(100_000)}deep${'</i>'.repeat(100_000)}flat`);
  const depth = (list: readonly Span[]): number =>
    list.reduce((most, span) => Math.max(most, 'children' in span ? 1 + depth(span.children) : 0), 0);
  assert.ok(depth(spans) <= 32);
  assert.equal(plainText(spans), 'deepflat');
});
