/**
 * Store of items that are due for a search or an upgrade, those waiting longest first. Attempts and the times of the
 * next ones survive a restart.
 */
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../../lib/db/index.ts';
import { MAX_SEARCH_PAUSE_MS, SEARCH_PAUSE } from '../choosing/back-off.ts';
import { type InventoryRow, tracksFrom } from './rows.ts';
import type { InstalledTable, LookTable, SubtitleRole, SubtitleTables, SubtitleTx } from './tables.ts';

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

/** Adds an index by the end of pauses, and a pause that has ended for each earlier unsuccessful search. */
async function due(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('subtitle_pause_due')
    .on('subtitle_pause')
    .columns(['provider', 'language', 'until', 'item'])
    .execute();
  const tables = db as Kysely<SubtitleTables>;
  const unsuccessful = tables
    .selectFrom('subtitle_search')
    .where('outcome', 'in', ['nothing', 'refused'])
    .select((eb) => [
      'item',
      'language',
      eb.val(SEARCH_PAUSE).as('provider'),
      eb.lit(0).as('failures'),
      eb.lit(0).as('until'),
      eb.val('nothing').as('kind'),
    ]);
  await tables
    .insertInto('subtitle_pause')
    .columns(['item', 'language', 'provider', 'failures', 'until', 'kind'])
    .expression(unsuccessful)
    .onConflict((oc) => oc.columns(['item', 'language', 'provider']).doNothing())
    .execute();
}
export const dueMigration: Migration = { id: 'subtitles-009-due', up: due };

export interface DueItem {
  item: string;
  language: string;
  role: SubtitleRole;
}
export interface DueQuery {
  language: string;
  role: SubtitleRole;
  /** Only items of these shapes. */
  shapes: readonly string[];
  now: number;
  limit: number;
}
/** A query for fetched files of every role, with a score of at most `below`. */
export type FetchedQuery = Omit<DueQuery, 'role'> & { below: number };
/** Position in the list of missing subtitles after which the next page begins. */
export interface DuePosition {
  /** Items without a pause (`free`) come before items whose pause has ended (`waited`). */
  stage: 'free' | 'waited';
  at: number;
  item: string;
}
export interface MissingQuery extends DueQuery {
  /** Shapes without an unsuccessful search for this language. Items of the other shapes have a pause. */
  untried: readonly string[];
  after?: DuePosition | undefined;
}
export type MissingItem = DueItem & { position: DuePosition };
/** An item with a user's own file. Only its tracks are known here. */
export type OwnFileItem = DueItem & Pick<InventoryRow, 'tracks'>;

/**
 * Longest believable time until the next upgrade attempt, in milliseconds. Later times were written while the clock was
 * ahead.
 */
const MAX_UPGRADE_WAIT_MS = 31 * 86_400_000;

/** Selects items of these shapes whose language is not frozen. */
const openIn = (db: Database, { language, shapes }: Pick<DueQuery, 'language' | 'shapes'>) =>
  db
    .tables<SubtitleTables>()
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
 * The two queries for missing subtitles. Each follows the order of an index and stops at the limit: `free` by the time
 * of the last search in any language, `waited` by the end of the pause.
 */
export const missingQueries = (db: Database) => ({
  free: ({ language, role, untried, limit, after }: MissingQuery) =>
    openIn(db, { language, shapes: untried })
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('subtitle_pause as p')
              .select('p.item')
              .whereRef('p.item', '=', 'i.id')
              .where('p.language', '=', language)
              .where('p.role', '=', role)
              .where('p.provider', '=', SEARCH_PAUSE),
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
  waited: ({ language, role, shapes, now, limit, after }: MissingQuery) =>
    openIn(db, { language, shapes })
      .innerJoin('subtitle_pause as p', 'p.item', 'i.id')
      .where('p.provider', '=', SEARCH_PAUSE)
      .where('p.language', '=', language)
      .where('p.role', '=', role)
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

/** The queries for upgrades, those that waited longest first. */
const upgradeQueries = (db: Database) => ({
  fetched: ({ language, shapes, now, limit, below }: FetchedQuery) =>
    db
      .tables<SubtitleTables>()
      .selectFrom('subtitle_installed as d')
      .innerJoin('subtitle_item as i', 'i.id', 'd.item')
      .leftJoin('subtitle_look as l', (join) =>
        join.onRef('l.item', '=', 'd.item').onRef('l.language', '=', 'd.language').onRef('l.role', '=', 'd.role'),
      )
      .where('i.shape', 'in', shapes)
      .where((eb) => eb.or([eb('d.language', '=', language), eb('d.language', 'like', `${language}-%`)]))
      .where('d.origin', '=', 'fetched')
      .where('d.match', 'in', ['verified', 'unverified'] satisfies InstalledTable['match'][])
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
        eb.or([eb('l.until', 'is', null), eb('l.until', '<=', now), eb('l.until', '>', now + MAX_UPGRADE_WAIT_MS)]),
      )
      .select(['d.item as item', 'd.language as language', 'd.role as role'])
      .orderBy((eb) => eb.fn.coalesce('l.until', eb.lit(0)))
      .orderBy('d.score')
      .orderBy('d.item')
      .orderBy('d.role')
      .limit(limit),
  own: ({ language, role, shapes, now, limit }: DueQuery) =>
    openIn(db, { language, shapes })
      .leftJoin('subtitle_look as l', (join) =>
        join.onRef('l.item', '=', 'i.id').on('l.language', '=', language).on('l.role', '=', role),
      )
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
        eb.or([eb('l.until', 'is', null), eb('l.until', '<=', now), eb('l.until', '>', now + MAX_UPGRADE_WAIT_MS)]),
      )
      .select(['i.id as item', 'i.tracks as tracks'])
      .orderBy((eb) => eb.fn.coalesce('l.until', eb.lit(0)))
      .orderBy('i.id')
      .limit(limit),
});

