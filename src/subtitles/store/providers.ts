/** Store of provider states: health, the time of the next allowed call, allowance, and what the provider remembers. */
import type { Database } from '../../lib/db/index.ts';
import type { DownloadBudget } from '../choosing/budget.ts';
import type { ProviderTable, SubtitleTables, SubtitleTx } from './tables.ts';

export type PauseRow = SubtitleTables['subtitle_pause'];
type PauseKey = Pick<PauseRow, 'item' | 'language' | 'role' | 'provider'>;
export type ProviderRow = ProviderTable;

const NEW_PROVIDER: Omit<ProviderTable, 'name' | 'mark' | 'memory'> = {
  state: 'untested',
  last_success: null,
  remaining: null,
  reset_at: null,
  last_error: null,
  failures: 0,
  until: 0,
  kind: null,
};

export const providerStore = (db: Database) => {
  const read = () => db.tables<SubtitleTables>();
  return {
    all: (): Promise<ProviderRow[]> => read().selectFrom('subtitle_provider').selectAll().execute(),
    /** Resets the row of a provider whose credentials changed. */
    begin: (name: string, mark: string): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        const row = { ...NEW_PROVIDER, mark, memory: null };
        await tx
          .insertInto('subtitle_provider')
          .values({ name, ...row })
          .onConflict((oc) => oc.column('name').doUpdateSet(row))
          .execute();
      }),
    change: (name: string, change: (before: ProviderRow) => Partial<ProviderRow>): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        const before = await tx.selectFrom('subtitle_provider').selectAll().where('name', '=', name).executeTakeFirst();
        if (before) await tx.updateTable('subtitle_provider').set(change(before)).where('name', '=', name).execute();
      }),

    pauses: async (items: readonly string[]): Promise<PauseRow[]> =>
      items.length === 0 ? [] : read().selectFrom('subtitle_pause').selectAll().where('item', 'in', items).execute(),
    pause: (at: PauseKey, change: (before: PauseRow | undefined) => Omit<PauseRow, keyof PauseKey>): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        const before = await tx
          .selectFrom('subtitle_pause')
          .selectAll()
          .where('item', '=', at.item)
          .where('language', '=', at.language)
          .where('role', '=', at.role)
          .where('provider', '=', at.provider)
          .executeTakeFirst();
        const row = change(before);
        await tx
          .insertInto('subtitle_pause')
          .values({ ...at, ...row })
          .onConflict((oc) => oc.columns(['item', 'language', 'role', 'provider']).doUpdateSet(row))
          .execute();
      }),
    endPause: ({ item, language, role, provider }: PauseKey): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        await tx
          .deleteFrom('subtitle_pause')
          .where('item', '=', item)
          .where('language', '=', language)
          .where('role', '=', role)
          .where('provider', '=', provider)
          .execute();
      }),

    /** Ends all pauses of a provider, for every item. The rows stay, because they record which items are due. */
    searchAgain: (provider: string): Promise<void> =>
      db.write('safe', async (tx: SubtitleTx) => {
        await tx
          .updateTable('subtitle_pause')
          .set({ until: 0, failures: 0 })
          .where('provider', '=', provider)
          .execute();
      }),
    budgets: (): Promise<SubtitleTables['subtitle_budget'][]> =>
      read().selectFrom('subtitle_budget').selectAll().execute(),
    /**
     * Counts a download before it starts. Returns false when `next` returns undefined, which means that the budget is
     * used up.
     */
    spend: (
      provider: string,
      next: (before: DownloadBudget | undefined) => DownloadBudget | undefined,
    ): Promise<boolean> =>
      db.write('safe', async (tx: SubtitleTx) => {
        const before = await tx
          .selectFrom('subtitle_budget')
          .select(['day', 'used'])
          .where('provider', '=', provider)
          .executeTakeFirst();
        const after = next(before);
        if (after)
          await tx
            .insertInto('subtitle_budget')
            .values({ provider, ...after })
            .onConflict((oc) => oc.column('provider').doUpdateSet({ ...after }))
            .execute();
        return after !== undefined;
      }),
  };
};
export type ProviderStore = ReturnType<typeof providerStore>;
