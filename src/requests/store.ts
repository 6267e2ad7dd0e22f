/** The table of requests. What was asked and answered is kept as JSON; the rest is what rows are found by. */
import type { Kysely } from 'kysely';
import { columns, type CommitCursor, type Database, type Engine, table, type Transaction } from '../lib/db/index.ts';

export interface RequestAnswer {
  at: number;
  lasting?: 'once' | 'always' | undefined;
  item?: string | undefined;
  minutes?: number | undefined;
  until?: number | undefined;
  word?: string | undefined;
}
export interface RequestRow {
  id: string;
  profile: string;
  asked: { kind: 'item'; words: string } | { kind: 'time'; minutes: number };
  createdAt: number;
  state: 'open' | 'approved' | 'declined' | 'withdrawn';
  answer?: RequestAnswer | undefined;
  isSeen: boolean;
}

interface RequestTables {
  requests_request: {
    id: string;
    profile: string;
    asked: string;
    created_at: number;
    state: string;
    answer: string | null;
    seen: number;
  };
}
type RequestTransaction = Transaction<RequestTables>;

export const requestMigrations = [
  {
    id: 'requests-001-core',
    up: async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
      const c = columns(engine);
      await table(db, engine, 'requests_request')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('asked', c.json, (col) => col.notNull())
        .addColumn('created_at', c.time, (col) => col.notNull())
        .addColumn('state', c.text, (col) => col.notNull())
        .addColumn('answer', c.json)
        .addColumn('seen', c.flag, (col) => col.notNull())
        .execute();
      await db.schema.createIndex('requests_request_created').on('requests_request').column('created_at').execute();
    },
  },
] as const;

const rowOf = (row: RequestTables['requests_request']): RequestRow => ({
  id: row.id,
  profile: row.profile,
  asked: JSON.parse(row.asked) as RequestRow['asked'],
  createdAt: row.created_at,
  state: row.state as RequestRow['state'],
  ...(row.answer !== null && { answer: JSON.parse(row.answer) as RequestAnswer }),
  isSeen: row.seen === 1,
});

export type RequestStore = ReturnType<typeof requestStore>;

export const requestStore = (db: Database) => {
  const from = () => db.tables<RequestTables>().selectFrom('requests_request').selectAll();
  return {
    /** Returns requests that were made after a moment, the newest first: of one Profile, or of all. */
    async since(
      at: number,
      { profile, limit }: { profile?: string | undefined; limit: number },
    ): Promise<RequestRow[]> {
      const rows = await from()
        .where('created_at', '>=', at)
        .$if(profile !== undefined, (q) => q.where('profile', '=', profile ?? ''))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(rowOf);
    },

    async read(id: string): Promise<RequestRow | undefined> {
      const row = await from().where('id', '=', id).executeTakeFirst();
      return row && rowOf(row);
    },

    /** Adds a request, and forgets those that were made before a moment. */
    add: ({ id, profile, asked, createdAt }: RequestRow, before: number): Promise<void> =>
      db.write('safe', async (tx: RequestTransaction) => {
        await tx.deleteFrom('requests_request').where('created_at', '<', before).execute();
        await tx
          .insertInto('requests_request')
          .values({
            id,
            profile,
            asked: JSON.stringify(asked),
            created_at: createdAt,
            state: 'open',
            answer: null,
            seen: 0,
          })
          .execute();
      }),

    /** Closes an open request. Returns whether it was open. */
    close: (
      id: string,
      { state, answer }: { state: Exclude<RequestRow['state'], 'open'>; answer?: RequestAnswer | undefined },
    ): Promise<boolean> =>
      db.write('safe', async (tx: RequestTransaction) => {
        const closed = await tx
          .updateTable('requests_request')
          .set({ state, answer: answer ? JSON.stringify(answer) : null })
          .where('id', '=', id)
          .where('state', '=', 'open')
          .returning('id')
          .execute();
        return closed.length > 0;
      }),

    /** Marks the answers to a Profile as seen. Returns whether there was one that was not. */
    see: (profile: string): Promise<boolean> =>
      db.write('grouped', async (tx: RequestTransaction) => {
        const seen = await tx
          .updateTable('requests_request')
          .set({ seen: 1 })
          .where('profile', '=', profile)
          .where('seen', '=', 0)
          .where('state', 'in', ['approved', 'declined'])
          .returning('id')
          .execute();
        return seen.length > 0;
      }),

    forgetProfile: (profile: string, commitCursor: CommitCursor): Promise<void> =>
      db.write('safe', async (tx: RequestTransaction) => {
        await tx.deleteFrom('requests_request').where('profile', '=', profile).execute();
        await commitCursor(tx);
      }),
  };
};
