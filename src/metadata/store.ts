/**
 * Stores what is known about matching: for each film and show the work that it is, or why it is none, and when the
 * provider was asked. The facts themselves are layers of the catalogue, and are never only here.
 */
import { setImmediate } from 'node:timers/promises';
import { columns, type Database, type Engine, type Kysely, type Migration, table } from '../lib/db/index.ts';
import type { MatchCandidate } from '../contract/catalog/candidates.ts';

/**
 * `none`: an Owner said that no work fits, so none is looked for. `unknown-id`: a file states an id that the provider
 * does not have.
 */
export type MatchState = 'matched' | 'unsure' | 'unknown-id' | 'not-found' | 'locked' | 'none';
interface MatchTable {
  item: string;
  library: string;
  state: string;
  /** Id of the work at the provider. */
  work: string | null;
  /** Last reply about it, and last attempt. */
  asked: number | null;
  tried: number;
  /** `described` and `parts` of the catalogue when it was asked. */
  described: string;
  parts: string;
  /** Whether episodes are still to come. */
  airing: number;
  /** Whether the provider listed it as changed. */
  changed: number;
  /** JSON. */
  candidates: string;
  /** Work and order of its episodes that an Owner chose: `201:5acf…`, or `201:` for the usual one. */
  episode_order: string | null;
}
interface MetadataTables {
  metadata_match: MatchTable;
  /** When the lists of changed works were read last. */
  metadata_changes: { kind: string; at: number };
}
export interface MatchRow extends Omit<MatchTable, 'state' | 'airing' | 'changed' | 'candidates' | 'episode_order'> {
  state: MatchState;
  isAiring: boolean;
  isChanged: boolean;
}
export interface MatchRecord extends Omit<MatchRow, 'isChanged'> {
  candidates: readonly MatchCandidate[];
}
export interface RefusedItem {
  item: string;
  seenAt: number;
  /** Whether a file states an id that the provider does not have. */
  isIdUnknown: boolean;
  candidates: MatchCandidate[];
}

async function matches(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'metadata_match')
    .addColumn('item', c.id, (col) => col.primaryKey().notNull())
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('work', c.text)
    .addColumn('asked', c.time)
    .addColumn('tried', c.time, (col) => col.notNull())
    .addColumn('described', c.text, (col) => col.notNull())
    .addColumn('parts', c.text, (col) => col.notNull())
    .addColumn('airing', c.flag, (col) => col.notNull())
    .addColumn('changed', c.flag, (col) => col.notNull())
    .addColumn('candidates', c.json, (col) => col.notNull())
    .execute();
  await db.schema.createIndex('metadata_match_state').on('metadata_match').columns(['state', 'item']).execute();
  await table(db, engine, 'metadata_changes')
    .addColumn('kind', c.text, (col) => col.primaryKey().notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .execute();
}

async function orders(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('metadata_match').addColumn('episode_order', columns(engine).text).execute();
}

/** Each match asks which items have the work already. */
async function itemsOfWorks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('metadata_match_work').on('metadata_match').columns(['work', 'library']).execute();
}

export const metadataMigrations: readonly Migration[] = [
  { id: 'metadata-001-matches', up: matches },
  { id: 'metadata-002-orders', up: orders },
  { id: 'metadata-003-works', up: itemsOfWorks },
];

const ROWS_AT_ONCE = 500;

/** Reads what is known about matching, without the candidates. */
const matchReading = (db: Database) => {
  const rows = () =>
    db
      .tables<MetadataTables>()
      .selectFrom('metadata_match')
      .select(['item', 'library', 'state', 'work', 'asked', 'tried', 'described', 'parts', 'airing', 'changed']);
  const parsed = (found: Awaited<ReturnType<ReturnType<typeof rows>['execute']>>): MatchRow[] =>
    found.map(({ state, airing, changed, ...row }) => ({
      ...row,
      state: state as MatchState,
      isAiring: Number(airing) === 1,
      isChanged: Number(changed) === 1,
    }));
  const among = async (items: readonly string[]): Promise<MatchRow[]> => {
    const found: MatchRow[] = [];
    for (let from = 0; from < items.length; from += ROWS_AT_ONCE)
      found.push(
        ...parsed(
          await rows()
            .where('item', 'in', items.slice(from, from + ROWS_AT_ONCE))
            .execute(),
        ),
      );
    return found;
  };
  return {
    among,
    of: async (item: string): Promise<MatchRow | undefined> => (await among([item]))[0],
    /** Yields all rows, some at a time: the server does other work in between. */
    all: async function* (): AsyncGenerator<MatchRow[], void, void> {
      for (let after: string | undefined = ''; after !== undefined;) {
        const found = parsed(await rows().where('item', '>', after).orderBy('item').limit(ROWS_AT_ONCE).execute());
        yield found;
        after = found.length < ROWS_AT_ONCE ? undefined : found.at(-1)?.item;
        await setImmediate();
      }
    },
  };
};

