/** Which rows a policy allows. A group is visible with at least one of its items, and an item only with its group. */
import type { Policy } from '../../../contract/identity/profiles.ts';
import type { Groups } from './groups.ts';
import type { RowRole } from './roles.ts';
import type { IndexRows } from './rows.ts';
import { RATING_RANK } from './types.ts';

export interface Visibility {
  /** Returns a test of a row's library and rating alone. */
  allows(policy: Policy): (slot: number) => boolean;
  /** Returns a test of whether a row is visible, which considers its group or its items too. */
  shows(policy: Policy): (slot: number) => boolean;
}

export function createVisibility(
  rows: IndexRows,
  groups: Groups,
  roleOf: (slot: number) => RowRole | undefined,
): Visibility {
  const allows = (policy: Policy): ((slot: number) => boolean) => {
    const rank = RATING_RANK[policy.rating];
    const libraries = policy.libraries === 'all' ? undefined : new Set(policy.libraries.map(rows.libraries.find));
    return (slot) =>
      rows.ranks.raw(slot) <= rank && (libraries === undefined || libraries.has(rows.libraries.number(slot)));
  };
  return {
    allows,
    shows: (policy) => {
      const isAllowed = allows(policy);
      return (slot) => {
        if (!rows.isThere(slot) || !isAllowed(slot)) return false;
        if (roleOf(slot) === 'group') return groups.of(rows.ids.get(slot)).some(isAllowed);
        const group = groups.groupOf(slot);
        return group < 0 || isAllowed(group);
      };
    },
  };
}
