/**
 * The audience of changes: for each changed item, what a policy has to allow to show it, before and after the change.
 *
 * Many items need the same library and ages, so a scan of thousands leaves a few audiences. The ids in them are read
 * only for policies that allow or hide items by hand. Notifications that are derived from audiences reveal nothing
 * about rows that a policy hides.
 */
import type { Policy } from '../../../contract/identity/profiles.ts';
import type { Groups } from './groups.ts';
import type { Ratings } from './ratings.ts';
import type { IndexRows } from './rows.ts';
import type { RowRole } from './roles.ts';
import { isWithinAge } from './visibility.ts';

/** Items of one library with the same ages. */
interface Audience {
  library: string;
  /** The age of the items and, if they are in a group, that of the group. */
  ages: readonly number[];
  /** Ids of the items, each with that of its group; empty without one. */
  items: Map<string, string>;
}

export interface VisibleChanges {
  /** Notes a row as it is now. Call it before and after a change. */
  note(slot: number): void;
  /** Notes all rows of a library that was added, removed or renamed. */
  noteLibrary(library: string): void;
  /** Notes all rows, because certifications are read differently. */
  noteAll(): void;
  /** Returns a function that returns whether a policy shows anything that was noted since the last call. */
  take(): (policy: Policy) => boolean;
}

export function createVisibleChanges(
  rows: IndexRows,
  groups: Groups,
  ratings: Pick<Ratings, 'ageOf'>,
  roleOf: (slot: number) => RowRole | undefined,
): VisibleChanges {
  let audiences = new Map<string, Audience>();
  const noteItem = (slot: number): void => {
    const group = groups.groupOf(slot);
    const library = rows.libraries.get(slot) ?? '';
    const ages = group < 0 ? [ratings.ageOf(slot)] : [ratings.ageOf(slot), ratings.ageOf(group)];
    const key = `${library} ${ages.join()}`;
    const audience = audiences.get(key) ?? { library, ages, items: new Map() };
    audience.items.set(rows.ids.get(slot), group < 0 ? '' : rows.ids.get(group));
    audiences.set(key, audience);
  };
  const note = (slot: number): void => {
    if (!rows.isThere(slot)) return;
    // A group is visible with one of its items.
    if (roleOf(slot) === 'group') groups.of(rows.ids.get(slot)).forEach(noteItem);
    else noteItem(slot);
  };
  return {
    note,
    noteLibrary: (library) => {
      for (let slot = 0; slot < rows.ids.end(); slot++) if (rows.libraries.get(slot) === library) note(slot);
    },
    noteAll: () => {
      for (let slot = 0; slot < rows.ids.end(); slot++) note(slot);
    },
    take: () => {
      const taken = [...audiences.values()];
      audiences = new Map();
      return (policy) => {
        const hasRules = policy.items.allowed.length + policy.items.hidden.length > 0;
        const allowed = new Set(policy.items.allowed);
        const hidden = new Set(policy.items.hidden);
        return taken.some(({ library, ages, items }) => {
          if (policy.libraries !== 'all' && !policy.libraries.includes(library)) return false;
          const isWithin = ages.every((age) => isWithinAge(policy, age));
          if (!hasRules) return isWithin;
          const ruleOf = (id: string) => (hidden.has(id) ? false : allowed.has(id) ? true : undefined);
          return items.entries().some(([id, group]) => ruleOf(id) ?? ruleOf(group) ?? isWithin);
        });
      };
    },
  };
}
