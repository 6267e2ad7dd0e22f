/**
 * Conditions of rules as tests of slots.
 *
 * Each field of the contract has a line here; one without does not compile. Values that repeat, such as genres, are
 * tested once each and then looked up by their number, so a condition costs a few nanoseconds an item.
 */
import { itemFacts, type ItemKind } from '../../../contract/catalog/kinds.ts';
import type { RuleLeaf } from '../../../contract/catalog/rule-fields.ts';
import { type RuleField, spanMs } from '../../../contract/catalog/rule-fields.ts';
import type { WatchTable } from '../../store/tables.ts';
import type { Values } from './columns.ts';
import type { Groups } from './groups.ts';
import type { IndexRows } from './rows.ts';
import type { SubtitledItems } from './types.ts';
import { foldWord } from './words.ts';

const DAY_MS = 86_400_000;

export type SlotTest = (slot: number) => boolean;

export interface RuleContext {
  rows: IndexRows;
  groups: Pick<Groups, 'groupOf'>;
  /** Now, in milliseconds since the epoch. */
  now: number;
  /** The watch rows of the Profile by slot. */
  watched: ReadonlyMap<number, WatchTable>;
  /** Slots that a condition on other tables means, such as the items of a playlist. */
  named: ReadonlyMap<RuleLeaf, ReadonlySet<number>>;
  subtitled: SubtitledItems;
  /** Returns a flag for each slot, which is 1 for the slots of these ids. */
  flagged(ids: ReadonlySet<string>): Uint8Array;
}

/** A test, and its relative cost: cheap tests run first. */
export interface CostedTest {
  test: SlotTest;
  cost: number;
}
const CHEAP = 1;
const LOOKUP = 2;
const TEXT = 20;

const listOf = ({ value }: RuleLeaf): (string | number)[] =>
  Array.isArray(value) ? value : [value as string | number];

