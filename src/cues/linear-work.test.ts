/** Reading and writing do work in proportion to the input, whatever it repeats: counted, not timed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from './convert.ts';
import { spansOf, type Format } from './cue.ts';
import { detectFormat } from './detect.ts';
import { tried } from './fuzz-checks.ts';
import { FORMAT_IDS, SUBTITLE_FORMAT_TABLE, subtitleFormat } from './formats.ts';
import { readText } from './read.ts';

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
