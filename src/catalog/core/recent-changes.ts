/**
 * Recent changes of what Profiles watch, so that a list that is paged through stays as it was when its first page was
 * read: an item that is played in the meantime keeps its place.
 */
import type { Clock } from '../../lib/clock.ts';
import type { WatchTable } from '../store/tables.ts';
import type { ReportedPlay, WatchChange } from '../store/watching.ts';
import type { WatchRows } from './watch-rows.ts';

/** Maximum number and age of the changes that are kept for each Profile. */
const MAX_CHANGES = 1_000;
const MAX_AGE_MS = 600_000;

type HistoryRow = Omit<ReportedPlay, 'profile'>;

export interface RecentChanges {
  /** Returns a time that is later than every one before it. */
  stamp(): number;
  note(profile: string, change: WatchChange): void;
  /** Returns the rows that changed after `since`, as they were then. */
  rowsBefore(profile: string, since: number): WatchRows;
  /** Returns a history as it was at `since`. */
  historyBefore(profile: string, rows: readonly HistoryRow[], since: number): HistoryRow[];
  forget(profile: string): void;
}

export function createRecentChanges(clock: Clock): RecentChanges {
  /** By Profile, the oldest first. */
  const changes = new Map<string, (WatchChange & { at: number })[]>();
  let stamped = 0;
  const stamp = (): number => (stamped = Math.max(clock.now(), stamped + 1));
  return {
    stamp,
    note: (profile, change) => {
      const own = changes.get(profile) ?? [];
      changes.set(profile, own);
      own.push({ ...change, at: stamp() });
      while (own.length > MAX_CHANGES || (own[0]?.at ?? Infinity) < stamped - MAX_AGE_MS) own.shift();
    },
    rowsBefore: (profile, since) => {
      const rows = new Map<string, WatchTable>();
      for (const { at, before } of changes.get(profile) ?? [])
        if (at > since && !rows.has(before.item)) rows.set(before.item, before);
      return rows;
    },
    historyBefore: (profile, rows, since) => {
      /** The time of each changed session before its first change; null for a session that did not exist. */
      const times = new Map<string, number | null>();
      for (const { at, before, session } of changes.get(profile) ?? []) {
        const key = session && `${before.item} ${session.id}`;
        if (key !== undefined && at > since && !times.has(key)) times.set(key, session?.at ?? null);
      }
      return rows.flatMap((row) => {
        const at = times.get(`${row.item} ${row.session}`);
        return at === undefined ? [row] : at === null ? [] : [{ ...row, at }];
      });
    },
    forget: (profile) => void changes.delete(profile),
  };
}