/** Returns a test of a text, without regard to case and accents. */
function textTest(leaf: RuleLeaf): (text: string) => boolean {
  const values = listOf(leaf).map((one) => foldWord(String(one)).trim());
  const [first = ''] = values;
  if (leaf.is === 'contains') return (text) => foldWord(text).includes(first);
  if (leaf.is === 'begins') return (text) => foldWord(text).trimStart().startsWith(first);
  const wanted = new Set(values);
  return (text) => wanted.has(foldWord(text).trim());
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

/** Tests each different value of a column once. */
function valueTest<V extends string | number | readonly string[]>(
  column: Values<V>,
  leaf: RuleLeaf,
  isMatch: (value: V) => boolean,
): SlotTest {
  const results = column.values.map((value) =>
    leaf.is === 'missing' ? isEmpty(value) === leaf.value : value !== null && isMatch(value),
  );
  return (slot) => results[column.number(slot)] === true;
}

/** The same for lists, of which one element must match. An item without any has those of its group. */
function listTest(column: Values<readonly string[]>, leaf: RuleLeaf, { groups }: RuleContext): SlotTest {
  const isOne = textTest(leaf);
  const own = valueTest(column, leaf, (list) => list.some(isOne));
  const empty = column.values.map(isEmpty);
  return (slot) => {
    if (empty[column.number(slot)] !== true) return own(slot);
    const group = groups.groupOf(slot);
    return own(group < 0 ? slot : group);
  };
}

/** Whether a group holds what is listened to again and again, such as an album. */
const isListenedGroup = (kind: ItemKind): boolean => itemFacts(kind).isReplayed === true;
const cheap = (test: SlotTest): CostedTest => ({ test, cost: CHEAP });
const ofText = (column: Values<string> | Values<never>, leaf: RuleLeaf): CostedTest =>
  cheap(valueTest(column as Values<string>, leaf, textTest(leaf)));
/** Tests the title of the group that an item is in, if the group is of an asked kind. */
function groupTitleTest(leaf: RuleLeaf, rows: IndexRows, isAsked: (kind: ItemKind | null) => boolean): CostedTest {
  const isMatch = textTest(leaf);
  const results = rows.parents.values.map((id) => {
    const slot = id === null ? -1 : rows.ids.find(id);
    const isIn = slot >= 0 && isAsked(rows.kinds.get(slot));
    return leaf.is === 'missing' ? isIn !== leaf.value : isIn && isMatch(rows.titles.get(slot));
  });
  return cheap((slot) => results[rows.parents.number(slot)] === true);
}
const ofWatch = (
  leaf: RuleLeaf,
  { watched }: RuleContext,
  test: (row: WatchTable | undefined) => boolean,
): CostedTest => ({
  test: (slot) => test(watched.get(slot)),
  cost: LOOKUP,
});
const named = (leaf: RuleLeaf, { named: sets }: RuleContext): CostedTest => {
  const slots = sets.get(leaf);
  return { test: (slot) => slots?.has(slot) === true, cost: LOOKUP };
};
/** Tests the languages of the subtitles of an item. */
function subtitleTest(leaf: RuleLeaf, { subtitled, flagged }: RuleContext): CostedTest {
  if (leaf.is === 'missing') {
    const flags = flagged(subtitled.all);
    return cheap((slot) => (flags[slot] === 1) !== leaf.value);
  }
  const wanted = listOf(leaf).flatMap((one) => {
    const ids = subtitled.byLanguage.get(String(one).trim().toLowerCase());
    return ids ? [flagged(ids)] : [];
  });
  return cheap((slot) => wanted.some((flags) => flags[slot] === 1));
}
const watchedNumber = (leaf: RuleLeaf, context: RuleContext, of: (row: WatchTable) => number | null, none: number) => {
  const isMatch = numberTest(leaf, numbers(leaf));
  return ofWatch(leaf, context, (row) => isMatch(row ? (of(row) ?? NaN) : none));
};

const TESTS: Readonly<Record<RuleField, (leaf: RuleLeaf, context: RuleContext) => CostedTest>> = {
  kind: (leaf, { rows }) => ofText(rows.kinds as unknown as Values<string>, leaf),
  library: (leaf, { rows }) => ofText(rows.libraries, leaf),
  rating: (leaf, { rows }) => ofText(rows.ratings, leaf),
  resolution: (leaf, { rows }) => ofText(rows.resolutions, leaf),
  genre: (leaf, context) => cheap(listTest(context.rows.genres, leaf, context)),
  language: (leaf, context) => cheap(listTest(context.rows.languages, leaf, context)),
  subtitle: subtitleTest,
  studio: (leaf, context) => cheap(listTest(context.rows.studios, leaf, context)),
  artist: (leaf, context) => cheap(listTest(context.rows.artists, leaf, context)),
  codec: (leaf, context) => cheap(listTest(context.rows.codecs, leaf, context)),
  hdr: (leaf, { rows }) => ofText(rows.hdr, leaf),
  title: (leaf, { rows }) => {
    const isMatch = textTest(leaf);
    if (leaf.is === 'missing') return cheap((slot) => (rows.titles.length(slot) === 0) === leaf.value);
    return { test: (slot) => isMatch(rows.titles.get(slot)), cost: TEXT };
  },
  series: (leaf, { rows }) => groupTitleTest(leaf, rows, (kind) => kind !== null && !isListenedGroup(kind)),
  album: (leaf, { rows }) => groupTitleTest(leaf, rows, (kind) => kind !== null && isListenedGroup(kind)),
  year: (leaf, { rows }) => {
    const isMatch = numberTest(leaf, numbers(leaf));
    return cheap(valueTest(rows.years, leaf, isMatch));
  },
  released: (leaf, { rows, now }) => {
    const isMatch = timeTest(leaf, now);
    return cheap((slot) => isMatch(rows.released.raw(slot) * DAY_MS));
  },
  added: (leaf, { rows, now }) => {
    const isMatch = timeTest(leaf, now);
    return cheap((slot) => isMatch(rows.added.raw(slot)));
  },
  duration: (leaf, { rows }) => {
    const isMatch = numberTest(leaf, numbers(leaf));
    return cheap((slot) => isMatch(rows.duration.raw(slot)));
  },
  communityRating: (leaf, { rows }) => {
    const isMatch = numberTest(leaf, numbers(leaf));
    return cheap((slot) => isMatch(rows.community.raw(slot)));
  },
  watched: (leaf, context) => ofWatch(leaf, context, (row) => (row?.watched === 1) === leaf.value),
  listed: (leaf, context) => ofWatch(leaf, context, (row) => (row !== undefined && row.listed !== null) === leaf.value),
  position: (leaf, context) => watchedNumber(leaf, context, ({ position }) => position, 0),
  plays: (leaf, context) => watchedNumber(leaf, context, ({ play_count }) => play_count, 0),
  myRating: (leaf, context) => watchedNumber(leaf, context, ({ rating }) => rating, NaN),
  lastPlayed: (leaf, context) => {
    const isMatch = timeTest(leaf, context.now);
    return ofWatch(leaf, context, (row) => isMatch(row?.last_played ?? NaN));
  },
  person: named,
  playlist: named,
};

/** Returns the test of a condition. */
export const leafTest = (leaf: RuleLeaf, context: RuleContext): CostedTest => TESTS[leaf.field](leaf, context);