export const upkeepStore = (db: Database) => {
  const read = () => db.tables<SubtitleTables>();
  const queries = missingQueries(db);
  const upgrades = upgradeQueries(db);
  const missing = async (picking: MissingQuery): Promise<MissingItem[]> => {
    if (picking.shapes.length === 0) return [];
    const withPositions = (stage: DuePosition['stage'], rows: readonly { item: string; at: number }[]): MissingItem[] =>
      rows.map(({ item, at }) => ({
        item,
        language: picking.language,
        role: picking.role,
        position: { stage, at: Number(at), item },
      }));
    const free =
      picking.after?.stage === 'waited' || picking.untried.length === 0
        ? []
        : withPositions('free', await queries.free(picking).execute());
    const left = picking.limit - free.length;
    return left === 0
      ? free
      : [...free, ...withPositions('waited', await queries.waited({ ...picking, limit: left }).execute())];
  };
  return {
    /** Ends pauses that are longer than any can be, because they were written while the clock was ahead. */
    endImpossiblePauses: async ({
      language,
      role,
      now,
    }: Pick<DueQuery, 'language' | 'role' | 'now'>): Promise<void> => {
      const far = now + MAX_SEARCH_PAUSE_MS;
      const isAny = await read()
        .selectFrom('subtitle_pause')
        .select('item')
        .where('provider', '=', SEARCH_PAUSE)
        .where('language', '=', language)
        .where('role', '=', role)
        .where('until', '>', far)
        .limit(1)
        .executeTakeFirst();
      if (isAny)
        await db.write(
          'grouped',
          async (tx: SubtitleTx) =>
            void (await tx
              .updateTable('subtitle_pause')
              .set({ until: now })
              .where('provider', '=', SEARCH_PAUSE)
              .where('language', '=', language)
              .where('role', '=', role)
              .where('until', '>', far)
              .execute()),
        );
    },
    /** Returns items without a pause, the longest unsearched first, then items whose pause has ended. */
    missing,
    /** Returns the number of missing items, counted up to `limit`. */
    countMissing: async (picking: Omit<MissingQuery, 'after'>): Promise<number> => (await missing(picking)).length,
    /** Returns fetched files with a score of at most `below`, in this language or a variant of it. */
    fetched: async (query: FetchedQuery): Promise<DueItem[]> =>
      query.shapes.length === 0 ? [] : upgrades.fetched(query).execute(),
    /** Returns items that have text in this language that this server did not write. */
    own: async (query: DueQuery): Promise<OwnFileItem[]> => {
      if (query.shapes.length === 0) return [];
      const rows = await upgrades.own(query).execute();
      return rows.map(({ item, tracks }) => ({
        item,
        tracks: tracksFrom(tracks),
        language: query.language,
        role: query.role,
      }));
    },
    /**
     * Records the time of the next upgrade attempt. Called before the attempt, so that a crash does not repeat it
     * forever.
     */
    postponeUpgrades: (all: readonly LookTable[]): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        for (const row of all)
          await tx
            .insertInto('subtitle_look')
            .values(row)
            .onConflict((oc) => oc.columns(['item', 'language', 'role']).doUpdateSet({ until: row.until }))
            .execute();
      }),
    /** Deletes the upgrade times of removed items. */
    deleteOrphans: (): Promise<void> =>
      db.write('grouped', async (tx: SubtitleTx) => {
        await tx
          .deleteFrom('subtitle_look')
          .where('item', 'not in', tx.selectFrom('subtitle_item').select('id'))
          .execute();
      }),
  };
};
export type UpkeepStore = ReturnType<typeof upkeepStore>;
