/** Lists derived from what a Profile has watched: the next items of its groups, and everything that it finished. */
import type { Policy } from '../../contract/identity/profiles.ts';
import type { CardNeeds, NextUpOptions } from './kind.ts';
import { isContinued, isLongEnoughToContinue, type WatchRows } from './watch-rows.ts';

/** Time without any activity after which a group is not offered. */
const IDLE_MS = 365 * 24 * 60 * 60 * 1000;

export interface PersonalLists {
  /**
   * Returns the next item of each group that was watched recently, the latest first. Groups with an item in progress,
   * groups that the Profile hid and those that were not watched for a year are left out. A new item counts as activity.
   */
  nextUp(watched: WatchRows, most: number, options: NextUpOptions): string[];
  /** Returns the ids of items that were watched to the end, and of groups without an unwatched item. */
  finished(watched: WatchRows): Set<string>;
}

export function createPersonalLists({
  index,
  kinds,
  policy,
}: Pick<CardNeeds, 'index' | 'kinds'> & { policy: Policy }): PersonalLists {
  const groupOf = (item: string): string | undefined => index.row(item)?.parent ?? undefined;
  const isGroup = (id: string): boolean => {
    const row = index.row(id);
    return row !== undefined && kinds.group(row.kind) !== undefined;
  };
  return {
    nextUp: (watched, most, { now, isRewatch }) => {
      const rows = [...watched.values()];
      // An item in progress is shown in continue watching instead.
      const continued = rows.filter((row) => isContinued(row) && isLongEnoughToContinue(index.row(row.item)?.duration));
      const passed = new Set(continued.map(({ item }) => groupOf(item)));
      const next: string[] = [];
      for (const row of rows) if (row.dismissed === 1 && isGroup(row.item)) passed.add(row.item);
      const latestFirst = rows
        .filter(({ last_played: at }) => at !== null)
        .sort((a, b) => (b.last_played ?? 0) - (a.last_played ?? 0));
      for (const { item, last_played: at } of latestFirst) {
        const group = groupOf(item);
        if (group === undefined || passed.has(group) || !index.isVisible(group, policy)) continue;
        passed.add(group);
        const row = index.row(group);
        const nextOf = row && kinds.group(row.kind)?.nextUp;
        if (!nextOf) continue;
        const items = index.itemsOf(group, policy);
        const found = nextOf(items, watched, index.row, isRewatch);
        const active = Math.max(at ?? 0, found === undefined ? 0 : (index.row(found)?.added ?? 0));
        if (found !== undefined && active >= now - IDLE_MS) next.push(found);
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
