/**
 * Watching: where a Profile is in an item, what it has finished, and what it put on its list.
 *
 * A Profile's rows are kept in memory once it is seen (some thousand at most), so that a listing asks
 * the database for nothing; every change is written first and kept after.
 */
import type { UserData } from '../contract/catalog/cards.ts';
import type { Clock } from '../lib/clock.ts';
import { iso } from '../lib/clock.ts';
import type { CommitCursor } from '../lib/db/index.ts';
import { Failure } from '../lib/failure.ts';
import type { Bus } from '../lib/bus.ts';
import type { HistoryTable, WatchTable } from './store/tables.ts';
import type { WatchChange, WatchingStore } from './store/watching.ts';

/** From here on an item without a marker of its credits counts as watched. */
const WATCHED_AT = 0.9;
/** Less than this is a look inside, and not worth continuing. */
const BEGUN_S = 30;
const PROFILES_KEPT = 32;
/** Changes of a Profile that pages of a list begun before them still take into account, and for how long. */
const CHANGES_KEPT = 1_000;
const CHANGES_KEPT_MS = 600_000;

export interface Progress {
  position: number;
  watched?: boolean | undefined;
  session?: string | undefined;
  sequence?: number | undefined;
  /** Seconds from which on only the credits are left, where a marker says so. */
  credits?: number | undefined;
}

/** The order of a history: the latest first. */
export const byTime = (
  a: Pick<HistoryTable, 'at' | 'item' | 'session'>,
  b: Pick<HistoryTable, 'at' | 'item' | 'session'>,
): number => b.at - a.at || byText(a.item, b.item) || byText(a.session, b.session);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export type Rows = ReadonlyMap<string, WatchTable>;

export const NO_DATA: UserData = { position: 0, watched: false, playCount: 0, listed: false };

/** A row as replies carry it. */
export const userData = (row: WatchTable | undefined): UserData =>
  row === undefined
    ? NO_DATA
    : {
        position: row.position,
        watched: row.watched === 1,
        playCount: row.play_count,
        listed: row.listed !== null,
        ...(row.rating !== null && { rating: row.rating }),
        ...(row.last_played !== null && { lastPlayedAt: iso(row.last_played) }),
      };

/** Whether an item is begun, also once more after it was finished, and was not taken off the row. */
export const isContinued = (row: WatchTable): boolean => row.position >= BEGUN_S && row.dismissed === 0;

/** What a report of progress makes of a row. A sequence that is not above the last one of its session is stale. */
export function advance(
  now: WatchTable,
  report: Progress,
  { at, duration }: { at: number; duration: number | undefined },
): WatchTable {
  const { position, session, sequence } = report;
  if (
    session !== undefined &&
    sequence !== undefined &&
    now.session === session &&
    now.sequence !== null &&
    sequence <= now.sequence
  )
    throw new Failure('conflict', 'a later report of this session is already here');
  const end =
    report.credits ?? (duration === undefined || duration <= 0 ? Number.POSITIVE_INFINITY : duration * WATCHED_AT);
  const isFinished = report.watched ?? position >= end;
  // Finishing puts the place back to the start, so what has a place is being watched anew.
  const isOnceMore = isFinished && (now.watched === 0 || now.position > 0);
  return {
    ...now,
    // Marked unwatched by hand without a place: from the start. Finished: the next play begins at the start too.
    position: isFinished ? 0 : position,
    watched: report.watched === undefined && !isFinished ? now.watched : isFinished ? 1 : 0,
    play_count: now.play_count + (isOnceMore ? 1 : 0),
    last_played: session === undefined && report.watched === false ? now.last_played : at,
    dismissed: 0,
    session: session ?? now.session,
    sequence: session === undefined ? now.sequence : (sequence ?? null),
  };
}

