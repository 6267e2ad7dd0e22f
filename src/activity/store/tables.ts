/** The tables of the activity log. */
import { columns, table, type Migration, type Transaction } from '../../lib/db/index.ts';

export interface ActivityTables {
  activity_entry: {
    number: number;
    id: string;
    chain: string;
    at: number;
    kind: string;
    outcome: string;
    actor: string | null;
    via: string | null;
    credential: string | null;
    profile: string | null;
    target: string | null;
    reach: string | null;
    network: string | null;
    count: number;
    details: string;
    hash: string;
  };
  /** The anchor of each chain, which is the last entry that was removed, and its head, which is the newest one. */
  activity_chain: {
    chain: string;
    anchor_number: number;
    anchor_hash: string;
    head_number: number;
    head_hash: string;
  };
  /** Entries that a Profile is notified of, and when it has seen them. */
  activity_notice: { profile: string; number: number; seen_at: number | null };
  /** Result of the last check of the chains: one row at most. */
  activity_check: {
    id: string;
    checked_at: number;
    entries: number;
    broken_number: number | null;
    broken_at: number | null;
  };
}
export type ActivityTransaction = Transaction<ActivityTables>;

export const activityMigrations: readonly Migration[] = [
  {
    id: 'activity-001-log',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'activity_entry')
        .addColumn('number', c.integer, (col) => col.primaryKey().notNull())
        .addColumn('id', c.id, (col) => col.notNull().unique())
        .addColumn('chain', c.text, (col) => col.notNull())
        .addColumn('at', c.time, (col) => col.notNull())
        .addColumn('kind', c.text, (col) => col.notNull())
        .addColumn('outcome', c.text, (col) => col.notNull())
        .addColumn('actor', c.id)
        .addColumn('via', c.text)
        .addColumn('credential', c.id)
        .addColumn('profile', c.id)
        .addColumn('target', c.id)
        .addColumn('reach', c.text)
        .addColumn('network', c.text)
        .addColumn('count', c.integer, (col) => col.notNull())
        .addColumn('details', c.json, (col) => col.notNull())
        .addColumn('hash', c.text, (col) => col.notNull())
        .execute();
      await db.schema.createIndex('activity_entry_chain').on('activity_entry').columns(['chain', 'number']).execute();
      await db.schema.createIndex('activity_entry_at').on('activity_entry').columns(['at']).execute();
      await table(db, engine, 'activity_chain')
        .addColumn('chain', c.text, (col) => col.primaryKey().notNull())
        .addColumn('anchor_number', c.integer, (col) => col.notNull())
        .addColumn('anchor_hash', c.text, (col) => col.notNull())
        .addColumn('head_number', c.integer, (col) => col.notNull())
        .addColumn('head_hash', c.text, (col) => col.notNull())
        .execute();
      await table(db, engine, 'activity_notice')
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('number', c.integer, (col) => col.notNull())
        .addColumn('seen_at', c.time)
        .addUniqueConstraint('activity_notice_once', ['profile', 'number'])
        .execute();
    },
  },
  {
    id: 'activity-002-check',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'activity_check')
        .addColumn('id', c.text, (col) => col.primaryKey().notNull())
        .addColumn('checked_at', c.time, (col) => col.notNull())
        .addColumn('entries', c.integer, (col) => col.notNull())
        .addColumn('broken_number', c.integer)
        .addColumn('broken_at', c.time)
        .execute();
    },
  },
];
