/**
 * Time that Profiles with a limit have played on each of their days.
 *
 * It is counted in memory and written within seconds, so a server that is killed forgets a few seconds at most. Days
 * are kept by their date: a wall clock that ran ahead for a while neither adds nor takes time of the right day.
 */
import type { DayTime } from '../../contract/identity/viewing.ts';
import { iso } from '../../lib/clock.ts';
import { found } from '../../lib/failure.ts';
import { DAY, type Core } from '../core.ts';
import type { WatchedStore } from '../store/watched.ts';
import type { ProfileRow } from '../types.ts';
import { isWithinWindows, nextWindowChange } from '../windows.ts';
import { profileDayAt } from './days.ts';
import { grantedOn, hoursOpenUntil } from './grants.ts';

/** Time of a Profile on its present day, in milliseconds. */
export interface TimeToday {
  limit: number;
  /** Part of the limit that was added for this day only. */
  granted: number;
  used: number;
  isOver: boolean;
  nextDayAt: number;
}

export interface ViewingTime {
  /** Returns the time of a Profile; undefined if it has no limit. */
  timeOf(profile: string): TimeToday | undefined;
  /** Counts time that a Profile with a limit has played; that of all others is not counted. */
  watched(profile: string, ms: number): void;
  /** As replies carry it. Fails as `missing` for a Profile that is none. */
  shown(profile: string): DayTime;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
  /** Writes, and forgets days that are long over. */
  tidy(): Promise<void>;
}

/** Days that are kept, because a wall clock may be set back. */
const KEPT_MS = 35 * DAY;
const MINUTE_MS = 60_000;

export async function createViewingTime(core: Core, store: WatchedStore): Promise<ViewingTime> {
  const { identities, clock, log } = core;
  const keyOf = (profile: string, day: string): string => `${profile} ${day}`;
  const played = new Map((await store.all()).map((row) => [keyOf(row.profile, row.day), row]));
  const changed = new Set<string>();
  let writing: Promise<void> | undefined;

  /** Returns a Profile with its time for each day; undefined for one without. */
  const limited = (profile: string) => {
    const row = identities.profiles.get(profile);
    const daily = row?.role === 'viewer' ? row.policy.daily : undefined;
    return row && daily && { row, daily };
  };
  const hoursOf = (row: ProfileRow): Pick<DayTime, 'hours'> => {
    const { windows } = row.policy;
    if (windows.length === 0) return {};
    const now = clock.now();
    const openedUntil = hoursOpenUntil(row, now);
    const isWithin = isWithinWindows(windows, now);
    const next = nextWindowChange(windows, now);
    // Hours that a grant has opened close with it, unless they are open then anyway.
    const changesAt = isWithin ? next && Math.max(next, openedUntil) : openedUntil || next;
    return {
      hours: { open: isWithin || openedUntil > now, ...(changesAt !== undefined && { changesAt: iso(changesAt) }) },
    };
  };
  const timeOf = (profile: string): TimeToday | undefined => {
    const of = limited(profile);
    if (!of) return undefined;
    const { row, daily } = of;
    const { day, endsAt } = profileDayAt(daily, clock.now());
    const used = played.get(keyOf(profile, day))?.ms ?? 0;
    const granted = grantedOn(row, day);
    const limit = daily.minutes * MINUTE_MS + granted;
    return { limit, granted, used, isOver: used >= limit, nextDayAt: endsAt };
  };
  const write = async (): Promise<void> => {
    while (changed.size > 0) {
      const keys = [...changed];
      changed.clear();
      try {
        await store.put(keys.flatMap((key) => played.get(key) ?? []));
      } catch (error) {
        // It is tried again with the next time that is counted.
        for (const key of keys) changed.add(key);
        log.fault('identity.watched', error);
        return;
      }
    }
  };
  const flush = async (): Promise<void> => {
    await writing;
    writing ??= write().finally(() => (writing = undefined));
    await writing;
  };

  return {
    timeOf,
    watched: (profile, ms) => {
      const of = limited(profile);
      if (!of || !(ms > 0)) return;
      const { day } = profileDayAt(of.daily, clock.now());
      const key = keyOf(profile, day);
      played.set(key, { profile, day, ms: Math.round((played.get(key)?.ms ?? 0) + ms) });
      changed.add(key);
      void flush();
    },
    shown: (profile) => {
      const hours = hoursOf(found(identities.profiles.get(profile), 'no such profile', 'no-such-profile'));
      const time = timeOf(profile);
      if (!time) return hours;
      const { limit, granted, used, nextDayAt } = time;
      const left = Math.max(0, limit - used);
      return {
        limit: {
          seconds: limit / 1000,
          used: used / 1000,
          left: left / 1000,
          granted: granted / 1000,
          nextDayAt: iso(nextDayAt),
        },
        ...hours,
      };
    },
    flush,
    tidy: async () => {
      await flush();
      const oldest = iso(clock.now() - KEPT_MS).slice(0, 10);
      const isOver = ([, row]: [string, { profile: string; day: string }]): boolean =>
        row.day < oldest || !identities.profiles.has(row.profile);
      const over = [...played].filter(isOver);
      if (over.length === 0) return;
      await store.forgetBefore(oldest);
      for (const [key] of over) played.delete(key);
    },
  };
}
