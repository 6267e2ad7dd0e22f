/**
 * The tables of markers. Only this file reads or writes them.
 *
 * A row is a marker that an Owner set, one that the analysis found for certain bytes, or the note that an Owner removed
 * a kind for certain bytes. Chapters and edit lists are read where they are and have no rows. Rows belong to an item,
 * whose id stays when its files move; `bytes` names the content of the files that they hold for.
 */
import { sql } from 'kysely';
import type { MarkerKind, SuggestionDecision } from '../../contract/playback/markers.ts';
import { crashPoint } from '../../lib/crash.ts';
import {
  columns,
  type Database,
  type Engine,
  type Kysely,
  type Migration,
  table,
  type Transaction,
} from '../../lib/db/index.ts';
import type { FoundMarker } from './types.ts';

interface MarkerTable {
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
interface AnalysedTable {
  item: string;
  bytes: string;
  season: string;
  at: number;
  /** Why it could not be analysed; null where it was. */
  error: string | null;
}
/** How far each kind of background work has followed the catalogue. */
interface CursorTable {
  follower: Follower;
  change: number;
  gone: number;
}
export type Follower = 'markers' | 'trickplay' | 'walks';
interface Tables {
  playback_marker: MarkerTable;
  playback_analysed: AnalysedTable;
  playback_cursor: CursorTable;
}

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
];

type Tx = Transaction<Tables>;
type Reading = Pick<Kysely<Tables>, 'selectFrom'>;

const suggested = (db: Reading) =>
  db
    .selectFrom('playback_marker as found')
    .where('found.source', '=', 'analysis')
    .where('found.state', '=', 'suggested');
/** Suggestions whose kind an Owner neither set nor removed; what was removed holds for its bytes only. */
const undecided = (db: Reading) =>
  suggested(db).where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('playback_marker as decided')
          .select('decided.item')
          .whereRef('decided.item', '=', 'found.item')
          .whereRef('decided.kind', '=', 'found.kind')
          .where((or) =>
            or.or([
              or('decided.source', '=', 'user'),
              or.and([or('decided.source', '=', 'removed'), or('decided.bytes', '=', or.ref('found.bytes'))]),
            ]),
          ),
      ),
    ),
  );

/** Writes the decision about the markers of one suggestion. Returns whether there were any. */
async function settle(
  tx: Tx,
  rows: readonly MarkerTable[],
  { decision, at }: { decision: 'confirm' | 'reject'; at: number },
): Promise<boolean> {
  for (const { item, kind, start, end, bytes } of rows) {
    const decided: MarkerTable =
      decision === 'confirm'
        ? { item, bytes: '', source: 'user', kind, start, end, state: 'published', confidence: null, label: null, at }
        : {
            item,
            bytes,
            source: 'removed',
            kind,
            start: 0,
            end: 0,
            state: 'published',
            confidence: null,
            label: null,
            at,
          };
    await tx
      .insertInto('playback_marker')
      .values(decided)
      .onConflict((on) => on.doNothing())
      .execute();
  }
  return rows.length > 0;
}

/** Takes back what `settle` wrote about these markers. A marker that the Owner has moved since stays. */
async function takeBack(tx: Tx, rows: readonly MarkerTable[]): Promise<boolean> {
  let count = 0n;
  for (const { item, kind, start, end, bytes } of rows) {
    const own = tx.deleteFrom('playback_marker').where('item', '=', item).where('kind', '=', kind);
    const [confirmed] = await own
      .where('source', '=', 'user')
      .where('start', '=', start)
      .where('end', '=', end)
      .execute();
    const [rejected] = await own.where('source', '=', 'removed').where('bytes', '=', bytes).execute();
    count += (confirmed?.numDeletedRows ?? 0n) + (rejected?.numDeletedRows ?? 0n);
  }
  return count > 0n;
}

export interface StoredSuggestion {
  /** Items that the analysis compared the item with. */
  season: string;
  item: string;
  kind: MarkerKind;
  markers: { start: number; end: number; confidence?: number }[];
}

/** Rows of an item, as its markers are put together from. */
export interface StoredMarkers {
  /** Set by an Owner. */
  own: FoundMarker[];
  /** Found by the analysis, and removed kinds, by the bytes that they hold for. */
  analysed: Map<string, FoundMarker[]>;
  removed: Map<string, Set<MarkerKind>>;
}

