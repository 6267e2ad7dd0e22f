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
  /** Notes all rows of a library that was added or renamed, went away or came back, as they are when they are taken. */
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
  /** Libraries of which all rows are noted: their rows are read only if a policy does not show one of the first. */
  let whole = new Set<string>();
  const agesOf = (slot: number, group: number): readonly number[] =>
    group < 0 ? [ratings.ageOf(slot)] : [ratings.ageOf(slot), ratings.ageOf(group)];
  const noteItem = (slot: number): void => {
    const group = groups.groupOf(slot);
    const library = rows.libraries.get(slot) ?? '';
    const ages = agesOf(slot, group);
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
  const isAnyShown = (library: string, isShown: AudienceTest): boolean => {
    const number = rows.libraries.find(library);
    if (number === undefined) return false;
    for (let slot = 0; slot < rows.ids.end(); slot++) {
      if (rows.libraries.number(slot) !== number || !rows.isThere(slot) || roleOf(slot) === 'group') continue;
      const group = groups.groupOf(slot);
      if (isShown(agesOf(slot, group), () => [[rows.ids.get(slot), group < 0 ? '' : rows.ids.get(group)]])) return true;
    }
    return false;
  };
  return {
    note,
    noteLibrary: (library) => void whole.add(library),
    noteAll: () => {
      for (let slot = 0; slot < rows.ids.end(); slot++) note(slot);
    },
    take: () => {
      const [taken, libraries] = [[...audiences.values()], [...whole]];
      [audiences, whole] = [new Map(), new Set()];
      return (policy) => {
        const isShown = audienceTest(policy);
        const isOpen = (library: string) => policy.libraries === 'all' || policy.libraries.includes(library);
        return (
          taken.some(({ library, ages, items }) => isOpen(library) && isShown(ages, () => items.entries())) ||
          libraries.some((library) => isOpen(library) && isAnyShown(library, isShown))
        );
      };
    },
  };
}

/** Whether a policy shows one of the items that need these ages; `items` has the id of each and of its group. */
type AudienceTest = (ages: readonly number[], items: () => Iterable<readonly [string, string]>) => boolean;

function audienceTest(policy: Policy): AudienceTest {
  const hasRules = policy.items.allowed.length + policy.items.hidden.length > 0;
  const allowed = new Set(policy.items.allowed);
  const hidden = new Set(policy.items.hidden);
  const ruleOf = (id: string) => (hidden.has(id) ? false : allowed.has(id) ? true : undefined);
  return (ages, items) => {
    const isWithin = ages.every((age) => isWithinAge(policy, age));
    if (!hasRules) return isWithin;
    return Iterator.from(items()).some(([id, group]) => ruleOf(id) ?? ruleOf(group) ?? isWithin);
  };
}
