/**
 * The cases of the W3C's published parsing tests (web-platform-tests, `webvtt/parsing`), written again
 * from what they state: the name of each group is the name of the published file. Where a published case
 * contradicts the standard of today, a comment says so.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, type Cue, type Region, type Span } from '../cue.ts';
import { cueText } from './cue-text.ts';
import { vttParser } from './parse.ts';
import { linesOf } from '../formats/lines.ts';

interface Parsed {
  cues: Cue[];
  regions: Map<string, Region>;
  styles: string[];
}

/** The parser as a browser has it, without this project's tolerance and limits. */
function parsed(text: string): Parsed {
  const out: Parsed = { cues: [], regions: new Map(), styles: [] };
  const parser = vttParser({ cue: (cue) => out.cues.push(cue), region: (region) => out.regions.set(region.id, region), style: (css) => out.styles.push(css) }, { isStandard: true });
  for (const line of linesOf(text)) parser.line(line);
  parser.end();
  return out;
}

const HEAD = 'WEBVTT\n\n';
const TIMES = '00:00:00.000 --> 00:00:01.000';
const texts = (text: string): string[] => parsed(text).cues.map(({ spans }) => plainText(spans));
/** Settings of one cue for each line of settings. */
const settings = (lines: readonly string[], before = ''): (Cue['settings'] | undefined)[] => parsed(HEAD + before + lines.map((line) => `${TIMES} ${line}\ntext\n\n`).join('')).cues.map((cue) => cue.settings);
let cases = 0;
const published = (name: string, count: number, run: () => void): void => {
  cases += count;
  test(`published: ${name}`, run);
};

published('arrows', 10, () => {
  const blocks = ['-->', 'foo-->', '-->foo', '--->', '-->-->'].map((arrow, n) => `${arrow}\n${TIMES}\ntext${n + 1}\n`).join('');
  const bad = ['-a', '--a', '-', '--'].map((start) => `00:00:00.000 ${start} -->\n\n`).join('');
  assert.deepEqual(texts(`${HEAD}${blocks}${TIMES}\ntext6\n\n${bad}`), ['text1', 'text2', 'text3', 'text4', 'text5', 'text6']);
});

published('header-garbage, header-space, header-tab, header-timings, header-regions', 5, () => {
  assert.deepEqual(texts(`WEBVTT\nanything at all\n\n${TIMES}\ntext`), ['text']);
  assert.deepEqual(texts(`WEBVTT \n\n${TIMES}\ntext`), ['text']);
  assert.deepEqual(texts(`WEBVTT\t\n\n${TIMES}\ntext`), ['text']);
  assert.deepEqual(texts(`WEBVTT\n${TIMES}\ntext`), ['text']);
  assert.equal(parsed(`WEBVTT\nREGION\nid:a\n\n${TIMES} region:a\ntext`).regions.size, 0);
});

published('ids', 5, () => {
  const ids = [' leading space', 'trailing space ', '-- >', '->', ' '];
  assert.deepEqual(parsed(HEAD + ids.map((id) => `${id}\n${TIMES}\ntext\n`).join('\n')).cues.map(({ id }) => id), ids);
});

published('newlines', 4, () => {
  const ends = { cr: '\r', lf: '\n', crlf: '\r\n' };
  for (const [id, end] of Object.entries(ends)) {
    const [cue] = parsed(`WEBVTT${end}${end}${id}${end}${TIMES}${end}text${end}`).cues;
    assert.deepEqual([cue?.id, plainText(cue?.spans ?? [])], [id, 'text']);
  }
  // A line feed and a carriage return are two ends, so the identifier is a separate block, and so are the times.
  assert.deepEqual(parsed(`${HEAD}lfcr\n\r${TIMES}\n\rtext\n\r`).cues.map(({ id, spans }) => [id, plainText(spans)]), [[undefined, '']]);
});

published('nulls', 70, () => {
  const file = parsed(`WEBVTT\n\0\nstill the header\n${TIMES}\na\n\n\0 id\n${TIMES}\nb\n\n\uFFFD id\n${TIMES}\n\uFFFDtext\0`);
  assert.deepEqual(file.cues.map(({ id, spans }) => [id, plainText(spans)]), [[undefined, 'a'], ['\uFFFD id', 'b'], ['\uFFFD id', '\uFFFDtext\uFFFD']]);
  assert.deepEqual(parsed(`${HEAD}${TIMES} align\0:end\na\n\n${TIMES} align:end\0\nb\n\n${TIMES}\0align:end\nc\n\n${TIMES}\0 align:end\nd`).cues.map(({ settings: each }) => each?.align), [undefined, undefined, undefined, 'end']);
  // Put into the times anywhere before their end, or in the place of any character of them.
  for (let at = 0; at < TIMES.length; at++) {
    assert.equal(parsed(`${HEAD}${TIMES.slice(0, at)}\0${TIMES.slice(at)}\nno`).cues.length, 0, `before ${at}`);
    const isSpace = TIMES[at] === ' ';
    assert.equal(parsed(`${HEAD}${TIMES.slice(0, at)}\0${TIMES.slice(at + 1)}\nno`).cues.length, 0, `instead of ${at}${isSpace ? ', a space' : ''}`);
  }
});

