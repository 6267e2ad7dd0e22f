/** The tables of identity, and the migrations that make them. */
import type { Kysely } from 'kysely';
import { migratedPolicy } from '../accounts/policies.ts';
import { activityMigrations } from '../../activity/index.ts';
import { directoryMigration, type DirectoryTables } from './directory-tables.ts';
import { columns, table, type Migration, type Transaction } from '../../lib/db/index.ts';
import { moveAudit } from './earlier-audit.ts';

export interface IdentityTables extends DirectoryTables {
  identity_profile: {
    id: string;
    name: string;
    name_key: string;
    role: string;
    policy: string;
    password: string | null;
    totp: string | null;
    pin: string | null;
    mfa_exempt: number | null;
    totp_step: number;
    recovery: string;
    preferences: string;
    /** A `ChosenFace` as JSON. */
    look: string | null;
    /** A list of `Grant` as JSON. */
    grants: string | null;
    created_at: number;
  };
  identity_picture: { profile: string; bytes: Uint8Array };
  identity_session: {
    id: string;
    hash: string;
    profile: string;
    device: string | null;
    kind: string;
    way: string;
    network: string;
    created_at: number;
    last_used_at: number;
    proved_at: number;
    ends_at: number;
    outside: string | null;
    /** A `Rotation` as JSON, for a browser that stays signed in. */
    remembered: string | null;
    household: string | null;
    may_add_passkey: number | null;
  };
  identity_passkey: {
    id: string;
    profile: string;
    credential: string;
    public_key: string;
    counter: number;
    is_syncable: number;
    is_synced: number;
    transports: string;
    host: string;
    name: string;
    is_suspect: number;
    created_at: number;
    last_used_at: number | null;
  };
  identity_household: {
    id: string;
    hash: string;
    name: string;
    created_at: number;
    last_seen_at: number;
    /** A `Rotation` as JSON. */
    rotation: string;
  };
  identity_household_profile: { household: string; profile: string; opens: string; place: number };
  identity_key: {
    id: string;
    hash: string;
    name: string;
    profile: string;
    scopes: string;
    created_at: number;
    expires_at: number;
    last_used_at: number | null;
  };
  identity_device: {
    id: string;
    hash: string;
    profile: string;
    name: string;
    first_seen_at: number;
    last_seen_at: number;
  };
  identity_link: {
    id: string;
    profile: string;
    protocol: string;
    issuer: string;
    claim: string;
    subject: string;
    label: string | null;
    created_at: number;
  };
  /** Hashes of SAML assertions that were used, until they count no longer. */
  identity_assertion: { id: string; ends_at: number };
  /** The last good metadata of a SAML provider, by its address. */
  identity_saml_metadata: { address: string; document: string; read_at: number };
  /** Milliseconds that a Profile with a limited time played on a day. */
  identity_watched: { profile: string; day: string; ms: number };
  identity_mark: { name: string; text: string; at: number };
  identity_removed: { seq: number; profile: string; at: number };
  /** The last removed Profile that each domain has forgotten. */
  identity_forgotten: { domain: string; seq: number };
}
export type IdentityTransaction = Transaction<IdentityTables>;

