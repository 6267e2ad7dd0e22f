/**
 * Subtitles made to be slow: for every text format, files of a given size that repeat one construct as often as it
 * fits, formats' own references (styles, regions, classes), and random mixes with a fixed seed.
 */
import { SUBTITLE_FORMAT_TABLE } from '../../src/cues/index.ts';
import { chance } from '../chance.ts';

export interface HostileFile {
  name: string;
  extension: string;
  bytes: Buffer;
}

/** Repeats `unit` between `head` and `tail` up to that many bytes. */
function filled(
  most: number,
  unit: (n: number) => string,
  { head = '', tail = '' }: { head?: string; tail?: string } = {},
): string {
  const parts = [head];
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail);
  for (let n = 0; ; n++) {
    const next = unit(n);
    size += Buffer.byteLength(next);
    if (size > most || next === '') break;
    parts.push(next);
  }
  return `${parts.join('')}${tail}`;
}

const stamp = (ms: number, mark: string): string => new Date(ms).toISOString().slice(11, 23).replace('.', mark);
const ASS_STYLES =
  '[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\n' +
  'Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment\n' +
  'Style: Default,Arial,20,&H00FFFFFF,0,0,2\n';
const ASS_EVENTS = '\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n';
const dialogue = (start: number, end: number, text: string, style = 'Default'): string =>
  `Dialogue: 0,${stamp(start, '.').slice(1, 11)},${stamp(end, '.').slice(1, 11)},${style},,0,0,0,,${text}\n`;
/** Cues of every kind of bad order: when the nth begins and ends, and what it says. */
const CUES: Readonly<Record<string, (n: number) => [start: number, end: number, text: string]>> = {
  'plain lines': (n) => [n * 900, n * 900 + 800, 'Where is the key?'],
  'the same times': () => [1000, 2000, 'a'],
  'the same text': (n) => [n * 100, n * 100 + 5000, 'La la la'],
  'overlapping cues': (n) => [1000 + n, 80_000_000, `l${n}`],
  backwards: (n) => [80_000_000 - n * 10, 80_000_005 - n * 10, `b${n % 7}`],
  speakers: (n) => [n * 700, n * 700 + 600, `- [MAN ${n % 9}] (sighs) JOHN: lt is ♪ late ♪ - I'II go.`],
};
/** Repeated within one cue. */
const PIECES = [
  '<i>',
  '</i>',
  '<i>a</i>',
  '<font color="#112233">a',
  '<',
  '&',
  '&amp;',
  '&#',
  '&#x41;',
  '{',
  '{\\b1\\i1}a',
  '{\\t(0,1,\\t(0,1,',
  '{\\',
  '{\\k1}a',
  '{\\p1}m 0 0 l 1 1',
  '"',
  '- ',
  '[a',
  '](',
  '(',
  '♪',
  'A: ',
  '-->',
  '<ruby>a<rt>b</rt></ruby>',
  '<v A>a</v>',
  '<c.a.b>',
  '<lang en>a</lang>',
  '<00:00:01.000>a',
  '<span>',
  '<!--',
  '<![CDATA[',
  'lI',
  '# a #',
  'www.a.com ',
  'e\u0301',
  'a',
  ' ',
];
/** Repeated without any cue around. */
const LOOSE = [
  '\n',
  '\r',
  ' ',
  '-->\n',
  '00:00:01,000 --> 00:00:02,000\n',
  '1',
  '1\n',
  '\u00a0',
  '\ufeff',
  '{0}{0}',
  '<sync start=1>',
  '<p>',
  'NOTE a\n\n',
];

