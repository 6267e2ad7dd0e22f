/** The address is read strictly, and the links to pages leave out what is far. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listingOf, pageLinks } from './listing.ts';

test('filters come from the address', () => {
  assert.deepEqual(listingOf(new URLSearchParams('status=wanted&kind=episode&sort=wanted&q=%20fog%20&language=PT-br&page=3')), { status: 'wanted', kind: 'episode', sort: 'wanted', q: 'fog', language: 'pt-br', page: 3, limit: 40 });
});
test('nonsense is left out', () => {
  assert.deepEqual(listingOf(new URLSearchParams('status=toString&kind=x&sort=&q=&language=%3Cb%3E&page=-2')), { status: 'all', kind: 'all', sort: 'title', page: 1, limit: 40 });
});
test('pages around the one on show, the first and the last', () => {
  assert.deepEqual(pageLinks(1, 1), [1]);
  assert.deepEqual(pageLinks(5, 9), [1, undefined, 4, 5, 6, undefined, 9]);
  assert.deepEqual(pageLinks(3, 9), [1, 2, 3, 4, undefined, 9]);
  assert.deepEqual(pageLinks(1, 0), []);
});
