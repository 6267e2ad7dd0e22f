/** Places of Profiles in books. Each is in the row that holds everything else that a Profile did with an item. */
import { iso } from '../../lib/clock.ts';
import type { WatchTable } from '../store/tables.ts';
import type { ReportedPlay } from '../store/watching.ts';
import { type ReportNumber, refuseStale, type WatchRows } from './watch-rows.ts';

/** Place in the last part of an EPUB, or in a page that is shown in pieces, from which on its end was shown. */
const END_OFFSET = 0.95;

export interface ReadingReport extends ReportNumber {
  part: number;
  offset: number;
}
/** How a book is divided. A page is shown as a whole, unless its offset says how much of it was. */
export interface BookShape {
  isPaged: boolean;
  parts: number;
}
export interface ReadingPlace {
  part: number;
  offset: number;
  percent: number;
  finished: boolean;
  readAt?: string;
}

export interface ReadingPlaces {
  place(profile: string, item: string): Promise<ReadingPlace>;
  /** Throws `Failure('conflict')` for a report that a later one of its session overtook. */
  progress(profile: string, item: string, report: ReadingReport, shape: BookShape): Promise<ReadingPlace>;
}

interface PlaceNeeds {
  rows(profile: string): Promise<WatchRows>;
  stamp(): number;
  change(
    profile: string,
    item: string,
    how: (now: WatchTable) => WatchTable,
    kept: { session(next: WatchTable): ReportedPlay | undefined },
  ): Promise<WatchTable>;
}

/** Returns how much of a book is read, in percent with one decimal. */
export function percentOf({ part, offset }: Pick<ReadingReport, 'part' | 'offset'>, shape: BookShape): number {
  return Math.round(Math.min(1, (part + offset) / Math.max(1, shape.parts)) * 1000) / 10;
}

/** Applies a report to a row. A book is finished when its last page, or the end of its last part, was shown. */
export function advanceReading(now: WatchTable, report: ReadingReport, shape: BookShape, at: number): WatchTable {
  refuseStale(now, report);
  const { part, offset, session, sequence } = report;
  const isFinished = part + 1 >= shape.parts && (offset >= END_OFFSET || (shape.isPaged && offset === 0));
  const isReadAgain = isFinished && (now.watched === 0 || now.part !== null);
  return {
    ...now,
    position: 0,
    // A finished book begins at its start next time.
    part: isFinished ? null : part,
    part_offset: isFinished ? null : offset,
    percent: isFinished ? null : percentOf(report, shape),
    watched: isFinished ? 1 : now.watched,
    play_count: now.play_count + (isReadAgain ? 1 : 0),
    last_played: at,
    dismissed: 0,
    session: session ?? now.session,
    sequence: session === undefined ? now.sequence : (sequence ?? null),
  };
}

const placeOf = (row: WatchTable | undefined): ReadingPlace => {
  const isFinished = row?.watched === 1 && row.part === null;
  return {
    part: row?.part ?? 0,
    offset: row?.part_offset ?? 0,
    percent: isFinished ? 100 : (row?.percent ?? 0),
    finished: row?.watched === 1,
    ...(row?.last_played != null && { readAt: iso(row.last_played) }),
  };
};

export function createReadingPlaces({ rows, stamp, change }: PlaceNeeds): ReadingPlaces {
  return {
    place: async (profile, item) => placeOf((await rows(profile)).get(item)),
    progress: async (profile, item, report, shape) => {
      const at = stamp();
      const session = ({ watched }: WatchTable): ReportedPlay | undefined =>
        report.session === undefined && watched === 0
          ? undefined
          : { profile, item, session: report.session ?? `by-hand-${at}`, at, position: 0, watched };
      return placeOf(await change(profile, item, (now) => advanceReading(now, report, shape, at), { session }));
    },
  };
}