export function createWatching({ store, bus, clock }: { store: WatchingStore; bus: Bus; clock: Clock }) {
  const kept = new Map<string, Promise<Map<string, WatchTable>>>();
  let changes = 0;
  const changesOf = new Map<string, number>();
  /** The latest changes of each Profile's rows, the oldest first. */
  const recent = new Map<string, (WatchChange & { at: number })[]>();
  let stamped = 0;
  /** Returns a time that is later than every one before it. */
  const stamp = (): number => (stamped = Math.max(clock.now(), stamped + 1));
  /** Returns the rows that changed since a list began to be paged through, as they were then: what is played meanwhile keeps its place. */
  const before = (profile: string, began: number): Rows => {
    const was = new Map<string, WatchTable>();
    for (const change of recent.get(profile) ?? [])
      if (change.at > began && !was.has(change.before.item)) was.set(change.before.item, change.before);
    return was;
  };
  const rows = (profile: string): Promise<Map<string, WatchTable>> => {
    const had = kept.get(profile);
    if (had) return had;
    const loading = store.all(profile).then((all) => new Map(all.map((row) => [row.item, row])));
    loading.catch(() => kept.delete(profile));
    kept.set(profile, loading);
    const oldest = kept.keys().next().value;
    if (kept.size > PROFILES_KEPT && oldest !== undefined) kept.delete(oldest);
    return loading;
  };
  const change = async (
    profile: string,
    item: string,
    how: (now: WatchTable) => WatchTable,
    session?: (next: WatchTable) => HistoryTable | undefined,
  ): Promise<UserData> => {
    await rows(profile);
    const changing = (change: WatchChange) => {
      const own = recent.get(profile) ?? [];
      recent.set(profile, own);
      own.push({ ...change, at: stamp() });
      while (own.length > CHANGES_KEPT || (own[0]?.at ?? Infinity) < stamped - CHANGES_KEPT_MS) own.shift();
    };
    const next = await store.change(profile, item, { change: how, session, changing });
    // Its rows may have been let go and read anew in between.
    (await kept.get(profile))?.set(item, next);
    changes++;
    changesOf.set(profile, changes);
    bus.announce('watching.changed');
    return userData(next);
  };
  return {
    rows,
    /** Returns the time at which a list begins to be paged through. */
    stamp,
    before,
    /** Grows with every change of anybody's. */
    version: () => changes,
    /** Grows with every change of one Profile's. */
    versionOf: (profile: string) => changesOf.get(profile) ?? 0,
    progress: async (
      profile: string,
      item: string,
      report: Progress,
      duration: number | undefined,
    ): Promise<UserData> => {
      const at = stamp();
      const session = (next: WatchTable) =>
        report.session === undefined && next.watched === 0
          ? undefined
          : {
              profile,
              item,
              session: report.session ?? `by-hand-${at}`,
              at,
              position: report.position,
              watched: next.watched,
            };
      return change(profile, item, (now) => advance(now, report, { at, duration }), session);
    },
    dismiss: (profile: string, item: string) => change(profile, item, (now) => ({ ...now, dismissed: 1 })),
    list: (profile: string, item: string, isListed: boolean) =>
      change(profile, item, (now) => ({ ...now, listed: isListed ? (now.listed ?? clock.now()) : null })),
    /** The latest first, one row for each session of an item. With `began`, as it was when a list began to be paged through. */
    history: async (profile: string, began?: number): Promise<Omit<HistoryTable, 'profile'>[]> => {
      const rows = await store.history(profile);
      const was = new Map<string, number | null>();
      for (const {
        at,
        before: { item },
        session,
      } of recent.get(profile) ?? []) {
        if (session && at > (began ?? Infinity) && !was.has(`${item} ${session.id}`))
          was.set(`${item} ${session.id}`, session.at);
      }
      const known = rows.flatMap((row) => {
        const at = was.get(`${row.item} ${row.session}`);
        return at === undefined ? [row] : at === null ? [] : [{ ...row, at }];
      });
      return known.sort(byTime);
    },
    forgetProfile: async (profile: string, commitCursor: CommitCursor) => {
      await store.forgetProfile(profile, commitCursor);
      recent.delete(profile);
      kept.delete(profile);
      changes++;
    },
    forgetBefore: async (at: number): Promise<void> => {
      await store.forgetBefore(at);
      changes++;
    },
  };
}
export type Watching = ReturnType<typeof createWatching>;
