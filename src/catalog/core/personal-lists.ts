/** Lists derived from what a Profile has watched: the next items of its groups, and everything that it finished. */
import type { Policy } from '../../contract/identity/profiles.ts';
import type { CardNeeds } from './kind.ts';
import { isContinued, type WatchRows } from './watch-rows.ts';

export interface PersonalLists {
  /**
   * Returns the next item of each group that was watched recently, the latest first. Groups with an item in progress
   * are left out.
   */
  nextUp(watched: WatchRows, most: number): string[];
  /** Returns the ids of items that were watched to the end, and of groups without an unwatched item. */
  finished(watched: WatchRows): Set<string>;
}

export function createPersonalLists({
  index,
  kinds,
  policy,
}: Pick<CardNeeds, 'index' | 'kinds'> & { policy: Policy }): PersonalLists {
  const groupOf = (item: string): string | undefined => index.row(item)?.parent ?? undefined;
  return {
    nextUp: (watched, most) => {
      const rows = [...watched.values()];
      // An item in progress is shown in continue watching instead.
      const passed = new Set(rows.filter(isContinued).map(({ item }) => groupOf(item)));
      const next: string[] = [];
      const latestFirst = rows
        .filter(({ last_played: at }) => at !== null)
        .sort((a, b) => (b.last_played ?? 0) - (a.last_played ?? 0));
      for (const { item } of latestFirst) {
        const group = groupOf(item);
        if (group === undefined || passed.has(group) || !index.isVisible(group, policy)) continue;
        passed.add(group);
        const row = index.row(group);
        const nextOf = row && kinds.group(row.kind)?.next;
        if (!nextOf) continue;
        const found = nextOf(index.itemsOf(group, policy), watched, (id) => index.row(id)?.section ?? null);
        if (found !== undefined) next.push(found);
        if (next.length === most) break;
      }
      return next;
    },
    finished: (watched) => {
      const done = new Set([...watched.values()].filter((row) => row.watched === 1).map(({ item }) => item));
      const groups = new Set([...done].map(groupOf).filter((group) => group !== undefined));
      for (const group of groups) if (index.itemsOf(group, policy).every((id) => done.has(id))) done.add(group);
      return done;
    },
  };
}
