/**
 * Which rows a policy allows.
 *
 * An item needs its library and, unless an Owner decided about it, a rating within the limits; so does its group. What
 * an Owner decided about an item counts before what was decided about its group. A group is visible with at least one
 * of its items.
 */
import type { Policy } from '../../../contract/identity/profiles.ts';
import type { Groups } from './groups.ts';
import { type Ratings, UNRATED } from './ratings.ts';
import type { RowRole } from './roles.ts';
import type { IndexRows } from './rows.ts';
import type { ShownCounts } from './types.ts';

export interface Visibility {
  /** Returns a test of whether an item is visible, whose group may hold others. */
  showsItem(policy: Policy): (slot: number) => boolean;
  /** Returns a test of whether a row is visible. */
  shows(policy: Policy): (slot: number) => boolean;
  /** Returns why a policy hides a row; the first reason, of a group that of its first item. */
  hiddenBy(policy: Policy, slot: number): keyof ShownCounts['hidden'];
  /** Forgets what was prepared for policies. Call it after every change of rows. */
  clear(): void;
}

/** Tests of items and of groups by their slots. */
interface PolicyTests {
  item(slot: number): boolean;
  group(slot: number): boolean;
}

/** Whether ratings of this age are within the limits of a policy. */
export const isWithinAge = ({ rating, unrated }: Pick<Policy, 'rating' | 'unrated'>, age: number): boolean =>
  age === UNRATED ? unrated : rating === 'all' || age <= rating;

export function createVisibility(
  rows: IndexRows,
  groups: Groups,
  ratings: Pick<Ratings, 'ages' | 'ageOf'>,
  roleOf: (slot: number) => RowRole | undefined,
): Visibility {
  /** Policies are replaced, never changed, so the tests of each are made once until the rows change. */
  let prepared = new WeakMap<Policy, PolicyTests>();
  const testsOf = (policy: Policy): PolicyTests => {
    const known = prepared.get(policy);
    if (known) return known;
    const made = makeTests(policy);
    prepared.set(policy, made);
    return made;
  };
  const makeTests = (policy: Policy): PolicyTests => {
    const isWithin = ratings.ages().map((age) => isWithinAge(policy, age));
    const libraries = policy.libraries === 'all' ? undefined : new Set(policy.libraries.map(rows.libraries.find));
    const rules = rulesOf(policy, rows);
    const isInLibrary = (slot: number): boolean =>
      libraries === undefined || libraries.has(rows.libraries.number(slot));
    /** Whether the library and the rating of a row alone allow it. */
    const isAllowed = (slot: number): boolean => isWithin[rows.ratings.number(slot)] === true && isInLibrary(slot);
    if (!rules)
      return {
        item: (slot) => {
          const group = groups.groupOf(slot);
          return isAllowed(slot) && (group < 0 || isAllowed(group));
        },
        group: (slot) => isAllowed(slot) && groups.of(rows.ids.get(slot)).some(isAllowed),
      };
    const item = (slot: number): boolean => {
      const group = groups.groupOf(slot);
      if (!isInLibrary(slot) || (group >= 0 && !isInLibrary(group))) return false;
      return rules.get(slot) ?? rules.get(group) ?? (isAllowed(slot) && (group < 0 || isAllowed(group)));
    };
    return { item, group: (slot) => groups.of(rows.ids.get(slot)).some(item) };
  };
  return {
    showsItem: (policy) => testsOf(policy).item,
    shows: (policy) => {
      const { item, group } = testsOf(policy);
      return (slot) => rows.isThere(slot) && (roleOf(slot) === 'group' ? group(slot) : item(slot));
    },
    hiddenBy: (policy, slot) => {
      if (policy.libraries !== 'all' && !policy.libraries.includes(rows.libraries.get(slot) ?? '')) return 'libraries';
      const item = roleOf(slot) === 'group' ? (groups.of(rows.ids.get(slot))[0] ?? slot) : slot;
      const hidden = new Set(policy.items.hidden);
      if (hidden.has(rows.ids.get(slot)) || hidden.has(rows.ids.get(item))) return 'items';
      const isAbove = [slot, item].map(ratings.ageOf).some((age) => age !== UNRATED && !isWithinAge(policy, age));
      return isAbove ? 'rating' : 'unrated';
    },
    clear: () => {
      prepared = new WeakMap();
    },
  };
}

/** Returns what was decided about rows by hand: true shows them. Undefined if nothing was. */
function rulesOf({ items }: Policy, rows: IndexRows): ReadonlyMap<number, boolean> | undefined {
  if (items.allowed.length + items.hidden.length === 0) return undefined;
  const rules = new Map<number, boolean>();
  for (const id of items.allowed) rules.set(rows.ids.find(id), true);
  for (const id of items.hidden) rules.set(rows.ids.find(id), false);
  // Ids that are not in the index.
  rules.delete(-1);
  return rules;
}