published('regions-id', 4, () => {
  const { regions, cues } = parsed(`${HEAD}REGION\nid:foo\nid:bar\nlines:1\n\nREGION\nid:bar id:foo\nlines:2\n\nREGION\nid:id\nid: foo\nid :bar\nlines:3\n\nREGION\nid:\v\nlines:4\n\n${['foo', 'bar', 'id', '\v'].map((id) => `${TIMES} region:${id}\nvalid\n\n`).join('')}`);
  assert.deepEqual(cues.map((cue) => regions.get(cue.settings?.region ?? '')?.lines), [2, 1, 3, 4]);
});

published('regions-lines', 13, () => {
  const lines = (text: string): number | undefined => parsed(`${HEAD}REGION\nid:a\n${text}\n`).regions.get('a')?.lines;
  for (const [text, expected] of [['0', 0], ['1', 1], ['100', 100], ['101', 101], ['65536', 65_536], ['4294967296', 4_294_967_296], ['18446744073709552000', 18_446_744_073_709_552_000], ['10000000000000000000000000000000000', 1e34]] as const) assert.equal(lines(`lines:${text}`), expected);
  assert.equal(lines('lines:1 lines:2'), 2);
  for (const text of ['lines:-1', 'lines:1%', 'lines:1x', 'lines: 1']) assert.equal(lines(text), 3, text);
});

published('regions-old', 2, () => {
  assert.deepEqual(parsed(`${HEAD}REGION: id=foo width=40% lines=3\n\nREGION: id=bar scroll=up\n\n${TIMES} region:foo\na\n\n${TIMES} region:bar\nb`).cues.map((cue) => cue.settings?.region), [undefined, undefined]);
});

for (const name of ['regionanchor', 'viewportanchor'] as const) {
  published(`regions-${name}`, 20, () => {
    const anchor = (text: string): unknown => parsed(`${HEAD}REGION\nid:a\n${text}\n`).regions.get('a')?.[name === 'regionanchor' ? 'regionAnchor' : 'viewportAnchor'];
    assert.deepEqual(anchor(''), { x: 0, y: 100 });
    for (const [x, y] of [[0, 0], [1, 1], [100, 0], [0, 100], [100, 100]]) assert.deepEqual(anchor(`${name}:${x}%,${y}%`), { x, y });
    for (const bad of ['0,0', '0%,0', '0,0%', '1%', ',1%', '101%,1%', '1%,101%', '-0%,0%', '0%,-0%', '65536%,65536%', '4294967296%,4294967296%', '18446744073709552000%,18446744073709552000%', `1${'0'.repeat(34)}%,1${'0'.repeat(34)}%`, ' 100%,100%', '100% ,100%', '100%, 100%', '100 %,100%', '100%,100 %']) assert.deepEqual(anchor(`${name}:${bad}`), { x: 0, y: 100 }, bad);
    assert.deepEqual(anchor(`${name} :100%,100%`), { x: 0, y: 100 });
  });
}

published('regions-scroll', 6, () => {
  const scroll = (text: string): boolean | undefined => parsed(`${HEAD}REGION\nid:a\n${text}\n`).regions.get('a')?.scroll;
  for (const [text, expected] of [['', false], ['scroll:up', true], [`${'scroll:up '.repeat(8)}\n${'scroll:up '.repeat(8)}`, true], ['scroll:down\nscroll:left\nscroll:right', false], ['scroll: up\nscroll :up', false], ['scroll:up scroll:', true]] as const) assert.equal(scroll(text), expected, text);
});

published('settings-align', 13, () => {
  const given = ['', 'align:start', 'align:center', 'align:end', 'align:left', 'align:right', 'align:start align:end', 'align:end align:CENTER', 'align:end align: center', 'align:end align:', 'align:end align:middle', 'align:end align', `${'align:end '.repeat(1000)}align:center`];
  assert.deepEqual(settings(given).map((each) => each?.align ?? 'center'), ['center', 'start', 'center', 'end', 'left', 'right', 'end', 'end', 'end', 'end', 'end', 'end', 'center']);
});

