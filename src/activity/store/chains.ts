/** The chains of the activity log in the database: read from the oldest entry on, and shortened there. */
import type { Database } from '../../lib/db/index.ts';
import type { ActivityChain, ChainedEntry } from '../types.ts';
import { chainRowOf, storedEntry, type ChainRow } from './entries.ts';
import type { ActivityTables, ActivityTransaction } from './tables.ts';

/** Entries that a walk has in memory at a time. */
const WALK_AT_ONCE = 500;

export type ChainStore = ReturnType<typeof chainStore>;

export const chainStore = (db: Database) => ({
  /** Returns the anchor and the head of a chain; undefined if it never had an entry. */
  chain: async (chain: ActivityChain): Promise<ChainRow | undefined> => {
    const row = await db
      .tables<ActivityTables>()
      .selectFrom('activity_chain')
      .selectAll()
      .where('chain', '=', chain)
      .executeTakeFirst();
    return row && chainRowOf(row);
  },

  /** Hands over the entries of a chain, the oldest first, with their hashes, up to a number. */
  async walk(chain: string, upTo: number, each: (entry: ChainedEntry, hash: string) => void): Promise<void> {
    let after = -1;
    while (true) {
      const rows = await db
        .tables<ActivityTables>()
        .selectFrom('activity_entry')
        .selectAll()
        .where('chain', '=', chain)
        .where('number', '>', after)
        .where('number', '<=', upTo)
        .orderBy('number')
        .limit(WALK_AT_ONCE)
        .execute();
      for (const row of rows) each(storedEntry(row), row.hash);
      const last = rows.at(-1);
      if (!last) return;
      after = last.number;
    }
  },

  /** Returns the newest entry of a chain. */
  last: async (chain: ActivityChain): Promise<ChainedEntry | undefined> => {
    const row = await db
      .tables<ActivityTables>()
      .selectFrom('activity_entry')
      .selectAll()
      .where('chain', '=', chain)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && storedEntry(row);
  },

  /** Returns the first entry that belongs to none of the chains. */
  stray: async (chains: readonly ActivityChain[]): Promise<ChainedEntry | undefined> => {
    const row = await db
      .tables<ActivityTables>()
      .selectFrom('activity_entry')
      .selectAll()
      .where('chain', 'not in', chains)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst();
    return row && storedEntry(row);
  },

  /**
   * Removes the entries of a chain from before a moment, from the oldest on, and moves the anchor with them. A clock
   * that was wrong for a while removes nothing too early: an entry goes when those around it go. `ahead` is the moment
   * from which on times are those of such a clock.
   */
  forget: (chain: ActivityChain, { before, ahead }: { before: number; ahead: number }): Promise<void> =>
    db.write('grouped', async (tx: ActivityTransaction) => {
      const ofChain = () => tx.selectFrom('activity_entry').where('chain', '=', chain);
      const kept = await ofChain()
        .select('number')
        .where('at', '>=', before)
        .where('at', '<=', ahead)
        .orderBy('number')
        .limit(1)
        .executeTakeFirst();
      const gone = await ofChain()
        .select(['number', 'hash'])
        .where('at', '<', before)
        .where('number', '<', kept?.number ?? Number.MAX_SAFE_INTEGER)
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!gone) return;
      await tx
        .updateTable('activity_chain')
        .set({ anchor_number: gone.number, anchor_hash: gone.hash })
        .where('chain', '=', chain)
        .execute();
      await tx.deleteFrom('activity_entry').where('chain', '=', chain).where('number', '<=', gone.number).execute();
      if (chain === 'record') await tx.deleteFrom('activity_notice').where('number', '<=', gone.number).execute();
    }),
});
