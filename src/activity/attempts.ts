/**
 * Refused attempts, merged by the minute, so that a flood of them does not fill the log.
 *
 * The first attempt of its kind, Profile and network is recorded at once. Those of the minute after it are counted, and
 * recorded as one entry with their count. Above so many networks, Profiles and kinds in a minute, the rest is counted
 * together by kind. A process that is killed loses the counts of at most one minute, never a first attempt.
 */
import type { Clock } from '../lib/clock.ts';
import type { ActivityEvent } from './types.ts';

export const MERGE_MS = 60_000;
/** Groups of a minute that have a separate entry. */
const MAX_GROUPS = 64;
const HOUR_MS = 3_600_000;
/** Attempts within an hour that are worth a notice: against one Profile, and against names that do not exist. */
const NOTABLE = { profile: 5, unknown: 20 } as const;
/** A notice is not repeated for this long. */
const QUIET_MS = 12 * HOUR_MS;
const MAX_TALLIES = 1_000;

interface Group {
  event: ActivityEvent;
  /** Attempts that are not recorded yet. */
  count: number;
  /** By the monotonic clock. */
  until: number;
}
interface Tally {
  count: number;
  since: number;
  notifiedAt: number | undefined;
}

export interface Attempts {
  /** Returns the event to record now; undefined if it was counted for later. */
  add(event: ActivityEvent): ActivityEvent | undefined;
  /** Returns the merged events whose minute is over; with `isAll`, of every minute. */
  take(isAll?: boolean): ActivityEvent[];
  /** Whether people are notified with this entry of attempts. */
  isNotable(event: ActivityEvent): boolean;
}

export function createAttempts(clock: Pick<Clock, 'monotonic'>): Attempts {
  const groups = new Map<string, Group>();
  const tallies = new Map<string, Tally>();

  const tally = ({ kind, profile = '' }: ActivityEvent): void => {
    const key = `${kind} ${profile}`;
    const now = clock.monotonic();
    const before = tallies.get(key);
    const isNew = !before || now - before.since >= HOUR_MS;
    tallies.delete(key);
    tallies.set(
      key,
      isNew ? { count: 1, since: now, notifiedAt: before?.notifiedAt } : { ...before, count: before.count + 1 },
    );
    for (const oldest of tallies.keys()) {
      if (tallies.size <= MAX_TALLIES) break;
      tallies.delete(oldest);
    }
  };
  const isOver = ({ until }: Group): boolean => clock.monotonic() >= until;
  const sweep = (): void => {
    for (const [key, group] of groups) if (isOver(group) && group.count === 0) groups.delete(key);
  };

  return {
    add: (event) => {
      tally(event);
      sweep();
      const own = `${event.kind} ${event.profile ?? ''} ${event.target ?? ''} ${event.place?.network ?? ''}`;
      const isCrowded = !groups.has(own) && groups.size >= MAX_GROUPS;
      const key = isCrowded ? event.kind : own;
      const group = groups.get(key);
      if (group) {
        group.count += 1;
        return undefined;
      }
      const kept: ActivityEvent = isCrowded
        ? { ...event, profile: undefined, target: undefined, place: undefined, by: undefined }
        : event;
      groups.set(key, { event: kept, count: 0, until: clock.monotonic() + MERGE_MS });
      return kept;
    },
    take: (isAll = false) => {
      const due = [...groups].filter(([, group]) => isAll || isOver(group));
      for (const [key] of due) groups.delete(key);
      return due.flatMap(([, { event, count }]) => (count > 0 ? [{ ...event, count }] : []));
    },
    isNotable: ({ kind, profile }) => {
      const of = tallies.get(`${kind} ${profile ?? ''}`);
      const now = clock.monotonic();
      if (!of || of.count < (profile === undefined ? NOTABLE.unknown : NOTABLE.profile)) return false;
      if (of.notifiedAt !== undefined && now - of.notifiedAt < QUIET_MS) return false;
      of.notifiedAt = now;
      return true;
    },
  };
}
