/**
 * Rules over the library index: which items a Profile may see match, in the asked order.
 *
 * A rule is compiled to loops over the columns, which take slots out of a mask: `bench/rules.ts` measures it. One that
 * takes long is evaluated in slices, between which rows may change: those rows are not in its result.
 */
import { kindsWith } from '../../../contract/catalog/kinds.ts';
import { isLeaf, leavesOf, type RuleGroup, type RuleQuery } from '../../../contract/catalog/rule-fields.ts';
import { PERSONAL_FIELDS, type RuleSortField } from '../../../contract/catalog/rule-fields.ts';
import { createLimit } from '../../../lib/limit.ts';
import { everyInPieces, inPieces, runSliced, type Computation, sortInPieces } from '../../../lib/slices.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import type { WatchTable } from '../../store/tables.ts';
import type { Groups } from './groups.ts';
import type { Orders } from './orders.ts';
import { policyKey } from './results.ts';
import { type CostedNarrow, leafOf, type Narrow, type RuleContext } from './rule-leaves.ts';
import type { IndexRows } from './rows.ts';
import { foldWord } from './words.ts';
import type { LibraryIndex, RuleAsker, RuleMatches } from './types.ts';
import type { Visibility } from './visibility.ts';

/** Maximum bytes of all cached results: five of 100,000 rows, or many of few rows. */
const MAX_RESULT_BYTES = 2 * 1024 ** 2;
const RESULT_OVERHEAD_BYTES = 512;
/** Times relative to now are as of the beginning of a minute, so that a result can be cached that long. */
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Items that play one after the other. */
const ITEMS: readonly string[] = [
  ...kindsWith({ role: 'item', medium: 'video' }),
  ...kindsWith({ role: 'item', medium: 'audio' }),
];

interface MatchedSlots {
  /** Slots of the items in their order, valid in this version of the index. */
  slots: Uint32Array;
  /** Length of all of them together, in seconds. */
  duration: number;
}

export interface IndexRules {
  page: LibraryIndex['matching'];
  /** Called with each slot whose row changed, came or went. */
  touch(slot: number): void;
  /** Called after every change of the index. */
  clear(): void;
}

interface RuleNeeds {
  rows: IndexRows;
  groups: Groups;
  orders: Orders;
  visibility: Visibility;
}

/** Compiles a group. An empty one holds for everything, with `any` too: it asks for nothing. */
function compile(group: RuleGroup, context: RuleContext): CostedNarrow {
  const parts = group.rules
    .map((rule) => (isLeaf(rule) ? leafOf(rule, context) : compile(rule, context)))
    .sort((a, b) => a.cost - b.cost);
  const all: Narrow = function* (mask) {
    for (const { narrow } of parts) yield* narrow(mask);
  };
  const narrow = group.match === 'all' || parts.length === 0 ? all : anyOf(parts);
  return {
    cost: parts.reduce((sum, part) => sum + part.cost, 0),
    narrow: group.not === true ? except(narrow) : narrow,
  };
}

/** Keeps the slots that any part keeps. A part looks at those only that no part before it has kept. */
const anyOf = (parts: readonly CostedNarrow[]): Narrow =>
  function* (mask) {
    const rest = mask.slice();
    mask.fill(0);
    for (const { narrow } of parts) {
      const kept = rest.slice();
      yield* narrow(kept);
      yield* inPieces(kept.length, (from, to) => {
        for (let slot = from; slot < to; slot++) {
          if (kept[slot] !== 1) continue;
          mask[slot] = 1;
          rest[slot] = 0;
        }
      });
    }
  };

/** Keeps the slots that another condition takes out. */
const except = (narrow: Narrow): Narrow =>
  function* (mask) {
    const kept = mask.slice();
    yield* narrow(kept);
    yield* inPieces(kept.length, (from, to) => {
      for (let slot = from; slot < to; slot++) if (kept[slot] === 1) mask[slot] = 0;
    });
  };

/** The value that an item is sorted by; NaN for none. */
const SORTED: Readonly<
  Record<
    Exclude<RuleSortField, 'title' | 'random'>,
    (rows: IndexRows, slot: number, row: WatchTable | undefined) => number
  >
