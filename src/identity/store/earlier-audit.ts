/** Moves the audit rows of earlier versions into the activity log, with their ids and times. */
import { appendEarlier } from '../../activity/index.ts';
import type { Kysely, Transaction } from '../../lib/db/index.ts';

interface EarlierTables {
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

/** Rows that are in memory at a time. */
const MOVE_AT_ONCE = 1_000;

/** Kinds whose subject was a Profile. */
const ABOUT_PROFILES: ReadonlySet<string> = new Set([
  'profile-created',
  'profile-changed',
  'profile-removed',
  'role-changed',
  'password-set',
  'pin-set',
  'quick-connect',
]);
/** Kinds that have another name now. */
const RENAMED: Readonly<Record<string, string>> = {
  'outside-step-up': 'proof',
  'outside-link': 'outside-linked',
  'metadata.edit': 'metadata-edited',
  'metadata.bulk-edit': 'metadata-bulk-edited',
  'metadata.undo': 'metadata-undone',
  'metadata.picture': 'metadata-picture',
  'metadata.match': 'metadata-matched',
};

export async function moveAudit(db: Kysely<unknown>): Promise<void> {
  const tables = db as Kysely<EarlierTables>;
  let after = { at: -1, id: '' };
  while (true) {
    const { at, id } = after;
    const rows = await tables
      .selectFrom('identity_audit')
      .selectAll()
      .where((is) => is.or([is('at', '>', at), is.and([is('at', '=', at), is('id', '>', id)])]))
      .orderBy('at')
      .orderBy('id')
      .limit(MOVE_AT_ONCE)
      .execute();
    await appendEarlier(db as unknown as Transaction<never>, rows.map(entryOf));
    const last = rows.at(-1);
    if (!last) break;
    after = last;
  }
  await db.schema.dropTable('identity_audit').execute();
}

function entryOf(row: EarlierTables['identity_audit']) {
  const [profile, subject] = [row.profile ?? undefined, row.subject ?? undefined];
  const isAboutProfile = ABOUT_PROFILES.has(row.kind);
  return {
    id: row.id,
    chain: 'record' as const,
    at: row.at,
    kind: RENAMED[row.kind] ?? row.kind,
    outcome: row.outcome,
    actor: row.outcome === 'refused' ? undefined : profile,
    via: row.kind === 'recovery' ? 'console' : undefined,
    credential: undefined,
    profile: isAboutProfile ? (subject ?? profile) : profile,
    target: isAboutProfile ? undefined : subject,
    reach: row.network ?? undefined,
    network: undefined,
    count: 1,
    details: '{}',
    notify: [],
  };
}
