/** Names of books and comics: series, volume, chapter and title, and the formats that are not read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import { grow, openWorld } from '../../testing/world.ts';
import { guessBook } from './names.ts';

test('series, volume, chapter, title, year and author are read from names', () => {
  const read = (path: string): string => {
    const { series, volume, chapter, title, year, author } = guessBook(path);
    return [series, volume?.text, chapter?.text, title, year, author].map((one) => one ?? '').join('|');
  };
  const table: Readonly<Record<string, string>> = {
    'Lake/Lake T03 - The Reef.cbz': 'Lake|3||The Reef||',
    'Lake/Lake - T03 - The Reef (1963).cbz': 'Lake|3||The Reef|1963|',
    'Lake/T03 - The Reef.cbz': 'Lake|3||The Reef||',
    'Lake T12.5.cbz': 'Lake|12.5||||',
    'Lake - T.03 - Âme Rouge.cbz': 'Lake|3||Âme Rouge||',
    'Lake Tome 3.cbr': 'Lake|3||||',
    'Lake Tomo 7.cbr': 'Lake|7||||',
    'Lake - Book 3 - Dream.cbz': 'Lake|3||Dream||',
    'Lake Vol 12.cbz': 'Lake|12||||',
    'Lake, Vol. 12.epub': 'Lake|12||||',
    'Lake (v01).cbz': 'Lake|1||||',
    'Lake [Vol. 02].cbz': 'Lake|2||||',
    'Lake v01 (2003) (Digital).cbz': 'Lake|1|||2003|',
    'Ｌａｋｅ　ｖ０１.cbz': 'Lake|1||||',
    '湖 第12巻.cbz': '湖|12||||',
    '湖 12巻.cbz': '湖|12||||',
    '湖 第十二巻.cbz': '湖|12||||',
    '湖/第３巻.cbz': '湖|3||||',
    '湖 第03卷.cbz': '湖|3||||',
    '호수 3권.cbz': '호수|3||||',
    '湖 第1050話.cbz': '湖||1050|||',
    'Озеро Том 3.cbz': 'Озеро|3||||',
    'Озеро - Том 03 Глава 15.cbz': 'Озеро|3|15|||',
    'Lake 1 of 3.cbz': 'Lake||1|||',
    'Lake (1 of 3).cbz': 'Lake||1|||',
    'Lake 01 (of 12) (1986).cbz': 'Lake||1||1986|',
    'Lake #1 (of 12).cbz': 'Lake||1|||',
    'Lake Issue 404.cbz': 'Lake||404|||',
    'Lake/Heft 5.cbz': 'Lake||5|||',
    'Lake v02 c010-012.cbz': 'Lake|2|10-12|||',
    'Lake Vol. 1 Ch. 1-8.cbz': 'Lake|1|1-8|||',
    'A - The Last Lake 01 - Unmanned.cbz': 'A - The Last Lake||1|Unmanned||',
    '20th Century Lake v01.cbz': '20th Century Lake|1||||',
    'V for Lake (1990).cbz': '|||V for Lake|1990|',
    'Catch-22.epub': '|||Catch-22||',
    'Part of Three 1 of 3.epub': '|||Part of Three 1 of 3||',
    'Ann Writer - 1984.epub': '|||1984||Ann Writer',
    '2001 - A Space Odyssey.epub': '|||2001 - A Space Odyssey||',
    'Writer/1987 - Lake.epub': '|||Lake|1987|',
  };
  for (const [path, expected] of Object.entries(table)) assert.equal(read(path), expected, path);
});

test('formats that are not read are listed with the reason, unless a file of the same name is read', async (t) => {
  const w = await openWorld(t, { books: 'books', photos: 'photos' });
  grow(w.at('books'), {
    'a.mobi': 'x',
    'b.azw3': 'x',
    'c.fb2': 'x',
    'd.cbt': 'x',
    'e.azw3': 'x',
    'e.epub': 'x',
    '.f.mobi': 'x',
  });
  grow(w.at('photos'), { 'a.jxl': 'x', 'b.jxl': 'x', 'b.jpg': 'x' });
  await w.scan();
  const { items } = await w.catalog.admin.unplaced({ offset: 0, limit: 20 });
  const unread = items.filter(({ reason }) => reason === PLACEMENT_CLUES.formatNotRead).map(({ file }) => file);
  assert.deepEqual(unread.toSorted(), ['a.jxl', 'a.mobi', 'b.azw3', 'c.fb2', 'd.cbt']);
});
