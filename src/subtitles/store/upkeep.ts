/**
 * Which items are due for a search or a look for better, in the order in which they are taken: the longest neglected
 * first. What was tried and when the next try is due is kept over a restart.
 */
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { LONGEST_SEARCH, SEARCH } from '../choosing/back-off.ts';
import { type InventoryRow, tracksFrom } from './rows.ts';
import type { FileTable, LookTable, Tables, Tx } from './tables.ts';

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

/** In the order in which waiting ends; and whoever was searched for in vain waits, if only until now. */
async function due(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('subtitle_pause_due')
    .on('subtitle_pause')
    .columns(['provider', 'language', 'until', 'item'])
    .execute();
  const tables = db as Kysely<Tables>;
  const vain = tables
    .selectFrom('subtitle_search')
    .where('outcome', 'in', ['nothing', 'refused'])
    .select((eb) => [
      'item',
      'language',
      eb.val(SEARCH).as('provider'),
      eb.lit(0).as('failures'),
      eb.lit(0).as('until'),
      eb.val('nothing').as('kind'),
    ]);
  await tables
    .insertInto('subtitle_pause')
    .columns(['item', 'language', 'provider', 'failures', 'until', 'kind'])
    .expression(vain)
    .onConflict((oc) => oc.columns(['item', 'language', 'provider']).doNothing())
    .execute();
}
export const dueMigration: Migration = { id: 'subtitles-009-due', up: due };

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
/** Where reading goes on: behind this one. */
export interface Spot {
  /** Those that nothing keeps waiting come before those that have waited. */
  stage: 'free' | 'waited';
  at: number;
  item: string;
}
export interface PickingMissing extends Picking {
  /**
   * Those of the shapes in which this language was not searched for in vain: all others wait, and are found among
   * those.
   */
  untried: readonly string[];
  after?: Spot | undefined;
}
export type MissingDue = Due & { spot: Spot };
/** Of somebody's own file nothing is known here but that the item has text. */
export type OwnDue = Due & Pick<InventoryRow, 'tracks'>;

/** Milliseconds. Looks are put off by less, so what is further off was written by a clock that ran ahead. */
const MOST_LOOK = 31 * 86_400_000;

/** Items of those shapes whose language is not frozen. */
const openIn = (db: Database, { language, shapes }: Pick<Picking, 'language' | 'shapes'>) =>
  db
    .tables<Tables>()
    .selectFrom('subtitle_item as i')
    .where('i.shape', 'in', shapes)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('subtitle_frozen as f')
            .select('f.item')
            .whereRef('f.item', '=', 'i.id')
            .where('f.language', '=', language),
        ),
      ),
    );

/**
 * The two halves of what is due, each walked in the order of an index and left as soon as there is enough: what nothing
 * keeps waiting, by when it was last searched for in any language; and what has waited, by when that ended.
 */
export const missingQueries = (db: Database) => ({
  free: ({ language, untried, limit, after }: PickingMissing) =>
    openIn(db, { language, shapes: untried })
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('subtitle_pause as p')
              .select('p.item')
              .whereRef('p.item', '=', 'i.id')
              .where('p.language', '=', language)
              .where('p.provider', '=', SEARCH),
          ),
        ),
      )
      .$if(after?.stage === 'free', (query) =>
        query
          .where('i.searched', '>=', after?.at ?? 0)
          .where((eb) => eb.or([eb('i.searched', '>', after?.at ?? 0), eb('i.id', '>', after?.item ?? '')])),
      )
      .select(['i.id as item', 'i.searched as at'])
      .orderBy('i.searched')
      .orderBy('i.id')
      .limit(limit),
  waited: ({ language, shapes, now, limit, after }: PickingMissing) =>
    openIn(db, { language, shapes })
      .innerJoin('subtitle_pause as p', 'p.item', 'i.id')
      .where('p.provider', '=', SEARCH)
      .where('p.language', '=', language)
      .where('p.until', '<=', now)
      .$if(after?.stage === 'waited', (query) =>
        query
          .where('p.until', '>=', after?.at ?? 0)
          .where((eb) => eb.or([eb('p.until', '>', after?.at ?? 0), eb('p.item', '>', after?.item ?? '')])),
      )
      .select(['p.item as item', 'p.until as at'])
      .orderBy('p.until')
      .orderBy('p.item')
      .limit(limit),
});

