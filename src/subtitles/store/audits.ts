/**
 * Store of the timing audit: the judgement of each text, and which items have texts without one.
 *
 * A judgement is about one version of the video and of the text. The inventory deletes it in the transaction that
 * records another version, so every judgement in the table is about what is there now.
 */
import { type TimingVerdict, TIMING_VERDICTS } from '../../contract/subtitles/states.ts';
import type { Evidence, UnjudgedReason } from '../../contract/subtitles/states.ts';
import type { Segment } from '../../cues/align/types.ts';
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { rowFrom } from './inventory.ts';
import { AUDIT_METHOD, isWhollyJudged, judgementOf, keepCurrentJudgements } from './judgements.ts';
import type { InventoryRow } from './rows.ts';
import type { AuditTable, SubtitleTables, SubtitleTx } from './tables.ts';

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_audit')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('track', c.text, (col) => col.notNull())
    .addColumn('video', c.text, (col) => col.notNull())
    .addColumn('version', c.text, (col) => col.notNull())
    .addColumn('method', c.integer, (col) => col.notNull())
    .addColumn('content', c.text)
    .addColumn('verdict', c.text, (col) => col.notNull())
    .addColumn('facts', c.json, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_audit_key', ['item', 'track'])
    .execute();
  await db.schema.createIndex('subtitle_audit_verdict').on('subtitle_audit').columns(['verdict', 'item']).execute();
  // Every item has yet to be judged; one without texts is done as soon as it is looked at.
  await db.schema
    .alterTable('subtitle_item')
    .addColumn('unaudited', c.integer, (col) => col.notNull().defaultTo(1))
    .execute();
  await db.schema.createIndex('subtitle_item_unaudited').on('subtitle_item').columns(['unaudited', 'id']).execute();
}
export const auditMigration: Migration = { id: 'subtitles-015-audit', up };

/** Adds the mark of texts inside a video that have a file over them. */
async function addCovered(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await db.schema
    .alterTable('subtitle_audit')
    .addColumn('covered', c.integer, (col) => col.notNull().defaultTo(0))
    .execute();
}
export const coveredMigration: Migration = { id: 'subtitles-016-audit-covered', up: addCovered };

/** Measurements behind a verdict, as they are stored. */
export interface JudgementFacts {
  /** Ratio and segments of the best alignment, if one was found. */
  ratio?: number;
  segments?: readonly Segment[];
  reference?: 'speech' | 'embedded';
  detected?: string;
  why?: UnjudgedReason;
  reason?: string;
  evidence: readonly Evidence[];
}
/** A judgement of one text. */
export type Judgement = Omit<AuditTable, 'facts'> & { facts: JudgementFacts };
export type NewJudgement = Omit<Judgement, 'item' | 'method' | 'covered'>;
export type ListedJudgement = Judgement & { row: InventoryRow };

const judgementFrom = ({ facts, ...row }: AuditTable): Judgement => ({
  ...row,
  facts: JSON.parse(facts) as JudgementFacts,
});

