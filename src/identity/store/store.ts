/** Identity in the database: one transaction for each list of steps, with the entries of the activity log. */
import { hasActivity } from '../../activity/index.ts';
import { crashPoint } from '../../lib/crash.ts';
import type { CommitCursor, Database } from '../../lib/db/index.ts';
import type {
  DeviceRow,
  DirectoryUserRow,
  HouseholdRow,
  KeyRow,
  LinkRow,
  MarkRow,
  PasskeyRow,
  ProfileRow,
  ServiceTokenRow,
  SessionRow,
  Step,
} from '../types.ts';
import {
  deviceOf,
  directoryUserOf,
  householdOf,
  keyOf,
  linkOf,
  passkeyOf,
  profileOf,
  serviceTokenOf,
  sessionOf,
} from './rows.ts';
import { writeStep } from './steps.ts';
import type { IdentityTables, IdentityTransaction } from './tables.ts';

/** Most removed Profiles that one call returns. */
const MAX_REMOVED = 1_000;

export interface IdentityRows {
  profiles: ProfileRow[];
  sessions: SessionRow[];
  keys: KeyRow[];
  devices: DeviceRow[];
  links: LinkRow[];
  households: HouseholdRow[];
  passkeys: PasskeyRow[];
  directoryUsers: DirectoryUserRow[];
  serviceTokens: ServiceTokenRow[];
  marks: MarkRow[];
}

/** When a credential or device was last used: written in groups, apart from the steps. */
export interface LastUse {
  what: 'session' | 'key' | 'device' | 'service';
  /** Id of the row; for a service the hash of its token. */
  id: string;
  at: number;
}

export type IdentityStore = ReturnType<typeof identityStore>;

export const identityStore = (db: Database) => ({
  /** Everything that requests are checked against. */
  load: (): Promise<IdentityRows> => loadRows(db),

  /** Writes all steps or none, durably. A mark that is there already fails as `conflict`. */
  async commit(steps: readonly Step[]): Promise<void> {
    await db.write('safe', async (tx: IdentityTransaction) => {
      for (const step of steps) {
        await writeStep(tx, step);
        crashPoint('identity.change.writing');
      }
    });
    crashPoint('identity.change.written');
  },

  /** Writes last uses. What was dropped in the meantime stays dropped. */
  touch: (used: readonly LastUse[]): Promise<void> =>
    db.write('grouped', async (tx: IdentityTransaction) => {
      for (const { what, id, at } of used) {
        if (what === 'session')
          await tx.updateTable('identity_session').set({ last_used_at: at }).where('id', '=', id).execute();
        else if (what === 'key')
          await tx.updateTable('identity_key').set({ last_used_at: at }).where('id', '=', id).execute();
        else if (what === 'service')
          await tx.updateTable('identity_service_token').set({ last_used_at: at }).where('hash', '=', id).execute();
        else await tx.updateTable('identity_device').set({ last_seen_at: at }).where('id', '=', id).execute();
      }
    }),

  /** Returns the removed Profiles that a domain has not forgotten yet, in the order of their removal. */
  removedFor: async (domain: string): Promise<{ profile: string; commitCursor: CommitCursor }[]> => {
    const from = db.tables<IdentityTables>();
    const cursor = await from
      .selectFrom('identity_forgotten')
      .select('seq')
      .where('domain', '=', domain)
      .executeTakeFirst();
    const removed = await from
      .selectFrom('identity_removed')
      .select(['seq', 'profile'])
      .where('seq', '>', cursor?.seq ?? 0)
      .orderBy('seq')
      .limit(MAX_REMOVED)
      .execute();
    return removed.map(({ seq, profile }) => ({ profile, commitCursor: cursorOf(domain, seq) }));
  },

  /** Whether something is recorded that happens only after set-up. */
  isUsed: async (): Promise<boolean> => {
    if (await hasActivity(db)) return true;
    const removed = db.tables<IdentityTables>().selectFrom('identity_removed');
    return (await removed.select('seq').limit(1).executeTakeFirst()) !== undefined;
  },

  /** Returns the bytes of the uploaded picture of a Profile. */
  pictureOf: (profile: string): Promise<Uint8Array | undefined> => readPicture(db, profile),
});

async function loadRows(db: Database): Promise<IdentityRows> {
  const from = db.tables<IdentityTables>();
  const profiles = await from.selectFrom('identity_profile').selectAll().orderBy('created_at').orderBy('id').execute();
  const sessions = await from.selectFrom('identity_session').selectAll().execute();
  const keys = await from.selectFrom('identity_key').selectAll().execute();
  const devices = await from.selectFrom('identity_device').selectAll().execute();
  const links = await from.selectFrom('identity_link').selectAll().execute();
  const households = await from.selectFrom('identity_household').selectAll().execute();
  const allowed = await from.selectFrom('identity_household_profile').selectAll().orderBy('place').execute();
  const passkeys = await from.selectFrom('identity_passkey').selectAll().execute();
  const directoryUsers = await from
    .selectFrom('identity_directory_user')
    .selectAll()
    .orderBy('created_at')
    .orderBy('profile')
    .execute();
  const serviceTokens = await from.selectFrom('identity_service_token').selectAll().execute();
  const marks = await from.selectFrom('identity_mark').selectAll().execute();
  return {
    profiles: profiles.map(profileOf),
    sessions: sessions.map(sessionOf),
    keys: keys.map(keyOf),
    devices: devices.map(deviceOf),
    links: links.map(linkOf),
    households: households.map((row) => householdOf(row, allowed)),
    passkeys: passkeys.map(passkeyOf),
    directoryUsers: directoryUsers.map(directoryUserOf),
    serviceTokens: serviceTokens.map(serviceTokenOf),
    marks: marks as MarkRow[],
  };
}

async function readPicture(db: Database, profile: string): Promise<Uint8Array | undefined> {
  const from = db.tables<IdentityTables>().selectFrom('identity_picture').select('bytes');
  return (await from.where('profile', '=', profile).executeTakeFirst())?.bytes;
}

/** Notes how far a domain is with forgetting, in that domain's own transaction. */
const cursorOf =
  (domain: string, seq: number): CommitCursor =>
  async (other) => {
    // A transaction spans all tables of the database; only its type names those of one domain.
    const tx = other as unknown as IdentityTransaction;
    await tx
      .insertInto('identity_forgotten')
      .values({ domain, seq })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet({ seq }))
      .execute();
  };
