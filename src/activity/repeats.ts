/**
 * Frequent actions of a Viewer, merged by the minute, so that one Viewer does not fill the log.
 *
 * The first of each kind in an hour are recorded with their change, one by one. Those after them are counted, and
 * recorded as one entry a minute with their count. A process that is killed loses the counts of at most one minute.
 */
import { ACTIVITY_KINDS } from '../contract/activity/kinds.ts';
import type { Clock } from '../lib/clock.ts';
import { MERGE_MS } from './attempts.ts';
import type { ActivityEvent } from './types.ts';

const HOUR_MS = 3_600_000;
/** Entries of a kind that a Viewer has one by one in an hour. Someone who skips through music plays many tracks. */
export const ONE_BY_ONE = { record: 30, playback: 120 } as const;

interface Tally {
  since: number;
  count: number;
  /** Those that are not recorded yet, as one event, and since when by the monotonic clock. */
  merged?: { event: ActivityEvent; count: number; since: number };
}

export interface Repeats {
  /** Returns whether a Viewer had its entries of this kind for the present hour, so that this one is merged. */
  isMany(viewer: string, event: ActivityEvent): boolean;
  /** Counts an event that was done, for the merged entry of its minute. */
  add(viewer: string, event: ActivityEvent): void;
  /** Returns the merged events whose minute is over; with `isAll`, of every minute. */
  take(isAll?: boolean): ActivityEvent[];
}

export function createRepeats(clock: Pick<Clock, 'monotonic'>): Repeats {
  // There are as many as kinds and Viewers, at most.
  const tallies = new Map<string, Tally>();
  const keyOf = (viewer: string, { kind }: ActivityEvent): string => `${kind} ${viewer}`;
  const tallyOf = (key: string): Tally => {
    const now = clock.monotonic();
    const before = tallies.get(key);
    if (before && now - before.since < HOUR_MS) return before;
    const tally: Tally = { since: now, count: 0, ...(before?.merged && { merged: before.merged }) };
    tallies.set(key, tally);
    return tally;
  };
  return {
    isMany: (viewer, event) => {
      const tally = tallyOf(keyOf(viewer, event));
      if (tally.count >= ONE_BY_ONE[ACTIVITY_KINDS[event.kind].category === 'playback' ? 'playback' : 'record'])
        return true;
      tally.count += 1;
      return false;
    },
    add: (viewer, event) => {
      const tally = tallyOf(keyOf(viewer, event));
      const { merged } = tally;
      if (!merged) tally.merged = { event, count: 1, since: clock.monotonic() };
      else {
        merged.count += 1;
        if (merged.event.target !== event.target) merged.event = { ...merged.event, target: undefined };
      }
    },
    take: (isAll = false) => {
      const now = clock.monotonic();
      return [...tallies].flatMap(([key, tally]) => {
        const { merged, since } = tally;
        if (!merged && now - since >= HOUR_MS) tallies.delete(key);
        if (!merged) return [];
        if (!isAll && now - merged.since < MERGE_MS) return [];
        delete tally.merged;
        return [{ ...merged.event, count: merged.count }];
      });
    },
  };
}