published('settings-line', 45, () => {
  const most = `17976931348623157${'0'.repeat(292)}`;
  const least = `0.${'0'.repeat(323)}5`;
  const less = `0.${'0'.repeat(323)}2`;
  const lines = (values: readonly string[]): (Cue['settings'] | undefined)[] => settings(values.map((value) => `line:${value}`));
  const valid: readonly (readonly [string, number])[] = [['-1', -1], ['0', 0], ['-0', 0], ['1', 1], ['100', 100], ['101', 101], ['65536', 65_536], ['4294967296', 4_294_967_296], ['18446744073709552000', 18_446_744_073_709_552_000], [`1${'0'.repeat(34)}`, 1e34], ['1.5', 1.5], [most, Number.MAX_VALUE], [`-${most}`, -Number.MAX_VALUE], [least, Number.MIN_VALUE], [less, 0]];
  assert.deepEqual(lines(valid.map(([text]) => text)), valid.map(([, line]) => ({ line, snapToLines: true })));
  const invalid = ['65536%', '4294967296%', '18446744073709552000%', `1${'0'.repeat(34)}%`, '-0%', '101%', '1%-', '1-', '%1', '1%%', '0%0', ' 0%', '0%x', '-', '%', '1..5', '.5', '5.', `17976931348623159${'0'.repeat(292)}`, `-17976931348623159${'0'.repeat(292)}`, '1e2'];
  assert.deepEqual(lines(invalid), invalid.map(() => undefined));
  const percent = (line: number, lineAlign?: string): object => ({ ...(lineAlign ? { lineAlign } : {}), line, snapToLines: false });
  // The last alignment is none; the standard's text would drop the line, the published test keeps it.
  assert.deepEqual(lines(['0%', '00%', '100%', '100%,start', '100%,center', '100%,end', '100%,middle', `${least}%`, `${less}%`]), [percent(0), percent(0), percent(100), percent(100, 'start'), percent(100, 'center'), percent(100, 'end'), percent(100), percent(Number.MIN_VALUE), percent(0)]);
});

published('settings-multiple', 2, () => {
  const { cues } = parsed(`${HEAD}id1\n${TIMES} align:start line:1% vertical:lr size:50% position:25%\ntext1\n\nid2\n${TIMES} align:center line:1 vertical:rl size:0% position:100%\ntext2`);
  assert.deepEqual(cues.map(({ id, settings: each }) => [id, each]), [['id1', { align: 'start', line: 1, snapToLines: false, vertical: 'lr', size: 50, position: 25 }], ['id2', { align: 'center', line: 1, snapToLines: true, vertical: 'rl', size: 0, position: 100 }]]);
});

published('settings-position', 22, () => {
  const given = ['1%', '100%', '1% position:x', '1.5%', '1%,line-left', '1%,center', '1%,line-right', '1%,middle', '1% ,center', '1%, center'];
  assert.deepEqual(settings(given.map((value) => `position:${value}`)).map((each) => [each?.position, each?.positionAlign ?? 'auto']), [[1, 'auto'], [100, 'auto'], [1, 'auto'], [1.5, 'auto'], [1, 'line-left'], [1, 'center'], [1, 'line-right'], [1, 'auto'], [1, 'auto'], [1, 'auto']]);
  const invalid = ['-1%', '1', '1x', '1%x', '', ' 1%', '101%', '65536%', '4294967296%', '101%,line-left', '101%,center', '101%,line-right'];
  assert.deepEqual(settings(invalid.map((value) => `position:${value}`)), invalid.map(() => undefined));
});

published('settings-region', 9, () => {
  const regions = 'REGION\nid:foo\n\nREGION\nid:bar\n\nREGION\nid:foo\n\nREGION\nwidth:10%\n\n';
  const given = ['region:foo', 'region:bar', 'region:foo region:bar', 'region:invalid', 'region:invalid region:foo', 'region:', 'region: ', 'region: foo', 'region :foo'];
  assert.deepEqual(settings(given, regions).map((each) => each?.region), ['foo', 'bar', 'bar', undefined, 'foo', undefined, undefined, undefined, undefined]);
});

published('settings-size', 16, () => {
  const given = ['', 'size:1xx size:2%', 'size:0%', 'size:00%', 'size:50% size:100%', 'size:50% size:101%', 'size:1.5%', 'size:', 'size:x', 'size:%', 'size:%%', 'size:1%%', 'size:1%x', 'size:101%', 'size:-3%', 'size:200%'];
  assert.deepEqual(settings(given).map((each) => each?.size ?? 100), [100, 2, 0, 0, 100, 50, 1.5, 100, 100, 100, 100, 100, 100, 100, 100, 100]);
});

