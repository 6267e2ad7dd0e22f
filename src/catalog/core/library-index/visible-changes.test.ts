/** The audience of a library that went away or came back: every policy that shows one of its rows, and no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import { kinds } from '../../kinds/index.ts';
import { createLibraryIndex } from './index.ts';
import type { IndexRow } from './types.ts';

const row = (id: string, more: Partial<IndexRow>): IndexRow => ({
  id,
  kind: 'movie',
  library: 'open',
  title: id,
  sortTitle: id,
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

test('a library that changes as a whole is told to those who see one of its items', () => {
  const index = createLibraryIndex(kinds);
  index.apply(
    [
      row('child', { rating: 'G' }),
      row('adult', { library: 'late', rating: 'R' }),
      row('plain', { library: 'late' }),
      row('series', { kind: 'show', library: 'late', rating: 'PG-13' }),
      row('part', { kind: 'episode', library: 'late', parent: 'series', rating: 'G', section: 1, number: 1 }),
      row('alone', { kind: 'show', library: 'empty', rating: 'G' }),
    ],
    [],
  );
  const policies: Partial<Policy>[] = [
    {},
    { rating: 12, unrated: false },
    { rating: 13, unrated: false },
    { rating: 0, unrated: true },
    { libraries: ['open'] },
    { libraries: ['late'], rating: 0, unrated: false },
    { rating: 0, unrated: false, items: { allowed: ['adult'], hidden: [] } },
    { rating: 13, unrated: false, items: { allowed: [], hidden: ['series'] } },
    { rating: 13, unrated: false, items: { allowed: [], hidden: ['part'] } },
  ];
  index.changes.take();
  for (const library of ['open', 'late', 'empty', 'unknown']) {
    index.changes.noteLibrary(library);
    const isTold = index.changes.take();
    for (const given of policies) {
      const policy: Policy = { ...OWNER_POLICY, ...given };
      const shown = index.page(
        { kinds: ['movie', 'episode'], library, sort: 'title', order: 'ascending', offset: 0, limit: 1 },
        policy,
      );
      assert.equal(isTold(policy), shown.total > 0, `${library} ${JSON.stringify(given)}`);
    }
    assert.equal(index.changes.take()(OWNER_POLICY), false, 'each is taken once');
  }
});

test('items of libraries are counted again after a change, and for each policy', () => {
  const index = createLibraryIndex(kinds);
  const child: Policy = { ...OWNER_POLICY, rating: 12, unrated: false };
  index.apply([row('child', { rating: 'G' }), row('adult', { rating: 'R' })], []);
  const counts = () => [OWNER_POLICY, child].map((policy) => [...index.counts.byLibrary(policy)]);
  assert.deepEqual(counts(), [[['open', 2]], [['open', 1]]]);
  assert.deepEqual(counts(), [[['open', 2]], [['open', 1]]]);
  index.apply([row('other', { library: 'late', rating: 'R' })], ['child']);
  assert.deepEqual(counts(), [
    [
      ['open', 1],
      ['late', 1],
    ],
    [],
  ]);
});
