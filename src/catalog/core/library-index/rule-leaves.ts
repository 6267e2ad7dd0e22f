/**
 * Conditions of rules, each of which takes the slots that fail it out of a mask.
 *
 * Each field of the contract has a line here; one without does not compile. A condition is one loop over a column, and
 * values that repeat, such as genres, are tested once each and then looked up by their number, so it costs a few
 * nanoseconds an item. A test that is called for each slot took three times as long. Everything that grows with the
 * library is done in pieces.
 */
import { itemFacts, type ItemKind } from '../../../contract/catalog/kinds.ts';
import type { RuleLeaf } from '../../../contract/catalog/rule-fields.ts';
import { type RuleField, spanMs } from '../../../contract/catalog/rule-fields.ts';
import { everyInPieces, inPieces, type Computation } from '../../../lib/slices.ts';
import type { WatchTable } from '../../store/tables.ts';
import type { Numbers, Values } from './columns.ts';
import type { Groups } from './groups.ts';
import type { IndexRows } from './rows.ts';
import type { SubtitledItems } from './types.ts';
import { foldWord } from './words.ts';

const DAY_MS = 86_400_000;

/** Takes slots out of a mask, which has 1 for each slot that may still match. */
export type Narrow = (mask: Uint8Array) => Computation<void>;

export interface RuleContext {
  rows: IndexRows;
  groups: Pick<Groups, 'groupOf'>;
  /** Now, in milliseconds since the epoch. */
  now: number;
  /** The watch rows of the Profile by slot. */
  watched: ReadonlyMap<number, WatchTable>;
  /** Ids that a condition on other tables means, such as the items of a playlist. */
  named: ReadonlyMap<RuleLeaf, ReadonlySet<string>>;
  subtitled: SubtitledItems;
  /** Returns the title in a slot as it is compared. It is folded once: that takes longer than ten comparisons. */
  foldedTitle(slot: number): string;
  /** Returns a flag for each slot, which is 1 for the slots of these ids. */
  flagged(ids: ReadonlySet<string>): Computation<Uint8Array>;
}

/** A condition, and its relative cost: cheap ones run first. */
export interface CostedNarrow {
  narrow: Narrow;
  cost: number;
}
const CHEAP = 1;
const TEXT = 20;

const listOf = ({ value }: RuleLeaf): (string | number)[] =>
  Array.isArray(value) ? value : [value as string | number];

/** Returns a test of a text that is folded already. */
function foldedTest(leaf: RuleLeaf): (text: string) => boolean {
  const values = listOf(leaf).map((one) => foldWord(String(one)).trim());
  const [first = ''] = values;
  if (leaf.is === 'contains') return (text) => text.includes(first);
  if (leaf.is === 'begins') return (text) => text.trimStart().startsWith(first);
  const wanted = new Set(values);
  return (text) => wanted.has(text.trim());
}
/** Returns a test of a text, without regard to case and accents. */
function textTest(leaf: RuleLeaf): (text: string) => boolean {
  const isMatch = foldedTest(leaf);
  return (text) => isMatch(foldWord(text));
}

/** Returns a test of a number; a missing one, NaN, passes only the test for missing values. */
function numberTest(leaf: RuleLeaf, values: readonly number[]): (value: number) => boolean {
  const [a = NaN, b = NaN] = values;
  if (leaf.is === 'missing') return (value) => Number.isNaN(value) === leaf.value;
  if (leaf.is === 'less') return (value) => value < a;
  if (leaf.is === 'more') return (value) => value > a;
  if (leaf.is === 'between') return (value) => value >= Math.min(a, b) && value <= Math.max(a, b);
  return (value) => value === a;
}
const numbers = (leaf: RuleLeaf): number[] => (leaf.is === 'missing' ? [] : listOf(leaf).map(Number));

/** Returns a test of a time in milliseconds. Days are compared as a whole: more than a day is after its end. */
function timeTest(leaf: RuleLeaf, now: number): (at: number) => boolean {
  if (leaf.is === 'missing') return (at) => Number.isNaN(at) === leaf.value;
  if (leaf.is === 'within') {
    const since = now - (spanMs(String(leaf.value)) ?? 0);
    return (at) => at >= since && at <= now + DAY_MS;
  }
  const [a = NaN, b = a] = listOf(leaf).map((day) => Date.parse(String(day)));
  if (leaf.is === 'less') return (at) => at < a;
  if (leaf.is === 'more') return (at) => at >= a + DAY_MS;
  return (at) => at >= Math.min(a, b) && at < Math.max(a, b) + DAY_MS;
}

