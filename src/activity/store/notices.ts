/** Notices in the database: which entries a Profile is notified of, and which of them it has seen. */
import type { CommitCursor, Database } from '../../lib/db/index.ts';
import type { ActivityEntry } from '../types.ts';
import { loggedEntry } from './entries.ts';
import type { ActivityTables, ActivityTransaction } from './tables.ts';

export interface NoticeRow {
  entry: ActivityEntry;
  seenAt: number | undefined;
}

export type NoticeStore = ReturnType<typeof noticeStore>;

export const noticeStore = (db: Database) => ({
  /** Returns the newest notices of a Profile, without those that a session or key caused itself. */
  async newest(
    profile: string,
    { isUnseenOnly, except, limit }: { isUnseenOnly: boolean; except: string | undefined; limit: number },
  ): Promise<NoticeRow[]> {
    let query = db
      .tables<ActivityTables>()
      .selectFrom('activity_notice')
      .innerJoin('activity_entry', 'activity_entry.number', 'activity_notice.number')
      .selectAll('activity_entry')
      .select('activity_notice.seen_at')
      .where('activity_notice.profile', '=', profile);
    if (isUnseenOnly) query = query.where('activity_notice.seen_at', 'is', null);
    if (except !== undefined)
      query = query.where((is) =>
        is.or([is('activity_entry.credential', 'is', null), is('activity_entry.credential', '!=', except)]),
      );
    const rows = await query.orderBy('activity_entry.number', 'desc').limit(limit).execute();
    return rows.map(({ seen_at: seenAt, ...row }) => ({ entry: loggedEntry(row), seenAt: seenAt ?? undefined }));
  },

  /** Notes that a Profile has seen entries. Ids of others are ignored. */
  see: (profile: string, ids: readonly string[], at: number): Promise<void> =>
    db.write('grouped', async (tx: ActivityTransaction) => {
      const entries = await tx.selectFrom('activity_entry').select('number').where('id', 'in', ids).execute();
      for (const { number } of entries)
        await tx
          .updateTable('activity_notice')
          .set({ seen_at: at })
          .where('profile', '=', profile)
          .where('number', '=', number)
          .where('seen_at', 'is', null)
          .execute();
    }),

  forgetProfile: (profile: string, commitCursor: CommitCursor): Promise<void> =>
    db.write('safe', async (tx: ActivityTransaction) => {
      await tx.deleteFrom('activity_notice').where('profile', '=', profile).execute();
      await commitCursor(tx);
    }),
});
