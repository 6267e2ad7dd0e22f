/** The address is read strictly, says again what was read, and the links to pages leave out what is far. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { hasInventoryFilters, inventoryListingOf, pageLinks, inventoryQueryOf } from './listing.ts';
import { speak } from '../../../messages/catalogue.ts';

before(() => speak(['en']));

const LIBRARY = 'a'.repeat(16);
test('filters come from the address', () => {
  const listing = inventoryListingOf(
    new URLSearchParams(`status=wanted&kind=episode&sort=title&q=%20fog%20&language=PT-br&page=3&library=${LIBRARY}`),
  );
  assert.deepEqual(listing, {
    status: 'wanted',
    kind: 'episode',
    sort: 'title',
    q: 'fog',
    language: 'pt-br',
    library: LIBRARY,
    page: 3,
    limit: 40,
  });
  assert.deepEqual(inventoryQueryOf(listing), {
    status: 'wanted',
    kind: 'episode',
    sort: 'title',
    q: 'fog',
    language: 'pt-br',
    library: LIBRARY,
    page: 3,
  });
  assert.equal(hasInventoryFilters(listing), true);
});
test('nonsense is left out, and what is as usual is not said', () => {
  const listing = inventoryListingOf(
    new URLSearchParams('status=toString&kind=x&sort=&q=&language=%3Cb%3E&page=-2&library=..'),
  );
  assert.deepEqual(listing, { status: 'all', kind: 'all', sort: 'wanted', page: 1, limit: 40 });
  assert.deepEqual(
    Object.values(inventoryQueryOf(listing)).filter((one) => one !== undefined),
    [],
  );
  assert.equal(hasInventoryFilters(listing), false);
});
test('pages around the one on show, the first and the last', () => {
  assert.deepEqual(pageLinks(1, 1), [1]);
  assert.deepEqual(pageLinks(5, 9), [1, undefined, 4, 5, 6, undefined, 9]);
  assert.deepEqual(pageLinks(3, 9), [1, 2, 3, 4, undefined, 9]);
  assert.deepEqual(pageLinks(1, 0), []);
});