published('settings-vertical', 8, () => {
  const given = ['', 'vertical:lr', 'vertical:rl', 'vertical:rl vertical:lr', 'vertical:', 'vertical:RL', 'vertical: rl', 'vertical:vertical-rl'];
  assert.deepEqual(settings(given).map((each) => each?.vertical), [undefined, 'lr', 'rl', 'lr', undefined, undefined, undefined, undefined]);
});

published('signature-*', 12, () => {
  for (const good of [`\uFEFF${HEAD}`, 'WEBVTT \n\n', 'WEBVTT\t\n\n', 'WEBVTT text\n\n']) assert.deepEqual(texts(`${good}${TIMES}\ntext`), ['text'], JSON.stringify(good));
  for (const none of ['WEBVTT', 'WEBVTT ', 'WEBVTT\t', `WEBVTT ${TIMES}`]) assert.deepEqual(texts(none), [], none);
  for (const bad of ['WEBVTTfoo\n\n', 'WEBVTT\v\n\n', 'WEBVTT-\n\n', 'WEB\n\n', 'webvtt\n\n', '']) assert.deepEqual(texts(`${bad}${TIMES}\ntext`), [], JSON.stringify(bad));
});

published('stylesheets, stylesheets-newlines, stylesheets-none', 4, () => {
  assert.deepEqual(parsed('WEBVTT\n').styles, []);
  const file = parsed(`${HEAD}STYLE\n::cue(#foo) {\n    width: 20px;\n} /*\nNOTE hello\n00:00:00.000 -- > 00:00:01.000\n*/\n.foo {\n    width: 19px;\n}\n\n.bar {\n    width: 18px;\n}\n\nfoo\n${TIMES}\ntext\n\nSTYLE\n::cue(::bar) {\n}\n\nbar\n${TIMES}\ntext`);
  assert.deepEqual(file.styles.map((css) => css.split('\n').length), [9], 'up to the blank line, and none behind a cue');
  assert.deepEqual(file.cues.map(({ id }) => id), ['foo', 'bar']);
});

published('timings-60, timings-eof, timings-garbage', 40, () => {
  const times = (line: string): [number, number][] => parsed(`${HEAD}${line}\ntext`).cues.map(({ start, end }) => [start, end]);
  assert.deepEqual(times('00:00:00.000 --> 60:00:01.000'), [[0, 216_001_000]]);
  assert.deepEqual(times('60:00:00.000 --> 60:00:01.000'), [[216_000_000, 216_001_000]]);
  for (const bad of ['00:60:00.000 --> 01:00:01.000', '00:00:60.000 --> 00:01:01.000', '00:00:00.000 --> 00:60:01.000', '00:00:00.000 --> 00:00:60.000', '60:00.000 --> 61:00.000', '00:60.000 --> 01:01.000']) assert.deepEqual(times(bad), [], bad);
  // Cut anywhere before the second time is whole.
  for (let at = 0; at < TIMES.length; at++) assert.equal(parsed(HEAD + TIMES.slice(0, at)).cues.length, 0, TIMES.slice(0, at));
  for (const bad of ['x00:00:00.000 --> 00:00:01.000', '00:00:00.000x --> 00:00:01.000', '00:00:00.000 x--> 00:00:01.000', '00:00:00.000 -->x 00:00:01.000', '00:00:00.000 --> x00:00:01.000', '0x:00:00.000 --> 00:00:01.000', '00x00:00.000 --> 00:00:01.000', '00:00:00,000 --> 00:00:01,000', '00:00:00.000 --x 00:00:01.000 -->', '00:00:00.000-- > 00:00:01.000']) assert.deepEqual(times(bad), [], bad);
});

published('timings-negative, timings-omitted-hours', 7, () => {
  const times = (lines: readonly string[]): [number, number][] => parsed(HEAD + lines.map((line) => `${line}\ntext\n\n`).join('')).cues.map(({ start, end }) => [start, end]);
  assert.deepEqual(times(['00:00:00.000 --> 00:00:00.000', '00:00:01.000 --> 00:00:00.999', '00:01:00.000 --> 00:00:59.999', '01:00:00.000 --> 00:59:59.999']), [[0, 0], [1000, 999], [60_000, 59_999], [3_600_000, 3_599_999]]);
  assert.deepEqual(times(['00:00.000 --> 00:00:01.000', '00:00:00.000 --> 00:01.000', '00:00.000 --> 00:01.000']), [[0, 1000], [0, 1000], [0, 1000]]);
});

