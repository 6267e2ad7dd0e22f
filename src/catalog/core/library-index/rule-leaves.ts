/**
 * Conditions of rules, each of which takes the slots that fail it out of a mask.
 *
 * Each field of the contract has a line here; one without does not compile. A condition is one loop over a column, and
 * values that repeat, such as genres, are tested once each and then looked up by their number, so it costs a few
 * nanoseconds an item. A test that is called for each slot took three times as long.
 */
import { itemFacts, type ItemKind } from '../../../contract/catalog/kinds.ts';
import type { RuleLeaf } from '../../../contract/catalog/rule-fields.ts';
import { type RuleField, spanMs } from '../../../contract/catalog/rule-fields.ts';
import type { WatchTable } from '../../store/tables.ts';
import type { Numbers, Values } from './columns.ts';
import type { Groups } from './groups.ts';
import type { IndexRows } from './rows.ts';
import type { SubtitledItems } from './types.ts';
import { foldWord } from './words.ts';

const DAY_MS = 86_400_000;

/** Takes slots out of a mask, which has 1 for each slot that may still match. */
export type Narrow = (mask: Uint8Array) => void;

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
  /** Returns the title in a slot as it is compared. It is folded once: that takes longer than ten comparisons. */
  foldedTitle(slot: number): string;
  /** Returns a flag for each slot, which is 1 for the slots of these ids. */
  flagged(ids: ReadonlySet<string>): Uint8Array;
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
const resultsOf = <V extends string | number | readonly string[]>(
  column: Values<V>,
  leaf: RuleLeaf,
  isMatch: (value: V) => boolean,
): Uint8Array =>
  Uint8Array.from(column.values, (value) =>
    Number(leaf.is === 'missing' ? isEmpty(value) === leaf.value : value !== null && isMatch(value)),
  );

/** The same for lists, of which one element must match. An item without any has those of its group. */
function ofList(column: Values<readonly string[]>, leaf: RuleLeaf, { groups }: RuleContext): CostedNarrow {
  const isOne = textTest(leaf);
  const results = resultsOf(column, leaf, (list) => list.some(isOne));
  const empty = column.values.map(isEmpty);
  return cheap((mask) => {
    for (let slot = 0; slot < mask.length; slot++) {
      if (mask[slot] !== 1) continue;
      const own = column.number(slot);
      const group = empty[own] === true ? groups.groupOf(slot) : -1;
      if (results[group < 0 ? own : column.number(group)] !== 1) mask[slot] = 0;
    }
  });
}

/** Whether a group holds what is listened to again and again, such as an album. */
const isListenedGroup = (kind: ItemKind): boolean => itemFacts(kind).isReplayed === true;
const cheap = (narrow: Narrow): CostedNarrow => ({ narrow, cost: CHEAP });
const ofText = (column: Values<string> | Values<never>, leaf: RuleLeaf): CostedNarrow => {
  const results = resultsOf(column as Values<string>, leaf, textTest(leaf));
  return cheap((mask) => column.narrow(mask, results));
};
const ofNumber = (column: Numbers, isMatch: (value: number) => boolean): CostedNarrow =>
  cheap((mask) => column.narrow(mask, isMatch));
/** Keeps the slots that have 1. */
const ofFlags = (flags: Uint8Array): CostedNarrow =>
  cheap((mask) => {
    for (let slot = 0; slot < mask.length; slot++) if (flags[slot] !== 1) mask[slot] = 0;
  });
/** Tests the title of the group that an item is in, if the group is of an asked kind. */
function ofGroupTitle(leaf: RuleLeaf, rows: IndexRows, isAsked: (kind: ItemKind | null) => boolean): CostedNarrow {
  const isMatch = textTest(leaf);
  const results = Uint8Array.from(rows.parents.values, (id) => {
    const slot = id === null ? -1 : rows.ids.find(id);
    const isIn = slot >= 0 && isAsked(rows.kinds.get(slot));
    return Number(leaf.is === 'missing' ? isIn !== leaf.value : isIn && isMatch(rows.titles.get(slot)));
  });
  return cheap((mask) => rows.parents.narrow(mask, results));
}
/** Tests the watch rows of the Profile, of which most items have none. */
function ofWatch({ rows, watched }: RuleContext, isMatch: (row: WatchTable | undefined) => boolean): CostedNarrow {
  const flags = new Uint8Array(rows.ids.end()).fill(Number(isMatch(undefined)));
  for (const [slot, row] of watched) flags[slot] = Number(isMatch(row));
  return ofFlags(flags);
}
function named(leaf: RuleLeaf, { rows, named: sets }: RuleContext): CostedNarrow {
  const flags = new Uint8Array(rows.ids.end());
  for (const slot of sets.get(leaf) ?? []) flags[slot] = 1;
  return ofFlags(flags);
}
/** Tests the languages of the subtitles of an item. */
function ofSubtitles(leaf: RuleLeaf, { rows, subtitled, flagged }: RuleContext): CostedNarrow {
  if (leaf.is === 'missing') {
    const flags = flagged(subtitled.all);
    return ofFlags(leaf.value === true ? flags.map((flag) => 1 - flag) : flags);
  }
  const wanted = new Uint8Array(rows.ids.end());
  for (const one of listOf(leaf)) {
    const ids = subtitled.byLanguage.get(String(one).trim().toLowerCase());
    const flags = ids ? flagged(ids) : [];
    for (let slot = 0; slot < flags.length; slot++) if (flags[slot] === 1) wanted[slot] = 1;
  }
  return ofFlags(wanted);
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
      narrow: (mask) => {
        for (let slot = 0; slot < mask.length; slot++) if (mask[slot] === 1 && !isKept(slot)) mask[slot] = 0;
      },
      cost: leaf.is === 'missing' ? CHEAP : TEXT,
    };
  },
  series: (leaf, { rows }) => ofGroupTitle(leaf, rows, (kind) => kind !== null && !isListenedGroup(kind)),
  album: (leaf, { rows }) => ofGroupTitle(leaf, rows, (kind) => kind !== null && isListenedGroup(kind)),
  year: (leaf, { rows }) => {
    const results = resultsOf(rows.years, leaf, numberTest(leaf, numbers(leaf)));
    return cheap((mask) => rows.years.narrow(mask, results));
  },
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
