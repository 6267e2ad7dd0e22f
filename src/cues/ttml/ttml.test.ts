/** TTML's containers, time codes, ruby, chained styles and hidden parts; the rest is in `formats/others.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '../cue.ts';
import { readText } from '../read.ts';

const cuesOf = (body: string, attributes = '', head = ''): [number, number, string][] =>
  readText(`<tt ${attributes}><head>${head}</head>${body}</tt>`, 'ttml').cues.map(({ start, end, spans }) => [
    start,
    end,
    plainText(spans),
  ]);

test('a sequence: each begins where the one before it ended', () => {
  assert.deepEqual(
    cuesOf(
      '<body><div timeContainer="seq"><p dur="1s">a</p><p begin="500ms" dur="2s">b</p><p end="1s">c</p></div></body>',
    ),
    [
      [0, 1000, 'a'],
      [1500, 3500, 'b'],
      [3500, 4500, 'c'],
    ],
  );
  assert.deepEqual(
    cuesOf(
      '<body timeContainer="seq"><div begin="10s"><p begin="1s" end="2s">a</p><p begin="4s" ' +
        'end="5s">b</p></div><div><p begin="1s" end="2s">c</p></div><div dur="1s"><p begin="0s" ' +
        'end="9s">d</p></div></body>',
    ),
    [
      [11_000, 12_000, 'a'],
      [14_000, 15_000, 'b'],
      [16_000, 17_000, 'c'],
      [17_000, 18_000, 'd'],
    ],
  );
  assert.deepEqual(
    cuesOf(
      '<body><div><p begin="10s" end="20s" timeContainer="seq"><span dur="1s">a</span><span ' +
        'dur="2s">b</span></p></div></body>',
    ),
    [
      [10_000, 11_000, 'a'],
      [11_000, 13_000, 'b'],
    ],
  );
  assert.deepEqual(
    cuesOf('<body><div timeContainer="par"><p begin="1s" end="2s">a</p><p begin="1s" end="2s">b</p></div></body>').map(
      ([start]) => start,
    ),
    [1000, 1000],
  );
});

test('time code counts frames, and drops numbers where it says so', () => {
  const p = (begin: string): string => `<body><div><p begin="${begin}" end="23:00:00:00">a</p></div></body>`;
  const start = (begin: string, attributes: string, head = ''): number | undefined =>
    cuesOf(p(begin), attributes, head)[0]?.[0];
  const ntsc = 'frameRate="30" frameRateMultiplier="1000 1001" timeBase="smpte"';
  assert.equal(start('00:01:00:00', `${ntsc} dropMode="nonDrop"`), 60_060);
  assert.equal(start('00:01:00:02', `${ntsc} dropMode="dropNTSC"`), 60_060);
  assert.equal(start('01:00:00:00', `${ntsc} dropMode="dropNTSC"`), 3_599_996);
  assert.equal(start('01:00:00:00', 'frameRate="25" timeBase="smpte"'), 3_600_000);
  assert.equal(
    start('01:00:00:15', 'frameRate="30" frameRateMultiplier="1000 1001"'),
    3_600_501,
    'media time is real time',
  );
  assert.equal(
    start(
      '10:00:01:00',
      'frameRate="25" timeBase="smpte"',
      '<metadata><documentStartOfProgramme>10:00:00:00</documentStartOfProgramme></metadata>',
    ),
    1000,
  );
  assert.equal(start('00:00:01.500', ''), 1500);
  assert.equal(start('25t', 'tickRate="10"'), 2500);
  assert.equal(start('24f', 'frameRate="24"'), 1000);
});

test('styles chain through references, regions and parents', () => {
  const head =
    '<styling><style id="a" textAlign="left"/><style id="b" style="a" fontStyle="italic"/><style id="c" style="b ' +
    'c" color="red"/></styling><layout><region id="r" style="a" displayAlign="after"><style style="b" ' +
    'color="lime"/></region></layout>';
  const read = (body: string): object | undefined => readText(`<tt><head>${head}</head>${body}</tt>`, 'ttml').cues[0];
  assert.deepEqual(read('<body><div style="c"><p begin="0s" end="1s">x</p></div></body>'), {
    start: 0,
    end: 1000,
    spans: [
      { kind: 'italic', children: [{ kind: 'color', color: '#ff0000', children: [{ kind: 'text', text: 'x' }] }] },
    ],
    origin: { line: 1 },
  });
  assert.deepEqual(
    (read('<body region="r"><div><p begin="0s" end="1s">x</p></div></body>') as { placement?: object }).placement,
    { anchor: 1 },
  );
  assert.deepEqual(
    (
      read('<body region="r"><div textAlign="right"><p begin="0s" end="1s">x</p></div></body>') as {
        placement?: object;
      }
    ).placement,
    { anchor: 3 },
  );
});

test('ruby, its fall-back marks, and what is not displayed', () => {
  const spans = (body: string): object | undefined =>
    readText(`<tt><body><div><p begin="0s" end="1s">${body}</p></div></body></tt>`, 'ttml').cues[0]?.spans;
  assert.deepEqual(
    spans(
      '<span ruby="container"><span ruby="base">漢</span><span ruby="delimiter">(</span><span ' +
        'ruby="text">kan</span><span ruby="delimiter">)</span></span>x',
    ),
    [
      {
        kind: 'ruby',
        children: [
          { kind: 'text', text: '漢' },
          { kind: 'ruby-text', children: [{ kind: 'text', text: 'kan' }] },
        ],
      },
      { kind: 'text', text: 'x' },
    ],
  );
  assert.deepEqual(spans('<span display="none">no</span>yes'), [{ kind: 'text', text: 'yes' }]);
  assert.deepEqual(
    cuesOf('<body><div><p begin="0s" end="1s" display="none">a</p><p begin="0s" end="1s">b</p></div></body>').map(
      ([, , text]) => text,
    ),
    ['b'],
  );
});

/** The head of `levels` levels of four styles each, every one of which refers to the four of the next level. */
function ladder(levels: number, isCircle = false): string {
  const names = (level: number): string => Array.from({ length: 4 }, (_, n) => `s${level}-${n}`).join(' ');
  const style = (level: number, n: number): string =>
    `<style id="s${level}-${n}" ` +
    (level + 1 < levels ? `style="${names(level + 1)}"/>` : `style="${isCircle ? names(0) : ''}" color="lime"/>`);
  return (
    '<styling>' +
    Array.from({ length: levels }, (_, level) => [0, 1, 2, 3].map((n) => style(level, n)).join('')).join('') +
    '</styling>'
  );
}

