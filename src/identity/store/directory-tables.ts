/** The tables of the directory: its users, and the tokens of services. */
import { columns, table, type Migration } from '../../lib/db/index.ts';

export interface DirectoryTables {
  identity_directory_user: {
    profile: string;
    user_name: string;
    user_name_key: string;
    external_id: string | null;
    is_active: number;
    attributes: string;
    version: number;
    created_at: number;
    changed_at: number;
    removed_at: number | null;
  };
  identity_service_token: {
    service: string;
    hash: string;
    expires_at: number;
    last_used_at: number | null;
    announced_days: number | null;
  };
}

export const directoryMigration: Migration = {
  id: 'identity-016-directory',
  up: async (db, engine) => {
    const c = columns(engine);
    await table(db, engine, 'identity_directory_user')
      .addColumn('profile', c.id, (col) => col.primaryKey().notNull())
      .addColumn('user_name', c.text, (col) => col.notNull())
      .addColumn('user_name_key', c.text, (col) => col.notNull())
      .addColumn('external_id', c.text, (col) => col.unique())
      .addColumn('is_active', c.flag, (col) => col.notNull())
      .addColumn('attributes', c.json, (col) => col.notNull())
      .addColumn('version', c.integer, (col) => col.notNull())
      .addColumn('created_at', c.time, (col) => col.notNull())
      .addColumn('changed_at', c.time, (col) => col.notNull())
      .addColumn('removed_at', c.time)
      .execute();
    await table(db, engine, 'identity_service_token')
      .addColumn('service', c.text, (col) => col.primaryKey().notNull())
      .addColumn('hash', c.text, (col) => col.notNull())
      .addColumn('expires_at', c.time, (col) => col.notNull())
      .addColumn('last_used_at', c.time)
      .addColumn('announced_days', c.integer)
      .execute();
  },
};
