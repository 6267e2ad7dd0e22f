/**
 * Watching: where a Profile is in an item, what it has finished, and what it put on its list.
 *
 * The rows of a Profile, some thousand at most, are cached in memory once it is active, so that a listing needs no
 * database. Every change is written first and cached afterwards.
 */
import type { UserData } from '../../contract/catalog/cards.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CommitCursor } from '../../lib/db/index.ts';
import type { Bus } from '../../lib/bus.ts';
import type { WatchHistoryTable, WatchTable } from '../store/tables.ts';
import type { ReportedPlace } from '../store/listening.ts';
import type { ReportedPlay, WatchingStore } from '../store/watching.ts';
import { createBookListening } from './listening.ts';
import { createRecentChanges } from './recent-changes.ts';
import { createWatchChanges } from './watch-changes.ts';
import { createHistoryEntries } from './watch-history.ts';
import { createReadingPlaces } from './reading-places.ts';
import { refuseStale, userData } from './watch-rows.ts';

/** Fraction of the duration from which an item without a credits marker counts as watched. */
const WATCHED_FRACTION = 0.9;
const MAX_CACHED_PROFILES = 32;
/**
 * In an audiobook, a session that began at the start replaces a place beyond the first minute only when it has played
 * for half a minute: a second device may begin there by mistake.
 */
const PLACE_KEPT_BEYOND_S = 60;
const PLAYED_AT_LEAST_S = 30;

interface WatchingNeeds {
  store: WatchingStore;
  bus: Bus;
  clock: Clock;
}

export interface WatchProgress {
  position: number;
  watched?: boolean | undefined;
  session?: string | undefined;
  sequence?: number | undefined;
  /** Start of the credits in seconds, if a marker states it. */
  credits?: number | undefined;
  /** Whether the place in the item is hard to find again, as in an audiobook. */
  isPlaceKept?: boolean | undefined;
  /** Name of the device that reported it, for the last places. */
  device?: string | undefined;
  /** The group of the item: playing one of its items shows it in next up again. */
  group?: string | undefined;
}

/** Compares rows of a history: the latest first. */
export const byTime = (
  a: Pick<WatchHistoryTable, 'at' | 'item' | 'session'>,
  b: Pick<WatchHistoryTable, 'at' | 'item' | 'session'>,
): number => b.at - a.at || byText(a.item, b.item) || byText(a.session, b.session);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Applies a report of progress to a row. Throws `Failure('conflict')` if its sequence is not above the last one of its
 * session.
 */
export function advance(
  now: WatchTable,
  report: WatchProgress,
  { at, duration }: { at: number; duration: number | undefined },
): WatchTable {
  const { position, session, sequence } = report;
  refuseStale(now, report);
  const isNewAtStart = session !== undefined && session !== now.session && position < PLAYED_AT_LEAST_S;
  if (report.isPlaceKept && isNewAtStart && report.watched === undefined && now.position > PLACE_KEPT_BEYOND_S)
    return now;
  const end =
    report.credits ??
    (duration === undefined || duration <= 0 ? Number.POSITIVE_INFINITY : duration * WATCHED_FRACTION);
  const isFinished = report.watched ?? position >= end;
  // Finishing resets the position, so an item with a position is being watched again.
  const isWatchedAgain = isFinished && (now.watched === 0 || now.position > 0);
  return {
    ...now,
    // The next play of a finished item starts at the beginning.
    position: isFinished ? 0 : position,
    watched: report.watched === undefined && !isFinished ? now.watched : isFinished ? 1 : 0,
    play_count: now.play_count + (isWatchedAgain ? 1 : 0),
    last_played: session === undefined && report.watched === false ? now.last_played : at,
    part: null,
    part_offset: null,
    percent: null,
    file: null,
    file_offset: null,
    dismissed: 0,
    session: session ?? now.session,
    sequence: session === undefined ? now.sequence : (sequence ?? null),
  };
}

/** Returns the entry of the history that a report makes; undefined for what only a person unmarked or moved. */
function playOf({ profile, item, report, at }: DatedReport, { watched }: WatchTable): ReportedPlay | undefined {
  const { session, position } = report;
  if (session === undefined && watched === 0) return undefined;
  return { profile, item, session: session ?? `by-hand-${at}`, at, position, watched };
}

/** Keeps the rows of the Profiles that were active last. */
function createRowCache(store: Pick<WatchingStore, 'all'>) {
  const cached = new Map<string, Promise<Map<string, WatchTable>>>();
  return {
    rows: (profile: string): Promise<Map<string, WatchTable>> => {
      const known = cached.get(profile);
      if (known) return known;
      const loading = store.all(profile).then((all) => new Map(all.map((row) => [row.item, row])));
      loading.catch(() => cached.delete(profile));
      cached.set(profile, loading);
      const oldest = cached.keys().next().value;
      if (cached.size > MAX_CACHED_PROFILES && oldest !== undefined) cached.delete(oldest);
      return loading;
    },
    /** Replaces rows of a Profile, if its rows are cached. */
    set: async (profile: string, next: readonly WatchTable[]): Promise<void> => {
      const known = await cached.get(profile);
      for (const row of next) known?.set(row.item, row);
    },
    drop: (profile: string) => void cached.delete(profile),
    clear: () => cached.clear(),
  };
}

