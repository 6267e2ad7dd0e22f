/** Identity in the database: its tables, one transaction for each list of steps, and the record of what happened. */
import type { Preferences } from '../contract/identity/accounts.ts';
import type { Policy } from '../contract/identity/profiles.ts';
import type { Role, Scope } from '../contract/kernel/endpoint.ts';
import { columns, table, type Database, type Migration, type Transaction } from '../lib/db/index.ts';
import { Failure } from '../lib/failure.ts';
import type { AuditRow, DeviceRow, KeyRow, MarkRow, Network, ProfileRow, SessionRow, Step } from './types.ts';

interface Tables {
  identity_profile: {
    id: string;
    name: string;
    name_key: string;
    role: string;
    policy: string;
    password: string | null;
    totp: string | null;
    totp_step: number;
    recovery: string;
    preferences: string;
    created_at: number;
  };
  identity_session: {
    id: string;
    hash: string;
    profile: string;
    device: string | null;
    kind: string;
    network: string;
    created_at: number;
    last_used_at: number;
    proved_at: number;
    ends_at: number;
  };
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
  identity_mark: { name: string; text: string; at: number };
  identity_removed: { seq: number; profile: string; at: number };
  identity_audit: {
    id: string;
    at: number;
    kind: string;
    outcome: string;
    profile: string | null;
    subject: string | null;
    network: string | null;
  };
}
type Tx = Transaction<Tables>;

export const identityMigrations: readonly Migration[] = [
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
];

export interface Loaded {
  profiles: ProfileRow[];
  sessions: SessionRow[];
  keys: KeyRow[];
  devices: DeviceRow[];
  marks: MarkRow[];
}

/** When a credential or device was last used: written in groups, apart from the steps. */
export interface Used {
  what: 'session' | 'key' | 'device';
  id: string;
  at: number;
}

export type IdentityStore = ReturnType<typeof identityStore>;

export const identityStore = (db: Database) => ({
  /** Everything that requests are checked against. */
  async load(): Promise<Loaded> {
    const from = db.tables<Tables>();
    const profiles = await from
      .selectFrom('identity_profile')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const sessions = await from.selectFrom('identity_session').selectAll().execute();
    const keys = await from.selectFrom('identity_key').selectAll().execute();
    const devices = await from.selectFrom('identity_device').selectAll().execute();
    const marks = await from.selectFrom('identity_mark').selectAll().execute();
    return {
      profiles: profiles.map(profileOf),
      sessions: sessions.map(sessionOf),
      keys: keys.map(keyOf),
      devices: devices.map(deviceOf),
      marks: marks as MarkRow[],
    };
  },

  /** Writes all steps or none, durably. A mark that is there already fails as `conflict`. */
  commit: (steps: readonly Step[]): Promise<void> =>
    db.write('safe', async (tx: Tx) => {
      for (const step of steps) await take(tx, step);
    }),

  /** Writes last uses. What was dropped meanwhile stays dropped. */
  touch: (used: readonly Used[]): Promise<void> =>
    db.write('grouped', async (tx: Tx) => {
      for (const { what, id, at } of used) {
        if (what === 'session')
          await tx.updateTable('identity_session').set({ last_used_at: at }).where('id', '=', id).execute();
        else if (what === 'key')
          await tx.updateTable('identity_key').set({ last_used_at: at }).where('id', '=', id).execute();
        else await tx.updateTable('identity_device').set({ last_seen_at: at }).where('id', '=', id).execute();
      }
    }),

  /** Profiles removed after `seq`, in order: what the domains above read to forget them too. */
  removedAfter: async (seq: number): Promise<{ seq: number; profile: string }[]> =>
    db
      .tables<Tables>()
      .selectFrom('identity_removed')
      .select(['seq', 'profile'])
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(1_000)
      .execute(),

  /** Whether something is recorded that happens only after set-up. */
  isUsed: async (): Promise<boolean> => {
    const from = db.tables<Tables>();
    const done = await from
      .selectFrom('identity_audit')
      .select('id')
      .where('outcome', '=', 'done')
      .limit(1)
      .executeTakeFirst();
    return (
      done !== undefined ||
      (await from.selectFrom('identity_removed').select('seq').limit(1).executeTakeFirst()) !== undefined
    );
  },

  /** What happened, the newest first, before a place in it. */
  async happened({
    limit,
    before,
  }: {
    limit: number;
    before?: { at: number; id: string } | undefined;
  }): Promise<AuditRow[]> {
    let query = db
      .tables<Tables>()
      .selectFrom('identity_audit')
      .selectAll()
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (before)
      query = query.where((is) =>
        is.or([is('at', '<', before.at), is.and([is('at', '=', before.at), is('id', '<', before.id)])]),
      );
    return (await query.execute()).map(auditOf);
  },

  /** Forgets what happened before a moment. */
  forgetBefore: (at: number): Promise<void> =>
    db.write('grouped', async (tx: Tx) => void (await tx.deleteFrom('identity_audit').where('at', '<', at).execute())),
});

