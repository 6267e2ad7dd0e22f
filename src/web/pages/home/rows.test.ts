/** The rows of home: the usual order, a chosen one, and what comes and goes meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOME_ROW } from '../../../contract/identity/home.ts';
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import { collectionsIn, featuredIn, homeRows, usualRows, withRowMoved } from './rows.ts';

const [films, music] = ['f'.repeat(16), 'a'.repeat(16)];
const usual = usualRows([{ id: films }, { id: music }]);
const show = (rows: readonly { row: string; hidden: boolean }[]): string =>
  rows.map(({ row, hidden }) => (hidden ? `(${row.slice(0, 8)})` : row.slice(0, 8))).join(' ');
const all = () => true;

test('without a choice the rows have the usual order, and each may be stored', () => {
  assert.equal(show(homeRows(usual, [], all)), 'continue next-up listenin reading recent:f recent:a collecti librarie');
  for (const row of usual) assert.match(row, HOME_ROW);
});

test('a chosen order is kept; a new row follows the one that is usually before it', () => {
  const chosen = [{ row: 'libraries' }, { row: `recent:${films}`, hidden: true }, { row: 'continue' }];
  assert.equal(
    show(homeRows(usual, chosen, all)),
    'librarie (recent:f) recent:a collecti continue next-up listenin reading',
  );
});

test('what is gone, and what is named twice, is shown once or not at all', () => {
  const pinned = `playlist:${films}`;
  const chosen = [{ row: pinned }, { row: 'continue' }, { row: 'continue', hidden: true }];
  const shown = (exists: (row: string) => boolean) => show(homeRows(['continue'], chosen, exists));
  assert.deepEqual([shown(all), shown((row) => row !== pinned)], ['playlist continue', 'continue']);
});

test('the collections among the rows are those to read', () => {
  const pinned = `collection:${films}`;
  assert.match(pinned, HOME_ROW);
  assert.deepEqual(collectionsIn([{ row: 'continue' }, { row: pinned }, { row: `playlist:${music}` }]), [films]);
});

test('a row is moved as far as there is room', () => {
  const rows = homeRows(['a', 'b', 'c'], [], all);
  const order = (row: string, by: number) => show(withRowMoved(rows, row, by));
  assert.deepEqual(
    [order('a', 1), order('c', -9), order('c', 1), order('x', 1)],
    [...['b a c', 'c a b', 'a b c', 'a b c']],
  );
});

test('an item with a wide picture is featured before those without', () => {
  const card = (id: string, backdrop?: string, available = true) => ({
    id,
    kind: 'movie' as ItemKind,
    images: { backdrop },
    available,
  });
  const idOf = (...cards: ReturnType<typeof card>[]) => featuredIn(cards)?.id;
  assert.equal(idOf(card('a'), card('b', 'x', false), card('c', 'x')), 'c');
  assert.equal(idOf({ ...card('a', 'x'), kind: 'photo' }, card('b'), card('c', 'x')), 'c', 'not a photo');
  assert.equal(idOf({ ...card('a', 'x'), kind: 'photo' }, card('b')), 'a');
  assert.equal(idOf(card('a'), card('b')), 'a');
  assert.equal(idOf(), undefined);
});
