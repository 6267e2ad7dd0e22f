/** The dialogue index on a real file: phrases, words near each other, languages, visibility, pages, damage. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { findDialogue } from './find.ts';
import { openIndexFile } from './index-file.ts';
import type { DialogueQuestion } from './types.ts';

const ALL = new Uint8Array(64).fill(255);

function index(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-dialogue-'));
  const file = openIndexFile(join(folder, 'index.sqlite'), { isWriter: true });
  t.after(() => {
    file.close();
    rmSync(folder, { recursive: true });
  });
  const put = (id: string, lines: readonly string[], language = 'en') =>
    file.put({ id, source: 'subtitles', signature: 'a' }, [
      { language, lines: lines.map((text, i) => ({ start: i * 3000, end: i * 3000 + 2000, text })) },
    ]);
  const ask = (q: string, more: Partial<DialogueQuestion> = {}) =>
    findDialogue(file, { q, source: 'subtitles', visible: ALL, limit: 20, ...more });
  const found = (q: string, more: Partial<DialogueQuestion> = {}) =>
    ask(q, more).items.map(({ item, lines }) => [item, ...lines.map(({ start, text }) => `${start} ${text}`)]);
  return { file, put, ask, found };
}

const filler = (count: number): string[] => Array.from({ length: count }, (_, i) => `Line number ${i} of nothing`);

test('finds a phrase at the moment when it is spoken, also over the end of a line and of a passage', (t) => {
  const { put, found, ask } = index(t);
  put('a', [...filler(47), 'We will always', 'have Paris, my dear.', ...filler(60)]);
  put('b', ["Frankly, my dear, I don't give a damn."]);
  assert.deepEqual(found('always have paris'), [[0, '141000 We will always have Paris, my dear.']]);
  assert.deepEqual(found('I dont give a da'), [[1, "0 Frankly, my dear, I don't give a damn."]]);
  assert.deepEqual(
    ask('give a da').items[0]?.lines[0]?.ranges.map(({ start, length }) => [start, length]),
    [
      [26, 4],
      [31, 1],
      [33, 4],
    ],
  );
  assert.deepEqual(found('"my damn"'), []);
});

test('items with the phrase come before those with the words close together, each once', (t) => {
  const { put, found } = index(t);
  put('near', ['The damn thing', 'I give to you.', ...filler(80), 'To you, my dear']);
  put('phrase', ['You give to me', ...filler(60), 'I give to you.', 'The damn rest']);
  put('far', ['I give', ...filler(20), 'to you, damn']);
  assert.deepEqual(
    found('give damn to').map(([item]) => item),
    [0, 1],
  );
  assert.deepEqual(
    found('damn thing').map(([item]) => item),
    [0],
  );
});

test('folds case and accents, and knows French apostrophes and scripts without spaces', (t) => {
  const { put, found } = index(t);
  put('fr', ["Parlez-moi d'amour", 'Ça va être l’été'], 'fr');
  put('de', ['Ich weiß nicht, was soll es bedeuten'], 'de');
  put('ja', ['また会いましょう、東京で'], 'ja');
  put('hi', ['मुझे नहीं पता'], 'hi');
  assert.equal(found('amour').length, 1);
  assert.equal(found('ca va etre l ete').length, 1);
  assert.equal(found('WEISS NICHT WAS').length, 1);
  assert.equal(found('会いましょう').length, 1);
  assert.equal(found('会しょ').length, 0);
  assert.equal(found('नहीं पता').length, 1);
  assert.equal(found('weiss', { language: 'fr' }).length, 0);
  assert.equal(found('weiss', { language: 'de' }).length, 1);
});

test('finds no item that may not be seen, and pages do not depend on them', (t) => {
  const { put, ask } = index(t);
  for (let i = 0; i < 60; i++) put(`film ${i}`, ['Here is looking at you, kid.', 'Kid, here you look.']);
  const even = new Uint8Array(8).fill(0b01010101);
  const pages: number[][] = [];
  let after: DialogueQuestion['after'];
  do {
    const page = ask('at you kid', { visible: even, limit: 7, after });
    pages.push(page.items.map(({ item }) => item));
    after = page.next;
  } while (after);
  assert.deepEqual(
    pages.flat(),
    Array.from({ length: 30 }, (_, i) => i * 2),
  );
  assert.deepEqual(ask('you kid', { visible: new Uint8Array(0) }), { items: [] });
});

test('an item that changed is found by its new lines only, and a removed one not at all', (t) => {
  const { put, found, file } = index(t);
  put('a', ['The old line']);
  put('b', ['Another old line']);
  put('a', ['The new line']);
  assert.deepEqual(
    found('old line').map(([item]) => item),
    [1],
  );
  assert.deepEqual(
    found('new line').map(([item]) => item),
    [0],
  );
  const cursor = { films: { change: 4, away: { a: 2 } }, tracks: { change: 1, away: {} }, gone: 2 };
  file.follow(['b'], { ...cursor, tracks: { change: 1, away: { b: 1 } } });
  file.follow([], cursor);
  assert.deepEqual(found('old line'), []);
  assert.deepEqual(file.cursor(), cursor);
  assert.deepEqual(
    file.items().map(({ id }) => id),
    ['a'],
  );
});