/** Returns the store of judgements: which items are due, and their judgements. */
const judging = (db: Database) => {
  const read = () => db.tables<SubtitleTables>();
  return {
    /** Returns items with texts to judge, by id from `after` on. */
    due: async ({
      after,
      limit,
      libraries,
    }: {
      after: string;
      limit: number;
      libraries: readonly string[];
    }): Promise<InventoryRow[]> =>
      libraries.length === 0
        ? []
        : (
            await read()
              .selectFrom('subtitle_item')
              .selectAll()
              .where('unaudited', '=', 1)
              .where('state', '=', 'known')
              .where('library', 'in', libraries)
              .where('id', '>', after)
              .orderBy('id')
              .limit(limit)
              .execute()
          ).map(rowFrom),
    countDue: async (libraries: readonly string[]): Promise<number> => {
      if (libraries.length === 0) return 0;
      const { all } = await read()
        .selectFrom('subtitle_item')
        .select((eb) => eb.fn.countAll<number>().as('all'))
        .where('unaudited', '=', 1)
        .where('state', '=', 'known')
        .where('library', 'in', libraries)
        .executeTakeFirstOrThrow();
      return Number(all);
    },
    /**
     * Records judgements of an item. Returns false if its video or one of these texts changed since it was read, which
     * is then judged again.
     */
    judged: (item: string, judgements: readonly NewJudgement[]): Promise<boolean> =>
      db.write('grouped', async (tx: SubtitleTx) => {
        const found = await tx.selectFrom('subtitle_item').selectAll().where('id', '=', item).executeTakeFirst();
        if (!found) return false;
        const row = rowFrom(found);
        const made = judgements.map((one) => ({ ...one, method: AUDIT_METHOD }));
        const current = new Set(row.tracks.flatMap((track) => judgementOf(row, track, made) ?? []));
        for (const { facts, ...one } of current) {
          const values = { ...one, facts: JSON.stringify(facts), covered: 0 };
          await tx
            .insertInto('subtitle_audit')
            .values({ item, ...values })
            .onConflict((oc) => oc.columns(['item', 'track']).doUpdateSet(values))
            .execute();
        }
        const kept = (await keepCurrentJudgements(tx, [row])).get(item) ?? [];
        await tx
          .updateTable('subtitle_item')
          .set({ unaudited: isWhollyJudged(row, kept) ? 0 : 1 })
          .where('id', '=', item)
          .execute();
        return current.size === made.length;
      }),
    /** Marks items whose judgements were made by another method. */
    markOutdated: (): Promise<void> =>
      db.write('grouped', async (tx: SubtitleTx) => {
        await tx
          .updateTable('subtitle_item')
          .set({ unaudited: 1 })
          .where('unaudited', '=', 0)
          .where('id', 'in', (eb) => eb.selectFrom('subtitle_audit').select('item').where('method', '!=', AUDIT_METHOD))
          .execute();
      }),
    /** Returns the judgements of items. */
    of: async (items: readonly string[]): Promise<Judgement[]> =>
      items.length === 0
        ? []
        : (
            await read()
              .selectFrom('subtitle_audit')
              .selectAll()
              .where('item', 'in', items)
              .where('method', '=', AUDIT_METHOD)
              .execute()
          ).map(judgementFrom),
  };
};

/** Returns the store of the lists: judgements of everything, by verdict. */
const listing = (db: Database) => {
  const read = () => db.tables<SubtitleTables>();
  const current = (verdicts: readonly TimingVerdict[], libraries: readonly string[]) =>
    read()
      .selectFrom('subtitle_audit as a')
      .innerJoin('subtitle_item as i', 'i.id', 'a.item')
      .where('a.method', '=', AUDIT_METHOD)
      .where('a.covered', '=', 0)
      .where('a.verdict', 'in', verdicts)
      .where('i.library', 'in', libraries);
  return {
    /** Returns the number of judgements of each verdict, and the time of the last one. Covered texts do not count. */
    counts: async (
      libraries: readonly string[],
    ): Promise<{ counts: Record<TimingVerdict, number>; at: number | undefined }> => {
      const counts = Object.fromEntries(TIMING_VERDICTS.map((verdict) => [verdict, 0])) as Record<
        TimingVerdict,
        number
      >;
      if (libraries.length === 0) return { counts, at: undefined };
      const rows = await current(TIMING_VERDICTS, libraries)
        .select((eb) => ['a.verdict', eb.fn.countAll<number>().as('all'), eb.fn.max('a.at').as('at')])
        .groupBy('a.verdict')
        .execute();
      for (const { verdict, all } of rows) counts[verdict] = Number(all);
      return { counts, at: rows.length === 0 ? undefined : Math.max(...rows.map(({ at }) => Number(at))) };
    },
    /** Returns a page of judgements with their items, by title. */
    page: async ({
      verdicts,
      libraries,
      offset,
      limit,
    }: {
      verdicts: readonly TimingVerdict[];
      libraries: readonly string[];
      offset: number;
      limit: number;
    }): Promise<ListedJudgement[]> => {
      if (libraries.length === 0) return [];
      const found = await current(verdicts, libraries)
        .selectAll('a')
        .orderBy('i.sort')
        .orderBy('a.item')
        .orderBy('a.track')
        .limit(limit)
        .offset(offset)
        .execute();
      const ids = [...new Set(found.map(({ item }) => item))];
      if (ids.length === 0) return [];
      const rows = new Map(
        (await read().selectFrom('subtitle_item').selectAll().where('id', 'in', ids).execute()).map((row) => [
          row.id,
          rowFrom(row),
        ]),
      );
      return found.flatMap((one) => {
        const row = rows.get(one.item);
        return row ? [{ ...judgementFrom(one), row }] : [];
      });
    },
  };
};
export const auditStore = (db: Database) => ({ ...judging(db), ...listing(db) });
export type AuditStore = ReturnType<typeof auditStore>;
