/**
 * The activity log: what people did with the server, who was refused, what was played, and what failed.
 *
 * It is append-only, and its entries are chained by hashes (`chain.ts`). The entry of a change is written in the
 * transaction of that change, so neither is there without the other: a store calls `appendActivity` in its transaction,
 * or runs the function that `recorded` returns in it. It keeps ids, words, numbers and the network of an address, no
 * names, titles, paths or secrets.
 */
import { MAX_NOTICES } from '../contract/activity/activity.ts';
import type { Bus } from '../lib/bus.ts';
import { CLOCK_SKEW_MS, type Clock } from '../lib/clock.ts';
import type { CommitCursor, Database, Transaction } from '../lib/db/index.ts';
import type { Log } from '../lib/log.ts';
import type { NotedPlace } from './chain.ts';
import { createLogCheck, type LogCheck } from './check.ts';
import { entryFor } from './event.ts';
import { createRecording, type Recording } from './recording.ts';
import { chainStore } from './store/chains.ts';
import { appendEntries, entryStore, type EntryFilter, type NewEntry } from './store/entries.ts';
import { noticeStore, type NoticeRow } from './store/notices.ts';
import type { ActivityTransaction } from './store/tables.ts';
import type { ActivityEntry, ActivityEvent } from './types.ts';
import { type LogReport, verifyLog } from './verify.ts';

export type { ChainBreak, NotedPlace } from './chain.ts';
export { placeOf } from './event.ts';
export { recipientsOf } from './recording.ts';
export type { EntryFilter } from './store/entries.ts';
export { activityMigrations } from './store/tables.ts';
export type { NoticeRow } from './store/notices.ts';
export type { ActivityEntry, ActivityEvent, ActivityPlace, ActivityVia } from './types.ts';
export type { LogReport } from './verify.ts';

/** How often attempts of a minute that is over are written, and entries whose time is over are removed. */
const FLUSH_MS = 5_000;
const TIDY_MS = 60_000;
/** Entries that an export has in memory at a time. */
const EXPORT_AT_ONCE = 500;

/** Appends events in the transaction of the change that they record. */
export const appendActivity = (tx: Transaction<never>, events: readonly ActivityEvent[], at: number): Promise<void> =>
  appendEarlier(
    tx,
    events.map((event) => entryFor(event, at)),
  );

/** Appends rows of an earlier form of the log, in a migration. */
export const appendEarlier = (tx: Transaction<never>, entries: readonly NewEntry[]): Promise<void> =>
  // A transaction spans all tables of the database; only its type names those of one domain.
  appendEntries(tx as unknown as ActivityTransaction, entries);

/** Whether a Profile ever did something. */
export const hasActivity = (db: Database): Promise<boolean> => entryStore(db).hasActed();

/** Checks the log of a database whose server is stopped. */
export const verifyActivity = (db: Database, noted?: NotedPlace): Promise<LogReport> =>
  verifyLog(chainStore(db), noted);

export interface Activity extends Recording {
  readonly reading: {
    /** Returns entries, the newest first, and how many there are. */
    page(filter: EntryFilter, limit: number): Promise<{ entries: ActivityEntry[]; total: number }>;
    /** Hands over all entries of a filter, the newest first, some at a time. */
    pages(filter: EntryFilter): AsyncGenerator<ActivityEntry[], void, undefined>;
  };
  readonly notices: {
    /** Grows with each notice of a Profile, and when it has seen some. */
    versionOf(profile: string): number;
    newest(profile: string, options: { isUnseenOnly: boolean; except: string | undefined }): Promise<NoticeRow[]>;
    see(profile: string, ids: readonly string[]): Promise<void>;
  };
  readonly upkeep: LogCheck & {
    forgetProfile(profile: string, commitCursor: CommitCursor): Promise<void>;
    close(): Promise<void>;
  };
}

export interface ActivityNeeds {
  db: Database;
  config: { get(key: 'logging.audit_retention' | 'logging.playback_retention'): number };
  bus: Bus;
  clock: Clock;
  log: Log;
}

export async function createActivity({ db, config, bus, clock, log }: ActivityNeeds): Promise<Activity> {
  const entries = entryStore(db);
  const chains = chainStore(db);
  const notices = noticeStore(db);
  const versions = new Map<string, number>();
  const { flush, ...recording } = createRecording({
    entries,
    clock,
    notify: (profiles) => {
      for (const profile of profiles) versions.set(profile, (versions.get(profile) ?? 0) + 1);
      bus.announce('activity.noticed');
    },
  });
  const forget = async (): Promise<void> => {
    const now = clock.now();
    const ahead = now + CLOCK_SKEW_MS;
    await chains.forget('record', { before: now - config.get('logging.audit_retention'), ahead });
    await chains.forget('playback', { before: now - config.get('logging.playback_retention'), ahead });
  };
  const fault = (error: unknown): void => log.fault('activity.failed', error);
  const timers = [
    setInterval(() => void flush().catch(fault), FLUSH_MS).unref(),
    setInterval(() => void forget().catch(fault), TIDY_MS).unref(),
  ];
  // A full disk must not keep the server from starting.
  await forget().catch(fault);
  const check = await createLogCheck(db, clock);

  return {
    ...recording,
    reading: {
      page: async (filter, limit) => {
        await flush(true);
        const { before: _, ...all } = filter;
        return { entries: await entries.newest(filter, limit), total: await entries.count(all) };
      },
      pages: async function* (filter) {
        await flush(true);
        let { before } = filter;
        while (true) {
          const page = await entries.newest({ ...filter, before }, EXPORT_AT_ONCE);
          if (page.length > 0) yield page;
          if (page.length < EXPORT_AT_ONCE) return;
          before = page.at(-1)?.number;
        }
      },
    },
    notices: {
      versionOf: (profile) => versions.get(profile) ?? 0,
      newest: (profile, options) => notices.newest(profile, { ...options, limit: MAX_NOTICES }),
      see: async (profile, ids) => {
        await notices.see(profile, ids, clock.now());
        recording.noticed([profile]);
      },
    },
    upkeep: {
      ...check,
      forgetProfile: async (profile, commitCursor) => {
        await notices.forgetProfile(profile, commitCursor);
        versions.delete(profile);
      },
      close: async () => {
        for (const timer of timers) clearInterval(timer);
        await flush(true);
      },
    },
  };
}
