/** The tables of markers. Only the files of this folder read or write them. */
import type { MarkerKind } from '../../../contract/playback/markers.ts';
import { columns, type Engine, type Kysely, type Migration, table } from '../../../lib/db/index.ts';
import type { FoundMarker } from '../types.ts';

export interface MarkerTable {
  item: string;
  /** Empty of a marker that an Owner set: it holds for every version. */
  bytes: string;
  source: 'user' | 'analysis' | 'removed';
  kind: MarkerKind;
  start: number;
  end: number;
  state: FoundMarker['state'];
  confidence: number | null;
  label: string | null;
  at: number;
}
/** Which bytes of an item were analysed last, and what the files of its season were then. */
export interface AnalysedTable {
  item: string;
  bytes: string;
  season: string;
  at: number;
  /** Why it could not be analysed; null where it was. */
  error: string | null;
}
/** How far each kind of background work has followed the catalogue. */
export interface CursorTable {
  follower: Follower;
  change: number;
  gone: number;
  /** JSON of `FollowedPosition.away`. */
  away: string;
}
export type Follower = 'markers' | 'trickplay' | 'walks';
export interface MarkerTables {
  playback_marker: MarkerTable;
  playback_analysed: AnalysedTable;
  playback_cursor: CursorTable;
}

/** Returns the row of a marker that an Owner set. */
export const ownRow = (
  item: string,
  { kind, start, end, label }: Pick<FoundMarker, 'kind' | 'start' | 'end' | 'label'>,
  at: number,
): MarkerTable => ({
  item,
  bytes: '',
  source: 'user',
  kind,
  start,
  end,
  state: 'published',
  confidence: null,
  label: label ?? null,
  at,
});

/** Returns the note that an Owner removed a kind for certain bytes. */
export const removedRow = (
  item: string,
  kind: MarkerKind,
  { bytes, at }: { bytes: string; at: number },
): MarkerTable => ({
  ...ownRow(item, { kind, start: 0, end: 0 }, at),
  bytes,
  source: 'removed',
});

export const markerMigrations: readonly Migration[] = [
  {
    id: 'playback-markers-001-tables',
    up: async (db: Kysely<unknown>, engine: Engine) => {
      const c = columns(engine);
      await table(db, engine, 'playback_marker')
        .addColumn('item', c.id, (col) => col.notNull())
        .addColumn('bytes', c.text, (col) => col.notNull())
        .addColumn('source', c.text, (col) => col.notNull())
        .addColumn('kind', c.text, (col) => col.notNull())
        .addColumn('start', c.real, (col) => col.notNull())
        .addColumn('end', c.real, (col) => col.notNull())
        .addColumn('state', c.text, (col) => col.notNull())
        .addColumn('confidence', c.real)
        .addColumn('label', c.text)
        .addColumn('at', c.time, (col) => col.notNull())
        .addPrimaryKeyConstraint('playback_marker_key', ['item', 'bytes', 'source', 'kind', 'start'])
        .execute();
      await table(db, engine, 'playback_analysed')
        .addColumn('item', c.id, (col) => col.primaryKey().notNull())
        .addColumn('bytes', c.text, (col) => col.notNull())
        .addColumn('season', c.text, (col) => col.notNull())
        .addColumn('at', c.time, (col) => col.notNull())
        .addColumn('error', c.text)
        .execute();
      await table(db, engine, 'playback_cursor')
        .addColumn('follower', c.text, (col) => col.primaryKey().notNull())
        .addColumn('change', c.integer, (col) => col.notNull())
        .addColumn('gone', c.integer, (col) => col.notNull())
        .execute();
    },
  },
  {
    id: 'playback-markers-002-away',
    up: async (db: Kysely<unknown>, engine: Engine) => {
      await db.schema
        .alterTable('playback_cursor')
        .addColumn('away', columns(engine).text, (col) => col.notNull().defaultTo('{}'))
        .execute();
    },
  },
];
