/**
 * Tables of collections: what Owners made, changed and deleted. What sets say is not stored here.
 *
 * The order of a collection is the places of its items, which one transaction writes: a crash leaves the old order or
 * the new one.
 */
import type { Kysely } from 'kysely';
import { crashPoint } from '../../lib/crash.ts';
import { columns, type Database, type Engine, table, type Transaction } from '../../lib/db/index.ts';

interface CollectionTable {
  id: string;
  /** The name by hand; null for that of the sets. */
  name: string | null;
  description: string | null;
  /** Whether an Owner made it, and not a set. */
  by_hand: number;
  order_by: 'released' | 'given';
  /** The item whose poster is the picture. */
  cover: string | null;
  /** The picture that an Owner uploaded. */
  picture: string | null;
  /** JSON: keys of the sets that it was made of when it was changed last. */
  keys: string;
  made: number;
  /** When an Owner deleted it. */
  deleted: number | null;
}
export interface CollectionEntryRow {
  collection: string;
  item: string;
  /** `member`: only its place is stored. */
  state: 'added' | 'removed' | 'member';
  place: number | null;
}
interface CollectionTables {
  lists_collection: CollectionTable;
  lists_collection_item: CollectionEntryRow;
}
type CollectionTransaction = Transaction<CollectionTables>;
export type CollectionRow = Omit<CollectionTable, 'keys'> & { keys: readonly string[] };
export type CollectionChange = Partial<
  Pick<CollectionTable, 'name' | 'description' | 'order_by' | 'cover' | 'picture' | 'deleted'>
>;

/** Rows of one statement, well within what both engines take. */
const ROWS_AT_ONCE = 500;

async function collectionTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'lists_collection')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('name', c.text)
    .addColumn('description', c.text)
    .addColumn('by_hand', c.flag, (col) => col.notNull())
    .addColumn('order_by', c.text, (col) => col.notNull())
    .addColumn('cover', c.id)
    .addColumn('keys', c.json, (col) => col.notNull())
    .addColumn('made', c.time, (col) => col.notNull())
    .addColumn('deleted', c.time)
    .execute();
  await table(db, engine, 'lists_collection_item')
    .addColumn('collection', c.id, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('place', c.integer)
    .addPrimaryKeyConstraint('lists_collection_item_key', ['collection', 'item'])
    .execute();
}
export const collectionPictureMigration = {
  id: 'lists-005-collection-picture',
  up: async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
    await db.schema.alterTable('lists_collection').addColumn('picture', columns(engine).text).execute();
  },
} as const;
export const collectionMigration = { id: 'lists-003-collections', up: collectionTables } as const;

/** Stores a collection that was derived from sets so far; one that is stored keeps its row and gets the new keys. */
async function ensure(tx: CollectionTransaction, row: CollectionRow): Promise<void> {
  const now = await tx.selectFrom('lists_collection').select('keys').where('id', '=', row.id).executeTakeFirst();
  if (!now) {
    await tx
      .insertInto('lists_collection')
      .values({ ...row, keys: JSON.stringify(row.keys) })
      .execute();
    return;
  }
  const keys = [...new Set([...(JSON.parse(now.keys) as string[]), ...row.keys])].sort();
  await tx
    .updateTable('lists_collection')
    .set({ keys: JSON.stringify(keys) })
    .where('id', '=', row.id)
    .execute();
}

const entriesOf = (tx: CollectionTransaction, collection: string) =>
  tx.selectFrom('lists_collection_item').selectAll().where('collection', '=', collection).execute();

async function putEntries(tx: CollectionTransaction, rows: readonly CollectionEntryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx
      .insertInto('lists_collection_item')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((oc) =>
        oc.columns(['collection', 'item']).doUpdateSet((eb) => ({
          state: eb.ref('excluded.state'),
          place: eb.ref('excluded.place'),
        })),
      )
      .execute();
  }
}

