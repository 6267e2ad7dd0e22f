/**
 * Ratings of rows: which certification counts, and its age.
 *
 * An Owner's rating of an item has precedence over its tags. The one of a group also counts for its items, unless they
 * have their own: one that an Owner set, or a stated one that differs from that of the group. Tools write the rating of
 * a show into each of its episodes, so an equal one says nothing about the episode.
 */
import { ageOf } from '../../naming/ages.ts';
import type { Groups } from './groups.ts';
import type { RowRole } from './roles.ts';
import type { IndexRows } from './rows.ts';
import type { ItemRating } from './types.ts';

/** Age of a row without a rating, above every real one. */
export const UNRATED = 255;

export interface Ratings {
  /** Returns the age of each number of `rows.ratings`; `UNRATED` for those without one. */
  ages(): readonly number[];
  /** The age of a row; `UNRATED` without one. */
  ageOf(slot: number): number;
  of(slot: number): ItemRating;
  /** Returns the rows whose rating depends on that of this row: itself and, for a group, its items. */
  reach(slot: number): readonly number[];
  /** Computes the rating of a row that was put, and of its items if it is a group that an Owner rated. */
  refresh(slot: number): void;
  /** Computes the ratings of the items of a group that was dropped. */
  dropped(group: string): void;
  /** Computes all ratings, after rows were loaded in any order. */
  refreshAll(): void;
  /** Replaces the rating that an Owner set; undefined removes it. */
  set(id: string, rating: string | undefined): void;
  setAll(ratings: ReadonlyMap<string, string>): void;
  /** Reads certifications that name no country as those of this one. */
  useCountry(country: string | undefined): void;
}

export function createRatings(rows: IndexRows, groups: Groups, roleOf: (slot: number) => RowRole | undefined): Ratings {
  /** Certifications that Owners set, by the id of the item. */
  const byHand = new Map<string, string>();
  let household: string | undefined;
  let known: number[] = [];

  const ages = (): readonly number[] => {
    const { values } = rows.ratings;
    for (let number = known.length; number < values.length; number++)
      known.push(ageOf(values[number], household) ?? UNRATED);
    return known;
  };
  const counting = (slot: number): string | null => {
    if (byHand.size === 0) return rows.stated.get(slot);
    const own = byHand.get(rows.ids.get(slot));
    if (own !== undefined) return own;
    const stated = rows.stated.get(slot);
    const group = roleOf(slot) === 'item' ? groups.groupOf(slot) : -1;
    const ofGroup = group < 0 ? undefined : byHand.get(rows.ids.get(group));
    return ofGroup !== undefined && (stated === null || stated === rows.stated.get(group)) ? ofGroup : stated;
  };
  const put = (slot: number) => rows.ratings.put(slot, counting(slot));
  const reach = (slot: number): readonly number[] =>
    roleOf(slot) === 'group' ? [slot, ...groups.of(rows.ids.get(slot))] : [slot];

  return {
    ages,
    ageOf: (slot) => ages()[rows.ratings.number(slot)] ?? UNRATED,
    reach,
    of: (slot) => {
      const age = ages()[rows.ratings.number(slot)] ?? UNRATED;
      return {
        rating: rows.ratings.get(slot),
        age: age === UNRATED ? undefined : age,
        set: byHand.get(rows.ids.get(slot)),
        stated: rows.stated.get(slot),
      };
    },
    refresh: (slot) => {
      if (byHand.size === 0) return;
      put(slot);
      if (roleOf(slot) === 'group' && byHand.has(rows.ids.get(slot))) reach(slot).forEach(put);
    },
    dropped: (group) => {
      if (byHand.has(group)) groups.of(group).forEach(put);
    },
    refreshAll: () => {
      for (let slot = 0; slot < rows.ids.end(); slot++) if (rows.isThere(slot)) put(slot);
    },
    set: (id, rating) => {
      if (rating === undefined) byHand.delete(id);
      else byHand.set(id, rating);
      const slot = rows.ids.find(id);
      if (slot >= 0) reach(slot).forEach(put);
    },
    setAll: (ratings) => {
      for (const [id, rating] of ratings) byHand.set(id, rating);
    },
    useCountry: (country) => {
      household = country;
      known = [];
    },
  };
}
