/**
 * Results of queries: the slots that match, in their order, with their counts. A result is cached until the next
 * change, so that a page far down a list costs no more than the first one.
 */
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { facetsOf } from './facets.ts';
import { filterOf, lettersOf } from './filter.ts';
import type { Orders } from './orders.ts';
import { byWeight, reversed, type SortedSlots } from './positions.ts';
import type { IndexRows } from './rows.ts';
import type { SearchQueue } from './search-queue.ts';
import { seriesMembers } from './series.ts';
import type { TitleSearch } from './search.ts';
import type { FacetName, IndexPage, IndexQuery } from './types.ts';
import type { Visibility } from './visibility.ts';

/** Maximum bytes of all cached results: twelve of 100,000 rows, or many of few rows. */
const MAX_RESULT_BYTES = 5 * 1024 ** 2;
/** Memory of a result in addition to its rows, for its counts and letters. */
const RESULT_OVERHEAD_BYTES = 16 * 1024;

interface Result {
  sorted: SortedSlots;
  facets: IndexPage['facets'];
  letters: IndexPage['letters'];
}

export interface ResultNeeds {
  rows: IndexRows;
  orders: Orders;
  search: TitleSearch;
  queue: SearchQueue;
  visibility: Visibility;
  /** Returns the facets that any of these kinds has. */
  facetsFor(kinds: readonly ItemKind[]): readonly FacetName[];
}

export interface Results {
  /** `version` is that of the index. */
  of(query: IndexQuery, policy: Policy, version: number): Result;
  clear(): void;
}

/** The part of a policy that decides what a result holds. Policies are replaced, never changed, so each has one key. */
const policyKeys = new WeakMap<Policy, string>();
export function policyKey(policy: Policy): string {
  const known = policyKeys.get(policy);
  if (known !== undefined) return known;
  const key = JSON.stringify([policy.rating, policy.unrated, policy.libraries, policy.items]);
  policyKeys.set(policy, key);
  return key;
}

export function createResults({ rows, orders, search, queue, visibility, facetsFor }: ResultNeeds): Results {
  const cache = createBoundedCache<Result>({
    maxBytes: MAX_RESULT_BYTES,
    bytesOf: ({ sorted }) => sorted.slots.byteLength + (sorted.weights?.byteLength ?? 0) + RESULT_OVERHEAD_BYTES,
  });

  const weighed = (slots: ArrayLike<number>, only: ReadonlyMap<string, number> | undefined): SortedSlots =>
    byWeight(
      slots,
      Float64Array.from(slots, (slot) => only?.get(rows.ids.get(slot)) ?? 0),
      orders.sortByTitle,
    );
  const found = (query: IndexQuery, q: string, isMatch: (slot: number) => boolean): SortedSlots => {
    queue.prepare();
    const among = query.only && new Set(Array.from(query.only.keys(), rows.ids.find));
    return search.find(q, (slot) => isMatch(slot) && (among === undefined || among.has(slot)), query.texts);
  };
  const inOrder = (query: IndexQuery, isMatch: (slot: number) => boolean): SortedSlots => {
    const { q, only, sort, order } = query;
    if (q === undefined && !only) return { slots: orders.all(query, isMatch) };
    let matches: SortedSlots;
    if (q !== undefined) {
      matches = found(query, q, isMatch);
      if (sort === 'match') return order === 'descending' ? matches : reversed(matches);
      if (sort === 'given') matches = weighed(matches.slots, only);
    } else {
      const slots = Array.from(only?.keys() ?? [], rows.ids.find).filter((slot) => slot >= 0 && isMatch(slot));
      matches = weighed(slots, only);
    }
    if (sort !== 'given') return { slots: orders.some(query, matches.slots) };
    return order === 'ascending' ? matches : reversed(matches);
  };

  return {
    clear: cache.clear,
    of: (query, policy, version) => {
      const isPersonal = (query.only !== undefined || query.except !== undefined) && query.personal === undefined;
      const { offset: _o, limit: _l, letter: _t, after: _a, texts: _x, only: _y, except, ...rest } = query;
      const isPartial = query.q !== undefined && queue.isBehind();
      const key = isPersonal || isPartial ? undefined : `${version} ${JSON.stringify(rest)} ${policyKey(policy)}`;
      const cached = key === undefined ? undefined : cache.get(key);
      if (cached) return cached;
      const isShown = visibility.shows(policy);
      const without = except && new Set(Array.from(except, rows.ids.find));
      const matching = (of: IndexQuery) => {
        const isWanted = filterOf(rows, of);
        return (slot: number): boolean =>
          isWanted(slot) && (without === undefined || !without.has(slot)) && isShown(slot);
      };
      const sorted = inOrder(query, matching(query));
      const isGrouped = query.isGrouped === true && query.series === undefined;
      const membersOf = () => (isGrouped ? seriesMembers(rows, matching({ ...query, isGrouped: false })) : []);
      const result = {
        sorted,
        facets: facetsOf(rows, sorted.slots, facetsFor(query.kinds), membersOf),
        letters: query.sort === 'title' ? lettersOf(sorted.slots, rows) : [],
      };
      if (key !== undefined) cache.set(key, result);
      return result;
    },
  };
}