const isEmpty = (value: string | number | readonly string[] | null): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns for the number of each different value of a column whether it passes. */
function* resultsOf<V extends string | number | readonly string[]>(
  { values }: Values<V>,
  isMatch: (value: V | null) => boolean,
): Computation<Uint8Array> {
  const results = new Uint8Array(values.length);
  yield* inPieces(results.length, (from, to) => {
    for (let number = from; number < to; number++) results[number] = Number(isMatch(values[number] as V | null));
  });
  return results;
}

/** Returns a test of the values of a column; only the test for missing values is given empty ones. */
const valueTest =
  <V extends string | number | readonly string[]>(leaf: RuleLeaf, isMatch: (value: V) => boolean) =>
  (value: V | null): boolean =>
    leaf.is === 'missing' ? isEmpty(value) === leaf.value : value !== null && isMatch(value);

const cheap = (narrow: Narrow): CostedNarrow => ({ narrow, cost: CHEAP });

/** Tests the values of a column. */
const ofValues = <V extends string | number | readonly string[]>(
  column: Values<V>,
  isMatch: (value: V | null) => boolean,
): CostedNarrow =>
  cheap(function* (mask) {
    const results = yield* resultsOf(column, isMatch);
    yield* inPieces(mask.length, (from, to) => column.narrow(mask, results, from, to));
  });

/** The same for lists, of which one element must match. An item without any has those of its group. */
function ofList(column: Values<readonly string[]>, leaf: RuleLeaf, { groups }: RuleContext): CostedNarrow {
  const isOne = textTest(leaf);
  const isMatch = valueTest<readonly string[]>(leaf, (list) => list.some(isOne));
  return cheap(function* (mask) {
    const results = yield* resultsOf(column, isMatch);
    const empty = yield* resultsOf(column, isEmpty);
    yield* inPieces(mask.length, (from, to) => {
      for (let slot = from; slot < to; slot++) {
        if (mask[slot] !== 1) continue;
        const own = column.number(slot);
        const group = empty[own] === 1 ? groups.groupOf(slot) : -1;
        if (results[group < 0 ? own : column.number(group)] !== 1) mask[slot] = 0;
      }
    });
  });
}

/** Whether a group holds what is listened to again and again, such as an album. */
const isListenedGroup = (kind: ItemKind): boolean => itemFacts(kind).isReplayed === true;
const ofText = (column: Values<string> | Values<never>, leaf: RuleLeaf): CostedNarrow =>
  ofValues(column as Values<string>, valueTest(leaf, textTest(leaf)));
const ofNumber = (column: Numbers, isMatch: (value: number) => boolean): CostedNarrow =>
  cheap((mask) => inPieces(mask.length, (from, to) => column.narrow(mask, isMatch, from, to)));
/** Keeps the slots that have 1. */
const ofFlags = (flagsOf: () => Computation<Uint8Array>): CostedNarrow =>
  cheap(function* (mask) {
    const flags = yield* flagsOf();
    yield* inPieces(mask.length, (from, to) => {
      for (let slot = from; slot < to; slot++) if (flags[slot] !== 1) mask[slot] = 0;
    });
  });
/** Tests the title of the group that an item is in, if the group is of an asked kind. */
function ofGroupTitle(leaf: RuleLeaf, rows: IndexRows, isAsked: (kind: ItemKind | null) => boolean): CostedNarrow {
  const isMatch = textTest(leaf);
  return ofValues(rows.parents, (id) => {
    const slot = id === null ? -1 : rows.ids.find(id);
    const isIn = slot >= 0 && isAsked(rows.kinds.get(slot));
    return leaf.is === 'missing' ? isIn !== leaf.value : isIn && isMatch(rows.titles.get(slot));
  });
}
/** Tests the watch rows of the Profile, of which most items have none. */
function ofWatch({ rows, watched }: RuleContext, isMatch: (row: WatchTable | undefined) => boolean): CostedNarrow {
  return ofFlags(function* () {
    const flags = new Uint8Array(rows.ids.end()).fill(Number(isMatch(undefined)));
    yield* everyInPieces(watched, ([slot, row]) => void (flags[slot] = Number(isMatch(row))));
    return flags;
  });
}
function named(leaf: RuleLeaf, { rows, named: sets }: RuleContext): CostedNarrow {
  return ofFlags(function* () {
    const flags = new Uint8Array(rows.ids.end());
    yield* everyInPieces(sets.get(leaf) ?? [], (id) => {
      const slot = rows.ids.find(id);
      if (slot >= 0) flags[slot] = 1;
    });
    return flags;
  });
}
/** Tests the languages of the subtitles of an item. */
function ofSubtitles(leaf: RuleLeaf, { rows, subtitled, flagged }: RuleContext): CostedNarrow {
  return ofFlags(function* () {
    if (leaf.is === 'missing') {
      const flags = yield* flagged(subtitled.all);
      return leaf.value === true ? flags.map((flag) => 1 - flag) : flags;
    }
    const wanted = new Uint8Array(rows.ids.end());
    for (const one of listOf(leaf)) {
      const ids = subtitled.byLanguage.get(String(one).trim().toLowerCase());
      const flags = ids ? yield* flagged(ids) : new Uint8Array(0);
      yield* inPieces(flags.length, (from, to) => {
        for (let slot = from; slot < to; slot++) if (flags[slot] === 1) wanted[slot] = 1;
      });
    }
    return wanted;
  });
}
const watchedNumber = (leaf: RuleLeaf, context: RuleContext, of: (row: WatchTable) => number | null, none: number) => {
  const isMatch = numberTest(leaf, numbers(leaf));
  return ofWatch(context, (row) => isMatch(row ? (of(row) ?? NaN) : none));
};

