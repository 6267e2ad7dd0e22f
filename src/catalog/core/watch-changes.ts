/**
 * Changes of many items at once: marking them as watched or unwatched, and adding them to My List or removing them.
 * Each is one transaction, and the latest ones can be undone exactly, until the server stops.
 */
import { randomBytes } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';
import type { WatchTable } from '../store/tables.ts';
import type { ReportedPlay, WatchChange, WatchingStore } from '../store/watching.ts';

export type WatchMark = 'watched' | 'unwatched' | 'listed' | 'unlisted';

/** Maximum number of changed rows of all Profiles that are kept to be undone: about 20 MB. */
const MAX_KEPT_ROWS = 50_000;

interface ChangedRow {
  before: WatchTable;
  after: WatchTable;
  /** The session of the entry that was added to the history. */
  session: string | undefined;
}
interface KeptChange {
  profile: string;
  rows: ReadonlyMap<string, ChangedRow>;
}

export interface WatchChangesNeeds {
  store: WatchingStore;
  /** Called before a change can be seen. */
  changing(profile: string, change: WatchChange): void;
  /** Called after a change was written, with the rows as they are now. */
  changed(profile: string, rows: readonly WatchTable[]): Promise<void>;
  /** Returns a time that is later than every one before it. */
  stamp(): number;
  /** Applies a mark to a row. */
  marked(now: WatchTable, mark: 'watched' | 'unwatched', at: number): WatchTable;
}

export interface WatchChanges {
  /** Marks items, all or none. Items that already are as asked stay as they are. Returns the id to undo it by. */
  mark(profile: string, items: readonly string[], mark: WatchMark): Promise<{ id?: string; changed: number }>;
  /** Undoes a change. Throws `Failure('missing')` if the Profile made none of this id, or it is not kept any more. */
  undo(profile: string, id: string): Promise<void>;
  forget(profile: string): void;
}

export function createWatchChanges({ store, changing, changed, stamp, marked }: WatchChangesNeeds): WatchChanges {
  /** By id, the oldest first. */
  const kept = new Map<string, KeptChange>();
  let rowCount = 0;
  const drop = (id: string): void => {
    rowCount -= kept.get(id)?.rows.size ?? 0;
    kept.delete(id);
  };
  const keep = (change: KeptChange): string => {
    const id = randomBytes(8).toString('hex');
    kept.set(id, change);
    rowCount += change.rows.size;
    for (const oldest of kept.keys()) {
      if (rowCount <= MAX_KEPT_ROWS || oldest === id) break;
      drop(oldest);
    }
    return id;
  };

  const changeOf = (profile: string, mark: WatchMark) => (now: WatchTable) => {
    const at = stamp();
    if (mark === 'listed' || mark === 'unlisted') {
      const isListed = mark === 'listed';
      return (now.listed !== null) === isListed ? undefined : { next: { ...now, listed: isListed ? at : null } };
    }
    if ((now.watched === 1) === (mark === 'watched')) return undefined;
    const next = marked(now, mark, at);
    const added: ReportedPlay | undefined =
      next.watched === 1
        ? { profile, item: now.item, session: `by-hand-${at}`, at, position: next.position, watched: 1 }
        : undefined;
    return { next, ...(added && { added }) };
  };

  return {
    mark: async (profile, items, mark) => {
      const rows = await store.changeMany(profile, [...new Set(items)], {
        change: changeOf(profile, mark),
        changing: (change) => changing(profile, change),
      });
      if (rows.length === 0) return { changed: 0 };
      await changed(
        profile,
        rows.map(({ next }) => next),
      );
      const id = keep({
        profile,
        rows: new Map(
          rows.map(({ before, next, added }) => [before.item, { before, after: next, session: added?.session }]),
        ),
      });
      return { id, changed: rows.length };
    },
    undo: async (profile, id) => {
      const change = kept.get(id);
      if (change?.profile !== profile) throw new Failure('missing', 'no such change', { reason: 'no-such-change' });
      const rows = await store.changeMany(profile, [...change.rows.keys()], {
        change: (now) => undone(now, change.rows.get(now.item)),
        changing: (one) => changing(profile, one),
      });
      drop(id);
      await changed(
        profile,
        rows.map(({ next }) => next),
      );
    },
    forget: (profile) => {
      for (const [id, change] of kept) if (change.profile === profile) drop(id);
    },
  };
}

/** Returns a row with the members of a change as they were before it; undefined if they were changed again. */
function undone(now: WatchTable, row: ChangedRow | undefined): { next: WatchTable; removed?: string } | undefined {
  if (!row) return undefined;
  const { before, after, session } = row;
  if (before.listed !== after.listed)
    return now.listed === after.listed ? { next: { ...now, listed: before.listed } } : undefined;
  const isSame =
    now.last_played === after.last_played &&
    now.watched === after.watched &&
    now.play_count === after.play_count &&
    now.position === after.position;
  return isSame
    ? {
        next: { ...before, listed: now.listed, rating: now.rating },
        ...(session !== undefined && { removed: session }),
      }
    : undefined;
}
