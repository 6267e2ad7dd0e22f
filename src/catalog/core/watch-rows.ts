/** The rows of what a Profile has watched, by item, and how replies show them. */
import type { UserData } from '../../contract/catalog/cards.ts';
import { iso } from '../../lib/clock.ts';
import type { WatchTable } from '../store/tables.ts';

/** A shorter position is only a look inside, and is not continued. */
const MIN_CONTINUE_SECONDS = 30;

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
        ...(row.last_played !== null && { lastPlayedAt: iso(row.last_played) }),
      };

/** Returns whether an item is in progress, for the first time or again, and was not removed from continue watching. */
export const isContinued = (row: WatchTable): boolean => row.position >= MIN_CONTINUE_SECONDS && row.dismissed === 0;
