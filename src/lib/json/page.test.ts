/** Pages of rows in memory: a walk has every row that stays exactly once, and a cursor belongs to its list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RowPaging, sortedPage, rowsOfPage } from './page.ts';

interface Row {
  id: string;
  name: string;
}
const rowsOf = (...names: string[]): Row[] => names.map((name, at) => ({ id: `${at}`, name }));
const page = (rows: readonly Row[], paging: RowPaging, query = ['names']) =>
  sortedPage(rows, { query, keyOf: ({ name, id }) => [name, id], ...paging }, ({ name }) => name);

test('rows are sorted by their keys, digits as numbers, and equal names by their ids', async () => {
  const rows = rowsOf('b10', 'B9', 'a', 'É', 'e', 'a');
  assert.deepEqual(await page(rows, { limit: 9 }), { items: ['a', 'a', 'B9', 'b10', 'e', 'É'], total: 6 });
  const numbers = [5, 40, -3].map((at) => ({ at }));
  const sorted = await sortedPage(numbers, { query: [], keyOf: ({ at }) => [-at], limit: 9 }, ({ at }) => at);
  assert.deepEqual(sorted.items, [40, 5, -3]);
});

test('rows that come, go or are renamed between pages neither repeat nor hide others', async () => {
  let rows = rowsOf('a', 'b', 'c', 'd', 'e', 'f');
  const first = await page(rows, { limit: 2 });
  assert.deepEqual([first.items, first.total], [['a', 'b'], 6]);
  // The last row of the page goes, one comes before it, and one after.
  rows = [...rows.filter(({ name }) => name !== 'b'), { id: '7', name: 'aa' }, { id: '8', name: 'cc' }];
  const second = await page(rows, { limit: 3, cursor: first.nextCursor });
  assert.deepEqual(second.items, ['c', 'cc', 'd']);
  const third = await page(rows, { limit: 3, cursor: second.nextCursor });
  assert.deepEqual([third.items, third.nextCursor], [['e', 'f'], undefined]);
});

test('a page can end early, and continues where it ended', () => {
  const list = { query: ['names'], keyOf: ({ name }: Row) => [name], limit: 3 };
  const rows = rowsOf('a', 'b', 'c');
  const { after } = rowsOfPage(rows, list);
  assert.equal(after(3).nextCursor, undefined);
  const { nextCursor: cursor } = after(1);
  assert.deepEqual(
    rowsOfPage(rows, { ...list, cursor }).rows.map(({ name }) => name),
    ['b', 'c'],
  );
});

test('a cursor of another list is refused', async () => {
  const { nextCursor: cursor } = await page(rowsOf('a', 'b'), { limit: 1 });
  await assert.rejects(page(rowsOf('a', 'b'), { limit: 1, cursor }, ['others']), { reason: 'cursor' });
});
