/** Search: what people type finds what they mean, the best first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import type { IndexRow } from './types.ts';
import { createLibraryIndex } from './index.ts';
import { kinds } from '../../kinds/index.ts';

const make = (kind: IndexRow['kind'], title: string, more: Partial<IndexRow> = {}): IndexRow => ({
  id: title,
  kind,
  library: 'l',
  title,
  sortTitle: title.toLowerCase(),
  originalTitle: null,
  year: null,
  released: null,
  rating: null,
  communityRating: null,
  added: 0,
  duration: null,
  resolution: null,
  genres: [],
  languages: [],
  parent: null,
  section: null,
  number: null,
  ...more,
});
const films = (...titles: string[]): IndexRow[] => titles.map((title) => make('movie', title));

function openIndex(...rows: IndexRow[]) {
  const index = createLibraryIndex(kinds);
  index.apply(rows, []);
  const find = (q: string, policy: Partial<Policy> = {}): string[] =>
    index.page(
      { q, kinds: ['movie', 'show', 'episode'], sort: 'match', order: 'descending', offset: 0, limit: 50 },
      { ...OWNER_POLICY, ...policy },
    ).ids;
  return { index, find };
}

test('the exact title, then titles that begin so, then words that begin so, then a mistake', () => {
  const { find } = openIndex(
    ...films('Dan Harrow', 'Heart', 'Heart of Stone', 'A Broken Heart', 'Heartland', 'Hearts Afire', 'Heard'),
  );
  const found = find('heart');
  assert.equal(found[0], 'Heart');
  assert.equal(found[1], 'Heart of Stone');
  assert.ok(found.includes('A Broken Heart') && found.includes('Heartland'));
  const typo = find('haert');
  assert.ok(typo.includes('Heart'), typo.join());
  assert.equal(find('xylophone').length, 0);
  assert.equal(find('   ').length, 0);
});

test('every word must match, in any order; the last may be a prefix', () => {
  const { find } = openIndex(...films('The Quiet Mountain', 'Quiet River', 'Mountain of Fire', 'The Mountain Between'));
  assert.deepEqual(find('mountain quiet'), ['The Quiet Mountain']);
  assert.deepEqual(find('quiet mou'), ['The Quiet Mountain']);
  assert.deepEqual(find('quiet mountian'), ['The Quiet Mountain']);
  assert.deepEqual(find('quiet volcano'), []);
});

test('accents, case, ligatures, apostrophes and either form of Unicode do not matter', () => {
  const { find } = openIndex(
    ...films('Amélie', 'Œuvre au noir', 'Straße der Nacht', "Ocean's Tale", 'Ångström', 'Æon'),
  );
  for (const [q, title] of [
    ['amelie', 'Amélie'],
    ['AMÉLIE'.normalize('NFD'), 'Amélie'],
    ['oeuvre', 'Œuvre au noir'],
    ['strasse', 'Straße der Nacht'],
    ['oceans', "Ocean's Tale"],
    ['ocean’s', "Ocean's Tale"],
    ['angstrom', 'Ångström'],
    ['aeon', 'Æon'],
  ] as const)
    assert.deepEqual(find(q), [title], q);
});

test('scripts without spaces are found by any part', () => {
  const { find } = openIndex(...films('千と千尋の神隠し', '七人の侍', '기생충', 'Сталкер'));
  assert.deepEqual(find('神隠'), ['千と千尋の神隠し']);
  assert.deepEqual(find('侍'), ['七人の侍']);
  assert.deepEqual(find('千尋'), ['千と千尋の神隠し']);
  assert.deepEqual(find('기생'), ['기생충']);
  assert.deepEqual(find('сталк'), ['Сталкер']);
});

test('a show comes before its episodes, which are found by its name too, and follow when it is renamed', () => {
  const show = make('show', 'Harbour Lights');
  const episodes = [1, 2].map((n) => make('episode', `Part ${n}`, { parent: show.id, section: 1, number: n }));
  const { index, find } = openIndex(show, ...episodes, ...films('Harbour'));
  assert.deepEqual(find('harbour lights'), ['Harbour Lights', 'Part 1', 'Part 2']);
  assert.deepEqual(find('harbour part'), ['Part 1', 'Part 2']);
  index.apply([{ ...show, title: 'Night Watchers' }], []);
  assert.deepEqual(find('watchers'), ['Harbour Lights', 'Part 1', 'Part 2']);
  assert.deepEqual(find('lights'), []);
  index.apply([], ['Part 1']);
  assert.deepEqual(find('watchers'), ['Harbour Lights', 'Part 2']);
});

test('original titles are found; hidden items are neither found nor counted', () => {
  const shown = make('movie', 'Spirited', { originalTitle: 'Sen to Chihiro', rating: 'G' });
  const { index, find } = openIndex(shown, make('movie', 'Chihiro Uncut', { rating: 'R', genres: ['Secret'] }));
  assert.deepEqual(find('chihiro'), ['Chihiro Uncut', 'Spirited']);
  assert.deepEqual(find('chihiro', { rating: 7, unrated: false }), ['Spirited']);
  const page = index.page(
    { q: 'chihiro', kinds: ['movie'], sort: 'match', order: 'descending', offset: 0, limit: 5 },
    { ...OWNER_POLICY, rating: 7, unrated: false },
  );
  assert.deepEqual([page.total, page.facets.genres], [1, []]);
});

test('further letters never lose a match of the whole word', () => {
  const { find } = openIndex(...films('Interstellar', 'International', 'Inter', 'Winter Sun'));
  for (let length = 1; length <= 12; length++)
    assert.ok(find('interstellar'.slice(0, length)).includes('Interstellar'), String(length));
  for (const wrong of ['interstelar', 'intrestellar', 'intersteller', 'imterstellar'])
    assert.deepEqual(find(wrong), ['Interstellar'], wrong);
});

test('a search before the index is built finds everything in a large library, in a few turns', async () => {
  const { find } = openIndex(
    ...films(...Array.from({ length: 1_500 }, (_, n) => `Film number ${n}`), 'Heart of Stone'),
  );
  for (let turn = 0; turn < 100 && find('heart').length === 0; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(find('heart'), ['Heart of Stone']);
});

test('of very many matches, the best 2,000 among the visible ones are found', () => {
  const { index, find } = openIndex();
  const titles = Array.from({ length: 5_400 }, (_, n) =>
    [`k${String(Math.floor(n / 6)).padStart(3, '0')}`, ...Array<string>(n % 6).fill('other')].join(' '),
  );
  // A search takes in up to a thousand rows that wait for it.
  for (let from = 0; from < titles.length; from += 900) {
    index.apply(
      titles
        .slice(from, from + 900)
        .map((title, i) => make('movie', title, { rating: Math.floor(i / 6) % 2 === 0 ? 'G' : 'R' })),
      [],
    );
    find('k');
  }
  const wordsFound = (rating: Policy['rating']): number[] => {
    const { ids } = index.page(
      { q: 'k', kinds: ['movie'], sort: 'match', order: 'descending', offset: 0, limit: 9_999 },
      { ...OWNER_POLICY, rating },
    );
    const words = ids.map((id) => id.split(' ').length);
    assert.deepEqual(
      words,
      words.toSorted((a, b) => a - b),
    );
    for (const [i, id] of ids.entries())
      assert.ok(words[i] !== words[i - 1] || (ids[i - 1] ?? '') < id, `${ids[i - 1]} before ${id}`);
    return [1, 2, 3, 4, 5, 6].map((count) => words.filter((own) => own === count).length);
  };
  assert.deepEqual(wordsFound(OWNER_POLICY.rating), [900, 900, 200, 0, 0, 0]);
  assert.deepEqual(wordsFound(7), [450, 450, 450, 450, 200, 0]);
});

test('many equal matches are in the order of their titles, whether or not all titles are sorted already', () => {
  const named = (n: number) => `Harbour ${String((n * 7_919) % 400).padStart(3, '0')}`;
  const { index, find } = openIndex(
    ...films(...Array.from({ length: 400 }, (_, n) => named(n))),
    ...films('Aaa', 'Zzz'),
  );
  const compared = find('harbour');
  assert.deepEqual(
    compared,
    Array.from({ length: 50 }, (_, n) => `Harbour ${String(n).padStart(3, '0')}`),
  );
  const titles = () =>
    index.page({ kinds: ['movie'], sort: 'title', order: 'ascending', offset: 0, limit: 1 }, OWNER_POLICY);
  titles();
  assert.deepEqual(find('harbou'), compared);
  // Slots of titles that went are given to new ones, whose places differ.
  index.apply(films('Harbour 0005'), ['Harbour 003', 'Aaa']);
  const changed = [...compared, 'Harbour 050', 'Harbour 0005'].filter((title) => title !== 'Harbour 003').sort();
  titles();
  assert.deepEqual(find('harbo'), changed.slice(0, 50));
});
