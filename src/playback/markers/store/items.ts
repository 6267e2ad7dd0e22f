/** Markers of each item: those that an Owner set or removed, and those that the analysis found. */
import type { MarkerKind } from '../../../contract/playback/markers.ts';
import { crashPoint } from '../../../lib/crash.ts';
import type { Database, Transaction } from '../../../lib/db/index.ts';
import type { FoundMarker } from '../types.ts';
import { type AnalysedTable, type MarkerTable, type MarkerTables, ownRow, removedRow } from './tables.ts';

type Tx = Transaction<MarkerTables>;

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

/** Maximum number of ids in one statement. */
const IDS_AT_ONCE = 200;

export function ownMarkerStore(db: Database) {
  const read = () => db.tables<MarkerTables>();
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
      marker: Pick<FoundMarker, 'kind' | 'start' | 'end' | 'label'>,
      at: number,
    ): Promise<void> => {
      const { kind, start, end } = marker;
      await db.write('safe', async (tx: Tx) => {
        const own = tx
          .deleteFrom('playback_marker')
          .where('item', '=', item)
          .where('source', '=', 'user')
          .where('kind', '=', kind);
        await (kind === 'commercial' ? own.where('start', '<', end).where('end', '>', start) : own).execute();
        await tx
          .insertInto('playback_marker')
          .values(ownRow(item, marker, at))
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
          await tx
            .insertInto('playback_marker')
            .values(removedRow(item, kind, { bytes: one, at }))
            .onConflict((on) => on.doNothing())
            .execute();
        }
      }),
  };
}

export function analysedMarkerStore(db: Database) {
  const read = () => db.tables<MarkerTables>();
  return {
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
  };
}

const markerOf = ({ kind, start, end, source, state, confidence, label }: MarkerTable): FoundMarker => ({
  kind,
  start,
  end,
  state,
  source: source === 'user' ? 'user' : 'analysis',
  ...(confidence !== null && { confidence }),
  ...(label !== null && { label }),
});