export const matchStore = (db: Database) => {
  const read = () => db.tables<MetadataTables>();
  const refusals = (library: string | undefined) =>
    read()
      .selectFrom('metadata_match')
      .where('state', 'in', ['unsure', 'unknown-id'])
      .$if(library !== undefined, (q) => q.where('library', '=', library ?? ''));
  return {
    ...matchReading(db),
    put: ({ isAiring, candidates, ...record }: MatchRecord): Promise<void> =>
      db.write<MetadataTables, void>('grouped', async (tx) => {
        const { item, ...row } = {
          ...record,
          airing: isAiring ? 1 : 0,
          changed: 0,
          candidates: JSON.stringify(candidates),
        };
        await tx
          .insertInto('metadata_match')
          .values({ item, ...row, episode_order: null })
          .onConflict((oc) => oc.column('item').doUpdateSet(row))
          .execute();
      }),
    /** Notes an attempt that failed, so that others come first. */
    tried: (item: string, at: number): Promise<void> =>
      db.write<MetadataTables, void>('grouped', async (tx) => {
        await tx.updateTable('metadata_match').set({ tried: at }).where('item', '=', item).execute();
      }),
    forget: (items: readonly string[]): Promise<void> =>
      db.write<MetadataTables, void>('grouped', async (tx) => {
        for (let from = 0; from < items.length; from += ROWS_AT_ONCE)
          await tx
            .deleteFrom('metadata_match')
            .where('item', 'in', items.slice(from, from + ROWS_AT_ONCE))
            .execute();
      }),
    /** Returns when the list of changed works was read last. */
    changesReadAt: async (kind: 'movie' | 'tv'): Promise<number | undefined> =>
      (await read().selectFrom('metadata_changes').select('at').where('kind', '=', kind).executeTakeFirst())?.at,
    /** Marks items as changed at the provider, and notes in the same transaction when the list was read. */
    markChanged: (kind: 'movie' | 'tv', { items, at }: { items: readonly string[]; at: number }): Promise<void> =>
      db.write<MetadataTables, void>('grouped', async (tx) => {
        for (let from = 0; from < items.length; from += ROWS_AT_ONCE)
          await tx
            .updateTable('metadata_match')
            .set({ changed: 1 })
            .where('item', 'in', items.slice(from, from + ROWS_AT_ONCE))
            .execute();
        await tx
          .insertInto('metadata_changes')
          .values({ kind, at })
          .onConflict((oc) => oc.column('kind').doUpdateSet({ at }))
          .execute();
      }),
    /** Returns the items of a library that are matched with a work. */
    itemsOfWork: async (library: string, work: string): Promise<string[]> =>
      (
        await read()
          .selectFrom('metadata_match')
          .select('item')
          .where('state', '=', 'matched')
          .where('library', '=', library)
          .where('work', '=', work)
          .limit(ROWS_AT_ONCE)
          .execute()
      ).map(({ item }) => item),
    /** Returns items whose match was refused because no candidate is certain, in the order of their ids. */
    refused: async (query: {
      library: string | undefined;
      after: string | undefined;
      offset: number;
      limit: number;
    }): Promise<{ items: RefusedItem[]; total: number }> => {
      const rows = await refusals(query.library)
        .select(['item', 'state', 'asked', 'tried', 'candidates'])
        .$if(query.after !== undefined, (q) => q.where('item', '>', query.after ?? ''))
        .orderBy('item')
        .offset(query.offset)
        .limit(query.limit)
        .execute();
      const { total } = await refusals(query.library)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return {
        items: rows.map(({ item, state, asked, tried, candidates }) => ({
          item,
          isIdUnknown: state === 'unknown-id',
          seenAt: asked ?? tried,
          candidates: JSON.parse(candidates) as MatchCandidate[],
        })),
        total: Number(total),
      };
    },
  };
};

/** Stores the orders of episodes that Owners chose. They belong to the rows of matches, and go with them. */
export const orderStore = (db: Database) => ({
  /** Returns the order that was chosen for a work: an empty text for the usual one, undefined if none was chosen. */
  orderOf: async (item: string, work: string): Promise<string | undefined> => {
    const row = await db
      .tables<MetadataTables>()
      .selectFrom('metadata_match')
      .select('episode_order')
      .where('item', '=', item)
      .executeTakeFirst();
    const [of, order] = row?.episode_order?.split(':') ?? [];
    return of === work ? order : undefined;
  },
  /** Stores a chosen order, and marks the item, so that a run after a crash applies it. */
  setOrder: (item: string, work: string, order: string): Promise<void> =>
    db.write<MetadataTables, void>('safe', async (tx) => {
      await tx
        .updateTable('metadata_match')
        .set({ episode_order: `${work}:${order}`, changed: 1 })
        .where('item', '=', item)
        .execute();
    }),
});
export type OrderStore = ReturnType<typeof orderStore>;
export type MatchStore = ReturnType<typeof matchStore>;
