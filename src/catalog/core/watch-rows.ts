/** The rows of what a Profile has watched, by item, and how replies show them. */
import type { UserData } from '../../contract/catalog/cards.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { WatchTable } from '../store/tables.ts';

/** A shorter position is only a look inside, and is not continued. */
const MIN_CONTINUE_SECONDS = 30;
/** Shorter items are begun again rather than continued. */
const MIN_CONTINUED_LENGTH_SECONDS = 300;

export type WatchRows = ReadonlyMap<string, WatchTable>;

export const NOTHING_WATCHED: WatchRows = new Map();
export const NO_USER_DATA: UserData = { position: 0, watched: false, playCount: 0, listed: false };

/** Returns what a reply shows of a row. */
export const userData = (row: WatchTable | undefined): UserData =>
  row === undefined
    ? NO_USER_DATA
    : {
        position: row.position,
        watched: row.watched === 1,
        playCount: row.play_count,
        listed: row.listed !== null,
        ...(row.rating !== null && { rating: row.rating }),
        ...(row.percent !== null && { percent: row.percent }),
        ...(row.last_played !== null && { lastPlayedAt: iso(row.last_played) }),
      };

/** Returns whether an item is in progress, for the first time or again, and was not removed from continue watching. */
export const isContinued = (row: WatchTable): boolean =>
  (row.position >= MIN_CONTINUE_SECONDS || (row.percent ?? 0) > 0) && row.dismissed === 0;

/** Returns whether an item is long enough for continue watching. One without a length, such as a book, always is. */
export const isLongEnoughToContinue = (duration: number | null | undefined): boolean =>
  duration == null || duration >= MIN_CONTINUED_LENGTH_SECONDS;

/** The session of a report, and its number in it. */
export interface ReportNumber {
  session?: string | undefined;
  sequence?: number | undefined;
}

/** Throws `Failure('conflict')` if the sequence of a report is not above the last one of its session. */
export function refuseStale(now: Pick<WatchTable, 'session' | 'sequence'>, { session, sequence }: ReportNumber): void {
  if (
    session !== undefined &&
    sequence !== undefined &&
    now.session === session &&
    now.sequence !== null &&
    sequence <= now.sequence
  )
    throw new Failure('conflict', 'a later report of this session has arrived already', { reason: 'stale-progress' });
}