/** Every file of this size, the same ones at every call. */
export function* makeHostileFiles(bytes: number): Generator<HostileFile> {
  for (const { id: format, extensions, sample } of SUBTITLE_FORMAT_TABLE) {
    const { head, tail, cue, lineBreak } = sample;
    const [extension] = extensions;
    const file = (name: string, text: string): HostileFile => ({
      name: `${format}: ${name}`,
      extension,
      bytes: Buffer.from(text),
    });
    const inOneCue = (piece: string): string => {
      const [before = '', after = ''] = cue(1000, 2000, '\u0000').split('\u0000');
      return filled(bytes, () => piece, { head: head + before, tail: after + tail });
    };
    for (const [name, unit] of Object.entries(CUES))
      yield file(
        name,
        filled(bytes, (n) => (unit(n)[1] > 86_000_000 ? '' : cue(...unit(n))), { head, tail }),
      );
    for (const piece of [...PIECES, lineBreak, `a${lineBreak}`])
      yield file(`one cue of ${JSON.stringify(piece)}`, inOneCue(piece));
    for (const piece of LOOSE)
      yield file(
        `only ${JSON.stringify(piece)}`,
        filled(bytes, () => piece, { head, tail }),
      );
    const next = chance(7);
    const mixed = [...PIECES, ...LOOSE, lineBreak];
    for (let round = 0; round < 3; round++) {
      const piece = (): string => mixed[Math.floor(next() * mixed.length)] ?? '';
      yield file(
        `mix ${round}`,
        filled(
          bytes,
          (n) =>
            cue(
              n * 50,
              n * 50 + Math.floor(next() * 9_000),
              Array.from({ length: 1 + Math.floor(next() * 40) }, piece).join(''),
            ),
          { head, tail },
        ),
      );
    }
  }
  yield* references(bytes);
}

