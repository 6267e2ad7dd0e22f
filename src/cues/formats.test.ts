/**
 * Checks every line of the table of formats: it is detected by its content, read, and written so that it is detected
 * again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutEnding } from '../lib/release-name.ts';
import { convert } from './convert.ts';
import { plainText } from './cue.ts';
import { detectFormat } from './detect.ts';
import { SUBTITLE_FORMAT_TABLE } from './formats.ts';
import { readText } from './read.ts';

const ENDINGS = SUBTITLE_FORMAT_TABLE.flatMap(({ extensions }) => extensions);

test('every id and every file ending belongs to one format', () => {
  for (const all of [SUBTITLE_FORMAT_TABLE.map(({ id }) => id), ENDINGS])
    assert.deepEqual(all, [...new Set<string>(all)]);
});

for (const { id, extensions, sample } of SUBTITLE_FORMAT_TABLE) {
  const text =
    sample.head + sample.cue(1000, 2000, 'One') + sample.cue(3000, 4000, `Two${sample.lineBreak}lines`) + sample.tail;

  test(`${id}: detected by its content under every name, before and after this server wrote it`, () => {
    for (const file of [text, convert(readText(text, id), id)])
      for (const name of [undefined, ...ENDINGS]) assert.equal(detectFormat(file, name), id, name ?? 'no name');
  });

  test(`${id}: read, and converted from and to every other format`, () => {
    const said = (file: string, format: typeof id) =>
      readText(file, format).cues.map(({ start, end, spans }) => [start, end, plainText(spans)]);
    const expected = [
      [1000, 2000, 'One'],
      [3000, 4000, 'Two\nlines'],
    ];
    assert.deepEqual(said(text, id), expected);
    for (const { id: other } of SUBTITLE_FORMAT_TABLE) {
      const there = convert({ ...readText(text, id), frameRate: 25 }, other);
      assert.deepEqual(said(there, other), expected, other);
      assert.deepEqual(said(convert({ ...readText(there, other), frameRate: 25 }, id), id), expected, other);
    }
  });

  test(`${id}: its endings are no part of a release name`, () => {
    for (const ending of extensions) {
      assert.equal(withoutEnding(`Film.2001.1080p-GROUP.${ending}`), 'Film.2001.1080p-GROUP');
    }
  });
}
