/** For any address, the page asks the server only for values that the server knows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isByTitle, hasLibraryFilters, libraryListingOf } from './listing.ts';

const of = (query: string) => libraryListingOf(new URLSearchParams(query));

const OF_ALL = { personal: 'false' };

test('what the address asks for is asked', () => {
  assert.deepEqual(of(''), OF_ALL);
  assert.deepEqual(
    of(
      'library=4f1c0a9be27d6358&genre=Drama&year=1999&resolution=4k&language=en&rating=PG&view=unwatched&' +
        'sort=year&order=descending',
    ),
    {
      library: '4f1c0a9be27d6358',
      genre: 'Drama',
      year: 1999,
      resolution: '4k',
      language: 'en',
      rating: 'PG',
      view: 'unwatched',
      sort: 'year',
      order: 'descending',
    },
  );
});
test('every kind of library has a view', () => {
  for (const view of ['movies', 'shows', 'music', 'audiobooks', 'books', 'photos'])
    assert.deepEqual(of(`view=${view}`), { view });
});
test('what no server would take is left out', () => {
  assert.deepEqual(of('library=../x&year=abc&resolution=9k&view=continue&sort=price&order=up&genre='), OF_ALL);
  assert.deepEqual(of('year=99999&year=5'), OF_ALL);
});
test('a shuffled order has a seed that stays', () => {
  assert.deepEqual(of('sort=random&seed=77'), { ...OF_ALL, sort: 'random', seed: 77 });
  assert.deepEqual(of('sort=random&seed=x'), { ...OF_ALL, sort: 'random', seed: 1 });
});
test('letters belong to titles, and a library alone is no filter', () => {
  assert.equal(isByTitle(of('')), true);
  assert.equal(isByTitle(of('sort=added')), false);
  assert.equal(hasLibraryFilters(of('library=4f1c0a9be27d6358&sort=year')), false);
  assert.equal(hasLibraryFilters(of('genre=Drama')), true);
});
