/**
 * The fields that rules of smart playlists test, each declared once with its type, and the operators of each type.
 *
 * The request's shape, the server's evaluation and the dashboard's editor are derived from these tables. This file
 * imports nothing, so that the dashboard can load it without a schema library.
 */

/** Operators by the type of a field. `missing` asks whether an item has no value. */
export const RULE_OPERATORS = {
  text: ['is', 'in', 'contains', 'begins', 'missing'],
  choice: ['is', 'in', 'missing'],
  /** Names that are matched as a whole. */
  name: ['is', 'in'],
  number: ['is', 'less', 'more', 'between', 'missing'],
  /** `less` is before and `more` is after; `within` is a duration back from now, such as `30d`. */
  date: ['less', 'more', 'between', 'within', 'missing'],
  flag: ['is'],
} as const;
export type RuleType = keyof typeof RULE_OPERATORS;
export type RuleOperator = (typeof RULE_OPERATORS)[RuleType][number];

export const RULE_FIELDS = {
  kind: 'choice',
  library: 'choice',
  title: 'text',
  series: 'text',
  genre: 'text',
  studio: 'text',
  person: 'name',
  /** Artists of a track or its album, authors of an audiobook. */
  artist: 'text',
  album: 'text',
  year: 'number',
  released: 'date',
  added: 'date',
  /** In seconds. */
  duration: 'number',
  /** The content rating as it is stated, for instance PG. */
  rating: 'choice',
  communityRating: 'number',
  resolution: 'choice',
  /** The class of high dynamic range; missing for standard range. */
  hdr: 'choice',
  /** A codec of the video or sound, as ffmpeg names it. */
  codec: 'choice',
  language: 'choice',
  /** The language of a text subtitle of the whole item; missing without any subtitle. */
  subtitle: 'choice',
  watched: 'flag',
  /** The position that the Profile reached, in seconds. */
  position: 'number',
  plays: 'number',
  lastPlayed: 'date',
  listed: 'flag',
  myRating: 'number',
  playlist: 'name',
} as const satisfies Record<string, RuleType>;
export type RuleField = keyof typeof RULE_FIELDS;

/** Fields whose values differ between Profiles. */
export const PERSONAL_FIELDS: readonly RuleField[] = [
  'watched',
  'position',
  'plays',
  'lastPlayed',
  'listed',
  'myRating',
  'playlist',
];

/** Fields by which a smart playlist is sorted. */
export const RULE_SORTS = [
  'title',
  'added',
  'released',
  'year',
  'duration',
  'communityRating',
  'lastPlayed',
  'plays',
  'myRating',
  'random',
] as const;
export type RuleSortField = (typeof RULE_SORTS)[number];

/** Limits of a rule. */
export const MAX_RULE_DEPTH = 4;
export const MAX_RULE_LEAVES = 50;
export const MAX_RULE_VALUES = 100;
export const MAX_RULE_SORTS = 5;
export const MAX_RULE_LIMIT = 10_000;
/** Maximum number of names of people and ids of playlists in rules: each is looked up before the rules are tested. */
export const MAX_RULE_LOOKUPS = 20;
/** Maximum bytes of rules as a whole, as JSON: 50 conditions of 320 bytes each. */
export const MAX_RULE_BYTES = 16 * 1024;

/** A duration back from now: hours, days, weeks, months of 30 days or years of 365 days. */
export const RULE_SPAN = /^([1-9]\d{0,3})(h|d|w|m|y)$/;
const SPAN_UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000, m: 2_592_000_000, y: 31_536_000_000 } as const;

/** Returns the milliseconds of a duration such as `30d`; undefined if it is none. */
export function spanMs(text: string): number | undefined {
  const [, count, unit] = RULE_SPAN.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * SPAN_UNIT_MS[unit as keyof typeof SPAN_UNIT_MS];
}

/** A condition on one field. */
export interface RuleLeaf {
  field: RuleField;
  is: RuleOperator;
  value: string | number | boolean | (string | number)[];
}
export interface RuleGroup {
  match: 'all' | 'any';
  not?: boolean | undefined;
  rules: (RuleLeaf | RuleGroup)[];
}

export interface RuleSortKey {
  by: RuleSortField;
  order: 'ascending' | 'descending';
}
/** A question of a rule: which items, in which order, how many. */
export interface RuleQuery {
  rules: RuleGroup;
  sort?: readonly RuleSortKey[] | undefined;
  limit?: number | undefined;
}

export const isLeaf = (rule: RuleLeaf | RuleGroup): rule is RuleLeaf => 'field' in rule;
/** Returns every condition of a group, of its groups, too. */
export const leavesOf = (group: RuleGroup): RuleLeaf[] =>
  group.rules.flatMap((rule) => (isLeaf(rule) ? [rule] : leavesOf(rule)));

const LOOKED_UP: readonly RuleField[] = ['person', 'playlist'];
const isTooManyLookups = (leaves: readonly RuleLeaf[]): boolean =>
  leaves
    .filter(({ field }) => LOOKED_UP.includes(field))
    .reduce((sum, { value }) => sum + (Array.isArray(value) ? value.length : 1), 0) > MAX_RULE_LOOKUPS;

/** Returns what is too large about rules as a whole; undefined if they may be stored and evaluated. */
export function rulesFault(group: RuleGroup): string | undefined {
  if (new TextEncoder().encode(JSON.stringify(group)).length > MAX_RULE_BYTES)
    return `rules have at most ${MAX_RULE_BYTES} bytes`;
  if (isTooManyLookups(leavesOf(group))) return `at most ${MAX_RULE_LOOKUPS} people and playlists`;
  return undefined;
}

const isDay = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/** Returns what is wrong with a condition; undefined if its operator and value suit its field. */
export function leafFault({ field, is, value }: RuleLeaf): string | undefined {
  const type = RULE_FIELDS[field];
  if (!(RULE_OPERATORS[type] as readonly RuleOperator[]).includes(is)) return `${field} has no operator ${is}`;
  if (is === 'missing' || type === 'flag')
    return typeof value === 'boolean' ? undefined : `${field}: expected true or false`;
  if (is === 'within')
    return typeof value === 'string' && spanMs(value) !== undefined
      ? undefined
      : `${field}: expected a duration such as 30d`;
  const isOne = (one: unknown): boolean =>
    type === 'number'
      ? typeof one === 'number' && Number.isFinite(one)
      : type === 'date'
        ? isDay(one)
        : typeof one === 'string' && one !== '';
  if (is === 'between')
    return Array.isArray(value) && value.length === 2 && value.every(isOne)
      ? undefined
      : `${field}: expected two values`;
  if (is === 'in')
    return Array.isArray(value) && value.every(isOne) ? undefined : `${field}: expected a list of values`;
  return isOne(value)
    ? undefined
    : `${field}: expected ${type === 'number' ? 'a number' : type === 'date' ? 'a day' : 'a text'}`;
}