/** Adds items, or takes back that they were removed. Those that were removed from their sets belong to them again. */
async function addEntries(
  tx: CollectionTransaction,
  { id, items, inSets }: { id: string; items: readonly string[]; inSets: ReadonlySet<string> },
): Promise<void> {
  const now = new Map((await entriesOf(tx, id)).map((row) => [row.item, row]));
  await putEntries(
    tx,
    items.map((item) => ({
      collection: id,
      item,
      state: inSets.has(item) ? 'member' : 'added',
      place: now.get(item)?.place ?? null,
    })),
  );
}

/** Returns all items of a collection in the order that results from a move. Removed ones keep their neighbours. */
function movedOrder(
  entries: readonly CollectionEntryRow[],
  shown: readonly string[],
  { item, before }: { item: string; before: string | null },
): string[] {
  const placed = entries.filter(({ place }) => place !== null).sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const isPlaced = new Set(placed.map((row) => row.item));
  const all = [...placed.map((row) => row.item), ...shown.filter((one) => !isPlaced.has(one))];
  const rest = all.filter((one) => one !== item);
  const at = before === null ? rest.length : rest.indexOf(before);
  return [...rest.slice(0, at), item, ...rest.slice(at)];
}

export const collectionStore = (db: Database) => {
  const read = () => db.tables<CollectionTables>();
  return {
    /** Returns every collection that an Owner made, changed or deleted. */
    all: async (): Promise<CollectionRow[]> =>
      (await read().selectFrom('lists_collection').selectAll().execute()).map((row) => ({
        ...row,
        keys: JSON.parse(row.keys) as string[],
      })),
    entries: (): Promise<CollectionEntryRow[]> => read().selectFrom('lists_collection_item').selectAll().execute(),
    /** Creates a collection with its items. */
    create: (row: CollectionRow, items: readonly string[]) =>
      db.write('safe', async (tx: CollectionTransaction) => {
        await ensure(tx, row);
        await addEntries(tx, { id: row.id, items, inSets: new Set() });
      }),
    change: (row: CollectionRow, change: CollectionChange) =>
      db.write('safe', async (tx: CollectionTransaction) => {
        await ensure(tx, row);
        if (Object.keys(change).length > 0)
          await tx.updateTable('lists_collection').set(change).where('id', '=', row.id).execute();
      }),
    add: (row: CollectionRow, items: readonly string[], inSets: ReadonlySet<string>) =>
      db.write('safe', async (tx: CollectionTransaction) => {
        await ensure(tx, row);
        await addEntries(tx, { id: row.id, items, inSets });
      }),
    /** Marks an item as removed. It keeps its place, so that it can come back there. */
    remove: (row: CollectionRow, item: string) =>
      db.write('safe', async (tx: CollectionTransaction) => {
        await ensure(tx, row);
        const now = (await entriesOf(tx, row.id)).find((one) => one.item === item);
        await putEntries(tx, [{ collection: row.id, item, state: 'removed', place: now?.place ?? null }]);
      }),
    /** Moves an item in front of another one, or to the end; `shown` are the items as they are now. */
    move: (row: CollectionRow, shown: readonly string[], how: { item: string; before: string | null }) =>
      db.write('safe', async (tx: CollectionTransaction) => {
        await ensure(tx, row);
        const entries = await entriesOf(tx, row.id);
        const states = new Map(entries.map(({ item, state }) => [item, state]));
        const isGiven =
          (await tx.selectFrom('lists_collection').select('order_by').where('id', '=', row.id).executeTakeFirst())
            ?.order_by === 'given';
        // An order by release is where a first move starts from, and not an older order by hand.
        const order = movedOrder(isGiven ? entries : [], shown, how);
        const left = isGiven ? [] : entries.filter(({ item }) => !order.includes(item)).map(({ item }) => item);
        await tx.updateTable('lists_collection').set({ order_by: 'given' }).where('id', '=', row.id).execute();
        crashPoint('lists.collection.ordering');
        await putEntries(
          tx,
          [...order, ...left].map((item, place) => ({
            collection: row.id,
            item,
            state: states.get(item) ?? 'member',
            place,
          })),
        );
        crashPoint('lists.collection.ordered');
      }),
  };
};
export type CollectionStore = ReturnType<typeof collectionStore>;