/** Steps of the tables of identity. */
export const identityTableMigrations: readonly Migration[] = [
  {
    id: 'identity-001-core',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'identity_profile')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('name', c.text, (col) => col.notNull())
        .addColumn('name_key', c.text, (col) => col.notNull().unique())
        .addColumn('role', c.text, (col) => col.notNull())
        .addColumn('policy', c.json, (col) => col.notNull())
        .addColumn('password', c.text)
        .addColumn('totp', c.text)
        .addColumn('totp_step', c.integer, (col) => col.notNull())
        .addColumn('recovery', c.json, (col) => col.notNull())
        .addColumn('preferences', c.json, (col) => col.notNull())
        .addColumn('created_at', c.time, (col) => col.notNull())
        .execute();
      await table(db, engine, 'identity_session')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('hash', c.text, (col) => col.notNull().unique())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('device', c.id)
        .addColumn('kind', c.text, (col) => col.notNull())
        .addColumn('network', c.text, (col) => col.notNull())
        .addColumn('created_at', c.time, (col) => col.notNull())
        .addColumn('last_used_at', c.time, (col) => col.notNull())
        .addColumn('proved_at', c.time, (col) => col.notNull())
        .addColumn('ends_at', c.time, (col) => col.notNull())
        .execute();
      await table(db, engine, 'identity_key')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('hash', c.text, (col) => col.notNull().unique())
        .addColumn('name', c.text, (col) => col.notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('scopes', c.json, (col) => col.notNull())
        .addColumn('created_at', c.time, (col) => col.notNull())
        .addColumn('expires_at', c.time, (col) => col.notNull())
        .addColumn('last_used_at', c.time)
        .execute();
      await table(db, engine, 'identity_device')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('hash', c.text, (col) => col.notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('name', c.text, (col) => col.notNull())
        .addColumn('first_seen_at', c.time, (col) => col.notNull())
        .addColumn('last_seen_at', c.time, (col) => col.notNull())
        .addUniqueConstraint('identity_device_once', ['hash', 'profile'])
        .execute();
      await table(db, engine, 'identity_mark')
        .addColumn('name', c.text, (col) => col.primaryKey().notNull())
        .addColumn('text', c.text, (col) => col.notNull())
        .addColumn('at', c.time, (col) => col.notNull())
        .execute();
      await table(db, engine, 'identity_removed')
        .addColumn('seq', c.integer, (col) => col.primaryKey().notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('at', c.time, (col) => col.notNull())
        .execute();
      await table(db, engine, 'identity_audit')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('at', c.time, (col) => col.notNull())
        .addColumn('kind', c.text, (col) => col.notNull())
        .addColumn('outcome', c.text, (col) => col.notNull())
        .addColumn('profile', c.id)
        .addColumn('subject', c.id)
        .addColumn('network', c.text)
        .execute();
      await db.schema.createIndex('identity_audit_at').on('identity_audit').columns(['at', 'id']).execute();
    },
  },
  {
    id: 'identity-002-forgotten',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'identity_forgotten')
        .addColumn('domain', c.text, (col) => col.primaryKey().notNull())
        .addColumn('seq', c.integer, (col) => col.notNull())
        .execute();
    },
  },
  {
    // Ages replace the words family, teen and all. No Profile may see more than before.
    id: 'identity-003-ages',
    up: async (db) => {
      const tables = db as Kysely<IdentityTables>;
      for (const { id, policy } of await tables.selectFrom('identity_profile').select(['id', 'policy']).execute()) {
        const migrated = migratedPolicy(JSON.parse(policy) as Record<string, unknown>);
        await tables
          .updateTable('identity_profile')
          .set({ policy: JSON.stringify(migrated) })
          .where('id', '=', id)
          .execute();
      }
    },
  },
  {
    id: 'identity-004-way',
    up: async (db, engine) => {
      await db.schema
        .alterTable('identity_session')
        .addColumn('way', columns(engine).text, (col) => col.notNull().defaultTo('password'))
        .execute();
    },
  },
  {
    id: 'identity-005-outside',
    up: async (db, engine) => {
      const c = columns(engine);
      await db.schema.alterTable('identity_session').addColumn('outside', c.json).execute();
      await table(db, engine, 'identity_link')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('issuer', c.text, (col) => col.notNull())
        .addColumn('claim', c.text, (col) => col.notNull())
        .addColumn('subject', c.text, (col) => col.notNull())
        .addColumn('label', c.text)
        .addColumn('created_at', c.time, (col) => col.notNull())
        .addUniqueConstraint('identity_link_once', ['issuer', 'claim', 'subject'])
        .execute();
    },
  },
  {
    // Browsers that stay signed in, with the tokens that they had before.
    id: 'identity-006-remembered',
    up: async (db, engine) => {
      await db.schema.alterTable('identity_session').addColumn('remembered', columns(engine).json).execute();
    },
  },
  {
    // Household devices, the Viewers of their pickers, and PINs.
    id: 'identity-007-household',
    up: async (db, engine) => {
      const c = columns(engine);
      await db.schema.alterTable('identity_profile').addColumn('pin', c.text).execute();
      await db.schema.alterTable('identity_session').addColumn('household', c.id).execute();
      await table(db, engine, 'identity_household')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('hash', c.text, (col) => col.notNull().unique())
        .addColumn('name', c.text, (col) => col.notNull())
        .addColumn('created_at', c.time, (col) => col.notNull())
        .addColumn('last_seen_at', c.time, (col) => col.notNull())
        .addColumn('rotation', c.json, (col) => col.notNull())
        .execute();
      await table(db, engine, 'identity_household_profile')
        .addColumn('household', c.id, (col) => col.notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('opens', c.text, (col) => col.notNull())
        .addColumn('place', c.integer, (col) => col.notNull())
        .addUniqueConstraint('identity_household_profile_once', ['household', 'profile'])
        .execute();
    },
  },
  {
    // Passkeys, and sessions that may add one from outside.
    id: 'identity-008-passkeys',
    up: async (db, engine) => {
      const c = columns(engine);
      await db.schema.alterTable('identity_session').addColumn('may_add_passkey', c.flag).execute();
      await table(db, engine, 'identity_passkey')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('credential', c.text, (col) => col.notNull().unique())
        .addColumn('public_key', c.text, (col) => col.notNull())
        .addColumn('counter', c.integer, (col) => col.notNull())
        .addColumn('is_syncable', c.flag, (col) => col.notNull())
        .addColumn('is_synced', c.flag, (col) => col.notNull())
        .addColumn('transports', c.json, (col) => col.notNull())
        .addColumn('host', c.text, (col) => col.notNull())
        .addColumn('name', c.text, (col) => col.notNull())
        .addColumn('is_suspect', c.flag, (col) => col.notNull())
        .addColumn('created_at', c.time, (col) => col.notNull())
        .addColumn('last_used_at', c.time)
        .execute();
    },
  },
  {
    // Time that was played on a day, for Profiles with a limit.
    id: 'identity-009-watched',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'identity_watched')
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('day', c.text, (col) => col.notNull())
        .addColumn('ms', c.integer, (col) => col.notNull())
        .addUniqueConstraint('identity_watched_once', ['profile', 'day'])
        .execute();
    },
  },
  {
    // Links say by which protocol: two may have an issuer of the same name. A constraint cannot be changed on SQLite.
    id: 'identity-010-protocols',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'identity_link_by_protocol')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('protocol', c.text, (col) => col.notNull())
        .addColumn('issuer', c.text, (col) => col.notNull())
        .addColumn('claim', c.text, (col) => col.notNull())
        .addColumn('subject', c.text, (col) => col.notNull())
        .addColumn('label', c.text)
        .addColumn('created_at', c.time, (col) => col.notNull())
        .addUniqueConstraint('identity_link_protocol_once', ['protocol', 'issuer', 'claim', 'subject'])
        .execute();
      const kept = ['id', 'profile', 'issuer', 'claim', 'subject', 'label', 'created_at'];
      const tables = db as Kysely<Record<string, Record<string, unknown>>>;
      await tables
        .insertInto('identity_link_by_protocol')
        .columns([...kept, 'protocol'])
        .expression(tables.selectFrom('identity_link').select((eb) => [...kept, eb.val('oidc').as('protocol')]))
        .execute();
      await db.schema.dropTable('identity_link').execute();
      await db.schema.alterTable('identity_link_by_protocol').renameTo('identity_link').execute();
    },
  },
  {
    // The audit rows become entries of the activity log.
    id: 'identity-011-activity',
    up: moveAudit,
  },
  {
    // Viewers that need no second factor at home.
    id: 'identity-012-exempt',
    up: async (db, engine) => {
      await db.schema.alterTable('identity_profile').addColumn('mfa_exempt', columns(engine).flag).execute();
    },
  },
  {
    // How Profiles look.
    id: 'identity-013-faces',
    up: async (db, engine) => {
      const c = columns(engine);
      await db.schema.alterTable('identity_profile').addColumn('look', c.json).execute();
      await table(db, engine, 'identity_picture')
        .addColumn('profile', c.id, (col) => col.primaryKey().notNull())
        .addColumn('bytes', c.bytes, (col) => col.notNull())
        .execute();
    },
  },
  {
    // Items and time that were allowed for a while.
    id: 'identity-014-grants',
    up: async (db, engine) => {
      await db.schema.alterTable('identity_profile').addColumn('grants', columns(engine).json).execute();
    },
  },
  {
    // SAML: used assertions, and the metadata of the provider.
    id: 'identity-015-saml',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'identity_assertion')
        .addColumn('id', c.id, (col) => col.primaryKey().notNull())
        .addColumn('ends_at', c.time, (col) => col.notNull())
        .execute();
      await table(db, engine, 'identity_saml_metadata')
        .addColumn('address', c.text, (col) => col.primaryKey().notNull())
        .addColumn('document', c.text, (col) => col.notNull())
        .addColumn('read_at', c.time, (col) => col.notNull())
        .execute();
    },
  },
  directoryMigration,
];

/** The same with those of the activity log, for a database that has nothing above identity. */
export const identityMigrations: readonly Migration[] = [...activityMigrations, ...identityTableMigrations];
