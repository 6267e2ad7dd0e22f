/** Names lose what cannot be seen in them, and nothing that can. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutInvisible } from './visible.ts';

const ROWS: readonly [text: string, expected: string, why: string][] = [
  ['Amélie 天気 ☀\ufe0f.mkv', 'Amélie 天気 ☀\ufe0f.mkv', 'what is seen stays'],
  ...[
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ].map((control): [string, string, string] => [
    `a${control}b`,
    'ab',
    `bidirectional control U+${control.charCodeAt(0).toString(16)}`,
  ]),
  ...[
    '\u00ad',
    '\u200b',
    '\u2060',
    '\u2063',
    '\ufeff',
    '\u2028',
    '\u2029',
    '\u3164',
    '\u034f',
    '\u180e',
    '\u{e0041}',
  ].map((sign): [string, string, string] => [`a${sign}b`, 'ab', `invisible U+${sign.codePointAt(0)?.toString(16)}`]),
  ['film\u200d.mkv', 'film.mkv', 'a joiner with nothing to join'],
  ['\u200cfilm', 'film', 'a joiner at the start'],
  ['می\u200cخواهم', 'می\u200cخواهم', 'a joiner that the script needs'],
  ['क्\u200dष', 'क्\u200dष', 'a joiner after a mark'],
  ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧', 'a joiner within an emoji'],
  ['❤\ufe0f\u200d🔥', '❤\ufe0f\u200d🔥', 'a joiner after a variation selector'],
  ['\ud83dx', '\ufffdx', 'half a character'],
  ['', '', 'nothing'],
];
for (const [text, expected, why] of ROWS) test(why, () => assert.equal(withoutInvisible(text), expected));