> = {
  added: ({ added }, slot) => added.raw(slot),
  released: ({ released, years }, slot) => {
    const day = released.raw(slot);
    return Number.isNaN(day) ? ((years.get(slot) ?? NaN) - 1970) * 365.25 : day;
  },
  year: ({ years }, slot) => years.get(slot) ?? NaN,
  duration: ({ duration }, slot) => duration.raw(slot),
  communityRating: ({ community }, slot) => community.raw(slot),
  lastPlayed: (_, _slot, row) => row?.last_played ?? NaN,
  plays: (_, _slot, row) => row?.play_count ?? 0,
  myRating: (_, _slot, row) => row?.rating ?? NaN,
};

function* sorted(
  slots: Uint32Array,
  { sort = [] }: RuleQuery,
  { rows, watched, now }: RuleContext,
): Computation<Uint32Array> {
  if (sort.length === 0 || (sort.length === 1 && sort[0]?.by === 'title'))
    return sort[0]?.order === 'descending' ? slots.toReversed() : slots;
  const seed = Math.floor(now / DAY_MS);
  const keys: Float64Array[] = [];
  for (const { by, order } of sort) {
    const sign = order === 'ascending' ? 1 : -1;
    // The slots are in the order of their titles.
    const of = (slot: number, at: number): number =>
      by === 'title' ? at : by === 'random' ? rows.ids.mixed(slot, seed) : SORTED[by](rows, slot, watched.get(slot));
    const key = new Float64Array(slots.length);
    yield* inPieces(slots.length, (from, to) => {
      for (let at = from; at < to; at++) {
        const value = of(slots[at] as number, at) * sign;
        key[at] = Number.isNaN(value) ? Infinity : value;
      }
    });
    keys.push(key);
  }
  const places = new Uint32Array(slots.length);
  for (let at = 0; at < places.length; at++) places[at] = at;
  yield;
  yield* sortInPieces(places, (a, b) => {
    for (const key of keys) {
      const [x, y] = [key[a] as number, key[b] as number];
      if (x !== y) return x < y ? -1 : 1;
    }
    return a - b;
  });
  const inOrder = new Uint32Array(slots.length);
  for (let at = 0; at < places.length; at++) inOrder[at] = slots[places[at] as number] as number;
  yield;
  return inOrder;
}

/** Keeps a flag for each slot by the set of ids, until the index changes: a large set takes as long as the rule. */
function createFlags({ ids: slots }: Pick<IndexRows, 'ids'>): { of: RuleContext['flagged']; clear(): void } {
  let kept = new WeakMap<ReadonlySet<string>, Uint8Array>();
  return {
    of: function* (ids) {
      const known = kept.get(ids);
      if (known) return known;
      const untilChange = kept;
      const flags = new Uint8Array(slots.end());
      yield* everyInPieces(ids, (id) => {
        const slot = slots.find(id);
        if (slot >= 0) flags[slot] = 1;
      });
      untilChange.set(ids, flags);
      return flags;
    },
    clear: () => {
      kept = new WeakMap();
    },
  };
}