export interface AnalysedItem {
  item: string;
  bytes: string;
  season: string;
  error: string | null;
  markers: readonly Omit<FoundMarker, 'source'>[];
}

/** The most ids that one statement names. */
const IDS_AT_ONCE = 200;

export function createMarkerStore(db: Database) {
  const read = () => db.tables<Tables>();
  return {
    of: async (item: string): Promise<StoredMarkers> => {
      const rows = await read()
        .selectFrom('playback_marker')
        .selectAll()
        .where('item', '=', item)
        .orderBy('start')
        .execute();
      const stored: StoredMarkers = { own: [], analysed: new Map(), removed: new Map() };
      for (const row of rows) {
        if (row.source === 'removed')
          stored.removed.set(row.bytes, (stored.removed.get(row.bytes) ?? new Set()).add(row.kind));
        else if (row.source === 'user') stored.own.push(markerOf(row));
        else stored.analysed.set(row.bytes, [...(stored.analysed.get(row.bytes) ?? []), markerOf(row)]);
      }
      return stored;
    },

    /**
     * Sets a marker by hand: it takes the place of the Owner's marker of its kind, or of the commercials that it
     * overlaps.
     */
    set: async (
      item: string,
      { kind, start, end, label }: Pick<FoundMarker, 'kind' | 'start' | 'end' | 'label'>,
      at: number,
    ): Promise<void> => {
      await db.write('safe', async (tx: Tx) => {
        const own = tx
          .deleteFrom('playback_marker')
          .where('item', '=', item)
          .where('source', '=', 'user')
          .where('kind', '=', kind);
        await (kind === 'commercial' ? own.where('start', '<', end).where('end', '>', start) : own).execute();
        await tx
          .insertInto('playback_marker')
          .values({
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
          })
          .execute();
        crashPoint('playback.marker.writing');
      });
      crashPoint('playback.marker.written');
    },

    countOwn: async (item: string): Promise<number> =>
      Number(
        (
          await read()
            .selectFrom('playback_marker')
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .where('item', '=', item)
            .where('source', '=', 'user')
            .executeTakeFirstOrThrow()
        ).n,
      ),

    /** Takes away the Owner's markers of a kind, and notes for these bytes that none of it shall come back. */
    remove: (
      item: string,
      { kind, bytes, at }: { kind: MarkerKind; bytes: readonly string[]; at: number },
    ): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        await tx
          .deleteFrom('playback_marker')
          .where('item', '=', item)
          .where('source', '=', 'user')
          .where('kind', '=', kind)
          .execute();
        for (const one of bytes) {
          const row: MarkerTable = {
            item,
            bytes: one,
            source: 'removed',
            kind,
            start: 0,
            end: 0,
            state: 'published',
            confidence: null,
            label: null,
            at,
          };
          await tx
            .insertInto('playback_marker')
            .values(row)
            .onConflict((on) => on.doNothing())
            .execute();
        }
      }),

    /** Puts what the analysis found of some items in place of what it found of them before. */
    setAnalysed: (items: readonly AnalysedItem[], at: number): Promise<void> =>
      db.write('grouped', async (tx: Tx) => {
        for (const { item, bytes, season, error, markers } of items) {
          await tx.deleteFrom('playback_marker').where('item', '=', item).where('source', '=', 'analysis').execute();
          for (const { kind, start, end, state, confidence, label } of markers) {
            await tx
              .insertInto('playback_marker')
              .values({
                item,
                bytes,
                source: 'analysis',
                kind,
                start,
                end,
                state,
                confidence: confidence ?? null,
                label: label ?? null,
                at,
              })
              .onConflict((on) => on.doNothing())
              .execute();
          }
          const row: AnalysedTable = { item, bytes, season, at, error };
          await tx
            .insertInto('playback_analysed')
            .values(row)
            .onConflict((on) => on.column('item').doUpdateSet({ bytes, season, at, error }))
            .execute();
        }
      }),

    /** Returns of some items which bytes and which season were analysed. */
    analysed: async (items: readonly string[]): Promise<Map<string, Pick<AnalysedTable, 'bytes' | 'season'>>> => {
      const rows: AnalysedTable[] = [];
      for (let at = 0; at < items.length; at += IDS_AT_ONCE)
        rows.push(
          ...(await read()
            .selectFrom('playback_analysed')
            .selectAll()
            .where('item', 'in', items.slice(at, at + IDS_AT_ONCE))
            .execute()),
        );
      return new Map(rows.map(({ item, bytes, season }) => [item, { bytes, season }]));
    },

    /**
     * Counts suggestions of the analysis that no Owner has decided about: kinds of items, whatever the number of their
     * markers.
     */
    countSuggested: async (): Promise<number> => {
      const suggested = undecided(read()).select(['found.item', 'found.kind']).distinct();
      const { n } = await read()
        .selectFrom(suggested.as('one'))
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      return Number(n);
    },

    /** Returns those suggestions by season, item and kind, the ones after `after`. */
    suggestions: async ({
      limit,
      after,
    }: {
      limit: number;
      after: Pick<StoredSuggestion, 'season' | 'item' | 'kind'> | undefined;
    }): Promise<StoredSuggestion[]> => {
      const all = undecided(read()).innerJoin('playback_analysed as analysed', 'analysed.item', 'found.item');
      const keys = all
        .select(['analysed.season', 'found.item', 'found.kind'])
        .distinct()
        .orderBy('analysed.season')
        .orderBy('found.item')
        .orderBy('found.kind')
        .limit(limit);
      const place = sql`(analysed.season, found.item, found.kind)`;
      const page = await (
        after ? keys.where(sql<boolean>`${place} > (${after.season}, ${after.item}, ${after.kind})`) : keys
      ).execute();
      if (page.length === 0) return [];
      const rows = await undecided(read())
        .selectAll('found')
        .where('found.item', 'in', [...new Set(page.map(({ item }) => item))])
        .orderBy('found.start')
        .execute();
      return page.map(({ season, item, kind }) => ({
        season,
        item,
        kind,
        markers: rows
          .filter((row) => row.item === item && row.kind === kind)
          .map(({ start, end, confidence }) => ({ start, end, ...(confidence !== null && { confidence }) })),
      }));
    },

    /**
     * Confirms suggestions as markers of the Owner, rejects them for their bytes, or takes either back. One that was
     * decided already, or is gone, is left as it is. Returns how many were changed.
     */
    decide: (
      decision: SuggestionDecision,
      keys: readonly Pick<StoredSuggestion, 'item' | 'kind'>[],
      at: number,
    ): Promise<number> =>
      db.write('safe', async (tx: Tx) => {
        let changed = 0;
        for (const { item, kind } of keys) {
          const rows = await (decision === 'undo' ? suggested(tx) : undecided(tx))
            .selectAll('found')
            .where('found.item', '=', item)
            .where('found.kind', '=', kind)
            .execute();
          const done = decision === 'undo' ? await takeBack(tx, rows) : await settle(tx, rows, { decision, at });
          if (done) changed += 1;
        }
        return changed;
      }),

    cursor: async (follower: Follower): Promise<Pick<CursorTable, 'change' | 'gone'>> => {
      const row = await read()
        .selectFrom('playback_cursor')
        .selectAll()
        .where('follower', '=', follower)
        .executeTakeFirst();
      return { change: row?.change ?? 0, gone: row?.gone ?? 0 };
    },
    /** Moves a cursor, and forgets items that are gone for good in the same transaction. */
    follow: (
      follower: Follower,
      { change, gone }: Pick<CursorTable, 'change' | 'gone'>,
      ids: readonly string[],
    ): Promise<void> =>
      db.write('grouped', async (tx: Tx) => {
        if (ids.length > 0) {
          await tx.deleteFrom('playback_marker').where('item', 'in', ids).execute();
          await tx.deleteFrom('playback_analysed').where('item', 'in', ids).execute();
        }
        await tx
          .insertInto('playback_cursor')
          .values({ follower, change, gone })
          .onConflict((on) => on.column('follower').doUpdateSet({ change, gone }))
          .execute();
      }),
  };
}
export type MarkerStore = ReturnType<typeof createMarkerStore>;

const markerOf = ({ kind, start, end, source, state, confidence, label }: MarkerTable): FoundMarker => ({
  kind,
  start,
  end,
  state,
  source: source === 'user' ? 'user' : 'analysis',
  ...(confidence !== null && { confidence }),
  ...(label !== null && { label }),
});
