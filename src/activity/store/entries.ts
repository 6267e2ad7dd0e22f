/** Entries of the activity log in the database: appended, read, walked through, and forgotten from the oldest on. */
import type { Database, DatabaseReader } from '../../lib/db/index.ts';
import { CHAIN_START, entryHash, type ChainPlace } from '../chain.ts';
import type { ActivityChain, ActivityEntry, ChainedEntry } from '../types.ts';
import type { ActivityTables, ActivityTransaction } from './tables.ts';

/** Entries that one statement writes: an entry has 16 values. */
const WRITE_AT_ONCE = 100;

/** An entry that is about to get its number and its place in the chain. */
export type NewEntry = Omit<ChainedEntry, 'number'> & { notify: readonly string[] };

export interface ChainRow {
  anchor: ChainPlace;
  head: ChainPlace;
}

export const chainRowOf = (row: ActivityTables['activity_chain']): ChainRow => ({
  anchor: { number: row.anchor_number, hash: row.anchor_hash },
  head: { number: row.head_number, hash: row.head_hash },
});

export const storedEntry = (row: ActivityTables['activity_entry']): ChainedEntry => ({
  number: row.number,
  id: row.id,
  chain: row.chain as ActivityChain,
  at: row.at,
  kind: row.kind,
  outcome: row.outcome,
  actor: row.actor ?? undefined,
  via: row.via ?? undefined,
  credential: row.credential ?? undefined,
  profile: row.profile ?? undefined,
  target: row.target ?? undefined,
  reach: row.reach ?? undefined,
  network: row.network ?? undefined,
  count: row.count,
  details: row.details,
});

export const loggedEntry = (row: ActivityTables['activity_entry']): ActivityEntry => ({
  ...storedEntry(row),
  details: JSON.parse(row.details) as ActivityEntry['details'],
});

const rowOf = (entry: ChainedEntry, hash: string): ActivityTables['activity_entry'] => ({
  ...entry,
  actor: entry.actor ?? null,
  via: entry.via ?? null,
  credential: entry.credential ?? null,
  profile: entry.profile ?? null,
  target: entry.target ?? null,
  reach: entry.reach ?? null,
  network: entry.network ?? null,
  hash,
});

/** Appends entries in the transaction of the change that they record. */
export async function appendEntries(tx: ActivityTransaction, entries: readonly NewEntry[]): Promise<void> {
  const chains = new Map(
    (await tx.selectFrom('activity_chain').selectAll().execute()).map((row) => [row.chain, chainRowOf(row)]),
  );
  let last = Math.max(0, ...[...chains.values()].map(({ head }) => head.number));
  const grown = new Map<string, ChainPlace>();
  const rows: ActivityTables['activity_entry'][] = [];
  const notices: ActivityTables['activity_notice'][] = [];
  for (const { notify, ...given } of entries) {
    const entry = { ...given, number: ++last };
    const before = grown.get(entry.chain) ?? chains.get(entry.chain)?.head ?? CHAIN_START;
    const hash = entryHash(before, entry);
    grown.set(entry.chain, { number: entry.number, hash });
    rows.push(rowOf(entry, hash));
    for (const profile of new Set(notify)) notices.push({ profile, number: entry.number, seen_at: null });
  }
  for (let from = 0; from < rows.length; from += WRITE_AT_ONCE)
    await tx
      .insertInto('activity_entry')
      .values(rows.slice(from, from + WRITE_AT_ONCE))
      .execute();
  for (const notice of notices) await tx.insertInto('activity_notice').values(notice).execute();
  for (const [chain, head] of grown) {
    const placed = { head_number: head.number, head_hash: head.hash };
    await tx
      .insertInto('activity_chain')
      .values({ chain, anchor_number: CHAIN_START.number, anchor_hash: CHAIN_START.hash, ...placed })
      .onConflict((conflict) => conflict.column('chain').doUpdateSet(placed))
      .execute();
  }
}

/** Which entries are read. */
export interface EntryFilter {
  kinds?: readonly string[] | undefined;
  /** The Profile that did it, or that it is about. */
  profile?: string | undefined;
  outcome?: string | undefined;
  /** The first moment, and the one after the last. */
  from?: number | undefined;
  to?: number | undefined;
  /** Entries with smaller numbers. */
  before?: number | undefined;
}

function filtered(from: DatabaseReader<ActivityTables>, filter: EntryFilter) {
  const { kinds, profile, outcome, from: first, to, before } = filter;
  let query = from.selectFrom('activity_entry');
  if (kinds) query = query.where('kind', 'in', kinds.length > 0 ? kinds : ['']);
  if (profile !== undefined)
    query = query.where((is) => is.or([is('actor', '=', profile), is('profile', '=', profile)]));
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (first !== undefined) query = query.where('at', '>=', first);
  if (to !== undefined) query = query.where('at', '<', to);
  return before === undefined ? query : query.where('number', '<', before);
}

export type EntryStore = ReturnType<typeof entryStore>;

export const entryStore = (db: Database) => ({
  append: (entries: readonly NewEntry[], durability: 'safe' | 'grouped'): Promise<void> =>
    db.write(durability, (tx: ActivityTransaction) => appendEntries(tx, entries)),

  /** Returns the newest entries of a filter. */
  newest: async (filter: EntryFilter, limit: number): Promise<ActivityEntry[]> =>
    (
      await filtered(db.tables<ActivityTables>(), filter).selectAll().orderBy('number', 'desc').limit(limit).execute()
    ).map(loggedEntry),

  count: async (filter: EntryFilter): Promise<number> =>
    Number(
      (
        await filtered(db.tables<ActivityTables>(), filter)
          .select((of) => of.fn.countAll().as('count'))
          .executeTakeFirst()
      )?.count ?? 0,
    ),

  /** Whether a Profile ever did something. */
  hasActed: async (): Promise<boolean> =>
    (await db
      .tables<ActivityTables>()
      .selectFrom('activity_entry')
      .select('number')
      .where('outcome', '=', 'done')
      .where('actor', 'is not', null)
      .limit(1)
      .executeTakeFirst()) !== undefined,

  /** Whether there is an entry of a kind with a target and details. */
  isRecorded: async (kind: string, target: string | undefined, details: string): Promise<boolean> => {
    const query = db
      .tables<ActivityTables>()
      .selectFrom('activity_entry')
      .select('number')
      .where('kind', '=', kind)
      .where('details', '=', details)
      .where('target', target === undefined ? 'is' : '=', target ?? null);
    return (await query.limit(1).executeTakeFirst()) !== undefined;
  },
});
