/** The table of smart playlists: rules and order as JSON, which only the evaluation reads. */
import type { Kysely } from 'kysely';
import type { RuleQuery } from '../../contract/catalog/rule-fields.ts';
import { deletedListStore } from './deleted.ts';
import { columns, type Database, type Engine, table, type Transaction } from '../../lib/db/index.ts';

interface SmartTable {
  id: string;
  profile: string;
  name: string;
  /** JSON of the question. */
  query: string;
  /** When its Profile deleted it. */
  deleted: number | null;
}
interface SmartTables {
  lists_smart: SmartTable;
}
type SmartTransaction = Transaction<SmartTables>;

export interface StoredSmartPlaylist {
  id: string;
  profile: string;
  name: string;
  query: RuleQuery;
}

async function smartTable(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'lists_smart')
    .addColumn('id', c.id, (col) => col.primaryKey())
    .addColumn('profile', c.id, (col) => col.notNull())
    .addColumn('name', c.text, (col) => col.notNull())
    .addColumn('query', c.json, (col) => col.notNull())
    .execute();
  await db.schema.createIndex('lists_smart_profile').on('lists_smart').column('profile').execute();
}
export const smartMigration = { id: 'lists-002-smart', up: smartTable } as const;

type SmartRow = Omit<SmartTable, 'deleted'>;
const COLUMNS = ['id', 'profile', 'name', 'query'] as const;
const parseSmart = (row: SmartRow): StoredSmartPlaylist => ({ ...row, query: JSON.parse(row.query) as RuleQuery });
const formatSmart = (row: StoredSmartPlaylist): SmartRow => ({ ...row, query: JSON.stringify(row.query) });

export const smartStore = (db: Database) => {
  const rows = (profile: string) =>
    db
      .tables<SmartTables>()
      .selectFrom('lists_smart')
      .select(COLUMNS)
      .where('profile', '=', profile)
      .where('deleted', 'is', null);
  return {
    all: async (profile: string): Promise<StoredSmartPlaylist[]> => (await rows(profile).execute()).map(parseSmart),
    one: async (profile: string, id: string): Promise<StoredSmartPlaylist | undefined> => {
      const row = await rows(profile).where('id', '=', id).executeTakeFirst();
      return row && parseSmart(row);
    },
    /** Creates a smart playlist; false if the Profile has `most` already. */
    create: (row: StoredSmartPlaylist, most: number) =>
      db.write('safe', async (tx: SmartTransaction): Promise<boolean> => {
        const own = await tx
          .selectFrom('lists_smart')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('profile', '=', row.profile)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        if (Number(own?.count ?? 0) >= most) return false;
        await tx
          .insertInto('lists_smart')
          .values({ ...formatSmart(row), deleted: null })
          .execute();
        return true;
      }),
    /** Changes a row as `change` says, seeing it as it is inside the transaction. Returns false if it is not there. */
    update: (profile: string, id: string, change: (now: StoredSmartPlaylist) => StoredSmartPlaylist) =>
      db.write('safe', async (tx: SmartTransaction): Promise<boolean> => {
        const now = await tx
          .selectFrom('lists_smart')
          .select(COLUMNS)
          .where('profile', '=', profile)
          .where('id', '=', id)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        if (!now) return false;
        await tx
          .updateTable('lists_smart')
          .set(formatSmart(change(parseSmart(now))))
          .where('id', '=', id)
          .execute();
        return true;
      }),
    deletion: deletedListStore(db, 'lists_smart'),
    /** Removes the rows of a Profile in the transaction of the work that forgets it. */
    forget: <T>(tx: Transaction<T>, profile: string) =>
      (tx as unknown as SmartTransaction).deleteFrom('lists_smart').where('profile', '=', profile).execute(),
  };
};
export type SmartStore = ReturnType<typeof smartStore>;
