/** Differences between two texts, and files that are refused before anything is sent. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { differing, type DiffWord } from './diff.ts';
import { base64, fileFault } from './file.ts';
import { MAX_DATA, MAX_FILE } from './settings.ts';
import { speak } from '../../messages/catalogue.ts';

before(() => speak(['en']));

const told = (words: readonly DiffWord[]) => words.map(({ text, isOther }) => (isOther ? `[${text}]` : text)).join('');

test('only the words that differ are marked, and nothing is lost', () => {
  const { before, after } = differing('[door slams] Who is there?', 'Who was there?');
  assert.equal(told(before), '[[door slams] ]Who [is] there?');
  assert.equal(told(after), 'Who [was] there?');
  for (const [a, b] of [
    ['', 'x'],
    ['x', ''],
    ['a b c', 'c b a'],
    ['same', 'same'],
    ['a\nb', 'a b'],
  ] as const) {
    const both = differing(a, b);
    assert.deepEqual(
      [both.before.map(({ text }) => text).join(''), both.after.map(({ text }) => text).join('')],
      [a, b],
    );
  }
});
test('a very long text is not compared word by word', () => {
  const long = 'word '.repeat(5000);
  assert.equal(differing(long, 'x').before.length, 1);
});
test('what cannot be taken is said before it is sent', () => {
  assert.equal(fileFault({ name: 'a.srt', size: 1000 }), undefined);
  assert.equal(fileFault({ name: 'a.srt', size: MAX_FILE }), undefined);
  assert.match(fileFault({ name: 'a.srt', size: MAX_FILE + 1 }) ?? '', /limit of 750 kB/);
  assert.match(fileFault({ name: 'a.SUP', size: 10 }) ?? '', /image subtitles/);
  assert.match(fileFault({ name: 'a.mkv', size: 10 }) ?? '', /video/);
  assert.match(fileFault({ name: 'a.zip', size: 10 }) ?? '', /archive/);
  assert.match(fileFault({ name: 'a.srt', size: 0 }) ?? '', /empty/);
});
test('the largest file fits into a request', () => {
  const bytes = Uint8Array.from({ length: MAX_FILE }, (_, n) => (n * 31) & 255);
  const text = base64(bytes);
  assert.ok(text.length <= MAX_DATA);
  assert.deepEqual(Buffer.from(text, 'base64'), Buffer.from(bytes));
});
