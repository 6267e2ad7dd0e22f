/** Encodings in a change: labels as the web platform knows them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SUBTITLE_ENCODINGS } from './encodings.ts';
import { workbench } from './workbench.ts';

test('an encoding is named by any of its labels, in any case, and is known by one name', () => {
  const read = (encoding: string): string | undefined =>
    workbench.preview.body.safeParse({ language: 'en', encoding }).data?.encoding;
  for (const name of SUBTITLE_ENCODINGS) assert.equal(read(name), name);
  for (const [label, name] of [
    ['UTF-8', 'utf-8'],
    ['utf8', 'utf-8'],
    ['AUTO', 'auto'],
    ['latin1', 'windows-1252'],
    ['ISO-8859-1', 'windows-1252'],
    ['cp1251', 'windows-1251'],
    ['ISO-8859-9', 'windows-1254'],
    ['Shift-JIS', 'shift_jis'],
    ['gb2312', 'gbk'],
    ['utf-16', 'utf-16le'],
  ])
    assert.equal(read(label ?? ''), name, `${label}`);
  for (const none of [
    '',
    'x',
    'utf-7',
    'utf-32',
    'replacement',
    'hz-gb-2312',
    'iso-2022-kr',
    'x-user-defined',
    ' utf-8',
    'utf-8\n',
    'a'.repeat(64),
  ])
    assert.equal(read(none), undefined, none);
});

test('a part of the audio does not end before it begins', () => {
  const isGood = (part: object): boolean => workbench.audio.body.safeParse(part).success;
  assert.deepEqual([{}, { from: 5 }, { to: 5 }, { from: 5, to: 5 }, { from: 1, to: 2 }].map(isGood), [
    true,
    true,
    true,
    true,
    true,
  ]);
  assert.deepEqual([{ from: 2, to: 1 }, { from: -1 }].map(isGood), [false, false]);
});