export function createIndexRules({ rows, groups, orders, visibility }: RuleNeeds): IndexRules {
  const cache = createBoundedCache<MatchedSlots>({
    maxBytes: MAX_RESULT_BYTES,
    bytesOf: ({ slots }) => slots.byteLength + RESULT_OVERHEAD_BYTES,
  });
  /** One at a time: each has several numbers for every item in memory. */
  const inTurn = createLimit(1);
  /** For each evaluation, the slots that have changed since it began. */
  const open = new Set<Set<number>>();
  /** Number of changes of the index. */
  let changes = 0;
  const flags = createFlags(rows);

  /** Returns the slots that match, in their order. */
  const find = function* (query: RuleQuery, asker: RuleAsker): Computation<Uint32Array> {
    const { policy, watched, now, named, subtitled } = asker;
    const bySlot = new Map<number, WatchTable>();
    if (isPersonal(query))
      yield* everyInPieces(watched.values(), (row) => {
        const slot = rows.ids.find(row.item);
        if (slot >= 0) bySlot.set(slot, row);
      });
    const titles: string[] = [];
    const context: RuleContext = {
      rows,
      foldedTitle: (slot) => (titles[slot] ??= foldWord(rows.titles.get(slot))),
      groups,
      now,
      watched: bySlot,
      named,
      subtitled,
      flagged: flags.of,
    };
    const mask = new Uint8Array(rows.ids.end()).fill(1);
    const isItem = Uint8Array.from(rows.kinds.values, (kind) => Number(kind !== null && ITEMS.includes(kind)));
    yield* inPieces(mask.length, (from, to) => rows.kinds.narrow(mask, isItem, from, to));
    yield* compile(query.rules, context).narrow(mask);
    const isShown = visibility.shows(policy);
    yield* inPieces(mask.length, (from, to) => {
      for (let slot = from; slot < to; slot++) if (mask[slot] === 1 && !isShown(slot)) mask[slot] = 0;
    });
    const byTitle = { kinds: [], sort: 'title', order: 'ascending', offset: 0, limit: 0 } as const;
    const matches = orders.all(byTitle, (slot) => mask[slot] === 1);
    yield;
    return yield* sorted(matches, query, context);
  };

  /**
   * Evaluates a rule and returns what `use` makes of the result. A slot that changes meanwhile may hold another item
   * than the one that was tested, which the asker may not even see: it is left out, and the result is not cached.
   */
  const evaluate = async <R>(
    { query, asker, key }: { query: RuleQuery; asker: RuleAsker; key: string },
    use: (matched: MatchedSlots) => R,
  ): Promise<R> => {
    const touched = new Set<number>();
    const since = changes;
    open.add(touched);
    try {
      const all = await runSliced(find(query, asker));
      const inOrder = touched.size === 0 ? all : all.filter((slot) => !touched.has(slot));
      const slots = query.limit === undefined ? inOrder : inOrder.slice(0, query.limit);
      let duration = 0;
      for (const slot of slots) duration += rows.duration.get(slot) ?? 0;
      if (changes === since) cache.set(key, { slots, duration });
      return use({ slots, duration });
    } finally {
      open.delete(touched);
    }
  };

  const keyOf = (query: RuleQuery, { policy, watchKey, now, namedKey, subtitled }: RuleAsker): string => {
    const isRandom = query.sort?.some(({ by }) => by === 'random') === true;
    return [
      JSON.stringify(query),
      policyKey(policy),
      isPersonal(query) ? watchKey : '',
      isTimed(query) ? now : isRandom ? Math.floor(now / DAY_MS) : '',
      namedKey,
      subtitled.version,
    ].join(' ');
  };

  return {
    touch: (slot) => open.forEach((touched) => touched.add(slot)),
    clear: () => {
      changes++;
      cache.clear();
      flags.clear();
    },
    page: async (query, given, { from, limit }) => {
      const asker = { ...given, now: Math.floor(given.now / MINUTE_MS) * MINUTE_MS };
      const key = keyOf(query, asker);
      const pageOf = ({ slots, duration }: MatchedSlots): RuleMatches => {
        const after = from.after === undefined ? -1 : slots.indexOf(rows.ids.find(from.after));
        const start = after < 0 ? from.index : after + 1;
        const ids = Array.from(slots.subarray(start, start + limit), rows.ids.get);
        return { ids, start, total: slots.length, duration };
      };
      const cached = cache.get(key);
      if (cached) return pageOf(cached);
      return inTurn(async () => {
        // Others may have asked the same before.
        const meanwhile = cache.get(key);
        return meanwhile ? pageOf(meanwhile) : evaluate({ query, asker, key }, pageOf);
      });
    },
  };
}

const PERSONAL: ReadonlySet<string> = new Set(PERSONAL_FIELDS);
const isPersonal = ({ rules, sort = [] }: RuleQuery): boolean =>
  leavesOf(rules).some(({ field }) => PERSONAL.has(field)) || sort.some(({ by }) => PERSONAL.has(by));
const isTimed = ({ rules }: RuleQuery): boolean => leavesOf(rules).some(({ is }) => is === 'within');