/** References in a file: styles, regions, classes, agents. */
function* references(bytes: number): Generator<HostileFile> {
  const file =
    (extension: string) =>
    (name: string, unit: (n: number) => string, around: { head?: string; tail?: string } = {}): HostileFile => ({
      name: `${extension}: ${name}`,
      extension,
      bytes: Buffer.from(filled(bytes, unit, around)),
    });
  const [ttml, vtt, ass, sami] = [file('ttml'), file('vtt'), file('ass'), file('smi')];
  const P = '<p begin="0s" end="1s">x</p>';
  for (const isCircle of [false, true]) {
    const head = `<tt><head><styling>${ladder(10, isCircle)}</styling></head><body><div>`;
    yield ttml(
      isCircle ? 'ten levels of four references in a circle' : 'ten levels of four references',
      () => `<p style="${level(0)}" begin="0s" end="1s">x</p>`,
      { head, tail: '</div></body></tt>' },
    );
  }
  yield ttml('a chain of styles', (n) => `<style xml:id="s${n}" style="s${n + 1}"/>`, {
    head: '<tt><head><styling>',
    tail: `</styling></head><body><div>${P}</div></body></tt>`,
  });
  yield ttml('regions', (n) => `<region xml:id="r${n}"><style color="red"/></region>`, {
    head: '<tt><head><layout>',
    tail: `</layout></head><body><div>${P}</div></body></tt>`,
  });
  yield ttml('a region of many references', () => '<p region="r" begin="0s" end="1s">x</p>', {
    head: `<tt><head><layout><region xml:id="r" style="${'a '.repeat(3900)}"/></layout></head><body><div>`,
    tail: '</div></body></tt>',
  });
  yield ttml('many references each', () => `<p style="${'a '.repeat(3900)}" begin="0s" end="1s">x</p>`, {
    head: '<tt><body><div>',
    tail: '</div></body></tt>',
  });
  yield ttml(
    'deep spans',
    () => `<p begin="0s" end="1s">${'<span begin="0s" end="1s">a'.repeat(58)}${'</span>'.repeat(58)}</p>`,
    { head: '<tt><body><div>', tail: '</div></body></tt>' },
  );
  yield ttml('deep containers', () => '<div>', { head: '<tt><body>' });
  yield ttml('agents', (n) => `<agent xml:id="a${n}">x</agent>`, {
    head: '<tt><head><metadata>',
    tail: `</metadata></head><body><div>${P}</div></body></tt>`,
  });
  const LATER = '00:00.000 --> 00:01.000\nx\n';
  const WEBVTT = { head: 'WEBVTT\n\n' };
  yield vtt('regions', (n) => `REGION\nid:r${n}\nwidth:40%\nlines:3\n\n`, { ...WEBVTT, tail: LATER });
  yield vtt(
    'cues in regions',
    (n) => (n < 500 ? `REGION\nid:r${n}\n\n` : `00:00.000 --> 00:01.000 region:r${n % 500}\nx\n\n`),
    WEBVTT,
  );
  yield vtt('style blocks', (n) => `STYLE\n::cue(.a${n}) { color: red }\n\n`, { ...WEBVTT, tail: LATER });
  yield vtt(
    'one style block',
    (n) => `${n === 0 ? 'STYLE\n' : ''}::cue(.a${n}) { color: red; background: url(x) }\n`,
    WEBVTT,
  );
  yield vtt('brackets in a style', (n) => `${n === 0 ? 'STYLE\n' : ''}::cue{{{{(((([[[[\n`, WEBVTT);
  yield vtt('comments in a style', (n) => `${n === 0 ? 'STYLE\n' : ''}/*/*/*/*/*/*\n`, WEBVTT);
  yield vtt('settings', () => `00:00.000 --> 00:01.000 ${'line:1 '.repeat(1000)}\nx\n\n`, WEBVTT);
  yield vtt(
    'colours',
    (n) => `00:00.000 --> 00:01.000\n<c.c${((n * 7919) % 0xffffff).toString(16).padStart(6, '0')}>x\n\n`,
    WEBVTT,
  );
  yield ass('styles', (n) => `Style: S${n},Arial,20,&H00FFFFFF,0,0,2\n`, {
    head: ASS_STYLES,
    tail: `${ASS_EVENTS}${dialogue(1000, 2000, 'a', 'S5')}`,
  });
  yield ass('resets to styles', (n) => dialogue(1000, 2000, `{\\rS${(n * 7) % 500}}a`, `S${n % 500}`), {
    head:
      `${ASS_STYLES}${Array.from({ length: 500 }, (_, n) => `Style: S${n},Arial,20,&H00FFFFFF,0,0,2\n`).join('')}` +
      `${ASS_EVENTS}`,
  });
  yield ass('fonts', () => `${'A'.repeat(80)}\n`, { head: `${ASS_STYLES}[Fonts]\nfontname: a.ttf\n` });
  yield ass('sections', (n) => `[S${n}]\n`, { head: ASS_STYLES + ASS_EVENTS });
  yield ass('fields', () => `Dialogue: ${','.repeat(4000)}\n`, { head: ASS_STYLES + ASS_EVENTS });
  yield sami('classes', (n) => `.C${n} { Name: X; lang: en; }\n`, {
    head: '<SAMI><HEAD><STYLE TYPE="text/css"><!--',
    tail: '--></STYLE></HEAD><BODY><SYNC Start=0><P Class=C5>a<SYNC Start=9>&nbsp;</BODY></SAMI>',
  });
  yield sami('two languages', (n) => `<SYNC Start=${n * 10}><P Class=A>a<P Class=B>b`, {
    head: '<SAMI><HEAD><STYLE TYPE="text/css"><!-- .A{lang:en;} .B{lang:fr;} --></STYLE></HEAD><BODY>',
    tail: '</BODY></SAMI>',
  });
  yield sami('a class each', (n) => `<SYNC Start=${n * 10}><P Class=K${n}>a`, {
    head: '<SAMI><BODY>',
    tail: '</BODY></SAMI>',
  });
}

const level = (at: number): string => [0, 1, 2, 3].map((n) => `s${at}-${n}`).join(' ');

/** So many levels of four styles, each of which refers to all four of the next. */
const ladder = (levels: number, isCircle: boolean): string =>
  Array.from({ length: levels }, (_, at) =>
    [0, 1, 2, 3]
      .map((n) => `<style xml:id="s${at}-${n}" style="${at + 1 < levels ? level(at + 1) : isCircle ? level(0) : ''}"/>`)
      .join(''),
  ).join('');
