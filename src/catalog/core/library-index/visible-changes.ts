/**
 * The audience of changes: for each changed row, the requirements that a policy has to meet to show it, before and
 * after the change.
 *
 * Many rows need the same library and rating, so a scan of thousands leaves a few entries. Notifications that are
 * derived from them reveal nothing about rows that a policy hides.
 */
import type { Policy } from '../../../contract/identity/profiles.ts';
import type { Groups } from './groups.ts';
import type { IndexRows } from './rows.ts';
import { RATING_RANK } from './types.ts';
import type { RowRole } from './roles.ts';

/** A library, and a rank of rating in it. */
interface Requirement {
  library: string;
  rank: number;
}
/** Requirements of a row: its own and, if there are others, one of these. */
interface Audience {
  own: Requirement;
  others: readonly Requirement[] | undefined;
}

export interface VisibleChanges {
  /** Notes a row as it is now. Call it before and after a change. */
  note(slot: number): void;
  /** Notes all rows of a library that was added, removed or renamed. */
  noteLibrary(library: string): void;
  /** Returns a function that returns whether a policy shows anything that was noted since the last call. */
  take(): (policy: Policy) => boolean;
}

export function createVisibleChanges(
  rows: IndexRows,
  groups: Groups,
  roleOf: (slot: number) => RowRole | undefined,
): VisibleChanges {
  let audiences = new Map<string, Audience>();
  const requirement = (slot: number): Requirement => ({
    library: rows.libraries.get(slot) ?? '',
    rank: rows.ranks.raw(slot),
  });
  const note = (slot: number): void => {
    if (!rows.isThere(slot)) return;
    const group = roleOf(slot) === 'item' ? groups.groupOf(slot) : -1;
    // A group is visible with one of its items, an item with its group.
    const others =
      roleOf(slot) === 'group'
        ? distinct(groups.of(rows.ids.get(slot)).map(requirement))
        : group < 0
          ? undefined
          : [requirement(group)];
    const own = requirement(slot);
    audiences.set([own, ...(others ?? [])].map(keyOf).join() + (others ? '' : ' alone'), { own, others });
  };
  return {
    note,
    noteLibrary: (library) => {
      for (let slot = 0; slot < rows.ids.end(); slot++) if (rows.libraries.get(slot) === library) note(slot);
    },
    take: () => {
      const taken = [...audiences.values()];
      audiences = new Map();
      return ({ libraries, rating }) => {
        const isAllowed = ({ library, rank }: Requirement): boolean =>
          rank <= RATING_RANK[rating] && (libraries === 'all' || libraries.includes(library));
        return taken.some(({ own, others }) => isAllowed(own) && (others === undefined || others.some(isAllowed)));
      };
    },
  };
}

const keyOf = ({ library, rank }: Requirement): string => `${library} ${rank}`;
const distinct = (all: readonly Requirement[]): Requirement[] =>
  [...new Map(all.map((one) => [keyOf(one), one])).values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
