/**
 * Rules over the library index: which items a Profile may see match, in the asked order.
 *
 * A rule is compiled to loops over the columns, which take slots out of a mask: `bench/rules.ts` measures it.
 */
import { kindsWith } from '../../../contract/catalog/kinds.ts';
import { isLeaf, leavesOf, type RuleGroup, type RuleQuery } from '../../../contract/catalog/rule-fields.ts';
import { PERSONAL_FIELDS, type RuleSortField } from '../../../contract/catalog/rule-fields.ts';
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
  /** `version` is that of the index. */
  page(version: number, ...asked: Parameters<LibraryIndex['matching']>): RuleMatches;
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
  const all: Narrow = (mask) => parts.forEach(({ narrow }) => narrow(mask));
  const narrow = group.match === 'all' || parts.length === 0 ? all : anyOf(parts);
  return {
    cost: parts.reduce((sum, part) => sum + part.cost, 0),
    narrow: group.not === true ? except(narrow) : narrow,
  };
}

/** Keeps the slots that any part keeps. A part looks at those only that no part before it has kept. */
const anyOf =
  (parts: readonly CostedNarrow[]): Narrow =>
  (mask) => {
    const rest = mask.slice();
    mask.fill(0);
    for (const { narrow } of parts) {
      const kept = rest.slice();
      narrow(kept);
      for (let slot = 0; slot < kept.length; slot++) {
        if (kept[slot] !== 1) continue;
        mask[slot] = 1;
        rest[slot] = 0;
      }
    }
  };

/** Keeps the slots that another condition takes out. */
const except =
  (narrow: Narrow): Narrow =>
  (mask) => {
    const kept = mask.slice();
    narrow(kept);
    for (let slot = 0; slot < kept.length; slot++) if (kept[slot] === 1) mask[slot] = 0;
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

function sorted(slots: Uint32Array, { sort = [] }: RuleQuery, { rows, watched, now }: RuleContext): Uint32Array {
  if (sort.length === 0 || (sort.length === 1 && sort[0]?.by === 'title'))
    return sort[0]?.order === 'descending' ? slots.toReversed() : slots;
  const seed = Math.floor(now / DAY_MS);
  const keys = sort.map(({ by, order }) => {
    const sign = order === 'ascending' ? 1 : -1;
    // The slots are in the order of their titles.
    const of = (slot: number, at: number): number =>
      by === 'title' ? at : by === 'random' ? rows.ids.mixed(slot, seed) : SORTED[by](rows, slot, watched.get(slot));
    return Float64Array.from(slots, (slot, at) => {
      const value = of(slot, at) * sign;
      return Number.isNaN(value) ? Infinity : value;
    });
  });
  const places = Uint32Array.from(slots, (_, at) => at);
  places.sort((a, b) => {
    for (const key of keys) {
      const [x, y] = [key[a] as number, key[b] as number];
      if (x !== y) return x < y ? -1 : 1;
    }
    return a - b;
  });
  return places.map((at) => slots[at] as number);
}

export function createIndexRules({ rows, groups, orders, visibility }: RuleNeeds): IndexRules {
  const cache = createBoundedCache<MatchedSlots>({
    maxBytes: MAX_RESULT_BYTES,
    bytesOf: ({ slots }) => slots.byteLength + RESULT_OVERHEAD_BYTES,
  });
  /** A flag for each slot, kept by the set of ids until the index changes: a large set takes as long as the rule. */
  let flags = new WeakMap<ReadonlySet<string>, Uint8Array>();
  const flagged = (ids: ReadonlySet<string>): Uint8Array => {
    const known = flags.get(ids);
    if (known) return known;
    const fresh = new Uint8Array(rows.ids.end());
    for (const id of ids) {
      const slot = rows.ids.find(id);
      if (slot >= 0) fresh[slot] = 1;
    }
    flags.set(ids, fresh);
    return fresh;
  };
  const slotsOf = (ids: Iterable<string>): ReadonlySet<number> => new Set(Array.from(ids, rows.ids.find));

  const find = (query: RuleQuery, { policy, watched, now, named, subtitled }: RuleAsker): MatchedSlots => {
    const bySlot = new Map<number, WatchTable>();
    if (isPersonal(query))
      for (const row of watched.values()) {
        const slot = rows.ids.find(row.item);
        if (slot >= 0) bySlot.set(slot, row);
      }
    const titles: string[] = [];
    const context: RuleContext = {
      rows,
      foldedTitle: (slot) => (titles[slot] ??= foldWord(rows.titles.get(slot))),
      groups,
      now,
      watched: bySlot,
      named: new Map(Array.from(named, ([leaf, ids]) => [leaf, slotsOf(ids)])),
      subtitled,
      flagged,
    };
    const mask = new Uint8Array(rows.ids.end()).fill(1);
    rows.kinds.narrow(
      mask,
      Uint8Array.from(rows.kinds.values, (kind) => Number(kind !== null && ITEMS.includes(kind))),
    );
    compile(query.rules, context).narrow(mask);
    const isShown = visibility.shows(policy);
    const isMatch = (slot: number): boolean => mask[slot] === 1 && isShown(slot);
    const matches = orders.all({ kinds: [], sort: 'title', order: 'ascending', offset: 0, limit: 0 }, isMatch);
    const inOrder = sorted(matches, query, context);
    const slots = query.limit === undefined ? inOrder : inOrder.slice(0, query.limit);
    let duration = 0;
    for (const slot of slots) duration += rows.duration.get(slot) ?? 0;
    return { slots, duration };
  };

  const found = (query: RuleQuery, asker: RuleAsker, version: number): MatchedSlots => {
    const now = Math.floor(asker.now / MINUTE_MS) * MINUTE_MS;
    const key = [
      version,
      JSON.stringify(query),
      policyKey(asker.policy),
      isPersonal(query) ? asker.watchKey : '',
      isTimed(query) ? now : query.sort?.some(({ by }) => by === 'random') === true ? Math.floor(now / DAY_MS) : '',
      asker.namedKey,
      asker.subtitled.version,
    ].join(' ');
    const cached = cache.get(key);
    if (cached) return cached;
    const fresh = find(query, { ...asker, now });
    cache.set(key, fresh);
    return fresh;
  };

  return {
    clear: () => {
      cache.clear();
      flags = new WeakMap();
    },
    page: (version, query, asker, { from, limit }) => {
      const { slots, duration } = found(query, asker, version);
      const after = from.after === undefined ? -1 : slots.indexOf(rows.ids.find(from.after));
      const start = after < 0 ? from.index : after + 1;
      const ids = Array.from(slots.subarray(start, start + limit), rows.ids.get);
      return { ids, start, total: slots.length, duration };
    },
  };
}

const PERSONAL: ReadonlySet<string> = new Set(PERSONAL_FIELDS);
const isPersonal = ({ rules, sort = [] }: RuleQuery): boolean =>
  leavesOf(rules).some(({ field }) => PERSONAL.has(field)) || sort.some(({ by }) => PERSONAL.has(by));
const isTimed = ({ rules }: RuleQuery): boolean => leavesOf(rules).some(({ is }) => is === 'within');