test('each style is resolved once: ten levels of four references, circles, and chains of any length', () => {
  const paragraphs = Array.from(
    { length: 200 },
    (_, n) => `<p style="s0-0 s0-1 s0-2 s0-3" begin="${n}s" end="${n + 1}s"><span style="s0-3">x</span></p>`,
  ).join('');
  const lime = [{ kind: 'color', color: '#00ff00', children: [{ kind: 'text', text: 'x' }] }];
  const read = (head: string) => {
    const begun = process.cpuUsage();
    const { cues } = readText(`<tt><head>${head}</head><body><div>${paragraphs}</div></body></tt>`, 'ttml');
    const { user } = process.cpuUsage(begun);
    assert.ok(user < 2_000_000, `${user} microseconds of processor time`);
    return cues;
  };
  for (const head of [ladder(10), ladder(10, true), ladder(2_000)]) assert.deepEqual(read(head).at(-1)?.spans, lime);
  const chain = Array.from({ length: 50_000 }, (_, n) => `<style id="s${n}-0" style="s${n + 1}-0"/>`).join('');
  assert.deepEqual(
    read(`<styling>${chain}<style id="s50000-0" color="lime"/><style id="s0-3" style="s0-0"/></styling>`).at(-1)?.spans,
    lime,
  );
});
