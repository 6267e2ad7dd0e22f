/** The table of smart playlists: rules and order as JSON, which only the evaluation reads. */
import { type Kysely, sql } from 'kysely';
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

/** Returns the bytes of the rules of all smart playlists that a Profile has. */
async function ruleBytesOf(tx: SmartTransaction, profile: string): Promise<number> {
  const { rows } = await sql<{ bytes: number | string | null }>`
    select sum(octet_length(cast(query as text))) as bytes from lists_smart
    where profile = ${profile} and deleted is null`.execute(tx);
  return Number(rows[0]?.bytes ?? 0);
}
/** Bytes of the rules, without order and limit, which are small. */
const bytesOf = ({ query }: StoredSmartPlaylist): number => Buffer.byteLength(JSON.stringify(query.rules));

/** `mostBytes`: maximum bytes of the rules of all smart playlists of a Profile together. */
export const smartStore = (db: Database, mostBytes: number) => {
  const rows = (profile: string) =>
    db
      .tables<SmartTables>()
      .selectFrom('lists_smart')
      .select(COLUMNS)
      .where('profile', '=', profile)
      .where('deleted', 'is', null);
  return {
    /** Returns the smart playlists of a Profile without their rules. */
    names: (profile: string): Promise<{ id: string; name: string }[]> =>
      rows(profile).clearSelect().select(['id', 'name']).execute(),
    one: async (profile: string, id: string): Promise<StoredSmartPlaylist | undefined> => {
      const row = await rows(profile).where('id', '=', id).executeTakeFirst();
      return row && parseSmart(row);
    },
    /** Creates a smart playlist, unless the Profile has `most` already, or its rules would be too large together. */
    create: (row: StoredSmartPlaylist, most: number) =>
      db.write('safe', async (tx: SmartTransaction): Promise<'created' | 'too-many' | 'too-large'> => {
        const own = await tx
          .selectFrom('lists_smart')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('profile', '=', row.profile)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        if (Number(own?.count ?? 0) >= most) return 'too-many';
        if ((await ruleBytesOf(tx, row.profile)) + bytesOf(row) > mostBytes) return 'too-large';
        await tx
          .insertInto('lists_smart')
          .values({ ...formatSmart(row), deleted: null })
          .execute();
        return 'created';
      }),
    /**
     * Changes a row as `change` says, seeing it as it is inside the transaction. Rules that are too large together may
     * still become smaller.
     */
    update: (profile: string, id: string, change: (now: StoredSmartPlaylist) => StoredSmartPlaylist) =>
      db.write('safe', async (tx: SmartTransaction): Promise<'changed' | 'missing' | 'too-large'> => {
        const now = await tx
          .selectFrom('lists_smart')
          .select(COLUMNS)
          .where('profile', '=', profile)
          .where('id', '=', id)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        if (!now) return 'missing';
        const before = parseSmart(now);
        const after = change(before);
        const grows = bytesOf(after) - bytesOf(before);
        if (grows > 0 && (await ruleBytesOf(tx, profile)) + grows > mostBytes) return 'too-large';
        await tx.updateTable('lists_smart').set(formatSmart(after)).where('id', '=', id).execute();
        return 'changed';
      }),
    deletion: deletedListStore(db, 'lists_smart', {
      obstacle: async (owned, { id, profile }) => {
        const tx = owned as unknown as SmartTransaction;
        const row = await tx.selectFrom('lists_smart').select(COLUMNS).where('id', '=', id).executeTakeFirst();
        const bytes = row ? bytesOf(parseSmart(row)) : 0;
        return (await ruleBytesOf(tx, profile)) + bytes > mostBytes ? 'too-many-rules' : undefined;
      },
    }),
    /** Removes the rows of a Profile in the transaction of the work that forgets it. */
    forget: <T>(tx: Transaction<T>, profile: string) =>
      (tx as unknown as SmartTransaction).deleteFrom('lists_smart').where('profile', '=', profile).execute(),
  };
};
export type SmartStore = ReturnType<typeof smartStore>;
