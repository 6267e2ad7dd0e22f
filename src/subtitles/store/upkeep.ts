/**
 * Which items are due for a search or a look for better, in the order in which they are taken: the longest neglected
 * first. What was tried and when the next try is due is kept over a restart.
 */
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { SEARCH } from '../choosing/back-off.ts';
import type { FileTable, Tables, Tx } from './tables.ts';

/** When it is next worth looking for something better for a language of an item. */
export interface LookTable {
  item: string;
  language: string;
  until: number;
}

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_look')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('until', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_look_key', ['item', 'language'])
    .execute();
}
export const upkeepMigration: Migration = { id: 'subtitles-006-upkeep', up };

export interface Due {
  item: string;
  language: string;
}
export interface Picking {
  language: string;
  /** Only items of these shapes. */
  shapes: readonly string[];
  now: number;
  limit: number;
}
/** Of somebody's own file nothing is known here but that the item has text. */
export type OwnDue = Due & Pick<Tables['subtitle_item'], 'tracks'>;

export const upkeepStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  /** Items of those shapes whose language is not frozen. */
  const open = ({ language, shapes }: Picking) =>
    read()
      .selectFrom('subtitle_item as i')
      .where('i.shape', 'in', shapes)
      .where((eb) => eb.not(eb.exists(eb.selectFrom('subtitle_frozen as f').select('f.item').whereRef('f.item', '=', 'i.id').where('f.language', '=', language))));
  const missing = (picking: Picking) =>
    open(picking)
      .leftJoin('subtitle_search as s', (join) => join.onRef('s.item', '=', 'i.id').on('s.language', '=', picking.language))
      .leftJoin('subtitle_pause as p', (join) => join.onRef('p.item', '=', 'i.id').on('p.language', '=', picking.language).on('p.provider', '=', SEARCH))
      .where((eb) => eb.or([eb('p.until', 'is', null), eb('p.until', '<=', picking.now)]));
  return {
    /** Never searched for first, then the oldest search. */
    missing: async (picking: Picking): Promise<Due[]> => {
      if (picking.shapes.length === 0) return [];
      const rows = await missing(picking).select(['i.id as item']).orderBy((eb) => eb.fn.coalesce('s.at', eb.lit(0))).orderBy('i.id').limit(picking.limit).execute();
      return rows.map(({ item }) => ({ item, language: picking.language }));
    },
    countMissing: async (picking: Omit<Picking, 'limit'>): Promise<number> => {
      if (picking.shapes.length === 0) return 0;
      const row = await missing({ ...picking, limit: 0 }).select((eb) => eb.fn.countAll<number>().as('items')).executeTakeFirst();
      return Number(row?.items ?? 0);
    },
    /** Files of ours that were fetched and have fewer points than `below`, in this language or a variant of it. */
    fetched: async ({ language, shapes, now, limit, below }: Picking & { below: number }): Promise<Due[]> => {
      if (shapes.length === 0) return [];
      return read()
        .selectFrom('subtitle_installed as d')
        .innerJoin('subtitle_item as i', 'i.id', 'd.item')
        .leftJoin('subtitle_look as l', (join) => join.onRef('l.item', '=', 'd.item').onRef('l.language', '=', 'd.language'))
        .where('i.shape', 'in', shapes)
        .where((eb) => eb.or([eb('d.language', '=', language), eb('d.language', 'like', `${language}-%`)]))
        .where('d.origin', '=', 'fetched')
        .where('d.match', 'in', ['verified', 'unverified'] satisfies FileTable['match'][])
        .where('d.score', '<=', below)
        .where((eb) => eb.not(eb.exists(eb.selectFrom('subtitle_frozen as f').select('f.item').whereRef('f.item', '=', 'd.item').whereRef('f.language', '=', 'd.language'))))
        .where((eb) => eb.or([eb('l.until', 'is', null), eb('l.until', '<=', now)]))
        .select(['d.item as item', 'd.language as language'])
        .orderBy((eb) => eb.fn.coalesce('l.until', eb.lit(0)))
        .orderBy('d.score')
        .orderBy('d.item')
        .limit(limit)
        .execute();
    },
    /** Items that have text in that language, but none of it from here. */
    own: async (picking: Picking): Promise<OwnDue[]> => {
      const { language, shapes, now, limit } = picking;
      if (shapes.length === 0) return [];
      const rows = await open(picking)
        .leftJoin('subtitle_look as l', (join) => join.onRef('l.item', '=', 'i.id').on('l.language', '=', language))
        .where((eb) => eb.not(eb.exists(eb.selectFrom('subtitle_installed as d').select('d.item').whereRef('d.item', '=', 'i.id').where('d.language', '=', language).where('d.origin', '!=', 'own'))))
        .where((eb) => eb.or([eb('l.until', 'is', null), eb('l.until', '<=', now)]))
        .select(['i.id as item', 'i.tracks as tracks'])
        .orderBy((eb) => eb.fn.coalesce('l.until', eb.lit(0)))
        .orderBy('i.id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, language }));
    },
    /** Said before the look is made, so that a crash does not repeat it for ever. */
    looked: (all: readonly LookTable[]): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        for (const row of all) await tx.insertInto('subtitle_look').values(row).onConflict((oc) => oc.columns(['item', 'language']).doUpdateSet({ until: row.until })).execute();
      }),
    /** Forgets looks at items that are gone. */
    tidy: (): Promise<void> =>
      db.write('grouped', async (tx: Tx) => {
        await tx.deleteFrom('subtitle_look').where('item', 'not in', tx.selectFrom('subtitle_item').select('id')).execute();
      }),
  };
};
export type UpkeepStore = ReturnType<typeof upkeepStore>;