const CONDITIONS: Readonly<Record<RuleField, (leaf: RuleLeaf, context: RuleContext) => CostedNarrow>> = {
  kind: (leaf, { rows }) => ofText(rows.kinds as unknown as Values<string>, leaf),
  library: (leaf, { rows }) => ofText(rows.libraries, leaf),
  rating: (leaf, { rows }) => ofText(rows.ratings, leaf),
  resolution: (leaf, { rows }) => ofText(rows.resolutions, leaf),
  genre: (leaf, context) => ofList(context.rows.genres, leaf, context),
  language: (leaf, context) => ofList(context.rows.languages, leaf, context),
  subtitle: ofSubtitles,
  studio: (leaf, context) => ofList(context.rows.studios, leaf, context),
  artist: (leaf, context) => ofList(context.rows.artists, leaf, context),
  codec: (leaf, context) => ofList(context.rows.codecs, leaf, context),
  hdr: (leaf, { rows }) => ofText(rows.hdr, leaf),
  title: (leaf, { rows, foldedTitle }) => {
    const isMatch = foldedTest(leaf);
    const isKept = (slot: number): boolean =>
      leaf.is === 'missing' ? (rows.titles.length(slot) === 0) === leaf.value : isMatch(foldedTitle(slot));
    return {
      narrow: (mask) =>
        inPieces(mask.length, (from, to) => {
          for (let slot = from; slot < to; slot++) if (mask[slot] === 1 && !isKept(slot)) mask[slot] = 0;
        }),
      cost: leaf.is === 'missing' ? CHEAP : TEXT,
    };
  },
  series: (leaf, { rows }) => ofGroupTitle(leaf, rows, (kind) => kind !== null && !isListenedGroup(kind)),
  album: (leaf, { rows }) => ofGroupTitle(leaf, rows, (kind) => kind !== null && isListenedGroup(kind)),
  year: (leaf, { rows }) => ofValues(rows.years, valueTest(leaf, numberTest(leaf, numbers(leaf)))),
  released: (leaf, { rows, now }) => {
    const isMatch = timeTest(leaf, now);
    return ofNumber(rows.released, (day) => isMatch(day * DAY_MS));
  },
  added: (leaf, { rows, now }) => ofNumber(rows.added, timeTest(leaf, now)),
  duration: (leaf, { rows }) => ofNumber(rows.duration, numberTest(leaf, numbers(leaf))),
  communityRating: (leaf, { rows }) => ofNumber(rows.community, numberTest(leaf, numbers(leaf))),
  watched: (leaf, context) => ofWatch(context, (row) => (row?.watched === 1) === leaf.value),
  listed: (leaf, context) => ofWatch(context, (row) => (row !== undefined && row.listed !== null) === leaf.value),
  position: (leaf, context) => watchedNumber(leaf, context, ({ position }) => position, 0),
  plays: (leaf, context) => watchedNumber(leaf, context, ({ play_count }) => play_count, 0),
  myRating: (leaf, context) => watchedNumber(leaf, context, ({ rating }) => rating, NaN),
  lastPlayed: (leaf, context) => {
    const isMatch = timeTest(leaf, context.now);
    return ofWatch(context, (row) => isMatch(row?.last_played ?? NaN));
  },
  person: named,
  playlist: named,
};

/** Returns a condition over the columns. */
export const leafOf = (leaf: RuleLeaf, context: RuleContext): CostedNarrow => CONDITIONS[leaf.field](leaf, context);
