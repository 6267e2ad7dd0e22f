/** Suggestions of the analysis, and what an Owner decided about them. */
import { sql } from 'kysely';
import type { MarkerKind, SuggestionDecision } from '../../../contract/playback/markers.ts';
import type { Database, Kysely, Transaction } from '../../../lib/db/index.ts';
import { type MarkerTable, type MarkerTables, ownRow, removedRow } from './tables.ts';

type Tx = Transaction<MarkerTables>;
type Reading = Pick<Kysely<MarkerTables>, 'selectFrom'>;

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
    const decided =
      decision === 'confirm' ? ownRow(item, { kind, start, end }, at) : removedRow(item, kind, { bytes, at });
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

export function suggestionStore(db: Database) {
  const read = () => db.tables<MarkerTables>();
  return {
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
  };
}