async function take(tx: Tx, step: Step): Promise<void> {
  if ('put' in step) return put(tx, step);
  if ('drop' in step) return drop(tx, step);
  if ('audit' in step) {
    const { profile = null, subject = null, network = null, ...row } = step.audit;
    await tx
      .insertInto('identity_audit')
      .values({ ...row, profile, subject, network })
      .execute();
    return;
  }
  const made = await tx
    .insertInto('identity_mark')
    .values(step.mark)
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  if (made.length === 0) throw new Failure('conflict', 'this was done before');
}

async function put(tx: Tx, step: Extract<Step, { put: string }>): Promise<void> {
  if (step.put === 'profile') {
    const {
      id,
      name,
      nameKey,
      role,
      policy,
      password = null,
      totp = null,
      totpStep,
      recovery,
      preferences,
      createdAt,
    } = step.row;
    const row = {
      name,
      name_key: nameKey,
      role,
      policy: JSON.stringify(policy),
      password,
      totp,
      totp_step: totpStep,
      recovery: JSON.stringify(recovery),
      preferences: JSON.stringify(preferences),
      created_at: createdAt,
    };
    await tx
      .insertInto('identity_profile')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  } else if (step.put === 'session') {
    const { id, hash, profile, device = null, kind, network, createdAt, lastUsedAt, provedAt, endsAt } = step.row;
    const row = {
      hash,
      profile,
      device,
      kind,
      network,
      created_at: createdAt,
      last_used_at: lastUsedAt,
      proved_at: provedAt,
      ends_at: endsAt,
    };
    await tx
      .insertInto('identity_session')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  } else if (step.put === 'key') {
    const { id, hash, name, profile, scopes, createdAt, expiresAt, lastUsedAt = null } = step.row;
    const row = {
      hash,
      name,
      profile,
      scopes: JSON.stringify(scopes),
      created_at: createdAt,
      expires_at: expiresAt,
      last_used_at: lastUsedAt,
    };
    await tx
      .insertInto('identity_key')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  } else {
    const { id, hash, profile, name, firstSeenAt, lastSeenAt } = step.row;
    const row = { hash, profile, name, first_seen_at: firstSeenAt, last_seen_at: lastSeenAt };
    await tx
      .insertInto('identity_device')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  }
}

async function drop(tx: Tx, step: Extract<Step, { drop: string }>): Promise<void> {
  const { id } = step;
  if (step.drop === 'profile') return dropProfile(tx, id, step.at);
  if (step.drop === 'session') await tx.deleteFrom('identity_session').where('id', '=', id).execute();
  else if (step.drop === 'key') await tx.deleteFrom('identity_key').where('id', '=', id).execute();
  else await tx.deleteFrom('identity_device').where('id', '=', id).execute();
}

async function dropProfile(tx: Tx, id: string, at: number): Promise<void> {
  for (const child of ['identity_session', 'identity_key', 'identity_device'] as const)
    await tx.deleteFrom(child).where('profile', '=', id).execute();
  await tx.deleteFrom('identity_profile').where('id', '=', id).execute();
  const last = await tx
    .selectFrom('identity_removed')
    .select((of) => of.fn.max('seq').as('seq'))
    .executeTakeFirst();
  await tx
    .insertInto('identity_removed')
    .values({ seq: Number(last?.seq ?? 0) + 1, profile: id, at })
    .execute();
}

const some = <T>(value: T | null): T | undefined => value ?? undefined;

const profileOf = (row: Tables['identity_profile']): ProfileRow => ({
  id: row.id,
  name: row.name,
  nameKey: row.name_key,
  role: row.role as Role,
  policy: JSON.parse(row.policy) as Policy,
  password: some(row.password),
  totp: some(row.totp),
  totpStep: row.totp_step,
  recovery: JSON.parse(row.recovery) as string[],
  preferences: JSON.parse(row.preferences) as Preferences,
  createdAt: row.created_at,
});
const sessionOf = (row: Tables['identity_session']): SessionRow => ({
  id: row.id,
  hash: row.hash,
  profile: row.profile,
  device: some(row.device),
  kind: row.kind as SessionRow['kind'],
  network: row.network as Network,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  provedAt: row.proved_at,
  endsAt: row.ends_at,
});
const keyOf = (row: Tables['identity_key']): KeyRow => ({
  id: row.id,
  hash: row.hash,
  name: row.name,
  profile: row.profile,
  scopes: JSON.parse(row.scopes) as Scope[],
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: some(row.last_used_at),
});
const deviceOf = (row: Tables['identity_device']): DeviceRow => ({
  id: row.id,
  hash: row.hash,
  profile: row.profile,
  name: row.name,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
});
const auditOf = (row: Tables['identity_audit']): AuditRow => ({
  id: row.id,
  at: row.at,
  kind: row.kind,
  outcome: row.outcome as AuditRow['outcome'],
  profile: some(row.profile),
  subject: some(row.subject),
  network: some(row.network) as Network | undefined,
});