export const upkeepStore = (db: Database) => {
  const read = () => db.tables<Tables>();
  const queries = missingQueries(db);
  const open = (picking: Picking) => openIn(db, picking);
  const missing = async (picking: PickingMissing): Promise<MissingDue[]> => {
    if (picking.shapes.length === 0) return [];
    const spots = (stage: Spot['stage'], rows: readonly { item: string; at: number }[]): MissingDue[] =>
      rows.map(({ item, at }) => ({ item, language: picking.language, spot: { stage, at: Number(at), item } }));
    const free =
      picking.after?.stage === 'waited' || picking.untried.length === 0
        ? []
        : spots('free', await queries.free(picking).execute());
    const left = picking.limit - free.length;
    return left === 0
      ? free
      : [...free, ...spots('waited', await queries.waited({ ...picking, limit: left }).execute())];
  };
  return {
    /** Ends waits that are longer than any can be: a clock that ran ahead wrote them. */
    believe: async ({ language, now }: Pick<Picking, 'language' | 'now'>): Promise<void> => {
      const far = now + LONGEST_SEARCH;
      const isAny = await read()
        .selectFrom('subtitle_pause')
        .select('item')
        .where('provider', '=', SEARCH)
        .where('language', '=', language)
        .where('until', '>', far)
        .limit(1)
        .executeTakeFirst();
      if (isAny)
        await db.write(
          'grouped',
          async (tx: Tx) =>
            void (await tx
              .updateTable('subtitle_pause')
              .set({ until: now })
              .where('provider', '=', SEARCH)
              .where('language', '=', language)
              .where('until', '>', far)
              .execute()),
        );
    },
    /** What nothing keeps waiting first, the longest neglected before the others; then what has waited. */
    missing,
    /** How many of them there are, counted no further than `limit`. */
    countMissing: async (picking: Omit<PickingMissing, 'after'>): Promise<number> => (await missing(picking)).length,
    /** Files of ours that were fetched and have fewer points than `below`, in this language or a variant of it. */
    fetched: async ({ language, shapes, now, limit, below }: Picking & { below: number }): Promise<Due[]> => {
      if (shapes.length === 0) return [];
      return read()
        .selectFrom('subtitle_installed as d')
        .innerJoin('subtitle_item as i', 'i.id', 'd.item')
        .leftJoin('subtitle_look as l', (join) =>
          join.onRef('l.item', '=', 'd.item').onRef('l.language', '=', 'd.language'),
        )
        .where('i.shape', 'in', shapes)
        .where((eb) => eb.or([eb('d.language', '=', language), eb('d.language', 'like', `${language}-%`)]))
        .where('d.origin', '=', 'fetched')
        .where('d.match', 'in', ['verified', 'unverified'] satisfies FileTable['match'][])
        .where('d.score', '<=', below)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('subtitle_frozen as f')
                .select('f.item')
                .whereRef('f.item', '=', 'd.item')
                .whereRef('f.language', '=', 'd.language'),
            ),
          ),
        )
        .where((eb) =>
          eb.or([eb('l.until', 'is', null), eb('l.until', '<=', now), eb('l.until', '>', now + MOST_LOOK)]),
        )
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
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('subtitle_installed as d')
                .select('d.item')
                .whereRef('d.item', '=', 'i.id')
                .where('d.language', '=', language)
                .where('d.origin', '!=', 'own'),
            ),
          ),
        )
        .where((eb) =>
          eb.or([eb('l.until', 'is', null), eb('l.until', '<=', now), eb('l.until', '>', now + MOST_LOOK)]),
        )
        .select(['i.id as item', 'i.tracks as tracks'])
        .orderBy((eb) => eb.fn.coalesce('l.until', eb.lit(0)))
        .orderBy('i.id')
        .limit(limit)
        .execute();
      return rows.map(({ item, tracks }) => ({ item, tracks: tracksFrom(tracks), language }));
    },
    /** Said before the look is made, so that a crash does not repeat it for ever. */
    looked: (all: readonly LookTable[]): Promise<void> =>
      db.write('safe', async (tx: Tx) => {
        for (const row of all)
          await tx
            .insertInto('subtitle_look')
            .values(row)
            .onConflict((oc) => oc.columns(['item', 'language']).doUpdateSet({ until: row.until }))
            .execute();
      }),
    /** Forgets looks at items that are gone. */
    tidy: (): Promise<void> =>
      db.write('grouped', async (tx: Tx) => {
        await tx
          .deleteFrom('subtitle_look')
          .where('item', 'not in', tx.selectFrom('subtitle_item').select('id'))
          .execute();
      }),
  };
};
export type UpkeepStore = ReturnType<typeof upkeepStore>;