published('timings-too-long, timings-too-short', 47, () => {
  const isCue = (start: string, end = '00:00:01.000'): boolean => parsed(`${HEAD}${start} --> ${end}\ntext`).cues.length === 1;
  for (const good of ['000:00:00.000', '0:00:00.000']) assert.ok(isCue(good), good);
  for (const good of ['000:00:01.000', '0:00:01.000']) assert.ok(isCue('00:00:00.000', good), good);
  for (const bad of ['00::00:00.000', '00:000:00.000', '00:00::00.000', '00:00:000.000', '00:00:00..000', '00:00:00.0000', '00:00.0000', '000:00.000', '00::00.000', '00:000.000', '00:00..000']) assert.ok(!isCue(bad), bad);
  for (const bad of ['0000:00.000', '00:0:00.000', '00:0000.000', '00:00:0.000', '00:00:00000', '00:00:00.00', '00:00:00.0', '00:00:00.', '00:00:00', '00:00:0', '00:00:', '00:00', '00:0', '00:', '00', '0', '', '0:00.000', '0000.000', '00:0.000', '00:00000', '00:00.00', '00:00.0', '00:00.', '0:00.', ':00.', '00.', '0.', '.']) assert.ok(!isCue(bad), bad);
  for (const bad of ['000:01.000', '0:01.000']) assert.ok(!isCue('00:00.000', bad), bad);
});

published('whitespace-chars', 4, () => {
  const { cues } = parsed(`${HEAD}spaces\n   00:00:00.000    -->  00:00:01.000 \n   text1\n\ntabs\n${['\t\t\t00:00:00.000', '\t\t-->', '\t00:00:01.000\t'].join('\t')}\ntext2\n\nform feed\n\f\f00:00:00.000\f\f-->\f00:00:01.000\f\ntext3\n\nvertical tab\n\v00:00:00.000\v-->\v00:00:01.000\v\ntext4`);
  assert.deepEqual(cues.map(({ id, spans }) => [id, plainText(spans)]), [['spaces', '   text1'], ['tabs', 'text2'], ['form feed', 'text3']]);
});

published('entities', 19, () => {
  for (const [text, expected] of [['&', '&'], ['&amp;', '&'], ['&lt;', '<'], ['&gt;', '>'], ['a&lrm;b', 'a\u200Eb'], ['a&rlm;b', 'a\u200Fb'], ['&nbsp;', '\u00A0'], ['&&', '&&'], ['&1', '&1'], ['&1;', '&1;'], ['&<', '&'], ['&<c', '&'], ['&;', '&;']] as const) assert.equal(plainText(cueText(text)), expected, text);
  // The published files keep these as they are; the standard takes every reference that HTML knows.
  for (const [text, expected] of [['&amp', '&'], ['&AMP;', '&'], ['&quot;', '"'], ['&copy;', '©'], ['&#32;', ' '], ['&#x20;', ' ']] as const) assert.equal(plainText(cueText(text)), expected, text);
});

published('tree-building', 10, () => {
  const shape = (spans: readonly Span[]): string => spans.map((span) => (span.kind === 'text' ? span.text : 'children' in span ? `${{ ruby: 'ruby', 'ruby-text': 'rt', bold: 'b' }[span.kind as 'ruby']}(${shape(span.children)})` : '?')).join(' ');
  for (const [text, expected] of [
    ['1', '1'],
    ['<ruby>1<rt>2', 'ruby(1 rt(2))'],
    ['<ruby>1<rt>2</rt>3', 'ruby(1 rt(2) 3)'],
    ['<ruby>1<rt>2</rt></ruby>3', 'ruby(1 rt(2)) 3'],
    ['<ruby>1<rt>2</ruby>3', 'ruby(1 rt(2)) 3'],
    ['<ruby>1<rt><b>2</rt></ruby>3', 'ruby(1 rt(b(23)))'],
    ['<ruby>1<rt><b>2</ruby>3', 'ruby(1 rt(b(23)))'],
    ['<ruby>1<rt><b>2</rt></ruby></b>3', 'ruby(1 rt(b(2) 3))'],
    ['<ruby>1<rt><b>2</rt></b></ruby>3', 'ruby(1 rt(b(2))) 3'],
    ['<ruby>1<rt><b>2</rt></b>3</ruby>4', 'ruby(1 rt(b(2) 3)) 4'],
  ] as const) assert.equal(shape(cueText(text)), expected, text);
});

test('so many published cases run', () => assert.ok(cases >= 400, String(cases)));
