/** Lyrics: hostile text ends in lines within the limits, in linear time. `kinds/music` has the forms of LRC. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../test/linear.ts';
import { parseLyrics } from './lyrics.ts';

const LRC = '\uFEFF[la:en]\r\n[offset:+250]\n[00:01.50][00:03.20]Hum <00:01.60>on\r[99:59:999]End\nplain\n';
/** As much as is read of a file. */
const MAX_BYTES = 1024 * 1024;

function check(text: string): void {
  const { lines, synced } = parseLyrics(text);
  assert.ok(lines.length <= 10_000);
  let last = 0;
  for (const { start, text: words } of lines) {
    assert.ok(words.length <= 2_000);
    assert.equal(start !== undefined, synced);
    assert.ok(start === undefined || (Number.isFinite(start) && start >= last), `${start} after ${last}`);
    last = start ?? last;
  }
}

test('any text has lines within the limits, in the order of their times', () => {
  let state = 20_261_123;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const words = [
    '[',
    ']',
    '[00:01.00]',
    '[offset:',
    '-999999]',
    '<00:01>',
    '\n',
    '\r',
    ' ',
    ':',
    '[la:',
    '\0',
    '\u2028',
  ];
  for (let i = 0; i < 500; i++) {
    const parts = Array.from({ length: 200 }, () =>
      next() < 0.8 ? words[Math.floor(next() * words.length)] : String.fromCharCode(Math.floor(next() * 65_536)),
    );
    check(`${LRC.slice(0, Math.floor(next() * LRC.length))}${parts.join('')}`);
  }
});

test('the largest texts are read in linear time', () => {
  const hostile: Readonly<Record<string, string>> = {
    'stamps alone': `${'[00:01.00]'.repeat(199)}x\n`,
    'times of words': `[00:01.00]${'<00:01.00>'.repeat(190)}\n`,
    'open brackets': `        [a:${'['.repeat(1_900)}\n`,
    'open angles': `${'<'.repeat(1_999)}\n`,
    'no line break': 'x',
    'line breaks alone': '\r\n',
  };
  for (const [name, part] of Object.entries(hostile)) {
    const text = part.repeat(Math.ceil(MAX_BYTES / part.length)).slice(0, MAX_BYTES);
    assertLinear(name, text, parseLyrics);
    check(text);
  }
});