/** The start of a book is no place to go back to. */
const MIN_PLACE_S = 10;

/** A report of progress on its way to the store. */
interface DatedReport {
  profile: string;
  item: string;
  report: WatchProgress;
  at: number;
}
/** Entry of the history and last place that a change adds. */
type KeptReport = Pick<Parameters<WatchingStore['change']>[2], 'session' | 'place'>;

const keptOf = (given: DatedReport): KeptReport => ({
  session: (next) => playOf(given, next),
  ...(given.report.isPlaceKept && { place: (isMoved) => (isMoved ? placeOf(given) : undefined) }),
});

/** Returns the place that a report makes; undefined for what only a person marked, and at the start. */
function placeOf({ profile, item, report, at }: DatedReport): ReportedPlace | undefined {
  const { session = '', position, watched, device = null } = report;
  if (position < MIN_PLACE_S || (session === '' && watched !== undefined)) return undefined;
  return { profile, item, session, at, position, device };
}

export function createWatching({ store, bus, clock }: WatchingNeeds) {
  const cache = createRowCache(store);
  const recent = createRecentChanges(clock);
  let [changes, reloads] = [0, 0];
  const changesOf = new Map<string, number>();

  const changed = (profile: string): void => {
    changes++;
    changesOf.set(profile, changes);
    bus.announce('watching.changed');
  };
  const { rows } = cache;
  const change = async (
    profile: string,
    item: string,
    how: (now: WatchTable) => WatchTable,
    kept: KeptReport = {},
  ): Promise<WatchTable> => {
    await rows(profile);
    const next = await store.change(profile, item, {
      ...kept,
      change: how,
      changing: (noted) => recent.note(profile, noted),
    });
    // The rows may have been dropped and loaded again in between.
    await cache.set(profile, [next]);
    changed(profile);
    return next;
  };
  const showAgain = async (profile: string, group: string): Promise<void> => {
    if ((await rows(profile)).get(group)?.dismissed === 1)
      await change(profile, group, (now) => ({ ...now, dismissed: 0 }));
  };
  const entries = createHistoryEntries({ store, stamp: recent.stamp, changed });
  const changesOfMany = createWatchChanges({
    store,
    stamp: recent.stamp,
    changing: recent.note,
    changed: async (profile, next) => {
      await cache.set(profile, next);
      changed(profile);
    },
    marked: (now, mark, at) => advance(now, { position: 0, watched: mark === 'watched' }, { at, duration: undefined }),
  });
  return {
    rows,
    /** Returns the time at which a list starts to be paged through. */
    stamp: recent.stamp,
    before: recent.rowsBefore,
    /** Grows with every change of any Profile. */
    version: () => changes,
    /** Grows with every change of one Profile. */
    versionOf: (profile: string) => (changesOf.get(profile) ?? 0) + reloads,
    progress: async (
      profile: string,
      item: string,
      report: WatchProgress,
      duration: number | undefined,
    ): Promise<UserData> => {
      if (report.session !== undefined && report.group !== undefined) await showAgain(profile, report.group);
      const at = recent.stamp();
      const kept = keptOf({ profile, item, report, at });
      return userData(await change(profile, item, (now) => advance(now, report, { at, duration }), kept));
    },
    now: clock.now,
    /** Reads all positions again, which a scan computed from changed files. */
    reload: () => {
      cache.clear();
      reloads++;
      changes++;
      bus.announce('watching.changed');
    },
    /** The last places of Profiles in audiobooks, and how they listen to them. */
    listening: createBookListening({ store, now: clock.now }),
    /** Shows a group in the list of next items again, which was hidden there by `dismiss`. */
    showAgain,
    /** Places of Profiles in books. */
    reading: createReadingPlaces({ rows, stamp: recent.stamp, change }),
    dismiss: (profile: string, item: string) =>
      change(profile, item, (now) => ({ ...now, dismissed: 1 })).then(userData),
    list: (profile: string, item: string, isListed: boolean) =>
      change(profile, item, (now) => ({ ...now, listed: isListed ? (now.listed ?? clock.now()) : null })).then(
        userData,
      ),
    /** Rates an item from 0 to 10; null removes the rating. */
    rate: (profile: string, item: string, rating: number | null) =>
      change(profile, item, (now) => ({ ...now, rating })).then(userData),
    /** Returns one row for each session of an item, the latest first; with `began`, as it was at that time. */
    history: async (profile: string, began = Infinity): Promise<Omit<ReportedPlay, 'profile'>[]> =>
      recent.historyBefore(profile, await store.history(profile), began).sort(byTime),
    /** Entries of the history by id: `remove` and `restore`. What is watched, and how far, stays as it is. */
    entries,
    /** Changes of many items at once: `mark` and `undo`. */
    changes: changesOfMany,
    forgetProfile: async (profile: string, commitCursor: CommitCursor) => {
      await store.forgetProfile(profile, commitCursor);
      recent.forget(profile);
      changesOfMany.forget(profile);
      cache.drop(profile);
      changes++;
    },
    forgetBefore: async (at: number): Promise<void> => {
      await store.forgetBefore(at);
      await store.forgetPlacesBefore(at);
      await entries.purge();
      changes++;
    },
  };
}
export type Watching = ReturnType<typeof createWatching>;
